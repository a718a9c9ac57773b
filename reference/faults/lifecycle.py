"""Faults of the opening and of what was agreed on in it: revision, capabilities, requests and notifications."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ..messages import RpcError
from .filters import Message, Written, each_reply, error, is_request, on_message, read, result
from .model import Book, Handler

if TYPE_CHECKING:
    from ..build import Reference

BOOK = Book(also="MCP-LIFE- SRV-REPLY-2 SRV-REPLY-3 MCP-TOOL-012", why="the same answer is looked at for other reasons")
Params = dict[str, Any]


def _opening(change: Callable[[Message, Message], object]) -> Any:
    """A filter on the answer to initialize: `change` gets the request's params and the result."""

    def changed(request: Message, reply: Message) -> Message:
        if request.get("method") == "initialize" and "result" in reply:
            change(request["params"], reply["result"])
        return reply

    return each_reply(changed)


OPEN = "MCP-LIFE-001"
for _name, _breaks, _what, _change in [
    ("opening-without-revision", OPEN, "does not say its revision", lambda _p, r: r.pop("protocolVersion")),
    (
        "opening-revision-number",
        OPEN,
        "says its revision as a number",
        lambda _p, r: r.update(protocolVersion=20251125),
    ),
    ("opening-without-capabilities", OPEN, "does not say its capabilities", lambda _p, r: r.pop("capabilities")),
    (
        "opening-capabilities-list",
        OPEN,
        "lists its capabilities by name",
        lambda _p, r: r.update(capabilities=[*r["capabilities"]]),
    ),
    ("opening-without-server", OPEN, "does not say who it is", lambda _p, r: r.pop("serverInfo")),
    ("opening-without-version", OPEN, "does not say its version", lambda _p, r: r["serverInfo"].pop("version")),
    ("opening-version-number", OPEN, "says its version as a number", lambda _p, r: r["serverInfo"].update(version=1)),
    ("opening-name-null", OPEN, "says null for its name", lambda _p, r: r["serverInfo"].update(name=None)),
    ("opening-name-blank", "SRV-REPLY-2", "says a blank name", lambda _p, r: r["serverInfo"].update(name=" ")),
    (
        "opening-snake-case",
        OPEN,
        "writes the members in another form",
        lambda _p, r: r.update(protocol_version=r.pop("protocolVersion"), server_info=r.pop("serverInfo")),
    ),
    (
        "instructions-null",
        "MCP-LIFE-018 SRV-REPLY-3",
        "says null for its instructions",
        lambda _p, r: r.update(instructions=None),
    ),
    (
        "instructions-list",
        "MCP-LIFE-018 SRV-REPLY-3",
        "says its instructions as a list",
        lambda _p, r: r.update(instructions=[r["instructions"]]),
    ),
    (
        "instructions-blocks",
        "MCP-LIFE-018 SRV-REPLY-3",
        "says its instructions as a content block",
        lambda _p, r: r.update(instructions={"type": "text", "text": r["instructions"]}),
    ),
    ("instructions-blank", "SRV-REPLY-3", "says blank instructions", lambda _p, r: r.update(instructions=" ")),
    (
        "capability-true",
        "MCP-LIFE-002",
        "declares prompts by true",
        lambda _p, r: r["capabilities"].update(prompts=True),
    ),
    (
        "capability-null",
        "MCP-LIFE-002",
        "declares logging by null",
        lambda _p, r: r["capabilities"].update(logging=None),
    ),
    (
        "capability-list-changed-word",
        "MCP-LIFE-002",
        "declares listChanged by a word",
        lambda _p, r: r["capabilities"].update(tools={"listChanged": "yes"}),
    ),
    (
        "capability-subscribe-number",
        "MCP-LIFE-002",
        "declares subscribe by a number",
        lambda _p, r: r["capabilities"].update(resources={"subscribe": 1}),
    ),
    (
        "icons-object",
        "MCP-TOOL-012",
        "shows its icons as an object",
        lambda _p, r: r["serverInfo"].update(icons={"src": "x"}),
    ),
    (
        "icons-sizes-text",
        "MCP-TOOL-012",
        "shows an icon's sizes as a text",
        lambda _p, r: r["serverInfo"].update(icons=[{"src": "x", "sizes": "48x48"}]),
    ),
    (
        "confirms-anything",
        "MCP-LIFE-004 MCP-LIFE-005 MCP-LIFE-006",
        "confirms whatever revision is asked for",
        lambda p, r: r.update(protocolVersion=p["protocolVersion"]),
    ),
    (
        "confirms-future",
        "MCP-LIFE-004",
        "confirms a revision that is newer than any",
        lambda p, r: r.update(protocolVersion=max(p["protocolVersion"], r["protocolVersion"])),
    ),
    (
        "confirms-past",
        "MCP-LIFE-004",
        "confirms a revision that is older than any",
        lambda p, r: r.update(protocolVersion=min(p["protocolVersion"], r["protocolVersion"])),
    ),
    (
        "agrees-on-stateless",
        "MCP-LIFE-006",
        "agrees on a revision without a handshake",
        lambda p, r: r.update(
            protocolVersion=p["protocolVersion"] if p["protocolVersion"] == "2026-07-28" else r["protocolVersion"]
        ),
    ),
    (
        "names-oldest",
        "MCP-LIFE-005",
        "names its oldest revision where it does not know the one that is asked for",
        lambda p, r: r.update(protocolVersion="2024-11-05") if p["protocolVersion"] != r["protocolVersion"] else None,
    ),
    (
        "confirms-known-clients",
        "MCP-LIFE-003",
        "confirms the newest revision to clients that it knows, and an older one to others",
        lambda p, r: r.update(protocolVersion="2025-03-26") if p["clientInfo"].get("version") == "1" else None,
    ),
]:
    BOOK.add(
        _name,
        _breaks,
        _what,
        also="MCP-STDIO- MCP-BASE- MCP-PROMPT- MCP-RES- MCP-LOG- MCP-TOOL-032 SRV-LIST-"
        if "capability" in _name
        else "",
        why="what is declared is judged",
        on_lines=_opening(_change),
    )


