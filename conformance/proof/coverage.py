"""Requirement by case by fault: what is shown by which case, and which case is shown to be able to fail.

A case that no wrong server turns red proves nothing, and a fault that no case sees is a hole. This module holds what
was seen (killing.py) against what has to be. It must never start anything or read a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..model import Level, Requirement
from ..properties import listing
from .killing import Cases, Fault, Port, Shown, standing_cases


@dataclass(frozen=True, slots=True)
class Hole:
    """One thing that the proof lacks: what, and what to do about it."""

    about: str
    what: str
    hint: str

    def __str__(self) -> str:
        return f"{self.about}: {self.what} ({self.hint})"


@dataclass(slots=True)
class Row:
    """One requirement: the ids of its cases, and for each fault that breaks it the cases that caught that."""

    requirement: Requirement
    cases: list[str] = field(default_factory=list)
    faults: dict[str, list[str]] = field(default_factory=dict)


@dataclass(slots=True)
class Coverage:
    """The whole table, by requirement id, and its holes."""

    rows: dict[str, Row]
    holes: list[Hole] = field(default_factory=list)
    played: int = 0

    @property
    def ok(self) -> bool:
        """Whether nothing is missing."""
        return not self.holes


def judge(known: Cases, reference: Port, shown: Mapping[str, Shown]) -> Coverage:
    """Hold what turned red against what has to; of faults and variants only those that were played."""
    rows = _rows(known)
    coverage = Coverage(rows, played=sum(each.played for each in shown.values()))
    for name, fault in reference.faults.items():
        if name in shown:
            coverage.holes.extend(_of_fault(fault, shown[name], rows))
    for name in reference.variants:
        if name in shown:
            coverage.holes.extend(_of_variant(reference.variants[name], shown[name], rows))
    return coverage


def claimed(known: Cases, reference: Port) -> Coverage:
    """The table as it is when every fault is caught for each requirement that it says it breaks."""
    rows = _rows(known)
    for name, fault in reference.faults.items():
        for broken in fault.breaks:
            if broken in rows:
                rows[broken].faults[name] = []
    return Coverage(rows)


def _rows(known: Cases) -> dict[str, Row]:
    rows = {name: Row(requirement) for name, requirement in known.requirements.items()}
    # Properties are no part of what is played on every fault: each costs a hundred cases. Their own tests do that.
    for case in (*known.all, *listing.cases(), *standing_cases()):
        for name in case.covers:
            if name in rows:
                rows[name].cases.append(case.id)
    return rows


def of_requirements(coverage: Coverage) -> list[Hole]:
    """What the requirements lack, once every fault was played."""
    holes = []
    for name, row in coverage.rows.items():
        if row.requirement.untestable is not None:
            continue
        if not row.cases:
            holes.append(Hole(name, "no case names it", "write one, or say untestable and why"))
        elif row.requirement.level is Level.MUST and not row.faults:
            holes.append(Hole(name, "no fault that breaks it is caught", "write one in reference/faults"))
    return holes


def _of_fault(fault: Fault, shown: Shown, rows: Mapping[str, Row]) -> Iterable[Hole]:
    about = f"fault {fault.name}"
    for error in shown.errors:
        yield Hole(about, f"a case cannot be played: {error}", "mend the case")
    for name in fault.breaks:
        if name not in rows:
            yield Hole(about, f"breaks {name}, which no page has", "mend the id")
            continue
        caught = [case for case, names in shown.red.items() if name in names]
        if caught:
            rows[name].faults[fault.name] = caught
        elif shown.red:
            first = ", ".join(list(shown.red)[:3])
            yield Hole(about, f"no case of {name} turns red, but others do: {first}", "write a case, or mend the ids")
        else:
            yield Hole(about, f"survives: no case of {name} turns red", "write a case that sees it")
    for case, names in shown.red.items():
        if not set(fault.breaks) & set(names) and not declared(fault, case, names):
            yield Hole(
                about,
                f"{case} turns red, which shows {', '.join(names)}: {shown.words.get(case, '')}",
                "mend the fault or the case, or declare it beside the fault",
            )


def _of_variant(variant: Fault, shown: Shown, rows: Mapping[str, Row]) -> Iterable[Hole]:
    about = f"variant {shown.name}"
    for error in shown.errors:
        yield Hole(about, f"a case cannot be played: {error}", "mend the case")
    for case, names in shown.red.items():
        advised = not any(rows[name].requirement.level is Level.MUST for name in names if name in rows)
        if advised and declared(variant, case, names):
            continue
        yield Hole(about, f"{case} turns red: {shown.words.get(case, '')}", "the server is right; mend the case")
    if not shown.played:
        yield Hole(about, "no case was played", "mend the variant")


def declared(fault: Fault, case: str, names: Iterable[str]) -> bool:
    """Whether a fault says itself that a case may turn red: by the beginning of a requirement's id, or by case id."""
    for word in fault.also:
        if "/" in word:
            before, star, behind = word.partition("*")
            if case == word or (star and case.startswith(before) and case.endswith(behind)):
                return True
        elif any(name.startswith(word) for name in names):
            return True
    return False


def document(coverage: Coverage, reference: Port) -> dict[str, Any]:
    """The table as JSON's plain data."""
    return {
        "format": 1,
        "requirements": [
            {
                "id": name,
                "level": row.requirement.level.value,
                "text": row.requirement.text,
                "untestable": row.requirement.untestable,
                "cases": row.cases,
                "faults": row.faults,
            }
            for name, row in coverage.rows.items()
        ],
        "faults": [
            {"name": name, "breaks": list(fault.breaks), "what": fault.what, "also": list(fault.also), "why": fault.why}
            for name, fault in reference.faults.items()
        ],
        "variants": [{"name": name, "what": variant.what} for name, variant in reference.variants.items()],
        "unseen": [{"what": what, "why": why} for what, why in reference.unseen.items()],
        "holes": [{"about": hole.about, "what": hole.what, "hint": hole.hint} for hole in coverage.holes],
    }
