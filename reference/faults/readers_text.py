"""Readers of strings, sets and string values that are wrong, and ways to miss the key that was meant."""

from __future__ import annotations

import json
import re
import struct
import unicodedata
from typing import TYPE_CHECKING, Any

from ..messages import to_json
from .model import Book
from .readers_bool_int import NOTHING, Right, Wrong, instead, number

if TYPE_CHECKING:
    pass

BOOK = Book(also="STORY- PROBE-2", why="the story's tools and a probe read by this reader")


def _strings(then: Any) -> Wrong:
    """Wrong for strings only: `then` gets the text as it is read rightly, and says another."""
    return lambda value, right: then(right(value)) if isinstance(value, str) else right(value)


def _numbers(then: Any) -> Wrong:
    """Wrong for numbers only: `then` gets the number."""
    return lambda value, right: then(value) if number(value) else right(value)


def _bools(words: tuple[str, str]) -> Wrong:
    """Other texts for false and true."""
    return lambda value, right: words[value] if isinstance(value, bool) else right(value)


def _lists(then: Any) -> Wrong:
    return lambda value, right: then(value, right) if isinstance(value, list) else right(value)


def _decoded(text: str) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, str) else to_json(value)


def _scalar_only_text(value: Any, right: Right) -> Any:
    return right(value) if isinstance(value, str) or value is NOTHING else ""


_STRING: list[tuple[str, str, str, Wrong]] = [
    (
        "string-drops-scalars",
        "ARG-STR-4 ARG-STR-5",
        "reads a number or bool as nothing, as before F-0051",
        _scalar_only_text,
    ),
    ("string-drops-bools", "ARG-STR-5", "reads a bool as nothing", _bools(("", ""))),
    ("string-drops-zero", "ARG-STR-4", "reads zero as nothing", _numbers(lambda n: "" if n == 0 else str(n))),
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
        _strings(lambda t: t.strip("\"'")),
    ),
    ("string-null-word", "ARG-STR-6", "reads null as a word", lambda v, right: "null" if v is None else right(v)),
    ("string-python-words", "ARG-STR-5", "reads true as True", _bools(("False", "True"))),
    ("string-bool-digits", "ARG-STR-5", "reads true as 1 and false as 0", _bools(("0", "1"))),
    ("string-six-digits", "ARG-STR-4 ARG-STR-7", "keeps six digits of a number", _numbers(lambda n: f"{float(n):g}")),
    (
        "string-two-decimals",
        "ARG-STR-4 ARG-STR-7",
        "writes a number with two decimals",
        _numbers(lambda n: f"{float(n):.2f}"),
    ),
    ("string-float-text", "ARG-STR-4", "writes every number as a fraction", _numbers(lambda n: repr(float(n)))),
    (
        "string-cuts-fraction",
        "ARG-STR-4 ARG-STR-7",
        "writes a number without its fraction",
        _numbers(lambda n: str(int(n))),
    ),
    (
        "string-number-in-32-bits",
        "ARG-STR-4 ARG-STR-7",
        "keeps the lowest 32 bits of a whole number",
        _numbers(lambda n: str((n + 2**31) % 2**32 - 2**31) if isinstance(n, int) else str(n)),
    ),
    (
        "string-grouped-digits",
        "ARG-STR-4",
        "writes a number with commas between thousands",
        _numbers(lambda n: f"{n:,}"),
    ),
    (
        "string-decimal-comma",
        "ARG-STR-4",
        "writes a number with a decimal comma",
        _numbers(lambda n: str(n).replace(".", ",")),
    ),
    ("string-drops-minus", "ARG-STR-4 ARG-STR-7", "writes a number without its minus", _numbers(lambda n: str(abs(n)))),
    (
        "string-small-is-zero",
        "ARG-STR-7",
        "writes a small number as zero",
        _numbers(lambda n: "0" if abs(n) < 1e-6 else str(n)),
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
        _lists(lambda v, right: ", ".join(map(right, v))),
    ),
    (
        "string-only-element",
        "ARG-STR-6",
        "reads a list of one element as that",
        _lists(lambda v, right: right(v[0]) if len(v) == 1 else ""),
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
        _strings(lambda t: unicodedata.normalize("NFC", t)),
    ),
    (
        "string-one-blank",
        "ARG-STR-3",
        "makes one blank of white space inside",
        _strings(lambda t: re.sub(r"[ \t\r\n]+", " ", t)),
    ),
    (
        "string-line-feeds",
        "ARG-STR-3",
        "makes a line feed of every line break",
        _strings(lambda t: re.sub(r"\r\n?|[\u2028\u2029\u0085]", "\n", t)),
    ),
    ("string-first-line", "ARG-STR-3", "keeps the first line", _strings(lambda t: t.split("\n")[0])),
    ("string-decodes-json", "ARG-STR-3", "reads a string that is JSON as the value of that", _strings(_decoded)),
    (
        "string-unescapes",
        "ARG-STR-3",
        "reads backslashes as escapes once more",
        _strings(lambda t: t.replace("\\n", "\n").replace("\\t", "\t")),
    ),
    (
        "string-escapes-markup",
        "ARG-STR-3",
        "escapes markup",
        _strings(lambda t: t.replace("&", "&amp;").replace("<", "&lt;")),
    ),
    ("string-cut", "ARG-STR-3", "keeps 4096 characters", _strings(lambda t: t[:4096])),
    ("string-lower", "ARG-STR-3", "writes everything in lower case", _strings(str.lower)),
    (
        "string-loses-astral",
        "ARG-STR-3",
        "loses characters beyond sixteen bits",
        _strings(lambda t: "".join("?" if ord(c) > 0xFFFF else c for c in t)),
    ),
    ("string-ascii", "ARG-STR-3", "keeps ASCII only", _strings(lambda t: t.encode("ascii", "replace").decode())),
    (
        "string-odd-blanks-inside",
        "ARG-STR-3",
        "makes a blank of every odd white space, inside as well",
        _strings(lambda t: re.sub("[\u00a0\u3000\u2028\ufeff]", " ", t)),
    ),
    (
        "string-null-words-empty",
        "ARG-STR-3",
        "reads the words null and none as nothing",
        _strings(lambda t: "" if t in {"null", "none"} else t),
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
        _strings(lambda t: t.split("\0")[0]),
    ),
    (
        "string-single-precision",
        "ARG-STR-4 ARG-STR-7",
        "keeps a number in single precision",
        _numbers(lambda n: str(n) if isinstance(n, int) else f"{struct.unpack('f', struct.pack('f', n))[0]:.9g}"),
    ),
]