def _declares(**capabilities: Any) -> Any:
    return _opening(lambda _p, r: r["capabilities"].update(capabilities))


UNASKED = "MCP-LIFE-017"
BOOK.add(
    "declares-resources-only",
    "MCP-RES-002",
    "declares resources and does not list them",
    also="MCP-RES- MCP-PAGE-",
    why="nothing of them is there",
    on_lines=_declares(resources={}),
)
BOOK.add(
    "declares-prompts-only",
    "MCP-PROMPT-002",
    "declares prompts and does not list them",
    also="MCP-PROMPT- MCP-PAGE-",
    why="nothing of them is there",
    on_lines=_declares(prompts={}),
)
BOOK.add(
    "declares-completions-only",
    "MCP-COMP-004",
    "declares completions and has none",
    also="MCP-COMP-",
    why="nothing of them is there",
    on_lines=_declares(completions={}),
)
BOOK.add(
    "declares-logging-only",
    "MCP-LOG-003",
    "declares logging and takes no level",
    also="MCP-LOG-",
    why="nothing of it is there",
    on_lines=_declares(logging={}),
)
BOOK.add(
    "declares-tasks-only",
    "MCP-TASK-004 MCP-TASK-008",
    "declares tasks and has none",
    also="MCP-TASK-",
    why="nothing of them is there",
    on_lines=_declares(tasks={"list": {}, "cancel": {}}),
)
BOOK.add(
    "declares-list-changed-only",
    "MCP-TOOL-032",
    "declares listChanged for tools and tells no change",
    on_lines=_declares(tools={"listChanged": True}),
)


def _answers(method: str, value: object) -> Any:
    return on_message(lambda m: result(m, value) if is_request(m) and m["method"] == method else True)


LISTED = "MCP-LIFE-017 MCP-PAGE- MCP-PROMPT- MCP-RES- MCP-LOG- MCP-COMP- MCP-TASK-"
for _name, _breaks, _what, _method, _value in [
    (
        "undeclared-prompts",
        "MCP-LIFE-017 MCP-PROMPT-001",
        "lists prompts that it did not declare",
        "prompts/list",
        {"prompts": [{"name": "x"}]},
    ),
    (
        "undeclared-resources",
        "MCP-LIFE-017 MCP-RES-001",
        "lists resources that it did not declare",
        "resources/list",
        {"resources": [{"uri": "file:///x", "name": "x"}]},
    ),
    (
        "undeclared-prompts-empty",
        "MCP-LIFE-017",
        "answers an empty list of prompts that it did not declare",
        "prompts/list",
        {"prompts": []},
    ),
    (
        "undeclared-completions",
        "MCP-LIFE-017 MCP-COMP-001 MCP-COMP-006",
        "suggests something without having declared it",
        "completion/complete",
        {"completion": {"values": ["x"]}},
    ),
    ("undeclared-logging", "MCP-LIFE-017", "takes a level without having declared logging", "logging/setLevel", {}),
    (
        "undeclared-subscriptions",
        "MCP-RES-014",
        "takes a subscription without having declared it",
        "resources/subscribe",
        {},
    ),
    ("undeclared-tasks", "MCP-LIFE-017", "lists tasks that it did not declare", "tasks/list", {"tasks": []}),
]:
    BOOK.add(_name, _breaks, _what, also=LISTED, why="a method too many", on_lines=_answers(_method, _value))


@BOOK.server(
    "cursor-ignored", "MCP-PAGE-004 MCP-PAGE-005", "answers the whole list whatever the cursor", also="SRV-PARSE-"
)
def _(server: Reference) -> None:
    right = server.methods["tools/list"]
    server.methods["tools/list"] = lambda params: right({k: v for k, v in params.items() if k != "cursor"})


