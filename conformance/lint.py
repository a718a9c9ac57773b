"""Case files held against the house rules: what loads, and yet says less than its author meant. One small class a rule.

Problems of shape are the loader's, and come first; rules look at files that load. This module must never run a case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from . import cases, suite, yamlstrict
from . import format as layout
from .checking import Check
from .model import Location, Node, Problem, Step
from .templates import operator
from .words import did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

    from .model import Requirement

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


@dataclass(slots=True)
class File:
    """A case file that loads: its name, its area, and its cases as they stand, rows not multiplied."""

    display: str
    prefix: str
    root: Node
    bundled: bool

    @property
    def cases(self) -> Sequence[Node]:
        """The cases as written."""
        return self.root.items["cases"].elements


class Rule:
    """A rule: its id, what it says when it is broken, and what to do then."""

    id: ClassVar[str]
    hint: ClassVar[str] = ""

    def __init__(self, requirements: Mapping[str, Requirement]) -> None:
        self.requirements = requirements

    def check(self, file: File) -> Iterator[Problem]:
        """Every place in a file where the rule is broken."""
        return self._find(file)

    def _find(self, file: File) -> Iterator[Problem]:
        raise NotImplementedError

    def _broken(self, at: Location, message: str, hint: str = "") -> Problem:
        return Problem(at, self.id, message, hint or self.hint)


class TitleStyle(Rule):
    """Titles are facts in the present tense: no "should", no "test that", no capital, no full stop."""

    id = "title-style"
    hint = "say the fact: `a notification gets no reply`"
    _BAD: ClassVar = (
        (re.compile(r"\bshould\b|\bmust\b|\bshall\b", re.IGNORECASE), "says what ought to be"),
        (re.compile(r"^(?:tests?|checks?|verif(?:y|ies)|ensures?)\b", re.IGNORECASE), "speaks of the test"),
        (re.compile(r"\.$"), "ends with a full stop"),
        (re.compile(r"\n"), "has more than one line"),
        (re.compile(r"^(?:[A-Z][a-z]|A )"), "begins with a capital"),
    )

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases:
            title = case.items["title"]
            for pattern, said in self._BAD:
                if pattern.search(str(title.value)):
                    yield self._broken(title.at, f"the title {said}")
                    break


class TitleLength(Rule):
    """Titles stay under 80 characters, so that a report shows them whole."""

    id = "title-length"
    hint = "under 80 characters a report shows it whole"

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases:
            title = case.items["title"]
            if len(str(title.value)) >= 80:
                yield self._broken(title.at, f"the title has {len(str(title.value))} characters")


class UnusedColumn(Rule):
    """A column that no step uses is a value that its author believed to be tested."""

    id = "unused-column"
    hint = "use it by {$row: …}, or remove it"

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases:
            examples = case.get("examples")
            if examples is None:
                continue
            check = Check()
            check.shape(case, layout.CASE)
            used = {use.column for use in check.uses} | {"name"}
            seen: set[str] = set()
            for row in examples.elements:
                for column, at in row.keys.items():
                    if column not in used and column not in seen:
                        seen.add(column)
                        yield self._broken(
                            at, f'no step uses the column "{column}"', did_you_mean(column, used - {"name"})
                        )


class CannotFail(Rule):
    """A case none of whose steps can fail but by the envelope shows nothing of its own."""

    id = "cannot-fail"
    hint = "say what has to come, or leave `expect` out where any reply is fine"

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases:
            for step in _steps(case):
                expect = step.args if step.kind in {"reply", "optional"} else step.args.get("expect")
                if expect is not None and _holds_always(expect):
                    yield self._broken(expect.at, f"this expectation of {step.kind} holds whatever comes")


class NoSuchReplyMember(Rule):
    """A reply has result or error; an expectation of something beside them is meant for their inside."""

    id = "no-reply-member"

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases:
            for step in _steps(case):
                expect = step.args if step.kind in {"reply", "optional"} else step.args.get("expect")
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
                if node.value not in self.requirements:
                    hint = did_you_mean(str(node.value), self.requirements) or "mcp-tck explain lists them"
                    yield self._broken(node.at, f"no spec page has {node.value}", hint)


class CoversNothing(Rule):
    """A bundled case names the sentences that bind the server."""

    id = "covers-nothing"
    hint = "a bundled case shows at least one requirement"

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases if file.bundled else ():
            if case.get("covers") is None:
                yield self._broken(case.at, f"the case {case.items['id'].value} covers no requirement")


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


RULES: Final[tuple[type[Rule], ...]] = (
    CannotFail,
    CoversNothing,
    NoSuchReplyMember,
    TitleLength,
    TitleStyle,
    UnknownCapability,
    UnknownRequirement,
    UnusedColumn,
)


def lint(paths: Iterable[Path], requirements: Mapping[str, Requirement]) -> list[Problem]:
    """Everything that is wrong with case files, those of folders among them, sorted by place."""
    rules = [rule(requirements) for rule in RULES]
    problems: list[Problem] = []
    prefixes: dict[str, Location] = {}
    for path in dict.fromkeys(found.resolve() for named in paths for found in _files(named)):
        display, prefix = suite.names(path)
        unloaded = cases.load(path, display, prefix)[1]
        problems += unloaded
        if unloaded:
            continue
        root = yamlstrict.parse(yamlstrict.decode(path.read_bytes(), display)[0], display)[0]
        assert root is not None
        file = File(display, prefix, root, bundled=path.is_relative_to(suite.FIXTURES))
        at = root.items["area"].at
        first = prefixes.setdefault(prefix, at)
        if first is not at:
            said = f"the file's cases have the same ids as those of {first.file}"
            problems.append(Problem(at, "duplicate-file-id", said, "give one of the two files another name"))
        problems += [problem for rule in rules for problem in rule.check(file)]
    return sorted(problems, key=lambda problem: (problem.at.file, problem.at.line, problem.at.column))


def _files(path: Path) -> list[Path]:
    """A named file is checked whatever it says; of a folder, those that are meant as case files."""
    return [path] if path.is_file() else cases.find(path)


def _steps(case: Node) -> Iterator[Step]:
    for node in case.items["steps"].elements:
        step = cases.as_step(node)
        yield step
        if step.kind == "together":
            yield from cases.steps_of(step)


def _holds_always(expect: Node) -> bool:
    """Whether an expectation holds for everything that the envelope lets through."""
    name = operator(expect)
    if name is not None and name in _INNER:
        return _INNER[name](expect.items[name])
    return isinstance(expect.value, Mapping) and not expect.items


_INNER: Final[dict[str, Callable[[Node], bool]]] = {
    "$any": lambda _: True,
    "$optional": _holds_always,
    "$literal": lambda _: False,
    "$one_of": lambda argument: any(map(_holds_always, argument.elements)),
}


def _is_capability(name: str) -> bool:
    head, _, rest = name.partition(".")
    if head not in CAPABILITIES:
        return False
    below = CAPABILITIES[head]
    return not rest or below is None or rest in below


def _capabilities() -> list[str]:
    return [*CAPABILITIES, *(f"{head}.{part}" for head, parts in CAPABILITIES.items() for part in parts or ())]
