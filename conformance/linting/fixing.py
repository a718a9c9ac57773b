"""Remedies for problems that have just one: the text at the place of the problem, put otherwise.

This module must never change what a file means to say, and never touch a place that does not read as it should.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .. import suite

if TYPE_CHECKING:
    from ..model import Problem

ROUNDS: Final = 5
"""How often a file is mended and read again."""


def mend(problems: Iterable[Problem]) -> int:
    """Mend the files; answers how many problems were mended. Problems of bundled files are left to their authors."""
    by_file: dict[Path, list[Problem]] = {}
    for problem in problems:
        path = Path(problem.at.file)
        ours = path.resolve().is_relative_to(suite.FIXTURES)
        if problem.rule in REMEDIES and not ours and path.is_file():
            by_file.setdefault(path, []).append(problem)
    return sum(_mend(path, found) for path, found in by_file.items())


def _mend(path: Path, problems: list[Problem]) -> int:
    text = path.read_bytes().decode("utf-8")
    lines = text.split("\n")
    mended = 0
    # From the end to the beginning: what is mended moves only what stands behind it.
    for problem in sorted(problems, key=lambda each: (each.at.line, each.at.column), reverse=True):
        line = lines[problem.at.line - 1]
        start = problem.at.column - 1
        written = line[start : start + problem.at.length]
        remedy = REMEDIES[problem.rule](written, problem)
        if remedy is not None and remedy != written:
            lines[problem.at.line - 1] = line[:start] + remedy + line[start + problem.at.length :]
            mended += 1
    if mended:
        path.write_bytes("\n".join(lines).encode("utf-8"))
    return mended


def _quoted(written: str, problem: Problem) -> str | None:
    """The text in quotes, where the problem itself names that text."""
    return f"'{written}'" if written and problem.message.startswith(f"{written} ") else None


def _without_full_stop(written: str, problem: Problem) -> str | None:
    if not problem.message.endswith("ends with a full stop"):
        return None
    for quote in ("'", '"', ""):
        if written.endswith(f".{quote}"):
            return written[: len(written) - len(quote) - 1].rstrip(".") + quote
    return None


def _key(written: str, problem: Problem) -> str | None:
    return f"'{written}'" if problem.hint == f"write '{written}'" else None


def _boolean(_written: str, problem: Problem) -> str | None:
    return {"write true": "true", "write false": "false"}.get(problem.hint)


REMEDIES: Final[dict[str, Callable[[str, Problem], str | None]]] = {
    "unquoted-boolean": _quoted,
    "unquoted-null": _quoted,
    "unquoted-date": _quoted,
    "unquoted-number": _quoted,
    "unquoted-indicator": _quoted,
    "key-no-text": _key,
    "title-style": _without_full_stop,
    "wrong-type": _boolean,
}
