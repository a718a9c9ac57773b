"""Faults of ids: what comes back in the place of the id that was sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from html import escape
from typing import Any

from ..messages import to_json
from .filters import Message, Written, each_error, each_reply, error, on_message, read
from .model import Book, Handler

BOOK = Book(
    also="MCP-BASE- MCP-STDIO- SRV-PARSE- SRV-REPLY-1 MCP-LIFE-021 MCP-LOG-001",
    why="the same replies are looked at for other reasons",
)

ECHO = "MCP-BASE-002 SRV-PARSE-7"


def _id(change: Callable[[Any], Any]) -> Any:
    """A filter on the id that comes back."""

    def changed(_request: Message, reply: Message) -> Message:
        if reply.get("id") is not None:
            reply["id"] = change(reply["id"])
        return reply

    return each_reply(changed)


def _number(text: str) -> Any:
    return int(text) if text.isdigit() else text


def _wrap32(number: Any) -> Any:
    return (number + 2**31) % 2**32 - 2**31 if isinstance(number, int) else number


def _double(number: Any) -> Any:
    return float(number) if isinstance(number, int) and abs(number) > 2**24 else number


def _counting(handler: Handler) -> Handler:
    count = [0]

    def lines(line: str) -> Iterator[str]:
        for answer in handler(line):
            reply = read(answer) or {}
            count[0] += 1
            yield to_json(reply | {"id": count[0] + 1}) if count[0] > 1 else answer

    return lines


ID_WHY = "every opening and every barrier has an id, too"
for _name, _breaks, _what, _change in [
    ("id-as-string", ECHO, "sends a number as id back as a string", lambda v: v if isinstance(v, str) else str(v)),
    (
        "id-as-number",
        ECHO + " MCP-BASE-004",
        "sends digits as id back as a number",
        lambda v: _number(v) if isinstance(v, str) else v,
    ),
    ("id-trimmed", ECHO, "trims a string as id", lambda v: v.strip() if isinstance(v, str) else v),
    (
        "id-lower",
        "SRV-PARSE-7",
        "writes a string as id in lower case",
        lambda v: v.lower() if isinstance(v, str) else v,
    ),
    ("id-cut", ECHO, "keeps 64 characters of an id", lambda v: v[:64] if isinstance(v, str) else v),
    (
        "id-escaped",
        "MCP-BASE-002",
        "escapes markup in an id",
        lambda v: escape(v, quote=False) if isinstance(v, str) else v,
    ),
    (
        "id-ascii",
        ECHO,
        "keeps what is ASCII of an id",
        lambda v: v.encode("ascii", "replace").decode() if isinstance(v, str) else v,
    ),
    ("id-32-bits", ECHO, "keeps the lowest 32 bits of an id", _wrap32),
    (
        "id-single",
        ECHO,
        "keeps an id as a number of single precision",
        lambda v: int(Decimal(v)) // 2**12 * 2**12 if isinstance(v, int) and abs(v) > 2**24 else v,
    ),
    ("id-absolute", ECHO + " MCP-BASE-003", "loses the minus of an id", lambda v: abs(v) if isinstance(v, int) else v),
    (
        "id-spelt-word",
        ECHO,
        "takes the words null, true and false as ids for JSON's",
        lambda v: {"null": None, "true": True, "false": False}.get(v, v) if isinstance(v, str) else v,
    ),
]:
    BOOK.add(
        _name,
        _breaks,
        _what,
        also="MCP-LIFE- MCP-CANC- MCP-PROG- MCP-TOOL- ARG- AGENT- SRV- STORY- PROBE- MCP-PING-"
        if _name == "id-as-string"
        else "",
        why=ID_WHY,
        on_lines=_id(_change),
    )

BOOK.add(
    "id-lost-in-errors",
    ECHO,
    "sends errors without the id of their request",
    also="MCP- SRV- ARG- STORY-",
    why="a refusal is lost then",
    on_lines=each_error(lambda _request, reply: reply | {"id": None}),
)
BOOK.add(
    "id-one-off",
    "MCP-BASE-002 MCP-BASE-005",
    "counts its replies and sends that number as id",
    also="MCP- SRV- ARG- AGENT- STORY- PROBE-",
    why=ID_WHY,
    on_lines=_counting,
)


@BOOK.lines("ids-by-spelling", "MCP-BASE-004", "takes a number and its digits as text for one id")
def _(handler: Handler) -> Handler:
    first: dict[str, Any] = {}

    def lines(line: str) -> Iterator[str]:
        request = read(line)
        if request is not None and "id" in request:
            request["id"] = first.setdefault(str(request["id"]), request["id"])
            line = to_json(request)
        yield from handler(line)

    return lines


@BOOK.lines("id-zero-is-none", "MCP-BASE-003", "takes the id 0 for no id")
def _(handler: Handler) -> Handler:
    return lambda line: [] if (read(line) or {}).get("id") == 0 else handler(line)


@BOOK.lines("id-empty-is-none", "MCP-BASE-003", "takes the empty string for no id")
def _(handler: Handler) -> Handler:
    return lambda line: [] if (read(line) or {}).get("id") == "" else handler(line)


@BOOK.lines("id-negative-is-refused", "MCP-BASE-003 MCP-BASE-002", "refuses a negative id")
def _(handler: Handler) -> Handler:
    def answer(message: Message) -> Written | bool:
        given = message.get("id")
        negative = isinstance(given, int) and given < 0
        return error({"id": None}, -32600, "invalid id") if negative else True

    return on_message(answer)(handler)


@BOOK.lines(
    "id-numbers-only",
    "MCP-BASE-002 SRV-PARSE-7",
    "takes numbers only for ids",
    also="MCP- SRV-",
    why="cases with an id of their own use strings",
)
def _(handler: Handler) -> Handler:
    def answer(message: Message) -> Written | bool:
        wrong = isinstance(message.get("id"), str)
        return error({"id": None}, -32600, "id must be a number") if wrong else True

    return on_message(answer)(handler)
