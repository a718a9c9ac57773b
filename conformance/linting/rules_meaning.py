"""Lint rules about what a case says: expectations that nothing can break, and names that nobody has.

This module must never judge how a case is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from ..casefile.format import BLAMING
from ..matching.templates import operator
from ..words import did_you_mean
from .rules import Rule, expected, steps

if TYPE_CHECKING:
    from ..model import Node, Problem, Step
    from .rules import File

CAPABILITIES: Final = {
    "completions": (),
    "experimental": None,
    "extensions": None,
    "logging": (),
    "prompts": ("listChanged",),
    "resources": ("listChanged", "subscribe"),
    "tasks": ("list", "cancel", "requests", "requests.tools", "requests.tools.call"),
    "tools": ("listChanged",),
}
"""What servers can declare, with the members below; None where names are free."""

REPLY: Final = ("jsonrpc", "id", "result", "error")

_WAITING: Final = frozenset({"request", "call", "reply", "silence", "notification", "server_request", "expect_exit"})
_ENVELOPE: Final = frozenset({"MCP-BASE-001", "MCP-BASE-002", "MCP-BASE-006", "MCP-BASE-007", "MCP-BASE-008"})
"""Requirements whose cases say again, on purpose, what every reply is held against."""


class CannotFail(Rule):
    """A case none of whose steps can fail but by the envelope shows nothing of its own."""

    id = "cannot-fail"
    hint = "say what has to come"

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases:
            played = list(steps(case))
            waiting = [step for step in played if step.kind in _WAITING]
            if waiting and all(map(_is_bare_call, waiting)):
                said = "no call of this case says what has to come, so any answer passes, and a refusal too"
                yield self._broken(waiting[0].at, said, "add an `expect`, {ok: true} at the least")
            for step in played:
                expect = expected(step)
                if expect is not None and _holds_always(expect):
                    yield self._broken(expect.at, f"this expectation of {step.kind} holds whatever comes")


class NoSuchReplyMember(Rule):
    """A reply has result or error; an expectation of something beside them is meant for their inside."""

    id = "no-reply-member"

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases:
            for step in steps(case):
                expect = expected(step)
                if step.kind not in {"reply", "optional", "request"} or expect is None:
                    continue
                for key, member in expect.items.items():
                    if key not in REPLY and not key.startswith("$") and operator(member) != "$absent":
                        inside = "error" if key in {"code", "message", "data"} else "result"
                        hint = did_you_mean(key, REPLY) or f"did you mean {inside}: {{{key}: …}}?"
                        yield self._broken(expect.keys[key], f'a reply has no member "{key}"', hint)


class UnknownRequirement(Rule):
    """What a case covers stands on a spec page."""

    id = "unknown-requirement"

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases:
            covers = case.get("covers")
            for node in covers.elements if covers else ():
                if node.value not in self.known.requirements:
                    hint = did_you_mean(str(node.value), self.known.requirements) or "mcp-tck explain lists them"
                    yield self._broken(node.at, f"no spec page has {node.value}", hint)


class StepCoversMore(Rule):
    """What a step is about is among what its case covers."""

    id = "step-covers-more"
    hint = "add it to the `covers` of the case, or take it from the step"

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases:
            covers = case.get("covers")
            known = {node.value for node in covers.elements} if covers else set()
            for step in steps(case):
                blamed = step.args.get("covers") if step.kind in BLAMING else None
                for node in blamed.elements if blamed else ():
                    if node.value not in known:
                        yield self._broken(node.at, f"{node.value} is not among what the case covers")


class UnknownCapability(Rule):
    """A capability that no server can declare makes a case not applicable everywhere."""

    id = "unknown-capability"

    def _find(self, file: File) -> Iterator[Problem]:
        for owner in (file.root, *file.cases):
            requires = owner.get("requires")
            named = requires.get("capabilities") if requires else None
            for node in named.elements if named else ():
                for name in re.split(r"\|", str(node.value)):
                    if not _is_capability(name.removeprefix("!")):
                        hint = did_you_mean(name.removeprefix("!"), _capabilities())
                        yield self._broken(node.at, f'no server can declare "{name.removeprefix("!")}"', hint)


class NoEvidence(Rule):
    """A case that waits for nothing passes on nothing."""

    id = "no-evidence"
    hint = "add {silence: {}} behind what must not be answered, or a request"

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases:
            if not any(step.kind in _WAITING for step in steps(case)):
                yield self._broken(case.at, f"no step of {case.items['id'].value} waits for a message")


class OptionalUnseen(Rule):
    """What may come is looked at with the next reply; behind the last one nobody looks."""

    id = "optional-unseen"
    hint = "put {silence: {}} or a request behind it"

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases:
            if not any(step.kind in _WAITING for step in steps(case)):
                continue
            later = False
            for step in reversed(list(steps(case))):
                if step.kind == "optional" and not later:
                    yield self._broken(step.at, "no reply is awaited behind this, so it is never looked at")
                later = later or step.kind in _WAITING


class ImpliedByEnvelope(Rule):
    """What every reply is held against anyway needs no words, and hides those that count."""

    id = "implied-by-envelope"
    hint = "every reply is held against that anyway; leave it out"

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases:
            covers = case.get("covers")
            if covers is not None and not _ENVELOPE.isdisjoint(str(node.value) for node in covers.elements):
                continue
            for step in steps(case):
                expect = expected(step)
                if expect is None or step.kind not in {"request", "reply", "optional"}:
                    continue
                for pointer, node in _members(expect):
                    if _says_nothing(pointer, node, step):
                        yield self._broken(node.at, f"{pointer} is no news here")


class UnknownTool(Rule):
    """A tool that the target does not have, by the catalogue on record, is a slip of the pen.

    Where a refusal is expected it is one that nobody would see: an unknown tool is refused as well.
    """

    id = "unknown-tool"
    hint = 'not in the catalogue on record; if an unknown tool is meant, require "!NAME", or begin its name with tck_'

    def _find(self, file: File) -> Iterator[Problem]:
        known = self.known.tools
        if known is None:
            return
        for node in self._required(file.root, *file.cases):
            if not str(node.value).startswith("!"):
                yield from self._look(node, known)
        for case in file.cases:
            meant = {str(node.value).removeprefix("!") for node in self._required(file.root, case)}
            for step in steps(case):
                if step.kind == "call":
                    yield from self._look(step.args.items["tool"], known | meant)

    @staticmethod
    def _required(*owners: Node) -> Iterator[Node]:
        """The tools that a file or its cases require, or require not to be there."""
        for owner in owners:
            requires = owner.get("requires")
            named = requires.get("tools") if requires else None
            yield from named.elements if named else ()

    def _look(self, node: Node, known: frozenset[str]) -> Iterator[Problem]:
        if isinstance(node.value, str) and node.value not in known and not node.value.startswith("tck_"):
            yield self._broken(node.at, f'the server has no tool "{node.value}"', did_you_mean(node.value, known))


RULES: Final[tuple[type[Rule], ...]] = (
    CannotFail,
    ImpliedByEnvelope,
    NoEvidence,
    NoSuchReplyMember,
    OptionalUnseen,
    UnknownCapability,
    StepCoversMore,
    UnknownRequirement,
    UnknownTool,
)


def _holds_always(expect: Node) -> bool:
    """Whether an expectation holds for everything that the envelope lets through."""
    name = operator(expect)
    if name is not None and name in _INNER:
        return _INNER[name](expect.items[name])
    return isinstance(expect.value, dict) and not expect.items


_INNER: Final[dict[str, Callable[[Node], bool]]] = {
    "$any": lambda _: True,
    "$optional": _holds_always,
    "$literal": lambda _: False,
    "$one_of": lambda argument: any(map(_holds_always, argument.elements)),
}


def _is_bare_call(step: Step) -> bool:
    return step.kind == "call" and step.args.items.keys().isdisjoint({"expect", "given"})


def _members(expect: Node) -> Iterator[tuple[str, Node]]:
    """The members of a reply that an expectation names, and those of its error."""
    for key, member in expect.items.items():
        yield f"/{key}", member
        if key == "error":
            yield from ((f"/error/{inner}", node) for inner, node in member.items.items())


def _says_nothing(pointer: str, node: Node, step: Step) -> bool:
    name = operator(node)
    if pointer == "/jsonrpc":
        return node.value == "2.0" or name == "$any"
    if pointer == "/id":
        return name == "$any" and step.kind == "request"
    kinds = {"/error/code": {"integer", "number"}, "/error/message": {"string"}}.get(pointer)
    return kinds is not None and (name == "$any" or (name == "$type" and node.items["$type"].value in kinds))


def _is_capability(name: str) -> bool:
    head, _, rest = name.partition(".")
    if head not in CAPABILITIES:
        return False
    below = CAPABILITIES[head]
    return not rest or below is None or rest in below


def _capabilities() -> list[str]:
    return [*CAPABILITIES, *(f"{head}.{part}" for head, parts in CAPABILITIES.items() for part in parts or ())]
