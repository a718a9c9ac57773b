"""A JSON Schema of few keywords to a function that names each break with the requirement that it breaks.

The wire schemas (spec/wire) are read by this and not by a library: every message of every run is judged by them, so a
small message must cost microseconds, numbers must keep their spelling, and each fault must tell its requirement
(`x-requirement`, the nearest one around the broken constraint). A test holds it against the library.

This module must never know a message of MCP, and must never pass over a keyword that it does not know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from ..values import ABSENT, Absent, Number, Value, dumps, lift, same
from ..words import cut, describe

LIMIT: Final = 20
"""Faults that are told of one value; one in a hundred elements of an array is told once."""

Schema: TypeAlias = Mapping[str, Any]
Path: TypeAlias = "tuple[Path, str | int] | None"
"""The way to a value, innermost step first; made for every value, and written out only for a fault."""


@dataclass(frozen=True, slots=True)
class Broken:
    """One constraint that a value breaks; `pointer` is relative to the value (RFC 6901)."""

    requirement: str
    pointer: str
    expected: str
    actual: str


_ANY: Final = Broken("", "", "", "")


@dataclass(slots=True)
class Report:
    """What was found so far. `brief`: only whether anything is broken is asked, in no words."""

    broken: list[Broken] = field(default_factory=list)
    seen: set[tuple[str, str]] = field(default_factory=set)
    brief: bool = False

    def add(self, requirement: str, path: Path, expected: str, value: Value | Absent, actual: str = "") -> None:
        """Note a break, once for all elements of an array; `actual` is told where the value's own words do not do."""
        if self.brief:
            self.broken.append(_ANY)
            return
        steps: list[str | int] = []
        while path is not None:
            path, step = path
            steps.append(step)
        steps.reverse()
        place = "".join("/*" if isinstance(step, int) else f"/{step}" for step in steps)
        if (place, expected) in self.seen or len(self.broken) >= LIMIT:
            return
        self.seen.add((place, expected))
        pointer = "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)
        self.broken.append(Broken(requirement, pointer, expected, actual or describe(value)))


Check: TypeAlias = Callable[[Value, Path, Report], None]

_TYPES: Final[dict[str, tuple[str, Callable[[Value], bool]]]] = {
    "null": ("null", lambda value: value is None),
    "boolean": ("a boolean", lambda value: isinstance(value, bool)),
    "string": ("a string", lambda value: isinstance(value, str)),
    "integer": ("an integer", lambda value: isinstance(value, Number) and value.is_integer),
    "number": ("a number", lambda value: isinstance(value, Number)),
    "array": ("an array", lambda value: isinstance(value, list)),
    "object": ("an object", lambda value: isinstance(value, dict)),
}
_SILENT: Final = {"$schema", "$comment", "title", "description", "x-requirement", "else", "then"}


