"""The tools of the story that change the project or write to disk. A call that is refused changes nothing (STORY-4).

None of them acts on an argument that is there and cannot be read: the wrong guess would destroy something.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .messages import to_json
from .protocol import ToolError, ToolResult
from .story_arguments import DESTROYS, WRITES, Given, StoryTool, find, story_tool, string

if TYPE_CHECKING:
    from .arguments import Readers
    from .project import Project, State


def writing_tools(project: Project, readers: Readers) -> list[StoryTool]:
    """The writing tools of `project`, in the order of the story page."""
    writes = _Writes(project, readers)
    return [
        story_tool(
            "update_document",
            "Replaces a document's text, or sets its word-count target, or both. Can be undone.",
            writes.update_document,
            DESTROYS,
            {
                "document": string("The document's name."),
                "text": string("The whole new text; leave it out to keep the old one."),
                "word_count_target": {
                    "type": "integer",
                    "minimum": 0,
                    "description": "A whole number of words; 0 clears the target.",
                    "x-unit": "words",
                },
            },
            required=("document",),
        ),
        story_tool(
            "create_entity",
            "Adds an entity without fields to the codex. Can be undone.",
            writes.create_entity,
            WRITES,
            {
                "entity": string("The name, which no other entity has."),
                "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            },
            required=("entity",),
        ),
        story_tool(
            "move_field",
            "Moves a field of an entity to another place among its fields. Can be undone.",
            writes.move_field,
            WRITES,
            {
                "entity": string("The entity's name."),
                "field": string("The field's name."),
                "position": {"type": "integer", "minimum": 0, "description": "The new place, counted from 0."},
            },
            required=("entity", "field", "position"),
        ),
        story_tool(
            "update_map",
            "Reveals a region of a map to the players, or hides it from them. Can be undone.",
            writes.update_map,
            DESTROYS,
            {
                "map": string("The map's name."),
                "reveal_region": string("The region's name."),
                "revealed": {"type": "boolean", "default": True, "description": "False hides the region."},
            },
            required=("map", "reveal_region"),
        ),
        story_tool(
            "find_replace",
            "Replaces a phrase in the texts of all documents, upper and lower case told apart. "
            "Try it with dry_run first. Can be undone.",
            writes.find_replace,
            DESTROYS,
            {
                "find": string("The phrase to replace."),
                "replace": string("What comes in its place; nothing when it is left out."),
                "dry_run": {"type": "boolean", "default": False, "description": "True only says what would change."},
            },
            required=("find",),
        ),
        story_tool(
            "undo_last",
            "Takes back the last change that was made through these tools, as a whole.",
            writes.undo_last,
            DESTROYS,
        ),
        story_tool(
            "export_markdown",
            "Writes all documents as one Markdown file to disk. Changes nothing in the project.",
            writes.export_markdown,
            WRITES,
        ),
        story_tool(
            "backup_project",
            "Writes a copy of the whole project to disk. Changes nothing in the project.",
            writes.backup_project,
            WRITES,
        ),
        story_tool(
            "save_content_pack",
            "Writes the codex to disk as a pack that other projects can take in. Changes nothing in the project.",
            writes.save_content_pack,
            WRITES,
            {"name": string("The pack's name.")},
            required=("name",),
        ),
    ]


class _Writes:
    def __init__(self, project: Project, readers: Readers) -> None:
        self._project = project
        self._readers = readers

    def update_document(self, args: dict[str, Any]) -> ToolResult:
        given = self._given(args)
        name, text, target = given.name("document"), given.text("text"), given.whole("word_count_target")
        if target is not None and target < 0:
            raise ToolError("**word_count_target** must be 0 or more. Nothing was changed.")

        def edit(state: State) -> None:
            document = find(state["documents"], "document", name)
            if text:
                document["text"] = text
            if target is not None:
                document["word_count_target"] = target or None

        return self._made(name, edit, "updated")

    def create_entity(self, args: dict[str, Any]) -> ToolResult:
        given = self._given(args)
        name, tags = given.name("entity"), sorted(given.names("tags"))

        def edit(state: State) -> None:
            if any(entity["name"] == name for entity in state["entities"]):
                raise ToolError(f"**{name}**: there is an entity of that name already.")
            state["entities"].append({"name": name, "tags": tags, "fields": []})

        return self._made(name, edit, "created")

    def move_field(self, args: dict[str, Any]) -> ToolResult:
        given = self._given(args)
        name, field, position = given.name("entity"), given.name("field"), given.whole("position")

        def edit(state: State) -> None:
            fields = find(state["entities"], "entity", name)["fields"]
            moved = find(fields, "field", field, "field")
            if position is None or not 0 <= position < len(fields):
                raise ToolError(
                    f"**position** must be a whole number from 0 to {len(fields) - 1}. Nothing was changed."
                )
            fields.remove(moved)
            fields.insert(position, moved)

        return self._made(f"{name}: {field}", edit, f"at position {position}")

    def update_map(self, args: dict[str, Any]) -> ToolResult:
        given = self._given(args)
        name, region, revealed = given.name("map"), given.name("reveal_region"), given.flag("revealed", absent=True)

        def edit(state: State) -> None:
            find(find(state["maps"], "map", name)["regions"], "region", region, "region")["revealed"] = revealed

        return self._made(f"{name}: {region}", edit, "revealed" if revealed else "hidden")

    def find_replace(self, args: dict[str, Any]) -> ToolResult:
        given = self._given(args)
        find_, replace, dry_run = given.name("find"), given.text("replace"), given.flag("dry_run", absent=False)
        counts = {
            document["name"]: count
            for document in self._project.state["documents"]
            if (count := document["text"].count(find_))
        }
        found = "".join(f"\n- **{name}**: {count}" for name, count in counts.items()) or " nothing found"
        if dry_run:
            return ToolResult(True, f"**find_replace**, a preview; nothing was changed:{found}")

        def edit(state: State) -> None:
            for document in state["documents"]:
                document["text"] = document["text"].replace(find_, replace)

        self._project.change(edit)
        return ToolResult(True, f"**find_replace**, replaced:{found}")

    def undo_last(self, _args: dict[str, Any]) -> ToolResult:
        undone = self._project.undo()
        return ToolResult(True, "**undo_last**: " + ("the last change is taken back" if undone else "nothing to undo"))

    def export_markdown(self, _args: dict[str, Any]) -> ToolResult:
        documents = self._project.state["documents"]
        return self._written("manuscript.md", "\n".join(f"# {each['name']}\n\n{each['text']}\n" for each in documents))

    def backup_project(self, _args: dict[str, Any]) -> ToolResult:
        return self._written("backup.json", to_json(self._project.state))

    def save_content_pack(self, args: dict[str, Any]) -> ToolResult:
        name = self._given(args).name("name")
        # The name comes from a model and becomes part of a path: what is no letter or digit cannot lead elsewhere.
        safe = "".join(character if character.isalnum() else "_" for character in name)[:60]
        return self._written(f"pack-{safe}.json", to_json(self._project.state["entities"]))

    def _given(self, args: dict[str, Any]) -> Given:
        return Given(self._readers, args)

    def _made(self, what: str, edit: Any, done: str) -> ToolResult:
        changed = self._project.change(edit)
        return ToolResult(True, f"**{what}**: {done if changed else 'nothing to change'}")

    def _written(self, file: str, text: str) -> ToolResult:
        path = self._project.store.folder() / file
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
        return ToolResult(True, f"**{file}**: written to {path.parent}")
