"""Answers tools/list with halves of surrogate pairs, escaped, in a description."""

from _base import exchanges, put

for exchange in exchanges():
    if exchange.method == "tools/list":
        put(exchange.answer.replace(b"Does nothing", rb"Half \ud83d and \ude00 swapped"))
    else:
        put(exchange.answer)
