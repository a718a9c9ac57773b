"""Writes the replies to all requests that it finds waiting in one go; that is no fault."""

import io
import os

from _base import exchanges, put

while chunk := os.read(0, 65536):
    while not chunk.endswith(b"\n"):
        chunk += os.read(0, 65536)
    put(b"".join(exchange.answer for exchange in exchanges(io.BytesIO(chunk))))
