"""Whether a case applies to a target, at which level, and why not. Every reason is a sentence that a reader can check.

This module must never drop a case: what does not apply is reported with its reason.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from typing import Final

from .model import Case, Level, Node, Requirement
from .opening import Facts
from .values import dumps
from .words import did_you_mean


def bound(case: Case, requirements: Mapping[str, Requirement], revision: str) -> tuple[Requirement, ...]:
    """The requirements that a case shows at a revision."""
    known = (requirements[name] for name in case.covers if name in requirements)
    return tuple(requirement for requirement in known if requirement.applies_at(revision))


def level(case: Case, requirements: Mapping[str, Requirement], revision: str) -> Level:
    """The strongest level among what a case shows; a case that names no requirement is its owner's own, and a must."""
    return strongest(bound(case, requirements, revision))


def strongest(found: Iterable[Requirement]) -> Level:
    """The strongest level among requirements; without any, a must."""
    return max((each.level for each in found), key=lambda each: each.strength, default=Level.MUST)


def not_applicable(
    case: Case, requirements: Mapping[str, Requirement], facts: Facts, profiles: frozenset[str]
) -> str | None:
    """Why a case does not apply to a target, or None where it does."""
    revision = facts.revision
    if case.since is not None and revision < case.since:
        return f"holds since {case.since}; tested at {revision}"
    if case.until is not None and revision > case.until:
        return f"holds until {case.until}; tested at {revision}"
    found = bound(case, requirements, revision)
    if case.covers and not found:
        return f"none of {', '.join(case.covers)} holds at {revision}"
    claimed = profiles | {"mcp"}
    for profile in (*case.needs.profiles, *(requirement.profile for requirement in found)):
        if profile not in claimed:
            return f"the target does not claim the profile {profile}"
    for capability in (*case.needs.capabilities, *(each.needs for each in found if each.needs)):
        if not facts.has(capability):
            if capability.startswith("!"):
                return f"the target declares the capability {capability[1:]}"
            return f"the target does not declare the capability {capability.replace('|', ' or ')}"
    for tool in case.needs.tools:
        if tool.startswith("!"):
            if tool[1:] in facts.tools:
                return f"the target offers the tool {tool[1:]}"
        elif tool not in facts.tools and not facts.untold:
            return f"the target does not offer the tool {tool}"
    if facts.lacking and (lacks := _asks(case) & set(facts.lacking)):
        return f"the target has no reader {', '.join(sorted(lacks))}"
    return None


def _asks(case: Case) -> set[str]:
    """The readers that a case asks the probe `tck_read` for."""
    found = set()
    for node in (node for step in case.all_steps for node in step.args.walk()):
        reader = node.get("reader")
        column = reader.get("$row") if reader is not None else None
        if column is not None:
            reader = (case.row or {}).get(str(column.value))
        if reader is not None and isinstance(reader.value, str):
            found.add(reader.value)
    return found


RESET: Final = "tck_reset"
"""The probe that puts what the documented profiles speak of back to how a new process has it."""
RESETS: Final = "PROBE-17"
"""The line that binds who offers it; what shows that line is not played on a process that it has reset."""
PROBES: Final = "PROBE-"
_OWN_PROCESS: Final = frozenset({"close_stdin", "expect_exit"})


def can_reset(case: Case, requirements: Mapping[str, Requirement], facts: Facts) -> bool:
    """Whether `tck_reset` serves a case that asks for a fresh process: no process of its own is part of what it shows.

    The probe promises nothing about MCP's own state (log level, subscriptions), so what only MCP asks for is left out.
    """
    if RESET not in facts.tools or case.session != "fresh" or case.opening is not None or case.start is not None:
        return False
    if case.script is not None or any(step.kind in _OWN_PROCESS for step in case.all_steps):
        return False
    shown = bound(case, requirements, facts.revision)
    return any(each.profile != "mcp" or each.id.startswith(PROBES) for each in shown) and RESETS not in case.covers


def not_known(case: Case, facts: Facts) -> str | None:
    """Why it cannot be told whether a case applies, or None where it can."""
    for tool in (name.removeprefix("!") for name in case.needs.tools):
        if tool not in facts.tools and facts.untold:
            return f"it is not known whether the target offers the tool {tool}: {facts.untold}"
    return None


def refused_by_nobody(case: Case, facts: Facts) -> str | None:
    """Why a refusal that a case expects would show nothing, or None where it would.

    An unknown tool is refused as well, so a misspelt name would pass. It is meant where the name is blank or begins
    with `tck_`, where the case requires that the target does not list it, and where it stands in a call's arguments.
    """
    if facts.untold or case.start is not None:
        return None
    arguments = [node for step in case.all_steps if (node := step.args.get("arguments")) is not None]
    registers = {node.value for each in arguments for node in each.walk() if isinstance(node.value, str)}
    for step in case.all_steps:
        expect, tool = step.args.get("expect"), step.args.get("tool")
        if step.kind != "call" or expect is None or tool is None or not _is_refusal(expect):
            continue
        name = _resolved(tool, case)
        if (
            name is None
            or name in facts.tools
            or name in registers
            or not name.strip()
            or name.lower().startswith("tck_")
        ):
            continue
        if f"!{name}" in case.needs.tools:
            continue
        hint = did_you_mean(name, facts.tools) or f'requires: {{tools: ["!{name}"]}} says that this is meant'
        return f"it expects a refusal of the tool {dumps(name)}, which the target does not list ({hint})"
    return None


def _is_refusal(expect: Node) -> bool:
    refused, ok = expect.get("refused"), expect.get("ok")
    return bool(refused and refused.value is True) or bool(ok and ok.value is False) or expect.get("error") is not None


def _resolved(node: Node, case: Case) -> str | None:
    """A text, or that of the row's column."""
    column = node.get("$row")
    found = node if column is None else (case.row or {}).get(str(column.value))
    return found.value if found is not None and isinstance(found.value, str) else None


def repeatable(case: Case, facts: Facts) -> bool:
    """Whether a case may be played again: it names no tool but probes, unknown tools and tools that only read."""
    if case.script is not None:
        return case.script.repeats
    writing = set()
    for name, tool in facts.tools.items():
        annotations = tool.get("annotations")
        reads = isinstance(annotations, dict) and annotations.get("readOnlyHint") is True
        if not reads and not name.startswith("tck_"):
            writing.add(name)
    roots = [*(step.args for step in case.all_steps), *(case.row or {}).values()]
    said = {node.value for root in roots for node in root.walk() if isinstance(node.value, str)}
    lines = [step.args for step in case.all_steps if step.kind in {"send_line", "send_bytes"}]
    return not (writing & said) and not (writing and any("tools/call" in _text(line) for line in lines))


def _text(line: Node) -> str:
    """What a case writes itself, as far as it can be seen beforehand."""
    said = " ".join(node.value for node in line.walk() if isinstance(node.value, str))
    with contextlib.suppress(ValueError):
        said += bytes.fromhex(said).decode("utf-8", "replace")
    return said
