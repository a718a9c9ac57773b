"""Faults of what a server sends by itself, requests and notifications that nobody asked for, and of cancelling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..messages import notification_line, to_json
from .filters import Message, Written, error, is_request, on_message, read
from .model import Book, Handler

if TYPE_CHECKING:
    from ..build import Reference

BOOK = Book(also="MCP-LIFE- SRV-REPLY-2 SRV-REPLY-3 MCP-TOOL-012", why="the same answer is looked at for other reasons")
Params = dict[str, Any]


# What the server sends by itself.


def _sends(when: Callable[[Message], bool], *lines: str, behind: bool = False) -> Any:
    """A filter that sends something of its own with the answer to some messages."""

    def wrap(handler: Handler) -> Handler:
        def given(line: str) -> Iterator[str]:
            now = when(read(line) or {})
            if now and not behind:
                yield from lines
            yield from handler(line)
            if now and behind:
                yield from lines

        return given

    return wrap


def asks(method: str, identity: object = "ask-1", params: Params | None = None) -> str:
    """A request of the server."""
    return to_json({"jsonrpc": "2.0", "id": identity, "method": method, "params": params or {}})


def method_is(*names: str) -> Callable[[Message], bool]:
    """Whether a message is a request for one of these methods."""
    return lambda message: message.get("method") in names and "id" in message


LIST, UNKNOWN = method_is("tools/list"), method_is("tck/no-such-method")
REQUESTS = "MCP-LIFE-015 MCP-LIFE-013 MCP-CLI- MCP-BASE-035 MCP-STDIO-"
for _name, _breaks, _what, _when, _line in [
    (
        "asks-undeclared-roots",
        "MCP-LIFE-015",
        "asks a client for roots that did not declare them",
        LIST,
        asks("roots/list"),
    ),
    (
        "asks-undeclared-sampling",
        "MCP-LIFE-015",
        "asks a client for a sample that did not declare it",
        UNKNOWN,
        asks("sampling/createMessage", params={"messages": [], "maxTokens": 1}),
    ),
    (
        "asks-undeclared-elicitation",
        "MCP-LIFE-015",
        "asks a client for an elicitation that did not declare it",
        UNKNOWN,
        asks("elicitation/create", params={"message": "?", "requestedSchema": {"type": "object", "properties": {}}}),
    ),
    (
        "asks-unknown-method",
        "MCP-CLI-001",
        "asks a client for a method that MCP does not have",
        LIST,
        asks("client/version"),
    ),
    ("asks-with-null", "MCP-BASE-035", "asks a client under an id of null", LIST, asks("ping", None)),
    (
        "asks-with-fraction",
        "MCP-BASE-035",
        "asks a client under an id with a fraction",
        LIST,
        '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
    ),
    (
        "asks-twice-with-one-id",
        "MCP-BASE-035",
        "asks a client again under an id that it used before",
        LIST,
        asks("ping", "same"),
    ),
    (
        "asks-params-list",
        "MCP-BASE-102",
        "asks a client with params that are a list",
        LIST,
        '{"jsonrpc":"2.0","id":"list","method":"ping","params":[]}',
    ),
    ("method-number", "MCP-BASE-102", "writes a method that is a number", LIST, '{"jsonrpc":"2.0","method":7}'),
    (
        "asks-early",
        "MCP-LIFE-009",
        "asks for roots before the opening is done",
        method_is("initialize"),
        asks("roots/list"),
    ),
    (
        "tells-changes-undeclared",
        "MCP-LIFE-016",
        "tells of a changed list without having declared it",
        LIST,
        notification_line("notifications/tools/list_changed"),
    ),
    (
        "tells-resources-undeclared",
        "MCP-RES-021",
        "tells of changed resources without having declared it",
        method_is("ping", "tools/list", "tck/no-such-method", "tools/call"),
        notification_line("notifications/resources/list_changed"),
    ),
    (
        "tells-prompts-undeclared",
        "MCP-PROMPT-013",
        "tells of changed prompts without having declared it",
        method_is("ping", "tools/list", "tck/no-such-method", "tools/call"),
        notification_line("notifications/prompts/list_changed"),
    ),
    (
        "tells-updates-unasked",
        "MCP-RES-015",
        "tells of an update that nobody subscribed to",
        method_is("ping", "tools/list", "tck/no-such-method", "tools/call"),
        notification_line("notifications/resources/updated", {"uri": "file:///x"}),
    ),
    (
        "logs-undeclared",
        "MCP-LIFE-016 MCP-LOG-001",
        "logs to its client without having declared it",
        UNKNOWN,
        notification_line("notifications/message", {"level": "error", "data": "unknown method"}),
    ),
    (
        "progress-unasked",
        "MCP-PROG-001",
        "reports progress that nobody asked for",
        method_is("ping", "tools/list", "tck/no-such-method", "tools/call"),
        notification_line("notifications/progress", {"progressToken": 0, "progress": 1}),
    ),
    (
        "cancels-nothing",
        "MCP-CANC-007",
        "cancels a request that it never made",
        method_is("ping", "tools/list", "tck/no-such-method", "tools/call"),
        notification_line("notifications/cancelled", {"requestId": 7}),
    ),
    (
        "notification-with-id",
        "MCP-BASE-011",
        "writes a notification with an id",
        LIST,
        '{"jsonrpc":"2.0","id":5,"method":"notifications/made-up"}',
    ),
]:
    BOOK.add(
        _name,
        _breaks,
        _what,
        also=REQUESTS + " MCP-PROG- MCP-LOG- MCP-CANC- MCP-RES- MCP-PROMPT- MCP-BASE-011",
        why="the same messages",
        on_lines=_sends(_when, _line),
    )

BOOK.add(
    "logs-rubbish-undeclared",
    "MCP-LIFE-021 MCP-LOG-001",
    "logs a line that it cannot read without having declared logging",
    also="MCP-LOG- MCP-LIFE-",
    why="the same messages",
    on_lines=lambda handler: (
        lambda line: [
            *(
                [notification_line("notifications/message", {"level": "error", "data": "parse error"})]
                if line.strip() and read(line) is None
                else []
            ),
            *handler(line),
        ]
    ),
)
BOOK.add(
    "message-of-newer-revision",
    "MCP-LIFE-014",
    "sends a kind of message that the revision does not have",
    revision="2025-06-18",
    also="MCP-LIFE-",
    why="the same messages",
    on_lines=_sends(
        method_is("tools/call", "ping"),
        notification_line("notifications/tasks/status", {"taskId": "1", "status": "working"}),
    ),
)


@BOOK.server(
    "tells-change-undeclared",
    "MCP-LIFE-016",
    "tells of a tool that was registered without having declared it",
    also="MCP-LIFE-013",
    why="the same messages",
)
def _(server: Reference) -> None:
    right = server.register_tool

    def register(spec: Any, handler: Any) -> None:
        right(spec, handler)
        server.notify("notifications/tools/list_changed")

    vars(server)["register_tool"] = register


# Cancelling.


def _leave(_message: Message) -> Written:
    raise SystemExit(1)


def _cancel_of(known: list[object], line: str) -> object:
    message = read(line) or {}
    if is_request(message):
        known.append(message["id"])
    params = message.get("params")
    if message.get("method") == "notifications/cancelled" and isinstance(params, dict):
        return params.get("requestId")
    return None


@BOOK.lines(
    "cancel-answered",
    "MCP-CANC-001",
    "answers a cancelled request once more with an error",
    also="MCP-CANC- MCP-BASE- SRV-PARSE-6",
    why="an answer too many",
)
def _(handler: Handler) -> Handler:
    def lines(line: str) -> Iterator[str]:
        yield from handler(line)
        identity = _cancel_of([], line)
        if isinstance(identity, str | int):
            yield to_json(error({"id": identity}, -32800, "cancelled"))

    return lines


@BOOK.lines(
    "cancel-stops-everything",
    "MCP-CANC-001 MCP-CANC-003",
    "answers nothing any more when something was cancelled",
    also="MCP- SRV-",
    why="what comes behind finds nobody",
)
def _(handler: Handler) -> Handler:
    stopped = [False]

    def lines(line: str) -> Iterable[str]:
        stopped[0] |= _cancel_of([], line) is not None
        return [] if stopped[0] else handler(line)

    return lines


@BOOK.lines(
    "cancel-drops-next",
    "MCP-CANC-003",
    "drops the next request when the cancelled one is done",
    also="MCP-CANC- MCP-BASE- SRV-PARSE-6",
    why="what comes behind is lost",
)
def _(handler: Handler) -> Handler:
    owed = [0]

    def lines(line: str) -> Iterable[str]:
        if _cancel_of([], line) is not None:
            owed[0] = 1
        elif owed[0] and is_request(read(line) or {}):
            owed[0] = 0
            return []
        return handler(line)

    return lines


BOOK.add(
    "cancel-without-id-crashes",
    "MCP-CANC-002",
    "ends at a cancel without an id",
    also="MCP-CANC- MCP-BASE- SRV-PARSE-6",
    why="what comes behind finds no server",
    on_lines=on_message(
        lambda m: (
            _leave(m)
            if m.get("method") == "notifications/cancelled"
            and not isinstance((m.get("params") or {}).get("requestId"), str | int)
            else True
        )
    ),
)