class Compiler:
    """Checks from the definitions of one document; each is made once for each requirement around it."""

    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self.definitions = definitions
        self._made: dict[tuple[str, str], Check] = {}

    def compile(self, schema: Schema, requirement: str) -> Check:
        """The check of a schema; `requirement` is broken where no nearer one is named.

        Raises KeyError for a keyword that it does not know.
        """
        requirement = schema.get("x-requirement", requirement)
        keywords = [keyword for keyword in sorted(schema, key=_order) if keyword not in _SILENT]
        makers = dict.fromkeys(_KEYWORDS[keyword] for keyword in keywords)  # some read two keywords at once
        parts = [make(self, schema, requirement) for make in makers]
        if len(parts) == 1:
            return parts[0]

        def check(value: Value, path: Path, report: Report) -> None:
            for part in parts:
                part(value, path, report)

        return check

    def named(self, schema: Schema) -> Schema:
        """The definition that a schema refers to, through every reference; the schema itself where it is none."""
        while schema.keys() <= {"$ref", "x-requirement"} and "$ref" in schema:
            schema = self.definitions[_name(schema)]
        return schema

    # -- keywords

    def ref(self, schema: Schema, requirement: str) -> Check:
        """A definition of the same document."""
        key = (_name(schema), requirement)
        if key not in self._made:
            self._made[key] = self.compile(self.definitions[key[0]], requirement)
        return self._made[key]

    def type(self, schema: Schema, requirement: str) -> Check:
        """A JSON type, or one of several."""
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        tests = [_TYPES[name][1] for name in names]
        wanted = self.said(schema)
        first = tests[0]

        def check_one(value: Value, path: Path, report: Report) -> None:
            if not first(value):
                report.add(requirement, path, wanted, value)

        def check(value: Value, path: Path, report: Report) -> None:
            if not any(test(value) for test in tests):
                report.add(requirement, path, wanted, value)

        return check_one if len(tests) == 1 else check

    def members(self, schema: Schema, requirement: str) -> Check:
        """Members of an object: those that are known, and which of them have to be there."""
        properties: Schema = schema.get("properties", {})
        checks = [(name, self.compile(inner, requirement)) for name, inner in properties.items()]
        owed = [(name, self.said(properties.get(name, {}))) for name in schema.get("required", ())]

        def check(value: Value, path: Path, report: Report) -> None:
            if not isinstance(value, dict):
                return
            for name, wanted in owed:
                if name not in value:
                    report.add(requirement, (path, name), wanted, ABSENT)
            for name, inner in checks:
                if name in value:
                    inner(value[name], (path, name), report)

        return check

    def others(self, schema: Schema, requirement: str) -> Check:
        """Members of an object that are not named."""
        known = schema.get("properties", {}).keys()
        inner = self.compile(schema["additionalProperties"], requirement)

        def check(value: Value, path: Path, report: Report) -> None:
            if isinstance(value, dict):
                for name, member in value.items():
                    if name not in known:
                        inner(member, (path, name), report)

        return check

    def items(self, schema: Schema, requirement: str) -> Check:
        """Elements of an array."""
        inner = self.compile(schema["items"], requirement)

        def check(value: Value, path: Path, report: Report) -> None:
            if isinstance(value, list):
                for place, element in enumerate(value):
                    inner(element, (path, place), report)

        return check

    def one_value(self, schema: Schema, requirement: str) -> Check:
        """A value, or one of several."""
        allowed = [lift(value) for value in schema.get("enum", [schema.get("const")])]
        if "const" in schema:
            allowed = [value for value in allowed if same(value, lift(schema["const"]))]
        wanted = self.said(schema)

        def check(value: Value, path: Path, report: Report) -> None:
            if not any(same(value, each) for each in allowed):
                report.add(requirement, path, wanted, value)

        return check

    def bound(self, schema: Schema, requirement: str) -> Check:
        """Bounds of a number."""
        least, most = (Number(str(schema[key])).exact if key in schema else None for key in ("minimum", "maximum"))
        wanted = f"{least} or more" if most is None else f"{most} or less" if least is None else f"{least} to {most}"

        def check(value: Value, path: Path, report: Report) -> None:
            if isinstance(value, Number) and not isinstance(exact := value.exact, str):
                low = least is not None and not isinstance(least, str) and exact < least
                high = most is not None and not isinstance(most, str) and exact > most
                if low or high:
                    report.add(requirement, path, f"a number, {wanted}", value)

        return check

    def most_items(self, schema: Schema, requirement: str) -> Check:
        """The most elements that an array may have."""
        most = int(schema["maxItems"])

        def check(value: Value, path: Path, report: Report) -> None:
            if isinstance(value, list) and len(value) > most:
                report.add(requirement, path, f"at most {most} elements", value, f"{len(value)} elements")

        return check

    def every(self, schema: Schema, requirement: str) -> Check:
        """Several schemas at once."""
        checks = [self.compile(inner, requirement) for inner in schema["allOf"]]

        def check(value: Value, path: Path, report: Report) -> None:
            for inner in checks:
                inner(value, path, report)

        return check

    def any_of(self, schema: Schema, requirement: str) -> Check:
        """One of several schemas; where a member tells which one is meant, that one alone says what is wrong."""
        checks = [self.compile(inner, requirement) for inner in schema["anyOf"]]
        told = self._told([self.named(inner) for inner in schema["anyOf"]])
        if told is None:
            return self._any(checks, self.said(schema), requirement)
        name, places = told
        later = [place for place, inner in enumerate(schema["anyOf"]) if "not" in self.named(inner)]
        wanted = " or ".join(dumps(text) for text, place in places.items() if place not in later)
        table = {each: checks[place] for each, place in places.items()}

        def check(value: Value, path: Path, report: Report) -> None:
            if not isinstance(value, dict):
                if not any(holds(inner, value) for inner in checks):
                    report.add(requirement, path, "an object", value)
                return
            tag = value.get(name, ABSENT)
            chosen = table.get(tag) if isinstance(tag, str) else None
            if chosen is None:
                report.add(requirement, (path, name), wanted, tag)
            else:
                chosen(value, path, report)

        return check

    def condition(self, schema: Schema, requirement: str) -> Check:
        """One schema or the other, by a third."""
        test = self.compile(schema["if"], "")
        then = self.compile(schema.get("then", {}), requirement)
        otherwise = self.compile(schema.get("else", {}), requirement)

        def check(value: Value, path: Path, report: Report) -> None:
            (then if holds(test, value) else otherwise)(value, path, report)

        return check

    def never(self, schema: Schema, requirement: str) -> Check:
        """Everything but what a schema says."""
        test = self.compile(schema["not"], "")
        wanted = self.said(schema)

        def check(value: Value, path: Path, report: Report) -> None:
            if holds(test, value):
                report.add(requirement, path, wanted, value)

        return check

    def pattern(self, schema: Schema, requirement: str) -> Check:
        """A regular expression that is found in a text."""
        found = re.compile(schema["pattern"]).search
        wanted = f"text in which {schema['pattern']} is found"

        def check(value: Value, path: Path, report: Report) -> None:
            if isinstance(value, str) and not found(value):
                report.add(requirement, path, wanted, value)

        return check

    def names(self, schema: Schema, requirement: str) -> Check:
        """The names of an object's members, as texts."""
        inner = self.compile(schema["propertyNames"], requirement)

        def check(value: Value, path: Path, report: Report) -> None:
            if isinstance(value, dict):
                for name in value:
                    inner(name, (path, name), report)

        return check

    # -- parts

    def said(self, schema: Schema) -> str:
        """What a schema wants, in words."""
        schema = self.named(schema)
        if "description" in schema:
            return str(schema["description"])
        if "enum" in schema or "const" in schema:
            return " or ".join(describe(lift(value)) for value in schema.get("enum", [schema.get("const")]))
        if "type" in schema:
            names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
            return " or ".join(_TYPES[name][0] for name in names)
        if "$ref" in schema:
            return self.said(self.definitions[_name(schema)])
        return "an object" if "properties" in schema or "required" in schema or "anyOf" in schema else "a value"

    @staticmethod
    def _any(checks: list[Check], wanted: str, requirement: str) -> Check:
        def check(value: Value, path: Path, report: Report) -> None:
            if not any(holds(inner, value) for inner in checks):
                report.add(requirement, path, wanted, value, cut(describe(value)))

        return check

    @staticmethod
    def _told(schemas: list[Schema]) -> tuple[str, dict[str, int]] | None:
        """The member by whose text alternatives are told apart, and which alternative each text means."""
        for name in ("type", "method"):
            found: dict[str, int] = {}
            for place, schema in enumerate(schemas):
                inner = schema.get("properties", {}).get(name, {})
                texts = inner.get("enum", [inner["const"]] if "const" in inner else [])
                if not all(isinstance(text, str) for text in texts):
                    break
                if name not in schema.get("required", ()) or found.keys() & set(texts):
                    break
                found.update(dict.fromkeys(texts, place))
                if not texts:
                    break
            else:
                return name, found
        return None


def holds(check: Check, value: Value) -> bool:
    """Whether a value breaks nothing."""
    report = Report(brief=True)
    check(value, None, report)
    return not report.broken


def _name(schema: Schema) -> str:
    return str(schema["$ref"]).removeprefix("#/$defs/")


def _order(keyword: str) -> int:
    """What a value is comes before what is in it, so that faults are told in the order in which one would look."""
    return ("type", "$ref", "enum", "const").index(keyword) if keyword in {"type", "$ref", "enum", "const"} else 9


_KEYWORDS: Final[dict[str, Callable[[Compiler, Schema, str], Check]]] = {
    "$ref": Compiler.ref,
    "type": Compiler.type,
    "properties": Compiler.members,
    "required": Compiler.members,
    "additionalProperties": Compiler.others,
    "items": Compiler.items,
    "enum": Compiler.one_value,
    "const": Compiler.one_value,
    "minimum": Compiler.bound,
    "maximum": Compiler.bound,
    "maxItems": Compiler.most_items,
    "pattern": Compiler.pattern,
    "propertyNames": Compiler.names,
    "allOf": Compiler.every,
    "anyOf": Compiler.any_of,
    "if": Compiler.condition,
    "not": Compiler.never,
}
"""Every keyword that may be used."""
