"""The tools of the story that read or compute: each answers one line of JSON and changes nothing (STORY-3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .messages import to_json
from .protocol import ToolResult
from .story_arguments import READS, Given, StoryTool, find, story_tool, string

if TYPE_CHECKING:
    from .arguments import Readers
    from .project import Project

_FIRST = ("Al", "Bren", "Cor", "Del", "Esk", "Fen", "Gal", "Hes", "Ir", "Jor", "Kel")
_LAST = ("a", "dan", "eth", "ia", "mir", "on", "us")


def reading_tools(project: Project, readers: Readers) -> list[StoryTool]:
    """The reading tools of `project`, in the order of the story page."""
    reads = _Reads(project, readers)
    return [
        story_tool(
            "list_documents",
            "Lists the names of all documents, in order. Start here when you are asked about the manuscript.",
            reads.list_documents,
            READS,
        ),
        story_tool(
            "read_document",
            "Reads one document: its text and its word-count target (null when it has none).",
            reads.read_document,
            READS,
            {"document": string("The document's name, as list_documents spells it.")},
            required=("document",),
        ),
        story_tool(
            "search_documents",
            "Names the documents that hold a phrase in their name or their text, in upper or lower case.",
            reads.search_documents,
            READS,
            {"query": string("The phrase to look for.")},
            required=("query",),
        ),
        story_tool(
            "read_entity",
            "Reads one entity of the codex: its tags, and its fields in order.",
            reads.read_entity,
            READS,
            {"entity": string("The entity's name.")},
            required=("entity",),
        ),
        story_tool(
            "read_map",
            "Reads one map: its regions in order, and which of them the players may see.",
            reads.read_map,
            READS,
            {"map": string("The map's name.")},
            required=("map",),
        ),
        story_tool(
            "generate_name",
            "Makes up a name for a character. Changes nothing; the same seed gives the same name.",
            reads.generate_name,
            READS,
            {
                "seed": {
                    "type": "integer",
                    "description": "Any whole number; another one gives another name.",
                    "default": 0,
                }
            },
        ),
    ]


class _Reads:
    def __init__(self, project: Project, readers: Readers) -> None:
        self._project = project
        self._readers = readers

    def list_documents(self, _args: dict[str, Any]) -> ToolResult:
        return _shown(documents=[document["name"] for document in self._project.state["documents"]])

    def read_document(self, args: dict[str, Any]) -> ToolResult:
        document = find(self._project.state["documents"], "document", self._given(args).name("document"))
        return _shown(document=document["name"], text=document["text"], word_count_target=document["word_count_target"])

    def search_documents(self, args: dict[str, Any]) -> ToolResult:
        query = self._given(args).name("query").casefold()
        return _shown(
            documents=[
                document["name"]
                for document in self._project.state["documents"]
                if query in document["name"].casefold() or query in document["text"].casefold()
            ]
        )

    def read_entity(self, args: dict[str, Any]) -> ToolResult:
        entity = find(self._project.state["entities"], "entity", self._given(args).name("entity"))
        return _shown(entity=entity["name"], tags=entity["tags"], fields=entity["fields"])

    def read_map(self, args: dict[str, Any]) -> ToolResult:
        chart = find(self._project.state["maps"], "map", self._given(args).name("map"))
        return _shown(map=chart["name"], regions=chart["regions"])

    def generate_name(self, args: dict[str, Any]) -> ToolResult:
        seed = self._given(args).whole("seed") or 0
        return _shown(name=_FIRST[seed % len(_FIRST)] + _LAST[seed % len(_LAST)])

    def _given(self, args: dict[str, Any]) -> Given:
        return Given(self._readers, args)


def _shown(**members: object) -> ToolResult:
    return ToolResult(True, to_json(members))
