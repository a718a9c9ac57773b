"""The JSON report, format 1; its JSON Schema, report.schema.json, is shipped beside this writer."""

from __future__ import annotations

import json
from typing import Any

from ..outcomes import Record, summary
from .record import FORMAT


def document(
    records: list[Record], target: dict[str, Any], kit: dict[str, str], started: str, duration: float
) -> Record:
    """The whole report as plain data. `started` is UTC in ISO 8601, `duration` in seconds."""
    return {
        "format": FORMAT,
        "kit": kit,
        "target": target,
        "started": started,
        "duration": round(duration, 3),
        "summary": summary(records),
        "cases": records,
    }


def write(report: Record) -> str:
    """The report as text."""
    return json.dumps(report, indent=1, ensure_ascii=False) + "\n"
