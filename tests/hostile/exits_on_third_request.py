"""Exits with status 3, unanswering, on the third request."""

from _base import exchanges, put

for exchange in exchanges():
    if exchange.number == 3:
        raise SystemExit(3)
    put(exchange.answer)
