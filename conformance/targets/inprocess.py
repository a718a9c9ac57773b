"""A function as a target: the same port without a process, for servers written in Python and for the kit's own tests.

This module must never wait, start anything or look at a clock but once: what a function answers is there when `send`
returns, so an empty queue is a deadline at once.
"""

from __future__ import annotations

import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable
from typing import TypeAlias

from .target import Closed, Deadline, Event, Exited, Line

Answer: TypeAlias = str | Iterable[str] | None


class InProcess:
    """A target that is a function from a line to its answer: None, one line, or several, all without their LF.

    `handle` gets each line decoded as UTF-8, a byte that is none as the lone surrogate U+DC80 to U+DCFF
    (surrogateescape), which an answer turns back into that byte. Iterables are read to their end at once, so they must
    have one. `at_end` says what is still written when the input ends. An exception out of either is a crash: Exited(1),
    with the traceback as stderr; SystemExit is an exit with its status. No line is too long here.
    """

    def __init__(
        self,
        handle: Callable[[str], Answer],
        *,
        at_end: Callable[[], Iterable[str]] | None = None,
        command: str = "in process",
    ) -> None:
        self.command = command
        self.started = time.monotonic()
        self.stdin_broken = False
        self._handle = handle
        self._at_end = at_end
        self._rest = b""
        self._events: deque[Event] = deque()
        self._code: int | None = None
        self._stopped = False
        self._error = ""

    @property
    def alive(self) -> bool:
        """Whether it takes further lines."""
        return self._code is None

    @property
    def stderr_tail(self) -> str:
        """The traceback of what ended it: its last 20 lines, at most 8192 characters."""
        return "\n".join(self._error[-8192:].splitlines()[-20:])

    @property
    def unfinished(self) -> bytes:
        """Nothing: a function answers in whole lines."""
        return b""

    @property
    def how_ended(self) -> str:
        """How it ended, in the words of every target."""
        if self._code is None:
            return "still running"
        return f"exited with status {self._code}" if self._code >= 0 else "stopped by the kit with SIGKILL"

    def send(self, data: bytes) -> None:
        """Hand over every line that is complete now; what follows the last LF waits for the rest of its line."""
        self.stdin_broken |= self._code is not None and bool(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._give(line)

    def close_stdin(self) -> None:
        """Hand over a last line without LF too, take what is written at the end, and exit with status 0."""
        if self._code is None:
            rest, self._rest = self._rest, b""
            if rest:
                self._give(rest)
        if self._code is None:
            self._take(self._at_end or tuple)
            self._end(0)

    def receive(self, seconds: float) -> Event:  # noqa: ARG002 - the port's; nothing can come later
        """The next event that is there, else Deadline at once."""
        if self._events:
            return self._events.popleft()
        return Deadline() if self._code is None else Exited(self._code)

    def stop(self, *, patient: bool = True) -> list[Event]:  # noqa: ARG002 - the port's; it ends at once
        """End the input and answer all that was not received, Exited last; nothing the second time."""
        if self._stopped:
            return []
        self.close_stdin()
        self._stopped = True
        assert self._code is not None
        late = [event for event in self._events if not isinstance(event, Exited)]
        self._events.clear()
        return [*late, Exited(self._code)]

    def kill(self) -> None:
        """Drop what was not received, and hand over nothing more."""
        self._stopped = True
        self._events.clear()
        if self._code is None:
            self._code = -9

    def _give(self, line: bytes) -> None:
        if self._code is None:
            self._take(lambda: self._handle(line.decode("utf-8", "surrogateescape")))

    def _take(self, source: Callable[[], Answer]) -> None:
        """Queue what the function answers; lines that an iterable gave before it failed count as written."""
        try:
            answer = source()
            for text in [answer] if isinstance(answer, str) else answer or ():
                self._events.extend(map(Line, _encode(text).split(b"\n")))
        except SystemExit as leave:
            if leave.code is not None and not isinstance(leave.code, int):
                self._error = f"{leave.code}"
            self._end(leave.code & 0xFF if isinstance(leave.code, int) else int(leave.code is not None))
        except Exception:  # noqa: BLE001 - a stranger's code may raise anything, and that is what the kit tells of
            self._error = traceback.format_exc()
            self._end(1)

    def _end(self, code: int) -> None:
        if self._code is None:
            self._code = code
            self._events.extend((Closed(), Exited(code)))


def _encode(text: str) -> bytes:
    """UTF-8, escaped bytes as themselves; other lone surrogates as the invalid bytes that sloppy writers emit."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
