"""What each argument reader may answer for any JSON value: an expectation, and the requirements that it comes from.

A few lines, written from `spec/documented/arguments.md` and from no implementation; an open point is an expectation
that takes every harmless answer. This module must never look at a target, and never choose where two answers are right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ..values import Absent, Number, Value
from . import spelling


class Said(NamedTuple):
    """What the spec says of one value: an expectation on the reading, and the ids of the lines that say so."""

    reading: Value
    covers: tuple[str, ...]


def said(reader: str, value: Value | Absent) -> Said:
    """What a reader of the probe `tck_read` may answer; ABSENT stands for a key that is not there."""
    return _ORACLES[reader](value)


def _bool(value: Value | Absent) -> Said:
    if isinstance(value, Absent):
        return Said(None, ("ARG-BOOL-1", "ARG-KEY-3"))
    if isinstance(value, bool):
        return Said(value, ("ARG-BOOL-2",))
    if isinstance(value, Number):
        return Said(value != Number("0"), ("ARG-BOOL-3",))
    if not isinstance(value, str):
        return Said(None, ("ARG-BOOL-8", "ARG-KEY-3"))
    reading, plain = spelling.truth(value)
    if reading is None:
        return Said(None, ("ARG-BOOL-7", "ARG-KEY-3"))
    if not plain:
        return Said({"$one_of": [reading, None]}, ("ARG-BOOL-10", "ARG-BOOL-11", "ARG-BOOL-9"))
    more = ("ARG-BOOL-5",) if value != value.lower() else ()
    return Said(reading, ("ARG-BOOL-4", *more, *(("ARG-BOOL-6",) if value.strip() != value else ()), "ARG-BOOL-9"))


def _int(value: Value | Absent) -> Said:
    if isinstance(value, Absent):
        return Said(None, ("ARG-INT-1", "ARG-KEY-3"))
    if isinstance(value, Number):
        return _whole(value, "ARG-INT-2") if value.is_integer else Said(None, ("ARG-INT-3", "ARG-INT-7"))
    if not isinstance(value, str):
        return Said(None, ("ARG-INT-6", "ARG-KEY-3"))
    number, plain = spelling.whole(value)
    if number is None:
        return Said(None, ("ARG-INT-5", "ARG-INT-7", "ARG-KEY-3"))
    if plain:
        return _whole(number, "ARG-INT-4")
    return Said({"$one_of": [number, None]}, ("ARG-INT-8", "ARG-INT-9", "ARG-INT-7"))


def _whole(number: Number, covers: str) -> Said:
    exact = number.exact
    if not isinstance(exact, str) and -(2**31) <= exact < 2**31:
        return Said(number, (covers, "ARG-INT-7"))
    return Said({"$one_of": [number, None]}, ("ARG-INT-10", "ARG-INT-7"))


def _string(value: Value | Absent) -> Said:
    if isinstance(value, Absent):
        return Said("", ("ARG-STR-1", "ARG-KEY-3"))
    if isinstance(value, str):
        return Said(_one_of(spelling.trimmings(value)), ("ARG-STR-2", "ARG-STR-3"))
    if isinstance(value, Number):
        return Said(_number(value), ("ARG-STR-4", "ARG-STR-7"))
    if isinstance(value, bool):
        return Said("true" if value else "false", ("ARG-STR-5",))
    return Said("", ("ARG-STR-6", "ARG-KEY-3"))


def _string_value(value: Value | Absent) -> Said:
    if isinstance(value, str):
        return Said(value, ("ARG-VAL-1",))
    if isinstance(value, bool | Number):
        return Said(_string(value).reading, ("ARG-VAL-2",))
    return Said("", ("ARG-VAL-3", "ARG-KEY-3"))


def _string_set(value: Value | Absent) -> Said:
    if not isinstance(value, list):
        return Said([], ("ARG-SET-5", "ARG-KEY-3"))
    # null, lists and objects read as "" here too, so one rule leaves out both.
    readings = [_string(element).reading for element in value]
    texts = list(dict.fromkeys(each for each in readings if isinstance(each, str) and each))
    if any(not isinstance(each, str) for each in readings):
        # How an element is spelt is open, and with it whether two of them are alike.
        choices: list[Value] = [*texts, *(each for each in readings if not isinstance(each, str))]
        return Said({"$each": {"$one_of": choices}}, ("ARG-SET-1", "ARG-SET-7"))
    covers = ["ARG-SET-1"]
    covers += ["ARG-SET-2"] if "" in readings else []
    covers += ["ARG-SET-3"] if len(readings) > len(texts) else []
    covers += ["ARG-SET-4"] if any(each is None or isinstance(each, list | dict) for each in value) else []
    covers += ["ARG-SET-6"] if len(texts) > 1 else []
    return Said({"$unordered": list[Value](texts)} if len(texts) > 1 else list[Value](texts), tuple(covers))


def _number(number: Number) -> Value:
    return spelling.number_text(number) or {"$regex": spelling.number_pattern(number)}


def _one_of(texts: list[str]) -> Value:
    return texts[0] if len(texts) == 1 else {"$one_of": list[Value](texts)}


_ORACLES: Final[dict[str, Callable[[Value | Absent], Said]]] = {
    "bool": _bool,
    "int": _int,
    "string": _string,
    "string_set": _string_set,
    "string_value": _string_value,
}

READERS: Final = tuple(_ORACLES)
"""The readers by the names that the probe has for them."""
