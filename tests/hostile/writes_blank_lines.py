"""Writes half a million blank lines before it answers tools/list."""

from _base import exchanges, put

for exchange in exchanges():
    if exchange.method == "tools/list":
        put(b"\n" * 500_000 + exchange.answer)
    else:
        put(exchange.answer)
