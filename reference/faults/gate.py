"""Faults of the read-only mode: what it lists, what it lets through, and what nobody has thought about."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..protocol import ToolResult, ToolSpec
from .model import Book

if TYPE_CHECKING:
    from ..build import Reference
    from ..protocol import Tool

BOOK = Book(
    also="SAFE- SRV-LIST- STORY- MCP-TOOL- AGENT-", why="what a mode lists and refuses shows in every list and call"
)


def _restricted(server: Reference) -> bool:
    return not server.catalogue.admits("undo_last")


def _lets_through(server: Reference, plain: Callable[[str], str]) -> None:
    """Finds a hidden tool by another form of its name."""
    right = server.catalogue.find

    def find(name: str) -> Tool | None:
        found = right(name)
        if found is not None or not _restricted(server):
            return found
        admits, server.catalogue.admits = server.catalogue.admits, lambda _name: True
        try:
            return right(plain(name))
        finally:
            server.catalogue.admits = admits

    server.catalogue.find = find  # type: ignore[method-assign]


@BOOK.server("gate-hides-only", "SAFE-GATE-3 SAFE-GATE-5", "hides what writes from the list, and does it when called")
def _hides_only(server: Reference) -> None:
    _lets_through(server, lambda name: name)


@BOOK.server("gate-capitals", "SAFE-GATE-3", "compares names with the gate as they are, and looks them up in any case")
def _capitals(server: Reference) -> None:
    _lets_through(server, lambda name: name.lower() if name != name.lower() else "")


@BOOK.server("gate-blanks", "SAFE-GATE-3", "trims a tool's name behind the gate and not before it")
def _blanks(server: Reference) -> None:
    _lets_through(server, lambda name: name.strip() if name != name.strip() else "")


@BOOK.server("gate-notification", "SAFE-GATE-5", "asks the gate for requests and not for notifications")
def _notification(server: Reference) -> None:
    right = server.handle_line

    def handle(line: str) -> str | None:
        if '"id"' in line or not _restricted(server):
            return right(line)
        admits, server.catalogue.admits = server.catalogue.admits, lambda _name: True
        try:
            right(line.replace('"jsonrpc"', '"id":"gate","jsonrpc"', 1))
        finally:
            server.catalogue.admits = admits
        return None

    server.handle_line = handle  # type: ignore[method-assign]


@BOOK.server("gate-lists-writer", "SAFE-GATE-2", "lists a tool that writes, by its own word, in read-only mode")
def _lists_writer(server: Reference) -> None:
    right = server.catalogue.admits
    server.catalogue.admits = lambda name: name == "find_replace" or right(name)


@BOOK.server("gate-unknown-reads", "SAFE-GATE-4", "takes a tool that nobody has classified for one that reads")
def _unknown_reads(server: Reference) -> None:
    right = server.catalogue.admits
    server.catalogue.admits = lambda name: name == "undo_last" or right(name)


@BOOK.server("gate-more", "SAFE-GATE-1", "lists a tool in read-only mode that it lacks otherwise")
def _more(server: Reference) -> None:
    if _restricted(server):
        right = server.catalogue.admits
        server.catalogue.admits = lambda name: name == "peek" or right(name)
        spec = ToolSpec("peek", "Looks.", {"type": "object"}, {"readOnlyHint": True})
        server.register_tool(spec, lambda _args: ToolResult(True, "nothing"))


@BOOK.server("gate-writes-then-refuses", "SAFE-GATE-5", "does what it then says that it refuses")
def _writes_then_refuses(server: Reference) -> None:
    right = server.catalogue.find

    def find(name: str) -> Tool | None:
        found = right(name)
        if found is None and name == "update_document" and server.project is not None:
            server.project.state["documents"][-1]["text"] += "!"
        return found

    server.catalogue.find = find  # type: ignore[method-assign]


@BOOK.server("hint-contradicts", "SAFE-ANN-1", "says of a tool that it only reads, and that it destroys")
def _contradicts(server: Reference) -> None:
    tool = server.catalogue.find("list_documents")
    assert tool is not None
    both = {"readOnlyHint": True, "destructiveHint": True}
    server.register_tool(tool.spec._replace(annotations=both), tool.handler)
