"""An example of a property, played as a case on the process of all examples, or alone on a fresh one.

Examples that were kept are tried first; whoever tries others builds on the same parts. This module must never load
Hypothesis.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from ..casefile import yamlwrite
from ..model import Case, Outcome, Verdict
from ..runner import OpeningError, Runner
from ..values import Value
from .property import Example, Property, as_steps

if TYPE_CHECKING:
    from ..opening import Facts

SECONDS: Final = 5.0
"""No further example is begun after this time, and as long again may smaller ones take."""
PASSED: Final = {Verdict.PASSED}
NOT_SHOWN: Final = {Verdict.NOT_APPLICABLE, Verdict.NOT_EXERCISED, Verdict.ERROR}
COMPANY: Final = "only after other examples: alone, on a fresh process, this one passes"


@dataclass(slots=True)
class Trial:
    """A property on a target: how many examples were tried, and since when."""

    made: Property
    runner: Runner
    facts: Facts
    outcome: Outcome
    tried: int = 0
    began: float = field(default_factory=time.monotonic)

    def all(self, examples: Iterable[Any]) -> Outcome:
        """Try raw examples one after the other; what came of the first that did not pass, else of all of them."""
        for raw in examples:
            if self.enough:
                break
            came = self.next(raw)
            if came.verdict in PASSED:
                continue
            return came if came.verdict in NOT_SHOWN else self._confirmed(came, raw)
        return self.outcome

    @property
    def enough(self) -> bool:
        """Whether no more is to be tried. One is, however slow the target: without any, nothing was shown."""
        return self.tried >= self.made.most or (self.tried > 0 and time.monotonic() - self.began > SECONDS)

    def next(self, raw: Any) -> Outcome:
        """Play an example where the others were played; raises OpeningError."""
        self.tried += 1
        kept = self.kept()
        example = self.made.example(raw, self.facts, self.runner.ground(kept, self.facts))
        came = self.play(kept, example, alone=False)
        if came.verdict in PASSED:
            self.runner.remember(kept, self.facts, example.ground)
        return came

    def _confirmed(self, came: Outcome, raw: Any) -> Outcome:
        try:
            alone = self.play_alone(raw)
        except OpeningError:
            return self.unconfirmed(came)
        return self.only_in_company(came) if alone.verdict in PASSED else alone

    def unconfirmed(self, came: Outcome) -> Outcome:
        """A failure for whose repetition no process could be had."""
        return replace(came, reason="not confirmed: no further process could be opened")

    def only_in_company(self, came: Outcome) -> Outcome:
        """A failure that does not show alone."""
        if self.runner.processes.resets(self.made.case, self.facts):
            return replace(self.runner.only_after_reset(came), found="")
        return replace(came, reason=f"{COMPANY} ({self.tried - 1} ran before it)", found="")

    def fresh(self, raw: Any) -> Example:
        """A raw example as a case on a process that saw no other."""
        return self.made.example(raw, self.facts, {})

    def play_alone(self, raw: Any) -> Outcome:
        """Play a raw example on a fresh process; raises OpeningError."""
        return self.play(self.made.case, self.fresh(raw), alone=True)

    def play(self, case: Case, example: Example, *, alone: bool) -> Outcome:
        """One example, played as a case; what came of it is told with the requirements that it shows."""
        shown = tuple(name for name in self.outcome.requirements if name in example.covers)
        outcome = replace(self.outcome, requirements=shown or self.outcome.requirements)
        steps = as_steps(example.steps, case.at)
        came = self.runner.attempt(replace(case, steps=steps), self.facts, outcome, alone=alone)
        if came.verdict in PASSED:
            return came
        return replace(
            came,
            case=case,
            mismatches=tuple(replace(each, at=None) for each in came.mismatches),
            found=case_file(self.made.case, example),
        )

    def kept(self) -> Case:
        """The property's case, with the process of its examples: that of all cases, a reset one, or its area's own."""
        case, processes = self.made.case, self.runner.processes
        alone = case.session == "fresh" and not processes.resets(case, self.facts)
        return replace(case, session=case.area) if alone or self.runner.settings.isolate else case


def case_file(case: Case, example: Example) -> str:
    """An example as a case file, to be kept as `found.yaml` and run alone."""
    members: dict[str, Value] = {"title": example.title, "covers": list(example.covers), "steps": example.steps}
    needs = f"requires: {{tools: [{', '.join(case.needs.tools)}]}}\n" if case.needs.tools else ""
    slug = case.id.rpartition(":")[2]
    return f"format: 1\narea: found\n{needs}cases:\n\n{yamlwrite.case(slug, members)}"
