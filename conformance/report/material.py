"""What every writer is given. This module must never word or lay out anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..model import Requirement
from .again import Again


@dataclass(frozen=True, slots=True)
class Material:
    """A report's document (report.schema.json), the requirements by id, how the run was started, and the case files.

    `source_line` answers a line of a case file by its display name and number, or None.
    """

    document: dict[str, Any]
    requirements: Mapping[str, Requirement]
    again: Again
    source_line: Callable[[str, int], str | None]
