"""Faults that live between the streams: what is written before, late and at the end, and how input is read and ends.

They need a process: nothing here can be shown by a function from a line to lines.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..messages import to_json
from .filters import read
from .model import Book, Handler, Serve

EVERYTHING = "MCP- SRV- ARG- AGENT- STORY- PROBE-"
BOOK = Book(also="MCP-STDIO- MCP-BASE-", why="the same lines are looked at for other reasons")

Write = Callable[[bytes], object]
LATE = 0.03
"""Seconds; later than any barrier."""


@BOOK.serve("banner", "MCP-STDIO-001", "prints a banner when it starts")
def _(serve: Serve) -> Serve:
    def run(lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        write(b"Story server 1.0 listening on stdio\n")
        serve(lines_in, write, handler)

    return run


@BOOK.serve("blank-line-at-start", "MCP-STDIO-001", "prints a blank line when it starts")
def _(serve: Serve) -> Serve:
    def run(lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        write(b"\n")
        serve(lines_in, write, handler)

    return run


@BOOK.serve("farewell", "MCP-STDIO-001", "prints a farewell when its input has ended")
def _(serve: Serve) -> Serve:
    def run(lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        serve(lines_in, write, handler)
        write(b"bye\n")

    return run


@BOOK.serve("no-last-line-feed", "MCP-STDIO-002", "writes its last line without a line feed")
def _(serve: Serve) -> Serve:
    def run(lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        serve(lines_in, write, handler)
        write(b'{"jsonrpc":"2.0","method":"notifications/made-up"}')

    return run


@BOOK.serve(
    "messages-in-pieces", "MCP-STDIO-002", "breaks a long message in two lines", also=EVERYTHING, why="long replies"
)
def _(serve: Serve) -> Serve:
    def run(lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        serve(lines_in, lambda line: write(line.replace(b',"', b',\n"', 1) if len(line) > 1000 else line), handler)

    return run


def _note(line: str) -> bool:
    message = read(line)
    return message is not None and "method" in message and "id" not in message


REPLY = '{"jsonrpc":"2.0","id":null,"result":{}}\n'


@BOOK.serve(
    "answers-notifications-late",
    "MCP-BASE-010",
    "answers a notification when its work is done, somewhat later",
    also="MCP- SRV- STORY-",
    why="the next case may be over before the reply comes, so that only the end of the process shows it",
)
def _(serve: Serve) -> Serve:
    def run(lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        def lines(line: str) -> Iterable[str]:
            if _note(line):
                threading.Timer(LATE, write, [REPLY.encode()]).start()
            return handler(line)

        serve(lines_in, write, lines)
        time.sleep(LATE)

    return run


@BOOK.serve(
    "answers-notifications-at-end",
    "MCP-BASE-010",
    "answers all notifications when its input has ended",
    also="SRV-PARSE-6",
    why="the same notifications",
)
def _(serve: Serve) -> Serve:
    def run(lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        owed: list[bytes] = []

        def lines(line: str) -> Iterable[str]:
            if _note(line):
                owed.append(REPLY.encode())
            return handler(line)

        serve(lines_in, write, lines)
        for reply in owed:
            write(reply)

    return run


@BOOK.serve("replies-again-at-end", "MCP-BASE-005", "writes its last reply once more when its input has ended")
def _(serve: Serve) -> Serve:
    def run(lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        last = [b""]

        def kept(line: bytes) -> None:
            last[0] = line
            write(line)

        serve(lines_in, kept, handler)
        write(last[0])

    return run


def chunks() -> Iterator[bytes]:
    """What one read of the pipe gives, as it comes."""
    while chunk := os.read(sys.stdin.fileno(), 1 << 20):
        yield chunk


@BOOK.serve(
    "one-message-a-read",
    "MCP-STDIO-005",
    "serves the first message of what came at once, and drops the rest",
    also=EVERYTHING,
    why="messages that come at once",
)
def _(serve: Serve) -> Serve:
    def first(chunks: Iterable[bytes]) -> Iterator[bytes]:
        rest = b""
        for chunk in chunks:
            rest += chunk
            if b"\n" in rest:
                yield rest.split(b"\n")[0] + b"\n"
                rest = rest.rpartition(b"\n")[2]

    return lambda _lines_in, write, handler: serve(first(chunks()), write, handler)


@BOOK.serve(
    "one-read-a-message",
    "MCP-STDIO-005",
    "takes what one read gives for whole messages",
    also=EVERYTHING,
    why="messages that come in pieces, and long ones",
)
def _(serve: Serve) -> Serve:
    def parts() -> Iterator[bytes]:
        for chunk in chunks():
            for line in chunk.split(b"\n"):
                if line:
                    yield line + b"\n"

    return lambda _lines_in, write, handler: serve(parts(), write, handler)


@BOOK.serve(
    "crosses-replies",
    "SRV-PARSE-7 MCP-TOOL-034",
    "gives the replies of requests that come at once each other's ids",
    also=EVERYTHING,
    why="requests that come at once",
)
def _(_serve: Serve) -> Serve:
    def run(_lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        rest = b""
        for chunk in chunks():
            *lines, rest = (rest + chunk).split(b"\n")
            replies: list[dict[str, Any]] = []
            for line in lines:
                answers = handler(line.decode("utf-8", "surrogateescape"))
                replies.extend(read(answer) or {} for answer in answers)
            ids = [reply.get("id") for reply in replies]
            for reply, identity in zip(replies, ids[1:] + ids[:1], strict=True):
                write(to_json(reply | {"id": identity}).encode() + b"\n")

    return run


@BOOK.serve(
    "dies-of-bad-bytes",
    "MCP-BASE-016 SRV-PARSE-4",
    "ends when a line is not UTF-8",
    also="SRV-PARSE-",
    why="the same lines",
)
def _(serve: Serve) -> Serve:
    def strict(lines_in: Iterable[bytes]) -> Iterator[bytes]:
        for line in lines_in:
            line.decode()
            yield line

    def run(lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        try:
            serve(strict(lines_in), write, handler)
        except UnicodeDecodeError as error:
            sys.stderr.write(f"stdin: {error}\n")

    return run


@BOOK.serve("ignores-end", "MCP-STDIO-007", "does not end with its input")
def _(serve: Serve) -> Serve:
    def run(lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        serve(lines_in, write, handler)
        while True:
            time.sleep(60)

    return run


@BOOK.serve("spins-at-end", "MCP-STDIO-007", "reads on for ever when its input has ended")
def _(serve: Serve) -> Serve:
    def run(lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        serve(lines_in, write, handler)
        while True:
            os.read(sys.stdin.fileno(), 1)
            time.sleep(0.001)

    return run


@BOOK.serve(
    "interleaves",
    "MCP-STDIO-001 MCP-TOOL-034",
    "writes replies to requests that came at once into each other",
    also=EVERYTHING,
    why="requests that come at once",
)
def _(_serve: Serve) -> Serve:
    def run(_lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        rest = b""
        for chunk in chunks():
            *lines, rest = (rest + chunk).split(b"\n")
            answers = [a.encode() + b"\n" for line in lines for a in handler(line.decode("utf-8", "surrogateescape"))]
            write(b"".join(answer[:20] for answer in answers))
            write(b"".join(answer[20:] for answer in answers))

    return run
