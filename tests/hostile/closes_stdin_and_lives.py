"""Closes its stdin after the opening, and lives on; the kit's writes fail."""

import os

from _base import exchanges, linger, put

for exchange in exchanges():
    if exchange.method == "initialize":
        os.close(0)
        put(exchange.answer)
        linger()
    put(exchange.answer)
