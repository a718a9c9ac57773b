"""What more than one place of the case format has: kinds of text, and fields of files, cases and steps alike.

This module must never read a file or look at a node.
"""

from __future__ import annotations

from typing import Final

from ..protocol import eras
from ..values import lift
from .shapes import Choice, Data, Either, Expectation, Field, Flag, ListOf, Record, Shape, Steps, Text

REVISIONS: Final = tuple(sorted(eras.REVISIONS))
TYPES: Final = ("null", "boolean", "integer", "number", "string", "array", "object")

SLUG: Final = Text("a slug: small letters, digits and single hyphens", r"[a-z0-9]+(?:-[a-z0-9]+)*")
PATH: Final = Text("a path: names joined by slashes", r"[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)*")
REQUIREMENT: Final = Text("a requirement id: capitals, digits and hyphens", r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+")
CAPABILITY: Final = Text(
    "a capability: a name, dots before parts of it, ! before one that must be missing, | between alternatives",
    r"!?[A-Za-z][\w.]*(?:\|!?[A-Za-z][\w.]*)*",
)
NAME: Final = Text("a name: letters, digits, _ and -", r"[A-Za-z_][A-Za-z0-9_-]*")
REVISION: Final = Choice(REVISIONS)
LINE: Final = Text("a text", least=0, template=True)
METHOD: Final = Text("the name of a method", template=True)
ONE: Final = Flag(only=True)


def field(name: str, shape: Shape, about: str, example: object, *, required: bool = False) -> Field:
    """A field, with its example as it would stand in a file."""
    return Field(name, shape, about, lift(example), required=required)


REQUIRES: Final = Record(
    (
        field(
            "capabilities", ListOf(CAPABILITY), "Server capabilities that must be declared.", ["resources.subscribe"]
        ),
        field(
            "tools",
            ListOf(Text("the name of a tool")),
            "Tools that the server must list, or not: `!name`.",
            ["tck_read"],
        ),
        field("profiles", ListOf(SLUG), "Profiles that must be claimed for the target.", ["documented"]),
    )
)

WINDOW: Final = Record(
    (
        field("since", REVISION, "The first revision that the cases are for.", "2025-06-18"),
        field("until", REVISION, "The last revision that the cases are for, itself included.", "2025-11-25"),
    )
)

COMMENT: Final = field(
    "comment", Text(), "What a reader of the file needs to know.", "The schema allows a null id too."
)
NEEDED: Final = field(
    "requires", REQUIRES, "What a target must have; without it not applicable.", {"tools": ["tck_read"]}
)
REVISED: Final = field(
    "revisions", WINDOW, "The revisions that this is for; all of them without.", {"since": "2025-06-18"}
)

INSIDE: Final = Text("a path inside of the process's folder", r"(?!(?:.*/)?\.\.(?:/|$))[^/\n][^\n]*")
START: Final = Record(
    (
        field("mode", SLUG, "A way of starting that the target's configuration has under `modes`.", "read-only"),
        field("args", ListOf(LINE), "Words behind the command.", ["--project", {"$folder": "book"}]),
        field("env", Data(object_only=True), "Environment variables.", {"LOG_LEVEL": "debug"}),
        field("files", Data(object_only=True), "Files in the process's folder: path and text.", {"a/b.txt": "text"}),
    )
)
STARTED: Final = field(
    "start", START, "How the process is started otherwise than usual; it is the case's own.", {"mode": "read-only"}
)
BEFORE: Final = field(
    "before",
    Steps(),
    "Steps before those of each case: what it builds on.",
    [{"call": {"tool": "add", "arguments": {}}}],
)
AFTER: Final = field(
    "after", Steps(), "Steps behind those of each case, also where they did not hold.", [{"call": {"tool": "undo"}}]
)

PARAMS: Final = field("params", Data(), "The params; left out without this field.", {"cursor": "x"})
META: Final = field(
    "meta",
    Either((Choice(("none",)), Data(object_only=True))),
    "Members of `_meta`; `none`: the kit adds no metadata of its own, not even where the revision asks for it.",
    "none",
)

CALL_EXPECT: Final = Record(
    (
        field("ok", Flag(), "Whether the tool said that it did its work: isError turned round.", True),
        field("text", Expectation(), "The text of all text blocks, joined by line feeds.", {"$contains": "saved"}),
        field("json", Expectation(), "That text, read as JSON.", {"contains": True}),
        field("structured", Expectation(), "The structured content.", {"total": 3}),
        field("content", Expectation(), "The content as it came, an array of blocks.", [{"type": "text"}]),
        field("error", Expectation(), "The JSON-RPC error: the call never reached a tool.", {"code": -32602}),
        field("refused", Flag(), "A result with isError or a JSON-RPC error: either is fine.", True),
    )
)

GIVEN: Final = field(
    "given",
    Expectation(),
    "What the reply has to match for the case to apply; where it does not, the case ends as not applicable.",
    {"result": {"resources": {"$contains": {"$any": True}}}},
)

BLAMED: Final = field(
    "covers",
    ListOf(REQUIREMENT),
    "Which of the case's requirements this step is about, where it is not all: they alone are broken if it fails.",
    ["MCP-BASE-010"],
)

REPLY: Final = field(
    "expect", Expectation(), "What the whole reply object has to match; any reply without.", {"error": {"code": -32601}}
)
