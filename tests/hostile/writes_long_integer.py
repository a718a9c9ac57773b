"""Answers tools/list with an integer of 5000 digits, which is good JSON."""

from _base import exchanges, put

for exchange in exchanges():
    if exchange.method == "tools/list":
        put(exchange.answer.replace(b'"result":{', b'"result":{"_meta":{"n":' + b"9" * 5000 + b"},"))
    else:
        put(exchange.answer)
