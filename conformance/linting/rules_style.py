"""Lint rules about how a case is written: its title, and what in it has no use.

This module must never judge what a case expects.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from ..casefile import format as layout
from ..casefile.checking import Check
from ..words import did_you_mean
from .rules import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model import Location, Problem
    from .rules import File


class TitleStyle(Rule):
    """Titles are facts in the present tense: no "should", no "test that", no capital, no full stop."""

    id = "title-style"
    hint = "say the fact: `a notification gets no reply`"
    _BAD: ClassVar = (
        (re.compile(r"\bshould\b|\bmust\b|\bshall\b", re.IGNORECASE), "says what ought to be"),
        (re.compile(r"^(?:tests?|checks?|verif(?:y|ies)|ensures?)\b", re.IGNORECASE), "speaks of the test"),
        (re.compile(r"\.$"), "ends with a full stop"),
        (re.compile(r"\n"), "has more than one line"),
        (re.compile(r"^(?:[A-Z][a-z]|A )"), "begins with a capital"),
    )

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases:
            title = case.items["title"]
            for pattern, said in self._BAD:
                if pattern.search(str(title.value)):
                    yield self._broken(title.at, f"the title {said}")
                    break


class TitleLength(Rule):
    """Titles stay under 80 characters, so that a report shows them whole."""

    id = "title-length"
    hint = "under 80 characters a report shows it whole"

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases:
            title = case.items["title"]
            if len(str(title.value)) >= 80:
                yield self._broken(title.at, f"the title has {len(str(title.value))} characters")


class UnusedColumn(Rule):
    """A column that no step uses is a value that its author believed to be tested."""

    id = "unused-column"
    hint = "use it by {$row: …}, or remove it"

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases:
            examples = case.get("examples")
            if examples is None:
                continue
            check = Check()
            check.shape(case, layout.CASE)
            used = {use.column for use in check.uses} | {"name"}
            seen: set[str] = set()
            for row in examples.elements:
                for column, at in row.keys.items():
                    if column not in used and column not in seen:
                        seen.add(column)
                        yield self._broken(
                            at, f'no step uses the column "{column}"', did_you_mean(column, used - {"name"})
                        )


class CoversNothing(Rule):
    """A bundled case names the sentences that bind the server."""

    id = "covers-nothing"
    hint = "a bundled case shows at least one requirement"

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases if file.bundled else ():
            if case.get("covers") is None:
                yield self._broken(case.at, f"the case {case.items['id'].value} covers no requirement")


class UnusedVariable(Rule):
    """A value that is kept and never used is a check that its author meant to write."""

    id = "unused-variable"
    hint = "use it by {$var: …}, or leave $save out"

    def _find(self, file: File) -> Iterator[Problem]:
        for case in file.cases:
            kept: dict[str, Location] = {}
            used: set[str] = set()
            for node in case.walk():
                if (save := node.get("$save")) is not None and (label := save.get("as")) is not None:
                    kept.setdefault(str(label.value), label.at)
                if (variable := node.get("$var")) is not None:
                    used.add(str(variable.value))
            for name, at in kept.items():
                if name not in used:
                    yield self._broken(at, f'nothing uses the kept value "{name}"', did_you_mean(name, used))


RULES: Final[tuple[type[Rule], ...]] = (CoversNothing, TitleLength, TitleStyle, UnusedColumn, UnusedVariable)
