"""Tools with arguments of every type, for a server that is to be tried on how it reads them. Not part of the story.

`view_options` answers the options that it was given, as it read them; `quote_text` gives back what it was given. Both
only read. An argument that cannot be read refuses the call, by name and with what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from .arguments import WHITE
from .messages import read_json, to_json
from .protocol import ToolError, ToolResult, ToolSpec

if TYPE_CHECKING:
    from .protocol import Server

Params = dict[str, Any]

VIEW: dict[str, Any] = {
    "type": "object",
    "properties": {
        "label": {"type": "string", "minLength": 2, "maxLength": 20, "pattern": "^[a-zA-Z0-9 ]+$"},
        "dry_run": {"type": "boolean", "default": False, "description": "Whether the view is only tried."},
        "limit": {"type": "integer", "minimum": 1, "maximum": 5000, "default": 50},
        "ratio": {"type": "number", "exclusiveMinimum": -1, "exclusiveMaximum": 2000, "default": 0.5},
        "order": {"type": "string", "enum": ["name", "length"], "default": "name"},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 9, "uniqueItems": True},
        "span": {
            "type": "object",
            "properties": {"first": {"type": "integer"}, "last": {"type": "integer"}},
            "required": ["first"],
            "additionalProperties": False,
        },
        "hidden": {"anyOf": [{"type": "boolean"}, {"type": "null"}], "default": None},
        "step": {"type": "integer", "multipleOf": 5, "default": 5},
        "target": {
            "oneOf": [{"type": "integer", "minimum": 0}, {"type": "array", "items": {"type": "integer"}}],
            "default": 0,
        },
    },
    "required": ["label"],
    "additionalProperties": False,
}
QUOTE: dict[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "number": {"type": "integer"}},
    "required": ["text"],
}
_TRUTHS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}
_WHOLE = re.compile(r"[+-]?[0-9]{1,400}")
_NUMBER = re.compile(r"[+-]?[0-9]{1,400}(?:\.[0-9]{1,400})?(?:[eE][+-]?[0-9]{1,3})?")


class Typed:
    """Readers by type, the shape of a refusal, and what is done with what was read; each can be replaced.

    A reader gets a value that is there and its schema, and raises `ValueError` with what was expected.
    """

    def __init__(self) -> None:
        self.readers: dict[str, Callable[[Any, Params], Any]] = {
            "boolean": boolean,
            "integer": whole,
            "number": number,
            "string": text,
            "enum": choice,
            "array": texts,
            "object": span,
            "nullable": lambda value, schema: None if value is None else boolean(value, schema),
            "either": either,
            "plain": plain_text,
        }
        self.given: Callable[[Params, str], bool] = lambda args, name: name in args and not blank(args[name])
        self.check: Callable[[Any, Params], str] = broken
        self.unknown: Callable[[str, list[str]], None] = unknown
        self.refuse: Callable[[str, str], ToolResult] = refuse
        self.show: Callable[[Params], str] = to_json

    def call(self, args: Params, schema: Params) -> ToolResult:
        """Read every argument that the schema names; the first that cannot be read refuses the call."""
        read: Params = {}
        for name in args:
            if name not in schema["properties"] and schema.get("additionalProperties") is False:
                try:
                    self.unknown(name, list(schema["properties"]))
                except ValueError as error:
                    return self.refuse(name, str(error))
        for name, inner in schema["properties"].items():
            kind = kind_of(name, inner)
            # A text may be empty, and a nullable argument null: these are values.
            is_value = (kind == "plain" and args.get(name) == "") or (kind == "nullable" and args.get(name, "") is None)
            if not (is_value or self.given(args, name)):
                if name in schema.get("required", ()):
                    return self.refuse(name, "is required, and was not given")
                read[name] = inner.get("default")
                continue
            try:
                read[name] = self.readers[kind](args[name], inner)
                complaint = self.check(read[name], inner)
            except ValueError as error:
                complaint = str(error)
            if complaint:
                return self.refuse(name, complaint)
        return ToolResult(True, self.show(read))


def add_typed(server: Server) -> Typed:
    """Registers the tools."""
    typed = Typed()
    for name, words, schema in (
        ("view_options", "Says which view of the project a set of options stands for. Changes nothing.", VIEW),
        ("quote_text", "Gives back a text, and a number where one is given. Changes nothing.", QUOTE),
    ):
        spec = ToolSpec(name, words, schema, {"readOnlyHint": True})
        server.register_tool(spec, lambda args, schema=schema: typed.call(args, schema))  # type: ignore[misc]
    return typed


def kind_of(name: str, schema: Params) -> str:
    """Which reader an argument has."""
    if name == "text":
        return "plain"
    if "oneOf" in schema:
        return "either"
    if "anyOf" in schema:
        return "nullable"
    return "enum" if "enum" in schema else str(schema["type"])


def refuse(name: str, complaint: str) -> ToolResult:
    """A refusal that names the argument."""
    raise ToolError(f"**{name}** {complaint}. Nothing was done.")


def blank(value: Any) -> bool:
    """Whether a value says that there is none: null, and an empty or blank text."""
    return value is None or (isinstance(value, str) and not value.strip(WHITE))


def unknown(name: str, known: list[str]) -> None:
    """Refuses an argument that no schema names."""
    raise ValueError(f"is no argument of this tool, expected one of {', '.join(known)}; {name!r} was given")


def boolean(value: Any, _schema: Params) -> bool:
    """A boolean, a number as "not zero" where it is 0 or 1, or a usual word for one."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and value in {0, 1}:
        return value == 1
    if isinstance(value, str) and (key := value.strip(WHITE).lower()) in _TRUTHS:
        return _TRUTHS[key]
    raise ValueError("must be a boolean, true or false")


