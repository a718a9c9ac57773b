"""Faults of the era without a handshake: subscriptions, lists that depend on calls, messages that nobody wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..messages import notification_line, result_line, to_json
from .filters import Message, Written, each_line, each_result, is_request, on_message, read
from .model import Book, OnFeatures
from .unasked import asks, method_is

if TYPE_CHECKING:
    from ..features import FullReference
    from ..protocol import Method

BOOK = Book(
    also="MCP-SUBS- MCP-STDIO- MCP-LOG- MCP-CANC- MCP-TOOL-015 MCP-TOOL-016 MCP-RES-017 MCP-PROMPT-011 MCP-WIRE- "
    "MCP-BASE-",
    why="the same messages are looked at for other reasons",
    features=True,
    revision="2026-07-28",
)
Params = dict[str, Any]
PREFIX = "io.modelcontextprotocol/"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"


def _acknowledged(change: Callable[[Params], object]) -> Any:
    """A filter on what acknowledges a subscription."""

    def changed(line: str) -> list[str]:
        message = read(line)
        if message is None or message.get("method") != ACKNOWLEDGED:
            return [line]
        change(message["params"])
        return [to_json(message)]

    return each_line(changed)


ID = PREFIX + "subscriptionId"
for _name, _breaks, _what, _change in [
    (
        "subscription-id-text",
        "MCP-SUBS-001",
        "acknowledges a subscription under its id as a text",
        lambda p: p["_meta"].update({ID: str(p["_meta"][ID])}),
    ),
    (
        "subscription-id-number",
        "MCP-SUBS-001",
        "acknowledges a subscription under digits as a number",
        lambda p: p["_meta"].update({ID: int(p["_meta"][ID]) if str(p["_meta"][ID]).isdigit() else p["_meta"][ID]}),
    ),
    (
        "subscription-id-own",
        "MCP-SUBS-001 MCP-SUBS-011",
        "acknowledges a subscription under an id of its own",
        lambda p: p["_meta"].update({ID: "sub-1"}),
    ),
    ("subscription-id-missing", "MCP-SUBS-001", "acknowledges a subscription without its id", lambda p: p.pop("_meta")),
    (
        "subscription-grants-all",
        "MCP-SUBS-002",
        "grants more than was asked for",
        lambda p: p.update(
            notifications=dict.fromkeys(("toolsListChanged", "promptsListChanged", "resourcesListChanged"), True)
            | {"resourceSubscriptions": ["file:///story/guide.md"]}
        ),
    ),
    (
        "subscription-grants-any-uri",
        "MCP-SUBS-002",
        "grants resources that nobody named",
        lambda p: p["notifications"].update(resourceSubscriptions=["file:///story/guide.md"]),
    ),
]:
    BOOK.add(_name, _breaks, _what, on_lines=_acknowledged(_change))


def _listens(change: Callable[[FullReference, Method, Params], Params]) -> OnFeatures:
    def changed(server: FullReference) -> None:
        right = server.stateless_methods["subscriptions/listen"]
        server.stateless_methods["subscriptions/listen"] = lambda params: change(server, right, params)

    return changed


def _one_only(server: FullReference, right: Method, params: Params) -> Params:
    streams = [*server.subscriptions.streams.values()]
    server.now.id = streams[0].id if streams else server.now.id
    return right(params)


BOOK.add(
    "subscription-answered",
    "MCP-SUBS-004 MCP-SUBS-001 MCP-SUBS-012",
    "answers a subscription at once in place of acknowledging it",
    on_features=_listens(lambda _s, _right, _params: {}),
)
BOOK.add(
    "subscription-unfiltered",
    "MCP-SUBS-003",
    "takes a subscription without a filter",
    on_features=_listens(lambda _s, right, params: right({"notifications": {}} | params)),
)
BOOK.add(
    "subscription-one-only",
    "MCP-SUBS-011",
    "keeps one subscription and takes others for it",
    on_features=_listens(_one_only),
)


@BOOK.lines("subscription-answered-too", "MCP-SUBS-004", "answers a subscription when it has acknowledged it")
def _(handler: Any) -> Any:
    def lines(line: str) -> list[str]:
        message = read(line) or {}
        answers = [*handler(line)]
        if message.get("method") == "subscriptions/listen" and any(ACKNOWLEDGED in answer for answer in answers):
            answers.append(result_line(message["id"], {"resultType": "complete"}))
        return answers

    return lines


@BOOK.lines("subscription-outlives-cancel", "MCP-SUBS-008", "announces changes when a subscription was cancelled")
def _(handler: Any) -> Any:
    ended: list[object] = []

    def lines(line: str) -> list[str]:
        message = read(line) or {}
        params = message.get("params")
        if message.get("method") == "notifications/cancelled" and isinstance(params, dict):
            ended.append(params.get("requestId"))
        told = notification_line("notifications/tools/list_changed", {"_meta": {ID: ended[-1]}}) if ended else ""
        return [*([told] if ended and is_request(message) else []), *handler(line)]

    return lines


@BOOK.lines("subscription-blocks", "MCP-SUBS-008", "serves nothing else once there was a subscription")
def _(handler: Any) -> Any:
    busy = [False]

    def answer(message: Message) -> Written | bool:
        blocked = busy[0] and is_request(message)
        busy[0] |= message.get("method") == "subscriptions/listen"
        return None if blocked else True

    return on_message(answer)(handler)


def _with_requests(*lines: str, behind: bool = False) -> Any:
    """Something of the server's own with every list."""
    when = method_is("tools/list", "server/discover")

    def wrap(handler: Any) -> Any:
        def given(line: str) -> list[str]:
            now = when(read(line) or {})
            return [*(lines if now and not behind else ()), *handler(line), *(lines if now and behind else ())]

        return given

    return wrap


