"""Known failures of one target: a YAML file, read with every error at its line.

    format: 1
    entries:
      - case: mcp/base/methods::unknown          # or `requirement: MCP-BASE-014`, for all of its cases
        reason: the router of version 2 is being rewritten
        issue: https://example.org/issues/17     # may be left out, as the rest below
        expires: "2027-01-31"
        mismatches: [{pointer: /error/code, expected: integer -32601, actual: integer -32603}]

A case id without its row stands for all rows, one without a revision for all revisions. This module must never decide
what an entry does to an outcome.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ..casefile import yamlstrict
from ..model import Location, Node, Problem
from ..values import Number
from ..words import did_you_mean

Mismatches = list[dict[str, str]]

_TOP: Final = ("format", "entries")
_KEYS: Final = ("case", "requirement", "reason", "issue", "expires", "mismatches")
_PARTS: Final = ("pointer", "expected", "actual")

UNTOLD: Final = "recorded by an update; say here why it is known"
"""What an update writes where a person has to say why. No other run takes it for a reason."""


class BaselineError(Exception):
    """A baseline that cannot be used; the message holds every error, one a line, at its place."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One known failure, of a case or of all cases of a requirement. No mismatches recorded: any will do."""

    name: str
    at: Location
    reason: str
    requirement: bool = False
    issue: str = ""
    expires: datetime.date | None = None
    mismatches: Mismatches | None = None

    def expired(self, today: datetime.date) -> bool:
        """Whether the last day of the entry is over."""
        return self.expires is not None and today > self.expires


@dataclass(slots=True)
class Baseline:
    """The entries of a file, and its text."""

    path: Path
    text: str = ""
    entries: list[Entry] = field(default_factory=list)

    def find(self, identity: str, requirements: Iterable[str]) -> Entry | None:
        """The entry for a case id, the narrowest one first; one by requirement comes last."""
        named = {entry.name: entry for entry in self.entries if not entry.requirement}
        for name in spellings(identity):
            if name in named:
                return named[name]
        wanted = set(requirements)
        return next((entry for entry in self.entries if entry.requirement and entry.name in wanted), None)


def spellings(identity: str) -> list[str]:
    """The ways to name a case id in a baseline: whole, without its revision, without its row, without both."""
    plain, _, revision = identity.partition("@")
    bare = re.sub(r"\[[^\]]*\]$", "", plain)
    both = [f"{name}@{revision}" for name in (plain, bare)] if revision else []
    return list(dict.fromkeys([*both[:1], plain, *both[1:], bare]))


def load(path: Path, *, updating: bool = False) -> Baseline:
    """Read a baseline; one to be updated may be missing, or wait for its reasons. Raises BaselineError."""
    if updating and not path.exists():
        return Baseline(path)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise BaselineError(f"{path}: there is no such file (--tck-baseline-update writes it from a run)") from None
    except OSError as error:
        raise BaselineError(f"{path}: cannot be read: {error.strerror}") from None
    text, problems = yamlstrict.decode(data, str(path))
    if not problems and not text.strip():
        return Baseline(path)
    node = None
    if not problems:
        node, problems = yamlstrict.parse(text, str(path))
    if node is None or problems:
        raise BaselineError("\n".join(map(str, problems)))
    reader = _Reader(updating=updating)
    entries = reader.read(node)
    if reader.problems:
        raise BaselineError("\n".join(map(str, reader.problems)))
    return Baseline(path, text, entries)


def unknown(baseline: Baseline, cases: Callable[[], set[str]], requirements: Iterable[str]) -> list[Problem]:
    """A problem for each entry whose id nobody knows. `cases` answers all case ids, rows included."""
    problems: list[Problem] = []
    known_requirements = set(requirements)
    known_cases: set[str] = set()
    if any(not entry.requirement for entry in baseline.entries):
        known_cases = {name for identity in cases() for name in spellings(identity)}
    for entry in baseline.entries:
        known = known_requirements if entry.requirement else known_cases
        name = entry.name if entry.requirement else entry.name.partition("@")[0]
        if not entry.requirement and name.startswith("safety/"):
            continue  # made from a catalogue that nobody has seen yet
        if name not in known:
            kind = "requirement" if entry.requirement else "case"
            said = f"no {kind} has the id {entry.name}"
            problems.append(Problem(entry.at, f"unknown-{kind}", said, did_you_mean(name, known)))
    return problems


