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

_VERBS: Final = re.compile(
    r"(?i)(?:^|[_.\-/ ])(?:delete|remove|drop|destroy|erase|purge|truncate|write|overwrite|create|insert|update|rename|"
    r"move|kill|reset|wipe)(?=$|[_.\-/ ]|(?-i:[A-Z]))|^(?:delete|remove|drop|destroy|write|create|update)(?-i:[A-Z])"
)


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
    if found := _VERBS.search(name):
        return f'its name says "{found[0].strip("_.-/ ").lower()}"'
    return ""


def bases(permit: Permit, tool: Tool) -> list[dict[str, Value]]:
    """The arguments to begin with: those of the user, else the least that the schema asks for."""
    if permit.good:
        return [dict(good) for good in permit.good]
    made = tool.base()
    return [] if made is None else [made]
