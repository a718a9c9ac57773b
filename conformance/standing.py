"""The standing checks: what is judged on every message of every process, from its start to its end.

They are reported as cases, `session/reply-id` and so on, so that a fault of the wire shows once and not in every case.
No selection removes them. One that saw no message was not exercised.

This module must never look at a message: `wire.py` and `conversation.py` do, and hand over what they found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Final

from .model import Case, Entry, Location, Mismatch
from .protocol import schemas
from .protocol.conversation import Violation

CHECKS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "opening": ("the opening completes", ("MCP-LIFE-001", "MCP-DISC-001", "MCP-DISC-002", "MCP-DISC-003")),
    "framing": (
        "every line on standard output is one message in UTF-8",
        ("MCP-STDIO-001", "MCP-STDIO-002", "MCP-STDIO-003", "MCP-BASE-023"),
    ),
    "json": ("every message is JSON without doubt about its meaning", ("MCP-BASE-101",)),
    "envelope": (
        "every message has the envelope of JSON-RPC 2.0",
        ("MCP-BASE-001", "MCP-BASE-006", "MCP-BASE-007", "MCP-BASE-008", "MCP-BASE-011", "MCP-BASE-102"),
    ),
    "reply-id": ("every reply carries the id of its request", ("MCP-BASE-002",)),
    "one-reply": ("no request is answered twice", ("MCP-BASE-005",)),
    "stray-reply": ("no reply comes that no request asked for", ("MCP-BASE-010", "MCP-BASE-013")),
    "client-requests": (
        "the server sends only requests that the client can take",
        ("MCP-BASE-035", "MCP-CLI-001", "MCP-LIFE-013", "MCP-LIFE-015", "MCP-STDIO-010"),
    ),
    "notifications": (
        "the server sends only notifications that it declared, or that belong to what is in flight",
        (
            "MCP-LIFE-013",
            "MCP-LIFE-016",
            "MCP-LOG-001",
            "MCP-LOG-006",
            "MCP-PROG-001",
            "MCP-PROG-003",
            "MCP-PROG-004",
            "MCP-STDIO-011",
        ),
    ),
    "schema": ("every message has the shape that its revision gives it", ()),
}
"""Title and requirements by name; those of `schema` stand in the schemas, which are read when they are asked for."""


@dataclass(slots=True)
class Tally:
    """What the standing checks saw at one revision: how many messages, and what broke which check."""

    seen: int = 0
    opened: int = 0
    violations: list[Violation] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Take over what another process, or another worker, saw."""
        self.seen += other.seen
        self.opened += other.opened
        self.violations.extend(other.violations)

    def plain(self) -> dict[str, object]:
        """The tally as JSON's plain data, to hand it from a worker."""
        return {"seen": self.seen, "opened": self.opened, "violations": [asdict(each) for each in self.violations]}


def from_plain(data: dict[str, object]) -> Tally:
    """The tally that `Tally.plain` wrote."""
    tally = Tally(int(str(data["seen"])), int(str(data["opened"])))
    listed = data["violations"]
    for each in listed if isinstance(listed, list) else []:
        excerpt = tuple(Entry(**entry) for entry in each["excerpt"])
        tally.violations.append(Violation(**{**each, "excerpt": excerpt}))
    return tally


def ids() -> set[str]:
    """The case ids of the standing checks."""
    return {f"session/{check}" for check in CHECKS}


def case(check: str) -> Case:
    """A standing check as a case."""
    title, covers = CHECKS[check]
    if check == "schema":
        covers = schemas.requirements()
    return Case(
        id=f"session/{check}", file="", at=Location("", 0, 0), title=title, area="session", covers=covers, steps=()
    )


def mismatches(found: Sequence[Violation]) -> tuple[Mismatch, ...]:
    """The different ways in which a check was broken, most frequent first, each with its count.

    Where they break several requirements each says its own.
    """
    several = len({violation.requirement for violation in found}) > 1
    counts: dict[tuple[str, str, str], int] = {}
    for violation in found:
        key = (_blur(violation.pointer), _blur(violation.expected), _blur(violation.actual))
        counts[key] = counts.get(key, 0) + 1
    first: dict[tuple[str, str, str], Violation] = {}
    for violation in found:
        key = (_blur(violation.pointer), _blur(violation.expected), _blur(violation.actual))
        first.setdefault(key, violation)
    ranked = sorted(counts, key=lambda key: -counts[key])[:5]
    return tuple(
        Mismatch(
            first[key].pointer,
            first[key].expected + (f" ({first[key].requirement})" if several else ""),
            first[key].actual + (f" (and {counts[key] - 1} more like it)" if counts[key] > 1 else ""),
        )
        for key in ranked
    )


def _blur(text: str) -> str:
    """The text without its digits, so that the same fault on another id counts as the same."""
    return "".join("#" if character.isdigit() else character for character in text)