class _Reader:
    def __init__(self, *, updating: bool) -> None:
        self.updating = updating
        self.problems: list[Problem] = []

    def wrong(self, at: Location, rule: str, message: str, hint: str = "") -> None:
        self.problems.append(Problem(at, rule, message, hint))

    def closed(self, node: Node, known: Sequence[str]) -> bool:
        if not isinstance(node.value, dict):
            self.wrong(node.at, "baseline", f"an object with {', '.join(known)} is needed here")
            return False
        for key, place in node.keys.items():
            if key not in known:
                hint = did_you_mean(key, known) or f"known are {', '.join(known)}"
                self.wrong(place, "unknown-key", f'there is no key "{key}"', hint)
        return True

    def read(self, node: Node) -> list[Entry]:
        if not self.closed(node, _TOP):
            return []
        version = node.get("format")
        if version is None or version.value != Number("1"):
            self.wrong(version.at if version else node.at, "format", "a baseline says `format: 1`")
        listed = node.get("entries")
        if listed is None or not isinstance(listed.value, tuple):
            self.wrong(
                listed.at if listed else node.at, "baseline", "`entries` is a list", "write [] where it is empty"
            )
            return []
        entries = [entry for entry in map(self.entry, listed.elements) if entry is not None]
        first: dict[str, Entry] = {}
        for entry in entries:
            if first.setdefault(entry.name, entry) is not entry:
                said = f"{entry.name} is there twice; first on line {first[entry.name].at.line}"
                self.wrong(entry.at, "duplicate-entry", said, "remove one of the two")
        return entries

    def entry(self, node: Node) -> Entry | None:
        if not self.closed(node, _KEYS):
            return None
        texts = {key: self.text(node, key) for key in ("case", "requirement", "reason", "issue", "expires")}
        names = [key for key in ("case", "requirement") if texts[key]]
        if len(names) != 1:
            self.wrong(node.at, "baseline", "an entry names either a case or a requirement")
            return None
        kind = names[0]
        if not texts["reason"].strip():
            self.wrong(node.at, "missing-reason", f"{texts[kind]} has no reason", "say why this failure is known")
        elif texts["reason"].strip() == UNTOLD and not self.updating:
            said = f"{texts[kind]} has still the reason that the update wrote"
            self.wrong(node.items["reason"].at, "missing-reason", said, "say why this failure is known")
        named = node.get(kind)
        return Entry(
            name=texts[kind],
            at=named.at if named is not None else node.at,
            reason=texts["reason"].strip(),
            requirement=kind == "requirement",
            issue=texts["issue"],
            expires=self.date(node, texts["expires"]),
            mismatches=self.mismatches(node.get("mismatches")),
        )

    def text(self, node: Node, key: str) -> str:
        member = node.get(key)
        if member is None:
            return ""
        if isinstance(member.value, str):
            return member.value
        self.wrong(member.at, "baseline", f"`{key}` is a text", "quote it")
        return ""

    def date(self, node: Node, text: str) -> datetime.date | None:
        member = node.get("expires")
        if member is None or not text:
            return None
        try:
            return datetime.date.fromisoformat(text)
        except ValueError:
            self.wrong(member.at, "bad-date", f'"{text}" is no date', 'write it like "2027-01-31"')
            return None

    def mismatches(self, node: Node | None) -> Mismatches | None:
        if node is None:
            return None
        if not isinstance(node.value, tuple):
            self.wrong(node.at, "baseline", "`mismatches` is a list")
            return None
        parts = [element for element in node.elements if self.closed(element, _PARTS)]
        return [{key: self.text(element, key) for key in _PARTS} for element in parts]
