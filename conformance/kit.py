"""One run, from a plan to records: the target opened, its facts, each case played, the standing checks at the end.

This is what the pytest plugin drives; it could be driven without pytest. It must never import pytest or print.
"""

from __future__ import annotations

import contextlib
import datetime
import functools
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from . import gating, opening, standing
from .authoring import snapshots
from .model import Case, Outcome, Requirement, Verdict
from .opening import Facts
from .outcomes import Record
from .processes import RESET, Settings
from .properties import listing
from .protocol import eras
from .report.record import record
from .report.secrets import Secrets
from .runner import OpeningError, Runner
from .safety.allowed import PROFILE, Allowed
from .standing import Tally
from .standing_outcomes import standing_outcomes
from .targets import starting, workspace
from .targets.target import Target
from .targets.workspace import Mode
from .turns import Turn
from .values import lower

if TYPE_CHECKING:
    from .safety.made import Maker

KIT = {"name": "mcp-tck", "version": "0.1.0"}


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run was asked for. `revision` is `auto`, `all` or a date."""

    command: tuple[str, ...]
    env: dict[str, str] = field(default_factory=dict)
    cwd: str | None = None
    revision: str = "auto"
    settings: Settings = field(default_factory=Settings)
    allowed: Allowed = field(default_factory=Allowed)
    files: dict[str, str] = field(default_factory=dict)
    modes: dict[str, Mode] = field(default_factory=dict)
    snapshots: snapshots.Snapshots | None = None

    def launch(self) -> Target:
        """Start the target once; raises StartError."""
        if self.files or workspace.needs_folder(self.command, self.env, self.cwd):
            return workspace.furnish(_process, self.command, self.env, self.cwd, self.files)
        return _process(self.command, self.env, self.cwd)

    def launch_for(self, case: Case) -> Target:
        """Start the target as a case asks for it, with a folder of its own; raises StartError and CaseError."""
        asked = starting.read(case)
        mode = self.modes.get(asked.mode or "", Mode())
        command = (*(mode.command or self.command), *mode.args, *asked.args)
        env = {**self.env, **mode.env, **asked.env}
        return workspace.furnish(_process, command, env, self.cwd, {**self.files, **asked.files})

    def launch_restricted(self) -> Target:
        """Start the target once as the configuration says for read-only mode; raises StartError."""
        asked = self.allowed.read_only
        assert asked is not None
        command = asked.command or (*self.command, *asked.args)
        env = {**self.env, **asked.env}
        if self.files or workspace.needs_folder(command, env, self.cwd):
            return workspace.furnish(_process, command, env, self.cwd, self.files)
        return _process(command, env, self.cwd)

    @property
    def secrets(self) -> dict[str, str]:
        """What the user gave the target in its environment, by name, in every mode."""
        asked = self.allowed.read_only
        modes = {name: mode.env for name, mode in self.modes.items()}
        modes |= {"read_only": asked.env} if asked is not None else {}
        more = {f"{name} ({mode})": value for mode, env in modes.items() for name, value in env.items()}
        return {**self.env, **more}


def _process(command: Sequence[str], env: Mapping[str, str], cwd: str | None) -> Target:
    from .targets.process import Process  # a run that only lists needs no process

    return Process(command, env=dict(env) or None, cwd=cwd)


class Kit:
    """The run itself. `facts` has one entry for each revision that is tested; `also` are others that it speaks."""

    def __init__(self, plan: Plan, requirements: Mapping[str, Requirement]) -> None:
        self.plan = plan
        self.requirements = requirements
        players = dict.fromkeys(listing.ids(), listing.play)
        self.runner = Runner(plan.launch, plan.settings, requirements, plan.launch_for, players)
        self._gate = Runner(plan.launch_restricted, plan.settings, requirements)
        self._gate.processes.tallies = self.runner.processes.tallies  # the standing checks look at every process
        self._restricted = Facts("", restricted=True)
        self._shut = ""
        self.facts: list[Facts] = []
        self.unopened: OpeningError | None = None
        self.reason = ""
        self.also: tuple[str, ...] = ()
        self.tally: dict[str, standing.Tally] = self.runner.processes.tallies
        self._applying: dict[tuple[str, str, bool], bool] = {}
        self._made: tuple[tuple[Case, Facts], ...] | None = None
        self.started = datetime.datetime.now(datetime.UTC)
        self._clock = time.monotonic()

    # -- opening

    def begin(self) -> None:
        """Start what `open` will need: which of the two eras a target speaks is asked in a process for each."""
        self.runner.processes.foresee(2 if self.plan.revision in {"auto", "all"} else 1)

    def open(self) -> None:
        """Find out which revisions the target speaks and what it declares; a target that cannot be opened is noted."""
        self._open()
        if self.asks_for_safety and self.plan.allowed.read_only is not None:
            self._open_restricted()

    def _open_restricted(self) -> None:
        try:
            self._restricted = replace(self._gate.discover(self.facts[0].revision), restricted=True)
        except OpeningError as error:
            said = error.mismatches[0].actual if error.mismatches else "nothing came"
            self._shut = f"the restricted target did not complete its opening: {said}"

    def _open(self) -> None:
        wanted = self.plan.revision
        asked = eras.HANDSHAKE[0] if wanted in {"auto", "all"} else wanted
        try:
            found = self.runner.discover(asked)
        except OpeningError as error:
            # One that said nothing at all is not waited for twice as long.
            silent = not any(entry.direction == "<" for entry in error.transcript)
            settings = self.plan.settings
            patience = min(settings.startup, settings.timeout) if silent else settings.startup
            if wanted not in {"auto", "all"} or not (self._try_stateless(patience) or self._try_alone(asked)):
                self.unopened = error
                self.reason = "the target did not complete its opening, see session/opening"
                self.facts = [Facts(asked)]
            return
        if wanted not in {"auto", "all", found.revision}:
            self.reason = f"the target does not speak {wanted}: it answered with {found.revision}"
            self.facts = [Facts(wanted)]
            return
        # A target that was up within this time, and is silent for longer now, does not know the question.
        patience = min(self.plan.settings.startup, self.plan.settings.timeout + self.elapsed())
        if wanted in {"auto", "all"} and self._try_stateless(patience) and wanted == "auto":
            self.runner.processes.release(found.revision)
            self.also = (found.revision,)
            return
        self.facts.append(found)
        if wanted == "all":
            for revision in eras.HANDSHAKE:
                if revision not in {asked, found.revision}:
                    self._try(revision)
            self.facts.sort(key=lambda facts: facts.revision, reverse=True)

    def _try_stateless(self, patience: float) -> bool:
        """Ask in a process of its own, since some servers die of the question and some are pinned by it."""
        found = [self._try(revision, patience) for revision in eras.STATELESS]
        return any(found)

    def _try_alone(self, asked: str) -> bool:
        """Ask for each era once more with no other process there, if one had answered: it may have stood in the way."""
        for revision in (asked, *eras.STATELESS):
            if not self.runner.processes.clear():
                return False
            with contextlib.suppress(OpeningError):
                self.facts.append(self.runner.discover(revision))
                return True
        return False

    def _try(self, revision: str, patience: float | None = None) -> bool:
        try:
            found = self.runner.discover(revision, patience)
        except OpeningError:
            return False
        if found.revision == revision:
            self.facts.append(found)
        return found.revision == revision

    def adopt(self, data: Mapping[str, Any]) -> None:
        """Take over what another process has learnt by `handover`."""
        self.facts = [opening.from_plain(each) for each in data["facts"]]
        self.reason = str(data["reason"])
        self._restricted = opening.from_plain(data["restricted"])
        self._shut = str(data["shut"])

    def handover(self) -> dict[str, Any]:
        """What a worker needs in order not to ask the target itself."""
        return {
            "facts": [opening.plain(each) for each in self.facts],
            "reason": self.reason,
            "restricted": opening.plain(self._restricted),
            "shut": self._shut,
        }

    # -- cases

    @property
    def asks_for_safety(self) -> bool:
        """Whether tools of the target are to be called, beyond what case files call. No target can give that leave."""
        return PROFILE in self.plan.settings.profiles and not self.reason

    @functools.cached_property
    def maker(self) -> Maker:
        """What makes the cases that call tools."""
        from .safety.made import Maker

        return Maker(self.plan.allowed)

    def made(self) -> tuple[tuple[Case, Facts], ...]:
        """The cases that are made from the catalogue; at one revision, since arguments are the same at all."""
        if self._made is None:
            self._made = self._snapshots()
            if self.asks_for_safety and self.facts:
                full = self.facts[0]
                found = [(case, full) for case in (*self.maker.cases(full), *self.maker.annotated(full))]
                if (asked := self.plan.allowed.read_only) is not None:
                    facts = replace(self._restricted, revision=full.revision) if self._shut else self._restricted
                    from .safety.gate import Restricted

                    gate = Restricted(asked, full, facts, self._shut)
                    found += [(case, facts) for case in self.maker.gated(gate)]
                self._made = (*found, *self._made)
        return self._made

    def _snapshots(self) -> tuple[tuple[Case, Facts], ...]:
        """The cases that hold the catalogue against a folder; of the first revision, since a snapshot has none."""
        if self.plan.snapshots is None or self.reason or not self.facts:
            return ()
        hide = Secrets(self.plan.secrets).hide
        return tuple((case, self.facts[0]) for case in snapshots.cases(self.plan.snapshots, hide))

    def turn(self, case: Case, facts: Facts) -> Turn:
        """When a case is best played, so that processes start while others are in use, and few for who takes over."""
        if not self._applies(case, facts):
            return Turn.WHEREVER
        if self.plan.settings.isolate or case.session not in {"fresh", "last"}:
            return Turn.USUAL
        if case.session == "last":
            return Turn.SPREAD_FIRST if case.opening is not None else Turn.LAST
        return Turn.USUAL if self.runner.processes.resets(case, facts) else Turn.SPREAD

    def _applies(self, case: Case, facts: Facts) -> bool:
        key = (case.id, facts.revision, facts.restricted)
        if (known := self._applying.get(key)) is None:
            claimed = frozenset((*facts.profiles, *self.plan.settings.profiles))
            reason = self.reason or gating.not_applicable(case, self.requirements, facts, claimed)
            known = self._applying[key] = not reason
        return known

    def foresee(self, cases: Iterable[tuple[Case, Facts]]) -> None:
        """Say which cases will be played, so that processes can be started ahead of need."""
        starts = 0
        kinds = set()
        last: Counter[str] = Counter()
        for case, facts in cases:
            if not self._applies(case, facts):
                continue
            if self.runner.processes.resets(case, facts):
                kinds.add((RESET, facts.revision))
            elif case.id in listing.PROPERTIES:
                kinds |= {(case.area, facts.revision)} if case.session == "fresh" else set()
            elif case.session == "fresh" or self.plan.settings.isolate:
                starts += 1
            elif case.session == "last":
                last["" if case.opening is not None else facts.revision] += 1
            elif case.session == "rough":
                kinds.add((case.session, facts.revision))
        self.runner.processes.foresee(starts + len(kinds), last)

    def suffix(self, facts: Facts) -> str:
        """What stands behind a case id."""
        return f"@{facts.revision}" if self.plan.revision == "all" else ""

    def run(self, case: Case, facts: Facts) -> Record:
        """Play a case, and say what came of it as a record."""
        if self.reason:
            outcome = Outcome(
                case=case,
                revision=facts.revision,
                verdict=Verdict.NOT_EXERCISED,
                level=gating.level(case, self.requirements, facts.revision),
                reason=self.reason,
                requirements=case.covers,
            )
        else:
            outcome = (self._gate if facts.restricted else self.runner).run(case, facts)
        return record(outcome, self.requirements, suffix=self.suffix(facts))

    def close(self) -> None:
        """End every process, and let the standing checks judge what was still said."""
        self.runner.close()
        self._gate.close()

    def kill(self) -> None:
        """End every process at once."""
        self.runner.kill()
        self._gate.kill()

    def standing(self) -> list[Record]:
        """The records of the standing checks, for every revision that was tested."""
        records = []
        for facts in self.facts:
            tally = self.tally.get(facts.revision, standing.Tally())
            outcomes = standing_outcomes(tally, self.requirements, facts.revision, self.plan.settings, facts)
            for outcome in outcomes:
                shown = outcome
                if self.unopened is not None:
                    shown = self._unopened(outcome, self.unopened, tally)
                records.append(record(shown, self.requirements, suffix=self.suffix(facts)))
        return records

    def _unopened(self, outcome: Outcome, error: OpeningError, tally: Tally) -> Outcome:
        """One root cause is told once: the opening failed, by what broke the wire in it, and nothing else was tried."""
        if outcome.case.id != "session/opening":
            return replace(outcome, verdict=Verdict.NOT_EXERCISED, reason=self.reason, mismatches=(), transcript=())
        rules = (self.requirements.get(violation.requirement) for violation in tally.violations)
        broken = [rule.id for rule in rules if rule is not None and rule.applies_at(outcome.revision)]
        return replace(
            outcome,
            verdict=Verdict.FAILED,
            reason="",
            requirements=tuple(dict.fromkeys((*outcome.requirements, *broken))),
            mismatches=(*error.mismatches, *standing.mismatches(tally.violations)[:1]),
            transcript=error.transcript,
            stderr=error.stderr,
        )

    def target(self) -> dict[str, Any]:
        """The target, as the reports name it."""
        known = [] if self.unopened or self.reason else self.facts
        server = known[0].server if known else {}
        profiles = sorted({"mcp", *self.plan.settings.profiles, *(name for each in known for name in each.profiles)})
        return {
            "command": list(self.plan.command),
            "server": {key: value for key, value in server.items() if isinstance(value, str)},
            "profiles": profiles,
            "revisions": [
                {
                    "revision": each.revision,
                    "era": "stateless" if eras.is_stateless(each.revision) else "handshake",
                    "capabilities": lower(dict(each.capabilities)),
                }
                for each in known
            ],
        }

    def elapsed(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self._clock
