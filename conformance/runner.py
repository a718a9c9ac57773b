"""A case and a target to an outcome: processes, sharing, confirmation alone, deadlines.

Cases that leave a session as they found it share one process; malformed input has a process of its own kind; a case
that asks for it gets a fresh one. A process that hung or died is not used again. What fails in company is played once
more alone, and the outcome says which it was; nothing is retried until it passes.

This module must never judge a message, and must never let a process outlive `close`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from . import gating, opening, standing
from .calling import Caller
from .driving import OpeningError, Session, drive
from .matching import matching
from .model import Case, Level, Mismatch, Outcome, Requirement, Verdict
from .opening import Facts
from .outcomes import verdict_at
from .patience import DEATHS, HANGS, SILENCES, Patience
from .protocol import wire
from .protocol.conversation import Conversation, Violation
from .session import Played, play
from .targets.ahead import Ahead
from .targets.target import Exited, StartError, Target
from .values import ABSENT, Value

__all__ = ["OpeningError", "Runner", "Session", "Settings", "drive"]

RESET = "reset"
"""The kind of a process that is reset by its probe, and serves cases that ask for a fresh one."""

RESETS = "PROBE-17"
"""The line that binds who offers the probe."""

LEAVING = 8
"""Processes whose input has ended and whose last words are still awaited; one more, and the oldest is waited for."""

OUTLIVED = 1.0
"""A process that takes so many seconds to stop did not end with its input."""

ANSWERED = "MCP-BASE-005"
"""The requirement that a request gets a reply: what is broken where one gets none, and the target is not gone."""

STILL_THERE = 1.0
"""How many seconds a target is given to show that it still answers, a fifth of the time for a reply at most."""

FRAMES_A_LEVEL = 20
"""How many frames of Python a level of nesting may take."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How long to wait and how to share, seconds all. `timeout`: one reply; `startup`: the first; `case`: one case.

    `hangs`: after so many cases in a row without any reply the rest is not exercised. `modes`: the ways of starting
    that the configuration names. `seed`: of the examples that properties are tried on. `reset`: a target that
    can be put back to its first state is, in place of a new process.
    """

    timeout: float = 5.0
    startup: float = 30.0
    case: float = 60.0
    run: float = 3600.0
    hangs: int = HANGS
    isolate: bool = False
    strict: bool = False
    profiles: tuple[str, ...] = ()
    modes: frozenset[str] = frozenset()
    seed: int = 0
    reset: bool = True


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
        self.tallies: dict[str, standing.Tally] = {}
        self._launch_for = launch_for
        self._made = made or {}
        self._sessions: dict[tuple[str, str], Session] = {}
        self._leaving: list[Session] = []
        self._ahead = Ahead(launch)
        self._patience = Patience(settings.hangs, max(settings.hangs, SILENCES), max(settings.hangs, DEATHS))
        self._unopened = 0
        self._unreset = False
        self._started = time.monotonic()
        self._slowest = 0.0

    # -- processes

    def release(self, revision: str) -> None:
        """End the processes of a revision that is not tested after all."""
        for key in [key for key in self._sessions if key[0] == revision]:
            self._retire(self._sessions.pop(key))

    def discover(self, revision: str, patience: float | None = None) -> Facts:
        """Open a process at a revision, learn what the target says of itself, and keep the process for the cases.

        Raises OpeningError. The facts' revision is the one that the target agreed to, which may be another.
        """
        session, opened = self._open(revision, None, patience)
        try:
            facts = drive(opening.learn(session.talk, opened, self.settings.timeout), session, self.settings.case)
        except BaseException:
            session.target.kill()
            raise
        key = (session.talk.revision, "shared")
        if key in self._sessions or session.talk.ended:
            self._retire(session)
        else:
            self._sessions[key] = session
        return facts

    def _open(
        self,
        revision: str,
        override: dict[str, Value] | None,
        patience: float | None = None,
        case: Case | None = None,
    ) -> tuple[Session, opening.Opened]:
        talk = Conversation(revision)
        target = self._start(case)
        session = Session(target, talk)
        try:
            seconds, begun = patience or self.settings.startup, time.monotonic()
            opened = drive(opening.open_session(talk, seconds, override), session, seconds + 1)
        except BaseException:
            target.kill()
            raise
        if opened.mismatches:
            if patience is None and override is None and not self._slowest and opening.said_nothing(talk):
                session.spent = True
                self._bury(session)
                self._tally(revision).violations.extend(opening.late_words(talk))
            else:
                self._retire(session, kill=True)
            raise OpeningError(opened.mismatches, tuple(talk.transcript), target.stderr_tail)
        self._slowest = max(self._slowest, time.monotonic() - begun)
        self._tally(talk.revision).opened += 1
        return session, opened

    def _acquire(self, case: Case, facts: Facts, *, alone: bool) -> Session:
        isolated = self.settings.isolate and case.session in {"shared", "rough"}
        kind = "fresh" if alone or isolated else case.session
        if kind == "fresh" and not alone and self.resets(case, facts):
            kind = RESET
        key = (facts.revision, kind)
        if kind != "fresh" and key in self._sessions:
            session = self._sessions[key]
            if session.usable and (kind != RESET or self._reset(session)):
                return session
            self._retire(session)
        if case.opening is not None and case.opening.value == "none":
            return Session(self._start(case), Conversation(facts.revision))
        override = matching.build(case.opening, matching.Scope(row=case.row)) if case.opening is not None else None
        if isinstance(override, dict):
            session, _ = self._open(facts.revision, override, case=case)
        else:
            session = self._open_further(facts.revision, case)
        if kind != "fresh":
            self._sessions[key] = session
        return session

    def resets(self, case: Case, facts: Facts) -> bool:
        """Whether a case is played on a process that was used before and then reset."""
        allowed = self.settings.reset and not self.settings.isolate and not self._unreset
        return allowed and gating.can_reset(case, self.requirements, facts)

    def _reset(self, session: Session) -> bool:
        return drive(opening.reset(session.talk, self.settings.timeout), session, self.settings.case)

    def _open_further(self, revision: str, case: Case) -> Session:
        """One more process like the first; a target that cannot run twice at once is given the place to itself.

        Raises OpeningError, after noting that the opening, which was completed once, was not completed now.
        """
        if self._unopened >= HANGS:
            raise OpeningError([])
        try:
            session, _ = self._open(revision, None, case=case)
        except OpeningError as error:
            failed = error
            if self._end_others():
                try:
                    session, _ = self._open(revision, None, case=case)
                except OpeningError as again:
                    failed = again
                else:
                    self._unopened = 0
                    return session
            self._unopened += 1
            self._tally(revision).violations.extend(
                Violation("opening", "", each.pointer, each.expected, each.actual, case.id, failed.transcript[-8:])
                for each in failed.mismatches
            )
            raise failed from None
        self._unopened = 0
        return session

    def _end_others(self) -> bool:
        """End every process that may stand in the way of a new one; answers whether there was any."""
        others = bool(self._sessions or self._leaving or self._ahead.holds_any)
        self.close()
        return others

    def foresee(self, starts: int) -> None:
        """Say how many processes will be needed; the next ones are then started while the last one is in use."""
        self._ahead.foresee(starts)

    def _start(self, case: Case | None = None) -> Target:
        """A process that was just started, or the one that was started ahead of need. Raises OpeningError.

        A case that says how to start gets a process that was started so.
        """
        try:
            if case is not None and case.start is not None and self._launch_for is not None:
                return self._launch_for(case)
            return self._ahead.take()
        except StartError as error:
            raise OpeningError([Mismatch("", "a target that starts", str(error))]) from None

    def _retire(self, session: Session, *, kill: bool = False) -> None:
        """End a process. Its last words may take a while, and are judged later; what is killed says none."""
        session.spent = True
        if kill:
            session.target.kill()
            self._bury(session)
            return
        session.target.close_stdin()
        self._leaving.append(session)
        if len(self._leaving) > LEAVING:
            self._bury(self._leaving.pop(0))

    def _bury(self, session: Session) -> None:
        """Judge the last words of a process, and take over what its standing checks saw."""
        talk = session.talk
        begun = time.monotonic()
        late = session.target.stop(patient=self._patience.for_the_end)
        self._patience.outlived += time.monotonic() - begun > OUTLIVED
        for event in late:
            talk.now = time.monotonic() - session.began
            if not (isinstance(event, Exited) and talk.exit is not None):
                talk.take(event)
        talk.flush()
        talk.end()
        tally = self._tally(talk.revision)
        tally.seen += talk.seen
        tally.violations.extend(talk.violations)
        talk.violations.clear()
        talk.seen = 0

    def _tally(self, revision: str) -> standing.Tally:
        return self.tallies.setdefault(revision, standing.Tally())

    def close(self) -> None:
        """End every process politely, so that its late words are judged too."""
        for session in self._sessions.values():
            if not session.spent:
                self._retire(session)
        self._sessions.clear()
        while self._leaving:
            self._bury(self._leaving.pop(0))
        self._ahead.drop()

    def kill(self) -> None:
        """End every process at once."""
        for session in (*self._sessions.values(), *self._leaving):
            session.target.kill()
        self._sessions.clear()
        self._leaving.clear()
        self._ahead.drop()

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
            level=gating.level(case, self.requirements, facts.revision),
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
        if reason := self._patience.reason(rough=case.session == "rough"):
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
        if case.script is None:  # a made case that waits in vain for one tool says nothing of the others
            died = bool(session.talk.ended) and not session.talk.lines and not first.ok
            rough = case.session == "rough"
            self._patience.count(rough=rough, hung=first.hung, died=died, answers=first.answers)
        if first.ok:
            self._dismiss(session, case)
            if (gap := first.missing) is not None:
                return replace(outcome, verdict=Verdict.NOT_APPLICABLE, reason=_builds_on(gap))
            return replace(outcome, portrait=tuple(first.names))
        history = tuple(session.history[:-1])
        was_reset = session is self._sessions.get((facts.revision, RESET)) and bool(history)
        failed = self._with_evidence(outcome, first, session)
        self._dismiss(session, case, first)
        # A warning does not fail a run: it is told as it was seen, and not paid for with a further process.
        certain = not history or bool(first.errors) or bool(first.unread)
        if not was_reset:
            certain = certain or failed.verdict is Verdict.WARNED or not gating.repeatable(case, facts)
            certain = certain or (first.answers and self._patience.is_certain(rough=case.session == "rough"))
        if certain:
            return failed
        try:
            second, alone = self._once(case, facts, alone=True)
        except OpeningError:
            reason = "not confirmed alone: a further process of the target did not complete its opening"
            return replace(failed, reason=reason, history=history)
        confirmed = self._with_evidence(outcome, second, alone)
        self._dismiss(alone, case, second)
        if not second.ok:
            return confirmed
        if was_reset:
            self._unreset = True
            reason = "only after tck_reset: on a new process it passes, and from here on each such case gets one"
            return replace(failed, reason=reason, history=history, requirements=(RESETS,))
        reason = f"only after other cases: alone, on a fresh process, it passes ({len(history)} ran before it)"
        return replace(failed, reason=reason, history=history)

    def _once(self, case: Case, facts: Facts, *, alone: bool) -> tuple[Played, Session]:
        session = self._acquire(case, facts, alone=alone)
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
        return max(self.settings.timeout, min(self.settings.startup, self.settings.timeout + 2 * self._slowest))

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
        self._dismiss(session, case, played)
        if played.missing is not None:
            return replace(came, verdict=Verdict.NOT_APPLICABLE, reason=_builds_on(played.missing))
        return came

    def ground(self, case: Case, facts: Facts) -> Mapping[str, object]:
        """What `remember` noted on the process that such a case would get; nothing for a new one."""
        session = self._sessions.get((facts.revision, case.session))
        return session.ground if session is not None and session.usable else {}

    def remember(self, case: Case, facts: Facts, ground: Mapping[str, object]) -> None:
        """Note what an example has left behind on its process."""
        session = self._sessions.get((facts.revision, case.session))
        if session is not None:
            session.ground = ground

    def forget(self, case: Case, facts: Facts) -> None:
        """End the process that only the examples of one property shared."""
        if case.session not in {"shared", "rough", "fresh"}:
            session = self._sessions.pop((facts.revision, case.session), None)
            if session is not None and not session.spent:
                self._retire(session)

    def _dismiss(self, session: Session, case: Case, played: Played | None = None) -> None:
        """Keep a process for the next case, or end it: it was asked for alone, it hung, or it is gone."""
        shared = session in self._sessions.values()
        gone = bool(session.talk.ended) or not session.target.alive
        if not shared or gone or case.opening is not None or (played is not None and played.hung):
            self._retire(session, kill=played is not None and played.hung)

    def _with_evidence(self, outcome: Outcome, played: Played, session: Session) -> Outcome:
        if played.ok:
            return outcome
        broken = [self.requirements[name] for name in played.broken if name in self.requirements]
        if broken:
            strongest = max((each.level for each in broken), key=lambda each: each.strength)
            outcome = replace(outcome, level=strongest, requirements=tuple(each.id for each in broken))
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
