"""The loop between streams and a server: lines in, lines out, one at a time.

It never interprets a line. What a filter wants to change, it changes by wrapping `handler` or `write`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def serve(lines_in: Iterable[bytes], write: Callable[[bytes], object], handler: Callable[[str], Iterable[str]]) -> None:
    """Hands each line to `handler` and writes what it gives, a line feed behind each, until `lines_in` ends.

    Bytes that are no UTF-8 reach `handler` as lone surrogates, which no valid line holds.
    """
    for raw in lines_in:
        for answer in handler(raw.decode("utf-8", "surrogateescape").removesuffix("\n")):
            write(answer.encode("utf-8", "surrogateescape") + b"\n")