def whole(value: Any, _schema: Params) -> int:
    """A whole number, also as a text of digits."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, Decimal) and value.adjusted() < 400 and value == value.to_integral_value():
        return int(value)
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip(WHITE)):
        return int(value)
    raise ValueError("must be an integer, a whole number")


def number(value: Any, _schema: Params) -> int | Decimal:
    """A number, also as a text that spells one."""
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip(WHITE)):
        return Decimal(value.strip(WHITE))
    raise ValueError("must be a number")


def text(value: Any, _schema: Params) -> str:
    """A text without blanks at its ends; a number or boolean as its text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | Decimal):
        return str(value).strip(WHITE)
    raise ValueError("must be a string")


def plain_text(value: Any, _schema: Params) -> str:
    """A text, as it is."""
    if isinstance(value, str):
        return value
    raise ValueError("must be a string")


def choice(value: Any, schema: Params) -> str:
    """One of the listed texts, in any case of its letters."""
    for listed in schema["enum"]:
        if isinstance(value, str) and value.strip(WHITE).lower() == listed:
            return str(listed)
    raise ValueError(f"must be one of {', '.join(schema['enum'])}, a string")


def texts(value: Any, schema: Params) -> list[str]:
    """A list of texts, also as its JSON text, or the only text of one."""
    if isinstance(value, str):
        try:
            value = read_json(value) if value.lstrip().startswith("[") else [value]
        except ValueError:
            raise ValueError("must be an array of strings") from None
    if isinstance(value, list):
        return [text(each, schema) for each in value]
    raise ValueError("must be an array of strings")


def span(value: Any, schema: Params) -> Params:
    """An object with numbers, also as its JSON text."""
    if isinstance(value, str):
        try:
            value = read_json(value)
        except ValueError:
            value = None
    if not isinstance(value, dict):
        raise ValueError("must be an object")  # noqa: TRY004 - a ValueError is what every reader raises
    for name in value:
        if name not in schema["properties"]:
            raise ValueError(f"must be an object with {', '.join(schema['properties'])}, and has {name!r}")
    if "first" not in value:
        raise ValueError("must be an object with first")
    return {name: whole(each, {}) for name, each in value.items()}


def either(value: Any, schema: Params) -> int | list[int]:
    """A whole number or a list of such."""
    if isinstance(value, list):
        return [whole(each, schema) for each in value]
    try:
        return whole(value, schema)
    except ValueError:
        raise ValueError("must be an integer or an array of integers") from None


def broken(value: Any, schema: Params) -> str:
    """Which bound of its schema a value breaks, in words; empty where it keeps all."""
    for part in schema.get("oneOf", ()):
        if (part["type"] == "integer") is isinstance(value, int):
            return broken(value, part)
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return _number_breaks(value, schema)
    size = len(value) if isinstance(value, str | list) else None
    if size is not None:
        least, most = ("minLength", "maxLength") if isinstance(value, str) else ("minItems", "maxItems")
        if size < schema.get(least, 0) or size > schema.get(most, 10**9):
            return f"must have {schema.get(least, 0)} to {schema.get(most, 'any number of')} characters or elements"
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        return f"must be a string that matches {schema['pattern']}"
    if isinstance(value, list) and schema.get("uniqueItems") and len(set(value)) < len(value):
        return "must be an array of different strings"
    return ""


def _number_breaks(value: int | Decimal, schema: Params) -> str:
    if value < schema.get("minimum", value) or value > schema.get("maximum", value):
        return f"must be an integer from {schema.get('minimum')} to {schema.get('maximum')}"
    if value <= schema.get("exclusiveMinimum", value - 1) or value >= schema.get("exclusiveMaximum", value + 1):
        return f"must be a number between {schema.get('exclusiveMinimum')} and {schema.get('exclusiveMaximum')}"
    if value % schema.get("multipleOf", 1 if isinstance(value, int) else value or 1):
        return f"must be an integer that is a multiple of {schema['multipleOf']}"
    return ""
