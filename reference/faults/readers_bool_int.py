"""Readers of booleans and whole numbers that are wrong: the historical ones, and those that people write instead.

Each takes the value (NOTHING where the key is absent) and the right reading of any value.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias

from .model import Book, OnServer

if TYPE_CHECKING:
    from ..arguments import Arguments
    from ..build import Reference

NOTHING = object()
Right: TypeAlias = Callable[[Any], Any]
Wrong: TypeAlias = Callable[[Any, Right], Any]

BOOK = Book(also="STORY- PROBE-2", why="the story's tools and a probe read by this reader")


def instead(reader: str, wrong: Wrong) -> OnServer:
    """Puts `wrong` in the place of a reader of the reference."""

    def change(server: Reference) -> None:
        right = getattr(server.readers, reader)

        def read(args: Arguments, key: str) -> Any:
            return wrong(args.get(key, NOTHING), lambda v: right({} if v is NOTHING else {"v": v}, "v"))

        setattr(server.readers, reader, read)

    return change


def number(value: object) -> bool:
    """Whether a value is a JSON number."""
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def _first(value: Any, right: Right) -> Any:
    return right(value[0]) if isinstance(value, list) and value else right(value)


def _strings(then: Callable[[str, Right], Any]) -> Wrong:
    """Wrong for strings only."""
    return lambda value, right: then(value, right) if isinstance(value, str) else right(value)


def _numbers(then: Callable[[Any, Right], Any]) -> Wrong:
    """Wrong for numbers only."""
    return lambda value, right: then(value, right) if number(value) else right(value)


def _prefix(text: str, right: Right) -> Any:
    found = re.match(r"\s*([+-]?\d+)", text)
    return int(found[1]) if found else right(text)


def _as_float(text: str, right: Right) -> Any:
    try:
        return int(float(text))
    except (ValueError, OverflowError):
        return right(text)


def _odd_blank(text: str, right: Right) -> Any:
    inner = right(text.strip(_ODD_BLANKS))
    return right(text) if right(text) is not None or inner is None else not inner


def _wrapped(value: int, bits: int) -> int:
    half = 1 << (bits - 1)
    return (value + half) % (1 << bits) - half


_ODD_BLANKS = "\u00a0\u3000\u2028\u0085\ufeff\u001f"
_LETTERS = {"t": True, "y": True, "1": True, "f": False, "n": False, "0": False}
_WORDS = {"true": True, "false": False}

_BOOL: list[tuple[str, str, str, Wrong]] = [
    (
        "bool-default-false",
        "ARG-BOOL-1 ARG-BOOL-3 ARG-BOOL-4 ARG-BOOL-5 ARG-BOOL-6 ARG-BOOL-7 ARG-BOOL-8 ARG-BOOL-9",
        "knows JSON's booleans only and falls back on false, as before F-0057",
        lambda v, _: v if isinstance(v, bool) else False,
    ),
    (
        "bool-truthy-strings",
        "ARG-BOOL-4 ARG-BOOL-5 ARG-BOOL-6 ARG-BOOL-7 ARG-BOOL-9",
        "reads every string that is not empty as true",
        _strings(lambda t, _: t != ""),
    ),
    (
        "bool-truthy-anything",
        "ARG-BOOL-4 ARG-BOOL-7 ARG-BOOL-8 ARG-BOOL-9",
        "asks the language whether the value is truthy",
        lambda v, right: right(v) if v is NOTHING else bool(v),
    ),
    (
        "bool-says-one",
        "ARG-BOOL-2 ARG-BOOL-3 ARG-BOOL-4 ARG-BOOL-5 ARG-BOOL-6",
        "says 1 for true and 0 for false",
        lambda v, right: right(v) if right(v) is None else int(right(v)),
    ),
    (
        "bool-json-only",
        "ARG-BOOL-3 ARG-BOOL-4 ARG-BOOL-5 ARG-BOOL-6",
        "finds no value in numbers and strings",
        lambda v, _: v if isinstance(v, bool) else None,
    ),
    (
        "bool-no-numbers",
        "ARG-BOOL-3",
        "finds no value in numbers",
        _numbers(lambda _n, _r: None),
    ),
    (
        "bool-exact-case",
        "ARG-BOOL-5",
        "knows the words in lower case only",
        _strings(lambda t, right: right(t) if t == t.lower() else None),
    ),
    (
        "bool-capitals-only",
        "ARG-BOOL-5",
        "knows a word in lower case or with a capital, and in no other case",
        _strings(lambda t, right: right(t) if t in {t.lower(), t.capitalize()} else None),
    ),
    (
        "bool-untrimmed",
        "ARG-BOOL-6",
        "does not trim before it looks a word up",
        _strings(lambda t, right: right(t) if t == t.strip() else None),
    ),
    (
        "bool-trims-blanks-only",
        "ARG-BOOL-6",
        "trims blanks, and no tab or line break",
        _strings(lambda t, right: right(t) if t.strip(" ") == t.strip() else None),
    ),
    (
        "bool-two-words",
        "ARG-BOOL-4",
        "knows the words true and false, and no others",
        _strings(lambda t, _: _WORDS.get(t.strip().lower())),
    ),
    (
        "bool-no-digits",
        "ARG-BOOL-4",
        "does not know the strings 1 and 0",
        _strings(lambda t, right: None if t.strip().isdigit() else right(t)),
    ),
    (
        "bool-off-is-unknown",
        "ARG-BOOL-4",
        "knows on and does not know off",
        _strings(lambda t, right: None if t.strip().lower() == "off" else right(t)),
    ),
    (
        "bool-unknown-is-false",
        "ARG-BOOL-7",
        "reads every string that it does not know as false",
        _strings(lambda t, right: bool(right(t))),
    ),
    (
        "bool-unknown-is-true",
        "ARG-BOOL-7",
        "reads every string that it does not know as true",
        _strings(lambda t, right: right(t) is not False),
    ),
    (
        "bool-not-false-is-true",
        "ARG-BOOL-4 ARG-BOOL-7 ARG-BOOL-9",
        "reads every string but false as true",
        _strings(lambda t, _: t.strip().lower() != "false"),
    ),
    (
        "bool-empty-is-false",
        "ARG-BOOL-7",
        "reads the empty string as false",
        _strings(lambda t, right: False if t == "" else right(t)),
    ),
    (
        "bool-blank-is-false",
        "ARG-BOOL-7",
        "reads a blank string as false",
        _strings(lambda t, right: False if t and not t.strip() else right(t)),
    ),
    (
        "bool-first-letter",
        "ARG-BOOL-7",
        "looks at the first letter only",
        _strings(lambda t, right: _LETTERS.get(t.strip().lower()[:1], right(t))),
    ),
    (
        "bool-letters",
        "ARG-BOOL-7",
        "takes t, f, y and n as well",
        _strings(lambda t, right: _LETTERS[t.lower()] if t.lower() in _LETTERS else right(t)),
    ),
    (
        "bool-contains-word",
        "ARG-BOOL-7",
        "reads a string with false in it as false, and one with true in it as true",
        _strings(lambda t, right: "true" in t.lower() if re.search("true|false", t.lower()) else right(t)),
    ),
    (
        "bool-number-in-string",
        "ARG-BOOL-7",
        "reads a string with any number in it as whether that is not zero",
        _strings(lambda t, right: float(t) != 0 if re.fullmatch(r"[+-]?\d+(\.\d+)?", t) else right(t)),
    ),
    (
        "bool-undefined-is-false",
        "ARG-BOOL-7",
        "reads the word undefined as false",
        _strings(lambda t, right: False if t == "undefined" else right(t)),
    ),
    (
        "bool-ends-at-zero",
        "ARG-BOOL-7",
        "ends a string at a zero character",
        _strings(lambda t, right: right(t.split("\0")[0])),
    ),
    (
        "bool-trims-single-quotes",
        "ARG-BOOL-7",
        "takes single quotation marks off",
        _strings(lambda t, right: right(t.strip("'"))),
    ),
    (
        "bool-null-word-is-false",
        "ARG-BOOL-7",
        "reads the words null and none as false",
        _strings(lambda t, right: False if t.lower() in {"null", "none"} else right(t)),
    ),
    (
        "bool-one-is-true",
        "ARG-BOOL-3",
        "reads 1 as true and every other number as false",
        _numbers(lambda n, _: n == 1),
    ),
    (
        "bool-zero-and-one",
        "ARG-BOOL-3",
        "reads the numbers 0 and 1, and no others",
        _numbers(lambda n, right: right(n) if n in {0, 1} else None),
    ),
    (
        "bool-whole-part",
        "ARG-BOOL-3",
        "cuts a number to its whole part before it compares it with zero",
        _numbers(lambda n, _: abs(n) >= 1),
    ),
    (
        "bool-low-byte",
        "ARG-BOOL-3",
        "keeps the lowest eight bits of a number",
        _numbers(lambda n, right: int(n) % 256 != 0 if abs(n) < 10**20 and n == int(n) else right(n)),
    ),
    ("bool-positive", "ARG-BOOL-3", "reads a negative number as false", _numbers(lambda n, _: n > 0)),
    (
        "bool-zero-by-spelling",
        "ARG-BOOL-3",
        "takes a zero for one only where it is written 0",
        _numbers(lambda n, _: not isinstance(n, int) or n != 0),
    ),
    (
        "bool-epsilon",
        "ARG-BOOL-3",
        "takes a number near zero for zero",
        _numbers(lambda n, _: abs(n) > Decimal("1e-6")),
    ),
    (
        "bool-false-is-absent",
        "ARG-BOOL-2",
        "loses false on the way",
        lambda v, right: right(v) if v else right(v) or None,
    ),
    ("bool-null-is-false", "ARG-BOOL-8", "reads null as false", lambda v, right: False if v is None else right(v)),
    ("bool-first-element", "ARG-BOOL-8", "reads a list by its first element", _first),
    (
        "bool-list-is-true",
        "ARG-BOOL-8",
        "reads a list or an object as whether there is something in it",
        lambda v, right: bool(v) if isinstance(v, list | dict) else right(v),
    ),
    (
        "bool-absent-is-false",
        "ARG-BOOL-1",
        "reads an absent key as false",
        lambda v, right: False if v is NOTHING else right(v),
    ),
    (
        "bool-odd-blank-is-opposite",
        "ARG-BOOL-9",
        "reads a known word among blanks that it does not trim as its opposite",
        _strings(_odd_blank),
    ),
]

_INT: list[tuple[str, str, str, Wrong]] = [
    (
        "int-fraction-is-zero",
        "ARG-INT-3 ARG-INT-7",
        "reads a number with a fraction as zero, as before F-0076",
        _numbers(lambda n, right: 0 if right(n) is None else right(n)),
    ),
    ("int-cuts", "ARG-INT-3 ARG-INT-7", "cuts a fraction off", _numbers(lambda n, _: int(n))),
    ("int-rounds", "ARG-INT-3 ARG-INT-7", "rounds a fraction", _numbers(lambda n, _: round(n))),
    (
        "int-nearly-whole",
        "ARG-INT-3",
        "takes a number that is nearly whole for whole",
        _numbers(lambda n, right: round(n) if abs(n) < 10**15 and abs(n - round(n)) < Decimal("1e-6") else right(n)),
    ),
    ("int-prefix", "ARG-INT-5 ARG-INT-7", "reads the digits that a string begins with", _strings(_prefix)),
    (
        "int-digits-anywhere",
        "ARG-INT-5",
        "reads whatever digits are in a string",
        _strings(
            lambda t, right: int(re.sub(r"[^\d]", "", t)) if right(t) is None and re.search(r"\d", t) else right(t)
        ),
    ),
    (
        "int-word-is-zero",
        "ARG-INT-5 ARG-INT-7",
        "reads a string without digits as zero",
        _strings(lambda t, right: 0 if right(t) is None and not re.search(r"\d", t) else right(t)),
    ),
    (
        "int-empty-is-zero",
        "ARG-INT-5",
        "reads the empty string as zero",
        _strings(lambda t, right: 0 if t == "" else right(t)),
    ),
    (
        "int-blank-is-zero",
        "ARG-INT-5",
        "reads a blank string as zero",
        _strings(lambda t, right: right(t) if t.strip() or not t else 0),
    ),
    ("int-cuts-strings", "ARG-INT-5 ARG-INT-7", "cuts the fraction off a string's number", _strings(_as_float)),
    (
        "int-grouping-commas",
        "ARG-INT-5",
        "drops commas from a string before it reads it",
        _strings(lambda t, right: right(t.replace(",", ""))),
    ),
    (
        "int-bare-hex",
        "ARG-INT-5",
        "reads hexadecimal digits without a mark",
        _strings(lambda t, right: int(t, 16) if right(t) is None and re.fullmatch("[0-9a-f]+", t) else right(t)),
    ),
    (
        "int-true-word-is-one",
        "ARG-INT-5",
        "reads the word true as one",
        _strings(lambda t, right: 1 if t == "true" else right(t)),
    ),
    (
        "int-octal",
        "ARG-INT-7",
        "reads digits behind a zero in base eight",
        _strings(lambda t, right: int(t, 8) if re.fullmatch("0[0-7]+", t) else right(t)),
    ),
    (
        "int-minus-octal",
        "ARG-INT-7",
        "reads digits behind a minus and a zero in base eight",
        _strings(lambda t, right: -int(t[1:], 8) if re.fullmatch("-0[0-7]+", t) else right(t)),
    ),
    (
        "int-no-strings",
        "ARG-INT-4",
        "finds no value in a string",
        _strings(lambda _t, _r: None),
    ),
    (
        "int-no-negative-strings",
        "ARG-INT-4",
        "finds no value in a string with a minus",
        _strings(lambda t, right: right(t) if "-" not in t else None),
    ),
    (
        "int-loses-minus",
        "ARG-INT-2 ARG-INT-4 ARG-INT-7",
        "loses the minus",
        lambda v, right: abs(right(v)) if isinstance(right(v), int) else right(v),
    ),
    (
        "int-bool-is-number",
        "ARG-INT-6",
        "reads true as one and false as zero",
        lambda v, right: int(v) if isinstance(v, bool) else right(v),
    ),
    ("int-null-is-zero", "ARG-INT-6", "reads null as zero", lambda v, right: 0 if v is None else right(v)),
    ("int-first-element", "ARG-INT-6", "reads a list by its first element", _first),
    (
        "int-length",
        "ARG-INT-6",
        "reads a list or an object as its length",
        lambda v, right: len(v) if isinstance(v, list | dict) else right(v),
    ),
    (
        "int-absent-is-zero",
        "ARG-INT-1",
        "reads an absent key as zero",
        lambda v, right: 0 if v is NOTHING else right(v),
    ),
    (
        "int-minus-one-for-none",
        "ARG-INT-1 ARG-INT-3 ARG-INT-5 ARG-INT-6",
        "says -1 for no value",
        lambda v, right: -1 if right(v) is None else right(v),
    ),
    ("int-zero-is-absent", "ARG-INT-2 ARG-INT-4", "takes zero for no value", lambda v, right: right(v) or None),
    (
        "int-plain-digits-only",
        "ARG-INT-2",
        "finds no value in a whole number that is written with a point or an exponent",
        _numbers(lambda n, right: right(n) if isinstance(n, int) else None),
    ),
    (
        "int-sixteen-bits",
        "ARG-INT-2",
        "finds no value beyond sixteen bits",
        _numbers(lambda n, right: right(n) if abs(n) < 2**15 else None),
    ),
    (
        "int-clamps",
        "ARG-INT-7",
        "puts a number beyond 32 bits at the nearest bound",
        lambda v, right: max(-(2**31), min(2**31 - 1, right(v))) if right(v) is not None else None,
    ),
    (
        "int-clamps-64",
        "ARG-INT-7",
        "puts a number beyond 64 bits at the nearest bound",
        lambda v, right: max(-(2**63), min(2**63 - 1, right(v))) if right(v) is not None else None,
    ),
    (
        "int-least-lost",
        "ARG-INT-2 ARG-INT-4",
        "finds no value in the least number of 32 bits",
        lambda v, right: None if right(v) == -(2**31) else right(v),
    ),
    (
        "int-wraps",
        "ARG-INT-7",
        "keeps the lowest 32 bits of a number",
        lambda v, right: _wrapped(right(v), 32) if right(v) is not None else None,
    ),
    (
        "int-wraps-bytes",
        "ARG-INT-2 ARG-INT-7",
        "keeps the lowest eight bits of a number",
        lambda v, right: _wrapped(right(v), 8) if right(v) is not None else None,
    ),
    (
        "int-by-double",
        "ARG-INT-7",
        "reads numbers by way of a double",
        lambda v, right: int(float(right(v))) if right(v) is not None and abs(right(v)) < 10**300 else None,
    ),
    (
        "int-huge-is-zero",
        "ARG-INT-7",
        "reads a number beyond 32 bits as zero",
        lambda v, right: 0 if abs(right(v) or 0) >= 2**31 + 1 else right(v),
    ),
]

for _name, _breaks, _what, _wrong in _BOOL:
    BOOK.add(_name, _breaks, _what, on_server=instead("bool_arg", _wrong))
for _name, _breaks, _what, _wrong in _INT:
    BOOK.add(_name, _breaks, _what, on_server=instead("int_arg", _wrong))
