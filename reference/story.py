"""The story project as tools of a server: registration in the story page's order, and the hook that keeps it fresh."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .messages import to_json
from .probes import Probe, text
from .project import Project, Store, write_from_outside
from .protocol import ToolResult, ToolSpec
from .story_reads import reading_tools
from .story_writes import writing_tools

if TYPE_CHECKING:
    from .arguments import Readers
    from .protocol import Server


def add_story(server: Server, readers: Readers, store: Store) -> Project:
    """Gives `server` the tools of the project in `store`, and installs the hook that takes up what others wrote."""
    project = Project(store)
    for tool in [*reading_tools(project, readers), *writing_tools(project, readers)]:
        server.register_tool(tool.spec, tool.handler)
    server.set_before_tool_call(project.refresh)
    return project


def other_writer(store: Store) -> Probe:
    """The probe that writes a document the way another program would."""
    schema = {
        "type": "object",
        "properties": {"document": {"type": "string"}, "text": {"type": "string"}},
        "required": ["document", "text"],
    }

    def write(args: dict[str, Any]) -> ToolResult:
        name = text(args, "document")
        write_from_outside(store, name, text(args, "text"))
        return ToolResult(True, to_json({"written": name}))

    return Probe(ToolSpec("tck_other_writer", "Writes a document past this server's memory.", schema), write)
