"""The mismatches of a record as a baseline keeps them: without what changes from run to run, by rule.

Rules are a table, and what no rule names stays as it is. What was blurred once is not changed by blurring it again,
so that a record of before is held against a new one. This module must never make a verdict.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..outcomes import Record

_WORD: Final = r"[^\s/\\\"'<>|:,;(){}\[\]…]+"
_DAY: Final = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MONTH: Final = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_CLOCK: Final = r"[\d#]{1,2}:[\d#]{1,2}(?::[\d#]{1,2}(?:[.,][\d#]+)?)?"
_DATE: Final = rf"(?:{_MONTH} +[\d#]{{1,2}}|[\d#]{{1,2}} {_MONTH})(?: [\d#]{{1,4}})?"
_ZONE: Final = r"(?: ?(?:Z|UTC|GMT|[+-][\d#]{1,2}:?[\d#]{1,2}))?"

RULES: Final = (
    ("a folder of the kit's", rf"(?:/{_WORD})*/mcp-tck-{_WORD}"),
    ("a temporary folder", rf"(?:/private)?(?:/var/folders/{_WORD}/{_WORD}/{_WORD}|(?:/var)?/tmp)/{_WORD}"),
    ("a time", rf"[\d#]{{1,4}}-[\d#]{{1,2}}-[\d#]{{1,2}}[T ]{_CLOCK}{_ZONE}"),
    ("a date in words", rf"{_DAY},? {_DATE} {_CLOCK}{_ZONE}(?: [\d#]{{1,4}})?"),
    ("a time of day", rf"(?<![\w#]){_CLOCK}(?: ?[AaPp][Mm]\b)?"),
    ("a uuid", r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b"),
    ("an address", r"\b0x[0-9a-fA-F]+\b"),
    ("a digest, or another long number to base 16", r"\b(?=[a-f]*[0-9])[0-9a-f]{12,128}\b"),
)
"""What is different every time, letters and all: a name, and what it looks like. Digits elsewhere follow."""

BLUR: Final = "#"

_RULED: Final = "|".join(f"(?:{look})" for _, look in RULES)
# A number that is itself the value is told before the rules, which would take a long one for a digest.
_VALUE: Final = re.compile(rf"(?P<value>\b(?:integer|number) -?[\d.eE+-]+)|{_RULED}|\d+")
_NUMBER: Final = re.compile(rf"(?P<value>(?!))|{_RULED}|\d+")
_EPOCH: Final = re.compile(r"(?:integer|number) (?:1[4-9]\d{8}|2[01]\d{8})(?:\d{3})?(?:\.\d+)?")


def mismatches(record: Record) -> list[dict[str, str]]:
    """The mismatches of a record, each with its pointer and the words for what was wanted and what came.

    A number that is itself the value that was wanted or came is kept, but for ids and times since 1970: -32603 is
    another mismatch than -32602, and the id 7 is not another one than the id 8.
    """
    return blurred(record["mismatches"])


def blurred(found: Iterable[dict[str, Any]]) -> list[dict[str, str]]:
    """The same of mismatches as they are, or as they were recorded."""
    return [
        {
            key: (_NUMBER if mismatch["pointer"].endswith("/id") else _VALUE).sub(_sharp, text)
            for key, text in mismatch.items()
            if key in {"pointer", "expected", "actual"}
        }
        for mismatch in found
    ]


def _sharp(found: re.Match[str]) -> str:
    value = found["value"]
    if value is None:
        return BLUR
    return f"{value.partition(' ')[0]} {BLUR}" if _EPOCH.fullmatch(value) else value
