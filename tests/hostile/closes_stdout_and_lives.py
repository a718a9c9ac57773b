"""Closes its stdout after the opening, and reads on."""

import os

from _base import exchanges, put

closed = False
for exchange in exchanges():
    if not closed:
        put(exchange.answer)
    if exchange.method == "initialize":
        os.close(1)
        closed = True
