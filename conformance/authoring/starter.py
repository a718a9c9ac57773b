"""From what a target has to a first folder of cases: the introduction, the lists as snapshots, calls that only read.

A draft is the data of a case, as its file would hold it. This module must never talk to a target or write a file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ..casefile import yamlwrite
from ..casefile.format import VERSION
from ..values import Number, Value, kind, lift
from .explore import LISTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .explore import Explored, Object

MEMBERS: Final = {method: member for lists in LISTS.values() for method, member in lists}
TITLE: Final = 79
"""Longest title that lint lets pass."""

NAMED: Final = 12
"""An object with more members than this is a table of data, and its members are no part of its shape."""


@dataclass(slots=True)
class Draft:
    """A case file to be written: its area, its first revision, its cases by id, and remarks at its end.

    The first line of a remark is told to the user as well.
    """

    area: str
    since: str
    cases: dict[str, Object] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    def add(self, name: str, title: str, steps: list[Value], **more: Value) -> str:
        """Add a case under an id made of a name; answers the id."""
        base = slug(name)
        identity, number = base, 2
        while identity in self.cases:
            identity, number = f"{base}-{number}", number + 1
        shown = title if len(title) <= TITLE else title[: TITLE - 1].rstrip() + "…"
        self.cases[identity] = {"title": shown, **more, "steps": steps}
        return identity

    def text(self, schema: str, head: str = "") -> str:
        """The file."""
        lines = [f"# yaml-language-server: $schema={schema}"]
        lines += [f"# {line}" for line in head.splitlines()]
        lines += [f"format: {VERSION}", f"area: {self.area}"]
        lines += [f"revisions: {yamlwrite.flow({'since': self.since})}", "cases:"]
        for identity, case in self.cases.items():
            lines += ["", yamlwrite.case(identity, case).rstrip("\n")]
        for remark in self.remarks:
            lines += ["", *(f"# {line}".rstrip() for line in remark.rstrip("\n").split("\n"))]
        return "\n".join(lines) + "\n"


def slug(name: str) -> str:
    """A case id made of a name: read_mapFile becomes read-map-file."""
    parts = re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower())
    return "-".join(parts) or "unnamed"


def literal(value: Value) -> Value:
    """An expectation of exactly this."""
    return {"$literal": value}


def catalogue(found: Explored, steady: frozenset[str]) -> Draft:
    """The file about the introduction and the lists. `steady` names the lists that were the same twice."""
    draft = Draft("catalogue", found.revision)
    _introduction(draft, found)
    if "tools/list" in found.lists:
        _tools(draft, found)
    for method, pages in found.lists.items():
        if method in steady:
            member = MEMBERS[method]
            steps = _walk(method, [{member: [literal(lift(one)) for one in page]} for page in pages])
            draft.add(f"{member}-snapshot", f"the answer to {method} is the one on record", steps)
        else:
            draft.remarks.append(f"{method} answers differently every time, so there is no snapshot of it.")
    return draft


def _introduction(draft: Draft, found: Explored) -> None:
    said = found.introduction
    server = said.get("serverInfo")
    wanted: Object = {"protocolVersion": found.revision}
    if isinstance(server, dict) and isinstance(server.get("name"), str):
        wanted["serverInfo"] = {"name": server["name"], "version": {"$type": "string"}}
    if isinstance(declared := said.get("capabilities"), dict):
        wanted["capabilities"] = literal(declared)
    if isinstance(instructions := said.get("instructions"), str):
        wanted["instructions"] = instructions
    client: Object = {"name": "mcp-tck", "version": "1"}
    params: Object = {"protocolVersion": found.revision, "capabilities": {}, "clientInfo": client}
    step: Object = {"request": {"method": "initialize", "params": params}, "expect": {"result": wanted}}
    draft.add("introduces-itself", "the server introduces itself as on record", [step], opening="none")


def _tools(draft: Draft, found: Explored) -> None:
    names: list[Value] = [tool["name"] for tool in found.tools]
    shape: Object = {"name": {"$type": "string"}, "inputSchema": {"type": "object"}}
    each: list[Object] = [{"tools": {"$each": dict(shape)}} for _ in found.lists["tools/list"]]
    draft.add("tools-have-shape", "every tool has a name and a schema of type object", _walk("tools/list", each))
    if len(found.lists["tools/list"]) == 1 and names:
        rows: list[Value] = [{"name": slug(str(name)), "tool": name} for name in names]
        if len({str(row["name"]) for row in rows if isinstance(row, dict)}) == len(rows):
            wanted: Object = {"result": {"tools": {"$contains": {"name": {"$row": "tool"}}}}}
            steps: list[Value] = [{"request": {"method": "tools/list"}, "expect": wanted}]
            draft.add("tool-is-listed", "the tools on record are listed", steps, examples=rows)
        none: Object = {"result": {"tools": {"$each": {"name": {"$one_of": names}}}}}
        draft.add(
            "no-other-tools",
            "no tools are listed but those on record",
            [{"request": {"method": "tools/list"}, "expect": none}],
        )


def _walk(method: str, pages: Iterable[Object]) -> list[Value]:
    """Requests for the pages of a list, each with what its result has to match."""
    wanted = list(pages)
    steps: list[Value] = []
    for number, page in enumerate(wanted):
        request: Object = {"method": method}
        if number:
            request["params"] = {"cursor": {"$var": f"page-{number + 1}"}}
        more: Object = {}
        if number + 1 < len(wanted):
            more["nextCursor"] = {"$save": {"as": f"page-{number + 2}", "is": {"$type": "string"}}}
        steps.append({"request": request, "expect": {"result": {**page, **more}}})
    return steps


def reads(tool: Object) -> bool:
    """Whether a tool says of itself that it only reads."""
    annotations = tool.get("annotations")
    return isinstance(annotations, dict) and annotations.get("readOnlyHint") is True


def arguments(tool: Object) -> tuple[Object, list[str]]:
    """Arguments for a call by the tool's input schema, and the names of those that nobody can guess."""
    schema = tool.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    required = schema.get("required") if isinstance(schema, dict) else None
    given: Object = {}
    unknown = []
    for name in required if isinstance(required, list) else []:
        known = properties.get(str(name)) if isinstance(properties, dict) else None
        guessed = _guess(known if isinstance(known, dict) else {})
        if guessed is None:
            unknown.append(str(name))
        else:
            given[str(name)] = guessed
    return given, unknown