_SET: list[tuple[str, str, str, Wrong]] = [
    (
        "set-from-scalar",
        "ARG-SET-5",
        "makes a set of one of a bare string",
        lambda v, right: right([v]) if isinstance(v, str) else right(v),
    ),
    (
        "set-from-number",
        "ARG-SET-5",
        "makes a set of one of a bare number or bool",
        lambda v, right: right([v]) if number(v) or isinstance(v, bool) else right(v),
    ),
    (
        "set-splits-commas",
        "ARG-SET-5",
        "splits a string at its commas",
        lambda v, right: right(v.split(",")) if isinstance(v, str) and "," in v else right(v),
    ),
    (
        "set-decodes-json",
        "ARG-SET-5",
        "reads a string that holds a list as that list",
        lambda v, right: right(json.loads(v)) if isinstance(v, str) and v[:1] == "[" else right(v),
    ),
    (
        "set-from-keys",
        "ARG-SET-5",
        "makes a set of an object's keys",
        lambda v, right: right([*v]) if isinstance(v, dict) else right(v),
    ),
    (
        "set-from-values",
        "ARG-SET-5",
        "makes a set of an object's values",
        lambda v, right: right([*v.values()]) if isinstance(v, dict) else right(v),
    ),
    (
        "set-from-letters",
        "ARG-SET-5",
        "makes a set of a string's letters",
        lambda v, right: right([*v]) if isinstance(v, str) else right(v),
    ),
    (
        "set-merges-before-reading",
        "ARG-SET-3",
        "looks for equal elements before they are read, and not after",
        _lists(lambda v, right: [text for each in {to_json(e): e for e in v}.values() for text in right([each])]),
    ),
    (
        "set-keeps-doubles",
        "ARG-SET-3",
        "keeps equal elements",
        _lists(lambda v, right: [text for each in v for text in right([each])]),
    ),
    (
        "set-keeps-empty",
        "ARG-SET-2",
        "keeps the empty string",
        _lists(lambda v, right: right(v) | ({""} if any(isinstance(e, str) and not e.strip() for e in v) else set())),
    ),
    (
        "set-drops-scalars",
        "ARG-SET-1",
        "drops numbers and bools",
        _lists(lambda v, right: right([e for e in v if isinstance(e, str)])),
    ),
    (
        "set-drops-bools",
        "ARG-SET-1",
        "drops bools",
        _lists(lambda v, right: right([e for e in v if not isinstance(e, bool)])),
    ),
    ("set-drops-zero", "ARG-SET-1", "drops zero and false", _lists(lambda v, right: right([e for e in v if e]))),
    (
        "set-untrimmed",
        "ARG-SET-1 ARG-SET-3",
        "does not trim the elements",
        _lists(
            lambda v, right: (
                {e for e in v if isinstance(e, str) and e.strip()} | right([e for e in v if not isinstance(e, str)])
            )
        ),
    ),
    (
        "set-null-word",
        "ARG-SET-4",
        "takes null for a word",
        _lists(lambda v, right: right(["null" if e is None else e for e in v])),
    ),
    (
        "set-flattens",
        "ARG-SET-4",
        "takes up the elements of lists inside",
        _lists(lambda v, right: right([inner for e in v for inner in (e if isinstance(e, list) else [e])])),
    ),
    (
        "set-json-elements",
        "ARG-SET-4",
        "takes a list or an object for its JSON",
        _lists(lambda v, right: right([to_json(e) if isinstance(e, list | dict) else e for e in v])),
    ),
    (
        "set-all-or-nothing",
        "ARG-SET-4",
        "is empty where one element is null, a list or an object",
        _lists(lambda v, right: right([] if any(e is None or isinstance(e, list | dict) for e in v) else v)),
    ),
    (
        "set-stops-early",
        "ARG-SET-4",
        "stops at the first element that is null, a list or an object",
        _lists(
            lambda v, right: right(
                v[: next((i for i, e in enumerate(v) if e is None or isinstance(e, list | dict)), len(v))]
            )
        ),
    ),
    (
        "set-ignores-case",
        "ARG-SET-6",
        "takes strings in other letter case for equal",
        _lists(lambda v, right: {text.lower(): text for text in sorted(right(v))}.values()),
    ),
    (
        "set-lower",
        "ARG-SET-1 ARG-SET-6",
        "writes the elements in lower case",
        _lists(lambda v, right: {text.lower() for text in right(v)}),
    ),
    (
        "set-by-number",
        "ARG-SET-6",
        "takes strings for equal whose numbers are equal",
        _lists(lambda v, right: {t.lstrip("0").removesuffix(".0") or "0" for t in right(v)}),
    ),
    ("set-first-only", "ARG-SET-1 ARG-SET-6", "reads the first element only", _lists(lambda v, right: right(v[:1]))),
    (
        "set-absent-is-blank",
        "ARG-SET-5",
        "holds the empty string where there is no list",
        lambda v, right: right(v) if isinstance(v, list) else {""},
    ),
]

