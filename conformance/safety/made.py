"""From a target's catalogue to made cases, always the same for the same catalogue and configuration.

A made case has an id like every other, `safety/arguments::TOOL.ARGUMENT[odd]`, a title, requirements and an outcome; it
stands in no file. This module must never call anything: it says what would be called.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from ..calling import Caller
from ..config import Call
from ..model import Case, Location
from ..opening import Facts
from ..session import Played
from ..values import Absent, same
from . import boundaries, differential, errors, fidelity, gate, generated, hints, odd
from .allowed import PREFIX, Allowed
from .bench import Bench, Memory
from .plan import Permits, permits
from .schema_values import Tool

KINDS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "safety/arguments": (
        "an odd spelling of an argument is read as what it says, or refused",
        tuple(dict.fromkeys(name for names in differential.COVERS.values() for name in names)),
    ),
    "safety/errors": (
        "a refusal tells whoever called what to mend",
        tuple(dict.fromkeys((*errors.COVERS, *errors.MISSING_COVERS))),
    ),
    "safety/boundaries": (
        "what the tool's own schema forbids is refused",
        (boundaries.BOUND, boundaries.REQUIRED, boundaries.UNKNOWN, differential.UNANSWERED, differential.UNSAID),
    ),
    "safety/generated": (
        "no drawn call that the tool's own schema forbids is accepted",
        (boundaries.BOUND, differential.UNANSWERED),
    ),
    "safety/fidelity": (
        "what a tool gives back is what it was given",
        (fidelity.TEXT, fidelity.WHOLE, fidelity.LARGE, fidelity.TAKEN),
    ),
    "safety/annotations": ("a tool's annotations do not contradict each other or its name", (hints.CONTRADICTS,)),
    "safety/read-only": ("a target that is restricted lists, does and changes nothing that it must not", gate.ALL),
}
"""What made cases show, by area: a title for all of them, and the requirements."""

_OUTSIDE: Final = re.compile(r"[^A-Za-z0-9_./-]")


@dataclass(slots=True)
class Budget:
    """What was spent of the budget by this process of the kit."""

    allowed: Allowed
    calls: int = 0
    began: float = 0.0

    def spent(self) -> str:
        """Why no more may be called; empty while something is left."""
        self.began = self.began or time.monotonic()
        if self.calls >= self.allowed.calls:
            return f"the budget of {self.allowed.calls} calls is spent"
        if time.monotonic() - self.began > self.allowed.seconds:
            return f"the budget of {self.allowed.seconds:g} s is spent"
        return ""


class Act(Protocol):
    """What is played, and every call that it may make."""

    def __call__(self, caller: Caller) -> Played:
        """Play it."""

    def foreseen(self) -> Iterator[Call]:
        """The calls, but for arguments that are drawn; more than will be made is no harm."""


@dataclass(frozen=True, slots=True)
class Script:
    """What a made case does, within the budget."""

    run: Act
    budget: Budget
    repeats: bool

    def __call__(self, caller: Caller) -> Played:
        """Play it, or say that the budget is spent."""
        if why := self.budget.spent():
            return Played(unread=why)
        played = self.run(caller)
        self.budget.calls += caller.calls
        return played

    def foreseen(self) -> Iterator[Call]:
        """Every call that it may make, but for arguments that are drawn."""
        return self.run.foreseen()

    def drawn(self) -> int:
        """How many calls it may make with arguments that are drawn."""
        return self.run.most if isinstance(self.run, generated.Generated) else 0

    def tool(self) -> str:
        """The tool that drawn arguments are for."""
        return self.run.permit.tool if isinstance(self.run, generated.Generated) else ""


class Maker:
    """Makes the cases of one target. `permits` by revision; what is learnt while playing is shared by all cases."""

    def __init__(self, allowed: Allowed) -> None:
        self.allowed = allowed
        self.budget = Budget(allowed)

    def permits(self, facts: Facts) -> Permits:
        """What may be called at a revision."""
        return permits(facts, self.allowed.call)

    def cases(self, facts: Facts) -> Iterator[Case]:
        """All made cases at a revision."""
        memory = Memory()
        for name, permit in self.permits(facts).may.items():
            tool = Tool(facts.tools[name])
            for argument, schema in tool.arguments.items():
                bench = Bench(permit, tool, argument, schema, memory)
                yield from self._arguments(bench)
                yield from self._errors(bench)
                yield from self._boundaries(bench)
                yield from self._fidelity(bench)
            if any(generated.bounded(schema) for schema in tool.arguments.values()):
                yield self._case(
                    f"generated::{slug(name)}",
                    f"{name} refuses whatever its own schema forbids",
                    KINDS["safety/generated"][1],
                    generated.Generated(permit, tool, memory),
                    repeats=permit.reads,
                )
            if boundaries.closed(tool) and tool.arguments:
                stranger = Bench(permit, tool, boundaries.STRANGE, {}, memory)
                beyond = boundaries.Beyond("additionalProperties", True, boundaries.UNKNOWN)
                yield self._boundary(
                    stranger, beyond, f"{slug(name)}[unknown-argument]", boundaries.unknown_title(name)
                )

    def annotated(self, facts: Facts) -> Iterator[Case]:
        """What the annotations of the tools say of each other."""
        for name, tool in facts.tools.items():
            if hints.says_that_it_reads(tool):
                title = f"nothing speaks against what {name} says, that it only reads"
                script = hints.Annotated(name, tool)
                yield self._case(f"annotations::{slug(name)}", title, (hints.CONTRADICTS,), script, repeats=True)

    def gated(self, restricted: gate.Restricted) -> Iterator[Case]:
        """The cases of a target that was started restricted."""
        for name, requirement, title in (
            ("subset", gate.SUBSET, "a restricted target lists no tool that it lacks otherwise"),
            ("declares-no-write", gate.DECLARES, "a restricted target lists no tool that says that it writes"),
        ):
            script = gate.Listed(restricted, requirement)
            yield self._case(f"read-only::{name}", title, (requirement,), script, repeats=True)
        for tool in restricted.asked.unclassified:
            script = gate.Listed(restricted, gate.UNCLASSIFIED, tool)
            title = f"{tool}, which nobody has classified, is not listed by a restricted target"
            yield self._case(
                f"read-only::unclassified[{slug(tool)}]", title, (gate.UNCLASSIFIED,), script, repeats=True
            )
        numbers: dict[tuple[str, str], int] = {}
        for forbidden in gate.forbidden(restricted):
            number = numbers[forbidden.tool, forbidden.form] = numbers.get((forbidden.tool, forbidden.form), 0) + 1
            name = slug(gate.slug_of((forbidden.tool, forbidden.arguments), number - 1))
            yield self._case(
                f"read-only::refused[{name}-{forbidden.form}]",
                gate.title(forbidden),
                (gate.REFUSED, gate.CHANGED),
                forbidden,
                repeats=False,
            )

    def head(self, facts: Facts) -> list[str]:
        """What the head of a run says: what will be called, and why."""
        spend = f"at most {self.allowed.calls} calls in {self.allowed.seconds:g} s"
        restricted = []
        if asked := self.allowed.read_only:
            names = ", ".join(dict.fromkeys(tool for tool, _ in (*asked.refuse, *asked.state)))
            restricted = [
                f"mcp-tck: safety calls on the restricted target, as the configuration says: {names or 'nothing'}"
            ]
        return [*self.permits(facts).head(), *restricted, f"mcp-tck: safety spends {spend}"]

    def _arguments(self, bench: Bench) -> Iterator[Case]:
        listed = isinstance(bench.schema.get("enum"), list) and bench.kinds() == {"string"}
        for row in odd.for_kinds(bench.kinds(), listed=listed):
            if possible(bench, row):
                yield self._case(
                    f"arguments::{slug(bench.place)}[{row.name}]",
                    differential.title(bench, row),
                    differential.COVERS[row.means],
                    differential.Differential(bench, row),
                    repeats=bench.permit.reads,
                )

    def _errors(self, bench: Bench) -> Iterator[Case]:
        for missing in (False, True):
            if bench.required if missing else errors.judgeable(bench):
                what = "missing" if missing else "wrong"
                yield self._case(
                    f"errors::{slug(bench.place)}[{what}]",
                    f"a call of {bench.permit.tool} whose {bench.name} is {what} is refused helpfully",
                    errors.MISSING_COVERS if missing else errors.COVERS,
                    errors.Refusal(bench, missing),
                    repeats=bench.permit.reads,
                )

    def _boundaries(self, bench: Bench) -> Iterator[Case]:
        for beyond in boundaries.beyond(bench.tool, bench.name, bench.schema):
            name = f"{slug(bench.place)}[{slug(boundaries.keyword_slug(beyond.keyword))}]"
            yield self._boundary(bench, beyond, name, "")

    def _fidelity(self, bench: Bench) -> Iterator[Case]:
        for kind, noun, covers in (
            ("string", "texts", (fidelity.TEXT, fidelity.TAKEN)),
            ("integer", "numbers", (fidelity.WHOLE, fidelity.LARGE)),
        ):
            if kind in bench.kinds() and not bench.schema.keys() & {"enum", "const"}:
                yield self._case(
                    f"fidelity::{slug(bench.place)}[{noun}]",
                    f"{noun} given to {bench.place} come back as they were",
                    covers,
                    fidelity.Fidelity(bench, kind),
                    repeats=bench.permit.reads,
                )

    def _boundary(self, bench: Bench, beyond: boundaries.Beyond, name: str, title: str) -> Case:
        script = boundaries.Boundary(bench, beyond)
        covers = (beyond.requirement, differential.UNANSWERED, differential.UNSAID)
        repeats = bench.permit.reads
        return self._case(f"boundaries::{name}", title or script.title, covers, script, repeats=repeats)

    def _case(self, name: str, title: str, covers: tuple[str, ...], run: Act, *, repeats: bool) -> Case:
        return Case(
            id=f"{PREFIX}{name}",
            file="",
            at=Location("", 0, 0),
            title=title,
            area=f"{PREFIX}{name.partition('::')[0]}",
            covers=covers,
            steps=(),
            script=Script(run, self.budget, repeats),
        )


def kinds() -> list[Case]:
    """One case for each area, that stands for all cases which are made from a catalogue."""
    at = Location("", 0, 0)
    return [Case(area, "", at, title, area, covers, ()) for area, (title, covers) in KINDS.items()]


def possible(bench: Bench, row: odd.Odd) -> bool:
    """Whether a spelling is odd for an argument: its good value fits the schema, and what is sent does not.

    A spelling that the schema allows too, and that says the good value, stays: 3.0 for 3.
    """
    good = bench.offered()
    if not isinstance(row.of, Absent):
        if not any(same(row.of, value) for value in good) and not bench.tool.allows(bench.schema, row.of):
            return False
        good = [row.of]
    for value in good:
        sent = row.spell(value)
        if isinstance(sent, str) and "string" in bench.kinds() and not row.kinds & {"string", "enum"}:
            return False  # where texts are taken, a text is taken as one
        if not isinstance(sent, Absent):
            fits = bench.tool.allows(bench.schema, sent)
            return not fits or (row.means == "same" and same(sent, value))
    return False


def slug(name: str) -> str:
    """A name as a part of a case id: letters, digits and a few signs; what else there is by its code."""
    return _OUTSIDE.sub(lambda found: f"~{ord(found[0]):x}~", name)
