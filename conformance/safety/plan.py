"""Which tools of a target may be called, with which arguments to begin with, and why; and why not the others.

A tool is called where it says itself that it only reads, or where the configuration names it. Nothing else is leave:
not its name, not its description. This module must never call anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from ..opening import Facts
from ..values import Value
from .schema_values import Tool

PROBE: Final = "tck_"
READS: Final = "it declares readOnlyHint"
ALLOWED: Final = "the configuration allows it"

WRITES: Final = frozenset(
    re.findall(
        r"\w+",
        "delete remove drop destroy erase purge truncate write overwrite create insert update rename move kill reset "
        "wipe export backup save download upload send publish",
    )
)
READING: Final = frozenset(
    re.findall(r"\w+", "get list read search find show describe fetch count view check query is has can")
)
"""First words of a name that say what is done, whatever else is in it: get_update_status, list_delete_requests."""


@dataclass(frozen=True, slots=True)
class Permit:
    """A tool that may be called: why, and the arguments that the user gave as good ones."""

    tool: str
    why: str
    good: tuple[dict[str, Value], ...] = ()

    @property
    def reads(self) -> bool:
        """Whether the tool says of itself that it changes nothing."""
        return self.why == READS


@dataclass(slots=True)
class Permits:
    """What may be called, in the order of the list, and why each other tool may not."""

    may: dict[str, Permit] = field(default_factory=dict)
    may_not: dict[str, str] = field(default_factory=dict)

    def head(self) -> list[str]:
        """What a run says at its head."""
        lines = []
        for why in (READS, ALLOWED):
            names = [name for name, permit in self.may.items() if permit.why == why]
            if names:
                lines.append(f"mcp-tck: safety calls, since {why}: {', '.join(names)}")
        reasons: dict[str, list[str]] = {}
        for name, reason in self.may_not.items():
            reasons.setdefault(reason, []).append(name)
        lines += [f"mcp-tck: safety does not call, since {why}: {', '.join(names)}" for why, names in reasons.items()]
        return lines


def permits(facts: Facts, allowed: Mapping[str, Iterable[dict[str, Value]]]) -> Permits:
    """The tools that may be called; `allowed` are the good arguments by tool of the user's configuration."""
    found = Permits()
    for name, tool in facts.tools.items():
        if name.startswith(PROBE):
            continue
        hints = tool.get("annotations")
        reads = isinstance(hints, dict) and hints.get("readOnlyHint") is True
        if name in allowed:
            good = tuple(allowed[name])
            found.may[name] = Permit(name, READS if reads and not doubts(name, tool) else ALLOWED, good)
        elif not reads:
            found.may_not[name] = "it does not declare readOnlyHint, and the configuration does not allow it"
        elif doubt := doubts(name, tool):
            found.may_not[name] = f"it declares readOnlyHint, but {doubt}"
        else:
            found.may[name] = Permit(name, READS)
    return found


def doubts(name: str, tool: Mapping[str, Value]) -> str:
    """Why a tool that says that it only reads may not be believed; empty where nothing speaks against it."""
    hints = tool.get("annotations")
    if isinstance(hints, dict) and hints.get("destructiveHint") is True:
        return "it declares destructiveHint as well"
    words = re.findall(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*", name)
    ends = [word.lower() for word in (words[:1] + words[-1:])]
    if ends and ends[0] not in READING and (verb := next((word for word in ends if word in WRITES), "")):
        return f'its name says "{verb}"'
    return ""


def bases(permit: Permit, tool: Tool) -> list[dict[str, Value]]:
    """The arguments to begin with: those of the user, else the least that the schema asks for."""
    if permit.good:
        return [dict(good) for good in permit.good]
    made = tool.base()
    return [] if made is None else [made]
