"""Faults of what is answered: messages that want no answer, answers too many, answers to what cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..messages import read_json, to_json
from .filters import Message, Written, each_error, error, is_notification, on_line, on_message, read, result
from .model import Book, Handler

BOOK = Book(
    also="MCP-BASE- MCP-STDIO- SRV-PARSE- SRV-REPLY-1 MCP-LIFE-021 MCP-LOG-001",
    why="the same replies are looked at for other reasons",
)

QUIET = "MCP-BASE-010 SRV-PARSE-6"
NOTES = "MCP-CANC- MCP-PROG- MCP-LOG- MCP-LIFE- MCP-PING- SRV-PARSE-24"


def _answers(when: Callable[[Message], bool], what: Callable[[Message], Written]) -> Any:
    """Answers some notifications."""
    return on_message(lambda message: what(message) if is_notification(message) and when(message) else True)


for _name, _what, _when, _reply in [
    (
        "answers-notifications",
        "answers every notification with an empty result",
        lambda _m: True,
        lambda _m: result({"id": None}, {}),
    ),
    (
        "answers-notifications-without-id",
        "answers every notification, without an id",
        lambda _m: True,
        lambda _m: {"jsonrpc": "2.0", "result": {}},
    ),
    (
        "refuses-notifications",
        "answers a notification that it does not know with an error",
        lambda m: m["method"] != "notifications/initialized",
        lambda _m: error({"id": None}, -32601, "method not found"),
    ),
    (
        "answers-requests-without-id",
        "answers a request that has no id",
        lambda m: not str(m["method"]).startswith("notifications/"),
        lambda _m: result({"id": None}, {}),
    ),
    (
        "refuses-bad-notifications",
        "answers a notification whose params make no sense",
        lambda m: (
            m["method"] == "notifications/cancelled"
            and not isinstance((m.get("params") or {}).get("requestId"), str | int)
        ),
        lambda _m: error({"id": None}, -32602, "requestId is missing"),
    ),
    (
        "answers-initialized",
        "answers the notification that ends the opening",
        lambda m: m["method"] == "notifications/initialized",
        lambda _m: result({"id": None}, {}),
    ),
]:
    BOOK.add(
        _name,
        "MCP-BASE-010" if _name in {"answers-initialized", "refuses-bad-notifications"} else QUIET,
        _what,
        also=NOTES + " MCP-TOOL- SRV- STORY-",
        why="an answer too many shows wherever a notification is sent",
        on_lines=_answers(_when, _reply),
    )


@BOOK.lines(
    "answers-null-id",
    "MCP-BASE-011",
    "writes notifications with an id of null",
    also="MCP-",
    why="a log message is sent to show it",
)
def _(handler: Handler) -> Handler:
    def lines(line: str) -> Iterator[str]:
        if (read(line) or {}).get("method") == "tck/no-such-method":
            yield to_json({"jsonrpc": "2.0", "id": None, "method": "notifications/made-up"})
        yield from handler(line)

    return lines


def _twice(handler: Handler) -> Handler:
    return lambda line: [each for answer in handler(line) for each in (answer, answer)]


BOOK.add(
    "replies-twice",
    "MCP-BASE-005",
    "writes every reply twice",
    also="MCP- SRV- ARG- AGENT- STORY- PROBE-",
    why="each reply is one too many",
    on_lines=_twice,
)
BOOK.add(
    "errors-twice",
    "MCP-BASE-005",
    "answers a refused request with a result as well",
    also="MCP- SRV-",
    why="each refusal has a second reply",
    on_lines=each_error(lambda request, reply: [reply, result(request, {})] if "id" in request else reply),
)


@BOOK.lines(
    "reply-again-later",
    "MCP-BASE-005",
    "writes its last reply once more before the next",
    also="MCP- SRV- ARG- AGENT- STORY- PROBE-",
    why="each reply is one too many",
)
def _(handler: Handler) -> Handler:
    last: list[str] = []

    def lines(line: str) -> Iterable[str]:
        answers = list(handler(line))
        again, last[:] = last[:] if answers else [], answers or last
        return [*again, *answers]

    return lines


@BOOK.lines(
    "every-seventh-lost",
    "MCP-BASE-005",
    "answers every seventh request not at all",
    also="MCP- SRV- ARG- AGENT- STORY- PROBE-",
    why="any case may have sent the seventh",
)
def _(handler: Handler) -> Handler:
    count = [0]

    def lines(line: str) -> Iterable[str]:
        answers = list(handler(line))
        count[0] += bool(answers)
        return [] if answers and count[0] % 7 == 0 else answers

    return lines


BOOK.add(
    "result-for-rubbish",
    "MCP-BASE-013 SRV-PARSE-2 SRV-PARSE-3",
    "answers what it cannot read with a result",
    on_lines=each_error(
        lambda _request, reply: (
            {"jsonrpc": "2.0", "id": reply["id"], "result": {}} if reply["error"]["code"] in {-32700, -32600} else reply
        )
    ),
)
BOOK.add(
    "invented-id",
    "MCP-BASE-005",
    "answers what it cannot read under an id of its own",
    on_lines=each_error(lambda _request, reply: reply | {"id": 1} if reply["id"] is None else reply),
)
BOOK.add(
    "invented-id-zero",
    "MCP-BASE-013",
    "answers what it cannot read under the id 0",
    on_lines=each_error(lambda _request, reply: reply | {"id": 0} if reply["id"] is None else reply),
)
BOOK.add(
    "rubbish-answered-twice",
    "MCP-BASE-013",
    "answers what it cannot read with two errors",
    on_lines=each_error(lambda _request, reply: [reply, reply] if reply["error"]["code"] == -32700 else reply),
    also="SRV- MCP-",
    why="a reply too many",
)
UNKNOWN = "MCP- SRV-"
BOOK.add(
    "unknown-method-succeeds",
    "MCP-BASE-012",
    "answers a method that it does not have with an empty result",
    also=UNKNOWN,
    why="every refusal of a method is gone",
    on_lines=each_error(lambda request, reply: result(request, {}) if reply["error"]["code"] == -32601 else reply),
)
BOOK.add(
    "unknown-method-ignored",
    "MCP-BASE-012",
    "does not answer a method that it does not have",
    also=UNKNOWN,
    why="every refusal of a method is gone",
    on_lines=each_error(lambda _request, reply: None if reply["error"]["code"] == -32601 else reply),
)


def _unknown_with(code: int) -> Any:
    def changed(_request: Message, reply: Message) -> Message:
        found = reply["error"]
        return reply | {"error": found | {"code": code}} if found["code"] == -32601 else reply

    return each_error(changed)


for _name, _code in (
    ("unknown-method-internal", -32603),
    ("unknown-method-params", -32602),
    ("unknown-method-zero", 0),
):
    BOOK.add(
        _name,
        "MCP-BASE-037",
        f"refuses a method that it does not have with code {_code}",
        also="MCP-LIFE-017 MCP-COMP-006 MCP-TASK- MCP-BASE-028",
        why="they ask for the same code",
        on_lines=_unknown_with(_code),
    )
BOOK.add(
    "code-of-its-own",
    "MCP-BASE-028",
    "uses a code inside of the reserved range",
    also="MCP-BASE-037 MCP-LIFE-017 MCP-COMP-006",
    why="it stands for an unknown method",
    on_lines=each_error(
        lambda _q, reply: (
            reply | {"error": reply["error"] | {"code": -32500}} if reply["error"]["code"] == -32601 else reply
        )
    ),
)
BOOK.add(
    "rubbish-code",
    "SRV-PARSE-9",
    "refuses what it cannot read with code -32603",
    on_lines=each_error(
        lambda _q, reply: (
            reply | {"error": reply["error"] | {"code": -32603}}
            if reply["error"]["code"] in {-32700, -32600}
            else reply
        )
    ),
)


@BOOK.lines("rubbish-ignored", "SRV-PARSE-2 SRV-PARSE-3", "does not answer what it cannot read")
def _(handler: Handler) -> Handler:
    return each_error(lambda _q, reply: None if reply["error"]["code"] in {-32700, -32600} else reply)(handler)


@BOOK.lines("no-object-ignored", "SRV-PARSE-3", "does not answer JSON that is no object")
def _(handler: Handler) -> Handler:
    return lambda line: handler(line) if read(line) is not None or line.lstrip()[:1] == "{" else []


@BOOK.lines(
    "stray-replies-answered",
    "MCP-BASE-036",
    "answers a reply that it did not ask for",
    also="SRV-PARSE-21",
    why="the same lines",
)
def _(handler: Handler) -> Handler:
    def answer(message: Message) -> Written | bool:
        stray = "method" not in message and ("result" in message or "error" in message)
        return error(message, -32601, "Method not found") if stray else True

    return on_message(answer)(handler)


def _batches(answer: Callable[[list[Any], list[str]], list[str]]) -> Any:
    """A filter on what is answered to an array; it gets the elements and the right answer."""

    def wrap(handler: Handler) -> Handler:
        def lines(line: str) -> Iterable[str]:
            right = list(handler(line))
            if line.lstrip()[:1] != "[":
                return right
            try:
                return answer(read_json(line), right)
            except ValueError:
                return right

        return lines

    return wrap


BATCH = "2025-03-26"
NULL = '{"jsonrpc":"2.0","id":null,"result":{}}'
BOOK.add(
    "batch-of-notifications-answered",
    "MCP-BASE-021",
    "answers a batch of notifications with a result",
    revision=BATCH,
    on_lines=_batches(lambda _elements, right: right or [f"[{NULL}]"]),
)
BOOK.add(
    "batch-ignored",
    "MCP-BASE-019",
    "does not answer a batch",
    revision=BATCH,
    on_lines=_batches(lambda _elements, _right: []),
)
BOOK.add(
    "batch-first-only",
    "MCP-BASE-019",
    "answers the first request of a batch",
    revision=BATCH,
    on_lines=_batches(lambda _elements, right: [to_json(value[:1]) for value in map(read_json, right)]),
)


def _odd(message: Message) -> bool:
    return "id" in message and isinstance(message.get("method"), str) and message.get("jsonrpc") != "2.0"


BOOK.add(
    "odd-request-ignored",
    "SRV-PARSE-10",
    "does not answer a request without its version",
    on_lines=on_message(lambda m: None if _odd(m) else True),
)
BOOK.add(
    "odd-params-ignored",
    "SRV-PARSE-10",
    "does not answer a request whose params are null or a list",
    on_lines=on_message(
        lambda m: None if "id" in m and "method" in m and not isinstance(m.get("params", {}), dict) else True
    ),
)
BOOK.add(
    "blank-line-answered",
    "SRV-PARSE-5",
    "answers a blank line as one that it cannot read",
    on_lines=on_line(lambda line: None if line.strip() else [to_json(error({}, -32700, "empty"))]),
)
