"""Results with a structure (MCP-TOOL-008, -029 to -031): the reading tools whose text is one line of JSON anyway."""

from __future__ import annotations

import json
from typing import Any, Final

SINCE: Final = "2025-06-18"
"""The first revision that has them."""


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties]}


_STRING: dict[str, Any] = {"type": "string"}
_STRINGS: dict[str, Any] = {"type": "array", "items": _STRING}

SCHEMAS: Final = {
    "list_documents": _object(documents=_STRINGS),
    "read_document": _object(document=_STRING, text=_STRING, word_count_target={"type": ["integer", "null"]}),
    "search_documents": _object(documents=_STRINGS),
    "read_entity": _object(
        entity=_STRING, tags=_STRINGS, fields={"type": "array", "items": _object(field=_STRING, value=_STRING)}
    ),
    "read_map": _object(
        map=_STRING, regions={"type": "array", "items": _object(region=_STRING, revealed={"type": "boolean"})}
    ),
    "generate_name": _object(name=_STRING),
}


def listed(tool: dict[str, Any]) -> dict[str, Any]:
    """A tool's entry with the schema of its results, if it has one."""
    schema = SCHEMAS.get(tool["name"])
    return tool if schema is None else tool | {"outputSchema": schema}


def answered(name: str, result: dict[str, Any]) -> dict[str, Any]:
    """A successful result with its text as a value, too, if the tool has a schema for it."""
    if name not in SCHEMAS or result["isError"]:
        return result
    return result | {"structuredContent": json.loads(result["content"][0]["text"])}
