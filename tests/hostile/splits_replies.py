"""Writes every reply byte by byte; that is no fault."""

from _base import exchanges, put

for exchange in exchanges():
    for byte in exchange.answer:
        put(bytes([byte]))
