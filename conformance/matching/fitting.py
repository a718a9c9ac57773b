"""JSON Schema, for `$fits` and `$schema_ok`: does a value fit, and is a value a schema.

What a schema of few keywords says, and whether a schema in plain use is one, is found out here. The validator library
is asked for all the rest, and for what is wrong: to load it takes as long as a hundred cases.

This module must never fetch a schema from anywhere, and never blame a target for what only the kit cannot read.
"""

from __future__ import annotations

import functools
import importlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..casefile.format_parts import TYPES
from ..protocol.compiled import Check, Compiler, holds
from ..values import Number, Value, dumps, lift, lower
from ..words import cut, describe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DEFAULT: Final = "https://json-schema.org/draft/2020-12/schema"
"""The dialect of a schema that names none (MCP since 2025-11-25 says so; earlier revisions say nothing else)."""


class SchemaError(ValueError):
    """The schema cannot be used: no schema, or it refers to what is not in it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One place in a value that a schema forbids; `path` leads from the value's root to it."""

    path: tuple[str | int, ...]
    expected: str
    actual: str


def faults(schema: Value, value: Value, limit: int) -> list[Fault]:
    """Every way in which a value does not fit a schema, up to a limit; the order is that of the value."""
    if not isinstance(schema, dict | bool):
        raise SchemaError("a JSON Schema is an object or a boolean")
    if (check := _of_few_keywords(dumps(schema))) is not None and holds(check, value):
        return []
    wrong = schema_fault(schema)
    if wrong is not None:
        raise SchemaError(f"the schema is no valid JSON Schema: {wrong.expected}, got {wrong.actual}")
    checker = _checker(dumps(schema))
    if checker is None:
        raise SchemaError("the schema names a dialect that the kit does not know")
    return _collect(checker, value, limit)


def schema_fault(value: Value) -> Fault | None:
    """What makes a value no valid JSON Schema in the dialect that it names; None too for an unknown dialect."""
    if not isinstance(value, dict | bool):
        return Fault((), "a valid JSON Schema", describe(value))
    return None if _is_plain(value) else _schema_fault(dumps(value))


def _is_plain(value: Value) -> bool:
    """Whether a value is a valid JSON Schema without doubt: what is not may be one all the same.

    It has only keywords whose form is the same since draft-07, and such as no dialect will ever have.
    """
    if not isinstance(value, dict):
        return isinstance(value, bool)
    return all(name.startswith("x-") or (name in _PLAIN and _PLAIN[name](member)) for name, member in value.items())


def _is_text(value: Value) -> bool:
    return isinstance(value, str)


def _are_texts(value: Value) -> bool:
    return isinstance(value, list) and all(map(_is_text, value)) and len({*map(str, value)}) == len(value)


def _are_types(value: Value) -> bool:
    named: list[Value] = value if isinstance(value, list) else [value]
    return bool(named) and _are_texts(named) and all(name in TYPES for name in named)


def _is_count(value: Value) -> bool:
    return isinstance(value, Number) and value.text.isdigit()


def _are_plain(value: Value) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_plain, value))


def _holds_plain(value: Value) -> bool:
    return isinstance(value, dict) and all(map(_is_plain, value.values()))


_NO_PATTERN: Final = (re.error, OverflowError, RecursionError)
"""What Python says of a regular expression that it cannot read; others may."""
_DIALECTS: Final = {DEFAULT, "http://json-schema.org/draft-07/schema#"}
_PLAIN: Final[dict[str, Callable[[Value], bool]]] = {
    "$schema": lambda value: isinstance(value, str) and value in _DIALECTS,
    "$comment": _is_text,
    "title": _is_text,
    "description": _is_text,
    "format": _is_text,
    "pattern": _is_text,
    "default": lambda _: True,
    "const": lambda _: True,
    "examples": lambda value: isinstance(value, list),
    "enum": lambda value: isinstance(value, list) and bool(value),
    "type": _are_types,
    "required": _are_texts,
    "$ref": _is_text,
    "uniqueItems": lambda value: isinstance(value, bool),
    **dict.fromkeys(("properties", "$defs", "definitions"), _holds_plain),
    **dict.fromkeys(("items", "additionalProperties", "propertyNames", "not", "if", "then", "else"), _is_plain),
    **dict.fromkeys(("anyOf", "oneOf", "allOf"), _are_plain),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _is_count),
    **dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), lambda value: isinstance(value, Number)
    ),
}
"""What each keyword in plain use has to be."""


@functools.lru_cache(maxsize=512)
def _schema_fault(text: str) -> Fault | None:
    schema = json.loads(text)
    dialect = _dialect(schema)
    if dialect is None:
        return None
    # Without format checks: "regex" would be judged by Python's grammar, and schemas are written for ECMAScript's.
    found = _collect(dialect(dialect.META_SCHEMA, registry=_known()), lift(schema), 1)
    return found[0] if found else None


def _collect(checker: Any, value: Value, limit: int) -> list[Fault]:
    unresolvable = importlib.import_module("referencing.exceptions").Unresolvable
    found: list[Fault] = []
    try:
        for error in checker.iter_errors(lower(value)):
            found.append(_fault(error, value))
            if len(found) >= limit:
                break
    except unresolvable as error:
        raise SchemaError(f"the schema refers to what is not in it: {error.ref}") from None
    except RecursionError:
        raise SchemaError("the schema refers to itself without end") from None
    return found


def _fault(error: Any, value: Value) -> Fault:
    """One error of the library in our words, with the value as it was spelt."""
    path = tuple(error.absolute_path)
    part: Value = value
    for step in path:
        part = part[step]  # type: ignore[index]
    place = "/".join(str(step) for step in error.absolute_schema_path)
    wanted = f'what "{error.validator}" asks: {cut(dumps(lift(error.validator_value)), 120)}'
    if error.validator is None:
        wanted = "nothing: the schema is false here"
    return Fault(path, f"{wanted} (schema at /{place})", describe(part))


@functools.lru_cache(maxsize=512)
def _of_few_keywords(text: str) -> Check | None:
    """The kit's own check of a schema, where it has only keywords that this knows, and no dialect of its own."""
    schema = json.loads(text)
    if not isinstance(schema, dict) or "$schema" in schema or not _is_plain(lift(schema)):
        return None
    try:
        return Compiler({}).compile(schema, "")
    except (KeyError, AttributeError, *_NO_PATTERN):  # a keyword that it does not know, a schema that is true or false
        return None


@functools.lru_cache(maxsize=512)
def _checker(text: str) -> Any:
    schema = json.loads(text)
    dialect = _dialect(schema)
    return None if dialect is None else _tolerant(dialect)(schema, registry=_known())


@functools.cache
def _known() -> Any:
    """The published dialects and nothing else, so that no reference ever goes to the network."""
    return importlib.import_module("jsonschema_specifications").REGISTRY


def _dialect(schema: Any) -> Any:
    """The validator class for a schema; None where it names a dialect that is not known here."""
    named = schema.get("$schema") if isinstance(schema, dict) else None
    uri = named if isinstance(named, str) else DEFAULT
    return importlib.import_module("jsonschema.validators").validator_for({"$schema": uri}, default=None)


@functools.cache
def _tolerant(dialect: Any) -> Any:
    """The dialect with `pattern` judged only where Python can read the pattern."""
    plain = dialect.VALIDATORS.get("pattern")

    def pattern(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[Any]:
        try:
            re.compile(wanted)
        except (TypeError, *_NO_PATTERN):
            return
        yield from plain(validator, wanted, instance, schema) or ()

    return importlib.import_module("jsonschema.validators").extend(dialect, {"pattern": pattern})
