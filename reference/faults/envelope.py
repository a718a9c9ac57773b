"""Faults of the envelope: version, result and error, metadata, and what is refused how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .filters import Message, each_error, each_reply, error, on_message, once_open
from .model import Book

BOOK = Book(
    also="MCP-BASE- MCP-STDIO- SRV-PARSE- SRV-REPLY-1 MCP-LIFE-021 MCP-LOG-001",
    why="the same replies are looked at for other reasons",
)


def _member(name: str, value: object) -> Any:
    return each_reply(lambda _request, reply: reply | {name: value})


def _without(name: str) -> Any:
    return each_reply(lambda _request, reply: {key: value for key, value in reply.items() if key != name})


def _result(change: Callable[[Message], object]) -> Any:
    """A filter on results that are empty objects, such as a ping's."""
    return each_reply(
        lambda _r, reply: reply | {"result": change(reply["result"])} if reply.get("result") == {} else reply
    )


def _error(change: Callable[[Message], object]) -> Any:
    return each_error(lambda _request, reply: reply | {"error": change(reply["error"])})


BOOK.add("version-missing", "MCP-BASE-001", "leaves jsonrpc out", on_lines=_without("jsonrpc"))
BOOK.add("version-one", "MCP-BASE-001", "says that it speaks JSON-RPC 1.0", on_lines=_member("jsonrpc", "1.0"))
BOOK.add("version-number", "MCP-BASE-001", "writes the version as a number", on_lines=_member("jsonrpc", 2.0))
BOOK.add(
    "version-missing-in-errors",
    "MCP-BASE-001",
    "leaves jsonrpc out of errors",
    on_lines=each_error(lambda _q, reply: {k: v for k, v in reply.items() if k != "jsonrpc"}),
)
BOOK.add(
    "error-null-beside-result",
    "MCP-BASE-006",
    "writes an error of null beside each result",
    also="MCP-",
    why="an error is there",
    on_lines=each_reply(lambda _q, reply: reply | {"error": None} if "result" in reply else reply),
)
BOOK.add(
    "result-null-beside-error",
    "MCP-BASE-006",
    "writes a result of null beside each error",
    also="MCP- SRV-",
    why="a result is there",
    on_lines=each_error(lambda _q, reply: reply | {"result": None}),
)
BOOK.add(
    "neither-result-nor-error",
    "MCP-BASE-006",
    "leaves an empty result out",
    also="MCP- SRV-",
    why="replies without a result",
    on_lines=each_reply(
        lambda _q, reply: {k: v for k, v in reply.items() if k != "result"} if reply.get("result") == {} else reply
    ),
)
PONG = "MCP- SRV-"
BOOK.add(
    "result-null",
    "MCP-BASE-007 MCP-PING-001",
    "writes null for an empty result",
    also=PONG,
    why="a ping is answered so",
    on_lines=_result(lambda _r: None),
)
BOOK.add(
    "result-true",
    "MCP-BASE-007 MCP-PING-001",
    "writes true for an empty result",
    also=PONG,
    why="a ping is answered so",
    on_lines=_result(lambda _r: True),
)
BOOK.add(
    "result-word",
    "MCP-BASE-007 MCP-PING-001",
    "writes a word for an empty result",
    also=PONG,
    why="a ping is answered so",
    on_lines=_result(lambda _r: "pong"),
)
BOOK.add(
    "result-list",
    "MCP-BASE-007 MCP-PING-001",
    "writes a list for an empty result",
    also=PONG,
    why="a ping is answered so",
    on_lines=_result(lambda _r: []),
)
CODES = "MCP- SRV-"
BOOK.add(
    "error-is-text",
    "MCP-BASE-008",
    "writes an error as a text",
    also=CODES,
    why="no error has a code any more",
    on_lines=_error(lambda e: e["message"]),
)
BOOK.add(
    "error-code-text",
    "MCP-BASE-008",
    "writes an error's code as a text",
    also=CODES,
    why="no code is right any more",
    on_lines=_error(lambda e: e | {"code": str(e["code"])}),
)
BOOK.add(
    "error-code-fraction",
    "MCP-BASE-008",
    "writes a code with a fraction",
    also=CODES,
    why="no code is right any more",
    on_lines=_error(lambda e: e | {"code": e["code"] + 0.5}),
)
BOOK.add(
    "error-no-message",
    "MCP-BASE-008",
    "writes an error without a message",
    on_lines=_error(lambda e: {"code": e["code"]}),
    also="MCP-",
    why="messages are gone",
)
BOOK.add(
    "error-message-object",
    "MCP-BASE-008",
    "writes an error's message as an object",
    on_lines=_error(lambda e: e | {"message": {"text": e["message"]}}),
    also="MCP-",
    why="messages are gone",
)
BOOK.add(
    "error-message-empty",
    "SRV-PARSE-2 SRV-PARSE-3",
    "says nothing in an error's message",
    on_lines=_error(lambda e: e | {"message": ""}),
)
BOOK.add(
    "error-no-code",
    "MCP-BASE-008",
    "writes an error without a code",
    on_lines=_error(lambda e: {"message": e["message"]}),
    also=CODES,
    why="codes are gone",
)
BOOK.add(
    "replies-as-arrays",
    "MCP-BASE-023",
    "writes each reply as an array of one",
    also="MCP- SRV- ARG- AGENT- STORY- PROBE-",
    why="no reply can be read any more",
    on_lines=once_open(lambda handler: lambda line: [f"[{answer}]" for answer in handler(line)]),
)