for _name, _breaks, _what, _line in [
    (
        "changes-unasked",
        "MCP-SUBS-007 MCP-STDIO-011",
        "announces a change without a subscription",
        notification_line("notifications/tools/list_changed"),
    ),
    (
        "logs-unasked",
        "MCP-LOG-006 MCP-STDIO-011",
        "logs to a client that asked for no log",
        notification_line("notifications/message", {"level": "info", "data": "x"}),
    ),
    (
        "progress-unasked-for",
        "MCP-STDIO-011 MCP-PROG-001",
        "reports progress that nobody asked for",
        notification_line("notifications/progress", {"progressToken": 0, "progress": 1}),
    ),
    (
        "cancels-unasked",
        "MCP-CANC-008",
        "cancels something that is no subscription",
        notification_line("notifications/cancelled", {"requestId": "x"}),
    ),
    ("asks-by-request", "MCP-STDIO-010", "asks its client by a request", asks("roots/list")),
]:
    BOOK.add(_name, _breaks, _what, also="MCP-PROG- MCP-LIFE- MCP-CLI-", on_lines=_with_requests(_line))


@BOOK.featured(
    "log-level-remembered", "MCP-LOG-007", "goes on at a level that an earlier request named", also="MCP-LOG-006"
)
def _(server: FullReference) -> None:
    right, known = server.checked, dict[str, Any]()

    def checked(meta: object) -> Params:
        found = right(meta)
        known.update({k: v for k, v in found.items() if k.endswith("logLevel")})
        return known | found

    server.checked = checked


@BOOK.featured("log-level-ignored", "MCP-LOG-007", "logs below the level that a request named")
def _(server: FullReference) -> None:
    right = server.checked

    def checked(meta: object) -> Params:
        found = right(meta)
        name = PREFIX + "logLevel"
        return found | {name: "debug"} if name in found else found

    server.checked = checked


@BOOK.featured("log-asked-in-vain", "MCP-LOG-007", "logs nothing to a request that asked for it")
def _(server: FullReference) -> None:
    vars(server.logs)["log"] = lambda _level, _data: None


def _grows(method: str, member: str, entry: Params) -> Any:
    """A list that grows when something is refused."""

    def wrap(handler: Any) -> Any:
        extra = [0]

        def lines(line: str) -> list[str]:
            message = read(line) or {}
            extra[0] += message.get("method") in {"tools/call", "resources/read", "prompts/get"}
            longer = each_result(method, lambda found: found[member].extend([entry] * extra[0]))
            return [*longer(handler)(line)]

        return lines

    return wrap


BOOK.add(
    "tools-grow",
    "MCP-TOOL-015",
    "lists more tools after a call",
    also="MCP-TOOL-",
    on_lines=_grows("tools/list", "tools", {"name": "more", "inputSchema": {"type": "object"}}),
)
BOOK.add(
    "resources-grow",
    "MCP-RES-017",
    "lists more resources after a read",
    also="MCP-RES-",
    on_lines=_grows("resources/list", "resources", {"uri": "file:///more", "name": "more"}),
)
BOOK.add(
    "prompts-grow",
    "MCP-PROMPT-011",
    "lists more prompts after one was got",
    also="MCP-PROMPT-",
    on_lines=_grows("prompts/list", "prompts", {"name": "more"}),
)


def _header(value: Params) -> Any:
    return each_result("tools/list", lambda found: found["tools"][0]["inputSchema"]["properties"].update(a=value))


BOOK.add(
    "header-blank",
    "MCP-TOOL-033",
    "names a header with a blank in it",
    on_lines=_header({"type": "string", "x-mcp-header": "X Tenant"}),
)
BOOK.add(
    "header-on-object",
    "MCP-TOOL-033",
    "names a header on a property that is an object",
    on_lines=_header({"type": "object", "x-mcp-header": "X-Tenant"}),
)
