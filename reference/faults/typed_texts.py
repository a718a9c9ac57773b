"""Faults of what the tools of typed.py give back: texts and numbers that change on their way through."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import partial
from typing import Any

from ..messages import read_json
from .model import Book
from .typed_arguments import At, read_fault

BOOK = Book(also="SAFE-", why="what is read otherwise comes back otherwise")


def _gives_back(name: str, breaks: str, what: str, change: Callable[[str], Any]) -> None:
    """A fault that changes a text on its way through."""

    @read_fault(name, "plain", breaks, what, book=BOOK)
    def _change(at: At) -> Any:
        return change(at.value) if at.is_a(str) else at.right()


def _decoded(text: str) -> Any:
    try:
        return read_json(text)
    except ValueError:
        return text


def _no_digits(text: str) -> Any:
    if text.isdigit():
        raise ValueError("must be a string, and is a number")
    return text


_gives_back("echo-digits-are-numbers", "SAFE-FID-1", "takes a text of digits for a number", _decoded)
_gives_back(
    "echo-loses-zeros", "SAFE-FID-1", "loses leading zeros", lambda text: text.lstrip("0") if text.isdigit() else text
)
_gives_back(
    "echo-null-is-nothing", "SAFE-FID-1", "takes the word null for no text", lambda text: text.replace("null", "")
)
_gives_back("echo-composed", "SAFE-FID-1", "composes what was sent decomposed", partial(unicodedata.normalize, "NFC"))
_gives_back(
    "echo-first-plane",
    "SAFE-FID-1",
    "loses what lies beyond the first plane of Unicode",
    partial(re.sub, "[^\0-\uffff]", "?"),
)
_gives_back("echo-one-blank", "SAFE-FID-1", "makes one blank of several", partial(re.sub, " +", " "))
_gives_back("echo-cut", "SAFE-FID-1", "cuts a long text", lambda text: text[:4096])
_gives_back("echo-no-digits", "SAFE-FID-4", "refuses a text that looks like a number", _no_digits)


@read_fault("echo-number-as-double", "integer", "SAFE-FID-3", "holds whole numbers as doubles", book=BOOK)
def _as_double(at: At) -> Any:
    return int(float(at.right()))


@read_fault("echo-number-of-32-bits", "integer", "SAFE-FID-2", "keeps 32 bits of a whole number", book=BOOK)
def _of_32_bits(at: At) -> Any:
    return at.right() % 2**32
