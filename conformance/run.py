"""What one pytest run of the kit holds together: suite, kit, records, and the texts made of them.

This module must never import pytest: the plugin does, and asks here.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import standing
from .kit import KIT, Kit
from .report import json_report
from .report.record import Record, fails, shows_something
from .report.terminal import Causes, block, closing
from .suite import Suite


@dataclass(slots=True)
class Run:
    """A run: its kit, its cases, and the records so far. `reports` are the paths to write."""

    kit: Kit
    suite: Suite
    reports: tuple[str, ...] = ()
    selected: frozenset[str] = frozenset()
    records: list[Record] = field(default_factory=list)
    finished: bool = False
    causes: Causes = field(default_factory=Causes)

    def text(self, record: Record) -> str:
        """The failure block of a record; a cause that was told in full is told short."""
        return self.causes.text(record, self.kit.plan.command, self.suite.source_line)

    def warnings(self) -> list[str]:
        """The blocks of what a target should do and does not."""
        warned = [each for each in self.records if each["outcome"] == "warned"]
        return [self.text(each) for each in warned]

    def block(self, record: Record) -> str:
        """The whole failure block of a record."""
        return block(record, self.kit.plan.command, self.suite.source_line)

    def finish(self) -> list[Record]:
        """End the processes and judge what stands over all cases; answers the records of the standing checks."""
        self.kit.close()
        if self.finished:
            return []
        self.finished = True
        found = self.kit.standing()
        self.records.extend(found)
        return found

    def take_tally(self, text: str) -> None:
        """Take over what a worker's standing checks saw."""
        for revision, data in json.loads(text).items():
            self.kit.tally.setdefault(revision, standing.Tally()).add(standing.from_plain(data))

    def tally(self) -> str:
        """What this process's standing checks saw, to hand it over."""
        return json.dumps({revision: tally.plain() for revision, tally in self.kit.tally.items()})

    def status(self, status: int) -> tuple[int, str]:
        """The exit status of the run, given pytest's own, and why where pytest would not see it."""
        if status not in {0, 1}:
            return status, ""
        if any(map(fails, self.records)):
            return 1, ""
        if not shows_something(self.records):
            return 1, "nothing was shown: no case passed or failed"
        return status, ""

    def summary(self, *, verbose: bool) -> list[str]:
        """The lines at the end of a run."""
        return closing(self.records, self.kit.target(), verbose=verbose)

    def write_reports(self) -> Sequence[str]:
        """Write the reports that were asked for; answers what to tell about each."""
        told = []
        for path in self.reports:
            Path(path).write_text(json_report.write(self.document()), encoding="utf-8")
            told.append(f"report written to {path}")
        return told

    def document(self) -> dict[str, Any]:
        """The report as plain data."""
        started = self.kit.started.strftime("%Y-%m-%dT%H:%M:%SZ")
        return json_report.document(self.records, self.kit.target(), dict(KIT), started, self.kit.elapsed())
