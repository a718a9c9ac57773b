"""The table of outcomes, once: what counts how, plainly, strictly, listed in a baseline, or newer than the frozen set.

Everything that decides an exit status asks here. This module must never read a file or word more than a reason.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from .model import Level, Verdict

Record = dict[str, Any]


class Standing(enum.StrEnum):
    """How a case stands to what was agreed on beforehand."""

    PLAIN = "plain"
    LISTED = "listed"
    """In the baseline, and it does as recorded there."""
    OTHERWISE = "otherwise"
    """In the baseline, and it fails in another way than recorded, or the entry has expired."""
    NEW = "new"
    """Newer than the frozen set, and new cases do not count."""


class Settled(NamedTuple):
    """What is reported, and whether it makes the run fail."""

    verdict: Verdict
    fails: bool


_FAILED: Final = Settled(Verdict.FAILED, True)
_ERROR: Final = Settled(Verdict.ERROR, True)
_WARNED: Final = Settled(Verdict.WARNED, False)
_EXPECTED: Final = Settled(Verdict.EXPECTED, False)
_PASSED: Final = Settled(Verdict.PASSED, False)
_NOT_APPLICABLE: Final = Settled(Verdict.NOT_APPLICABLE, False)
_NOT_EXERCISED: Final = Settled(Verdict.NOT_EXERCISED, False)

TABLE: Final[Mapping[Verdict, Mapping[Standing, Settled]]] = {
    verdict: dict(zip(Standing, row, strict=True))
    for verdict, row in {
        Verdict.PASSED: (_PASSED, _FAILED, _PASSED, _PASSED),
        Verdict.FAILED: (_FAILED, _EXPECTED, _FAILED, _WARNED),
        Verdict.WARNED: (_WARNED, _EXPECTED, _WARNED, _WARNED),
        Verdict.NOT_APPLICABLE: (_NOT_APPLICABLE,) * 4,
        Verdict.NOT_EXERCISED: (_NOT_EXERCISED,) * 4,
        Verdict.ERROR: (_ERROR,) * 4,
        Verdict.EXPECTED: (_EXPECTED,) * 4,
    }.items()
}
"""A listed case that passes fails: the entry is to be removed. A new case that fails is a warning, marked as new."""


def verdict_at(level: Level, *, strict: bool) -> Verdict:
    """What a mismatch comes to. Strict makes a should count as a must; nothing makes a liberty count."""
    if level is Level.MUST or (strict and level is Level.SHOULD):
        return Verdict.FAILED
    return Verdict.WARNED


def settle(found: Verdict, standing: Standing) -> Settled:
    """The row and the column of the table."""
    return TABLE[found][standing]


def fails(record: Record) -> bool:
    """Whether a settled record makes the run fail."""
    return TABLE[Verdict(record["outcome"])][Standing.PLAIN].fails


def shows_something(records: Iterable[Record]) -> bool:
    """Whether any case but the standing checks passed, failed, warned or was expected to fail."""
    telling = {Verdict.PASSED, Verdict.FAILED, Verdict.WARNED, Verdict.EXPECTED}
    return any(each["outcome"] in telling and not each["id"].startswith("session/") for each in records)


def summary(records: Iterable[Record]) -> dict[str, int]:
    """How many records have which outcome, every outcome named."""
    counts = {each.value: 0 for each in Verdict}
    for each in records:
        counts[each["outcome"]] += 1
    return counts
