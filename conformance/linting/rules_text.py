"""Lint rules about texts in a case file: patterns that can run away, secrets, paths of one machine.

This module must never run a pattern.
"""

from __future__ import annotations

import re
import re._parser as grammar  # type: ignore[import-not-found] # there is no public one
from typing import TYPE_CHECKING, Any, Final

from ..authoring.volatile import REDACTED, SECRETS, is_secret
from .rules import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model import Node, Problem
    from .rules import File

_HOME: Final = re.compile(r"(?:/home/|/Users/)[\w.-]+|/root/|[A-Z]:\\Users\\[\w.-]+")
_MANY: Final = 25


class RunawayRegex(Rule):
    """A pattern that repeats a repetition can take longer than anybody waits, on the one reply that does not match."""

    id = "runaway-regex"
    hint = "repeat once, or put something between the repetitions that has to be there"

    def _find(self, file: File) -> Iterator[Problem]:
        for node in file.root.walk():
            argument = node.get("$regex")
            if argument is not None and isinstance(argument.value, str) and _runs_away(argument.value):
                yield self._broken(argument.at, "this pattern repeats a repetition, and can run away")


class Secret(Rule):
    """A case file is read by everybody who reads the repository."""

    id = "secret"
    hint = "put something harmless in its place, and take the real one back where it was issued"

    def _find(self, file: File) -> Iterator[Problem]:
        for key, node in _texts(file.root):
            assert isinstance(node.value, str)
            if node.value != REDACTED and SECRETS.search(node.value):
                yield self._broken(node.at, "this looks like a secret")
            elif len(node.value) >= 12 and " " not in node.value and is_secret(key, node.value):
                yield self._broken(node.at, f'"{key}" looks like a secret')


class HomePath(Rule):
    """A path in somebody's home is there on one machine, and tells who sits at it."""

    id = "home-path"
    hint = "match it by $regex, or take a path that every machine has"

    def _find(self, file: File) -> Iterator[Problem]:
        for _, node in _texts(file.root):
            found = _HOME.search(str(node.value))
            if found is not None:
                yield self._broken(node.at, f"{found[0]} is on one machine only")


RULES: Final[tuple[type[Rule], ...]] = (HomePath, RunawayRegex, Secret)


def _texts(node: Node, key: str = "") -> Iterator[tuple[str, Node]]:
    """Every text below a node, with the name of the member that it is, or that its array is."""
    if isinstance(node.value, str):
        yield key, node
    for name, member in node.items.items():
        yield from _texts(member, name)
    for element in node.elements:
        yield from _texts(element, key)


def _runs_away(pattern: str) -> bool:
    try:
        return _nested(grammar.parse(pattern))
    except (re.error, RecursionError, OverflowError):
        return False


def _nested(parsed: Any) -> bool:
    """Whether some unbounded repetition holds nothing that has to be there but another unbounded one."""
    for name, argument in parsed:
        kind = str(name)
        if kind in {"MAX_REPEAT", "MIN_REPEAT"}:
            if argument[1] > _MANY and _only_repeats(argument[2]):
                return True
            if _nested(argument[2]):
                return True
        elif any(_nested(part) for part in _parts(kind, argument)):
            return True
    return False


def _only_repeats(parsed: Any) -> bool:
    needed = 0
    repeats = False
    for name, argument in parsed:
        kind = str(name)
        if kind in {"MAX_REPEAT", "MIN_REPEAT"}:
            unbounded = argument[1] > _MANY
            repeats = repeats or unbounded
            needed += bool(argument[0]) and not unbounded
        elif kind in {"SUBPATTERN", "BRANCH"}:
            inner = [_only_repeats(part) for part in _parts(kind, argument)]
            repeats = repeats or any(inner)
            needed += not any(inner)
        elif kind != "AT":
            needed += 1
    return repeats and not needed


def _parts(kind: str, argument: Any) -> list[Any]:
    if kind == "SUBPATTERN":
        return [argument[3]]
    if kind == "BRANCH":
        return list(argument[1])
    return [argument[1]] if kind in {"ASSERT", "ASSERT_NOT"} else []
