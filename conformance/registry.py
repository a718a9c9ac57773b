"""Spec pages to requirements, read where the lines stand: `- **ID** (LEVEL{, FIELD}) TEXT <SOURCE>`.

TEXT runs on over indented lines. A list item that begins like a requirement and does not fit is a problem, so that a
stray mark never loses one. Fenced blocks are examples and are not read.

This module must never know a case, and never take a requirement from anywhere but a page.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from .casefile import yamlstrict
from .casefile.format_parts import CAPABILITY, REVISIONS
from .model import Level, Location, Problem, Requirement
from .words import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PROFILES: Final = ("mcp", "documented", "story", "safety")
"""Whom a page can bind; `mcp` binds every server."""

_FENCE: Final = re.compile(r" {0,3}(```+|~~~+)")
_MARK: Final = re.compile(
    r"(?P<list>\s*(?:[-*+]|\d+[.)])\s+)?(?:\*\*|__)(?P<id>[A-Z][A-Z0-9_-]*)\s*[:.]?\s*(?:\*\*|__)"
)
_LEVEL_AHEAD: Final = re.compile(r"\s*\(\s*(?:must|should|may|open)\b")
_ID: Final = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-[0-9]+")
_HEAD: Final = re.compile(r"- \*\*(?P<id>[^*\s]+)\*\* \((?P<fields>[^()]*)\) ")
_SOURCE: Final = re.compile(r"<(?P<source>[^<>]+)>$")
_GRAMMAR: Final = "a requirement is written - **ID** (LEVEL, FIELD) TEXT <SOURCE>"
_FIELDS: Final = ("since REVISION", "until REVISION", "needs CAPABILITY", "profile NAME", "untestable: WHY")


@dataclass(slots=True)
class Registry:
    """The requirements of all pages, by id, in the order of the pages."""

    requirements: dict[str, Requirement] = field(default_factory=dict)

    def page(self, requirement_id: str) -> str:
        """The page on which a requirement stands, as a path that begins with the spec folder's name."""
        return self.requirements[requirement_id].at.file


def read(spec_dir: Path) -> tuple[Registry, list[Problem]]:
    """Read every page below a spec folder; places name the pages by that folder's name and the path below it."""
    registry = Registry()
    problems: list[Problem] = []
    for path in sorted(spec_dir.rglob("*.md")):
        display = f"{spec_dir.name}/{path.relative_to(spec_dir).as_posix()}"
        text, unreadable = yamlstrict.decode(path.read_bytes(), display)
        problems += unreadable
        problems += read_page(text, display, registry)
    return registry, problems


def read_page(text: str, display: str, registry: Registry) -> list[Problem]:
    """Add the requirements of one page to a registry."""
    problems: list[Problem] = []
    for item in _items(text, display):
        requirement = item.requirement(problems)
        if requirement is None:
            continue
        first = registry.requirements.setdefault(requirement.id, requirement)
        if first is not requirement:
            said = f"{requirement.id} is there twice; first at {first.at}"
            problems.append(Problem(requirement.at, "duplicate-requirement", said, "numbers are never reused"))
    return problems


def _items(text: str, display: str) -> Iterator[_Item]:
    """Everything on a page that begins like a requirement, with the lines that it runs on over."""
    lines = text.split("\n")
    fence = ""
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        opened = _FENCE.match(line)
        if opened:
            if not fence:
                fence = opened[1]
            elif opened[1].startswith(fence):
                fence = ""
            continue
        mark = None if fence else _MARK.match(line)
        if mark is None or not (mark["list"] or _LEVEL_AHEAD.match(line, mark.end())):
            continue
        first, parts = number, [line]
        while number < len(lines) and re.match(r" +\S", lines[number]) and not _MARK.match(lines[number]):
            parts.append(lines[number])
            number += 1
        yield _Item(display, first, parts, mark)


