"""Processes that were started before they are needed, so that a target starts while another process of it is in use.

This module must never send anything to a process, and must never hold more of them than are still needed.
"""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from .target import StartError, Target

STARTING: Final = 2
"""So many start at once. A start costs processor time, and a machine that runs tests has two cores or more."""

WAITING: Final = 3
"""So many wait at most, each with the memory that the target takes; more than start at once only when those are up."""


class Ahead:
    """Where the next process comes from: one that waits already, or a new one."""

    def __init__(self, launch: Callable[[], Target]) -> None:
        self._launch = launch
        self._waiting: deque[Target] = deque()
        self._begun: deque[float] = deque(maxlen=STARTING)
        self._usual: float | None = None
        self._needed = 0

    @property
    def holds_any(self) -> bool:
        """Whether a process waits."""
        return bool(self._waiting)

    @property
    def foresees_any(self) -> bool:
        """Whether a start is foreseen that has not been asked for."""
        return self._needed > 0

    def foresee(self, starts: int) -> None:
        """Say how many processes will still be needed."""
        self._needed = starts
        self.tend()

    def take(self) -> Target:
        """A process that nothing was sent to yet; raises StartError."""
        self._needed -= 1
        while self._waiting:
            target = self._waiting.popleft()
            if target.alive:
                break
            target.kill()
        else:
            target = self._start()
        self.tend()
        return target

    def answered(self) -> None:
        """The first process has answered: by now, if not before, it had started. So long others are given as well."""
        if self._usual is None and self._begun:
            self._usual = time.monotonic() - self._begun[0]

    def expect_another(self) -> None:
        """One more process is needed than was foreseen."""
        self._needed += 1

    def drop(self) -> None:
        """End what waits; nothing is started ahead until more is foreseen."""
        self._needed = 0
        while self._waiting:
            self._waiting.pop().kill()

    def tend(self, more: int = 0) -> None:
        """Start what will be needed, and so many more, if it is time to."""
        with contextlib.suppress(StartError):
            while len(self._waiting) < min(STARTING if self._is_busy() else WAITING, self._needed + more):
                self._waiting.append(self._start())

    def _start(self) -> Target:
        self._begun.append(time.monotonic())
        return self._launch()

    def _is_busy(self) -> bool:
        """Whether as many as may start at once were begun so lately that they must be starting still."""
        usual = self._usual if self._usual is not None else 0.0
        return len(self._begun) == STARTING and time.monotonic() - self._begun[0] < usual
