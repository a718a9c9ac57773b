"""Case files held against the house rules: what loads, and yet says less than its author meant.

Problems of shape are the loader's, and come first; rules look at files that load. This module must never run a case.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from .. import suite
from ..casefile import cases, yamlstrict
from ..model import Location, Node, Problem
from . import rules_holding, rules_meaning, rules_style, rules_text
from .rules import File, Known, Rule

if TYPE_CHECKING:
    from pathlib import Path

    from ..model import Requirement

RULES: Final[tuple[type[Rule], ...]] = (
    *rules_holding.RULES,
    *rules_meaning.RULES,
    *rules_style.RULES,
    *rules_text.RULES,
)

CATALOGUE: Final = "catalogue.yaml"
"""The file of a case folder that has the target's tools on record, as `mcp-tck init` writes it."""


def lint(
    paths: Iterable[Path], requirements: Mapping[str, Requirement], catalogue: Path | None = None
) -> list[Problem]:
    """Everything that is wrong with case files, those of folders among them, sorted by place.

    Tools are known from `catalogue`, or from a file `catalogue.yaml` in a folder that is named, for that folder.
    """
    problems: list[Problem] = []
    prefixes: dict[str, Location] = {}
    seen: set[Path] = set()
    for named in paths:
        record = catalogue or (named / CATALOGUE if named.is_dir() else None)
        tools = recorded_tools(record) if record is not None and record.exists() else None
        active = [rule(Known(requirements, tools)) for rule in RULES]
        for path in (found.resolve() for found in files(named)):
            if path not in seen:
                seen.add(path)
                problems += _file(path, active, prefixes)
    return sorted(problems, key=lambda problem: (problem.at.file, problem.at.line, problem.at.column))


def _file(path: Path, active: list[Rule], prefixes: dict[str, Location]) -> list[Problem]:
    display, prefix = suite.names(path)
    problems = cases.load(path, display, prefix)[1]
    if problems:
        return problems
    root = yamlstrict.parse(yamlstrict.decode(path.read_bytes(), display)[0], display)[0]
    assert root is not None
    file = File(display, prefix, root, bundled=path.is_relative_to(suite.FIXTURES))
    at = root.items["area"].at
    first = prefixes.setdefault(prefix, at)
    if first is not at:
        said = f"the file's cases have the same ids as those of {first.file}"
        problems.append(Problem(at, "duplicate-file-id", said, "give one of the two files another name"))
    return problems + [problem for rule in active for problem in rule.check(file)]


def recorded_tools(path: Path) -> frozenset[str] | None:
    """The tools that a case file has on record, as literals with a name and a schema; None where it has none."""
    root, _ = yamlstrict.parse(yamlstrict.decode(path.read_bytes(), path.name)[0], path.name)
    found = set()
    for node in root.walk() if root is not None else ():
        tool = node.get("$literal")
        if tool is not None and tool.get("inputSchema") is not None and isinstance(_name(tool), str):
            found.add(str(_name(tool)))
    return frozenset(found) or None


def _name(tool: Node) -> object:
    name = tool.get("name")
    return name.value if name is not None else None


def files(path: Path) -> list[Path]:
    """A named file is checked whatever it says; of a folder, those that are meant as case files."""
    return [path] if path.is_file() else cases.find(path)
