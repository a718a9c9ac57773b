"""Examples of a property, tried on a target: the first that fails is made smaller, and written down as a case file.

Hypothesis makes the examples; the kit plays each as a case. The first failure is remembered: a target that answers
otherwise the next time changes nothing about it. Smaller examples are tried on fresh processes, so many and so long at
most. This module must never raise what Hypothesis thinks of a target, and never leave anything in the user's folder.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from hypothesis import HealthCheck, Phase, Verbosity, configuration, given, seed, settings
from hypothesis.errors import HypothesisException
from hypothesis.internal.conjecture import providers

from ..casefile import yamlwrite
from ..model import Case, Outcome, Verdict
from ..runner import OpeningError, Runner
from ..values import Value
from .property import Example, Property, as_steps

if TYPE_CHECKING:
    from ..opening import Facts

SECONDS: Final = 5.0
"""No further example is begun after this time, and as long again may smaller ones take."""
SMALLER: Final = {True: 60, False: 400}
"""Smaller examples at most: on fresh processes where examples leave something behind, and else on the shared one."""
STRAYS: Final = 5
"""Examples that fail only after others, at most; then the first of them is told."""
_PASSED: Final = {Verdict.PASSED}


class _FailedError(Exception):
    """An example fails, which is how Hypothesis learns of it."""


@dataclass(slots=True)
class _Search:
    """The state of one search: what was tried, and the smallest example that failed, with what came of it."""

    made: Property
    runner: Runner
    facts: Facts
    outcome: Outcome
    tried: int = 0
    began: float = field(default_factory=time.monotonic)
    known: dict[str, bool] = field(default_factory=dict)
    found: Outcome | None = None
    company: Outcome | None = None
    strays: int = 0
    broken: BaseException | None = None
    settled: bool = False

    def fails(self, raw: Any) -> bool:
        """Try one raw example; the answer is the same for the same example every time."""
        key = repr(raw)
        if key not in self.known and not self.settled:
            self.known[key] = self.first(raw) if self.found is None else self.smaller(raw)
        return self.known.get(key, False)

    def first(self, raw: Any) -> bool:
        """Play an example where the others were played; a failure is played once more on a fresh process."""
        # One example is always tried, however slow the target: without any, nothing was shown.
        if self.tried >= self.made.most or (self.tried and time.monotonic() - self.began > SECONDS):
            self.settled = True
            return False
        self.tried += 1
        kept = self.kept()
        example = self.made.example(raw, self.facts, self.runner.ground(kept, self.facts))
        came = self.play(kept, example, alone=False)
        if came.verdict in _PASSED:
            self.runner.remember(kept, self.facts, example.ground)
            return False
        if came.verdict in {Verdict.NOT_APPLICABLE, Verdict.NOT_EXERCISED, Verdict.ERROR}:
            self.found, self.settled = came, True
            return False
        try:
            alone = self.play_alone(raw)
        except OpeningError:
            self.found, self.settled = replace(came, reason="not confirmed: no further process could be opened"), True
            return False
        if alone.verdict in _PASSED:
            self.note_company(came, kept)
            return False
        self.found, self.began, self.tried = alone, time.monotonic(), 0
        return True

    def note_company(self, came: Outcome, kept: Case) -> None:
        """Keep a failure that does not show alone, and go on: another example may show the same fault by itself."""
        if self.company is None:
            reason = "only after other examples: alone, on a fresh process, this one passes"
            self.company = replace(came, reason=f"{reason} ({self.tried - 1} ran before it)", found="")
        self.strays += 1
        self.settled = self.strays >= STRAYS
        self.runner.forget(kept, self.facts)

    def smaller(self, raw: Any) -> bool:
        """Play a smaller example, as long as there is time; what is not tried counts as passing."""
        if self.tried >= SMALLER[self.made.kept] or time.monotonic() - self.began > SECONDS:
            return False
        self.tried += 1
        try:
            if not self.made.kept and self.play(self.kept(), self.fresh(raw), alone=False).verdict in _PASSED:
                return False
            came = self.play_alone(raw)
        except OpeningError:
            self.settled = True
            return False
        if came.verdict not in {Verdict.FAILED, Verdict.WARNED}:
            return False
        self.found = came
        return True

    def fresh(self, raw: Any) -> Example:
        return self.made.example(raw, self.facts, {})

    def play_alone(self, raw: Any) -> Outcome:
        return self.play(self.made.case, self.fresh(raw), alone=True)

    def play(self, case: Case, example: Example, *, alone: bool) -> Outcome:
        """One example, played as a case; what came of it is told with the requirements that it shows."""
        shown = tuple(name for name in self.outcome.requirements if name in example.covers)
        outcome = replace(self.outcome, requirements=shown or self.outcome.requirements)
        steps = as_steps(example.steps, case.at)
        came = self.runner.attempt(replace(case, steps=steps), self.facts, outcome, alone=alone)
        if came.verdict in _PASSED:
            return came
        return replace(
            came,
            case=case,
            mismatches=tuple(replace(each, at=None) for each in came.mismatches),
            found=case_file(self.made.case, example),
        )

    def kept(self) -> Case:
        """The property's case, with the process that its examples share: that of all cases, or one of its own."""
        alone = self.made.kept or self.runner.settings.isolate
        return replace(self.made.case, session=self.made.case.id) if alone else self.made.case


def search(made: Property, runner: Runner, facts: Facts, outcome: Outcome) -> Outcome:
    """Try examples until one fails or there were enough. Raises OpeningError before any could be tried."""
    state = _Search(made, runner, facts, outcome)

    @seed(runner.settings.seed)
    @settings(
        max_examples=made.most,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
        print_blob=False,
    )
    @given(made.strategy(facts))
    def examples(raw: Any) -> None:
        failing = False
        try:
            failing = state.fails(raw)
        except BaseException as error:  # noqa: BLE001 - whatever it is, Hypothesis must not take it for an answer
            state.broken, state.settled = error, True
        # There is one line that raises, since Hypothesis takes another line for another fault.
        if failing:
            raise _FailedError

    try:
        with _without_traces(), contextlib.suppress(_FailedError, HypothesisException):
            examples()
    finally:
        runner.forget(state.kept(), facts)
    if state.broken is not None:
        raise state.broken
    if not state.known:
        return replace(outcome, verdict=Verdict.NOT_EXERCISED, reason="no example could be made")
    return state.found or state.company or outcome


@contextlib.contextmanager
def _without_traces() -> Iterator[None]:
    """Keep Hypothesis from reading the modules that happen to be loaded, and from writing what it read in them.

    What it found there would change the examples from one installation to another.
    """
    name = "_get_local_constants"
    before = getattr(providers, name, None)
    home = vars(configuration).get("__hypothesis_home_directory")
    with tempfile.TemporaryDirectory() as folder:
        configuration.set_hypothesis_home_dir(folder)
        if before is not None and hasattr(providers, "Constants"):
            nothing = providers.Constants()
            setattr(providers, name, lambda: nothing)
        try:
            yield
        finally:
            configuration.set_hypothesis_home_dir(home)
            if before is not None:
                setattr(providers, name, before)


def case_file(case: Case, example: Example) -> str:
    """An example as a case file, to be kept as `found.yaml` and run alone."""
    members: dict[str, Value] = {"title": example.title, "covers": list(example.covers), "steps": example.steps}
    needs = f"requires: {{tools: [{', '.join(case.needs.tools)}]}}\n" if case.needs.tools else ""
    slug = case.id.rpartition(":")[2]
    return f"format: 1\narea: found\n{needs}cases:\n\n{yamlwrite.case(slug, members)}"
