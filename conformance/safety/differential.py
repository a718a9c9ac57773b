"""One odd spelling of one argument: accepted as what it says, refused, dropped, or misread.

The reply to the odd call is held against those to a clean call, to the call without the argument, and to a call with
another good value. Nothing is accused that does not happen twice. This module must never read a tool's prose for sense.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from ..calling import Caller, Reply
from ..config import Call
from ..model import Mismatch
from ..session import Played
from ..values import Absent, Value, dumps
from ..words import cut, describe
from .bench import Bench, Settled
from .comparing import alike, alike_but_spelt, looks_refused, names
from .danger import consequence
from .odd import Odd

MISREAD: Final = "SAFE-ARG-1"
DROPPED: Final = "SAFE-ARG-2"
NONSENSE: Final = "SAFE-ARG-3"
BLANK: Final = "SAFE-ARG-4"
UNNAMED: Final = "SAFE-ARG-5"
CONVERTED: Final = "SAFE-ARG-6"
UNANSWERED: Final = "SAFE-ARG-7"
UNSAID: Final = "SAFE-ERR-4"

COVERS: Final = {
    "same": (MISREAD, DROPPED, UNNAMED, UNANSWERED, UNSAID),
    "nothing": (NONSENSE, DROPPED, UNNAMED, CONVERTED, UNANSWERED, UNSAID),
    "absent": (BLANK, UNNAMED, UNANSWERED),
}
"""What a case shows, by what its spelling means."""


class Replies(NamedTuple):
    """The replies of one round."""

    clean: Reply
    without: Reply
    other: Reply | None
    odd: Reply


class Finding(NamedTuple):
    """What is wrong: the requirement, what was wanted, and what came."""

    requirement: str
    expected: str
    actual: str


@dataclass(slots=True)
class Differential:
    """The script of one odd spelling."""

    bench: Bench
    row: Odd
    repeats: bool = True

    def __call__(self, caller: Caller) -> Played:
        """Play it."""
        played = Played()
        settled = self.bench.settle(caller, self.row.of, self.row.suits)
        if isinstance(settled, str):
            played.unread = settled
            played.hung = caller.hung
            return played
        odd = self.row.spell(settled.good)
        if isinstance(odd, Absent):
            good = cut(dumps(settled.good), 60)
            played.unread = f"{self.bench.place}: the good value {good} has no such spelling"
            return played
        first = self.round(caller, settled, odd, played)
        if first is None:
            return played
        finding, name = self.judge(first, settled, odd)
        if finding is not None and not first.odd.refused:
            second = self.round(caller, settled, odd, played)
            if second is None:
                return played
            if not all(alike(one, other) for one, other in zip(first, second, strict=True) if one and other):
                played.unread = f"{self.bench.place}: the replies to the same calls differ from time to time"
                return played
        if finding is not None:
            pointer = f"/params/arguments/{self.bench.name}"
            played.mismatches.append(Mismatch(pointer, finding.expected, finding.actual))
            played.broken = (finding.requirement,)
        else:
            played.names.append(name)
        return played

    def foreseen(self) -> Iterator[Call]:
        """Every call that it may make."""
        yield from self.bench.begin(self.row.of)
        for rest, value in self.bench.foreseen(self.row.of):
            odd = self.row.spell(value)
            if not isinstance(odd, Absent):
                yield self.bench.permit.tool, {**rest, self.bench.name: odd}

    def round(self, caller: Caller, settled: Settled, odd: Value, played: Played) -> Replies | None:
        """All calls once, a clean one before and behind the odd one; None where there is nothing to compare."""
        bench, rest = self.bench, settled.rest
        clean = bench.call(caller, "the clean call", rest, settled.good)
        without = bench.call(caller, "the call without the argument", rest)
        other = None
        if not isinstance(settled.other, Absent):
            other = bench.call(caller, "the clean call with another value", rest, settled.other)
        lost = next((each.lost for each in (clean, without, other) if each is not None and each.lost), "")
        if lost:
            played.unread = f"{bench.place}: a good call got {lost}"
            played.hung = caller.hung
            return None
        said = bench.call(caller, f"the odd call ({self.row.name})", rest, odd)
        if said.lost:
            self._unanswered(caller, said, played)
            return None
        again = bench.call(caller, "the clean call once more", rest, settled.good)
        if again.lost or not alike(clean, again):
            played.unread = f"{bench.place}: the clean call does not repeat itself"
            played.hung = caller.hung
            return None
        return Replies(clean, without, other, said)

    def _unanswered(self, caller: Caller, odd: Reply, played: Played) -> None:
        """An odd call without a reply is a fault: the clean one, just before, had one."""
        played.hung = caller.hung
        played.broken = (UNANSWERED,)
        expected = "a reply, as the clean call before it had"
        played.mismatches.append(Mismatch(f"/params/arguments/{self.bench.name}", expected, odd.lost))

    def judge(self, came: Replies, settled: Settled, odd: Value) -> tuple[Finding | None, str]:
        """What is wrong with the reply to the odd call, or in one word what was right about it."""
        if came.odd.refused:
            if names(came.odd, self.bench.name):
                return None, "refused"
            return Finding(UNNAMED, "a refusal that names the argument", "a refusal that does not name it"), ""
        if self.row.means == "same":
            return self._says_the_good_value(came, settled, odd)
        like = self._like(came, settled)
        if self.row.means == "absent":
            if like == "dropped":
                return None, "as if absent"
            wanted = "the reply to a call without it, or a refusal"
            return self._accuse(BLANK, wanted, like or "taken as some value")
        if not like and looks_refused(came.odd):
            return self._unsaid()
        if like == "dropped":
            return self._accuse(DROPPED, "a refusal", like)
        tolerated = self.row.tolerated and alike(came.odd, came.clean)
        return self._accuse(CONVERTED if tolerated else NONSENSE, "a refusal", like or "taken as some value")

    def _says_the_good_value(self, came: Replies, settled: Settled, odd: Value) -> tuple[Finding | None, str]:
        if alike(came.odd, came.clean):
            return None, "coerced"
        spelt = (odd, settled.good)
        others = [each for each in (came.without, came.other) if each is not None]
        blurred = any(alike_but_spelt(each, came.clean, spelt) for each in others)
        if not blurred and alike_but_spelt(came.odd, came.clean, spelt):
            return None, "coerced"
        like = self._like(came, settled)
        if not like and looks_refused(came.odd):
            return self._unsaid()
        wanted = f"the reply to {describe(settled.good)}, or a refusal"
        return self._accuse(
            DROPPED if like == "dropped" else MISREAD, wanted, like or "misread: the reply is that to neither"
        )

    def _like(self, came: Replies, settled: Settled) -> str:
        """Which other call the odd one is answered like; empty where it is none."""
        if came.without.accepted and alike(came.odd, came.without):
            return "dropped"
        if alike(came.odd, came.clean):
            return f"taken as {describe(settled.good)}"
        if came.other is not None and alike(came.odd, came.other) and not isinstance(settled.other, Absent):
            return f"taken as {describe(settled.other)}"
        return ""

    def _accuse(self, requirement: str, expected: str, actual: str) -> tuple[Finding, str]:
        shown = "dropped: the reply is that to a call without it" if actual == "dropped" else actual
        if told := consequence(self.bench.name):
            shown += f" (with this argument, {told})"
        return Finding(requirement, expected, shown), ""

    @staticmethod
    def _unsaid() -> tuple[Finding, str]:
        actual = "a text that reads like one, in a result that is none"
        return Finding(UNSAID, "a refusal that says isError", actual), ""


def title(bench: Bench, row: Odd) -> str:
    """The case in one line."""
    what = {
        "same": "is read as what it says, or refused",
        "nothing": "is refused",
        "absent": "counts as absent, or is refused",
    }[row.means]
    form = row.write
    return f"{form} for {bench.name} of {bench.permit.tool} {what}"
