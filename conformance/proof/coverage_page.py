"""The table of coverage as text for a terminal, and as the page spec/coverage.md.

This module must never run anything, and writes no time, no machine and no count that changes from run to run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..model import Level
from .coverage import Coverage, Row
from .killing import Cases, Port, Shown

_ROW: Final = re.compile(r"\[[^\]]*\]$")

HEAD: Final = """\
# Coverage

Which requirement is shown by which cases, and which faults of the reference prove that those cases can fail. The page
is written by `mcp-tck coverage --page`, which plays every fault against the cases; a test fails when it is not current.
A fault is a few lines that make the reference wrong in one way: `python -m mcp_tck.reference --list-faults` names them,
and `--fault NAME` starts the reference with one.

A number behind a case is how many rows it has. Only a must needs a fault: many an open point has no harmful answer.
"""
RIGHT: Final = """
## Right and unusual

Each of these passes every case that applies to it.

| variant | what it does |
|---|---|
"""
UNSEEN: Final = """
## Out of sight

What a server may do wrong without any case seeing it.

| a server that | why no case sees it |
|---|---|
"""


def page(coverage: Coverage, reference: Port) -> str:
    """The page for people, in Markdown."""
    parts = [HEAD]
    by_page: dict[str, list[tuple[str, Row]]] = {}
    for name, row in coverage.rows.items():
        by_page.setdefault(row.requirement.at.file, []).append((name, row))
    for file, rows in by_page.items():
        link = file.removeprefix("spec/")
        parts.append(
            f"\n## [{link}]({link})\n\n| requirement | level | cases | faults that they catch |\n|---|---|---|---|\n"
        )
        parts.extend(_line(name, row) for name, row in rows)
    parts.append(RIGHT)
    parts.extend(f"| `{name}` | {variant.what} |\n" for name, variant in reference.variants.items())
    parts.append(UNSEEN)
    parts.extend(f"| {what} | {why} |\n" for what, why in reference.unseen.items())
    return "".join(parts)


def _line(name: str, row: Row) -> str:
    why = row.requirement.untestable
    if why is not None:
        return f"| {name} | {row.requirement.level} | untestable: {why} | |\n"
    faults = ", ".join(f"`{fault}`" for fault in sorted(row.faults))
    return f"| {name} | {row.requirement.level} | {', '.join(_cases(row.cases))} | {faults} |\n"


def _cases(ids: list[str]) -> Iterator[str]:
    """Case ids with their rows counted."""
    counts: dict[str, int] = {}
    for each in ids:
        name = _ROW.sub("", each)
        counts[name] = counts.get(name, 0) + 1
    for name, count in counts.items():
        yield f"{name} ({count})" if count > 1 else name


def text(coverage: Coverage, known: Cases, shown: dict[str, Shown], reference: Port) -> str:
    """What a terminal shows: the holes, and the totals."""
    lines = [str(hole) for hole in coverage.holes]
    rows = coverage.rows.values()
    musts = [row for row in rows if row.requirement.level is Level.MUST and row.requirement.untestable is None]
    proven = sum(bool(row.faults) for row in musts)
    faults = sum(name in shown for name in reference.faults)
    variants = sum(name in shown for name in reference.variants)
    lines += [
        "" if lines else "no holes",
        f"{len(coverage.rows)} requirements, {len(known.all)} cases",
        f"{proven} of {len(musts)} musts have a fault that is caught",
        f"{faults} faults and {variants} variants played, {coverage.played} cases judged; {len(coverage.holes)} holes",
    ]
    return "\n".join(lines)
