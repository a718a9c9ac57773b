"""Case files as pytest's collectors and cases as its items. Part of the pytest column.

An item carries its record to the reports; this module must never decide an outcome.
"""

from __future__ import annotations

import difflib
import functools
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from . import gating, suite
from .authoring import snapshots
from .model import Case, Verdict
from .opening import Facts
from .optionlist import spelt
from .outcomes import Record
from .properties import listing
from .safety.allowed import PREFIX as SAFETY
from .turns import Turn, in_turn

if TYPE_CHECKING:
    from .run import Run

RUN: pytest.StashKey[Run] = pytest.StashKey()


class CaseFailedError(Exception):
    """A case that failed; the record says how."""

    def __init__(self, record: Record) -> None:
        super().__init__(record["id"])
        self.record = record


@dataclass(frozen=True, slots=True)
class InSummary:
    """What pytest's short summary says of a failure."""

    message: str


class Block:
    """A failure block among pytest's failures, and one line of it in the short summary.

    Where CI is set pytest gives the summary the whole message, which would print every block twice.
    """

    def __init__(self, text: str, line: str) -> None:
        self.text = text
        self.reprcrash = InSummary(line)

    def toterminal(self, tw: Any) -> None:
        """Write the block."""
        tw.write(f"{self.text}\n")


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


@functools.cache
def _mark(name: str) -> pytest.MarkDecorator:
    """A marker by its name, made once."""
    return getattr(pytest.mark, name)  # type: ignore[no-any-return]


@functools.cache
def _area_marks(area: str) -> tuple[pytest.MarkDecorator, ...]:
    return tuple(_mark(part.replace("-", "_")) for part in area.split("/"))


class CaseFile(pytest.File):
    """A case file; its cases were read, and found right, before collection began."""

    def collect(self) -> Iterable[pytest.Item]:
        """One item for each case, or row, at each revision."""
        run = self.config.stash[RUN]
        for facts in run.kit.facts:
            for case in run.suite.files[suite.resolved(self.path)]:
                yield CaseItem.from_parent(self, case=case, facts=facts)


class PropertyFile(pytest.File):
    """A module of properties, whose cases are made and not read."""

    def collect(self) -> Iterable[pytest.Item]:
        """One item for each property at each revision."""
        run = self.config.stash[RUN]
        area = f"{listing.FOLDER}/{self.path.stem}"
        for facts in run.kit.facts:
            for case in listing.cases():
                if case.area == area:
                    yield CaseItem.from_parent(self, case=case, facts=facts)


class CaseItem(pytest.Item):
    """One case at one revision."""

    def __init__(self, *, case: Case, facts: Facts, **rest: Any) -> None:
        parent: pytest.Collector = rest["parent"]
        run = parent.config.stash[RUN]
        slug = case.id.partition("::")[2]
        super().__init__(name=slug + run.kit.suffix(facts), **rest)
        self.case = case
        self.facts = facts
        self.tck_record: Record | None = None
        level = gating.level(case, run.kit.requirements, facts.revision)
        for mark in (_mark(level.value), *_area_marks(case.area)):
            self.add_marker(mark)

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

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The failure block of the kit for what the target did; pytest's own for a fault of the kit."""
        if isinstance(excinfo.value, CaseFailedError):
            return self.config.stash[RUN].text(excinfo.value.record)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int, str]:
        """Where the case stands."""
        return self.path, max(0, self.case.at.line - 1), self.case.id


def put_in_order(items: list[pytest.Item], turn: Callable[[Case, Facts], Turn]) -> None:
    """Put cases in the order of their turns; items that are no cases stay in place."""
    places = [place for place, item in enumerate(items) if isinstance(item, CaseItem)]
    played = [item for item in items if isinstance(item, CaseItem)]
    for place, item in zip(places, in_turn(played, lambda item: turn(item.case, item.facts)), strict=True):
        items[place] = item


class MadeCases:
    """A plugin of one run: the cases that are made from the target's catalogue, as items of no file."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Put them behind those of the files, where pytest's own selection still sees them."""
        kit = self._run.kit
        for case, facts in kit.made():
            items.append(CaseItem.from_parent(session, case=case, facts=facts, nodeid=case.id + kit.suffix(facts)))


class DryRun:
    """A plugin of one run that calls nothing: what would be called is listed in place of the run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """List the calls of the cases that were chosen."""
        chosen = [item.case for item in session.items if isinstance(item, CaseItem)]
        made_cases = [case for case, _ in self._run.kit.made()]
        shown = [case for case in chosen if case.script is not None] if chosen else made_cases
        session.testscollected = session.testscollected or len(shown)  # workers, which would have collected, do not
        write = session.config.get_terminal_writer()
        write.line("")
        from .safety import dry

        for line in dry.listing(shown):
            write.line(line)
        if (others := len(chosen) - len(shown)) > 0:
            write.line(f"{others} cases of files call what stands in them: probes, where they are the kit's own")
        return True


def make_cases(config: pytest.Config, run: Run) -> None:
    """Make the cases of the catalogue, now that it is known. Raises UsageError for a chosen one that is not there."""
    asked = sorted(name for name in run.selected if name.startswith((SAFETY, snapshots.PREFIX)))
    if run.kit.reason:
        return
    known = {case.id for case, _ in run.kit.made()}
    told = []
    for name in asked:
        if name.startswith(snapshots.PREFIX) and run.kit.plan.snapshots is None:
            told.append(f"{name} needs a folder of snapshots: say --tck-snapshots=FOLDER")
        elif name.startswith(SAFETY) and not run.kit.asks_for_safety:
            told.append(f"{name} calls tools of the target, which has to be asked for: say --tck-profile=safety")
        elif (plain := name.partition("@")[0]) not in known:
            near = difflib.get_close_matches(plain, known, 1)
            told.append(f"no case has the id {name}" + (f" (did you mean {near[0]}?)" if near else ""))
    if told:
        raise pytest.UsageError(spelt(config, "\n".join(told)))
    if known:
        config.pluginmanager.register(MadeCases(run), "mcp-tck-made-cases")
    if config.option.tck_dry_run:
        config.pluginmanager.register(DryRun(run), "mcp-tck-dry-run")
