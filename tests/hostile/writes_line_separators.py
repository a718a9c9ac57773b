"""Answers tools/list with U+2028, U+2029 and U+0085 as they are in a description; that is no fault."""

from _base import exchanges, put

for exchange in exchanges():
    if exchange.method == "tools/list":
        put(exchange.answer.replace(b"Does nothing", "one\u2028two\u2029three\u0085four".encode()))
    else:
        put(exchange.answer)
