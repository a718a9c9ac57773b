"""Case files as pytest's collectors and cases as its items. Part of the pytest column.

An item carries its record to the reports; this module must never decide an outcome.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import pytest

from . import gating
from .model import Case, Verdict
from .opening import Facts
from .outcomes import Record

if TYPE_CHECKING:
    from .run import Run

RUN: pytest.StashKey[Run] = pytest.StashKey()
_SKIPPED: Final = {Verdict.NOT_APPLICABLE, Verdict.NOT_EXERCISED}


class CaseFailedError(Exception):
    """A case that failed; the record says how."""

    def __init__(self, record: Record) -> None:
        super().__init__(record["id"])
        self.record = record


def properties(record: Record, command: Sequence[str]) -> list[tuple[str, object]]:
    """What of a record goes into JUnit, which knows three outcomes only."""
    return [
        ("tck_case", record["id"]),
        ("tck_outcome", record["outcome"]),
        ("tck_level", record["level"]),
        ("tck_requirements", " ".join(record["requirements"])),
        ("tck_revision", record["revision"]),
        ("tck_target", shlex.join(command)),
    ]


class CaseFile(pytest.File):
    """A case file; its cases were read, and found right, before collection began."""

    def collect(self) -> Iterable[pytest.Item]:
        """One item for each case, or row, at each revision."""
        run = self.config.stash[RUN]
        for facts in run.kit.facts:
            for case in run.suite.files[self.path.resolve()]:
                yield CaseItem.from_parent(self, case=case, facts=facts)


class CaseItem(pytest.Item):
    """One case at one revision."""

    def __init__(self, *, case: Case, facts: Facts, **rest: Any) -> None:
        parent: CaseFile = rest["parent"]
        run = parent.config.stash[RUN]
        slug = case.id.partition("::")[2]
        super().__init__(name=slug + run.kit.suffix(facts), **rest)
        self.case = case
        self.facts = facts
        self.tck_record: Record | None = None
        level = gating.level(case, run.kit.requirements, facts.revision)
        for name in (level.value, *(part.replace("-", "_") for part in case.area.split("/"))):
            self.add_marker(name)

    @property
    def case_id(self) -> str:
        """The case id without the revision."""
        return self.case.id

    def runtest(self) -> None:
        """Play the case."""
        run = self.config.stash[RUN]
        record = run.play(self.case, self.facts)
        self.tck_record = record
        self.user_properties.extend(properties(record, run.kit.plan.command))
        if record["outcome"] in {Verdict.FAILED, Verdict.ERROR}:
            raise CaseFailedError(record)
        if record["outcome"] in _SKIPPED:
            pytest.skip(record["reason"])
        if record["outcome"] == Verdict.EXPECTED:
            pytest.xfail(record["reason"])

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The failure block of the kit for what the target did; pytest's own for a fault of the kit."""
        if isinstance(excinfo.value, CaseFailedError):
            return self.config.stash[RUN].text(excinfo.value.record)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int, str]:
        """Where the case stands."""
        return self.path, self.case.at.line - 1, self.case.id
