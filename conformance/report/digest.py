"""Records to what every report shows: one root cause told once, the table by area, how complete the run was.

Plain data; the writers lay it out. This module must never format for one medium.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ..outcomes import Record, shows_something
from .record import cause

OUTCOMES: Final = ("passed", "failed", "warned", "error", "expected", "not_exercised", "not_applicable")
"""All outcomes, in the order of every table."""

WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "failed": ("FAILED", "the target is wrong"),
    "warned": ("WARNED", "the target does not do what it should"),
    "error": ("ERROR", "the case or the kit is wrong"),
    "not_exercised": ("NOT EXERCISED", "could not be tried"),
    "not_applicable": ("NOT APPLICABLE", ""),
    "expected": ("EXPECTED", "a known failure"),
    "passed": ("PASSED", ""),
}
"""The word of an outcome, and who is to blame."""

_WORST: Final = ("error", "failed", "warned", "expected", "passed", "not_exercised", "not_applicable")

TELLING: Final = ("error", "failed", "warned", "expected")
"""The outcomes that are told one by one, the worst first."""


@dataclass(slots=True)
class Finding:
    """Records of one outcome with one cause: the first is told in full, the others by their ids."""

    first: Record
    others: list[Record] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many cases show it."""
        return 1 + len(self.others)

    @property
    def sentence(self) -> str:
        """What is wrong, in one sentence without a full stop."""
        return sentence(self.first)


def words(record: Record) -> tuple[str, str]:
    """The word of a record's outcome, and who is to blame."""
    if record.get("new"):
        return "NEW", "a case that is newer than the frozen set does not hold; it does not count yet"
    if record.get("baseline", {}).get("was") == "passed":
        return "FAILED", "the baseline is out of date"
    if record["outcome"] == "warned" and record["level"] in {"may", "open"}:
        return "WARNED", "worth knowing: the text leaves this to the target"
    if record.get("diff") and record["outcome"] == "failed":
        return "FAILED", "the target is not as it is on record"
    return WORDS[record["outcome"]]


def sentence(record: Record) -> str:
    """What a record says is wrong: the first mismatch, or the reason."""
    if not record["mismatches"]:
        return str(record["reason"]) or str(record["title"])
    mismatch = record["mismatches"][0]
    place = f"at {mismatch['pointer']}: " if mismatch["pointer"] else ""
    more = len(record["mismatches"]) - 1
    rest = f" (and {more} more mismatch{'es' if more > 1 else ''})" if more else ""
    return f"{place}expected {mismatch['expected']}, got {mismatch['actual']}{rest}"


def findings(records: Sequence[Record], outcomes: Sequence[str] = TELLING) -> list[Finding]:
    """The records with these outcomes, grouped by cause; within an outcome, what most cases show comes first."""
    found: dict[tuple[str, str, bool], Finding] = {}
    for record in records:
        if record["outcome"] not in outcomes:
            continue
        key = (record["outcome"], cause(record), bool(record.get("new")))
        if key in found:
            found[key].others.append(record)
        else:
            found[key] = Finding(record)
    order = {outcome: number for number, outcome in enumerate(outcomes)}
    return sorted(found.values(), key=lambda each: (order[each.first["outcome"]], -each.count))


def top(area: str) -> str:
    """The area under which a case is counted: two parts below mcp, one elsewhere."""
    parts = area.split("/")
    return "/".join(parts[:2]) if parts[0] == "mcp" else parts[0]


@dataclass(frozen=True, slots=True)
class Table:
    """Counts by area and outcome; only outcomes that occur have a column."""

    columns: tuple[str, ...]
    rows: Mapping[str, Mapping[str, int]]
    total: Mapping[str, int]


def worst(outcomes: Iterable[str]) -> str:
    """The one outcome that stands for several: what is wrong before what is right, what was shown before the rest."""
    found = set(outcomes)
    return next(each for each in _WORST if each in found)


