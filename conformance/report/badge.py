"""The badge: a small SVG that says how many cases passed. This module must never show a green badge for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..outcomes import Record
from . import digest
from .material import Material
from .rendering import render

_WIDTH: Final = 6.6
"""Pixels that a character takes, about; the text is fitted to the length that is given for it."""
_PADDING: Final = 12
_COLOURS: Final = {"good": "#1e7a3c", "some": "#8a5a00", "bad": "#b3261e", "none": "#5b6470"}


def write(material: Material) -> str:
    """The badge as SVG."""
    target = material.document["target"]
    revision = target["revisions"][0]["revision"] if target["revisions"] else ""
    label = f"MCP {revision}".strip()
    says, colour = message(material.document["cases"])
    left, right = (round(len(text) * _WIDTH + _PADDING) for text in (label, says))
    return render(
        "badge.svg.j2", label=label, says=says, colour=_COLOURS[colour], left=left, right=right, padding=_PADDING
    )


def message(records: Sequence[Record]) -> tuple[str, str]:
    """What the badge says, and how it looks."""
    total = digest.table(records).total
    exercised = digest.completeness(records).exercised
    bad = total["failed"] + total["error"]
    if bad:
        return f"{bad} of {exercised} failing", "bad"
    if not total["passed"]:
        return "nothing shown", "none"
    said = f"{total['passed']} of {exercised} pass"
    return said, "good" if total["passed"] == exercised else "some"
