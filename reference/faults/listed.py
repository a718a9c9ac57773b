"""Faults of what a tool is listed with, by the pages of MCP."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .catalogue import Entry, entries, listing
from .filters import error, is_request, on_message
from .model import Book

BOOK = Book(also="MCP-TOOL- SRV-LIST- AGENT- STORY-1 STORY-40 PROBE-5 SRV-REG-", why="the same entries")


def _one(change: Callable[[Entry], object]) -> Any:
    """A filter on the entry of one tool."""
    return entries(lambda tool: change(tool) if tool["name"] == "undo_last" else None)


def _schema(**members: Any) -> Any:
    return _one(lambda tool: tool["inputSchema"].update(members))


for _name, _breaks, _what, _how in [
    ("tool-name-number", "MCP-TOOL-004", "lists a name that is a number", _one(lambda t: t.update(name=7))),
    ("tool-name-missing", "MCP-TOOL-004", "lists a tool without a name", _one(lambda t: t.pop("name"))),
    (
        "tool-description-null",
        "MCP-TOOL-004",
        "lists a description of null",
        _one(lambda t: t.update(description=None)),
    ),
    ("tool-title-number", "MCP-TOOL-004", "lists a title that is a number", _one(lambda t: t.update(title=1))),
    (
        "tool-schema-missing",
        "MCP-TOOL-004 MCP-TOOL-005 SRV-LIST-4",
        "lists a tool without a schema",
        _one(lambda t: t.pop("inputSchema")),
    ),
    (
        "tool-schema-null",
        "MCP-TOOL-004 MCP-TOOL-005 SRV-LIST-4",
        "lists null for the schema of a tool without arguments",
        _one(lambda t: t.update(inputSchema=None)),
    ),
    (
        "tool-schema-text",
        "MCP-TOOL-004 MCP-TOOL-005 SRV-LIST-4",
        "lists a schema as a text",
        _one(lambda t: t.update(inputSchema='{"type":"object"}')),
    ),
    (
        "tool-schema-snake",
        "MCP-TOOL-004 MCP-TOOL-005",
        "lists a schema under another name",
        _one(lambda t: t.update(input_schema=t.pop("inputSchema"))),
    ),
    (
        "tool-schema-empty",
        "MCP-TOOL-005",
        "lists an empty schema for a tool without arguments",
        _one(lambda t: t.update(inputSchema={})),
    ),
    ("tool-schema-array-root", "MCP-TOOL-005", "lists a schema whose root is an array", _schema(type="array")),
    (
        "tool-properties-list",
        "MCP-TOOL-006 MCP-TOOL-007 SRV-LIST-4",
        "lists properties as a list",
        _schema(properties=[]),
    ),
    (
        "tool-property-type-name",
        "MCP-TOOL-006 MCP-TOOL-007 SRV-LIST-4",
        "lists a property by the name of its type",
        _schema(properties={"a": "string"}),
    ),
    ("tool-required-true", "MCP-TOOL-006 MCP-TOOL-007 SRV-LIST-4", "lists required as a bool", _schema(required=True)),
    ("tool-required-numbers", "MCP-TOOL-006", "lists numbers as required", _schema(required=[1])),
    (
        "tool-schema-invalid",
        "MCP-TOOL-007 SRV-LIST-4",
        "lists a schema with a type that does not exist",
        _schema(properties={"a": {"type": "str"}}),
    ),
    (
        "tool-schema-bad-enum",
        "MCP-TOOL-007 SRV-LIST-4",
        "lists an enumeration that is no list",
        _schema(properties={"a": {"enum": "x"}}),
    ),
    (
        "tool-output-text",
        "MCP-TOOL-008",
        "lists an output schema as a text",
        _one(lambda t: t.update(outputSchema="object")),
    ),
    (
        "tool-output-array",
        "MCP-TOOL-008",
        "lists an output schema whose root is an array",
        _one(lambda t: t.update(outputSchema={"type": "array"})),
    ),
    (
        "tool-output-invalid",
        "MCP-TOOL-007",
        "lists an output schema that is none",
        _one(lambda t: t.update(outputSchema={"type": "object", "properties": {"a": {"type": "text"}}})),
    ),
    (
        "tool-name-twice",
        "MCP-TOOL-009 SRV-LIST-1",
        "lists two tools of one name",
        listing(lambda tools: [*tools, tools[0]]),
    ),
    ("tool-name-spaced", "MCP-TOOL-010", "lists a name with a blank in it", _one(lambda t: t.update(name="undo last"))),
    ("tool-name-long", "MCP-TOOL-010", "lists a name of two hundred letters", _one(lambda t: t.update(name="x" * 200))),
    (
        "tool-icons-text",
        "MCP-TOOL-012",
        "lists an icon as a text",
        _one(lambda t: t.update(icons="https://example.com/x.png")),
    ),
    (
        "tool-icon-url",
        "MCP-TOOL-012",
        "lists an icon under another name",
        _one(lambda t: t.update(icons=[{"url": "https://example.com/x.png"}])),
    ),
    (
        "tool-hints-words",
        "MCP-TOOL-013",
        "lists hints as words",
        _one(lambda t: t.update(annotations={"readOnlyHint": "false"})),
    ),
    (
        "tool-hints-list",
        "MCP-TOOL-013",
        "lists annotations as a list",
        _one(lambda t: t.update(annotations=["destructive"])),
    ),
    (
        "tool-hint-null",
        "MCP-TOOL-013",
        "lists a hint of null",
        _one(lambda t: t.update(annotations={"idempotentHint": None})),
    ),
    (
        "tool-task-support-bool",
        "MCP-TOOL-014",
        "lists taskSupport as a bool",
        _one(lambda t: t.update(execution={"taskSupport": True})),
    ),
    (
        "tool-execution-word",
        "MCP-TOOL-014",
        "lists execution as a word",
        _one(lambda t: t.update(execution="forbidden")),
    ),
    (
        "tools-object",
        "MCP-TOOL-004 MCP-TOOL-002",
        "lists tools as an object by name",
        listing(lambda tools: {t["name"]: t for t in tools}),
    ),
]:
    BOOK.add(
        _name,
        _breaks,
        _what,
        also="SRV- MCP-" if _name == "tools-object" else "",
        why="nothing can be looked up" if _name == "tools-object" else "",
        on_lines=_how,
    )

BOOK.add(
    "tool-schema-invalid-then",
    "MCP-TOOL-036",
    "lists a schema with a type that does not exist",
    revision="2025-03-26",
    on_lines=_schema(properties={"a": {"type": "str"}}),
)
BOOK.add(
    "list-refused",
    "MCP-TOOL-002 MCP-TOOL-003",
    "declares tools and refuses to list them",
    also="MCP- SRV-",
    why="no tool is known then",
    on_lines=on_message(lambda m: error(m, -32603) if is_request(m) and m["method"] == "tools/list" else True),
)
BOOK.add(
    "list-renamed",
    "MCP-TOOL-002 MCP-TOOL-004",
    "lists tools under another name",
    also="MCP- SRV-",
    why="no tool is known then",
    on_lines=lambda handler: (
        lambda line: [a.replace('"result":{"tools":', '"result":{"items":') for a in handler(line)]
    ),
)
BOOK.add(
    "task-refused",
    "MCP-TASK-001",
    "refuses a call with a task though it declares none",
    on_lines=on_message(
        lambda m: (
            error(m, -32602, "unknown member task")
            if is_request(m) and isinstance(m.get("params"), dict) and "task" in m["params"]
            else True
        )
    ),
)
BOOK.add(
    "task-answered",
    "MCP-TASK-001",
    "answers a call with a task by a task though it declares none",
    also="MCP-WIRE-",
    on_lines=on_message(
        lambda m: (
            {"jsonrpc": "2.0", "id": m["id"], "result": {"task": {"taskId": "1", "status": "working"}}}
            if is_request(m) and isinstance(m.get("params"), dict) and "task" in m["params"]
            else True
        )
    ),
)
