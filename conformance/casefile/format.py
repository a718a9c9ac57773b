"""The case format, version 1: every field, step and operator, once, with what it means and an example.

The loader checks files by these tables, and the JSON Schema for editors is written from them; nothing else defines the
format. This module must never read a file or look at a node.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..values import lift
from .format_parts import (
    AFTER,
    BEFORE,
    BLAMED,
    CALL_EXPECT,
    COMMENT,
    GIVEN,
    INSIDE,
    LINE,
    META,
    METHOD,
    NAME,
    NEEDED,
    ONE,
    PARAMS,
    PATH,
    REPLY,
    REQUIREMENT,
    REVISED,
    SLUG,
    STARTED,
    TYPES,
    field,
)
from .shapes import (
    Anything,
    Choice,
    Choices,
    Data,
    Either,
    Expectation,
    Field,
    ListOf,
    Record,
    Rows,
    Shape,
    Steps,
    Text,
    Whole,
)

if TYPE_CHECKING:
    from ..values import Value

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class StepKind:
    """One kind of step: the shape of its value, what it does, and the fields that may stand beside it."""

    name: str
    body: Shape
    about: str
    example: Value
    beside: tuple[Field, ...] = ()


def _step(name: str, body: Shape, about: str, example: object, *beside: Field) -> StepKind:
    return StepKind(name, body, about, lift(example), beside)


STEPS: Final[dict[str, StepKind]] = {
    kind.name: kind
    for kind in (
        _step(
            "request",
            Record(
                (
                    field("method", METHOD, "The method.", "ping", required=True),
                    PARAMS,
                    field("id", Data(), "An id of one's own; a fresh one is given without.", "abc"),
                    META,
                )
            ),
            "Sends a request and waits for its reply.",
            {"method": "ping"},
            GIVEN,
            REPLY,
            BLAMED,
        ),
        _step(
            "call",
            Record(
                (
                    field("tool", Text("the name of a tool", template=True), "The tool.", "tck_read", required=True),
                    field("arguments", Data(), "The arguments; left out without this field.", {"reader": "bool"}),
                    META,
                )
            ),
            "Sends tools/call and waits for its reply.",
            {"tool": "read_document", "arguments": {"name": "One"}},
            field("expect", CALL_EXPECT, "What has to come of the call; any reply without.", {"ok": True}),
            BLAMED,
        ),
        _step(
            "notify",
            Record((field("method", METHOD, "The method.", "notifications/cancelled", required=True), PARAMS, META)),
            "Sends a notification; nothing is awaited.",
            {"method": "notifications/made-up"},
        ),
        _step(
            "send_line",
            LINE,
            "Sends a text as it is, and a line feed behind it.",
            '{"jsonrpc":"2.0","id":3,"method":',
        ),
        _step(
            "send_bytes",
            Text("bytes in hex, two digits each", r"\s*(?:[0-9a-fA-F]{2}\s*)*", template=True),
            "Sends bytes as they are; the line feed too has to be written.",
            "ff fe 0a",
        ),
        _step(
            "optional",
            Expectation(),
            "A message that answers nothing may come before the next reply; if one comes it has to match.",
            {"error": {"code": -32700}},
        ),
        _step(
            "reply",
            Expectation(),
            "A reply to the line sent before has to come, and to match.",
            {"error": {"code": -32700}},
        ),
        _step(
            "silence",
            Record(
                (
                    field(
                        "no", ListOf(Text("the name of a method")), "Methods that must not come either.", ["roots/list"]
                    ),
                )
            ),
            "Sends a barrier request; no reply may come before its own.",
            {},
            BLAMED,
        ),
        _step(
            "notification",
            Record(
                (
                    field(
                        "method", Text("the name of a method"), "Its method.", "notifications/progress", required=True
                    ),
                    field("params", Expectation(), "What its params have to match.", {"progress": 1}),
                )
            ),
            "A notification of the server that matches came since the case began, or comes in time.",
            {"method": "notifications/tools/list_changed"},
        ),
        _step(
            "server_request",
            Record(
                (
                    field("method", METHOD, "Its method.", "roots/list", required=True),
                    field("params", Expectation(), "What its params have to match.", {"messages": {"$any": True}}),
                )
            ),
            "A request of the server that matches came since the case began, or comes in time.",
            {"method": "roots/list"},
            field(
                "answer",
                Data(object_only=True),
                "What the kit answers instead of the usual.",
                {"result": {"roots": []}},
            ),
        ),
        _step(
            "together",
            Steps(("request", "call", "notify")),
            "Sends several messages at once, in this order; replies may come in any order.",
            [{"request": {"method": "ping", "id": 1}}, {"request": {"method": "ping", "id": "1"}}],
        ),
        _step("close_stdin", Record(), "Ends the server's input.", {}),
        _step(
            "expect_exit",
            Record((field("code", Expectation(), "What the exit status has to match; negative for a signal.", 0),)),
            "The process ends by itself in time.",
            {"code": 0},
        ),
    )
}

CASE: Final = Record(
    (
        field("id", SLUG, "The case's name, unique in its file and never reused.", "text-forms", required=True),
        field(
            "title",
            Text(),
            "The fact that the case shows, in the present tense, under 80 characters.",
            "the usual spellings of a boolean read as that boolean",
            required=True,
        ),
        field("covers", ListOf(REQUIREMENT), "The requirements that the case shows.", ["ARG-BOOL-3"]),
        NEEDED,
        REVISED,
        field(
            "session",
            Choice(("shared", "fresh", "last")),
            "`fresh`: a new process, for this case alone. `last`: one that others may have used, and none will again.",
            "fresh",
        ),
        field(
            "opening",
            Either((Choice(("none",)), Data(object_only=True))),
            "`none`: nothing is sent before the steps; or members that replace the usual ones of initialize's params.",
            {"capabilities": {"roots": {}}},
        ),
        STARTED,
        COMMENT,
        field(
            "examples",
            Rows(),
            "Rows, each a test of its own: a name, and columns that `$row` stands for.",
            [{"name": "lower", "given": "true", "reads": True}],
        ),
        BEFORE,
        field("steps", Steps(), "What is done, in this order.", [{"request": {"method": "ping"}}], required=True),
        AFTER,
    )
)

CASES: Final = ListOf(CASE)

FILE: Final = Record(
    (
        field("format", Choice((VERSION,)), "The version of this format.", VERSION, required=True),
        field(
            "area", PATH, "The file's path below the case folder, without its suffix.", "arguments/bool", required=True
        ),
        NEEDED,
        REVISED,
        STARTED,
        BEFORE,
        AFTER,
        COMMENT,
        field("cases", CASES, "The cases; one reason to fail each.", [], required=True),
    )
)


@dataclass(frozen=True, slots=True)
class Operator:
    """One operator: its argument, when it holds, and whether it may stand in what is sent."""

    name: str
    argument: Shape
    about: str
    example: Value
    sent: bool = False


def _operator(name: str, argument: Shape, about: str, example: object, *, sent: bool = False) -> Operator:
    return Operator(name, argument, about, lift(example), sent)


_TYPE: Final = Choice(TYPES)
_BOUND: Final = Whole(template=True)
_SAVED: Final = Record(
    (
        field("as", NAME, "The name for `$var`.", "first", required=True),
        field("is", Expectation(), "What the value has to match.", {"$type": "string"}),
    )
)
_LENGTHS: Final = Record(
    (field("min", _BOUND, "The least length.", 1), field("max", _BOUND, "The greatest length.", 8))
)
_REPEATED: Final = Record(
    (
        field("of", LINE, "The text that is repeated.", "x", required=True),
        field("times", _BOUND, "How often.", 70000, required=True),
        field("before", LINE, "Text before it.", '{"jsonrpc":"2.0","id":1,"method":"'),
        field("after", LINE, "Text behind it.", '"}'),
    )
)

_MESSAGE: Final = Record(
    (
        field("members", Data(object_only=True), "Members to add or to replace.", {"id": 1.5}),
        field("without", ListOf(Text("the name of a member")), "Members to leave out.", ["jsonrpc"]),
        field("before", LINE, "Text before it.", " "),
        field("after", LINE, "Text behind it.", "\r"),
    )
)

BLAMING: Final = frozenset(kind.name for kind in STEPS.values() if BLAMED in kind.beside)
"""The steps that may name requirements of their own."""

OPERATORS: Final[dict[str, Operator]] = {
    operator.name: operator
    for operator in (
        _operator("$any", ONE, "A value is there, whatever it is.", {"$any": True}),
        _operator("$absent", ONE, "The key is not there.", {"$absent": True}),
        _operator("$optional", Expectation(), "The key is not there, or matches.", {"$optional": None}),
        _operator(
            "$type",
            Either((_TYPE, ListOf(_TYPE))),
            "The value has this JSON type, or one of these; an integer has no fraction by value.",
            {"$type": ["string", "null"]},
        ),
        _operator(
            "$regex",
            Text("a regular expression"),
            "The pattern is found in the string, by Python's re.search; ^…$ for the whole.",
            {"$regex": "^[a-z_]+$"},
        ),
        _operator(
            "$one_of",
            Choices(),
            "At least one of these matches; a name goes into the portrait of the target.",
            {"$one_of": [-32600, {"name": "parse error", "is": -32700}]},
        ),
        _operator("$not", Expectation(), "The expectation does not match.", {"$not": {"$type": "null"}}),
        _operator(
            "$contains",
            Expectation(),
            "Some element of the array matches; on a string, the text is inside.",
            {"$contains": {"name": "tck_read"}},
        ),
        _operator(
            "$unordered",
            ListOf(Expectation(), least=0),
            "As many elements, each matched by one of these, in any order.",
            {"$unordered": [{"name": "a"}, {"name": "b"}]},
        ),
        _operator(
            "$in_order",
            ListOf(Expectation()),
            "Elements that match these come in this order; others may stand before, between and behind.",
            {"$in_order": [{"name": "a"}, {"name": "b"}]},
        ),
        _operator(
            "$each",
            Expectation(),
            "Every element of the array, or every member of the object, matches.",
            {"$each": {"type": "text"}},
        ),
        _operator(
            "$unique",
            Either((ONE, Text("the name of a member"))),
            "All elements of the array differ; with a name, all their members of that name.",
            {"$unique": "name"},
        ),
        _operator(
            "$length",
            Either((Whole(), _LENGTHS)),
            "So many code points, elements or members.",
            {"$length": {"min": 1, "max": 64}},
        ),
        _operator(
            "$exact",
            Expectation(object_only=True),
            "The members match, and there are no others.",
            {"$exact": {"roots": []}},
        ),
        _operator(
            "$fits",
            Either((Text("the name of a message schema"), Anything(object_only=True))),
            "The value fits this JSON Schema, or that of the message of this name.",
            {"$fits": {"type": "object", "required": ["name"]}},
        ),
        _operator("$schema_ok", ONE, "The value is a valid JSON Schema in the dialect it names.", {"$schema_ok": True}),
        _operator(
            "$save",
            _SAVED,
            "The value matches, and is kept for `$var` in later steps.",
            {"$save": {"as": "cursor", "is": {"$type": "string"}}},
        ),
        _operator(
            "$row", Text("the name of a column"), "What the row has in this column.", {"$row": "given"}, sent=True
        ),
        _operator("$var", NAME, "The value that was kept under this name.", {"$var": "cursor"}, sent=True),
        _operator(
            "$repeat",
            _REPEATED,
            "A long text: a part of it repeated, with text before and behind.",
            {"$repeat": {"of": "x", "times": 70000}},
            sent=True,
        ),
        _operator(
            "$barrier",
            ONE,
            "The method of a request that the target answers: ping, or a list if it has no ping, or server/discover.",
            {"$barrier": True},
            sent=True,
        ),
        _operator(
            "$message",
            _MESSAGE,
            "The text of such a request, with members laid over it, and text before and behind.",
            {"$message": {"members": {"id": 1.5}}},
            sent=True,
        ),
        _operator(
            "$folder",
            INSIDE,
            "The path of something in the folder of the process's own; `.` is the folder.",
            {"$folder": "book/one.txt"},
            sent=True,
        ),
        _operator(
            "$literal", Anything(), "Exactly this, keys with $ and all.", {"$literal": {"$ref": "#/x"}}, sent=True
        ),
    )
}
