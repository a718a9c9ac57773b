"""The Markdown report: for a comment on a pull request and the summary of a CI job; failures first.

GitHub takes 65,536 characters in a comment. What does not fit is told shorter, then counted; nothing is cut in its
middle. This module must never let a text of the target be read as Markdown.
"""

from __future__ import annotations

from typing import Final

from . import digest
from .material import Material
from .rendering import render
from .shown import Shown, shown

LIMIT: Final = 60_000
"""Bytes of UTF-8: below GitHub's limit whatever counts there, with room for a line of somebody else's."""
LINE_LIMIT: Final = 400
MOST: Final = 25
"""Lines of a list that is no failure."""


def write(material: Material) -> str:
    """The report as text."""
    records = material.document["cases"]
    findings = shown(material, limit=LINE_LIMIT)
    given = {
        "report": material.document,
        "target": digest.target_line(material.document["target"]),
        "verdict": digest.verdict(records),
        "completeness": digest.completeness(records),
        "most": MOST,
        "table": digest.table(records),
        "portrait": digest.portrait(records),
        "slowest": digest.slowest(records),
    }
    room = LIMIT - len(render("report.md.j2", **given, groups={}, left=0).encode())
    groups, left = _fitting(findings, room)
    return render("report.md.j2", **given, groups=groups, left=left)


def _fitting(findings: list[Shown], room: int) -> tuple[dict[str, list[str]], int]:
    """The findings as text by outcome, in full while half of the room is left for the others; the rest."""
    short = [render("finding.md.j2", each=each, whole=False) for each in findings]
    needed = [len(text.encode()) for text in short]
    ahead = sum(needed)
    groups: dict[str, list[str]] = {}
    left = 0
    for each, brief, size in zip(findings, short, needed, strict=True):
        ahead -= size
        whole = render("finding.md.j2", each=each, whole=True)
        fits = next(
            (
                text
                for text, spare in ((whole, min(ahead, room // 2)), (brief, 0))
                if len(text.encode()) + spare <= room
            ),
            None,
        )
        if fits is None:
            left += 1 + len(each.others)
            continue
        room -= len(fits.encode())
        groups.setdefault(each.record["outcome"], []).append(fits)
    return groups, left
