"""Right servers that are unusual. Each passes every case, or a case would blame a liberty that the text leaves.

A variant that does what a line only advises against names that line in `also`: a warning there is right.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..messages import INVALID_PARAMS, RpcError, notification_line, to_json
from ..protocol import ToolResult, ToolSpec
from .catalogue import Shelf, shelf
from .filters import Message, Written, each_error, each_line, each_reply, error, is_request, on_message, read, result
from .model import Book, Handler, OnServer, Serve
from .unasked import asks

if TYPE_CHECKING:
    from ..build import Reference
    from ..features import FullReference
    from ..protocol import Tool

BOOK = Book()
BARE = Book(bare=True)
FEATURED = Book(features=True)
MODERN = Book(features=True, revision="2026-07-28")
Params = dict[str, Any]
Write = Callable[[bytes], object]


def _again(line: str, **style: Any) -> str:
    """The same message in another style of writing JSON."""
    return json.dumps(json.loads(line), **style)


def _turned(value: Any) -> Any:
    """The same value with the members of every object in the opposite order."""
    if isinstance(value, dict):
        return {key: _turned(value[key]) for key in reversed(value)}
    return [_turned(each) for each in value] if isinstance(value, list) else value


BOOK.add("crlf", "", "ends its lines with a carriage return as well", on_lines=each_line(lambda line: [line + "\r"]))
BOOK.add(
    "spaced", "", "writes blanks between the members", on_lines=each_line(lambda line: [" " + _again(line) + "  "])
)
BOOK.add(
    "unescaped",
    "",
    "writes all characters as they are, also Unicode's own line separators",
    on_lines=each_line(lambda line: [_again(line, ensure_ascii=False)]),
)
BOOK.add(
    "members-turned",
    "",
    "writes the members in the opposite order",
    on_lines=each_line(lambda line: [json.dumps(_turned(json.loads(line)))]),
)


def _extra(_request: Message, reply: Message) -> Message:
    found = reply.get("result")
    if isinstance(found, dict) and found:
        found["x-took"] = 3
        found["_meta"] = {"com.example/took": {"ms": 3}}
        for each in (*found.get("tools", ()), *found.get("content", ())):
            each["x-note"] = None
        if "serverInfo" in found:
            found["serverInfo"] |= {"title": "A story", "websiteUrl": "https://example.com"}
            found["capabilities"] |= {"experimental": {"com.example/x": {}}, "x-later": {"a": 1}}
    elif isinstance(reply.get("error"), dict):
        reply["error"]["data"] = {"hint": ["look", 1, None]}
    return reply


BOOK.add("extra-members", "", "writes members that no revision knows", on_lines=each_reply(_extra))
BOOK.add(
    "wordy-errors",
    "",
    "says many things in an error, on many lines",
    on_lines=each_error(lambda _q, r: r | {"error": r["error"] | {"message": "No.\n" * 50, "data": "x" * 5000}}),
)
BOOK.add(
    "is-error-left-out",
    "",
    "leaves isError out where it is false",
    on_lines=each_reply(
        lambda _q, r: (
            r | {"result": {k: v for k, v in r["result"].items() if k != "isError" or v}} if "result" in r else r
        )
    ),
)
BOOK.add(
    "errors-without-id",
    "",
    "leaves the id out of an error about what it could not read",
    on_lines=each_error(lambda _q, r: {k: v for k, v in r.items() if k != "id" or v is not None}),
)


@BOOK.lines("server-pings", "", "pings its client before every fifth reply")
def _(handler: Handler) -> Handler:
    count = [0]

    def lines(line: str) -> Iterator[str]:
        for answer in handler(line):
            count[0] += 1
            if count[0] % 5 == 0:
                yield asks("ping", f"ping-{count[0]}")
            yield answer

    return lines


@BOOK.lines("strict-opening", "", "refuses what comes before the opening is done, and a second opening")
def _(handler: Handler) -> Handler:
    state = ["new"]

    def answer(message: Message) -> Written | bool:
        method = message.get("method")
        if method == "initialize" and is_request(message):
            again, state[0] = state[0] != "new", "opening"
            return error(message, -32600, "opened already") if again else True
        if method == "notifications/initialized":
            state[0] = "open"
        early = state[0] == "new" and is_request(message) and method != "ping"
        return error(message, -32600, "not opened") if early else True

    return on_message(answer)(handler)


@BOOK.server("no-instructions", "", "has no instructions")
def _(server: Reference) -> None:
    server.instructions = ""


@BOOK.server("changes-told", "", "declares that its list of tools changes, and tells each change")
def _(server: Reference) -> None:
    server.capabilities["tools"] = {"listChanged": True}
    right = server.register_tool

    def register(spec: ToolSpec, handler: Any) -> None:
        right(spec, handler)
        server.notify("notifications/tools/list_changed")

    vars(server)["register_tool"] = register


class _KeepsSpec(Shelf):
    """Keeps the first description and schema of a name; the handler is the new one."""

    def add(self, tool: Tool) -> None:
        place = self.place(tool.spec.name)
        super().add(tool if place is None else tool._replace(spec=self.held[place].spec))


BOOK.add(
    "spec-kept", "", "keeps the description and schema of a name that is registered again", on_server=shelf(_KeepsSpec)
)


@BOOK.server("hook-not-for-refused", "", "runs no hook for a call whose arguments it refuses")
def _(server: Reference) -> None:
    right = server.run_tool

    def run(tool: Tool, arguments: Params) -> Any:
        lacking = {*tool.spec.input_schema.get("required", [])} - {*arguments}
        hook = server.before_tool_call
        if lacking:
            server.before_tool_call = None
        try:
            return right(tool, arguments)
        finally:
            if lacking:
                server.before_tool_call = hook

    vars(server)["run_tool"] = run


def _only(revision: str) -> OnServer:
    def change(server: Reference) -> None:
        server.revisions = (revision,)

    return change


for _revision in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"):
    _what = f"speaks {_revision} and no other revision"
    BOOK.add(f"only-{_revision}", "", _what, revision=_revision, on_server=_only(_revision))
BOOK.add(
    "unknown-tool-by-result",
    "",
    "refuses an unknown tool by a result with isError",
    also="MCP-TOOL-022",
    why="the pages advise the other form",
    on_lines=each_error(
        lambda request, reply: (
            result(request, {"content": [{"type": "text", "text": reply["error"]["message"]}], "isError": True})
            if "Unknown tool" in reply["error"]["message"]
            else reply
        )
    ),
)


# Without probes: liberties that the documented system does not have.


@BARE.server("paged", "", "lists four tools on a page")
def _(server: Reference) -> None:
    right = server.methods["tools/list"]

    def lists(params: Params) -> Params:
        every = right({})["tools"]
        starts = {f"from {place}": place for place in range(4, len(every), 4)}
        cursor = params.get("cursor", "")
        if "cursor" in params and (not isinstance(cursor, str) or cursor not in starts):
            raise RpcError(INVALID_PARAMS, "unknown cursor")
        begin = starts.get(cursor, 0)
        page: Params = {"tools": every[begin : begin + 4]}
        return page | {"nextCursor": f"from {begin + 4}"} if begin + 4 < len(every) else page

    server.methods["tools/list"] = lists


@BARE.server(
    "refused-by-params",
    "",
    "refuses arguments that do not fit with -32602, as older revisions allow",
    revision="2025-06-18",
)
def _(server: Reference) -> None:
    right = server.methods["tools/call"]

    def call(params: Params) -> Params:
        tool = server.catalogue.find(str(params.get("name")))
        given = params.get("arguments", {})
        if tool is not None and isinstance(given, dict) and {*tool.spec.input_schema.get("required", [])} - {*given}:
            raise RpcError(INVALID_PARAMS, "Invalid arguments")
        return right(params)

    server.methods["tools/call"] = call


@BARE.lines("rubbish-ignored-quietly", "", "does not answer what it cannot read")
def _(handler: Handler) -> Handler:
    unread = {-32700, -32600}
    return each_error(lambda _q, reply: None if reply["error"]["code"] in unread else reply)(handler)


@BARE.lines("rubbish-answered-late", "", "answers what it cannot read when three more lines have come")
def _(handler: Handler) -> Handler:
    held: list[list[str]] = [[], [], []]

    def lines(line: str) -> Iterator[str]:
        answers = [*handler(line)]
        late = [answer for answer in answers if (read(answer) or {}).get("id", 0) is None]
        held.append(late)
        yield from held.pop(0)
        yield from (answer for answer in answers if answer not in late)

    return lines


@BARE.server("no-tools", "", "offers nothing at all")
def _(server: Reference) -> None:
    server.capabilities.clear()
    for method in ("tools/list", "tools/call"):
        server.methods.pop(method)


@BARE.server("inherited-names", "", "has tools whose names are those of what objects inherit in JavaScript")
def _(server: Reference) -> None:
    for name in ("constructor", "__proto__"):
        spec = ToolSpec(name, "Looks at the story.", {"type": "object"})
        server.register_tool(spec, lambda _arguments: ToolResult(True, "a story"))


@BARE.server("empty-lists", "", "declares tools and has none")
def _(server: Reference) -> None:
    server.catalogue.admits = lambda _name: False


# With the rest of MCP.


@FEATURED.lines("early-log", "", "logs to its client before it answers initialize")
def _(handler: Handler) -> Handler:
    def lines(line: str) -> Iterator[str]:
        if (read(line) or {}).get("method") == "initialize":
            yield notification_line("notifications/message", {"level": "info", "data": "started"})
        yield from handler(line)

    return lines


@FEATURED.featured("everything", "", "offers all that MCP has")
def _(_server: FullReference) -> None:
    pass


@FEATURED.featured("empty-offers", "", "declares resources and prompts and has none")
def _(server: FullReference) -> None:
    server.resources.listed.clear()
    server.resources.templates.clear()
    server.prompts.listed.clear()


@FEATURED.featured("pages-of-one", "", "lists one resource and one prompt on a page")
def _(server: FullReference) -> None:
    server.pages.sizes |= {"prompts": 1, "resources": 1}


@FEATURED.featured("handshake-only", "", "offers all that MCP has, in the handshake era only")
def _(server: FullReference) -> None:
    server.era = "handshake"


@MODERN.featured("stateless", "", "speaks the era without a handshake as well")
def _(_server: FullReference) -> None:
    pass


@MODERN.featured("stateless-only", "", "speaks the era without a handshake only")
def _(server: FullReference) -> None:
    server.era = "stateless"


@MODERN.featured("stateless-paged", "", "lists four tools on a page")
def _(server: FullReference) -> None:
    server.pages.sizes["tools"] = 4


@MODERN.lines("nameless", "", "does not say in its results who it is", also="MCP-META-010", why="the text advises it")
def _(handler: Handler) -> Handler:
    def quiet(_request: Message, reply: Message) -> Message:
        if isinstance(reply.get("result"), dict):
            reply["result"].pop("_meta", None)
        return reply

    return each_reply(quiet)(handler)


# Between the streams.


@BOOK.serve("stderr-flood", "", "writes a great deal to standard error, at the start and all the time")
def _(serve: Serve) -> Serve:
    def run(lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        os.write(2, b"starting up\n" * 20_000)

        def lines(line: str) -> Iterable[str]:
            os.write(2, b"DEBUG " + b"x" * 1000 + b"\n")
            return handler(line)

        serve(lines_in, write, lines)

    return run


@BOOK.serve("slow", "", "takes a while for every reply, and its time to start")
def _(serve: Serve) -> Serve:
    def run(lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        time.sleep(0.2)

        def late(line: bytes) -> None:
            time.sleep(0.001)
            write(line)

        serve(lines_in, late, handler)

    return run


@BOOK.serve("out-of-order", "", "answers what came at once in the opposite order")
def _(_serve: Serve) -> Serve:
    def run(_lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        rest = b""
        while chunk := os.read(sys.stdin.fileno(), 1 << 20):
            *lines, rest = (rest + chunk).split(b"\n")
            answers = [a for line in lines for a in handler(line.decode("utf-8", "surrogateescape"))]
            for answer in reversed(answers):
                write(answer.encode("utf-8", "surrogateescape") + b"\n")

    return run


@BOOK.serve("in-pieces", "", "writes every message in pieces, cut anywhere")
def _(serve: Serve) -> Serve:
    def run(lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        def pieces(line: bytes) -> None:
            for place in range(0, len(line), 701):
                write(line[place : place + 701])

        serve(lines_in, pieces, handler)

    return run


@BOOK.serve("ends-with-3", "", "ends with another status than 0")
def _(serve: Serve) -> Serve:
    def run(lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        serve(lines_in, write, handler)
        raise SystemExit(3)

    return run


def _kind(handler: Handler) -> Handler:
    def lines(line: str) -> Iterable[str]:
        message = read(line)
        if message is not None and is_request(message) and isinstance(message["method"], str):
            params = message.get("params")
            if (
                message.get("jsonrpc") != "2.0"
                or (params is not None and not isinstance(params, dict))
                or ("params" in message and params is None)
            ):
                line = to_json(message | {"jsonrpc": "2.0", "params": params if isinstance(params, dict) else {}})
        return handler(line)

    return lines


BOOK.add("kind", "", "serves a request without its version, or with params of null or a list", on_lines=_kind)
