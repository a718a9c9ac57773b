"""Exits in the middle of the answer to the second request."""

from _base import exchanges, put

for exchange in exchanges():
    if exchange.number == 2:
        put(exchange.answer[: len(exchange.answer) // 2])
        break
    put(exchange.answer)
