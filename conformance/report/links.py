"""The source of a requirement to the address where it can be read. This module must never open one."""

from __future__ import annotations

import re
from typing import Final

_SITE: Final = "https://modelcontextprotocol.io/specification"
_SCHEMA: Final = "https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/schema/{}/schema.ts"
_JSONRPC: Final = "https://www.jsonrpc.org/specification"
_JSONRPC_SECTIONS: Final = {
    "3": "conventions",
    "4": "request_object",
    "4.1": "notification",
    "4.2": "parameter_structures",
    "5": "response_object",
    "5.1": "error_object",
    "6": "batch",
    "8": "extensions",
}
_FIRST_SCHEMA_PAGE: Final = "2025-06-18"

_NEW, _LAST_HANDSHAKE = "2026-07-28", "2025-11-25"
_ALWAYS: Final = ("2024-11-05", _NEW)
_PUBLISHED: Final = {
    "basic/lifecycle": ("2024-11-05", _LAST_HANDSHAKE),
    "basic/transports": ("2024-11-05", _LAST_HANDSHAKE),
    "basic/transports/stdio": (_NEW, _NEW),
    "basic/versioning": (_NEW, _NEW),
    "basic/utilities/cancellation": ("2024-11-05", _LAST_HANDSHAKE),
    "basic/utilities/ping": ("2024-11-05", _LAST_HANDSHAKE),
    "basic/utilities/progress": ("2024-11-05", _LAST_HANDSHAKE),
    "basic/utilities/tasks": (_LAST_HANDSHAKE, _LAST_HANDSHAKE),
    "basic/patterns": (_NEW, _NEW),
    "client/elicitation": ("2025-06-18", _NEW),
    "deprecated": (_NEW, _NEW),
    "server/discover": (_NEW, _NEW),
    "server/utilities/caching": (_NEW, _NEW),
}
"""First and last revision in which a page, or all pages below it, are published; every other page always was."""

_PAGE: Final = re.compile(r"(?:architecture|basic|client|server|deprecated|changelog)(?:/[a-z0-9-]+)*(?:#[\w-]+)?")


def link(source: str, revision: str) -> str | None:
    """The address of a source at a revision; None where it names no published page."""
    if found := re.fullmatch(r"schema (\w+)", source):
        if revision < _FIRST_SCHEMA_PAGE:
            return _SCHEMA.format(revision)
        return f"{_SITE}/{revision}/schema#{found[1].lower()}"
    if found := re.match(r"JSON-RPC 2\.0(?: §([\d.]+))?", source):
        anchor = _JSONRPC_SECTIONS.get(found[1] or "")
        return f"{_JSONRPC}#{anchor}" if anchor else _JSONRPC
    if found := re.match(r"RFC (\d+)(?: §([\d.]+))?", source):
        section = f"#section-{found[2]}" if found[2] else ""
        return f"https://www.rfc-editor.org/rfc/rfc{found[1]}{section}"
    if _PAGE.fullmatch(source):
        return f"{_SITE}/{_nearest(source.partition('#')[0], revision)}/{source}"
    return None


def _nearest(page: str, revision: str) -> str:
    name = page
    while name and name not in _PUBLISHED:
        name = name.rpartition("/")[0]
    first, last = _PUBLISHED.get(name, _ALWAYS)
    return min(max(revision, first), last)
