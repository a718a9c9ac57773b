"""An outcome as a record: JSON's plain data, the one form that every writer reads and that travels between workers.

The members are those of the JSON report (see report.schema.json). This module must never word a text for people, and
never drop an outcome.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

from ..model import Outcome, Requirement, Verdict
from ..outcomes import Record

FORMAT: Final = 1
_NUMBER: Final = re.compile(r"(integer -\d+)|\d+")
"""Error codes are told apart; all other numbers change with the case."""
SHOWN_LINES: Final = 60
"""Most transcript lines that a record keeps: the last ones."""


def record(outcome: Outcome, requirements: Mapping[str, Requirement], *, suffix: str = "") -> Record:
    """The record of an outcome; `suffix` stands behind the case id (`@2025-06-18` where several revisions run)."""
    case = outcome.case
    result: Record = {
        "id": case.id + suffix,
        "file": case.file,
        "line": case.at.line,
        "title": case.title,
        "area": case.area,
        "level": outcome.level.value,
        "requirements": list(outcome.requirements),
        "revision": outcome.revision,
        "outcome": outcome.verdict.value,
        "reason": outcome.reason,
        "duration": outcome.duration,
        "mismatches": [],
        "transcript": [],
    }
    if outcome.portrait:
        result["portrait"] = list(outcome.portrait)
    if outcome.found:
        result["found"] = outcome.found
    if outcome.diff:
        result["diff"] = outcome.diff
    if outcome.verdict is Verdict.PASSED:
        return result
    result["mismatches"] = [
        {"pointer": each.pointer, "expected": each.expected, "actual": each.actual}
        | ({"at": asdict(each.at)} if each.at is not None else {})
        for each in outcome.mismatches
    ]
    result["transcript"] = [
        {"t": entry.t, "dir": entry.direction, "line": entry.line} for entry in outcome.transcript[-SHOWN_LINES:]
    ]
    result["stderr"] = outcome.stderr
    result["history"] = list(outcome.history)
    result["spec"] = [
        {"id": each.id, "level": each.level.value, "text": each.text, "source": each.source}
        for each in (requirements[name] for name in outcome.requirements if name in requirements)
    ]
    return result


def cause(each: Record) -> str:
    """What two failures of one root cause have in common: the mismatches without their numbers, and what was tried.

    Rows of a case, and cases of a file that show the same requirements, try the same; a case that shows none tries
    something of its own. Where nothing came, what was tried and waited for is no part of the cause: a target that died
    is one cause.
    """
    parts = [
        m["actual"] if m["actual"].startswith("none") else f"{m['pointer']}|{m['expected']}|{m['actual']}"
        for m in each["mismatches"]
    ]
    text = "\n".join(dict.fromkeys(parts)) or str(each["reason"])
    text = _NUMBER.sub(lambda found: found[1] or "#", text)
    if each["mismatches"] and all(m["actual"].startswith("none") for m in each["mismatches"]):
        return text
    tried = ",".join(each["requirements"]) or each["id"].partition("@")[0].partition("[")[0]
    return f"{each['file']}|{tried}\n{text}"
