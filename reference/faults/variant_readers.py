"""Readers that are right and read what their page leaves open in another way than the reference's."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from .model import Book, OnServer
from .readers_bool_int import Right, Wrong, instead, number

if TYPE_CHECKING:
    from ..arguments import Arguments
    from ..build import Reference

BOOK = Book()
_WORDS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}
_ODD = "\ufeff\u001c\u001d\u001e\u001f\u0085\u00a0\u2028\u2029\u3000"


def _generous_bool(value: Any, right: Right) -> Any:
    if isinstance(value, str):
        return _WORDS.get(value.strip().strip(_ODD).strip().casefold().replace("\uff4e\uff4f", "no"))
    return right(value)


def _generous_int(value: Any, right: Right) -> Any:
    if not isinstance(value, str):
        return right(value)
    text = value.strip().strip(_ODD).replace("\u2212", "-")
    if re.fullmatch(r"[+-]?0[xob][0-9a-f]+", text.lower()):
        return int(text, 0)
    text = re.sub(r"(?<=\d)[_, ](?=\d{3}(\D|$))", "", text)
    if re.fullmatch(r"[+-]?\d+(\.0*)?(e\+?\d{1,2})?", text):
        return int(Decimal(text))
    return right(value)


def _narrow_int(value: Any, right: Right) -> Any:
    """Plain digits in a string only, and nothing beyond 32 bits."""
    if isinstance(value, str) and not re.fullmatch(r"0|-?[1-9][0-9]*", value):
        return None
    found = right(value)
    return found if found is None or -(2**31) <= found < 2**31 else None


def _double_text(value: Any, right: Right) -> Any:
    """A number as a language with doubles only writes it."""
    if not number(value):
        return right(value)
    double = float(value)
    if double == int(double) and abs(double) < 1e21:
        return str(int(double))
    return re.sub(r"e([+-])0*", r"e\1", repr(double))


def _pointed_text(value: Any, right: Right) -> Any:
    """A number with its fraction as it was sent."""
    return str(value) if isinstance(value, Decimal) else right(value)


def _wide_trim(value: Any, right: Right) -> Any:
    return value.strip().strip(_ODD).strip() if isinstance(value, str) else right(value)


def _tiny_is_zero(value: Any, right: Right) -> Any:
    return float(value) != 0 if isinstance(value, Decimal) else right(value)


def _everywhere(read: Wrong) -> OnServer:
    """Puts a reader of scalars in the place of all three that make texts of them."""

    def change(server: Reference) -> None:
        instead("string_arg", read)(server)
        instead("string_value", read)(server)
        text = server.readers.string_arg

        def texts(args: Arguments, key: str) -> frozenset[str]:
            value = args.get(key)
            return (
                frozenset(text({"v": each}, "v") for each in value) - {""} if isinstance(value, list) else frozenset()
            )

        server.readers.string_set_arg = texts

    return change


for _name, _what, _reader, _read in [
    ("bool-generous", "trims every kind of white space and folds every kind of case", "bool_arg", _generous_bool),
    ("bool-by-double", "takes a number that no double holds for zero", "bool_arg", _tiny_is_zero),
    ("int-generous", "reads whole numbers however a string spells them", "int_arg", _generous_int),
    ("int-narrow", "reads 32 bits, and plain digits only in a string", "int_arg", _narrow_int),
    ("string-wide-trim", "trims every kind of white space", "string_arg", _wide_trim),
]:
    BOOK.add(_name, "", _what, on_server=instead(_reader, _read))
for _name, _what, _read in [
    ("string-by-double", "writes numbers as doubles", _double_text),
    ("string-as-sent", "writes a number with the fraction that was sent", _pointed_text),
]:
    BOOK.add(_name, "", _what, on_server=_everywhere(_read))
