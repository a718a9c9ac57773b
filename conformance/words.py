"""Values and expectations in words, types always named: `integer -32601`, `string "x"`, `nothing`.

This module must never judge: it says what is there and what was wanted, whoever is right.
"""

from __future__ import annotations

import difflib
import signal
from typing import TYPE_CHECKING, Final

from .values import Absent, Value, dumps, kind

if TYPE_CHECKING:
    from collections.abc import Iterable

LIMIT: Final = 240
"""Longest text, in code points, that is shown whole."""


def cut(text: str, limit: int = LIMIT) -> str:
    """Shorten a text in its middle, with the size of the whole in bytes; text within the limit stays as it is."""
    if len(text) <= limit:
        return text
    size = len(text.encode("utf-8", "surrogatepass"))
    head = limit * 2 // 3
    return f"{text[:head]}…({size} bytes)…{text[head - limit :]}"


def describe(value: Value | Absent) -> str:
    """Say what a value is: its JSON type, and the value as JSON, cut where it is long."""
    if isinstance(value, Absent):
        return "nothing"
    if value is None:
        return "null"
    if isinstance(value, str) and len(value) > LIMIT:
        # Cut before the quotes are put around it, so that both ends of the text are seen.
        return f'string "{cut(dumps(value)[1:-1])}"'
    return f"{kind(value)} {cut(dumps(value))}"


def count(number: int, noun: str) -> str:
    """Say a number of things: `1 element`, `2 elements`."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def members(keys: Iterable[str]) -> str:
    """Say that an object with these members is wanted."""
    quoted = [dumps(key) for key in keys]
    if not quoted:
        return "an object"
    more = f" and {len(quoted) - 4} more" if len(quoted) > 5 else ""
    shown = quoted[:4] if more else quoted
    return f"an object with member{'s' if len(quoted) > 1 else ''} {', '.join(shown)}{more}"


def alternatives(said: Iterable[str]) -> str:
    """Join several ways to be right."""
    return cut(" or ".join(dict.fromkeys(said)), 2 * LIMIT)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint with the closest known name, or nothing."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean {close[0]}?" if close else ""


def how_it_ended(code: int) -> str:
    """The end of a process in words; a negative code is a signal."""
    if code >= 0:
        return f"exited with status {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"