class _Item:
    """One list item, its lines joined, with the way back from a place in the text to a place in the file."""

    def __init__(self, display: str, first: int, lines: list[str], mark: re.Match[str]) -> None:
        self.display = display
        self.first = first
        self.mark = mark
        self.starts = [0]
        self.indents = [0]
        self.text = lines[0].rstrip()
        for line in lines[1:]:
            stripped = line.strip()
            self.starts.append(len(self.text) + 1)
            self.indents.append(len(line) - len(line.lstrip()))
            self.text += " " + stripped

    def at(self, offset: int, length: int = 1) -> Location:
        """The place of an offset in the joined text."""
        row = bisect_right(self.starts, offset) - 1
        column = offset - self.starts[row] + self.indents[row] + 1
        return Location(self.display, self.first + row, column, max(length, 1))

    def requirement(self, problems: list[Problem]) -> Requirement | None:
        """The requirement that the item is; None with a problem where it does not fit the grammar."""
        head = _HEAD.match(self.text)
        if head is None:
            place = self.at(self.mark.start("id"), len(self.mark["id"]))
            problems.append(
                Problem(place, "stray-requirement", f"{self.mark['id']} does not fit the grammar", _GRAMMAR)
            )
            return None
        before = len(problems)
        here = self.at(head.start("id"), len(head["id"]))
        if not _ID.fullmatch(head["id"]):
            hint = "an id is words in capitals and a number, joined by hyphens"
            problems.append(Problem(here, "bad-requirement-id", f"{head['id']} is no requirement id", hint))
        fields = self.fields(head, problems)
        source = _SOURCE.search(self.text)
        if source is None:
            end = self.at(len(self.text) - 1)
            problems.append(Problem(end, "missing-source", f"{head['id']} does not end with its <source>", _GRAMMAR))
        words = self.text[head.end() : source.start() if source else None].strip()
        if not words:
            problems.append(Problem(here, "missing-text", f"{head['id']} says nothing", _GRAMMAR))
        if len(problems) > before or source is None:
            return None
        level = Level(fields.pop("level"))
        return Requirement(head["id"], level, words, source["source"].strip(), here, **fields)

    def fields(self, head: re.Match[str], problems: list[Problem]) -> dict[str, str]:
        """The level and the fields between the parentheses."""
        found: dict[str, str] = {}
        offset = head.start("fields")
        for place, part in enumerate(head["fields"].split(",")):
            word = part.strip()
            at = self.at(offset + len(part) - len(part.lstrip()), len(word))
            offset += len(part) + 1
            problem = self.level(word, found) if place == 0 else self.field(word, found)
            if problem:
                problems.append(Problem(at, *problem))
        if "since" in found and "until" in found and found["since"] > found["until"]:
            said = f"no revision lies between {found['since']} and {found['until']}"
            problems.append(Problem(self.at(head.start("fields")), "empty-window", said))
        return found

    def level(self, word: str, found: dict[str, str]) -> tuple[str, str, str] | None:
        """Take the level; what is wrong with it, as rule, message and hint."""
        levels = [level.value for level in Level]
        if word not in levels:
            return "unknown-level", f'there is no level "{word}"', did_you_mean(word, levels) or ", ".join(levels)
        found["level"] = word
        return None

    def field(self, word: str, found: dict[str, str]) -> tuple[str, str, str] | None:
        """Take one field; what is wrong with it, as rule, message and hint."""
        name, separator, value = word.partition(": " if word.startswith("untestable") else " ")
        rule = _VALUES.get(name)
        if rule is None or not separator:
            return "unknown-field", f'there is no field "{word}"', did_you_mean(word, _FIELDS) or ", ".join(_FIELDS)
        if name in found:
            return "duplicate-field", f"{name} is there twice", ""
        known, pattern = rule
        if known and value not in known:
            return f"unknown-{_KINDS[name]}", f'there is no {_KINDS[name]} "{value}"', ", ".join(known)
        if not re.fullmatch(pattern, value):
            return "bad-field", f'"{value}" cannot stand behind {name}', CAPABILITY.said
        found[name] = value
        return None


_VALUES: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "since": (REVISIONS, ".+"),
    "until": (REVISIONS, ".+"),
    "needs": ((), CAPABILITY.pattern),
    "profile": (PROFILES, ".+"),
    "untestable": ((), ".+"),
}
_KINDS: Final = {"since": "revision", "until": "revision", "profile": "profile"}
