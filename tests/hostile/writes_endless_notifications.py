"""After the opening, writes valid notifications for ever and reads nothing any more."""

from _base import exchanges, line, put

NOTE = line({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "still here"}})

for exchange in exchanges():
    put(exchange.answer.replace(b'"tools":{}', b'"tools":{},"logging":{}'))
    if exchange.method == "initialize":
        while True:
            put(NOTE * 100)
