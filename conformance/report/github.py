"""Workflow commands of GitHub Actions: a note on the failing case, where the case stands in the checked-out repository.

GitHub shows ten errors and ten warnings of a step, so one note stands for a cause. This module must never let a text of
the target write a command of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from ..outcomes import Record
from . import digest
from .again import Again

MOST: Final = 10
_KINDS: Final = {"error": "error", "failed": "error", "warned": "warning"}


def commands(
    records: Sequence[Record], again: Again, locate: Callable[[str], Path | None], workspace: Path | None
) -> list[str]:
    """One line for each cause. `locate` answers where the case file of a display name is."""
    lines = []
    counts = dict.fromkeys(_KINDS.values(), 0)
    for finding in digest.findings(records, tuple(_KINDS)):
        kind = _KINDS[finding.first["outcome"]]
        counts[kind] += 1
        if counts[kind] <= MOST:
            lines.append(f"::{kind} {_properties(finding.first, locate, workspace)}::{_message(finding, again)}")
    return lines


def _properties(record: Record, locate: Callable[[str], Path | None], workspace: Path | None) -> str:
    found = {}
    name, line = record["file"], record["line"]
    for mismatch in record["mismatches"][:1]:
        if at := mismatch.get("at"):
            name, line = at["file"], at["line"]
    path = locate(name) if name else None
    if path is not None and workspace is not None and path.is_relative_to(workspace):
        found = {"file": path.relative_to(workspace).as_posix(), "line": str(line)}
    bound = ", ".join(record["requirements"])
    found["title"] = f"{record['id']} ({bound})" if bound else record["id"]
    return ",".join(f"{key}={_escaped(value, ':,')}" for key, value in found.items())


def _message(finding: digest.Finding, again: Again) -> str:
    record = finding.first
    lines = [f"{record['title']}: {finding.sentence}"]
    if finding.others:
        lines.append(f"The same cause in {len(finding.others)} more.")
    lines.append(f"Again: {again.of(record)}")
    return _escaped("\n".join(lines), "")


def _escaped(text: str, more: str) -> str:
    for one in "%\r\n" + more:
        text = text.replace(one, f"%{ord(one):02X}")
    return text
