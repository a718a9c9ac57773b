"""All properties as cases, and one of them played: the part that every run loads, without Hypothesis.

This module must never load Hypothesis before a property is played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..model import Case, Outcome
from . import hook, readers, registry, wire
from .property import FOLDER, Property

if TYPE_CHECKING:
    from ..opening import Facts
    from ..runner import Runner

__all__ = ["FOLDER", "PROPERTIES", "cases", "ids", "play"]

PROPERTIES: Final[dict[str, Property]] = {
    each.case.id: each for each in (*wire.PROPERTIES, *readers.PROPERTIES, *registry.PROPERTIES, *hook.PROPERTIES)
}
"""The properties by case id, in the order in which they are played."""


def cases() -> list[Case]:
    """The cases that stand for properties."""
    return [each.case for each in PROPERTIES.values()]


def ids() -> set[str]:
    """Their ids."""
    return set(PROPERTIES)


def play(runner: Runner, case: Case, facts: Facts, outcome: Outcome) -> Outcome:
    """Try examples of a property; what came of it. Raises OpeningError."""
    from .search import search

    return search(PROPERTIES[case.id], runner, facts, outcome)
