"""What a server's messages look like at each revision: the schemas of spec/wire, and a message held against them.

A file says what its revision has otherwise than the one that `x-after` names: an entry replaces the earlier one of its
name, null takes it away. Read and compiled when the first message of a revision is judged, never before.

This module must never look at the envelope (wire.py does) or at a schema that a target sends, and never fetch anything.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from ..values import Value, lift
from .compiled import Check, Compiler, Report
from .wire import Fault, Message

FOLDER: Final = Path(__file__).resolve().parents[2] / "spec" / "wire"
UNNAMED: Final = "MCP-WIRE-002"
"""What is broken where a schema names no requirement."""

_PARTS: Final = ("x-results", "x-notifications", "x-requests", "$defs")
_KINDS: Final = {
    "reply": ("x-results", "Result"),
    "notification": ("x-notifications", "Notification"),
    "request": ("x-requests", "Request"),
}


@functools.cache
def revisions() -> tuple[str, ...]:
    """The revisions that have a schema, oldest first."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


@functools.cache
def document(revision: str) -> dict[str, Any]:
    """The whole schema of a revision, with what it shares with those before it; every reference is inside."""
    own = json.loads((FOLDER / f"{revision}.json").read_text("utf-8"))
    before = document(own["x-after"]) if "x-after" in own else {}
    whole = {key: value for key, value in own.items() if key not in {*_PARTS, "x-after"}}
    for part in _PARTS:
        merged = before.get(part, {}) | own.get(part, {})
        whole[part] = {name: schema for name, schema in merged.items() if schema is not None}
    return whole


def named(revision: str, name: str) -> Value:
    """The schema of one message or part by its name, complete in itself; None where the revision has none."""
    if revision not in revisions() or name not in document(revision)["$defs"]:
        return None
    whole = document(revision)
    return lift({"$schema": whole["$schema"], "$ref": f"#/$defs/{name}", "$defs": whole["$defs"]})


@functools.cache
def requirements() -> tuple[str, ...]:
    """The ids of all requirements that a schema names, in order."""
    found = {name for revision in revisions() for name in _named_in(document(revision))}
    return tuple(sorted({UNNAMED, *found}))


def problems(revision: str, message: Message, method: str = "") -> list[Fault]:
    """How a message breaks the shape that its revision gives it; `method` is that of the request, for a reply.

    An error, and a message of an unknown kind or revision, has none. Nor has one that wire.py has found fault with.
    """
    if message.faults or message.kind not in _KINDS or message.is_error or revision not in revisions():
        return []
    report = Report()
    if message.kind == "reply":
        base = "/result"
        _check(revision, message.kind, method)(message.body["result"], None, report)
    else:
        base = ""
        _check(revision, message.kind, message.method)(message.body, None, report)
    return [
        Fault("schema", each.requirement, base + each.pointer, each.expected, each.actual) for each in report.broken
    ]


@functools.lru_cache(maxsize=256)
def _check(revision: str, kind: str, method: str) -> Check:
    part, usual = _KINDS[kind]
    schema = document(revision)[part].get(method, {"$ref": f"#/$defs/{usual}"})
    return _compiler(revision).compile(schema, UNNAMED)


@functools.cache
def _compiler(revision: str) -> Compiler:
    return Compiler(document(revision)["$defs"])


def _named_in(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(name := value.get("x-requirement"), str):
            yield name
        for member in value.values():
            yield from _named_in(member)
    elif isinstance(value, list):
        for element in value:
            yield from _named_in(element)
