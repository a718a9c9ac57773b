"""What was agreed on before a run, put on its records: the baseline of known failures, and the frozen set that counts.

`Agreed.settle` is asked once for every record, wherever the case ran; `Agreed.closing` once, at the end of the run.
This module must never hide what happened: a record that is changed says what it was, and why.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import outcomes
from ..model import Level, Requirement, Verdict
from ..outcomes import Record, Standing
from .baseline import Baseline, Entry, spellings
from .baseline_update import update
from .blurring import blurred, mismatches

_TRIED = {Verdict.PASSED, Verdict.FAILED, Verdict.WARNED, Verdict.EXPECTED, Verdict.ERROR}


@dataclass(slots=True)
class Agreed:
    """The agreement. `frozen` None: everything counts; `bundled` answers whether a case id is one of the kit's own."""

    baseline: Baseline | None = None
    updating: bool = False
    frozen: frozenset[str] | None = None
    bundled: Callable[[str], bool] = field(default=lambda _: True)
    several: bool = False
    """Whether ids without a revision can stand for several records."""
    today: datetime.date = field(default_factory=lambda: datetime.datetime.now(datetime.UTC).date())

    def settle(self, record: Record) -> Record:
        """The record as it is reported."""
        found = Verdict(record["outcome"])
        entry = self.baseline.find(record["id"], record["requirements"]) if self.baseline is not None else None
        if entry is None and self.updating and found is Verdict.FAILED:
            return _changed(record, Verdict.EXPECTED, "put into the baseline by this run", {"was": found.value})
        if entry is not None and found in _TRIED:
            return self._listed(record, found, entry)
        new = self.frozen is not None and self._plain(record) not in self.frozen and self.bundled(record["id"])
        if not new:
            return record
        settled = outcomes.settle(found, Standing.NEW).verdict
        reason = "a case newer than the frozen set, which does not count yet (--count-new)"
        return {**_changed(record, settled, reason if settled is not found else ""), "new": True}

    @staticmethod
    def _plain(record: Record) -> str:
        name: str = record["id"]
        return name.partition("@")[0]

    def _listed(self, record: Record, found: Verdict, entry: Entry) -> Record:
        note: dict[str, str] = {"entry": str(entry.at), "reason": entry.reason, "was": found.value}
        if entry.issue:
            note["issue"] = entry.issue
        if entry.expires is not None:
            note["expires"] = entry.expires.isoformat()
        if self.updating and not (found is Verdict.FAILED and entry.expired(self.today)):
            shown = Verdict.EXPECTED if found is Verdict.FAILED else found
            return _changed(record, shown, entry.reason if shown is not found else "", note)
        if found is Verdict.PASSED:
            if not self._alone(entry, record):
                return record
            settled = outcomes.settle(found, Standing.LISTED).verdict
            return _changed(record, settled, f"passes, and is listed as failing at {entry.at}: remove this entry", note)
        if entry.expired(self.today):
            return _changed(
                record,
                outcomes.settle(found, Standing.OTHERWISE).verdict,
                f"known, but the entry at {entry.at} expired on {entry.expires}",
                note,
            )
        if not self._as_recorded(entry, record):
            recorded = entry.mismatches or []
            said = "; ".join(f"{m['pointer']} expected {m['expected']}, got {m['actual']}" for m in recorded)
            reason = f"fails in another way than {entry.at} records: {said.strip() or 'no mismatch'}"
            return _changed(record, outcomes.settle(found, Standing.OTHERWISE).verdict, reason, note)
        settled = outcomes.settle(found, Standing.LISTED).verdict
        return _changed(record, settled, entry.reason if settled is not found else "", note)

    @staticmethod
    def _as_recorded(entry: Entry, record: Record) -> bool:
        return entry.mismatches is None or blurred(entry.mismatches) == mismatches(record)

    def _alone(self, entry: Entry, record: Record) -> bool:
        """Whether an entry can mean this record only, so that it is settled at once."""
        if entry.requirement:
            return False
        return entry.name == record["id"] if self.several else entry.name == self._plain(record)

    def closing(
        self, records: Sequence[Record], requirements: dict[str, Requirement], suite: Iterable[str]
    ) -> list[Record]:
        """A failed record for each entry for several cases all of which pass. `suite`: all case ids that could run."""
        known = self.baseline
        if known is None or self.updating:
            return []
        ran = {self._plain(each) for each in records}
        available = set(suite)
        stale = []
        for entry in known.entries:
            means = [each for each in records if known.find(each["id"], each["requirements"]) is entry]
            tried = [each for each in means if each["outcome"] in _TRIED]
            if any(self._alone(entry, each) for each in means) or not tried:
                continue
            missing = not entry.requirement and any(entry.name in spellings(name) for name in available - ran)
            if missing or (entry.requirement and available - ran):
                continue  # only a selection ran: the others may still fail
            if all(each["outcome"] == Verdict.PASSED for each in tried):
                stale.append(self._stale(entry, tried, requirements))
        return stale

    @staticmethod
    def _stale(entry: Entry, tried: Sequence[Record], requirements: dict[str, Requirement]) -> Record:
        bound = [entry.name] if entry.requirement else list(tried[0]["requirements"])
        return {
            "id": f"baseline::{entry.name}",
            "file": entry.at.file,
            "line": entry.at.line,
            "title": "an entry of the baseline stands for something that fails",
            "area": "baseline",
            "level": Level.MUST.value,
            "requirements": bound,
            "revision": tried[0]["revision"],
            "outcome": Verdict.FAILED.value,
            "reason": f"all {len(tried)} cases that {entry.at} lists as failing pass: remove this entry",
            "duration": 0.0,
            "mismatches": [],
            "transcript": [],
            "baseline": {"entry": str(entry.at), "reason": entry.reason, "was": Verdict.PASSED.value},
            "spec": [
                {"id": each.id, "level": each.level.value, "text": each.text, "source": each.source}
                for each in (requirements[name] for name in bound if name in requirements)
            ],
        }

    def updated(self, records: Iterable[Record]) -> str | None:
        """The baseline's text after this run, where an update was asked for."""
        if self.baseline is None or not self.updating:
            return None
        failing = {}
        passing = []
        for each in records:
            was = each.get("baseline", {}).get("was", each["outcome"])
            entry = self.baseline.find(each["id"], each["requirements"])
            told = entry is not None and entry.requirement and self._as_recorded(entry, each)
            if was == Verdict.FAILED and not told:
                failing[each["id"]] = mismatches(each)
            elif was == Verdict.PASSED:
                passing.append(each["id"])
        return update(self.baseline, failing, passing)


def _changed(record: Record, verdict: Verdict, reason: str, note: dict[str, Any] | None = None) -> Record:
    joined = "; ".join(part for part in (reason, record["reason"]) if part)
    changed = {**record, "outcome": verdict.value, "reason": joined}
    if note:
        changed["baseline"] = note
    return changed
