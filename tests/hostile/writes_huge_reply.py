"""Answers a tools/call with 50 MB of text; that is no fault, only much."""

from _base import exchanges, line, put

for exchange in exchanges():
    if exchange.method == "tools/call":
        text = "x" * 50_000_000
        put(line({"jsonrpc": "2.0", "id": exchange.id, "result": {"content": [{"type": "text", "text": text}]}}))
    else:
        put(exchange.answer)
