"""A case and a target to an outcome: whether it is played, on which process, confirmation alone, deadlines.

What fails in company is played once more alone, and the outcome says which it was; nothing is retried until it passes.

This module must never judge a message, and must never let a process outlive `close`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from . import gating, opening
from .calling import Caller
from .driving import OpeningError, Session, drive
from .matching import matching
from .model import Case, Level, Mismatch, Outcome, Requirement, Verdict
from .opening import Facts
from .outcomes import verdict_at
from .patience import HANGS
from .processes import Processes, Settings
from .protocol import wire
from .session import Played, play
from .targets.target import Target
from .values import ABSENT

__all__ = ["OpeningError", "Runner", "Session", "Settings", "drive"]

ANSWERED = "MCP-BASE-005"
"""The requirement that a request gets a reply: what is broken where one gets none, and the target is not gone."""

STILL_THERE = 1.0
"""How many seconds a target is given to show that it still answers, a fifth of the time for a reply at most."""

FRAMES_A_LEVEL = 20
"""How many frames of Python a level of nesting may take."""


Player = Callable[["Runner", Case, Facts, Outcome], Outcome]


class Runner:
    """Plays cases against one target, at the revisions whose facts it is given.

    `made` plays the cases that have no steps of their own, by case id: they make examples, and hand each to `attempt`.
    """

    def __init__(
        self,
        launch: Callable[[], Target],
        settings: Settings,
        requirements: Mapping[str, Requirement],
        launch_for: Callable[[Case], Target] | None = None,
        made: Mapping[str, Player] | None = None,
    ) -> None:
        # The deepest value that is read takes some frames a level wherever it is compared or written.
        sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES_A_LEVEL * wire.MAX_DEPTH))
        self.settings = settings
        self.requirements = requirements
        self.processes = Processes(launch, settings, requirements, launch_for)
        self._made = made or {}
        self._started = time.monotonic()

    def discover(self, revision: str, patience: float | None = None) -> Facts:
        """Open a process at a revision, learn what the target says of itself, and keep the process for the cases.

        Raises OpeningError. The facts' revision is the one that the target agreed to, which may be another.
        """
        session, opened = self.processes.open(revision, None, patience)
        try:
            facts = drive(opening.learn(session.talk, opened, self.settings.timeout), session, self.settings.case)
        except BaseException:
            session.target.kill()
            raise
        self.processes.keep(session)
        return facts

    def close(self) -> None:
        """End every process politely, so that its late words are judged too."""
        self.processes.close()

    def kill(self) -> None:
        """End every process at once."""
        self.processes.kill()

    # -- cases

    def run(self, case: Case, facts: Facts) -> Outcome:
        """Play a case and say what came of it."""
        started = time.monotonic()
        outcome = self._run(case, facts)
        return replace(outcome, duration=round(time.monotonic() - started, 6))

    def _run(self, case: Case, facts: Facts) -> Outcome:
        found = gating.bound(case, self.requirements, facts.revision)
        outcome = Outcome(
            case=case,
            revision=facts.revision,
            verdict=Verdict.PASSED,
            level=gating.strongest(found),
            requirements=tuple(requirement.id for requirement in found),
        )
        claimed = frozenset((*facts.profiles, *self.settings.profiles))
        reason = gating.not_applicable(case, self.requirements, facts, claimed)
        if reason is not None:
            return replace(outcome, verdict=Verdict.NOT_APPLICABLE, reason=reason, requirements=case.covers)
        if (reason := gating.not_known(case, facts) or gating.refused_by_nobody(case, facts)) is not None:
            return replace(outcome, verdict=Verdict.NOT_EXERCISED, reason=reason)
        if time.monotonic() - self._started > self.settings.run:
            spent = f"the run's budget of {self.settings.run:g} s is spent"
            return replace(outcome, verdict=Verdict.NOT_EXERCISED, reason=spent)
        if reason := self.processes.patience.reason(rough=case.session == "rough"):
            return replace(outcome, verdict=Verdict.NOT_EXERCISED, reason=reason)
        mode = case.start.get("mode") if case.start is not None else None
        if mode is not None and mode.value not in self.settings.modes:
            reason = f'the configuration of the target has no mode "{mode.value}"'
            return replace(outcome, verdict=Verdict.NOT_APPLICABLE, reason=reason)
        try:
            made = self._made.get(case.id)
            return made(self, case, facts, outcome) if made else self._play(case, facts, outcome)
        except matching.CaseError as error:
            return replace(outcome, verdict=Verdict.ERROR, reason=str(error))
        except OpeningError as error:
            if case.opening is not None and self.processes.turns_out_exclusive(case, facts):
                return self._run(case, facts)
            return self._unopened_case(case, outcome, error)

    def _unopened_case(self, case: Case, outcome: Outcome, error: OpeningError) -> Outcome:
        """An opening of the case's own is part of the case; another one is no fault that the case speaks of."""
        verdict = Verdict.NOT_EXERCISED
        reason = "a further process of the target did not complete its opening"
        if not error.mismatches:
            reason = f"{HANGS} further processes in a row did not complete their opening"
        elif case.opening is not None and error.transcript:
            verdict, reason = verdict_at(outcome.level, strict=self.settings.strict), ""
        return replace(
            outcome,
            verdict=verdict,
            reason=reason,
            mismatches=error.mismatches,
            transcript=error.transcript,
            stderr=error.stderr,
        )

    def _play(self, case: Case, facts: Facts, outcome: Outcome) -> Outcome:
        first, session = self._once(case, facts, alone=False)
        if session.handed_on and not first.ok:
            # What another case left behind may be at fault: that is no company that has to be borne.
            self.processes.dismiss(session, case, held=False, hung=first.hung)
            first, session = self._once(case, facts, alone=True)
        if case.script is None:  # a made case that waits in vain for one tool says nothing of the others
            died = bool(session.talk.ended) and not session.talk.lines and not first.ok
            rough = case.session == "rough"
            self.processes.patience.count(rough=rough, hung=first.hung, died=died, answers=first.answers)
        if first.ok:
            self.processes.dismiss(session, case, held=first.missing is None)
            if (gap := first.missing) is not None:
                return replace(outcome, verdict=Verdict.NOT_APPLICABLE, reason=_builds_on(gap))
            return replace(outcome, portrait=tuple(first.names))
        if case.opening is not None:
            failed = self._with_evidence(outcome, first, session)
            self.processes.dismiss(session, case, held=False, hung=first.hung)
            return self._play(case, facts, outcome) if self.processes.turns_out_exclusive(case, facts) else failed
        history = tuple(session.history[:-1])
        was_reset = self.processes.is_reset(session) and bool(history)
        failed = self._with_evidence(outcome, first, session)
        self.processes.dismiss(session, case, held=False, hung=first.hung)
        # A warning does not fail a run: it is told as it was seen, and not paid for with a further process.
        certain = not history or bool(first.errors) or bool(first.unread)
        if not was_reset:
            certain = certain or failed.verdict is Verdict.WARNED or not gating.repeatable(case, facts)
            certain = certain or (first.answers and self.processes.patience.is_certain(rough=case.session == "rough"))
        if certain:
            return failed
        try:
            second, alone = self._once(case, facts, alone=True)
        except OpeningError:
            reason = "not confirmed alone: a further process of the target did not complete its opening"
            return replace(failed, reason=reason, history=history)
        confirmed = self._with_evidence(outcome, second, alone)
        self.processes.dismiss(alone, case, held=second.ok, hung=second.hung)
        if not second.ok:
            return confirmed
        if was_reset:
            return replace(self.only_after_reset(failed), history=history)
        reason = f"only after other cases: alone, on a fresh process, it passes ({len(history)} ran before it)"
        return replace(failed, reason=reason, history=history)

    def only_after_reset(self, failed: Outcome) -> Outcome:
        """A failure that shows on a process that was reset, and not on a new one: so the reset is at fault."""
        self.processes.reset_no_more()
        reason = "only after tck_reset: on a new process it passes, and from here on each such case gets one"
        return replace(failed, reason=reason, requirements=(gating.RESETS,))

    def _once(self, case: Case, facts: Facts, *, alone: bool) -> tuple[Played, Session]:
        session = self.processes.acquire(case, facts, alone=alone)
        session.history.append(case.id)
        session.talk.begin(case.id)
        session.said_before = session.target.stderr_tail
        try:
            if case.script is not None:
                played: Played = case.script(self._caller(session, facts))
            else:
                folder = getattr(session.target, "folder", None)
                script = play(case, session.talk, self._timeout(case), facts.barrier, folder)
                played = drive(script, session, self.settings.case)
                played.answers = played.hung and self._still_answers(session, facts)
        except BaseException:
            session.target.kill()
            raise
        session.talk.end()
        return played, session

    def _still_answers(self, session: Session, facts: Facts) -> bool:
        """After a request that got no reply: whether that is silence about this one, or the target is gone."""
        session.talk.note("!", "the kit asked whether the target still answers")
        seconds = min(STILL_THERE, self.settings.timeout / 5)
        asked = drive(opening.ask(session.talk, facts.barrier, ABSENT, seconds), session, seconds)
        return asked is not None

    def _timeout(self, case: Case) -> float:
        """The longest wait for one reply: where the case writes the first line, the target has to start meanwhile."""
        if case.opening is None or case.opening.value != "none":
            return self.settings.timeout
        patient = self.settings.timeout + 2 * self.processes.slowest
        return max(self.settings.timeout, min(self.settings.startup, patient))

    def _caller(self, session: Session, facts: Facts) -> Caller:
        """What the script of a made case calls tools with."""
        return Caller(
            session.talk, facts, self.settings.timeout, lambda asking: drive(asking, session, self.settings.case)
        )

    # -- examples of a property, each a case of its own

    def attempt(self, case: Case, facts: Facts, outcome: Outcome, *, alone: bool) -> Outcome:
        """Play an example once, where `case.session` says or alone on a fresh process. Raises OpeningError."""
        played, session = self._once(case, facts, alone=alone)
        if session.history[-2:] == [case.id, case.id]:
            session.history.pop()  # the examples of a property count as one case
        came = self._with_evidence(outcome, played, session)
        self.processes.dismiss(session, case, held=False, hung=played.hung)
        if played.missing is not None:
            return replace(came, verdict=Verdict.NOT_APPLICABLE, reason=_builds_on(played.missing))
        return came

    def ground(self, case: Case, facts: Facts) -> Mapping[str, object]:
        """What `remember` noted on the process that such a case would get, and whether it has seen an id."""
        session = self.processes.kept.get((facts.revision, case.session))
        if session is None or not session.usable:
            return {}
        return {**session.ground, "seen": session.talk.has_seen}

    def remember(self, case: Case, facts: Facts, ground: Mapping[str, object]) -> None:
        """Note what an example has left behind on its process."""
        session = self.processes.kept.get((facts.revision, case.session))
        if session is not None:
            session.ground = ground

    def forget(self, case: Case, facts: Facts) -> None:
        """End the process that only the examples of one property shared."""
        if case.session not in {"shared", "rough", "fresh"}:
            session = self.processes.kept.pop((facts.revision, case.session), None)
            if session is not None and not session.spent:
                self.processes.retire(session)

    def _with_evidence(self, outcome: Outcome, played: Played, session: Session) -> Outcome:
        if played.ok:
            return outcome
        known = (self.requirements[name] for name in played.broken if name in self.requirements)
        broken = [requirement for requirement in known if requirement.applies_at(outcome.revision)]
        if broken:
            outcome = replace(outcome, level=gating.strongest(broken), requirements=tuple(each.id for each in broken))
        elif played.answers and outcome.level is Level.MUST and ANSWERED in self.requirements:
            outcome = replace(outcome, requirements=tuple(dict.fromkeys((ANSWERED, *outcome.requirements))))
        verdict = verdict_at(outcome.level, strict=self.settings.strict)
        if played.unread:
            verdict = Verdict.NOT_EXERCISED
        if played.errors:
            verdict = Verdict.ERROR
        return replace(
            outcome,
            verdict=verdict,
            reason=played.errors[0] if played.errors else played.unread,
            mismatches=tuple(played.mismatches),
            transcript=tuple(session.talk.since_begin()),
            stderr=session.new_stderr(),
            diff=played.diff,
        )


def _builds_on(gap: Mismatch) -> str:
    return f"it builds on what is not there: {gap.pointer}: expected {gap.expected}, got {gap.actual}"
