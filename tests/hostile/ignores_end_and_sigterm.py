"""Answers rightly, but outlives the end of its input and SIGTERM."""

import signal

from _base import linger, serve

signal.signal(signal.SIGTERM, signal.SIG_IGN)
serve()
linger()
