"""Answers tools/list with the id twice, the right one last."""

from _base import exchanges, put

for exchange in exchanges():
    if exchange.method == "tools/list":
        put(exchange.answer.replace(b'"id":', b'"id":"another","id":', 1))
    else:
        put(exchange.answer)
