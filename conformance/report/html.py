"""The HTML report: one file that needs no network. What is wrong stands first, then every case by area and requirement.

It can be read without scripts; they only filter and move. This module must never load, or point a script to, anything
outside the page.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

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
    records: Sequence[Record]


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
        told=told,
        areas=areas(records, material),
        outcomes=digest.OUTCOMES,
        words=digest.WORDS,
    )


def areas(records: Sequence[Record], material: Material) -> dict[str, list[Line]]:
    """The requirements by area, each with its cases; a case stands under every requirement that it shows."""
    grouped: dict[str, dict[str, list[Record]]] = {}
    for record in records:
        lines = grouped.setdefault(digest.top(record["area"]), {})
        for name in record["requirements"] or [""]:
            lines.setdefault(name, []).append(record)
    return {
        area: [_line(name, grouped[area][name], material) for name in sorted(grouped[area])] for area in sorted(grouped)
    }


def _line(name: str, records: Sequence[Record], material: Material) -> Line:
    outcome = digest.worst(record["outcome"] for record in records)
    if (each := material.requirements.get(name)) is None:
        return Line(
            name, "", records[0]["title"] if name else "cases that name no requirement", "", None, outcome, records
        )
    url = link(each.source, records[0]["revision"])
    return Line(name, each.level.value, each.text, each.source, url, outcome, records)
