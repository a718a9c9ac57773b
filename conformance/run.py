"""What one pytest run of the kit holds together: suite, kit, records, and the texts made of them.

This module must never import pytest: the plugin does, and asks here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import standing
from .agreement.agreed import Agreed
from .authoring.snapshots import AREA
from .kit import KIT, Kit
from .model import Case
from .opening import Facts
from .outcomes import Record, fails, shows_something
from .report import digest, github, json_report, terminal
from .report.again import Again
from .report.material import Material
from .report.secrets import Secrets
from .report.writers import write
from .suite import Suite


@dataclass(slots=True)
class Run:
    """A run: its kit, its cases, and the records so far. `reports` are the paths to write."""

    kit: Kit
    suite: Suite
    reports: tuple[str, ...] = ()
    selected: frozenset[str] = frozenset()
    agreed: Agreed = field(default_factory=Agreed)
    again: Again | None = None
    records: list[Record] = field(default_factory=list)
    finished: bool = False

    def play(self, case: Case, facts: Facts) -> Record:
        """Play a case; its record as it is reported."""
        return self._settle(self.kit.run(case, facts))

    def _settle(self, record: Record) -> Record:
        hidden: Record = Secrets(self.kit.plan.secrets).hide(record)
        return self.agreed.settle(hidden)

    def how_again(self) -> Again:
        """How this run was started."""
        return self.again or Again(self.kit.plan.command)

    def text(self, record: Record) -> str:
        """The failure block of a record."""
        return terminal.block(record, self.how_again(), self.suite.source_line)

    def causes(self) -> list[tuple[list[str], str]]:
        """For each cause of what failed: the ids of its cases, and its block with the count of the others."""
        found = digest.findings(self.records, ("failed", "error"))
        return [
            (
                [each["id"] for each in (finding.first, *finding.others)],
                terminal.told(finding, self.how_again(), self.suite.source_line),
            )
            for finding in found
        ]

    def notes(self, *outcomes: str) -> list[str]:
        """A block for each cause among the records with these outcomes."""
        return terminal.notes(self.records, outcomes, self.how_again(), self.suite.source_line)

    def finish(self) -> list[Record]:
        """End the processes and judge what stands over all cases; answers the records of the standing checks.

        Entries of the baseline that stand for nothing that fails come with them.
        """
        self.kit.close()
        if self.finished:
            return []
        self.finished = True
        found = [self._settle(record) for record in self.kit.standing()]
        stale = self.agreed.closing([*self.records, *found], dict(self.kit.requirements), self.suite.ids())
        self.records += [*found, *stale]
        return [*found, *stale]

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

    def summary(self, *, verbosity: int, width: int) -> list[str]:
        """The lines at the end of a run."""
        target, also = self.kit.target(), self.kit.also
        return terminal.closing(self.records, target, self.how_again(), verbosity=verbosity, width=width, also=also)

    def annotations(self, workspace: Path | None) -> list[str]:
        """What GitHub Actions is told; `workspace` is the checked-out repository."""
        return github.commands(self.records, self.how_again(), self.suite.sources.get, workspace)

    def write_reports(self) -> Sequence[str]:
        """Write the reports that were asked for, and the baseline; answers what to tell about each."""
        return list(self._written())

    def _written(self) -> Iterator[str]:
        material = Material(self.document(), self.kit.requirements, self.how_again(), self.suite.source_line)
        for path in self.reports:
            Path(path).write_text(write(Path(path).suffix, material), "utf-8", "backslashreplace")
            yield f"report written to {path}"
        kept = self.kit.plan.snapshots
        if kept and kept.update and any(each["area"] == AREA and each["outcome"] == "passed" for each in self.records):
            yield f"snapshots written to {kept.folder}: look through what changed before you keep it"
        text = self.agreed.updated(self.records)
        if text is not None and self.agreed.baseline is not None:
            listed = self.agreed.baseline.path
            listed.write_text(text, "utf-8", "backslashreplace")
            yield f"baseline written to {listed}: look through it, and give each new entry its reason"

    def document(self) -> dict[str, Any]:
        """The report as plain data."""
        started = self.kit.started.strftime("%Y-%m-%dT%H:%M:%SZ")
        target = Secrets(self.kit.plan.secrets).hide(self.kit.target())
        return json_report.document(self.records, target, dict(KIT), started, self.kit.elapsed())
