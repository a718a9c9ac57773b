"""JSON values as the kit holds them: numbers that keep their spelling, and the one notion of "equal".

A value is None, a bool, a str, a Number, a list of values or a dict from str to value.

This module must never round a number, and never take one JSON type for another: true is not 1, "1" is not 1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation, Overflow
from typing import Final, TypeAlias, Union

NUMBER_GRAMMAR: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


@dataclass(slots=True, eq=False)
class Number:
    """A JSON number by its spelling; two are equal when their exact mathematical values are.

    1, 1.0 and 10e-1 are equal; 9007199254740993 and 9007199254740992 are not.
    """

    text: Final[str]

    @property
    def exact(self) -> Decimal | str:
        """The exact value; the text itself where even a decimal of 10^18 digits of exponent cannot hold it."""
        try:
            return Decimal(self.text)
        except (InvalidOperation, Overflow):
            return self.text

    @property
    def is_integer(self) -> bool:
        """Whether the value has no fraction: 3, 3.0 and 3e0 have none."""
        exact = self.exact
        if isinstance(exact, str):
            return "e-" not in exact.lower()
        _, digits, exponent = exact.as_tuple()
        if not isinstance(exponent, int):
            return False
        if exponent >= 0 or not any(digits):
            return True
        return -exponent < len(digits) and not any(digits[exponent:])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and self.exact == other.exact

    def __hash__(self) -> int:
        return hash(self.exact)

    def __repr__(self) -> str:
        return f"Number({self.text})"


Value: TypeAlias = Union[None, bool, str, Number, "list[Value]", "dict[str, Value]"]


class Absent:
    """The type of ABSENT: no value at all, which is not null."""

    def __repr__(self) -> str:
        return "absent"


ABSENT: Final = Absent()


def kind(value: Value | Absent) -> str:
    """Name the JSON type of a value, in the words that reports use."""
    if isinstance(value, Absent):
        return "nothing"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, Number):
        return "integer" if value.is_integer else "number"
    return "array" if isinstance(value, list) else "object"


def same(left: Value | Absent, right: Value | Absent) -> bool:
    """Whether two values are the same JSON value: by type, numbers by exact value, objects without regard to order."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return type(left) is type(right) and left == right


_escape: Callable[[str], str] = json.encoder.encode_basestring
_escape_ascii: Callable[[str], str] = json.encoder.encode_basestring_ascii
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def dumps(value: Value) -> str:
    """Write a value as one line of JSON, every number as it was spelt, text beyond ASCII as itself."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _escape(value) if value.isascii() or not _SURROGATE.search(value) else _escape_ascii(value)
    if isinstance(value, Number):
        return value.text
    if isinstance(value, list):
        return "[" + ",".join(map(dumps, value)) + "]"
    return "{" + ",".join(f"{dumps(key)}:{dumps(member)}" for key, member in value.items()) + "}"


def lift(plain: object) -> Value:
    """Turn Python's own JSON values (int and float among them) into values."""
    if plain is None or isinstance(plain, bool | str | Number):
        return plain
    if isinstance(plain, int | float):
        return Number(json.dumps(plain))
    if isinstance(plain, list | tuple):
        return [lift(element) for element in plain]
    if isinstance(plain, dict):
        return {str(key): lift(member) for key, member in plain.items()}
    raise TypeError(f"{type(plain).__name__} is no JSON value")


def lower(value: Value) -> object:
    """Turn a value into Python's own JSON values, for libraries that want them: integers as int, the rest as float.

    A number too large for a float becomes infinite, so what comes out is for schema checks, never for the wire.
    """
    if isinstance(value, Number):
        exact = value.exact
        if isinstance(exact, Decimal) and value.is_integer and abs(exact.adjusted()) < 4000:
            return int(exact)
        return float(value.text)
    if isinstance(value, list):
        return [lower(element) for element in value]
    if isinstance(value, dict):
        return {key: lower(member) for key, member in value.items()}
    return value
