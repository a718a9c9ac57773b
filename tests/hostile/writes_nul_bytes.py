"""Answers tools/list with NUL bytes between the tokens."""

from _base import exchanges, put

for exchange in exchanges():
    if exchange.method == "tools/list":
        put(exchange.answer.replace(b",", b",\0\0"))
    else:
        put(exchange.answer)
