"""Lint rules about expectations that nothing can meet, whatever a server answers.

A place is reported only where it is certain: what stands behind an operator that may hold for anything is left alone.
This module must never judge how a case is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..matching.templates import operator
from ..values import Number
from .rules import Rule, expected, steps

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..model import Node, Problem
    from .rules import File

_OF_RESULTS: Final[tuple[str, ...]] = ("text", "json", "structured", "content")
_EVASIVE: Final = frozenset({"$absent", "$optional", "$not", "$one_of", "$row"})


class CannotHold(Rule):
    """An expectation that no reply can meet makes a case fail on every server."""

    id = "cannot-hold"

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases:
            for step in steps(case):
                expect = expected(step)
                if expect is None:
                    continue
                yield from self._lengths(expect)
                if step.kind == "call" and operator(expect) is None:
                    yield from self._call(expect)

    def _lengths(self, expect: Node) -> Iterator[Problem]:
        for node in _outside_of_literals(expect):
            bounds = node.items.get("$length") if operator(node) == "$length" else None
            least, most = (_whole(bounds, key) for key in ("min", "max"))
            if bounds is not None and least is not None and most is not None and least > most:
                yield self._broken(bounds.at, f"nothing has a length of at least {least} and at most {most}")

    def _call(self, expect: Node) -> Iterator[Problem]:
        said = {key: node for key, node in expect.items.items() if operator(node) not in _EVASIVE}
        shown = [key for key in _OF_RESULTS if key in said]
        flags = {key: node.value for key, node in said.items() if key in {"ok", "refused"}}
        if shown and "ok" not in expect.items:
            flags["ok"] = True
        yield from self._sides(said, shown, flags)
        if "text" in said:
            yield from self._text(said["text"])

    def _sides(self, said: Mapping[str, Node], shown: list[str], flags: Mapping[str, object]) -> Iterator[Problem]:
        if "error" in said:
            at = said["error"].at
            if "ok" in said or shown:
                beside = "ok" if "ok" in said else shown[0]
                yield self._broken(at, f"a JSON-RPC error has no `{beside}`", "leave one of the two out")
            elif flags.get("refused") is False:
                yield self._broken(at, "a JSON-RPC error is a refusal", "leave `refused` out")
        elif flags.get("refused") is True and flags.get("ok") is True:
            if "ok" in said:
                yield self._broken(said["refused"].at, "what is refused is not ok", "leave one of the two out")
            else:
                told = f"`{shown[0]}` alone is of a call that is ok, and what is refused is not"
                yield self._broken(said["refused"].at, told, f"write {{ok: false, {shown[0]}: …}}")
        elif flags.get("refused") is False and flags.get("ok") is False:
            yield self._broken(said["refused"].at, "what is not ok is refused", "leave `refused` out")

    def _text(self, node: Node) -> Iterator[Problem]:
        name = operator(node)
        if name is None and not isinstance(node.value, str):
            hint = "put quotes around it, or use `json` for a text that is JSON"
            yield self._broken(node.at, "the text of a call is a string, and this is none", hint)
        if name == "$contains":
            part = node.items["$contains"]
            if operator(part) is None and not isinstance(part.value, str):
                hint = "one string is needed here; for several, use a $regex or a call each"
                yield self._broken(part.at, "inside of a text there are only strings", hint)


RULES: Final[tuple[type[Rule], ...]] = (CannotHold,)


def _outside_of_literals(node: Node) -> Iterator[Node]:
    yield node
    for key, member in node.items.items():
        if key not in {"$literal", "$fits"}:
            yield from _outside_of_literals(member)
    for element in node.elements:
        yield from _outside_of_literals(element)


def _whole(bounds: Node | None, key: str) -> int | None:
    member = bounds.get(key) if bounds is not None else None
    exact = member.value.exact if member is not None and isinstance(member.value, Number) else None
    return int(exact) if exact is not None and not isinstance(exact, str) else None
