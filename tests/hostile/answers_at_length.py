"""Answers every ping with 200 kB, one after the other, and never reads ahead; that is no fault."""

from _base import exchanges, line, put

for exchange in exchanges():
    if exchange.method == "ping" and exchange.answer:
        put(line({"jsonrpc": "2.0", "id": exchange.id, "result": {"_meta": {"text": "x" * 200_000}}}))
    else:
        put(exchange.answer)
