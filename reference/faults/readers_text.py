"""Readers of strings that are wrong, and what readers of sets and string values are made wrong with."""

from __future__ import annotations

import json
import re
import struct
import unicodedata
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from ..messages import to_json
from .model import Book
from .readers_bool_int import NOTHING, Right, Wrong, instead, number

if TYPE_CHECKING:
    pass

BOOK = Book(also="STORY- PROBE-2", why="the story's tools and a probe read by this reader")


def strings(then: Any) -> Wrong:
    """Wrong for strings only: `then` gets the text as it is read rightly, and says another."""
    return lambda value, right: then(right(value)) if isinstance(value, str) else right(value)


def numbers(then: Any) -> Wrong:
    """Wrong for numbers only: `then` gets the number."""
    return lambda value, right: then(value) if number(value) else right(value)


def bools(words: tuple[str, str]) -> Wrong:
    """Other texts for false and true."""
    return lambda value, right: words[value] if isinstance(value, bool) else right(value)


def lists(then: Any) -> Wrong:
    """Wrong for lists only: `then` gets the list, and the right reading."""
    return lambda value, right: then(value, right) if isinstance(value, list) else right(value)


def decoded(text: str) -> str:
    """A text that is JSON as the text of its value."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, str) else to_json(value)


def scalar_only_text(value: Any, right: Right) -> Any:
    """Nothing for all that is no string, as before F-0051."""
    return right(value) if isinstance(value, str) or value is NOTHING else ""


_STRING: list[tuple[str, str, str, Wrong]] = [
    (
        "string-drops-scalars",
        "ARG-STR-4 ARG-STR-5",
        "reads a number or bool as nothing, as before F-0051",
        scalar_only_text,
    ),
    ("string-drops-bools", "ARG-STR-5", "reads a bool as nothing", bools(("", ""))),
    ("string-drops-zero", "ARG-STR-4", "reads zero as nothing", numbers(lambda n: "" if n == 0 else str(n))),
    (
        "string-drops-falsy",
        "ARG-STR-4 ARG-STR-5",
        "reads zero and false as nothing",
        lambda v, right: right(v) if v is NOTHING or v else "",
    ),
    ("string-untrimmed", "ARG-STR-2", "trims nothing", lambda v, right: v if isinstance(v, str) else right(v)),
    (
        "string-trims-blanks-only",
        "ARG-STR-2",
        "trims blanks, and no tab or line break",
        lambda v, right: v.strip(" ") if isinstance(v, str) else right(v),
    ),
    (
        "string-trims-left",
        "ARG-STR-2",
        "trims the left end only",
        lambda v, right: v.lstrip() if isinstance(v, str) else right(v),
    ),
    (
        "string-trims-right",
        "ARG-STR-2",
        "trims the right end only",
        lambda v, right: v.rstrip() if isinstance(v, str) else right(v),
    ),
    (
        "string-trims-quotes",
        "ARG-STR-3",
        "takes quotation marks off as well",
        strings(lambda t: t.strip("\"'")),
    ),
    ("string-null-word", "ARG-STR-6", "reads null as a word", lambda v, right: "null" if v is None else right(v)),
    ("string-python-words", "ARG-STR-5", "reads true as True", bools(("False", "True"))),
    ("string-bool-digits", "ARG-STR-5", "reads true as 1 and false as 0", bools(("0", "1"))),
    ("string-six-digits", "ARG-STR-4 ARG-STR-7", "keeps six digits of a number", numbers(lambda n: f"{float(n):g}")),
    (
        "string-two-decimals",
        "ARG-STR-4 ARG-STR-7",
        "writes a number with two decimals",
        numbers(lambda n: f"{float(n):.2f}"),
    ),
    ("string-float-text", "ARG-STR-4", "writes every number as a fraction", numbers(lambda n: repr(float(n)))),
    (
        "string-cuts-fraction",
        "ARG-STR-4 ARG-STR-7",
        "writes a number without its fraction",
        numbers(lambda n: str(int(n))),
    ),
    (
        "string-number-in-32-bits",
        "ARG-STR-4 ARG-STR-7",
        "keeps the lowest 32 bits of a whole number",
        numbers(lambda n: str((n + 2**31) % 2**32 - 2**31) if isinstance(n, int) else str(n)),
    ),
    (
        "string-grouped-digits",
        "ARG-STR-4",
        "writes a number with commas between thousands",
        numbers(lambda n: f"{n:,}"),
    ),
    (
        "string-decimal-comma",
        "ARG-STR-4",
        "writes a number with a decimal comma",
        numbers(lambda n: str(n).replace(".", ",")),
    ),
    ("string-drops-minus", "ARG-STR-4 ARG-STR-7", "writes a number without its minus", numbers(lambda n: str(abs(n)))),
    (
        "string-small-is-zero",
        "ARG-STR-7",
        "writes a small number as zero",
        numbers(lambda n: "0" if abs(n) < 1e-6 else str(n)),
    ),
    (
        "string-json-of-list",
        "ARG-STR-6",
        "reads a list or an object as its JSON",
        lambda v, right: to_json(v) if isinstance(v, list | dict) else right(v),
    ),
    (
        "string-joins-list",
        "ARG-STR-6",
        "reads a list as its elements with commas",
        lists(lambda v, right: ", ".join(map(right, v))),
    ),
    (
        "string-only-element",
        "ARG-STR-6",
        "reads a list of one element as that",
        lists(lambda v, right: right(v[0]) if len(v) == 1 else ""),
    ),
    (
        "string-object-word",
        "ARG-STR-6",
        "reads an object as a word of its language",
        lambda v, right: "[object Object]" if isinstance(v, dict) else right(v),
    ),
    (
        "string-composes",
        "ARG-STR-3",
        "composes characters that were sent decomposed",
        strings(lambda t: unicodedata.normalize("NFC", t)),
    ),
    (
        "string-one-blank",
        "ARG-STR-3",
        "makes one blank of white space inside",
        strings(lambda t: re.sub(r"[ \t\r\n]+", " ", t)),
    ),
    (
        "string-line-feeds",
        "ARG-STR-3",
        "makes a line feed of every line break",
        strings(lambda t: re.sub(r"\r\n?|[\u2028\u2029\u0085]", "\n", t)),
    ),
    ("string-first-line", "ARG-STR-3", "keeps the first line", strings(lambda t: t.split("\n")[0])),
    ("string-decodes-json", "ARG-STR-3", "reads a string that is JSON as the value of that", strings(decoded)),
    (
        "string-unescapes",
        "ARG-STR-3",
        "reads backslashes as escapes once more",
        strings(lambda t: t.replace("\\n", "\n").replace("\\t", "\t")),
    ),
    (
        "string-escapes-markup",
        "ARG-STR-3",
        "escapes markup",
        strings(lambda t: t.replace("&", "&amp;").replace("<", "&lt;")),
    ),
    ("string-cut", "ARG-STR-3", "keeps 4096 characters", strings(lambda t: t[:4096])),
    ("string-cut-far-out", "ARG-STR-3", "keeps 200,000 characters", strings(lambda t: t[:200_000])),
    ("string-expands-home", "ARG-STR-3", "expands a tilde", strings(lambda t: re.sub("^~", "/home/tck", t))),
    (
        "string-expands-variables",
        "ARG-STR-3",
        "expands variables of the environment",
        strings(lambda t: re.sub(r"\$HOME|\$\{HOME\}|%HOME%", "/home/tck", t)),
    ),
    ("string-percent-decoded", "ARG-STR-3", "decodes percent signs as in a URL", strings(unquote)),
    ("string-plus-decoded", "ARG-STR-3", "reads a plus as a blank", strings(lambda t: t.replace("+", " "))),
    ("string-strips-markup", "ARG-STR-3", "strips markup", strings(lambda t: re.sub("<[^>]*>", "", t))),
    ("string-unescapes-markup", "ARG-STR-3", "reads entities of markup", strings(unescape)),
    (
        "string-strips-controls",
        "ARG-STR-3",
        "strips control characters",
        strings(lambda t: re.sub("[\x01-\x08\x0e-\x1f\x7f]", "", t)),
    ),
    (
        "string-strips-directions",
        "ARG-STR-3",
        "strips marks of direction and of no width",
        strings(lambda t: re.sub("[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]", "", t)),
    ),
    (
        "string-folds-width",
        "ARG-STR-3",
        "writes wide letters as narrow ones",
        strings(lambda t: unicodedata.normalize("NFKC", t)),
    ),
    ("string-fills-placeholders", "ARG-STR-3", "fills placeholders", strings(lambda t: re.sub(r"\{\w*\}", "", t))),
    (
        "string-four-decimals",
        "ARG-STR-4 ARG-STR-7",
        "rounds a number to four decimals",
        numbers(lambda n: str(n) if isinstance(n, int) else str(round(n, 4))),
    ),
    ("string-lower", "ARG-STR-3", "writes everything in lower case", strings(str.lower)),
    (
        "string-loses-astral",
        "ARG-STR-3",
        "loses characters beyond sixteen bits",
        strings(lambda t: "".join("?" if ord(c) > 0xFFFF else c for c in t)),
    ),
    ("string-ascii", "ARG-STR-3", "keeps ASCII only", strings(lambda t: t.encode("ascii", "replace").decode())),
    (
        "string-odd-blanks-inside",
        "ARG-STR-3",
        "makes a blank of every odd white space, inside as well",
        strings(lambda t: re.sub("[\u00a0\u3000\u2028\ufeff]", " ", t)),
    ),
    (
        "string-null-words-empty",
        "ARG-STR-3",
        "reads the words null and none as nothing",
        strings(lambda t: "" if t in {"null", "none"} else t),
    ),
    (
        "string-absent-word",
        "ARG-STR-1 ARG-KEY-1",
        "reads an absent key as a word",
        lambda v, right: "undefined" if v is NOTHING else right(v),
    ),
    (
        "string-absent-null",
        "ARG-STR-1 ARG-KEY-1",
        "reads an absent key as null",
        lambda v, right: None if v is NOTHING else right(v),
    ),
]

_STRING += [
    (
        "string-ends-at-zero",
        "ARG-STR-3",
        "ends a string at a zero character",
        strings(lambda t: t.split("\0")[0]),
    ),
    (
        "string-single-precision",
        "ARG-STR-4 ARG-STR-7",
        "keeps a number in single precision",
        numbers(lambda n: str(n) if isinstance(n, int) else f"{struct.unpack('f', struct.pack('f', n))[0]:.9g}"),
    ),
]

for _name, _breaks, _what, _wrong in _STRING:
    BOOK.add(_name, _breaks, _what, on_server=instead("string_arg", _wrong))