@BOOK.server(
    "tools-undeclared",
    "MCP-TOOL-001",
    "lists tools and does not declare them",
    also="MCP-LIFE-017 MCP-TOOL- MCP-BASE- SRV-",
    why="what needs the tools' capability is not judged",
)
def _(server: Reference) -> None:
    server.capabilities.pop("tools")


@BOOK.server("cursor-null", "MCP-PAGE-001", "says null where there is no next page", also="MCP-TOOL-")
def _(server: Reference) -> None:
    right = server.methods["tools/list"]
    server.methods["tools/list"] = lambda params: right(params) | {"nextCursor": None}


@BOOK.server("cursor-number", "MCP-PAGE-001", "says the next page by a number", also="MCP-TOOL-")
def _(server: Reference) -> None:
    right = server.methods["tools/list"]
    server.methods["tools/list"] = lambda params: right(params) | {"nextCursor": 2}


@BOOK.server("opening-unchecked", "MCP-LIFE-008", "answers an initialize without params")
def _(server: Reference) -> None:
    right = server.methods["initialize"]
    usual = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "", "version": ""}}

    def initialize(params: Params) -> Params:
        try:
            return right(params)
        except RpcError:
            return right(usual)

    server.methods["initialize"] = initialize


@BOOK.server("unknown-revision-refused", "MCP-LIFE-020 MCP-LIFE-005", "refuses a revision that it does not know")
def _(server: Reference) -> None:
    right = server.methods["initialize"]

    def initialize(params: Params) -> Params:
        if params.get("protocolVersion") not in server.revisions:
            raise RpcError(-32602, "Unsupported protocol version")
        return right(params)

    server.methods["initialize"] = initialize


@BOOK.server("unknown-capability-refused", "MCP-LIFE-007", "refuses a client with a capability that it does not know")
def _(server: Reference) -> None:
    right = server.methods["initialize"]

    def initialize(params: Params) -> Params:
        known = {"roots", "sampling", "elicitation", "tasks"}
        if {*params.get("capabilities", {})} - known or {*params.get("clientInfo", {})} - {"name", "version"}:
            raise RpcError(-32602, "unknown member")
        return right(params)

    server.methods["initialize"] = initialize


@BOOK.lines("dies-of-second-initialize", "MCP-LIFE-012", "ends at a second initialize")
def _(handler: Handler) -> Handler:
    count = [0]

    def lines(line: str) -> Iterable[str]:
        count[0] += (read(line) or {}).get("method") == "initialize"
        if count[0] > 1:
            raise SystemExit(1)
        return handler(line)

    return lines


def _until_opened(
    name: str, breaks: str, what: str, answer: Callable[[Message], Written], served: tuple[str, ...] = ()
) -> None:
    """A fault that holds until the client has said that it is initialized; methods that are `served` are none of it."""

    def wrap(handler: Handler) -> Handler:
        opened = [False]

        def given(message: Message) -> Written | bool:
            opened[0] |= message.get("method") == "notifications/initialized"
            free = opened[0] or message.get("method") in {"initialize", *served} or not is_request(message)
            return True if free else answer(message)

        return on_message(given)(handler)

    BOOK.add(
        name,
        breaks,
        what,
        on_lines=wrap,
        also="MCP-PING- MCP-BASE- SRV-",
        why="the cases that open a session themselves",
    )


def _leave(_message: Message) -> Written:
    raise SystemExit(1)


_until_opened(
    "dies-of-early-request",
    "MCP-LIFE-010 MCP-LIFE-011",
    "ends when a request other than ping comes before the opening is done",
    _leave,
    served=("ping",),
)
_until_opened("dies-of-early-ping", "MCP-PING-003", "ends when a ping comes before the opening is done", _leave)
_until_opened(
    "ping-refused-early",
    "MCP-PING-003",
    "refuses a ping before the opening is done",
    lambda m: error(m, -32002, "not initialized") if m["method"] == "ping" else error(m, -32002),
)
BOOK.add(
    "ping-unknown",
    "MCP-PING-001",
    "does not know ping",
    also="MCP-PING- MCP-BASE- MCP-STDIO- MCP-LIFE- SRV- MCP-CANC- MCP-PROG-",
    why="many cases send a ping",
    on_lines=on_message(lambda m: error(m, -32601) if is_request(m) and m["method"] == "ping" else True),
)
BOOK.add(
    "ping-says-pong",
    "MCP-PING-001",
    "answers a ping with a word in the result",
    also="MCP-PING- MCP-BASE- SRV-",
    why="many cases send a ping",
    on_lines=on_message(lambda m: result(m, {"message": "pong"}) if is_request(m) and m["method"] == "ping" else True),
)
