"""Answers every request and ends no line."""

from _base import exchanges, put

for exchange in exchanges():
    put(exchange.answer[:-1])
