"""The HTML report: one file that needs no network. What is wrong stands first, then every case by area and requirement.

It can be read without scripts; they only filter and move. This module must never load, or point a script to, anything
outside the page.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..outcomes import Record
from . import digest
from .links import link
from .material import Material
from .rendering import render
from .shown import shown

LINE_LIMIT = 4000


@dataclass(frozen=True, slots=True)
class Line:
    """A requirement and the records that show it; the id is empty for cases that name none."""

    id: str
    level: str
    text: str
    source: str
    url: str | None
    outcome: str
    cases: Sequence[Rows]

    @property
    def count(self) -> int:
        """How many cases show it, each row one."""
        return sum(each.count for each in self.cases)


@dataclass(slots=True)
class Rows:
    """Rows of one case that came out alike, told together; a case without rows stands alone.

    `rows` are the names of the rows in brackets; `told` is the number of the finding that tells more; `duration` is the
    sum, in seconds.
    """

    id: str
    outcome: str
    title: str
    reason: str
    portrait: Sequence[str]
    told: int | None
    rows: list[str] = field(default_factory=list)
    duration: float = 0.0

    @property
    def count(self) -> int:
        """How many rows there are."""
        return max(1, len(self.rows))


def write(material: Material) -> str:
    """The report as text."""
    records = material.document["cases"]
    found = shown(material, limit=LINE_LIMIT)
    told = {each["id"]: number for number, one in enumerate(found) for each in (one.record, *one.others)}
    return render(
        "report.html.j2",
        report=material.document,
        target=digest.target_line(material.document["target"]),
        command=shlex.join(material.document["target"]["command"]),
        verdict=digest.verdict(records),
        completeness=digest.completeness(records),
        table=digest.table(records),
        portrait=digest.portrait(records),
        slowest=digest.slowest(records),
        findings=found,
        areas=areas(records, material, told),
        outcomes=digest.OUTCOMES,
        words=digest.WORDS,
    )


def areas(records: Sequence[Record], material: Material, told: Mapping[str, int]) -> dict[str, list[Line]]:
    """The requirements by area, each with its cases; a case stands under every requirement that it shows.

    `told` has the number of the finding for each record, by id, of which more is told.
    """
    grouped: dict[str, dict[str, list[Record]]] = {}
    for record in records:
        lines = grouped.setdefault(digest.top(record["area"]), {})
        for name in record["requirements"] or [""]:
            lines.setdefault(name, []).append(record)
    return {
        area: [_line(name, grouped[area][name], material, told) for name in sorted(grouped[area])]
        for area in sorted(grouped)
    }


def rows(records: Sequence[Record], told: Mapping[str, int]) -> list[Rows]:
    """The records with the rows of a case together, where they do not differ in what is told of them."""
    found: dict[tuple[object, ...], Rows] = {}
    for record in records:
        head, bracket, rest = record["id"].partition("[")
        row, _, behind = rest.rpartition("]")
        case = Rows(
            head + behind,
            record["outcome"],
            record["title"],
            record["reason"],
            record.get("portrait", ()),
            told.get(record["id"]),
        )
        key = (case.id, bool(bracket), case.outcome, case.title, case.reason, tuple(case.portrait), case.told)
        case = found.setdefault(key, case)
        case.rows += [f"[{row}]"] if bracket else []
        case.duration += record["duration"]
    return list(found.values())


def _line(name: str, records: Sequence[Record], material: Material, told: Mapping[str, int]) -> Line:
    outcome = digest.worst(record["outcome"] for record in records)
    if (each := material.requirements.get(name)) is None:
        return Line(
            name,
            "",
            records[0]["title"] if name else "cases that name no requirement",
            "",
            None,
            outcome,
            rows(records, told),
        )
    url = link(each.source, records[0]["revision"])
    return Line(name, each.level.value, each.text, each.source, url, outcome, rows(records, told))
