"""After the opening, writes one line that never ends."""

from _base import exchanges, put

for exchange in exchanges():
    put(exchange.answer)
    if exchange.method == "initialize":
        while True:
            put(b"x" * 65536)
