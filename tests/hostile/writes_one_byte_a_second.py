"""Answers rightly, one byte a second."""

from _base import exchanges, pause, put

for exchange in exchanges():
    for byte in exchange.answer:
        put(bytes([byte]))
        pause(1)
