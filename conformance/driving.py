"""A process that was opened, and what drives it: scripts ask for actions, and get events.

This module must never judge a message, and never start or end a process.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

from .model import Entry, Mismatch
from .protocol.conversation import Conversation
from .session import Action, Arm, CloseStdin, Send, Wait
from .targets.target import Deadline, Event, Target

T = TypeVar("T")

QUIET: Final = 0.2
"""After so many seconds without a line, what stands behind the last line feed is not just on its way."""


@dataclass(slots=True)
class Session:
    """A process that was opened, its conversation, and the cases that it has seen.

    `ground` is what examples of a property noted that they left behind. `handed_on`: another case was done with it.
    """

    target: Target
    talk: Conversation
    history: list[str] = field(default_factory=list)
    spent: bool = False
    handed_on: bool = False
    began: float = field(default_factory=time.monotonic)
    said_before: str = ""
    ground: Mapping[str, object] = field(default_factory=dict)

    @property
    def usable(self) -> bool:
        """Whether a further case can be played on it."""
        return not self.spent and self.target.alive and not self.talk.ended

    def new_stderr(self) -> str:
        """The end of what the target wrote to standard error since the case began."""
        return self.target.stderr_tail.removeprefix(self.said_before)


class OpeningError(Exception):
    """A process could not be started or opened; carries what is needed to report it."""

    def __init__(self, mismatches: list[Mismatch], transcript: tuple[Entry, ...] = (), stderr: str = "") -> None:
        super().__init__(mismatches[0].actual if mismatches else "")
        self.mismatches = tuple(mismatches)
        self.transcript = transcript
        self.stderr = stderr


def drive(script: Generator[Action, Event | None, T], session: Session, seconds: float) -> T:
    """Do what a script asks for on a session until it ends, in at most about so many seconds."""
    target, talk = session.target, session.talk
    limit = time.monotonic() + seconds
    armed = limit
    event: Event | None = None
    while True:
        talk.now = time.monotonic() - session.began
        try:
            action = script.send(event)
        except StopIteration as end:
            result: T = end.value
            return result
        event = None
        if isinstance(action, Send):
            target.send(action.data)
        elif isinstance(action, Wait):
            left = min(armed, limit) - time.monotonic()
            event = target.receive(left) if left > 0 else Deadline()
            if isinstance(event, Deadline) and left > QUIET:
                talk.nothing_more(target.unfinished)
            talk.refused = target.stdin_broken
            talk.now = time.monotonic() - session.began
        elif isinstance(action, Arm):
            armed = time.monotonic() + action.seconds
        elif isinstance(action, CloseStdin):
            target.close_stdin()
