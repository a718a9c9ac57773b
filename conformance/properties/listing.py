"""All properties as cases, and one of them played: the part that every run loads, without Hypothesis.

This module must never load Hypothesis before a property is played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..model import Case, Outcome
from . import hook, keeping, readers, registry, wire
from .property import FOLDER, Property
from .trying import NOT_SHOWN, PASSED, Trial

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
    """Try examples of a property; what came of it. Raises OpeningError.

    What was kept for seed 0 is tried first: Hypothesis, which is slow, has to look for more only where that fails.
    """
    trial = Trial(PROPERTIES[case.id], runner, facts, outcome)
    came: Outcome | None = None
    if runner.settings.seed == 0 and (examples := keeping.read(case.id)):
        came = trial.all(examples)
        if came.verdict in {*PASSED, *NOT_SHOWN}:
            return came  # the next property of the area goes on where this one ends
        runner.forget(trial.kept(), facts)
    from .search import search

    found = search(PROPERTIES[case.id], runner, facts, outcome)
    return came if came is not None and found.verdict in PASSED else found
