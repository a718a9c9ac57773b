"""What the standing checks found over a whole run, as outcomes: one for each check and revision.

This module must never look at a message; see standing.py for what is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from . import gating, standing
from .model import Outcome, Requirement, Verdict
from .opening import Facts
from .outcomes import verdict_at
from .runner import Settings


def standing_outcomes(
    tally: standing.Tally,
    requirements: Mapping[str, Requirement],
    revision: str,
    settings: Settings,
    facts: Facts | None = None,
) -> list[Outcome]:
    """The outcomes of the standing checks at one revision; `facts` tell which capabilities the target declares."""
    outcomes = []
    for check in standing.CHECKS:
        case = standing.case(check)
        found = gating.bound(case, requirements, revision)
        level = gating.level(case, requirements, revision)
        broken = [
            violation
            for violation in tally.violations
            if violation.check == check and _holds(requirements.get(violation.requirement), revision)
        ]
        if check == "schema":
            # What an opening lacks that never completed is told by session/opening.
            broken = [each for each in broken if tally.opened and _binds(requirements.get(each.requirement), facts)]
        outcome = Outcome(
            case, revision, Verdict.PASSED, level, requirements=tuple(requirement.id for requirement in found)
        )
        if broken:
            seen_in = dict.fromkeys(violation.case for violation in broken if violation.case)
            names = {violation.requirement for violation in broken}
            told = tuple(requirement.id for requirement in found if requirement.id in names)
            if told:
                outcome = replace(outcome, level=gating.strongest(requirements[name] for name in told))
            outcome = replace(
                outcome,
                verdict=verdict_at(outcome.level, strict=settings.strict),
                reason="seen once" if len(broken) == 1 else f"seen {len(broken)} times",
                mismatches=standing.mismatches(broken),
                transcript=broken[0].excerpt,
                history=tuple(seen_in),
                requirements=told or outcome.requirements,
            )
        elif not found:
            reason = f"none of {', '.join(case.covers)} holds at {revision}"
            outcome = replace(outcome, verdict=Verdict.NOT_APPLICABLE, reason=reason)
        elif not (tally.opened if check == "opening" else tally.seen):
            outcome = replace(outcome, verdict=Verdict.NOT_EXERCISED, reason="the target sent no message")
        outcomes.append(outcome)
    return outcomes


def _holds(requirement: Requirement | None, revision: str) -> bool:
    """Whether what was broken is written at this revision."""
    return requirement is None or requirement.applies_at(revision)


def _binds(requirement: Requirement | None, facts: Facts | None) -> bool:
    """Whether a requirement binds a target that declares what it declares."""
    return requirement is None or facts is None or requirement.needs is None or facts.has(requirement.needs)
