"""The argument readers against an oracle: for any JSON value, at any key, each answers what the page of readers says.

Examples leave nothing behind, and run on the session that all cases share. This module must never say itself what a
reader may answer; the oracle does.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..values import ABSENT, Absent, Value
from . import oracle
from .property import Example, Property, literal, made_case

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from ..opening import Facts

Raw: TypeAlias = "tuple[str, Value | Absent, dict[str, Value]]"
"""The key, the value there, and the other members of the object."""

_KEYS: Final = ("ARG-KEY-1", "ARG-KEY-2", "ARG-KEY-3")
_COVERS: Final = {
    "bool": ("ARG-BOOL", 11),
    "int": ("ARG-INT", 10),
    "string": ("ARG-STR", 10),
    "string_set": ("ARG-SET", 7),
    "string_value": ("ARG-VAL", 3),
}
_TITLES: Final = {
    "bool": "any value reads as the boolean that it says, or as no value",
    "int": "any value reads as the whole number that it says, or as no value",
    "string": "any value reads as its trimmed text, or as the empty string",
    "string_set": "any value reads as the set of its different texts",
    "string_value": "any value reads as its text, untrimmed, or as the empty string",
}


def _strategy(reader: str) -> SearchStrategy[Raw]:
    from hypothesis import strategies as st

    from . import strategies as json

    near = json.near[reader]
    value = st.one_of(near, near, near, json.other, json.anything, st.just(ABSENT))
    key = st.one_of(st.just("v"), st.just("v"), st.sampled_from(["v", "", "a.b", "a/b", " v "]), json.text(most=4))
    no_others: dict[str, Value] = {}
    members = st.dictionaries(st.sampled_from(["V", "w", "args", "a"]), st.one_of(near, json.anything), max_size=2)
    others = st.one_of(st.just(no_others), members)
    return st.tuples(key, value, others)


def _example(reader: str, raw: Raw, facts: Facts, ground: Mapping[str, Any]) -> Example:  # noqa: ARG001 - one shape
    key, value, others = raw
    args = {name: member for name, member in others.items() if name != key}
    reading, covers = oracle.said(reader, value)
    if not isinstance(value, Absent):
        args = {key: value, **args}
    step: dict[str, Value] = _call(reader, key, literal(args))
    step["expect"] = {"json": {"contains": not isinstance(value, Absent), "value": reading}}
    more = ("ARG-KEY-1",) if key != "v" else ()
    return Example([step], (*covers, *more), _TITLES[reader])


def _call(reader: str, key: str, args: Value) -> dict[str, Value]:
    return {"call": {"tool": "tck_read", "arguments": {"reader": reader, "key": key, "args": args}}}


def _property(reader: str) -> Property:
    family, last = _COVERS[reader]
    return Property(
        case=made_case(
            "readers",
            reader.replace("_", "-"),
            _TITLES[reader],
            (*(f"{family}-{number}" for number in range(1, last + 1)), *_KEYS),
            tools=("tck_read",),
            steps=[_call(reader, "v", {})],
        ),
        strategy=partial(_strategy, reader),
        example=partial(_example, reader),
    )


PROPERTIES: Final = tuple(map(_property, oracle.READERS))
