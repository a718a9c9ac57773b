"""Answers tools/list with NaN and the infinities, which JSON does not have."""

from _base import exchanges, put

for exchange in exchanges():
    if exchange.method == "tools/list":
        put(exchange.answer.replace(b'"result":{', b'"result":{"_meta":{"a":NaN,"b":Infinity,"c":-Infinity},'))
    else:
        put(exchange.answer)