def table(records: Sequence[Record]) -> Table:
    """The table by area."""
    rows: dict[str, dict[str, int]] = {}
    total = dict.fromkeys(OUTCOMES, 0)
    for record in records:
        row = rows.setdefault(top(record["area"]), dict.fromkeys(OUTCOMES, 0))
        row[record["outcome"]] += 1
        total[record["outcome"]] += 1
    columns = tuple(name for name in OUTCOMES if total[name])
    return Table(columns, {area: rows[area] for area in sorted(rows)}, total)


@dataclass(frozen=True, slots=True)
class Completeness:
    """How many cases there were, applied and were exercised; why the others were not, most frequent reason first."""

    cases: int
    applied: int
    exercised: int
    reasons: tuple[tuple[str, str, int], ...]

    @property
    def line(self) -> str:
        """The completeness line."""
        return f"{self.cases} cases, {self.applied} apply to this target, {self.exercised} were exercised"


def completeness(records: Sequence[Record]) -> Completeness:
    """How complete a run was."""
    applied = [each for each in records if each["outcome"] != "not_applicable"]
    exercised = [each for each in applied if each["outcome"] != "not_exercised"]
    counts: dict[tuple[str, str], int] = {}
    for each in records:
        if each["outcome"] in {"not_exercised", "not_applicable"}:
            key = (each["outcome"], each["reason"])
            counts[key] = counts.get(key, 0) + 1
    order = {"not_exercised": 0, "not_applicable": 1}
    ranked = sorted(counts.items(), key=lambda pair: (order[pair[0][0]], -pair[1], pair[0][1]))
    reasons = tuple((outcome.replace("_", " "), reason, number) for (outcome, reason), number in ranked)
    return Completeness(len(records), len(applied), len(exercised), reasons)


def portrait(records: Sequence[Record]) -> list[tuple[str, str]]:
    """How the target does what the text leaves open, by case id."""
    return [(each["id"], ", ".join(each["portrait"])) for each in records if each.get("portrait")]


def slowest(records: Sequence[Record], most: int = 5, least: float = 0.5) -> list[tuple[float, str]]:
    """The cases that took longest, in seconds, none that took less than `least`."""
    ranked = sorted(((each["duration"], each["id"]) for each in records), reverse=True)
    return [(duration, identity) for duration, identity in ranked[:most] if duration >= least]


def target_line(target: Mapping[str, Any]) -> str:
    """The target in one line."""
    server = target.get("server") or {}
    if not target["revisions"]:
        return f"a target of which nothing is known, profiles {', '.join(target['profiles'])}"
    name = f"{server.get('name', 'unknown')} {server.get('version', '')}".strip()
    revisions = ", ".join(each["revision"] for each in target["revisions"])
    return f"{name} at revision {revisions}, profiles {', '.join(target['profiles'])}"


def verdict(records: Sequence[Record]) -> str:
    """The whole run in one sentence without a full stop, what failed first."""
    opening = [each for each in records if each["id"].startswith("session/opening") and each["outcome"] == "failed"]
    if opening and not shows_something(records):
        return "The target did not complete its opening, and nothing else could be tried"
    total = table(records).total
    exercised = completeness(records).exercised
    bad = total["failed"] + total["error"]
    parts = []
    if total["failed"]:
        parts.append(f"{total['failed']} of {exercised} cases failed")
    if total["error"]:
        parts.append(f"{_cases(total['error'])} could not be judged (the case or the kit is wrong)")
    if not bad:
        if not total["passed"] and not total["warned"] and not total["expected"]:
            return "Nothing was shown: no case passed or failed"
        parts.append(
            f"all {total['passed']} cases passed"
            if total["passed"] == exercised
            else f"{total['passed']} of {exercised} cases passed, none failed"
        )
    if total["warned"]:
        parts.append(f"{_cases(total['warned'])} warned")
    if total["expected"]:
        parts.append(f"{_cases(total['expected'])} failed as the baseline says")
    text = ", ".join(parts)
    return text[0].upper() + text[1:]


def _cases(number: int) -> str:
    return f"{number} case{'' if number == 1 else 's'}"
