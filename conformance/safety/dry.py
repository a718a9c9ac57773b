"""What made cases would call, as a list for people. Nothing is called.

Which of several good values a case begins with shows only when it is played; all of them are listed. This module must
never leave out a call that a case may make, but for values that are drawn, of which it says how many there may be.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..model import Case
from ..values import dumps
from ..words import count, cut
from .made import Script

WIDTH = 160


def listing(cases: Iterable[Case]) -> list[str]:
    """The calls by tool, each once, in the order of the cases."""
    tools: dict[str, dict[str, None]] = {}
    drawn: dict[str, int] = {}
    number = 0
    for case in cases:
        if not isinstance(case.script, Script):
            continue
        number += 1
        for tool, arguments in case.script.foreseen():
            tools.setdefault(tool, {})[cut(dumps(arguments), WIDTH)] = None
        if most := case.script.drawn():
            tool = case.script.tool()
            drawn[tool] = drawn.get(tool, 0) + most
    lines = []
    for tool, calls in tools.items():
        lines.append(f"{tool}: {count(len(calls), 'call')}, most of them several times")
        lines += [f"  {call}" for call in calls]
        if tool in drawn:
            lines.append(f"  and at most {drawn[tool]} with arguments that are drawn from the schema")
    total = sum(map(len, tools.values()))
    return [*lines, f"{count(number, 'case')} would make {count(total, 'different call')}; nothing was called"]
