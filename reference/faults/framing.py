"""Faults of the lines themselves: what stands on standard output, how it is cut, in which characters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..messages import read_json
from .filters import OPENING, each_line, each_reply, once_open, read
from .model import Book, Handler

EVERYTHING = "MCP- SRV- ARG- AGENT- STORY- PROBE-"
BOOK = Book(also="MCP-STDIO- MCP-BASE-", why="the same lines are looked at for other reasons")


def _pretty(line: str) -> Iterable[str]:
    import json

    return [json.dumps(json.loads(line), indent=2)]


def _raw(line: str) -> str:
    """A line with its characters as they are, not escaped."""
    import json

    return json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":"))


def _broken(line: str) -> Iterable[str]:
    """The line feeds of a tool's text as they are."""
    return [line.replace("\\n", "\n") if '"content"' in line else line]


BOOK.add(
    "pretty-printed",
    "MCP-STDIO-002",
    "prints its messages over many lines",
    also=EVERYTHING,
    why="no reply is one line",
    on_lines=once_open(each_line(_pretty)),
)
BOOK.add(
    "raw-line-feeds",
    "MCP-STDIO-001 MCP-STDIO-002 SRV-REPLY-1",
    "writes the line feeds of a text as they are",
    also=EVERYTHING,
    why="every text with a line break",
    on_lines=each_line(_broken),
)
BOOK.add(
    "blank-lines",
    "MCP-STDIO-001",
    "writes a blank line behind each message",
    on_lines=each_line(lambda line: [line, ""]),
)
BOOK.add(
    "two-on-a-line",
    "MCP-STDIO-001",
    "writes a notification on the line of a reply",
    also=EVERYTHING,
    why="no reply can be read",
    on_lines=once_open(each_line(lambda line: ['{"jsonrpc":"2.0","method":"notifications/made-up"}' + line])),
)
BOOK.add(
    "content-length",
    "MCP-STDIO-001",
    "puts a header with a length before each message",
    also=EVERYTHING,
    why="headers are no messages",
    on_lines=once_open(each_line(lambda line: [f"Content-Length: {len(line)}\r", "\r", line])),
)
BOOK.add(
    "byte-order-mark",
    "MCP-STDIO-001",
    "writes a byte order mark before each message",
    also=EVERYTHING,
    why="no reply can be read",
    on_lines=once_open(each_line(lambda line: ["\ufeff" + line])),
)
BOOK.add(
    "single-quotes",
    "MCP-STDIO-001",
    "writes its language's own notation instead of JSON",
    also=EVERYTHING,
    why="no reply can be read",
    on_lines=once_open(each_line(lambda line: [repr(read_json(line))])),
)
BOOK.add(
    "trailing-comma",
    "MCP-STDIO-001",
    "writes a comma too many",
    also=EVERYTHING,
    why="no reply can be read",
    on_lines=once_open(each_line(lambda line: [line[:-1] + ",}"])),
)
BOOK.add(
    "not-a-number",
    "MCP-STDIO-001",
    "writes NaN where a number is none",
    also=EVERYTHING,
    why="no list can be read",
    on_lines=each_reply(lambda _q, reply: _nan(reply)),
)
BOOK.add(
    "latin-1",
    "MCP-STDIO-003",
    "writes in the locale's encoding",
    also=EVERYTHING,
    why="every text that is not ASCII",
    on_lines=each_line(lambda line: [_raw(line).encode("latin-1", "replace").decode("utf-8", "surrogateescape")]),
)
BOOK.add(
    "question-marks",
    "MCP-STDIO-003 MCP-STDIO-004",
    "writes a question mark for what is not ASCII",
    also=EVERYTHING,
    why="every text that is not ASCII",
    on_lines=each_line(lambda line: [_raw(line).encode("ascii", "replace").decode()]),
)
BOOK.add(
    "surrogates-apart",
    "MCP-STDIO-003",
    "writes surrogates as bytes of their own",
    also=EVERYTHING,
    why="every text beyond sixteen bits",
    on_lines=each_line(lambda line: [_apart(_raw(line))]),
)
BOOK.add(
    "broken-surrogates",
    "MCP-BASE-101 MCP-STDIO-004",
    "loses one half of an escaped pair",
    also=EVERYTHING,
    why="every text beyond sixteen bits",
    on_lines=each_line(lambda line: [_half(line)]),
)
BOOK.add(
    "keys-twice",
    "MCP-BASE-101",
    "writes the member jsonrpc twice",
    on_lines=each_line(lambda line: ['{"jsonrpc":"2.0",' + line[1:]]),
)


