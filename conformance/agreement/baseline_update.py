"""A baseline brought up to date after a run, as text: only what changes is written anew, so order and comments stay.

This module must never make up a reason, or prolong an entry that expired.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import yaml

from ..casefile import yamlwrite
from ..model import Location
from .baseline import UNTOLD, Baseline, Entry, Mismatches, spellings

_START: Final = "format: 1\nentries:\n"


def update(baseline: Baseline, failing: dict[str, Mismatches], passing: Iterable[str]) -> str:
    """The text of the file after a run: what fails is in it as it fails now, and what passes is not in it any more.

    `failing` and `passing` are case ids. Entries by requirement, and entries of cases that were not run, stay.
    """
    lines = (baseline.text or _START).splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    spans = _spans(baseline.text)
    gone = set(passing)
    covered = {name for identity in failing for name in spellings(identity)}
    for entry, span in reversed(list(zip(baseline.entries, spans, strict=True))):
        if entry.requirement:
            continue
        if entry.name in failing and entry.mismatches not in (None, failing[entry.name]):
            _replace(lines, span, entry, failing[entry.name])
        elif entry.name in gone and entry.name not in covered:
            del lines[span.first : span.last + 1]
    have = {entry.name for entry in baseline.entries if not entry.requirement}
    added = [name for name in failing if not have.intersection(spellings(name))]
    text = "".join(lines)
    if not baseline.entries:
        text = re.sub(r"^entries:[ \t]*\[\s*\][ \t]*$", "entries:", text, flags=re.MULTILINE)
    indent = " " * spans[0].dash if spans else "  "
    at = Location("", 0, 0)
    new = "".join(line for name in added for line in _entry(Entry(name, at, UNTOLD), failing[name], indent))
    kept = len(spans) - sum(1 for entry in baseline.entries if entry.name in gone - covered and not entry.requirement)
    if not new and not kept:
        return re.sub(r"^entries:[ \t]*$", "entries: []", text, flags=re.MULTILINE)
    return text + new


@dataclass(frozen=True, slots=True)
class _Span:
    """Where an entry stands: its lines from 0, the column of its dash, and what of it can be replaced.

    `mismatches` are the lines of that key; None where the entry is not written key by key, or begins with that key.
    """

    first: int
    last: int
    dash: int
    keys: int
    mismatches: tuple[int, int] | None


def _spans(text: str) -> list[_Span]:
    document: Any = yaml.compose(text, yaml.SafeLoader) if text.strip() else None
    listed = next((member for key, member in document.value if key.value == "entries"), None) if document else None
    lines = text.split("\n")
    spans = []
    for element in listed.value if listed is not None else []:
        first = element.start_mark.line
        while not lines[first].lstrip().startswith("-"):
            first -= 1
        last = _last(element)
        mismatches: tuple[int, int] | None = None if element.flow_style else (last + 1, last)
        for number, (key, member) in enumerate(element.value):
            if key.value == "mismatches" and not element.flow_style:
                mismatches = (key.start_mark.line, _last(member)) if number else None
        dash = len(lines[first]) - len(lines[first].lstrip())
        spans.append(_Span(first, last, dash, element.value[0][0].start_mark.column, mismatches))
    return spans


def _last(node: Any) -> int:
    """The last line on which something of a node stands; the end of a block is where the next thing begins."""
    if isinstance(node, yaml.ScalarNode):
        end: int = node.end_mark.line
        return end - 1 if node.style in {"|", ">"} and node.end_mark.column == 0 else end
    if node.flow_style or not node.value:
        return int(node.end_mark.line)
    below = [part for pair in node.value for part in pair] if isinstance(node, yaml.MappingNode) else node.value
    return max(map(_last, below))


def _replace(lines: list[str], span: _Span, entry: Entry, found: Mismatches) -> None:
    if span.mismatches is None:
        lines[span.first : span.last + 1] = _entry(entry, found, " " * span.dash)
    else:
        first, last = span.mismatches
        lines[first : last + 1] = [f"{' ' * span.keys}{line}\n" for line in _mismatches(found)]


def _entry(entry: Entry, found: Mismatches, indent: str) -> list[str]:
    kept = {"case": entry.name, "reason": entry.reason, "issue": entry.issue}
    if entry.expires is not None:
        kept["expires"] = entry.expires.isoformat()
    lines = [f"{key}: {yamlwrite.scalar(text)}" for key, text in kept.items() if text] + _mismatches(found)
    return [f"{indent}{'  ' if number else '- '}{line}\n" for number, line in enumerate(lines)]


def _mismatches(found: Mismatches) -> list[str]:
    flow = [yamlwrite.flow(dict(each.items())) for each in found]
    return ["mismatches:", *(f"  - {line}" for line in flow)] if flow else ["mismatches: []"]
