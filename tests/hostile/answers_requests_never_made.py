"""Answers tools/list, and before it two requests that nobody made."""

from _base import exchanges, put

for exchange in exchanges():
    if exchange.method == "tools/list":
        put(
            b'{"jsonrpc":"2.0","id":"never","result":{}}\n{"jsonrpc":"2.0","id":990001,"result":{}}\n' + exchange.answer
        )
    else:
        put(exchange.answer)
