"""The case files of a run and the spec, found and read: every file, every error, before anything is started.

Bundled files are found beside this package, in a clone as in an installed wheel. The prefix of a file's case ids is its
path below its case folder; what `area` says tells where that folder is, so that ids depend on no root and no order.

This module must never start a target or skip a file that cannot be read.
"""

from __future__ import annotations

import functools
import gc
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from . import registry
from .casefile import cases
from .model import Case, Problem, Requirement
from .properties import listing

HOME: Final = Path(__file__).resolve().parent
FIXTURES: Final = HOME.parent / "fixtures"
SPEC: Final = HOME.parent / "spec"
RELEASED: Final = SPEC / "released"

_AREA: Final = re.compile(r"^area:\s*[\"']?([^\s\"'#]+)", re.MULTILINE)


@dataclass(slots=True)
class Suite:
    """Cases by file, what is wrong with any file, and where the file of a display name is."""

    files: dict[Path, list[Case]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    sources: dict[str, Path] = field(default_factory=dict)
    _lines: dict[str, list[str]] = field(default_factory=dict)

    def ids(self) -> set[str]:
        """The ids of all cases."""
        return {case.id for found in self.files.values() for case in found}

    def source_line(self, name: str, number: int) -> str | None:
        """A line of a case file by its display name, counted from 1; None where it cannot be read."""
        if name not in self._lines:
            path = self.sources.get(name)
            try:
                self._lines[name] = path.read_text("utf-8").splitlines() if path is not None else []
            except (OSError, UnicodeDecodeError):
                self._lines[name] = []
        lines = self._lines[name]
        return lines[number - 1] if 0 < number <= len(lines) else None


def resolved(path: Path) -> Path:
    """A path without links and dots, looked up once."""
    return _resolved(path.absolute())


@functools.cache
def _resolved(path: Path) -> Path:
    return path.resolve()


def names(path: Path) -> tuple[str, str]:
    """How a case file is shown, and the prefix of its case ids; the path is a resolved one."""
    if path.is_relative_to(FIXTURES):
        below = path.relative_to(FIXTURES)
        return f"fixtures/{below.as_posix()}", below.with_suffix("").as_posix()
    here = Path.cwd()
    display = path.relative_to(here).as_posix() if path.is_relative_to(here) else str(path)
    plain = path.with_suffix("")
    try:
        found = _AREA.search(path.read_text("utf-8", "replace"))
    except OSError:
        found = None
    area = tuple(found[1].split("/")) if found else ()
    if area and plain.parts[-len(area) :] == area:
        return display, "/".join((plain.parts[-len(area) - 1], *area))
    return display, "/".join(plain.parts[-2:])


def load(paths: Iterable[Path]) -> Suite:
    """Read case files; a file named twice is read once."""
    suite = Suite()
    with cases.no_collection():
        for path in paths:
            where = resolved(path)
            if where in suite.files:
                continue
            display, prefix = names(where)
            suite.sources[display] = where
            suite.files[where], problems = cases.load(where, display, prefix)
            suite.problems.extend(problems)
        gc.freeze()  # what was read stays until the end, and is never looked through
    return suite


def bundled_ids() -> set[str]:
    """The ids of all bundled cases, properties among them."""
    return load(cases.find(FIXTURES)).ids() | listing.ids()


def is_bundled(identity: str) -> bool:
    """Whether a case id is one of a bundled case or property, or of a standing check."""
    prefix = identity.partition("::")[0]
    return (
        prefix.startswith("session/")
        or identity.partition("@")[0] in listing.ids()
        or (FIXTURES / f"{prefix}.yaml").is_file()
    )


def requirements() -> tuple[dict[str, Requirement], list[Problem]]:
    """The requirements of the bundled spec."""
    found, problems = registry.read(SPEC)
    return found.requirements, problems
