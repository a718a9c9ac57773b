"""The port between the kit and what it judges: bytes in, events out, an end that always comes.

This module must never start, read or signal anything: it says what every kind of target keeps to. `process.py` keeps to
it for a command, `inprocess.py` for a function. Nothing here knows JSON; a line is bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias


class StartError(Exception):
    """The target could not be started; the message says why in plain words, and no process is left."""


@dataclass(slots=True)
class Line:
    """One line that the target wrote, without its LF; a CR before it is kept, and a blank line is b""."""

    data: Final[bytes]


@dataclass(frozen=True, slots=True)
class Partial:
    """The bytes after the last LF when stdout ended; never empty, and always followed by Closed.

    `cut` says that the kit had signalled the target before: then the missing LF is no fault of the target's.
    """

    data: bytes
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Closed:
    """Stdout reached its end; told once, after every line. The target may live on."""


@dataclass(frozen=True, slots=True)
class Exited:
    """The target ended with an exit status, or, where negative, by that signal.

    Every line written before the end was told before. Closed comes first, unless a process that the target left behind
    still holds stdout.
    """

    code: int


@dataclass(frozen=True, slots=True)
class Overflow:
    """A line longer than the limit: the target is killed, what it writes from here on is dropped.

    `size` is how many bytes of the line had come.
    """

    size: int


@dataclass(frozen=True, slots=True)
class Dropped:
    """Only among the late events of `stop()`: the target wrote more than is kept, and `size` bytes were dropped."""

    size: int


@dataclass(frozen=True, slots=True)
class Deadline:
    """Nothing came in the time given."""


Event: TypeAlias = Line | Partial | Closed | Exited | Overflow | Dropped | Deadline


class Target(Protocol):
    """Something that reads lines and writes lines, and may do anything at any byte.

    A target belongs to one thread. After `stop()` or `kill()` nothing of it is left, and every method stays callable.
    """

    @property
    def command(self) -> str:
        """What was started, as one would type it."""

    @property
    def started(self) -> float:
        """When it was started, on the monotonic clock."""

    @property
    def alive(self) -> bool:
        """Whether it still runs, as far as is known without waiting."""

    @property
    def stdin_broken(self) -> bool:
        """Whether it refused bytes that were sent: it closed its stdin, or is dead."""

    @property
    def stderr_tail(self) -> str:
        """The end of what it wrote to stderr: at most 20 lines and 8 KiB, undecodable bytes replaced."""

    @property
    def unfinished(self) -> bytes:
        """What stands behind its last line feed as read so far: the beginning of a line, 64 KiB of it at most."""

    @property
    def how_ended(self) -> str:
        """`still running`, `exited with status 3`, `killed by SIGSEGV` or, by us, `stopped by the kit with SIGTERM`."""

    def send(self, data: bytes) -> None:
        """Take bytes to write to its stdin, as they are; never blocks, and never raises for a dead target."""

    def close_stdin(self) -> None:
        """End its input once all that was sent is written."""

    def receive(self, seconds: float) -> Event:
        """Wait for the next event for at most so long, and write what is pending meanwhile.

        After Exited, every further call answers Exited at once.
        """

    def stop(self, *, patient: bool = True) -> list[Event]:
        """End it politely, then firmly, in bounded time; answer what it still said, in order, with Exited last.

        One that is known not to end with its input is not given long for it: not `patient`. A second call answers
        nothing.
        """

    def kill(self) -> None:
        """End it and all that it started at once; what it still says is dropped."""
