"""Answers a call without a line feed behind it, and then says nothing until the next request."""

from _base import exchanges, put

for exchange in exchanges():
    put(exchange.answer[:-1] if exchange.method == "tools/call" else exchange.answer)
