"""The order in which cases are played: processes start while others are in use, and few for who takes one over.

The order of a run depends on its cases and facts alone, never on how fast the target is. This module must never leave
a case out, and never decide on which process a case is played.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import TypeVar

T = TypeVar("T")


class Turn(enum.Enum):
    """When a case is best played."""

    USUAL = enum.auto()
    """Where it stands: it shares a process."""
    WHEREVER = enum.auto()
    """Where it stands, which takes no time: it does not apply."""
    SPREAD_FIRST = enum.auto()
    """Spread over the run, before the others that are: what it leaves may take long to end."""
    SPREAD = enum.auto()
    """Spread over the run, since it needs a new process each time, which starts meanwhile."""
    LAST = enum.auto()
    """At the end: it takes over what another is done with."""


def in_turn(cases: Iterable[T], turn: Callable[[T], Turn]) -> list[T]:
    """All cases in the order of their turns; those of one kind stay as they were to each other."""
    kinds: dict[Turn, list[T]] = {each: [] for each in Turn}
    placed: list[tuple[float, T]] = []
    for case in cases:
        now = turn(case)
        kinds[now].append(case)
        if now in {Turn.USUAL, Turn.WHEREVER}:
            placed.append((len(kinds[Turn.USUAL]), case))
    spread = [*kinds[Turn.SPREAD_FIRST], *kinds[Turn.SPREAD]]
    gap = len(kinds[Turn.USUAL]) / (len(spread) + 1)
    placed += [(number * gap, case) for number, case in enumerate(spread, 1)]
    placed.sort(key=itemgetter(0))
    return [*(case for _, case in placed), *kinds[Turn.LAST]]
