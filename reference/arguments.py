"""Readers of tool arguments whose sender is a language model (seed page McpArguments).

A reader never raises, never guesses, and never does I/O: what it cannot read has no value. It is total over every JSON
value, where numbers are `int` and, with a fraction or an exponent, `Decimal`; a `float` is read by its shortest text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

Arguments: TypeAlias = Mapping[str, Any]

WHITE = " \t\n\r\v\f"
"""What is trimmed: the white space of ASCII. Beyond it nothing is said, so the content is kept."""

_TRUTHS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}
_WHOLE = re.compile(r"[+-]?[0-9]{1,400}")
_DIGITS = 400
"""A whole number with more digits than this has no value; nobody counts that far."""


def contains(args: Arguments, key: str) -> bool:
    """Whether `args` has `key` at all, so that a caller tells "absent" from "unreadable" (ARG-KEY, ARG-BOOL)."""
    return key in args


def bool_arg(args: Arguments, key: str) -> bool | None:
    """The boolean at `key`: a JSON boolean, a number as "not zero", or a usual word for one; else None (ARG-BOOL)."""
    value = args.get(key)
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _TRUTHS.get(value.strip(WHITE).lower())
    number = _number(value)
    return None if number is None else number != 0


def int_arg(args: Arguments, key: str) -> int | None:
    """The whole number at `key`, also when it is spelt as a string; else None, never a rounded number (ARG-INT)."""
    value = args.get(key)
    if isinstance(value, str):
        text = value.strip(WHITE)
        return int(text) if _WHOLE.fullmatch(text) else None
    number = _number(value)
    return None if number is None else _whole(number)


def string_arg(args: Arguments, key: str) -> str:
    """The trimmed string at `key`, a number or boolean as its text; "" for anything else (ARG-STR)."""
    return _text(args.get(key)).strip(WHITE)


def string_set_arg(args: Arguments, key: str) -> frozenset[str]:
    """The different strings of the array at `key`, each as `string_arg` reads one, without empty ones (ARG-SET)."""
    value = args.get(key)
    if not isinstance(value, list):
        return frozenset()
    return frozenset(_text(element).strip(WHITE) for element in value) - {""}


def string_value(args: Arguments, key: str) -> str:
    """The string at `key` of a nested object, read like `string_arg` but untrimmed: blanks may be content (ARG-VAL)."""
    return _text(args.get(key))


class Readers:
    """The readers that a server's tools and probes use: the one place in which a reader is replaced for all of them."""

    def __init__(self) -> None:
        self.contains: Callable[[Arguments, str], bool] = contains
        self.bool_arg: Callable[[Arguments, str], bool | None] = bool_arg
        self.int_arg: Callable[[Arguments, str], int | None] = int_arg
        self.string_arg: Callable[[Arguments, str], str] = string_arg
        self.string_set_arg: Callable[[Arguments, str], frozenset[str]] = string_set_arg
        self.string_value: Callable[[Arguments, str], str] = string_value


def _number(value: object) -> int | Decimal | None:
    """`value` if it is a finite number; booleans, which Python counts as integers, are none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        value = Decimal(repr(value))
    return value if isinstance(value, Decimal) and value.is_finite() else None


def _whole(number: int | Decimal) -> int | None:
    if isinstance(number, int):
        return number
    # The size is looked at first: a short spelling such as 1e999999999 is a number that would fill the memory.
    if number.adjusted() >= _DIGITS or number != number.to_integral_value():
        return None
    return int(number)


def _text(value: object) -> str:
    """A scalar as text; a number so that it reads back as the same one, common whole ones without a point."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    number = _number(value)
    if number is None:
        return ""
    if isinstance(number, Decimal) and number.adjusted() < 15:
        whole = _whole(number)
        number = number if whole is None else whole
    return str(number).lower()
