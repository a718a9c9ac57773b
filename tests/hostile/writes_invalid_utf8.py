"""Answers tools/list with bytes that are no UTF-8 in a description."""

from _base import exchanges, put

for exchange in exchanges():
    if exchange.method == "tools/list":
        put(exchange.answer.replace(b"Does nothing", b"Caf\xe9 \xff\xfe"))
    else:
        put(exchange.answer)
