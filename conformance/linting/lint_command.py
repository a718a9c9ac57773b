"""`mcp-tck lint`: problems as text, JSON or GitHub annotations, and `--fix` for those with one certain remedy.

This module must never judge a file.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .. import words

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from ..model import Problem


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the others."""
    said = "check case files, or the spec pages"
    parser = commands.add_parser("lint", help=said, description=said)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="case files and folders (the bundled ones)")
    parser.add_argument("--format", choices=tuple(FORMATS), default="text", help="text, json, or github's annotations")
    parser.add_argument("--fix", action="store_true", help="mend what has one certain remedy")
    parser.add_argument("--catalogue", metavar="FILE", help="the case file that has the server's tools on record")


def main(arguments: argparse.Namespace, command: list[str] | None) -> int:  # noqa: ARG001 - one shape for all commands
    """Do it; answers the exit status: 0 clean, 1 with problems or nothing to check, 4 for a wrong path."""
    from .. import suite
    from . import fixing, lint

    named = [Path(path) for path in (*arguments.paths, *filter(None, [arguments.catalogue]))]
    missing = [path for path in named if not path.exists()]
    for path in missing:
        print(f"mcp-tck lint: {path}: there is no such file or folder", file=sys.stderr)
    if missing:
        return 4
    requirements, problems = suite.requirements()
    chosen = [Path(path) for path in arguments.paths] or [suite.FIXTURES]
    checked = {found.resolve() for path in chosen for found in lint.files(path)}
    bare = [path for path in chosen if not lint.files(path) and path.resolve() != suite.SPEC]
    for path in bare:
        print(f"mcp-tck lint: no case files in {path}", file=sys.stderr)
    catalogue = Path(arguments.catalogue) if arguments.catalogue else None
    found = lint.lint(chosen, requirements, catalogue)
    if arguments.fix:
        # What stood behind a mistake may show only now, and may be mended as well.
        for _ in range(fixing.ROUNDS):
            if not fixing.mend(found):
                break
            found = lint.lint(chosen, requirements, catalogue)
    problems = [*problems, *found]
    if checked or problems or arguments.format == "json":
        print(FORMATS[arguments.format](problems, len(checked)))
    return 1 if problems or bare else 0


def _text(problems: Sequence[Problem], checked: int) -> str:
    counted = words.count(len(problems), "problem") if problems else "no problems"
    return "\n".join([*map(str, problems), f"{counted} in {words.count(checked, 'file')}"])


def _json(problems: Sequence[Problem], checked: int) -> str:
    listed = [
        {
            "file": each.at.file,
            "line": each.at.line,
            "column": each.at.column,
            "length": each.at.length,
            "rule": each.rule,
            "message": each.message,
            "hint": each.hint,
        }
        for each in problems
    ]
    return json.dumps({"format": 1, "checked": checked, "problems": listed}, indent=2, ensure_ascii=False)


def _github(problems: Sequence[Problem], _checked: int) -> str:
    return "\n".join(map(_annotation, problems))


def _annotation(each: Problem) -> str:
    place = f"file={_property(each.at.file)},line={each.at.line},col={each.at.column},title={_property(each.rule)}"
    return f"::error {place}::{_data(each.message + (f' ({each.hint})' if each.hint else ''))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


FORMATS: Final[dict[str, Callable[[Sequence[Problem], int], str]]] = {"text": _text, "json": _json, "github": _github}
