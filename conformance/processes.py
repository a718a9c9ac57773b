"""The processes of one target in a run: started, opened, shared, reset, handed on, ended; their last words judged.

Cases that leave a session as they found it share one process; malformed input has a process of its own kind; a case
that asks for it gets a fresh one, or the last hour of one that another case is done with. A process that hung or died
is not used again.

This module must never judge a message or play a case, and must never let a process outlive `close`.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from . import gating, opening, standing
from .casefile import cases
from .driving import OpeningError, Session, drive
from .matching import matching
from .model import Case, Mismatch, Requirement
from .opening import Facts
from .patience import DEATHS, HANGS, SILENCES, Patience
from .protocol import eras
from .protocol.conversation import Conversation, Violation
from .targets.ahead import Ahead
from .targets.target import Exited, StartError, Target
from .values import ABSENT, Absent, Value

RESET: Final = "reset"
"""The kind of a process that is reset by its probe, and serves cases that ask for a fresh one."""

LEAVING: Final = 8
"""Processes whose input has ended and whose last words are awaited; one more, and one is buried: a dead one first."""

HANDED_ON: Final = 4
"""So many processes that a case is done with are kept for cases that need no better one; one more, and one ends."""

OUTLIVED: Final = 1.0
"""A process that takes so many seconds to stop did not end with its input."""


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


class Processes:
    """Where a case gets its process from, and gives it back to. `tallies` are what the standing checks saw of all."""

    def __init__(
        self,
        launch: Callable[[], Target],
        settings: Settings,
        requirements: Mapping[str, Requirement],
        launch_for: Callable[[Case], Target] | None = None,
    ) -> None:
        self.settings = settings
        self.requirements = requirements
        self.tallies: dict[str, standing.Tally] = {}
        self.patience = Patience(settings.hangs, max(settings.hangs, SILENCES), max(settings.hangs, DEATHS))
        self.slowest = 0.0
        self.kept: dict[tuple[str, str], Session] = {}
        self._launch_for = launch_for
        self._handed_on: list[Session] = []
        self._wanted: Counter[str] | None = None
        self._leaving: list[Session] = []
        self._ahead = Ahead(launch)
        self._unopened = 0
        self._unreset = False
        self._exclusive: bool | None = None  # whether the target runs only once at a time, once that is known

    # -- opening

    def foresee(self, starts: int, last: Mapping[str, int] | None = None) -> None:
        """Say how many processes will be started; the next ones then start while the last one is in use.

        `last` is how many cases need no better one than another case is done with: by the revision at which it has to
        be open, or the empty text where it must not be; None where that is not known yet.
        """
        self._ahead.foresee(starts)
        if last is None:
            return
        self._wanted = Counter(last)
        for session in [each for each in self._handed_on if not self._wanted[each.talk.opened or ""]]:
            self._handed_on.remove(session)
            self.retire(session)

    def open(
        self,
        revision: str,
        override: dict[str, Value] | None = None,
        patience: float | None = None,
        case: Case | None = None,
    ) -> tuple[Session, opening.Opened]:
        """A further process, opened at a revision; raises OpeningError, with the process ended or handed on."""
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
            error = OpeningError(opened.mismatches, tuple(talk.transcript), target.stderr_tail)
            if patience is None and override is None and not self.slowest and opening.said_nothing(talk):
                session.spent = True
                self._bury(session)
                self.tally(revision).violations.extend(opening.late_words(talk))
            elif opened.refused and session.usable:
                talk.revision = eras.other(revision)  # what refuses one era may speak the other
                self._hand_on(session)
            else:
                self.retire(session, kill=True)
            raise error
        self.slowest = max(self.slowest, time.monotonic() - begun)
        self._ahead.answered()
        self.tally(talk.revision).opened += 1
        return session, opened

    def _open_further(self, revision: str, case: Case) -> Session:
        """One more process like the first; a target that cannot run twice at once is given the place to itself.

        Raises OpeningError, after noting that the opening, which was completed once, was not completed now.
        """
        if self._unopened >= HANGS:
            raise OpeningError([])
        company = any(each.target.alive for each in (*self.kept.values(), *self._handed_on))
        try:
            session, _ = self.open(revision, case=case)
        except OpeningError as error:
            failed = error
            if self._end_others():
                try:
                    session, _ = self.open(revision, case=case)
                except OpeningError as again:
                    failed = again
                else:
                    self._unopened, self._exclusive = 0, True
                    return session
            self._unopened += 1
            self.tally(revision).violations.extend(
                Violation("opening", "", each.pointer, each.expected, each.actual, case.id, failed.transcript[-8:])
                for each in failed.mismatches
            )
            raise failed from None
        self._unopened = 0
        if company and self._exclusive is None:
            self._exclusive = False
        return session

    def turns_out_exclusive(self, case: Case, facts: Facts) -> bool:
        """After a case with an opening of its own has failed: whether that was because the target runs once at a time.

        It is found out, once, with the opening that the target has completed before.
        """
        if self._exclusive is not None or not self._has_others():
            return False
        self._exclusive = False
        with contextlib.suppress(OpeningError):
            self.retire(self._open_further(facts.revision, case))
        return self._exclusive

    def _end_others(self) -> bool:
        """End every process that may stand in the way of a new one; answers whether there was any."""
        others = self._has_others()
        self.close()
        return others

    def clear(self) -> bool:
        """End every process before any was opened; whether one of them had answered, and refused an opening."""
        answered = bool(self._handed_on)
        self.close()
        return answered

    def _has_others(self) -> bool:
        return bool(self.kept or self._handed_on or self._leaving or self._ahead.holds_any)

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

    # -- for a case

    def keep(self, session: Session) -> None:
        """Let the cases share a process, unless they have one, or this one is gone."""
        key = (session.talk.revision, "shared")
        if key in self.kept or session.talk.ended:
            self.retire(session)
        else:
            self.kept[key] = session

    def acquire(self, case: Case, facts: Facts, *, alone: bool) -> Session:
        """The process that a case is played on; `alone`, a new one whatever the case says. Raises OpeningError."""
        self._ahead.tend(self._lacking())
        kind = self._kind(case, facts, alone=alone)
        key = (facts.revision, kind)
        if kind not in {"fresh", "last"} and key in self.kept:
            session = self.kept[key]
            if session.usable and (kind != RESET or self._reset(session)):
                return session
            if not session.spent:
                self.retire(session)
        unopened = case.opening is not None and case.opening.value == "none"
        if kind == "last":
            if (found := self._take_over("" if unopened else facts.revision, case, facts)) is not None:
                return found
            self._ahead.expect_another()
        if self._exclusive:
            self._end_others()
        if unopened:
            return Session(self._start(case), Conversation(facts.revision))
        override = matching.build(case.opening, matching.Scope(row=case.row)) if case.opening is not None else None
        if isinstance(override, dict):
            session, _ = self.open(facts.revision, override, case=case)
        else:
            session = self._open_further(facts.revision, case)
        if kind not in {"fresh", "last"}:
            self.kept[key] = session
        return session

    def _kind(self, case: Case, facts: Facts, *, alone: bool) -> str:
        isolated = self.settings.isolate and case.session in {"shared", "rough", "last"}
        if alone or isolated:
            return "fresh"
        if self.resets(case, facts):
            return RESET
        session = self.kept.get((facts.revision, case.session))
        # An id is used once in a session: where a case would use one again, another process is wanted.
        return "last" if session is not None and any(map(session.talk.has_seen, _own_ids(case))) else case.session

    def dismiss(self, session: Session, case: Case, *, held: bool, hung: bool = False) -> None:
        """Take back a process that a case was played on: for the next case, to hand it on, or to end it.

        Where the case `held`, and had it from its start or left it not opened, it is fit to be the last one of another.
        """
        fit = session.usable and not hung
        if fit and case.opening is None and session in self.kept.values():
            return
        talk = session.talk
        early = case.session == "last" and talk.opened == ""
        alone = case.session == "fresh" and case.start is None and session.history == [case.id]
        if fit and held and (alone or early) and not talk.wrote_malformed:
            self._hand_on(session)
        else:
            self.retire(session, kill=hung)

    def resets(self, case: Case, facts: Facts) -> bool:
        """Whether a case is played on a process that was used before and then reset."""
        allowed = self.settings.reset and not self.settings.isolate and not self._unreset
        return allowed and gating.can_reset(case, self.requirements, facts)

    def is_reset(self, session: Session) -> bool:
        """Whether a process is the one that is reset before each case."""
        return session is self.kept.get((session.talk.revision, RESET))

    def reset_no_more(self) -> None:
        """A reset was seen not to be one: from here on each such case gets a new process."""
        self._unreset = True

    def _reset(self, session: Session) -> bool:
        return drive(opening.reset(session.talk, self.settings.timeout), session, self.settings.case)

    # -- handing on

    def _hand_on(self, session: Session) -> None:
        """Keep a process, open or not opened yet, where a case will need no better one; else end it."""
        talk = session.talk
        state = talk.agreed or talk.opened
        held = sum(each.talk.opened == state for each in self._handed_on)
        wanted = HANDED_ON if self._wanted is None else min(HANDED_ON, self._wanted[state or ""])
        if state is None or held >= wanted or self.settings.isolate:
            self.retire(session)
            return
        if talk.opened is None:  # the case went no further than the answer to its `initialize`
            session.target.send(talk.notification("notifications/initialized", ABSENT))
        session.handed_on = True
        self._handed_on.append(session)

    def _lacking(self) -> int:
        """How many cases will look in vain for an open process of another, now that no other will be started for one.

        What is not opened goes from one such case to the next.
        """
        if self._wanted is None or self._exclusive or self._ahead.foresees_any:
            return 0
        have = Counter(session.talk.opened for session in self._handed_on)
        return sum(max(0, wanted - have[state]) for state, wanted in self._wanted.items() if state)

    def _take_over(self, state: str, case: Case, facts: Facts) -> Session | None:
        """A process that is open at a revision, or for the empty one not opened yet, if there is one for the case."""
        if self._wanted is not None and case.session == "last":  # one with an id that was seen is not foreseen
            self._wanted[state] -= 1
        own = list(_own_ids(case))
        for session in [session for session in self._handed_on if session.talk.opened == state]:
            if any(map(session.talk.has_seen, own)):
                continue
            self._handed_on.remove(session)
            if session.usable:
                session.talk.revision = facts.revision
                return session
            self.retire(session)
        return None

    # -- the end of a process

    def release(self, revision: str) -> None:
        """End the processes of a revision that is not tested after all."""
        for key in [key for key in self.kept if key[0] == revision]:
            self.retire(self.kept.pop(key))

    def retire(self, session: Session, *, kill: bool = False) -> None:
        """End a process. Its last words may take a while, and are judged later; what is killed says none."""
        session.spent = True
        if kill:
            session.target.kill()
            self._bury(session)
            return
        session.target.close_stdin()
        self._leaving.append(session)
        if len(self._leaving) > LEAVING:
            gone = next((each for each in self._leaving if not each.target.alive), self._leaving[0])
            self._leaving.remove(gone)
            self._bury(gone)

    def _bury(self, session: Session) -> None:
        """Judge the last words of a process, and take over what its standing checks saw."""
        talk = session.talk
        begun = time.monotonic()
        late = session.target.stop(patient=self.patience.for_the_end)
        self.patience.outlived += time.monotonic() - begun > OUTLIVED
        for event in late:
            talk.now = time.monotonic() - session.began
            if not (isinstance(event, Exited) and talk.exit is not None):
                talk.take(event)
        talk.flush()
        talk.end()
        tally = self.tally(talk.revision)
        tally.seen += talk.seen
        tally.violations.extend(talk.violations)
        talk.violations.clear()
        talk.seen = 0

    def tally(self, revision: str) -> standing.Tally:
        """What the standing checks saw at a revision."""
        return self.tallies.setdefault(revision, standing.Tally())

    def close(self) -> None:
        """End every process politely, so that its late words are judged too."""
        for session in (*self.kept.values(), *self._handed_on):
            if not session.spent:
                self.retire(session)
        self.kept.clear()
        self._handed_on.clear()
        while self._leaving:
            self._bury(self._leaving.pop(0))
        self._ahead.drop()

    def kill(self) -> None:
        """End every process at once."""
        for session in (*self.kept.values(), *self._handed_on, *self._leaving):
            session.target.kill()
        self.kept.clear()
        self._handed_on.clear()
        self._leaving.clear()
        self._ahead.drop()


def _own_ids(case: Case) -> Iterator[Value]:
    """The ids that a case chose for its requests."""
    scope = matching.Scope(row=case.row)
    for step in case.all_steps:
        for inner in cases.steps_of(step) if step.kind == "together" else (step,):
            node = inner.args.get("id") if inner.kind == "request" else None
            if node is not None and not isinstance(built := matching.build(node, scope), Absent):
                yield built
