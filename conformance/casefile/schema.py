"""The closed JSON Schema of case files, for editors, written from the definitions in format.

`python -m mcp_tck.conformance.casefile.schema` writes it to `conformance/case.schema.json`. What refers to something
elsewhere in a file (columns, kept values, unique ids) is the loader's alone to check.

This module must never know a field, a step or an operator by name that it does not take from format.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..values import lower
from . import format as layout
from . import format_parts, shapes

if TYPE_CHECKING:
    from collections.abc import Iterable

FILE: Final = Path(__file__).resolve().parents[1] / "case.schema.json"

Schema: TypeAlias = dict[str, Any]


def schema() -> Schema:
    """The JSON Schema, draft 2020-12, as Python's own JSON values."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"mcp-tck case file, format {layout.VERSION}",
        **_SHAPES[shapes.Record](layout.FILE),
        "$defs": {
            "sent": _nested("sent"),
            "expectation": _nested("expectation"),
            "sentOperator": _operators(one for one in layout.OPERATORS.values() if one.sent),
            "expectationOperator": _operators(layout.OPERATORS.values()),
            "row": {**_one_key("$row"), "additionalProperties": False},
            "step": _step(layout.STEPS),
        },
    }


def text() -> str:
    """The schema as the file holds it."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def _of(shape: shapes.Shape) -> Schema:
    return _SHAPES[type(shape)](shape)


def _nested(name: str) -> Schema:
    """Data with operators at any depth: a map is one operator, or has no key that begins with $."""
    return {
        "anyOf": [
            {"type": ["string", "number", "boolean", "null"]},
            {"type": "array", "items": {"$ref": f"#/$defs/{name}"}},
            _map_of(name),
            {"$ref": f"#/$defs/{name}Operator"},
        ]
    }


def _map_of(name: str) -> Schema:
    below = {"$ref": f"#/$defs/{name}"}
    return {"type": "object", "propertyNames": {"pattern": r"^(?!\$)"}, "additionalProperties": below}


def _operators(known: Iterable[layout.Operator]) -> Schema:
    return {
        "type": "object",
        "properties": {one.name: _argument(one) for one in known},
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": False,
    }


def _argument(one: layout.Operator) -> Schema:
    shape = _of(one.argument)
    if one.name not in {"$row", "$var", "$literal"} and isinstance(one.argument, _SCALARS):
        shape = {"anyOf": [shape, {"$ref": "#/$defs/row"}]}
    return {"description": one.about, "examples": [lower(one.example)], **shape}


_SCALARS: Final = (shapes.Text, shapes.Whole, shapes.Either, shapes.ListOf, shapes.Choices, shapes.Record)


def _one_key(name: str) -> Schema:
    return {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}


def _step(kinds: Iterable[str]) -> Schema:
    return {"anyOf": [_kind(layout.STEPS[name]) for name in kinds]}


def _kind(kind: layout.StepKind) -> Schema:
    body = {"description": kind.about, "examples": [lower(kind.example)], **_of(kind.body)}
    beside = {one.name: _field(one) for one in kind.beside}
    return {
        "type": "object",
        "properties": {kind.name: body, **beside},
        "required": [kind.name],
        "additionalProperties": False,
    }


def _field(one: shapes.Field) -> Schema:
    shape = _of(one.shape)
    objects = isinstance(one.shape, shapes.Data | shapes.Expectation) and one.shape.object_only
    if not one.required and (objects or isinstance(one.shape, shapes.Flag | shapes.Either)):
        shape = {"anyOf": [shape, {"$ref": "#/$defs/row"}]}
    return {"description": one.about, "examples": [lower(one.example)], **shape}


def _text(shape: shapes.Text) -> Schema:
    found: Schema = {"type": "string"}
    if shape.least:
        found["minLength"] = shape.least
    if shape.pattern:
        found["pattern"] = f"^(?:{shape.pattern})$"
    return {"anyOf": [found, {"$ref": "#/$defs/sentOperator"}]} if shape.template else found


def _flag(shape: shapes.Flag) -> Schema:
    return {"type": "boolean"} if shape.only is None else {"const": shape.only}


def _whole(shape: shapes.Whole) -> Schema:
    return {"type": "integer", "minimum": shape.least}


def _record(shape: shapes.Record) -> Schema:
    found: Schema = {"type": "object", "properties": {one.name: _field(one) for one in shape.fields}}
    required = [one.name for one in shape.fields if one.required]
    if required:
        found["required"] = required
    return {**found, "additionalProperties": False}


def _anything(shape: shapes.Anything) -> Schema:
    return {"type": "object"} if shape.object_only else {}


def _members(name: str, shape: shapes.Data | shapes.Expectation) -> Schema:
    return _map_of(name) if shape.object_only else {"$ref": f"#/$defs/{name}"}


_NAMED_CHOICE: Final[Schema] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "is": {"$ref": "#/$defs/expectation"}},
    "required": ["name", "is"],
    "additionalProperties": False,
}

_ROW: Final[Schema] = {
    "type": "object",
    "properties": {"name": {"description": "The row's name, part of its test's id.", **_text(format_parts.SLUG)}},
    "required": ["name"],
}

_SHAPES: Final[dict[type, Callable[[Any], Schema]]] = {
    shapes.Text: _text,
    shapes.Flag: _flag,
    shapes.Whole: _whole,
    shapes.Choice: lambda shape: {"enum": list(shape.options)},
    shapes.ListOf: lambda shape: {"type": "array", "minItems": shape.least, "items": _of(shape.of)},
    shapes.Record: _record,
    shapes.Either: lambda shape: {"anyOf": [_of(one) for one in shape.shapes]},
    shapes.Data: lambda shape: _members("sent", shape),
    shapes.Expectation: lambda shape: _members("expectation", shape),
    shapes.Choices: lambda _: {
        "type": "array",
        "minItems": 1,
        "items": {"anyOf": [_NAMED_CHOICE, {"$ref": "#/$defs/expectation"}]},
    },
    shapes.Anything: _anything,
    shapes.Rows: lambda _: {"type": "array", "minItems": 1, "items": _ROW},
    shapes.Steps: lambda shape: {
        "type": "array",
        "minItems": 1,
        "items": _step(shape.kinds) if shape.kinds else {"$ref": "#/$defs/step"},
    },
}


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