_VALUE: list[tuple[str, str, str, Wrong]] = [
    ("value-trimmed", "ARG-VAL-1", "trims a nested value like an argument", _strings(lambda t: t.strip(" \t\r\n\v\f"))),
    ("value-trims-line-ends", "ARG-VAL-1", "trims line breaks at the end", _strings(lambda t: t.rstrip("\r\n"))),
    ("value-blank-is-empty", "ARG-VAL-1", "reads a blank value as nothing", _strings(lambda t: t if t.strip() else "")),
    (
        "value-trims-odd-blanks",
        "ARG-VAL-1",
        "trims white space that is not ASCII",
        _strings(lambda t: t.strip("\u00a0\u3000\u2028\ufeff")),
    ),
    ("value-drops-scalars", "ARG-VAL-2", "reads a number or bool as nothing", _scalar_only_text),
    ("value-python-words", "ARG-VAL-2", "reads true as True", _bools(("False", "True"))),
    (
        "value-numbers-apart",
        "ARG-VAL-2",
        "writes numbers in another way than the string reader",
        _numbers(lambda n: repr(float(n))),
    ),
    ("value-cuts-fraction", "ARG-VAL-2", "writes a number without its fraction", _numbers(lambda n: str(int(n)))),
    ("value-null-word", "ARG-VAL-3", "reads null as a word", lambda v, right: "null" if v is None else right(v)),
    (
        "value-json-of-list",
        "ARG-VAL-3",
        "reads a list or an object as its JSON",
        lambda v, right: to_json(v) if isinstance(v, list | dict) else right(v),
    ),
    (
        "value-absent-is-null",
        "ARG-VAL-3",
        "says null where the key is absent",
        lambda v, right: None if v is NOTHING else right(v),
    ),
]

for _table, _reader in ((_STRING, "string_arg"), (_SET, "string_set_arg"), (_VALUE, "string_value")):
    for _name, _breaks, _what, _wrong in _table:
        BOOK.add(_name, _breaks, _what, on_server=instead(_reader, _wrong))
