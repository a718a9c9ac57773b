"""The reference with a fault or a variant in it, judged by the cases: which turn red.

The reference is reached by its port alone, by name, since the folders do not import each other: `FAULTS`, `VARIANTS`
and `make` of its package of faults. What needs no process is played without one, where a silent server costs no wait.

This module must never judge whether what turned red is right; coverage.py does.
"""

from __future__ import annotations

import gc
import importlib
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from typing import Any, Final, Protocol

from .. import standing, suite
from ..casefile import cases
from ..config import ReadOnly
from ..kit import Kit, Plan
from ..model import Case, Location, Requirement
from ..protocol import eras
from ..runner import Settings
from ..safety import made
from ..safety.allowed import PROFILE, Allowed
from ..targets.inprocess import InProcess
from ..targets.target import Target

REFERENCE: Final = "mcp_tck.reference"
SMOKE: Final = 30
"""About so many cases are played beside those that name a fault's requirements."""
WIRE: Final = ("mcp/base", "mcp/stdio", "server/parse")
"""The areas whose cases provoke what the standing checks look at."""
GATE: Final = "SAFE-GATE-"
SAFETY: Final = "SAFE-"
"""How the ids of requirements begin that cases made from a catalogue show."""
STANDING: Final = frozenset(name for _, covers in standing.CHECKS.values() for name in covers)
ENOUGH: Final = 60
"""So many red cases, with one for each requirement, need no company."""
RED: Final = frozenset({"failed", "warned"})


class Fault(Protocol):
    """What is asked of a fault of the reference, or of a variant, whose `breaks` is empty."""

    name: str
    breaks: tuple[str, ...]
    what: str
    also: tuple[str, ...]
    why: str
    revision: str | None
    features: bool
    bare: bool
    needs_process: bool


@dataclass(frozen=True, slots=True)
class Port:
    """The reference's faults, its variants, what no case can see, and how a server with some of them is made."""

    faults: Mapping[str, Fault]
    variants: Mapping[str, Fault]
    unseen: Mapping[str, str]
    make: Callable[..., Any]


READ_ONLY: Final = ReadOnly(
    at=Location("", 0, 0),
    args=("--read-only",),
    unclassified=("undo_last",),
    refuse=(("update_document", {"document": "Notes", "text": "This must not be here."}),),
    state=(("read_document", {"document": "Notes"}),),
)
"""How the reference is tried in read-only mode."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What came of one fault or variant: the red cases with the requirements that they name, and how many were played.

    `words` has for some red cases what was seen; `errors` are cases that could not be played at all.
    """

    name: str
    red: Mapping[str, tuple[str, ...]]
    played: int
    words: Mapping[str, str] = field(default_factory=dict)
    errors: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Cases:
    """The bundled cases and requirements, and the few cases that stand for all."""

    requirements: Mapping[str, Requirement]
    all: Sequence[Case]
    smoke: frozenset[str]


def port() -> Port:
    """The reference's port; a package without it is an ImportError."""
    module = importlib.import_module(f"{REFERENCE}.faults")
    return Port(module.FAULTS, module.VARIANTS, module.UNSEEN, module.make)


def load() -> Cases:
    """Read the bundled spec and cases; raises ValueError with the first problem of a file."""
    requirements, problems = suite.requirements()
    loaded = suite.load(cases.find(suite.FIXTURES))
    for problem in (*problems, *loaded.problems):
        raise ValueError(str(problem))
    every = [case for found in loaded.files.values() for case in found]
    return Cases(requirements, every, smoke(every))


