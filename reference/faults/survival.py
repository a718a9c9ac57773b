"""Faults of survival: what a line, a method or a tool does to a server that should outlive it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .filters import read
from .model import Book, Handler

EVERYTHING = "MCP- SRV- ARG- AGENT- STORY- PROBE-"
BOOK = Book(also=EVERYTHING, why="what comes behind such a line finds no server")


def _dies(when: Callable[[str], bool]) -> Any:
    def wrap(handler: Handler) -> Handler:
        def lines(line: str) -> Iterable[str]:
            if when(line):
                raise SystemExit(1)
            return handler(line)

        return lines

    return wrap


def _deaf(when: Callable[[str], bool]) -> Any:
    """Reads on, but answers nothing any more."""

    def wrap(handler: Handler) -> Handler:
        deaf = [False]

        def lines(line: str) -> Iterable[str]:
            deaf[0] |= when(line)
            return [] if deaf[0] else handler(line)

        return lines

    return wrap


def _bad(line: str) -> bool:
    return bool(line.strip()) and read(line) is None


def _misses_next(when: Callable[[str], bool]) -> Any:
    """Drops the line behind such a one, as a reader does that skips to what looks like a beginning."""

    def wrap(handler: Handler) -> Handler:
        before = [False]

        def lines(line: str) -> Iterable[str]:
            skip, before[0] = before[0], when(line)
            return [] if skip else handler(line)

        return lines

    return wrap


def _method(name: str) -> Callable[[str], bool]:
    return lambda line: (read(line) or {}).get("method") == name


def _no_request(line: str) -> bool:
    message = read(line)
    return (
        message is not None
        and not isinstance(message.get("method"), str)
        and "result" not in message
        and "error" not in message
    )


def _unknown_tool(line: str) -> bool:
    params = (read(line) or {}).get("params")
    return isinstance(params, dict) and params.get("name") == "tck_no_such_tool"


AFTER = "MCP-BASE-016 SRV-PARSE-4"
for _name, _breaks, _what, _how in [
    ("dies-of-bad-line", AFTER, "ends when a line is no JSON", _dies(_bad)),
    (
        "dies-of-scalar",
        AFTER,
        "ends when a line is JSON and no object",
        _dies(lambda line: line.strip() in {"1", "42", "null", "true", '"ping"'}),
    ),
    ("dies-of-no-request", AFTER, "ends when an object is no request", _dies(_no_request)),
    ("dies-of-nesting", AFTER, "ends when a line is nested deeply", _dies(lambda line: "[" * 500 in line)),
    ("dies-of-zero-byte", "MCP-BASE-016", "ends when a line has a zero byte in it", _dies(lambda line: "\0" in line)),
    (
        "dies-of-array",
        AFTER + " MCP-BASE-024",
        "ends when a line is an array",
        _dies(lambda line: line.lstrip()[:1] == "["),
    ),
    ("dies-of-blank-line", "SRV-PARSE-5 MCP-STDIO-014", "ends at a blank line", _dies(lambda line: not line.strip())),
    (
        "dies-of-byte-order-mark",
        "MCP-BASE-016",
        "ends when a line begins with a byte order mark",
        _dies(lambda line: line[:1] == "\ufeff"),
    ),
    (
        "dies-of-long-line",
        "MCP-STDIO-012",
        "ends when a line is longer than 64 KiB",
        _dies(lambda line: len(line) > 65536),
    ),
    (
        "dies-of-astral",
        "MCP-STDIO-004",
        "ends when a line has a raw character beyond sixteen bits",
        _dies(lambda line: any(c > "\uffff" for c in line)),
    ),
    (
        "dies-of-stray-reply",
        "MCP-BASE-036",
        "ends when it gets a reply that it did not ask for",
        _dies(
            lambda line: (
                "method" not in (read(line) or {"method": ""})
                and ({"result", "error"} & {*(read(line) or {})}) != set()
            )
        ),
    ),
    (
        "dies-of-unknown-method",
        "MCP-BASE-012",
        "ends when it does not know a method",
        _dies(_method("tck/no-such-method")),
    ),
    (
        "dies-of-unknown-notification",
        "MCP-BASE-010",
        "ends when it does not know a notification",
        _dies(_method("notifications/made-up")),
    ),
    ("dies-of-unknown-tool", "SRV-REPLY-7 MCP-TOOL-037", "ends when it does not know a tool", _dies(_unknown_tool)),
    (
        "dies-of-cancel",
        "MCP-CANC-001",
        "ends when a cancel names a request that it does not know",
        _dies(_method("notifications/cancelled")),
    ),
    (
        "dies-of-discover",
        "MCP-LIFE-019",
        "ends when its first line is of another era",
        _dies(_method("server/discover")),
    ),
    (
        "dies-of-odd-id",
        "MCP-BASE-032 SRV-PARSE-20",
        "ends when an id is null or a fraction",
        _dies(lambda line: '"id":null' in line or '"id":1.5' in line),
    ),
    (
        "dies-of-odd-params",
        "MCP-BASE-016 MCP-BASE-039",
        "ends when params are no object",
        _dies(lambda line: '"params":null' in line or '"params":[' in line or '"params":"' in line),
    ),
    ("deaf-after-bad-line", AFTER, "answers nothing any more when a line was no JSON", _deaf(_bad)),
    (
        "deaf-after-array",
        AFTER,
        "answers nothing any more when a line was an array",
        _deaf(lambda line: line.lstrip()[:1] == "["),
    ),
    ("deaf-after-no-request", AFTER, "answers nothing any more when an object was no request", _deaf(_no_request)),
    ("misses-line-after-bad", AFTER, "drops the line behind one that is no JSON", _misses_next(_bad)),
    (
        "misses-line-after-blank",
        "MCP-STDIO-014",
        "drops the line behind a blank one",
        _misses_next(lambda line: not line.strip()),
    ),
]:
    BOOK.add(_name, _breaks, _what, on_lines=_how)

for _name, _what, _how in [
    ("dies-of-batch", "ends when a line is a batch", _dies),
    ("deaf-after-batch", "answers nothing any more when a line was a batch", _deaf),
]:
    BOOK.add(_name, "MCP-BASE-041", _what, revision="2025-03-26", on_lines=_how(lambda line: line.lstrip()[:1] == "["))
