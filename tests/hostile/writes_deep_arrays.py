"""Answers tools/list with 100,000 nested arrays, which is good JSON."""

from _base import exchanges, put

for exchange in exchanges():
    if exchange.method == "tools/list":
        put(
            exchange.answer.replace(b'"result":{', b'"result":{"_meta":{"n":' + b"[" * 100_000 + b"]" * 100_000 + b"},")
        )
    else:
        put(exchange.answer)