def _nan(reply: dict[str, Any]) -> str:
    from ..messages import to_json

    return to_json(reply).replace('"tools":[', '"total":NaN,"tools":[', 1)


def _apart(text: str) -> str:
    """Characters beyond sixteen bits as the bytes of two surrogates."""
    parts = text.encode("utf-16-le", "surrogatepass")
    units = [int.from_bytes(parts[i : i + 2], "little") for i in range(0, len(parts), 2)]
    return "".join(map(chr, units)).encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")


def _half(line: str) -> str:
    import re

    return re.sub(r"(\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}", r"\1", line)


def _noise(when: Callable[[str], bool], before: str = "", behind: str = "") -> Any:
    """A filter that prints beside the messages."""

    def wrap(handler: Handler) -> Handler:
        def lines(line: str) -> Iterator[str]:
            noisy = when(line)
            if noisy and before:
                yield before
            yield from handler(line)
            if noisy and behind:
                yield behind

        return lines

    return wrap


def _method(*names: str) -> Callable[[str], bool]:
    return lambda line: (read(line) or {}).get("method") in names


def _calls_of(prefix: str) -> Callable[[str], bool]:
    def when(line: str) -> bool:
        message = read(line) or {}
        params = message.get("params")
        name = params.get("name") if isinstance(params, dict) else None
        return message.get("method") == "tools/call" and isinstance(name, str) and name.startswith(prefix)

    return when


for _name, _what, _when, _before, _behind in [
    ("noise-at-initialize", "prints that a client has come", _method("initialize"), "client connected", ""),
    ("noise-in-calls", "prints what it does during a call", _calls_of("tck_fail"), "DEBUG calling tck_fail", ""),
    ("noise-behind-calls", "prints how long a call took", _calls_of("tck_"), "", "took 3 ms"),
    (
        "noise-at-notifications",
        "prints that a notification came",
        lambda line: '"id"' not in line and "notifications/" in line,
        "got a notification",
        "",
    ),
    (
        "noise-at-errors",
        "prints a traceback when a method is unknown",
        _method("tck/no-such-method"),
        "Traceback (most recent call last):",
        "",
    ),
    (
        "noise-at-rubbish",
        "prints what it cannot read",
        lambda line: bool(line.strip()) and read(line) is None,
        "cannot parse",
        "",
    ),
    (
        "noise-json",
        "prints its log as JSON that is no message",
        _method("tools/list"),
        '{"level":"info","msg":"listing"}',
        "",
    ),
    ("noise-dots", "prints a number", _method("tools/list"), "1", ""),
]:
    _breaks = "MCP-BASE-001" if _name == "noise-json" else "MCP-STDIO-001"
    BOOK.add(_name, _breaks, _what, on_lines=_noise(_when, _before, _behind))


# What the server reads.


def _reading(change: Callable[[str], str | None]) -> Any:
    """A filter on what comes in; None drops a line."""

    def wrap(handler: Handler) -> Handler:
        def lines(line: str) -> Iterable[str]:
            given = change(line)
            return [] if given is None else handler(given)

        return lines

    return wrap


def _mojibake(line: str) -> str:
    return line.encode("utf-8", "surrogateescape").decode("latin-1")


