"""What the story tools share: refusing what cannot be read, and finding things by name.

No tool of the story looks into its arguments but through here, and nothing here but through the readers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .protocol import ToolError, ToolHandler, ToolSpec

if TYPE_CHECKING:
    from .arguments import Arguments, Readers


class StoryTool(NamedTuple):
    """A tool of the story and what it does."""

    spec: ToolSpec
    handler: ToolHandler


READS = {"readOnlyHint": True}
WRITES = {"readOnlyHint": False, "destructiveHint": False}
DESTROYS = {"readOnlyHint": False, "destructiveHint": True}


def story_tool(
    name: str,
    description: str,
    handler: ToolHandler,
    annotations: dict[str, Any],
    properties: dict[str, dict[str, Any]] | None = None,
    *,
    required: tuple[str, ...] = (),
) -> StoryTool:
    """A tool whose arguments are `properties`, of which `required` must be there."""
    schema: dict[str, Any] = {"type": "object", "properties": properties or {}}
    if required:
        schema["required"] = [*required]
    return StoryTool(ToolSpec(name, description, schema, annotations), handler)


def string(description: str) -> dict[str, Any]:
    """The schema of a string argument."""
    return {"type": "string", "description": description}


class Given:
    """The arguments of one call, as the readers read them; what is wrong with one refuses the call."""

    def __init__(self, readers: Readers, args: Arguments) -> None:
        self._readers = readers
        self._args = args

    def name(self, key: str) -> str:
        """A required string."""
        value = self.text(key)
        if not value:
            raise ToolError(f"**{key}** is required: nothing that reads as text was given.")
        return value

    def text(self, key: str) -> str:
        """A string that may be absent, then ""."""
        return self._readers.string_arg(self._args, key)

    def names(self, key: str) -> frozenset[str]:
        """A set of strings that may be absent, then empty."""
        return self._readers.string_set_arg(self._args, key)

    def whole(self, key: str) -> int | None:
        """A whole number; None when it is absent, a refusal when it is there and is none (F-0076)."""
        value = self._readers.int_arg(self._args, key)
        if value is None and self._readers.contains(self._args, key):
            raise ToolError(f"**{key}** must be a whole number. Nothing was changed.")
        return value

    def flag(self, key: str, *, absent: bool) -> bool:
        """A boolean; `absent` when it is not there, a refusal when it is there and is none (F-0057)."""
        value = self._readers.bool_arg(self._args, key)
        if value is not None:
            return value
        if self._readers.contains(self._args, key):
            raise ToolError(f"**{key}** must be true or false. Nothing was changed.")
        return absent


def find(things: list[dict[str, Any]], kind: str, name: str, key: str = "name") -> dict[str, Any]:
    """The thing of exactly that name; refuses the call when there is none."""
    for thing in things:
        if thing[key] == name:
            return thing
    raise ToolError(f"**{name}**: there is no {kind} of that name.")
