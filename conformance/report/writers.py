"""The table of report formats by suffix, and what each writer is given. This module must never write a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..model import Requirement
from .again import Again

SUFFIXES: Final = (".json", ".md", ".html", ".svg")


@dataclass(frozen=True, slots=True)
class Material:
    """A report's document (report.schema.json), the requirements by id, how the run was started, and the case files.

    `source_line` answers a line of a case file by its display name and number, or None.
    """

    document: dict[str, Any]
    requirements: Mapping[str, Requirement]
    again: Again
    source_line: Callable[[str, int], str | None]


def write(suffix: str, material: Material) -> str:
    """The report as text. `suffix` is one of SUFFIXES."""
    if suffix == ".md":
        from . import markdown

        return markdown.write(material)
    if suffix == ".html":
        from . import html

        return html.write(material)
    if suffix == ".svg":
        from . import badge

        return badge.write(material)
    from . import json_report

    return json_report.write(material.document)
