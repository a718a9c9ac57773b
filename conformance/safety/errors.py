"""A refusal that a model can act on: it names the argument and what is expected, and is meant for the caller.

All of this is a should: a text is looked through for a few words, and never for a turn of phrase. What is accepted is
not judged here. This module must never fail a target for its prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from ..calling import Caller, Reply
from ..config import Call
from ..model import Mismatch
from ..session import Played
from ..values import Number, Value, dumps
from .bench import Bench
from .comparing import looks_refused, names
from .differential import UNANSWERED, UNNAMED, UNSAID

EXPECTED: Final = "SAFE-ERR-1"
TOLD_APART: Final = "SAFE-ERR-2"
CODE: Final = "SAFE-ERR-3"
TRACE: Final = "SAFE-ERR-5"
COVERS: Final = (EXPECTED, CODE, UNSAID, TRACE, UNNAMED, UNANSWERED)
MISSING_COVERS: Final = (TOLD_APART, CODE, UNSAID, TRACE, UNNAMED, UNANSWERED)

_WRONG: Final[tuple[Value, ...]] = ({"tck": Number("1")}, "tck wrong", Number("7.5"), True)
_SYNONYMS: Final = {
    "boolean": r"bool|true|false",
    "integer": r"int|number|numeric|whole|i64|u64|long",
    "number": r"number|numeric|float|decimal|double|f64|int",
    "string": r"str|text|char",
    "array": r"array|list|sequence|slice|vec|iterable",
    "object": r"object|dict|map|struct|record|mapping",
    "null": r"null|none",
}
_TRACES: Final = re.compile(
    r"Traceback \(most recent call last\)|^\s+at .+[:(]\d+|^\s*File \"[^\"]+\", line \d+|^goroutine \d+ \[|"
    r"panicked at |^\s+from \S+:\d+:in |\.rs:\d+:\d+\b.*\n\s+\d+:",
    re.MULTILINE,
)


class Fault(NamedTuple):
    """One thing that a refusal lacks."""

    requirement: str
    expected: str
    actual: str


@dataclass(slots=True)
class Refusal:
    """The script: a wrong value for one argument, or none at all for a required one, is refused helpfully."""

    bench: Bench
    missing: bool

    def __call__(self, caller: Caller) -> Played:
        """Play it."""
        bench = self.bench
        rest = bench.others(caller)
        if isinstance(rest, Played):
            return rest
        wrong = self._wrong()
        replies = [bench.call(caller, "the call with a wrong value", rest, wrong)]
        if self.missing and not replies[0].lost:
            replies.insert(0, bench.call(caller, "the call without the argument", rest))
        played = Played(hung=caller.hung)
        first = replies[0]
        if first.accepted and not looks_refused(first):
            played.unread = f"{bench.place}: the call is accepted, so that there is no refusal to judge"
            return played
        for fault in self.faults(replies):
            played.mismatches.append(Mismatch(f"/params/arguments/{bench.name}", fault.expected, fault.actual))
            played.broken = (*played.broken, fault.requirement)
        if not played.mismatches:
            played.names.append(f"error {first.code}" if first.code else "isError")
        return played

    def foreseen(self) -> Iterator[Call]:
        """Every call that it may make."""
        yield from self.bench.foreseen_with([self._wrong()])

    def _wrong(self) -> Value:
        # A list where a text is wanted may well read as nothing; a number is surely something.
        scalar = self.missing and "string" in self.bench.kinds()
        return Number("7.5") if scalar else wrong_value(self.bench)

    def faults(self, replies: list[Reply]) -> Iterator[Fault]:
        """Everything that the first refusal lacks; the second is that to a wrong value, to hold it against."""
        reply = replies[0]
        if reply.lost:
            yield Fault(UNANSWERED, "a refusal", reply.lost)
            return
        if not reply.refused:
            yield Fault(UNSAID, "a refusal that says isError", "a text that reads like one, in a result that is none")
        if reply.code not in {"", "-32602"}:
            wanted = "a result with isError, or error -32602"
            yield Fault(CODE, wanted, f"error {reply.code}")
        if not names(reply, self.bench.name):
            yield Fault(UNNAMED, "a refusal that names the argument", "a refusal that does not name it")
        if _TRACES.search(f"{reply.text}\n{_readable(reply)}"):
            yield Fault(TRACE, "words for the caller", "a stack trace")
        if len(replies) > 1:
            if replies[1].refused and reply.text and _blur(reply.text) == _blur(replies[1].text):
                yield Fault(TOLD_APART, "other words than for a wrong value", "the same words for missing and wrong")
        elif not self._says_what(reply):
            yield Fault(EXPECTED, "words that say what is expected", "none that name its type or a value")

    def _says_what(self, reply: Reply) -> bool:
        said = _readable(reply).lower()
        schema = self.bench.schema
        listed = schema.get("enum")
        if isinstance(listed, list) and any(dumps(value).strip('"').lower() in said for value in listed):
            return True
        kinds = self.bench.kinds()
        return not kinds or any(re.search(_SYNONYMS.get(kind, "."), said) for kind in kinds)


def wrong_value(bench: Bench) -> Value:
    """A value that an argument surely cannot have; the last one where its schema takes everything."""
    order = _WRONG if bench.kinds() & {"string", "array"} else (*_WRONG[1:2], *_WRONG[:1], *_WRONG[2:])
    return next((value for value in order if not bench.tool.allows(bench.schema, value)), order[-1])


def judgeable(bench: Bench) -> bool:
    """Whether there is a value that the argument's schema forbids."""
    return any(not bench.tool.allows(bench.schema, value) for value in _WRONG)


def _readable(reply: Reply) -> str:
    return f"{reply.text} {dumps(reply.essence)}"


def _blur(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().lower()
