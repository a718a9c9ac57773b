"""`mcp-tck matrix REPORT.json…`: several reports side by side, requirement by target and revision.

For authors of SDKs, registries, and before and after. This module must never run anything, or fold two outcomes into
one: a cell is the worst outcome of a requirement's cases, with how many there were.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

SIGNS: Final = {
    "passed": "ok",
    "failed": "FAIL",
    "warned": "warn",
    "error": "ERROR",
    "expected": "known",
    "not_exercised": "?",
    "not_applicable": "-",
}
"""How an outcome looks in a cell of text."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("matrix", help="several JSON reports side by side")
    parser.add_argument("reports", nargs="+", metavar="REPORT.json", help="reports written with --report PATH.json")
    parser.add_argument(
        "--format", choices=("text", "markdown", "html"), help="the form (by the suffix of -o, or text)"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write it there")
    parser.add_argument(
        "--all", action="store_true", help="all requirements, also where every column is well and the same"
    )


@dataclass(frozen=True, slots=True)
class Cell:
    """What came of one requirement at one target and revision: the worst outcome, and its share of the cases."""

    outcome: str
    number: int
    cases: int

    @property
    def sign(self) -> str:
        """The cell as text; the share is told where only some of the cases had this outcome."""
        sign = SIGNS[self.outcome]
        return sign if self.number == self.cases else f"{sign} {self.number}/{self.cases}"


@dataclass(slots=True)
class Matrix:
    """Columns by title, and rows by requirement; a row has a cell, or None, for each column."""

    columns: list[str] = field(default_factory=list)
    rows: dict[str, list[Cell | None]] = field(default_factory=dict)
    left_out: int = 0


class ReportError(Exception):
    """A file that is no report."""


def load(path: Path) -> dict[str, Any]:
    """Read a report. Raises ReportError."""
    try:
        report: Any = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ReportError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ReportError(f"{path}: is no JSON: {error}") from None
    if not isinstance(report, dict) or report.get("kit", {}).get("name") != "mcp-tck":
        raise ReportError(f"{path}: is no report of mcp-tck")
    if report.get("format") != 1:
        raise ReportError(f"{path}: is of format {report.get('format')}, and this version reads format 1")
    return report


def build(reports: Sequence[tuple[str, dict[str, Any]]], *, everything: bool) -> Matrix:
    """Put reports side by side, each with the name of its file. Rows that say nothing are counted and left out."""
    found: list[tuple[str, str, dict[str, list[str]]]] = []
    for name, report in reports:
        by_revision: dict[str, dict[str, list[str]]] = {}
        for each in report["cases"]:
            rows = by_revision.setdefault(each["revision"], {})
            for requirement in each["requirements"]:
                rows.setdefault(requirement, []).append(each["outcome"])
        found += [(f"{_title(report)} @{at}", name, by_revision[at]) for at in sorted(by_revision, reverse=True)]
    titles = [title for title, _, _ in found]
    matrix = Matrix([f"{title} ({name})" if titles.count(title) > 1 else title for title, name, _ in found])
    for requirement in sorted({name for _, _, rows in found for name in rows}, key=_natural):
        cells: list[Cell | None] = []
        for _, _, rows in found:
            cells.append(_cell(rows[requirement]) if requirement in rows else None)
        matrix.rows[requirement] = cells
    if not everything:
        telling = {name: cells for name, cells in matrix.rows.items() if _tells(cells)}
        matrix.left_out = len(matrix.rows) - len(telling)
        matrix.rows = telling
    return matrix


def _cell(outcomes: list[str]) -> Cell:
    """The worst outcome and its share; what did not apply has no part in it where anything did."""
    from .report.digest import worst

    shown = worst(outcomes)
    applied = [each for each in outcomes if each != "not_applicable"] or outcomes
    return Cell(shown, applied.count(shown), len(applied))


def _title(report: dict[str, Any]) -> str:
    server = report["target"].get("server") or {}
    return f"{server.get('name', 'unknown')} {server.get('version', '')}".strip()


def _natural(name: str) -> list[tuple[bool, int, str]]:
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in name.split("-")]


def _tells(cells: Sequence[Cell | None]) -> bool:
    signs = {cell.outcome if cell else "" for cell in cells}
    return len(signs) > 1 or not signs <= {"passed", "not_applicable", ""}


def text(matrix: Matrix) -> str:
    """The matrix for a terminal: columns are numbered, and named above."""
    lines = [f"[{number}] {title}" for number, title in enumerate(matrix.columns, 1)]
    room = max((len(name) for name in matrix.rows), default=0)
    cells = {name: [cell.sign if cell else "" for cell in row] for name, row in matrix.rows.items()}
    widths = [
        max([len(f"[{number + 1}]"), *(len(row[number]) for row in cells.values())])
        for number in range(len(matrix.columns))
    ]
    heads = [f"[{number}]".ljust(width) for number, width in enumerate(widths, 1)]
    lines += ["", "  ".join(["".ljust(room), *heads]).rstrip()]
    for name, row in cells.items():
        shown = [sign.ljust(width) for sign, width in zip(row, widths, strict=True)]
        lines.append("  ".join([name.ljust(room), *shown]).rstrip())
    lines += ["", *_left_out(matrix)]
    return "\n".join(lines).rstrip() + "\n"


def _left_out(matrix: Matrix) -> list[str]:
    if not matrix.left_out:
        return []
    return [f"left out: {matrix.left_out} that passed everywhere, or applied nowhere (all with --all)"]


def main(arguments: argparse.Namespace, command: list[str] | None) -> int:  # noqa: ARG001 - one shape for all commands
    """Print or write it; status 4 for a file that is no report."""
    reports = []
    wrong = []
    for name in arguments.reports:
        try:
            reports.append((name, load(Path(name))))
        except ReportError as error:
            wrong.append(str(error))
    chosen = arguments.format or {".md": "markdown", ".html": "html"}.get(Path(arguments.output or "").suffix, "text")
    if arguments.output and not Path(arguments.output).resolve().parent.is_dir():
        wrong.append(f"-o {arguments.output}: there is no folder {Path(arguments.output).resolve().parent}")
    if wrong:
        print("\n".join(f"mcp-tck matrix: {each}" for each in wrong), file=sys.stderr)
        return 4
    matrix = build(reports, everything=arguments.all)
    if chosen == "text":
        shown = text(matrix)
    else:
        from . import suite
        from .report.rendering import render

        requirements, _ = suite.requirements()
        suffix = {"markdown": "md", "html": "html"}[chosen]
        shown = render(
            f"matrix.{suffix}.j2", matrix=matrix, requirements=requirements, left_out=" ".join(_left_out(matrix))
        )
    if arguments.output:
        Path(arguments.output).write_text(shown, encoding="utf-8")
    else:
        print(shown, end="")
    return 0
