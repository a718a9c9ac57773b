"""Readers of sets of strings and of string values that are wrong."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any
from urllib.parse import unquote

from ..messages import to_json
from .model import Book
from .readers_bool_int import NOTHING, Right, Wrong, instead, number
from .readers_text import bools, decoded, lists, numbers, scalar_only_text, strings

BOOK = Book(also="STORY- PROBE-2", why="the story's tools and a probe read by this reader")


def _apart(value: Any, right: Right) -> Any:
    """Splits at commas what is a list of three or more texts."""
    several = len(value) > 2 and all(isinstance(each, str) for each in value)
    return right(",".join(value).split(",") if several else value)


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
        lists(lambda v, right: [text for each in {to_json(e): e for e in v}.values() for text in right([each])]),
    ),
    (
        "set-keeps-doubles",
        "ARG-SET-3",
        "keeps equal elements",
        lists(lambda v, right: [text for each in v for text in right([each])]),
    ),
    (
        "set-keeps-empty",
        "ARG-SET-2",
        "keeps the empty string",
        lists(lambda v, right: right(v) | ({""} if any(isinstance(e, str) and not e.strip() for e in v) else set())),
    ),
    (
        "set-drops-scalars",
        "ARG-SET-1",
        "drops numbers and bools",
        lists(lambda v, right: right([e for e in v if isinstance(e, str)])),
    ),
    (
        "set-drops-bools",
        "ARG-SET-1",
        "drops bools",
        lists(lambda v, right: right([e for e in v if not isinstance(e, bool)])),
    ),
    ("set-drops-zero", "ARG-SET-1", "drops zero and false", lists(lambda v, right: right([e for e in v if e]))),
    (
        "set-untrimmed",
        "ARG-SET-1 ARG-SET-3",
        "does not trim the elements",
        lists(
            lambda v, right: (
                {e for e in v if isinstance(e, str) and e.strip()} | right([e for e in v if not isinstance(e, str)])
            )
        ),
    ),
    (
        "set-null-word",
        "ARG-SET-4",
        "takes null for a word",
        lists(lambda v, right: right(["null" if e is None else e for e in v])),
    ),
    (
        "set-flattens",
        "ARG-SET-4",
        "takes up the elements of lists inside",
        lists(lambda v, right: right([inner for e in v for inner in (e if isinstance(e, list) else [e])])),
    ),
    (
        "set-json-elements",
        "ARG-SET-4",
        "takes a list or an object for its JSON",
        lists(lambda v, right: right([to_json(e) if isinstance(e, list | dict) else e for e in v])),
    ),
    (
        "set-all-or-nothing",
        "ARG-SET-4",
        "is empty where one element is null, a list or an object",
        lists(lambda v, right: right([] if any(e is None or isinstance(e, list | dict) for e in v) else v)),
    ),
    (
        "set-stops-early",
        "ARG-SET-4",
        "stops at the first element that is null, a list or an object",
        lists(
            lambda v, right: right(
                v[: next((i for i, e in enumerate(v) if e is None or isinstance(e, list | dict)), len(v))]
            )
        ),
    ),
    (
        "set-ignores-case",
        "ARG-SET-6",
        "takes strings in other letter case for equal",
        lists(lambda v, right: {text.lower(): text for text in sorted(right(v))}.values()),
    ),
    (
        "set-lower",
        "ARG-SET-1 ARG-SET-6",
        "writes the elements in lower case",
        lists(lambda v, right: {text.lower() for text in right(v)}),
    ),
    (
        "set-by-number",
        "ARG-SET-6",
        "takes strings for equal whose numbers are equal",
        lists(lambda v, right: {t.lstrip("0").removesuffix(".0") or "0" for t in right(v)}),
    ),
    (
        "set-composes",
        "ARG-SET-1 ARG-SET-6",
        "takes strings for equal that are composed in another way",
        lists(lambda v, right: {unicodedata.normalize("NFC", text) for text in right(v)}),
    ),
    (
        "set-folds",
        "ARG-SET-6",
        "takes strings for equal that fold to the same letters",
        lists(lambda v, right: {text.casefold(): text for text in sorted(right(v))}.values()),
    ),
    (
        "set-true-is-one",
        "ARG-SET-6",
        "takes true and 1 for one element, as its language does",
        lists(lambda v, right: right([*dict.fromkeys(e for e in v if isinstance(e, str | bool | int))])),
    ),
    ("set-of-sixteen", "ARG-SET-6", "keeps sixteen elements", lists(lambda v, right: right(v[:16]))),
    ("set-of-a-hundred", "ARG-SET-6", "keeps a hundred elements", lists(lambda v, right: right(v[:100]))),
    (
        "set-splits-elements",
        "ARG-SET-1",
        "splits each element at its commas",
        lists(lambda v, right: right([p for e in v for p in (e.split(",") if isinstance(e, str) else [e])])),
    ),
    (
        "set-splits-lines",
        "ARG-SET-1",
        "splits each element at its line breaks",
        lists(lambda v, right: right([p for e in v for p in (e.split("\n") if isinstance(e, str) else [e])])),
    ),
    (
        "set-splits-in-company",
        "ARG-SET-6",
        "splits elements at their commas where there are several",
        lists(
            lambda v, right: right(",".join(v).split(",") if len(v) > 2 and all(isinstance(e, str) for e in v) else v)
        ),
    ),
    ("set-first-only", "ARG-SET-1 ARG-SET-6", "reads the first element only", lists(lambda v, right: right(v[:1]))),
    (
        "set-absent-is-blank",
        "ARG-SET-5",
        "holds the empty string where there is no list",
        lambda v, right: right(v) if isinstance(v, list) else {""},
    ),
]

_VALUE: list[tuple[str, str, str, Wrong]] = [
    ("value-trimmed", "ARG-VAL-1", "trims a nested value like an argument", strings(lambda t: t.strip(" \t\r\n\v\f"))),
    ("value-trims-line-ends", "ARG-VAL-1", "trims line breaks at the end", strings(lambda t: t.rstrip("\r\n"))),
    ("value-blank-is-empty", "ARG-VAL-1", "reads a blank value as nothing", strings(lambda t: t if t.strip() else "")),
    (
        "value-trims-odd-blanks",
        "ARG-VAL-1",
        "trims white space that is not ASCII",
        strings(lambda t: t.strip("\u00a0\u3000\u2028\ufeff")),
    ),
    ("value-cut", "ARG-VAL-1", "keeps 4096 characters", strings(lambda t: t[:4096])),
    ("value-cut-far-out", "ARG-VAL-1", "keeps 200,000 characters", strings(lambda t: t[:200_000])),
    ("value-first-line", "ARG-VAL-1", "keeps the first line", strings(lambda t: re.sub("(?<=.)\r?\n.+", "", t))),
    ("value-decodes-json", "ARG-VAL-1", "reads a string that is JSON as the value of that", strings(decoded)),
    (
        "value-unescapes",
        "ARG-VAL-1",
        "reads backslashes as escapes once more",
        strings(lambda t: t.replace("\\n", "\n").replace("\\t", "\t")),
    ),
    ("value-trims-quotes", "ARG-VAL-1", "takes quotation marks off", strings(lambda t: t.strip("\"'"))),
    ("value-percent-decoded", "ARG-VAL-1", "decodes percent signs as in a URL", strings(unquote)),
    ("value-strips-markup", "ARG-VAL-1", "strips markup", strings(lambda t: re.sub("<[^>]*>", "", t))),
    ("value-expands-home", "ARG-VAL-1", "expands a tilde", strings(lambda t: re.sub("^~", "/home/tck", t))),
    (
        "value-strips-controls",
        "ARG-VAL-1",
        "strips control characters",
        strings(lambda t: re.sub("[\x01-\x08\x0e-\x1f]", "", t)),
    ),
    (
        "value-strips-directions",
        "ARG-VAL-1",
        "strips marks of direction",
        strings(lambda t: re.sub("[\u200e\u200f\u202a-\u202e]", "", t)),
    ),
    ("value-drops-scalars", "ARG-VAL-2", "reads a number or bool as nothing", scalar_only_text),
    ("value-python-words", "ARG-VAL-2", "reads true as True", bools(("False", "True"))),
    (
        "value-numbers-apart",
        "ARG-VAL-2",
        "writes numbers in another way than the string reader",
        numbers(lambda n: repr(float(n))),
    ),
    ("value-cuts-fraction", "ARG-VAL-2", "writes a number without its fraction", numbers(lambda n: str(int(n)))),
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

for _name, _breaks, _what, _wrong in _SET:
    _why = "an element counts for several reasons"
    BOOK.add(_name, _breaks, _what, also="ARG-SET-", why=_why, on_server=instead("string_set_arg", _wrong))
for _name, _breaks, _what, _wrong in _VALUE:
    BOOK.add(_name, _breaks, _what, on_server=instead("string_value", _wrong))
