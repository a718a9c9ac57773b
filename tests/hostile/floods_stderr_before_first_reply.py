"""Writes 10 MiB to stderr, without one LF, before it answers anything."""

from _base import put, serve

put(b"x" * 10 * 1024 * 1024, to=2)
put(b" the end of the flood", to=2)
serve()
