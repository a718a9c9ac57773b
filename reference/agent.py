"""The bridge from the server's tools to an assistant inside the application (seed page McpAgentTools).

It never declares a tool of its own and never translates a schema: the assistant gets what the server advertises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from .protocol import Server


class AiToolSpec(NamedTuple):
    """A tool as any provider of models takes it; `parameters` is the tool's input schema, untouched."""

    name: str
    description: str
    parameters: dict[str, Any]


_READ_ONLY = frozenset(
    {
        "list_documents",
        "read_document",
        "search_documents",
        "read_entity",
        "read_map",
        "generate_name",
    }
)

_ADDRESSING = """\
You help a writer with a story project: its documents, its codex of entities, its maps.

- Everything is addressed by its **name**, spelt as the tools that list and read spell it. There are no ids.
- Look before you answer: list, search and read, and do not work from memory."""

_ACTING = """
- Every change is **one step** that `undo_last` takes back as a whole. Say what you changed.
- When you are not sure about a replacement, try `find_replace` with `dry_run` first."""

_READING = """
- This session is **read-only**: the tools that change the project, undo a change or write files are absent. Asked for \
such a thing, say that permission to make changes is switched off; do not look for another way.
- What the writer has changed can be taken back in the application, one step at a time; here it cannot."""


def read_only_mcp_tool_names() -> frozenset[str]:
    """The tools that are to be had without permission to change the project: pure reads and pure computations (AGENT).

    An explicit list, since nothing about a registration says whether its tool writes: what is not in it may.
    """
    return _READ_ONLY


def mcp_agent_tools(
    server: Server,
    allow_writes: bool,  # noqa: FBT001 - the seed's signature
    read_only: Collection[str] = _READ_ONLY,
) -> list[AiToolSpec]:
    """What `server` advertises, in its order; without `allow_writes` only the tools named in `read_only` (AGENT)."""
    return [
        AiToolSpec(spec.name, spec.description, spec.input_schema)
        for spec in server.tools
        if allow_writes or spec.name in read_only
    ]


def mcp_agent_system_prompt(allow_writes: bool) -> str:  # noqa: FBT001 - the seed's signature
    """What the assistant is told about the project and its tools, for a session that may write or may only read."""
    return _ADDRESSING + (_ACTING if allow_writes else _READING)


class Bridge:
    """The bridge that a server offers to its assistant: the one place in which a part of it is replaced."""

    def __init__(self) -> None:
        self.read_only_names: Callable[[], frozenset[str]] = read_only_mcp_tool_names
        self.tools: Callable[[Server, bool], list[AiToolSpec]] = lambda server, allow_writes: mcp_agent_tools(
            server, allow_writes, self.read_only_names()
        )
        self.system_prompt: Callable[[bool], str] = mcp_agent_system_prompt
