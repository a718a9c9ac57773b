"""A finding as pages show it: what is wrong, where, by which text, the exchange, and how to see it again.

Used by the Markdown and the HTML writer. This module must never lay anything out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..model import Requirement
from ..outcomes import Record
from ..words import cut
from . import digest, terminal
from .links import link
from .material import Material


@dataclass(frozen=True, slots=True)
class Bound:
    """A requirement that a case shows, with the address of its source where there is one."""

    id: str
    level: str
    text: str
    source: str
    url: str | None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an exchange: when, in which lane (`sent`, `received`, `then`), and its text, cut where it is long."""

    time: str
    lane: str
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """One finding."""

    record: Record
    word: str
    blame: str
    sentence: str
    mismatches: Sequence[str]
    places: str
    bound: Sequence[Bound]
    lines: Sequence[Line]
    stderr: str
    history: str
    again: str
    others: Sequence[Record]

    @property
    def where(self) -> str:
        """File and line of what was expected; empty for what stands in no file."""
        for mismatch in self.record["mismatches"]:
            if at := mismatch.get("at"):
                return f"{at['file']}:{at['line']}"
        return f"{self.record['file']}:{self.record['line']}" if self.record["file"] else ""


def bound(record: Record, requirements: Mapping[str, Requirement]) -> list[Bound]:
    """The requirements of a record, in words."""
    texts = {each["id"]: each for each in record.get("spec", [])}
    found = []
    for name in record["requirements"]:
        if name in requirements:
            each = requirements[name]
            level, text, source = each.level.value, each.text, each.source
        elif name in texts:
            level, text, source = texts[name]["level"], texts[name]["text"], texts[name]["source"]
        else:
            continue
        found.append(Bound(name, level, text, source, link(source, record["revision"])))
    return found


def show(finding: digest.Finding, material: Material, *, limit: int) -> Shown:
    """A finding for a page; lines of the exchange are cut to `limit` characters."""
    record = finding.first
    word, blame = digest.words(record)
    return Shown(
        record=record,
        word=word,
        blame=blame,
        sentence=digest.sentence(record),
        mismatches=[_said(each) for each in record["mismatches"]],
        places="\n".join(line for each in record["mismatches"] for line in terminal.place(each, material.source_line)),
        bound=bound(record, material.requirements),
        lines=[_line(entry, limit) for entry in record["transcript"]],
        stderr=record.get("stderr", ""),
        history=_history(record),
        again=material.again.of(record),
        others=finding.others,
    )


def shown(material: Material, *, limit: int) -> list[Shown]:
    """All findings of a report, the worst first."""
    found = digest.findings(material.document["cases"])
    return [show(each, material, limit=limit) for each in found]


def _said(mismatch: Mapping[str, Any]) -> str:
    place = f"{mismatch['pointer']}: " if mismatch["pointer"] else ""
    return f"{place}expected {mismatch['expected']}, got {mismatch['actual']}"


def _line(entry: Mapping[str, Any], limit: int) -> Line:
    lane = {">": "sent", "<": "received", "!": "then"}[entry["dir"]]
    return Line(f"{entry['t']:.3f}", lane, cut(entry["line"], limit))


def _history(record: Record) -> str:
    history = record.get("history") or []
    if not history:
        return ""
    told = ", ".join(history[-5:]) + (f" and {len(history) - 5} more" if len(history) > 5 else "")
    return f"seen during {told}" if record["id"].startswith("session/") else f"{told} ran before on the same process"
