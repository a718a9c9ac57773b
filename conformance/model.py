"""What the kit speaks about: places, requirements, cases, steps, mismatches, transcripts, outcomes. Frozen data.

Of what there are thousands, fields are final to the type checker alone: a frozen class takes four times as long to make
one. This module must never read a file, talk to a target or word a report.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, Union

from .values import Number, Value

if TYPE_CHECKING:
    from .calling import Caller


@dataclass(slots=True, unsafe_hash=True)
class Location:
    """A place in a text file: line and column count from 1, columns and length in code points."""

    file: Final[str]
    line: Final[int]
    column: Final[int]
    length: Final[int] = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a file of ours or of a user: where, which rule, what, and what to do."""

    at: Location
    rule: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.at}: {self.rule}: {self.message}" + (f" ({self.hint})" if self.hint else "")


NodeValue: TypeAlias = Union[None, bool, str, Number, "tuple[Node, ...]", "dict[str, Node]"]


@dataclass(slots=True)
class Node:
    """A value read from a file, with the place where it stands, and for an object the place of each key."""

    value: Final[NodeValue]
    at: Final[Location]
    keys: Final[Mapping[str, Location]] = field(default_factory=dict)

    @property
    def items(self) -> Mapping[str, Node]:
        """The members of an object; no members for everything else."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def elements(self) -> Sequence[Node]:
        """The elements of an array; none for everything else."""
        return self.value if isinstance(self.value, tuple) else ()

    def get(self, key: str) -> Node | None:
        """The member of an object by its key."""
        return self.items.get(key)

    def plain(self) -> Value:
        """The value alone, without places; operators are data here."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, tuple):
            return [node.plain() for node in self.value]
        return self.value

    def walk(self) -> Iterator[Node]:
        """Yield the node itself and every node below it."""
        yield self
        for child in (*self.items.values(), *self.elements):
            yield from child.walk()


class Level(enum.StrEnum):
    """How strongly a requirement binds; `must` covers must-not, `should` covers should-not."""

    MUST = "must"
    SHOULD = "should"
    MAY = "may"
    OPEN = "open"

    @property
    def strength(self) -> int:
        """Larger binds more strongly."""
        return _STRENGTHS[self]


_STRENGTHS: Final = {Level.MUST: 3, Level.SHOULD: 2, Level.MAY: 1, Level.OPEN: 0}


@dataclass(frozen=True, slots=True)
class Requirement:
    """One normative line of a spec page."""

    id: str
    level: Level
    text: str
    source: str
    at: Location
    since: str | None = None
    until: str | None = None
    needs: str | None = None
    profile: str = "mcp"
    untestable: str | None = None

    def applies_at(self, revision: str) -> bool:
        """Whether the line holds at a revision; revisions are dates, and compare as text."""
        return (self.since is None or self.since <= revision) and (self.until is None or revision <= self.until)


@dataclass(slots=True)
class Step:
    """One step of a case: its kind (`request`, `silence`, …), its place, and its fields as they were written."""

    kind: Final[str]
    at: Final[Location]
    args: Final[Node]


@dataclass(frozen=True, slots=True)
class Needs:
    """What a target must have for a case to apply."""

    capabilities: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    profiles: tuple[str, ...] = ()


class Script(Protocol):
    """What a made case does in place of steps: it calls, compares, and says what came of it, a `Played`.

    `repeats`: it calls nothing that may change something, so that it may be played again.
    """

    @property
    def repeats(self) -> bool:
        """Whether it may be played again."""

    def __call__(self, caller: Caller) -> Any:
        """Play it."""


@dataclass(slots=True)
class Case:
    """One case, or one row of a case with examples.

    `id` is the whole case id, `arguments/bool::text-forms[upper-padded]`. `session` is `shared`, `fresh` or `rough`
    (malformed input: a shared process of its own kind). `opening` is None for the revision's own opening, a node
    `none`, or a node with the members to override. A case that was made from a catalogue stands in no file, and has a
    script in place of steps.
    """

    id: Final[str]
    file: Final[str]
    at: Final[Location]
    title: Final[str]
    area: Final[str]
    covers: Final[tuple[str, ...]]
    steps: Final[tuple[Step, ...]]
    needs: Final[Needs] = Needs()
    since: Final[str | None] = None
    until: Final[str | None] = None
    session: Final[str] = "shared"
    opening: Final[Node | None] = None
    row: Final[Mapping[str, Node] | None] = None
    script: Final[Script | None] = None
    before: Final[tuple[Step, ...]] = ()
    after: Final[tuple[Step, ...]] = ()
    start: Final[Node | None] = None

    @property
    def all_steps(self) -> tuple[Step, ...]:
        """The steps with those before and behind them."""
        return (*self.before, *self.steps, *self.after)


@dataclass(slots=True)
class Mismatch:
    """One difference between what a case expects and what came.

    `expected` and `actual` are words with types named ("integer -32601", "nothing"); `at` is the place of the
    expectation in the case file, where there is one.
    """

    pointer: Final[str]
    expected: Final[str]
    actual: Final[str]
    at: Final[Location | None] = None


@dataclass(slots=True)
class Entry:
    """One line of a transcript.

    `direction` is ">" for what the kit sent, "<" for what the target wrote, "!" for what happened (an exit, a
    deadline). `t` is seconds since the process was started.
    """

    t: Final[float]
    direction: Final[str]
    line: Final[str]


class Verdict(enum.StrEnum):
    """The closed list of outcomes; no two are ever folded into one."""

    PASSED = "passed"
    FAILED = "failed"
    WARNED = "warned"
    NOT_APPLICABLE = "not_applicable"
    NOT_EXERCISED = "not_exercised"
    ERROR = "error"
    EXPECTED = "expected"


@dataclass(slots=True)
class Outcome:
    """What came of one case at one revision. Transcript and stderr are kept for all that did not pass.

    `found` is the text of a case file that shows what a property found; `diff` shows mismatches as a unified diff.
    """

    case: Final[Case]
    revision: Final[str]
    verdict: Final[Verdict]
    level: Final[Level]
    reason: Final[str] = ""
    requirements: Final[tuple[str, ...]] = ()
    mismatches: Final[tuple[Mismatch, ...]] = ()
    transcript: Final[tuple[Entry, ...]] = ()
    stderr: Final[str] = ""
    duration: Final[float] = 0.0
    history: Final[tuple[str, ...]] = ()
    portrait: Final[tuple[str, ...]] = ()
    found: Final[str] = ""
    diff: Final[str] = ""