def _meta(key: str) -> Any:
    def changed(_request: Message, reply: Message) -> Message:
        if isinstance(reply.get("result"), dict):
            reply["result"]["_meta"] = {key: 1}
            for tool in reply["result"].get("tools", []):
                tool["_meta"] = {key: 1}
        return reply

    return each_reply(changed)


BOOK.add(
    "meta-key-broken",
    "MCP-BASE-025",
    "writes keys into _meta that are not well-formed",
    on_lines=_meta("com.example/-x-"),
)
BOOK.add(
    "meta-prefix-broken",
    "MCP-BASE-025",
    "writes prefixes into _meta that are not well-formed",
    on_lines=_meta("9lives..example/x"),
)
BOOK.add(
    "meta-prefix-reserved",
    "MCP-BASE-026",
    "writes keys of its own under a prefix that is reserved for MCP",
    on_lines=_meta("com.mcp.tools/x"),
    also="MCP-BASE-025",
    why="the same keys",
)


def _refusing(wrong: Callable[[Message], bool]) -> Any:
    return on_message(
        lambda message: error(message, -32602, "unexpected member") if "id" in message and wrong(message) else True
    )


def _params(message: Message) -> Message:
    params = message.get("params")
    return params if isinstance(params, dict) else {}


BOOK.add(
    "meta-refused",
    "MCP-BASE-017 MCP-PROG-006",
    "refuses a request with _meta",
    also="MCP-",
    why="all requests with _meta",
    on_lines=_refusing(lambda m: "_meta" in _params(m)),
)
BOOK.add(
    "unknown-meta-refused",
    "MCP-BASE-017",
    "refuses a request with a key in _meta that it does not know",
    also="MCP-STDIO-012",
    why="the long requests are padded there",
    on_lines=_refusing(lambda m: bool({*(_params(m).get("_meta") or {})} - {"progressToken"})),
)
BOOK.add(
    "unknown-meta-refused-then",
    "MCP-BASE-040",
    "refuses a request with a key in _meta that it does not know",
    also="MCP-STDIO-012",
    why="the long requests are padded there",
    revision="2025-03-26",
    on_lines=_refusing(lambda m: bool({*(_params(m).get("_meta") or {})} - {"progressToken"})),
)
BOOK.add(
    "unknown-param-refused",
    "MCP-BASE-018",
    "refuses a request with a param that it does not know",
    also="MCP-TASK-",
    why="a task is such a param",
    on_lines=_refusing(lambda m: m["method"] in {"ping", "tools/list"} and bool({*_params(m)} - {"_meta", "cursor"})),
)
