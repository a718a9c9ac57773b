"""A right, minimal server, cut open so that a script of this folder can do one thing wrong in a few lines.

Run by a bare Python; nothing here may import the kit. Every script ends by itself within a minute, so that a kit that
is broken leaves nothing for long.
"""

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

NEWEST = "2025-11-25"
REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", NEWEST)
TOOL = {
    "name": "nothing",
    "description": "Does nothing.",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
}

signal.signal(signal.SIGPIPE, signal.SIG_DFL)
signal.alarm(60)


class Exchange(NamedTuple):
    """A line that came, and what a right server writes for it.

    `number` counts requests from 1, `initialize` among them; `answer` is one line with its LF, or b"" where none is
    due.
    """

    number: int
    method: str
    id: Any
    answer: bytes


def put(data: bytes, to: int = 1) -> None:
    """Write all of it, past every buffer."""
    view = memoryview(data)
    while view:
        view = view[os.write(to, view) :]


def line(message: Any) -> bytes:
    """One line of JSON with its LF."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def linger() -> None:
    """Live on without doing anything, until killed or a minute is over."""
    while True:
        signal.pause()


def pause(seconds: float) -> None:
    """Let time pass; being slow is a fault that only time can show."""
    threading.Event().wait(seconds)


def exchanges(source: BinaryIO = sys.stdin.buffer) -> Iterator[Exchange]:
    """Every line that comes, with the right answer to it; the script decides what becomes of the answer."""
    number = 0
    for raw in source:
        if not raw.strip():
            continue
        try:
            message = json.loads(raw)
        except (ValueError, RecursionError):
            yield Exchange(number, "", None, _error(None, -32700, "that is no JSON"))
            continue
        key = message.get("id") if isinstance(message, dict) else None
        if not isinstance(key, (str, int)) or isinstance(key, bool):
            key = None
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            yield Exchange(number, "", key, _error(key, -32600, "that is no JSON-RPC 2.0 message"))
            continue
        method = message.get("method")
        if "id" not in message or "result" in message or "error" in message:
            yield Exchange(number, str(method), None, b"")
            continue
        if key is None or not isinstance(method, str):
            yield Exchange(number, "", key, _error(key, -32600, "that is no request"))
            continue
        number += 1
        params = message.get("params", {})
        yield Exchange(number, method, key, _answer(key, method, params if isinstance(params, dict) else {}))


def serve() -> None:
    """Be right until the input ends."""
    for exchange in exchanges():
        put(exchange.answer)


def _answer(key: Any, method: str, params: dict) -> bytes:
    if method == "initialize":
        asked = params.get("protocolVersion")
        return _result(
            key,
            protocolVersion=asked if asked in REVISIONS else NEWEST,
            capabilities={"tools": {}},
            serverInfo={"name": os.path.basename(sys.argv[0]), "version": "1"},
        )
    if method == "ping":
        return _result(key)
    if method == "tools/list":
        return _result(key, tools=[TOOL])
    if method == "tools/call":
        if params.get("name") != TOOL["name"]:
            return _error(key, -32602, "there is no such tool")
        return _result(key, content=[{"type": "text", "text": "done"}])
    return _error(key, -32601, "there is no such method")


def _result(key: Any, **members: Any) -> bytes:
    return line({"jsonrpc": "2.0", "id": key, "result": members})


def _error(key: Any, code: int, message: str) -> bytes:
    return line({"jsonrpc": "2.0", "id": key, "error": {"code": code, "message": message}})
