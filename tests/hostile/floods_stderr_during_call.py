"""Writes 10 MiB to stderr, without one LF, before it answers a tools/call."""

from _base import exchanges, put

for exchange in exchanges():
    if exchange.method == "tools/call":
        put(b"x" * 10 * 1024 * 1024, to=2)
        put(b" the end of the flood", to=2)
    put(exchange.answer)
