"""What a run changes in the Python that it runs in: how a signal ends it, and how often garbage is looked for.

This module must never change what it does not put back at the end of the run.
"""

from __future__ import annotations

import functools
import gc
import signal
import threading
from typing import Final, NoReturn

import pytest

SELDOM: Final = (50_000, 20, 100)
"""The collector's thresholds: a run makes little garbage in cycles, and at the usual ones a twentieth of its time is
spent looking for some. Measured on the reference; see tests/benchmarks."""


def settle_in(config: pytest.Config) -> None:
    """Make the changes; they are undone when pytest is done with the run."""
    usual = gc.get_threshold()
    gc.set_threshold(*SELDOM)
    config.add_cleanup(functools.partial(gc.set_threshold, *usual))
    _end_on_signals(config)


def _end_on_signals(config: pytest.Config) -> None:
    """Let a signal that ends Python unawares, as a CI does when time is over, end the run in order, targets first."""

    def leave(number: int, _frame: object) -> NoReturn:
        pytest.exit(f"ended by {signal.Signals(number).name}", returncode=128 + number)

    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, leave)
            config.add_cleanup(functools.partial(_leave_alone, number))


def _leave_alone(number: int) -> None:
    signal.signal(number, signal.SIG_DFL)
