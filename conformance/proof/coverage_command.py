"""`mcp-tck coverage`: plays every fault and variant of the reference, and says what the proof lacks.

This module must never judge; it calls, prints and gives the status.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import sys
from typing import Any

from .. import suite
from . import coverage, killing
from .coverage import Coverage
from .killing import Cases, Port, Shown

PAGE = "coverage.md"


def add(commands: Any) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("coverage", help="requirement by case by fault: prove that the cases can fail")
    parser.add_argument("--json", action="store_true", help="the whole table as JSON")
    parser.add_argument("--page", action="store_true", help="write the page spec/coverage.md")
    parser.add_argument(
        "--fault", metavar="NAME", action="append", default=[], help="only this fault or variant, * allowed; repeatable"
    )
    parser.add_argument("-n", metavar="N", dest="workers", type=int, default=2, help="worker processes (2)")
    parser.add_argument("-v", "--verbose", action="store_true", help="what each fault turned red")


def main(arguments: argparse.Namespace, command: list[str] | None) -> int:  # noqa: ARG001 - one shape for all commands
    """Play, tell, and answer 1 where something is missing."""
    from . import coverage_page

    try:
        known, reference = killing.load(), killing.port()
    except (ValueError, ImportError) as error:
        print(f"mcp-tck coverage: {error}", file=sys.stderr)
        return 4
    names = [name for name in (*reference.faults, *reference.variants) if _wanted(name, arguments.fault)]
    if not names:
        print(f"mcp-tck coverage: no fault or variant is named {' or '.join(arguments.fault)}", file=sys.stderr)
        return 4
    table, shown = run(known, reference, names, workers=arguments.workers)
    if arguments.json:
        print(json.dumps(coverage.document(table, reference), indent=1))
    else:
        if arguments.verbose:
            _tell(shown)
        print(coverage_page.text(table, known, shown, reference))
    if arguments.page and not arguments.fault:
        (suite.SPEC / PAGE).write_text(coverage_page.page(table, reference), encoding="utf-8")
    return 0 if table.ok else 1


def run(known: Cases, reference: Port, names: list[str], *, workers: int = 2) -> tuple[Coverage, dict[str, Shown]]:
    """Play the named faults and variants; what the requirements lack is told only where all of them were played."""
    every = {**reference.faults, **reference.variants}
    shown = killing.play_all([every[name] for name in names], known, reference, workers=workers)
    table = coverage.judge(known, reference, shown)
    if len(names) == len(every):
        table.holes.extend(coverage.of_requirements(table))
    return table, shown


def _wanted(name: str, patterns: list[str]) -> bool:
    return not patterns or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _tell(shown: dict[str, Shown]) -> None:
    for name, each in shown.items():
        print(f"{name}: {len(each.red)} red of {each.played}, {each.seconds:.2f} s")
        for case in each.red:
            print(f"  {case}: {each.words.get(case, '')}")
