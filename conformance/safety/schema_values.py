"""Values that a JSON Schema allows, few and always the same: the good arguments of a tool that nobody has described.

Every value that leaves here fits its schema as the validator library reads it. Where none is found there is none; a
guess is never sent. This module must never call a tool or fetch a schema.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ..matching import fitting
from ..values import Number, Value, lift, same

MOST: Final = 6
"""Values that are offered for one schema."""
DEPTH: Final = 6

_NUMBERS: Final = ("1", "2", "3", "7", "12", "5", "10", "100", "0", "-1")
_TEXTS: Final = ("2024", "abc", "a", "mcp-tck")
_FORMATS: Final[Mapping[str, tuple[str, ...]]] = {
    "date": ("2024-01-31", "2024-02-01"),
    "date-time": ("2024-01-31T12:00:00Z", "2024-02-01T12:00:00Z"),
    "time": ("12:00:00Z", "13:00:00Z"),
    "email": ("somebody@example.com",),
    "uri": ("https://example.com/",),
    "url": ("https://example.com/",),
    "uuid": ("00000000-0000-4000-8000-000000000001",),
    "ipv4": ("192.0.2.1",),
    "ipv6": ("2001:db8::1",),
    "hostname": ("example.com",),
}

Schema = Mapping[str, Value]


class Tool:
    """The input schema of one tool: its arguments, and whether arguments fit. Raises nothing but for `fits`."""

    def __init__(self, tool: Mapping[str, Value]) -> None:
        found = tool.get("inputSchema")
        self.schema: dict[str, Value] = found if isinstance(found, dict) else {"type": "object"}

    @property
    def arguments(self) -> dict[str, Schema]:
        """The schema of each argument, references followed."""
        listed = self.resolved(self.schema).get("properties")
        members = listed.items() if isinstance(listed, dict) else ()
        return {name: self.resolved(schema) for name, schema in members}

    @property
    def required(self) -> tuple[str, ...]:
        """The arguments that must be there, in the order of the schema."""
        named = self.resolved(self.schema).get("required")
        return tuple(name for name in named if isinstance(name, str)) if isinstance(named, list) else ()

    def resolved(self, schema: Value) -> Schema:
        """The schema that a local reference leads to; the schema itself where it is none, or leads nowhere."""
        for _ in range(DEPTH):
            if not isinstance(schema, dict) or not isinstance(reference := schema.get("$ref"), str):
                break
            found: Value = self.schema
            for part in reference.removeprefix("#").strip("/").split("/") if reference != "#" else ():
                key = part.replace("~1", "/").replace("~0", "~")
                found = found.get(key) if isinstance(found, dict) else None
            others = {key: member for key, member in schema.items() if key != "$ref"}
            schema = found | others if isinstance(found, dict) else others
        return schema if isinstance(schema, dict) else {}

    def fits(self, arguments: Value) -> bool | None:
        """Whether arguments fit the schema; None where that cannot be told."""
        try:
            return not fitting.faults(self.schema, arguments, 1)
        except fitting.SchemaError:
            return None

    def kinds(self, schema: Schema, depth: int = 0) -> frozenset[str]:
        """The JSON types that a schema allows; every type where it names none."""
        named = schema.get("type")
        if isinstance(named, str):
            return frozenset({named})
        if isinstance(named, list):
            return frozenset(name for name in named if isinstance(name, str))
        listed = schema.get("enum")
        values = listed if isinstance(listed, list) else [schema["const"]] if "const" in schema else []
        if values:
            return frozenset(map(kind_of, values))
        found: set[str] = set()
        for key in ("anyOf", "oneOf", "allOf"):
            parts = schema.get(key)
            for part in parts if isinstance(parts, list) and depth < DEPTH else ():
                found |= self.kinds(self.resolved(part), depth + 1)
        return frozenset(found)

    def values(self, schema: Schema, depth: int = 0) -> list[Value]:
        """Values that fit a schema, what the schema itself offers first; none where none was found."""
        found: list[Value] = []
        for value in self._offered(schema, depth):
            if len(found) == MOST:
                break
            if not any(same(value, known) for known in found) and self.allows(schema, value):
                found.append(value)
        return found

    def base(self) -> dict[str, Value] | None:
        """The least that a call needs: each required argument with its first value; None where one has none."""
        arguments = self.arguments
        given: dict[str, Value] = {}
        for name in self.required:
            offered = self.values(arguments.get(name, {}))
            if not offered:
                return None
            given[name] = offered[0]
        return given

    def allows(self, schema: Schema, value: Value) -> bool:
        """Whether a value fits the schema of an argument; false where that cannot be told."""
        whole = dict(schema)
        for key in ("$defs", "definitions", "$schema"):
            if key in self.schema:
                whole.setdefault(key, self.schema[key])
        try:
            return not fitting.faults(whole, value, 1)
        except fitting.SchemaError:
            return False

    def _offered(self, schema: Schema, depth: int) -> Iterator[Value]:
        if depth > DEPTH:
            return
        if "const" in schema:
            yield schema["const"]
        for key in ("enum", "examples"):
            listed = schema.get(key)
            yield from listed if isinstance(listed, list) else ()
        if isinstance(schema.get("enum"), list) or "const" in schema:
            return
        kinds = self.kinds(schema)
        for kind in ("boolean", "integer", "number", "string", "array", "object"):
            if kind in kinds or not kinds:
                yield from self._of_kind(kind, schema, depth)
        for key in ("anyOf", "oneOf"):
            parts = schema.get(key)
            for part in parts if isinstance(parts, list) else ():
                yield from self.values(self.resolved(part), depth + 1)
        if "default" in schema:
            yield schema["default"]

    def _of_kind(self, kind: str, schema: Schema, depth: int) -> Iterator[Value]:
        if kind == "boolean":
            yield from (True, False)
        elif kind in {"integer", "number"}:
            yield from map(Number, _NUMBERS)
            for key, away in (("minimum", 0), ("exclusiveMinimum", 1), ("maximum", 0), ("exclusiveMaximum", -1)):
                bound = schema.get(key)
                if isinstance(bound, Number) and bound.is_integer and not isinstance(bound.exact, str):
                    yield Number(str(int(bound.exact) + away))
            step = schema.get("multipleOf")
            if isinstance(step, Number):
                yield step
        elif kind == "string":
            yield from self._texts(schema)
        elif kind == "array":
            yield from self._arrays(schema, depth)
        elif kind == "object":
            yield from self._objects(schema, depth)

    @staticmethod
    def _texts(schema: Schema) -> Iterator[Value]:
        form = schema.get("format")
        yield from _FORMATS.get(form, ()) if isinstance(form, str) else ()
        yield from _TEXTS
        least, most = schema.get("minLength"), schema.get("maxLength")
        for bound in (least, most):
            if isinstance(bound, Number) and bound.text.isdigit() and int(bound.text) <= 10_000:
                yield "x" * int(bound.text)
        if isinstance(pattern := schema.get("pattern"), str):
            yield from matching(pattern)

    def _arrays(self, schema: Schema, depth: int) -> Iterator[Value]:
        items = self.resolved(schema.get("items", {}))
        offered = self.values(items, depth + 1)
        least = schema.get("minItems")
        size = max(1, int(least.text)) if isinstance(least, Number) and least.text.isdigit() else 1
        if size == 1:
            for value in offered[:3]:
                yield [value]
        if offered and size <= 20:
            many = (offered * size)[: max(size, 2)]
            yield list(many)
        yield []

    def _objects(self, schema: Schema, depth: int) -> Iterator[Value]:
        members = schema.get("properties")
        required = schema.get("required")
        names = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
        given: dict[str, Value] = {}
        for name in names:
            inner = self.resolved(members.get(name, {})) if isinstance(members, dict) else {}
            offered = self.values(inner, depth + 1)
            if not offered:
                return
            given[name] = offered[0]
        if not names and isinstance(members, dict):
            for name, member in list(members.items())[:1]:
                if offered := self.values(self.resolved(member), depth + 1):
                    yield {name: offered[0]}
        elif not names and schema.get("additionalProperties") is not False:
            yield {"a": "b"}
        yield given


def kind_of(value: Value) -> str:
    """The JSON type of a value in the words of JSON Schema."""
    plain = lift(value)
    if plain is None:
        return "null"
    if isinstance(plain, bool):
        return "boolean"
    if isinstance(plain, str):
        return "string"
    if isinstance(plain, Number):
        return "integer" if plain.is_integer else "number"
    return "array" if isinstance(plain, list) else "object"


def matching(pattern: str) -> list[str]:
    """Texts that a regular expression matches, where Python and Hypothesis can read it."""
    import re
    import warnings

    try:
        re.compile(pattern)
    except re.error:
        return []
    from hypothesis import HealthCheck, Phase, find, settings
    from hypothesis import strategies as st
    from hypothesis.errors import HypothesisException

    quiet = settings(
        database=None,
        derandomize=True,
        max_examples=50,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            drawn = find(st.from_regex(pattern), lambda text: text.isprintable(), settings=quiet)
    except (HypothesisException, ValueError, NotImplementedError):
        return []
    return [str(drawn)]
