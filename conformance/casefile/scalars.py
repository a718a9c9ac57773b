"""Plain YAML scalars by JSON's rules: numbers, true, false, null, and text that no YAML reader takes for anything else.

This module must never accept a scalar that YAML 1.1 or 1.2 reads as something else than it does.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..values import NUMBER_GRAMMAR, Number


class NotPlainError(ValueError):
    """A plain scalar that other readers would read otherwise; `rule` names the habit behind it."""

    def __init__(self, rule: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.hint = hint


_WORDS: Final[dict[str, bool | None]] = {"null": None, "true": True, "false": False}
_KEY_WORDS: Final = frozenset({"y", "n", "yes", "no", "on", "off"})
_BOOLEAN: Final = re.compile(r"(?i:y|n|yes|no|on|off|true|false)")
_NULL: Final = re.compile(r"~|(?i:null)")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d.*", re.DOTALL)
_BASE_60: Final = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-9_]+)+(?:\.[0-9_]*)?")
_NUMBER: Final = re.compile(
    r"[-+]?(?:0b[01_]+|0o[0-7_]+|0x[0-9a-fA-F_]+"
    r"|\.(?:inf|Inf|INF)|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]*[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?)"
    r"|\.(?:nan|NaN|NAN)|\.[0-9_]+(?:[eE][-+][0-9]+)?"
)
_FIRST: Final = frozenset(("", *"yYnNoOtTfF~.+-=<0123456789"))
"""How everything begins that is not plainly text; the rest needs no second look."""


@lru_cache(10_000)
def read_plain(text: str) -> bool | str | Number | None:
    """Resolve a plain scalar: JSON's number, true, false, null or the text itself."""
    if text[:1] not in _FIRST:
        return text
    if not text:
        raise NotPlainError("empty-value", "there is no value here", "write null, or '' for an empty text")
    if NUMBER_GRAMMAR.fullmatch(text):
        return Number(text)
    if text in _WORDS:
        return _WORDS[text]
    if len(text) <= 5 and _BOOLEAN.fullmatch(text):
        raise _quote("unquoted-boolean", text, "a boolean")
    if _NULL.fullmatch(text):
        raise _quote("unquoted-null", text, "null")
    if _DATE.fullmatch(text):
        raise _quote("unquoted-date", text, "a date")
    if _BASE_60.fullmatch(text):
        raise _quote("unquoted-number", text, "a number to the base of 60")
    if _NUMBER.fullmatch(text):
        raise _quote("unquoted-number", text, "a number, but not by JSON's grammar")
    if text in {"=", "<<"}:
        raise _quote("unquoted-indicator", text, "an indicator")
    return text


def read_key(text: str) -> bool | str | Number | None:
    """Resolve a plain scalar that is a key: keys are texts, so that `no:` and `y:` are no booleans here."""
    return text if text.lower() in _KEY_WORDS else read_plain(text)


def _quote(rule: str, text: str, reading: str) -> NotPlainError:
    return NotPlainError(rule, f"{text} without quotes is {reading} to some YAML readers", f"quote it: '{text}'")