def smoke(every: Sequence[Case]) -> frozenset[str]:
    """Cases spread evenly over all files, the same at every call: of each file the one in the middle, then thinned."""
    by_file: dict[str, list[Case]] = {}
    for case in every:
        if case.session != "fresh":
            by_file.setdefault(case.file, []).append(case)
    middle = [found[len(found) // 2].id for found in by_file.values()]
    step = max(1, len(middle) // SMOKE)
    return frozenset(middle[::step])


class _Plan(Plan):
    """A plan whose target is a function in this process, made anew for each process that a run would start."""

    made: Callable[[], Any]

    restricted: Callable[[], Any]

    def launch(self) -> Target:
        return InProcess(self.made().handler)

    def launch_restricted(self) -> Target:
        return InProcess(self.restricted().handler)


def _plan(fault: Fault, reference: Port) -> Plan:
    revision = fault.revision or eras.HANDSHAKE[0]
    words = [*(() if fault.bare else ("--probe",)), *(("--features",) if fault.features else ())]
    if fault.needs_process:
        option = "--fault" if fault.breaks else "--variant"
        command = (sys.executable, "-m", REFERENCE, *words, option, fault.name)
        # A right answer takes a millisecond; a wrong one must not cost seconds.
        return Plan(command, revision=revision, settings=Settings(timeout=1.0, startup=10.0))
    # A silent function costs no wait, so there is no reason to give up on it.
    settings = Settings(hangs=10**6, reset=False, profiles=(PROFILE,) if calls_tools(fault) else ())
    gated = any(name.startswith(GATE) for name in fault.breaks)
    allowed = Allowed(read_only=READ_ONLY if gated else None)
    plan = _Plan((REFERENCE, fault.name), revision=revision, settings=settings, allowed=allowed)
    object.__setattr__(plan, "made", lambda: reference.make((fault,), probe=not fault.bare, features=fault.features))
    restrict = partial(reference.make, (fault,), probe=False, read_only=True, features=fault.features)
    object.__setattr__(plan, "restricted", restrict)
    return plan


def calls_tools(fault: Fault) -> bool:
    """Whether cases that are made from the catalogue are played on a fault or variant."""
    return not fault.needs_process and any(name.startswith(SAFETY) for name in (*fault.breaks, *fault.also))


def chosen(fault: Fault, known: Cases) -> list[Case]:
    """The cases that are played on a fault, those that name its requirements first; on a variant every case.

    What the standing checks look at is provoked by cases that name something else, mostly those of the wire.
    """
    ids = set(fault.breaks)
    if not ids:
        return [case for case in known.all if not fault.needs_process or case.session == "shared"]
    naming = [case for case in known.all if ids & set(case.covers)]
    wire = bool(ids & STANDING) and not fault.needs_process
    return naming + [
        case
        for case in known.all
        if not ids & set(case.covers)
        and (case.id in known.smoke or (wire and case.session != "fresh" and case.area.startswith(WIRE)))
    ]


def caught(fault: Fault, red: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether each requirement that a fault breaks has a red case."""
    return set(fault.breaks) <= {name for names in red.values() for name in names}


def play(fault: Fault, known: Cases, reference: Port) -> Shown:
    """Play the chosen cases and the standing checks on the reference with one fault or variant."""
    kit = Kit(_plan(fault, reference), known.requirements)
    red: dict[str, tuple[str, ...]] = {}
    words: dict[str, str] = {}
    errors: list[str] = []
    played = 0
    begun = time.monotonic()

    def note(record: Mapping[str, Any]) -> None:
        nonlocal played
        outcome = record["outcome"]
        played += outcome in RED or outcome == "passed"
        if outcome == "error":
            errors.append(f"{record['id']}: {record['reason']}")
        if outcome in RED:
            red[record["id"]] = tuple(record["requirements"])
            seen = [
                f"{each['pointer']}: expected {each['expected']}, got {each['actual']}" for each in record["mismatches"]
            ]
            words[record["id"]] = "; ".join((*seen[:1], record["reason"]))[:300]

    try:
        kit.open()
        ids = set(fault.breaks)
        calling = [pair for pair in kit.made() if not ids or ids & set(pair[0].covers)]
        for case, facts in (*calling, *((case, kit.facts[0]) for case in chosen(fault, known))):
            if fault.breaks and len(red) >= ENOUGH and caught(fault, red):
                break
            note(kit.run(case, facts))
    finally:
        kit.close()
    for record in kit.standing():
        note(record)
    return Shown(fault.name, red, played, words, tuple(errors), time.monotonic() - begun)


_held: list[tuple[Cases, Port]] = []


def _hold() -> None:
    """Give a worker process its cases and its reference once; what stays is not looked through for garbage again."""
    if not _held:
        _held.append((load(), port()))
    gc.freeze()
    gc.set_threshold(200_000)


def _play_named(name: str) -> Shown:
    known, reference = _held[0]
    return play(reference.faults.get(name) or reference.variants[name], known, reference)


def play_all(faults: Iterable[Fault], known: Cases, reference: Port, *, workers: int = 2) -> dict[str, Shown]:
    """Play many, in so many worker processes; those that need processes of their own wait in threads beside them."""
    wanted = list(faults)
    here = [fault for fault in wanted if fault.needs_process]
    there = [fault for fault in wanted if not fault.needs_process]
    _held[:] = [(known, reference)]
    try:
        with (
            ProcessPoolExecutor(workers, mp_context=_context(), initializer=_hold) as processes,
            ThreadPoolExecutor(2 * workers) as threads,
        ):
            running: list[Future[Shown]] = [processes.submit(_play_named, fault.name) for fault in there]
            running += [threads.submit(play, fault, known, reference) for fault in here]
            found = {shown.name: shown for shown in (future.result() for future in as_completed(running))}
    finally:
        _held.clear()
    return {fault.name: found[fault.name] for fault in wanted}


def _context() -> Any:
    """Workers that inherit what was read, where the system can; elsewhere each reads for itself."""
    return get_context("fork" if sys.platform == "linux" else "spawn")


def standing_cases() -> list[Case]:
    """The standing checks as cases, and for each kind of made cases one that stands for them."""
    return [*(standing.case(check) for check in standing.CHECKS), *made.kinds()]