def _guess(schema: Object) -> Value:
    """A value that the schema itself offers; None where it offers none."""
    for key in ("const", "default"):
        if schema.get(key) is not None:
            return schema[key]
    for key in ("enum", "examples"):
        offered = schema.get(key)
        if isinstance(offered, list) and offered:
            return offered[0]
    types = schema.get("type")
    named = types if isinstance(types, list) else [types]
    if "boolean" in named:
        return False
    if "integer" in named or "number" in named:
        return schema.get("minimum", Number("1"))
    return None


def answer(body: Object, again: Object) -> Value | None:
    """What to expect of a call that was answered twice: the shape of its answers; None if they share none."""
    views = [_view(each) for each in (body, again)]
    if None in views:
        return None
    first, second = views
    assert first is not None
    assert second is not None
    shared: Object = {key: shape(first[key], second[key]) for key in first if key in second}
    return shared or None


def _view(body: Object) -> Object | None:
    from ..protocol import wire

    if "error" in body:
        return {"refused": True}
    result = body.get("result")
    if not isinstance(result, dict):
        return None
    if result.get("isError") is True:
        return {"refused": True}
    view: Object = {"ok": True}
    if isinstance(result.get("structuredContent"), dict):
        return {**view, "structured": result["structuredContent"]}
    content = result.get("content")
    texts = [block.get("text") for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    if len(texts) == 1 and isinstance(texts[0], str):
        try:
            value, _ = wire.parse(texts[0])
        except wire.NotJsonError:
            return view
        if isinstance(value, dict | list):
            return {**view, "json": value}
    return view


def shape(value: Value, other: Value, depth: int = 0) -> Value:
    """An expectation of the types of a value; members that the other answer lacks are left out."""
    if value is True and other is True and depth == 0:
        return True
    named = isinstance(value, dict) and len(value) <= NAMED and not any(key[:1] == "$" for key in value)
    if named and isinstance(value, dict) and isinstance(other, dict) and depth < 3:
        return {key: shape(member, other[key], depth + 1) for key, member in value.items() if key in other}
    kinds: list[Value] = list(dict.fromkeys([_kind(value), _kind(other)]))
    return {"$type": kinds[0] if len(kinds) == 1 else kinds}


def _kind(value: Value) -> str:
    """The JSON type; a whole number may have a fraction the next time."""
    found = kind(value)
    return "number" if found == "integer" else found
