"""Lines that are no messages, and may be one message together: a pretty-printed one is told as such, and still used.
And the line that was not ended when a wait was over.

This module must never keep a line for long: what becomes too much, or is followed by a message, is no piece.
"""

from __future__ import annotations

from typing import Final

from .. import words
from . import wire

MOST_LINES: Final = 500
MOST_BYTES: Final = 1_000_000


class Pieces:
    """The lines that are held back, and what was wrong with the first of them."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._size = 0
        self._held: tuple[wire.Fault, ...] = ()

    def take(self, data: bytes, reading: wire.Reading) -> wire.Reading:
        """See what a line that is no message comes to: itself, nothing yet, the first one's faults, or a message."""
        if not self._lines:
            if not (data.lstrip().startswith((b"{", b"[")) and data.rstrip()[-1:] in {b"{", b"[", b","}):
                return reading
            self._held = reading.faults
        self._lines.append(data)
        self._size += len(data)
        if len(self._lines) > MOST_LINES or self._size > MOST_BYTES:
            return wire.Reading(faults=self.drop())
        whole = wire.read(b" ".join(self._lines)) if data.rstrip().endswith((b"}", b"]")) else wire.Reading()
        if not whole.messages:
            return wire.Reading()
        spread = f"one message spread over {len(self._lines)} lines"
        fault = wire.Fault("framing", "MCP-STDIO-002", "", "a message on one line", spread)
        self._lines.clear()
        self._size = 0
        return wire.Reading(whole.messages, (*whole.faults, fault))

    def drop(self) -> tuple[wire.Fault, ...]:
        """The lines were no message: the faults of the first, which were held back."""
        held = self._held if self._lines else ()
        self._lines.clear()
        self._size = 0
        return held


class Unended:
    """What stood behind the last line feed when a wait was over."""

    def __init__(self) -> None:
        self._data = b""

    def take(self, data: bytes) -> bool:
        """Note what stands there now; whether it is something, and was not there before."""
        before, self._data = self._data, data
        return bool(data) and data != before

    @property
    def faults(self) -> tuple[wire.Fault, ...]:
        """What is wrong with it: a whole message that is not ended in time; half of one is only slow."""
        if not wire.read(self._data).messages:
            return ()
        got = f"a message of {len(self._data)} bytes without one"
        return (wire.Fault("framing", "MCP-STDIO-002", "", "a line feed after every message", got),)

    @property
    def words(self) -> str:
        """What there is of it, to be said behind "none"; nothing where there is nothing."""
        if not self._data:
            return ""
        start = words.cut(self._data.decode("utf-8", "backslashreplace"))
        return f", but {words.count(len(self._data), 'byte')} without a line feed: {start}"