BOOK.add(
    "reads-latin-1",
    "MCP-STDIO-004",
    "reads UTF-8 as Latin-1",
    also=EVERYTHING,
    why="every raw text that is not ASCII",
    on_lines=_reading(_mojibake),
)
BOOK.add(
    "reads-sixteen-bits",
    "MCP-STDIO-004",
    "cannot read raw characters beyond sixteen bits",
    also=EVERYTHING,
    why="every raw text with such",
    on_lines=_reading(lambda line: "".join("\ufffd" if ord(c) > 0xFFFF else c for c in line)),
)
BOOK.add(
    "reads-ascii-only",
    "MCP-STDIO-004",
    "drops lines that are not ASCII",
    also=EVERYTHING,
    why="every raw text that is not ASCII",
    on_lines=_reading(lambda line: line if line.isascii() else None),
)
BOOK.add(
    "reads-without-carriage-return",
    "MCP-STDIO-013 SRV-PARSE-1",
    "drops lines that end in a carriage return",
    on_lines=_reading(lambda line: None if line.endswith("\r") and line.strip() else line),
)
BOOK.add(
    "reads-from-brace",
    "MCP-STDIO-013 SRV-PARSE-1",
    "drops lines that begin with white space",
    on_lines=_reading(lambda line: None if line[:1].isspace() and line.strip() else line),
)
BOOK.add(
    "reads-compact-only",
    "MCP-STDIO-013 SRV-PARSE-1",
    "drops messages with a blank before a colon",
    on_lines=_reading(lambda line: None if '" :' in line else line),
)
BOOK.add(
    "reads-in-order-only",
    "SRV-PARSE-1 MCP-STDIO-013",
    "needs jsonrpc to be the first member",
    on_lines=_reading(
        lambda line: (
            None
            if read(line) is not None and next(iter(read(line) or [""]), "jsonrpc") != "jsonrpc" and "jsonrpc" in line
            else line
        )
    ),
    also="SRV-PARSE-",
    why="odd requests",
)
BOOK.add(
    "reads-without-escapes",
    "SRV-PARSE-1",
    "does not read escapes in a method's name",
    on_lines=_reading(lambda line: None if '"method":"\\u' in line or "\\u0070" in line or "\\/" in line else line),
    also="SRV-PARSE-",
    why="odd requests",
)
BOOK.add(
    "reads-short-lines",
    "MCP-STDIO-012",
    "drops lines of more than 64 KiB",
    also=EVERYTHING,
    why="long arguments",
    on_lines=_reading(lambda line: line if len(line) < 65536 else None),
)
BOOK.add(
    "splits-unicode-lines",
    "MCP-STDIO-004",
    "takes a raw line separator of Unicode for the end of a line",
    also=EVERYTHING,
    why="every raw text with such",
    on_lines=lambda handler: lambda line: [a for part in (line.splitlines() or [""]) for a in handler(part)],
)


@BOOK.lines(
    "flushed-by-next",
    "MCP-STDIO-002",
    "flushes a message when the next one comes",
    also=EVERYTHING,
    why="no reply comes in time",
)
def _(handler: Handler) -> Handler:
    held: list[str] = []
    seen = [0]

    def lines(line: str) -> Iterable[str]:
        answers = list(handler(line))
        seen[0] += len(answers)
        if seen[0] <= OPENING:
            return answers
        before, held[:] = held[:] if answers else [], answers or held
        return before

    return lines


@BOOK.lines("small-buffer", "MCP-STDIO-012", "reads lines into a buffer of 64 KiB", also=EVERYTHING, why="long lines")
def _(handler: Handler) -> Handler:
    return lambda line: [
        answer for place in range(0, len(line) or 1, 65536) for answer in handler(line[place : place + 65536])
    ]


BOOK.add("never-answers", "MCP-LIFE-001", "reads, and never answers", on_lines=lambda _handler: lambda _line: [])
BOOK.add(
    "long-lines-cut",
    "MCP-STDIO-001 SRV-REPLY-1",
    "writes 64 KiB of a line, and drops the rest",
    also=EVERYTHING,
    why="long replies",
    on_lines=each_line(lambda line: [line[:65536]]),
)
