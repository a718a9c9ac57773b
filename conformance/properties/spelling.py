"""Texts and numbers as the page of argument readers speaks of them: what a text says, plainly or in a longer way.

Written from `spec/documented/arguments.md` alone, for the oracle. Where the page leaves a reading open, the functions
here give every harmless answer. This module must never be shared with a reader, or it would judge itself.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from typing import Final

from ..values import Number

WHITE: Final = " \t\n\v\f\r"
"""What is trimmed for certain."""

_WORDS: Final = dict.fromkeys(("true", "1", "yes", "on"), True) | dict.fromkeys(("false", "0", "no", "off"), False)
_INVISIBLE: Final = "\u180e\u200b\u200c\u200d\u2060\ufeff"
_PLAIN_WHOLE: Final = re.compile(r"0|-?[1-9][0-9]*")
_MINUS: Final = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
_SIGNED_GAP: Final = re.compile(r"([+-])\s+(?=\d)")
_GROUPED: Final = re.compile(r"[+-]?\d{1,3}(?:[,'\s]\d{3})+(?!\d)")
_OTHER_BASE: Final = re.compile(r"[+-]?0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)")
_DECIMAL: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,9})?")
_SIGNIFICANT: Final = 15
"""So many digits survive every double."""


def is_white(character: str) -> bool:
    """Whether some library somewhere trims the character."""
    return character.isspace() or character in _INVISIBLE


def stripped(text: str) -> str:
    """The text without anything at its ends that some library trims."""
    start, end = _inner(text)
    return text[start:end]


def truth(text: str) -> tuple[bool | None, bool]:
    """The boolean that a text says, and whether it says so plainly; None where it says none."""
    plain = text.strip(WHITE)
    if plain.isascii() and plain.lower() in _WORDS:
        return _WORDS[plain.lower()], True
    folded = stripped(unicodedata.normalize("NFKC", stripped(text))).casefold()
    return _WORDS.get(folded), False


def whole(text: str) -> tuple[Number | None, bool]:
    """The whole number that a text spells, and whether plainly, in digits; None where it spells none."""
    if _PLAIN_WHOLE.fullmatch(text):
        return Number(text), True
    spelt = stripped(unicodedata.normalize("NFKC", stripped(text))).translate(_MINUS)
    spelt = "".join(str(unicodedata.decimal(each, each)) for each in spelt)
    spelt = re.sub(r"(?<=\d)_(?=\d)", "", _SIGNED_GAP.sub(r"\1", spelt))
    if grouped := _GROUPED.match(spelt):
        spelt = re.sub(r"[,'\s]", "", grouped[0]) + spelt[grouped.end() :]
    if _OTHER_BASE.fullmatch(spelt):
        return Number(str(int(spelt, 0))), False
    if not _DECIMAL.fullmatch(spelt):
        return None, False
    number = Number(str(Decimal(spelt)))
    return (number if number.is_integer else None), False


def trimmings(text: str) -> list[str]:
    """Every text that a trimming reader may answer: the ASCII white space is gone, other white space may be."""
    plain = text.strip(WHITE)
    start, end = _inner(plain)
    found = {
        plain[first:last]: None
        for first in range(start + 1)
        for last in range(len(plain), max(end, first) - 1, -1)
        if plain[first:last].strip(WHITE) == plain[first:last]
    }
    return list(found)


def number_text(number: Number) -> str:
    """The one text of a number, where there is one: with few digits, and spelt without zeros or exponent to spare."""
    exact = number.exact
    if not isinstance(exact, Decimal) or re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?", number.text) is None:
        return ""
    exactly_held = number.is_integer and abs(exact) <= 2**53 - 1
    if number.text == "-0" or not (exactly_held or len(exact.as_tuple().digits) <= _SIGNIFICANT):
        return ""
    return number.text if exact == 0 or exact.adjusted() >= -4 else ""


def number_pattern(number: Number) -> str:
    """A pattern of all texts that read back as a number; beyond 53 bits also of those of the nearest double."""
    exact = number.exact
    assert isinstance(exact, Decimal)
    values = {exact}
    if number.is_integer and abs(exact) > 2**53 - 1:
        values |= {Decimal(repr(float(exact))), Decimal(float(exact))}
    return f"^({'|'.join(dict.fromkeys(form for value in sorted(values) for form in _forms(value)))})$"


def _forms(value: Decimal) -> list[str]:
    if value == 0:
        return [r"-?0+(\.0+)?([eE][+-]?[0-9]+)?"]
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, digits))
    spelt = text.rstrip("0")
    exponent += len(text) - len(spelt)
    minus = "-" if sign else ""
    power = exponent + len(spelt) - 1
    tail = rf"\.{spelt[1:]}0*" if spelt[1:] else r"(\.0+)?"
    scientific = rf"{minus}{spelt[0]}{tail}[eE]{'-' if power < 0 else '[+]?'}0*{abs(power)}"
    if exponent >= 0:
        return [scientific, rf"{minus}{spelt}{'0' * exponent}(\.0+)?"]
    point = len(spelt) + exponent
    whole_part, fraction = (spelt[:point], spelt[point:]) if point > 0 else ("0", "0" * -point + spelt)
    return [scientific, rf"{minus}{whole_part}\.{fraction}0*"]


def _inner(text: str) -> tuple[int, int]:
    """Where the text begins and ends that nobody trims; both are its length where nothing is left."""
    start = next((place for place, each in enumerate(text) if not is_white(each)), len(text))
    end = next((place for place in range(len(text), start, -1) if not is_white(text[place - 1])), start)
    return start, end
