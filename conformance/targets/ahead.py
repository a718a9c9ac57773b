"""Processes that were started before they are needed, so that a target starts while another process of it is in use.

This module must never send anything to a process, and must never hold more of them than are still needed.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable
from typing import Final

from .target import StartError, Target

AT_ONCE: Final = 2
"""So many wait at most. A start costs processor time, and a machine that runs tests has two cores or more."""


class Ahead:
    """Where the next process comes from: one that waits already, or a new one."""

    def __init__(self, launch: Callable[[], Target]) -> None:
        self._launch = launch
        self._waiting: deque[Target] = deque()
        self._needed = 0

    @property
    def holds_any(self) -> bool:
        """Whether a process waits."""
        return bool(self._waiting)

    def foresee(self, starts: int) -> None:
        """Say how many processes will still be needed."""
        self._needed = starts
        self._fill()

    def take(self) -> Target:
        """A process that nothing was sent to yet; raises StartError."""
        self._needed -= 1
        while self._waiting:
            target = self._waiting.popleft()
            if target.alive:
                break
            target.kill()
        else:
            target = self._launch()
        self._fill()
        return target

    def expect_another(self) -> None:
        """One more process is needed than was foreseen."""
        self._needed += 1

    def drop(self) -> None:
        """End what waits; nothing is started ahead until more is foreseen."""
        self._needed = 0
        while self._waiting:
            self._waiting.pop().kill()

    def _fill(self) -> None:
        with contextlib.suppress(StartError):
            while len(self._waiting) < min(AT_ONCE, self._needed):
                self._waiting.append(self._launch())
