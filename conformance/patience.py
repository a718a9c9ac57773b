"""How often a target may hang, die or outlive its input before the kit stops to wait for it.

Cases with malformed input are counted apart: a target that goes deaf on them is still asked all the rest. This module
must never decide what came of a case that was played.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

HANGS: Final = 3
"""After so many cases in a row without any reply in time, the rest of their kind is not exercised."""

DEATHS: Final = 10
"""Likewise, where the target ended in each of them and said nothing before; that costs less, so it may go on longer."""

SILENCES: Final = 20
"""Likewise, where the target answered other requests meanwhile: it is not gone, so that costs time and no more."""

CERTAIN: Final = 3
"""After so many of these in a row, what was left without a reply is not sent once more to a process of its own."""

STUBBORN: Final = 2
"""After so many processes that did not end with their input, the next ones are not given as much time for it."""


@dataclass(slots=True)
class _Kind:
    hangs: int = 0
    silences: int = 0
    deaths: int = 0
    reason: str = ""


@dataclass(slots=True)
class Patience:
    """What a target has cost so far. `hangs`, `silences` and `deaths` are the limits, by cases in a row."""

    hangs: int = HANGS
    silences: int = SILENCES
    deaths: int = DEATHS
    outlived: int = 0
    _usual: _Kind = field(default_factory=_Kind)
    _rough: _Kind = field(default_factory=_Kind)

    def reason(self, *, rough: bool) -> str:
        """Why cases of a kind are no longer played, or nothing where they are."""
        return (self._rough if rough else self._usual).reason

    def is_certain(self, *, rough: bool) -> bool:
        """Whether the target has left so many requests in a row without a reply that one more is no surprise."""
        return (self._rough if rough else self._usual).silences > CERTAIN

    def count(self, *, rough: bool, hung: bool, died: bool, answers: bool = False) -> None:
        """A case was played: it hung, though the target `answers` something else; or the target died; or neither."""
        kind = self._rough if rough else self._usual
        kind.hangs = kind.hangs + 1 if hung and not answers else 0
        kind.silences = kind.silences + 1 if hung and answers else 0
        kind.deaths = kind.deaths + 1 if died else 0
        what = "cases with malformed input" if rough else "cases"
        if kind.hangs >= self.hangs:
            kind.reason = f"the target did not answer in {kind.hangs} {what} in a row"
        elif kind.silences >= self.silences:
            kind.reason = f"the target left a request without a reply in {kind.silences} {what} in a row"
        # To die of malformed input is a finding of each such case, unless the target dies of everything.
        elif kind.deaths >= self.deaths and (not rough or self._usual.reason):
            kind.reason = f"the target ended without a word in {kind.deaths} {what} in a row"

    @property
    def for_the_end(self) -> bool:
        """Whether it pays to give the next process its full time to end with its input."""
        return self.outlived < STUBBORN
