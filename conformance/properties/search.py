"""Examples of a property, tried on a target: the first that fails is made smaller, and written down as a case file.

Hypothesis makes the examples; the kit plays each as a case. The first failure is remembered: a target that answers
otherwise the next time changes nothing about it. Smaller examples are tried on fresh processes, so many and so long at
most. This module must never raise what Hypothesis thinks of a target, and never leave anything in the user's folder.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from hypothesis import HealthCheck, Phase, Verbosity, configuration, given, seed, settings
from hypothesis.errors import HypothesisException
from hypothesis.internal.conjecture import providers

from ..model import Outcome, Verdict
from ..runner import OpeningError, Runner
from .property import Property
from .trying import NOT_SHOWN, PASSED, SECONDS, Trial

if TYPE_CHECKING:
    from ..opening import Facts

SMALLER: Final = {True: 60, False: 400}
"""Smaller examples at most: on fresh processes where examples leave something behind, and else on the shared one."""
STRAYS: Final = 5
"""Examples that fail only after others, at most; then the first of them is told."""


class _FailedError(Exception):
    """An example fails, which is how Hypothesis learns of it."""


@dataclass(slots=True)
class _Search(Trial):
    """The state of one search: what was tried, and the smallest example that failed, with what came of it."""

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
        if self.enough:
            self.settled = True
            return False
        came = self.next(raw)
        if came.verdict in PASSED:
            return False
        if came.verdict in NOT_SHOWN:
            self.found, self.settled = came, True
            return False
        try:
            alone = self.play_alone(raw)
        except OpeningError:
            self.found, self.settled = self.unconfirmed(came), True
            return False
        if alone.verdict in PASSED:
            self.note_company(came)
            return False
        self.found, self.began, self.tried = alone, time.monotonic(), 0
        return True

    def note_company(self, came: Outcome) -> None:
        """Keep a failure that does not show alone, and go on: another example may show the same fault by itself."""
        if self.company is None:
            self.company = self.only_in_company(came)
        self.strays += 1
        self.settled = self.strays >= STRAYS
        self.runner.forget(self.kept(), self.facts)

    def smaller(self, raw: Any) -> bool:
        """Play a smaller example, as long as there is time; what is not tried counts as passing."""
        if self.tried >= SMALLER[self.made.kept] or time.monotonic() - self.began > SECONDS:
            return False
        self.tried += 1
        try:
            if not self.made.kept and self.play(self.kept(), self.fresh(raw), alone=False).verdict in PASSED:
                return False
            came = self.play_alone(raw)
        except OpeningError:
            self.settled = True
            return False
        if came.verdict not in {Verdict.FAILED, Verdict.WARNED}:
            return False
        self.found = came
        return True


def search(made: Property, runner: Runner, facts: Facts, outcome: Outcome) -> Outcome:
    """Try examples until one fails or there were enough. Raises OpeningError before any could be tried."""
    state = _Search(made, runner, facts, outcome)

    def failing(raw: Any) -> bool:
        try:
            return state.fails(raw)
        except BaseException as error:  # noqa: BLE001 - whatever it is, Hypothesis must not take it for an answer
            state.broken, state.settled = error, True
            return False

    try:
        _explore(made, runner.settings.seed, failing)
    finally:
        runner.forget(state.kept(), facts)
    if state.broken is not None:
        raise state.broken
    if not state.known:
        return replace(outcome, verdict=Verdict.NOT_EXERCISED, reason="no example could be made")
    return state.found or state.company or outcome


def draw(made: Property, number: int) -> list[Any]:
    """The raw examples that a target without faults is tried on, with a seed."""
    drawn: dict[str, Any] = {}

    def keep(raw: Any) -> bool:
        if len(drawn) < made.most:
            drawn.setdefault(repr(raw), raw)
        return False

    _explore(made, number, keep)
    return list(drawn.values())


def _explore(made: Property, number: int, failing: Callable[[Any], bool]) -> None:
    """Have Hypothesis make examples, and smaller ones where one fails."""

    @seed(number)
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
    @given(made.strategy())
    def examples(raw: Any) -> None:
        # There is one line that raises, since Hypothesis takes another line for another fault.
        if failing(raw):
            raise _FailedError

    with _without_traces(), contextlib.suppress(_FailedError, HypothesisException):
        examples()


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
