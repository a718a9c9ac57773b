"""Faults of the shape of messages that no page but that of the wire schemas speaks of."""

from __future__ import annotations

from ..messages import notification_line
from .filters import each_reply, each_result
from .model import Book, OnLines

BOOK = Book(why="what a message holds is looked at for other reasons too")


def _before_ping(line: str) -> OnLines:
    """A filter that writes a line of its own before each answer to ping."""
    return each_reply(lambda request, reply: [line, reply] if request.get("method") == "ping" else reply)


BOOK.add(
    "meta-null",
    "MCP-WIRE-001",
    "writes null as the metadata of a list",
    on_lines=each_result("tools/list", lambda value: {**value, "_meta": None}),
)
BOOK.add(
    "meta-text",
    "MCP-WIRE-001",
    "writes a text as the metadata of its answer to ping",
    also="MCP-PING-001",
    on_lines=each_result("ping", lambda value: {**value, "_meta": "none"}),
)
for _name, _what, _params in [
    ("update-without-uri", "tells of an update without saying of what", {}),
    ("update-of-many", "tells of several updates at once", {"uri": ["file:///a", "file:///b"]}),
]:
    BOOK.add(
        _name,
        "MCP-WIRE-002",
        _what,
        also="MCP-RES-015 MCP-LIFE-016",
        why="nobody subscribed",
        on_lines=_before_ping(notification_line("notifications/resources/updated", _params)),
    )
