"""Faults of resources, prompts, completion and logging: what is listed, read, got, suggested and told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..messages import RpcError, notification_line
from .filters import Message, Written, each_error, each_line, each_result, error, is_request, on_message, read, result
from .model import Book, OnFeatures

if TYPE_CHECKING:
    from ..features import FullReference

BOOK = Book(
    also="MCP-RES- MCP-PROMPT- MCP-COMP- MCP-LOG- MCP-PAGE- MCP-WIRE- MCP-CACHE- MCP-DISC- MCP-LIFE-014 MCP-LIFE-013",
    why="the same lists are looked at for other reasons",
    features=True,
)
Params = dict[str, Any]


def _list(server: FullReference, name: str) -> list[Params]:
    resources = server.resources
    return {"resources": resources.listed, "templates": resources.templates, "prompts": server.prompts.listed}[name]


def _first(list_: str, change: Callable[[Params], object]) -> OnFeatures:
    """Changes the first entry of one of the lists."""

    def changed(server: FullReference) -> None:
        change(_list(server, list_)[0])

    return changed


def _all(list_: str, change: Callable[[list[Params]], object]) -> OnFeatures:
    def changed(server: FullReference) -> None:
        change(_list(server, list_))

    return changed


for _name, _breaks, _what, _how in [
    (
        "resource-without-name",
        "MCP-RES-003",
        "lists a resource without a name",
        _first("resources", lambda r: r.pop("name")),
    ),
    (
        "resource-uri-object",
        "MCP-RES-003",
        "lists a URI as an object",
        _first("resources", lambda r: r.update(uri={"href": r["uri"]})),
    ),
    ("resource-size-text", "MCP-RES-003", "lists a size as a text", _first("resources", lambda r: r.update(size="19"))),
    (
        "resource-description-null",
        "MCP-RES-003",
        "lists a description of null",
        _first("resources", lambda r: r.update(description=None)),
    ),
    (
        "resource-path",
        "MCP-RES-005",
        "lists a path for a URI",
        _first("resources", lambda r: r.update(uri="/story/notes.md")),
    ),
    (
        "resource-uri-blank",
        "MCP-RES-005",
        "lists a URI with a blank in it",
        _first("resources", lambda r: r.update(uri="file:///story/my notes.md")),
    ),
    ("resource-twice", "MCP-RES-020", "lists a resource twice", _all("resources", lambda rs: rs.insert(0, rs[0]))),
    (
        "template-without-name",
        "MCP-RES-004",
        "lists a template without a name",
        _first("templates", lambda t: t.pop("name")),
    ),
    (
        "template-uri",
        "MCP-RES-004",
        "lists a template under another name",
        _first("templates", lambda t: t.update(uri=t.pop("uriTemplate"))),
    ),
    (
        "prompt-name-number",
        "MCP-PROMPT-003",
        "lists a prompt whose name is a number",
        _first("prompts", lambda p: p.update(name=7)),
    ),
    (
        "prompt-arguments-object",
        "MCP-PROMPT-003",
        "lists a prompt's arguments as an object",
        _first("prompts", lambda p: p.update(arguments={"a": "string"})),
    ),
    (
        "prompt-argument-name",
        "MCP-PROMPT-003",
        "lists a prompt's arguments by name only",
        _first("prompts", lambda p: p.update(arguments=["a"])),
    ),
    (
        "prompt-required-word",
        "MCP-PROMPT-003",
        "lists required as a word",
        _first("prompts", lambda p: p.update(arguments=[{"name": "a", "required": "no"}])),
    ),
    ("prompt-twice", "MCP-PROMPT-012", "lists a prompt twice", _all("prompts", lambda ps: ps.insert(0, ps[0]))),
]:
    BOOK.add(_name, _breaks, _what, on_features=_how)


def _contents(change: Callable[[Params], object]) -> Any:
    """A filter on what a resource is read as."""

    def changed(found: Message) -> None:
        for each in found["contents"]:
            change(each)

    return each_result("resources/read", changed)


def _messages(change: Callable[[Params], object]) -> Any:
    """A filter on the messages of a prompt."""

    def changed(found: Message) -> None:
        for each in found["messages"]:
            change(each)

    return each_result("prompts/get", changed)


def _blob(change: Callable[[str], str]) -> OnFeatures:
    """Another blob in the place of the image."""

    def changed(server: FullReference) -> None:
        image = server.resources.fixed["story://cover.png"]
        image["blob"] = change(image["blob"])

    return changed


for _name, _breaks, _what, _filter in [
    ("contents-without-uri", "MCP-RES-006", "reads a resource without its URI", _contents(lambda c: c.pop("uri"))),
    (
        "contents-neither",
        "MCP-RES-006",
        "reads a resource as neither text nor blob",
        _contents(lambda c: (c.pop("text", None), c.pop("blob", None))),
    ),
    (
        "contents-data",
        "MCP-RES-006",
        "reads a resource under another name",
        _contents(lambda c: c.update(data=c.pop("text", ""))),
    ),
    (
        "contents-object",
        "MCP-RES-006 MCP-RES-008",
        "reads a resource as one object",
        each_result("resources/read", lambda r: r.update(contents=r["contents"][0])),
    ),
    (
        "message-role-system",
        "MCP-PROMPT-004",
        "gives a prompt's message the role system",
        _messages(lambda m: m.update(role="system")),
    ),
    (
        "message-content-text",
        "MCP-PROMPT-004",
        "gives a prompt's content as a text",
        _messages(lambda m: m.update(content="Write.")),
    ),
    (
        "message-content-list",
        "MCP-PROMPT-004",
        "gives a prompt's content as a list",
        _messages(lambda m: m.update(content=[m["content"]])),
    ),
    (
        "message-type-unknown",
        "MCP-PROMPT-005",
        "gives a block of a type that MCP does not have",
        _messages(lambda m: m["content"].update(type="markdown")),
    ),
    (
        "message-image-bytes",
        "MCP-PROMPT-005",
        "gives an image that is not base64",
        _messages(lambda m: m.update(content={"type": "image", "data": "<svg/>", "mimeType": "image/svg+xml"})),
    ),
    (
        "message-image-untyped",
        "MCP-PROMPT-005",
        "gives an image without its type",
        _messages(lambda m: m.update(content={"type": "image", "data": "AAAA"})),
    ),
    (
        "message-resource-untyped",
        "MCP-PROMPT-006",
        "embeds a resource without its type",
        _messages(lambda m: m["content"].get("resource", {}).pop("mimeType", None)),
    ),
    (
        "completion-bare",
        "MCP-COMP-002",
        "gives suggestions without the object around them",
        each_result("completion/complete", lambda r: r["completion"]),
    ),
    (
        "completion-objects",
        "MCP-COMP-002",
        "gives suggestions as objects",
        each_result("completion/complete", lambda r: r["completion"].update(values=[{"value": "Mira"}])),
    ),
    (
        "completion-total-text",
        "MCP-COMP-002",
        "gives their total as a text",
        each_result("completion/complete", lambda r: r["completion"].update(total="2")),
    ),
    (
        "completion-too-many",
        "MCP-COMP-003",
        "gives two hundred suggestions",
        each_result("completion/complete", lambda r: r["completion"].update(values=["x"] * 200)),
    ),
    (
        "resources-null-cursor",
        "MCP-PAGE-001",
        "says null for the next page of resources",
        each_result("resources/list", lambda r: r.update(nextCursor=None)),
    ),
    (
        "prompts-number-cursor",
        "MCP-PAGE-001",
        "says a number for the next page of prompts",
        each_result("prompts/list", lambda r: r.update(nextCursor=1)),
    ),
]:
    BOOK.add(_name, _breaks, _what, also="MCP-SUBS-" if "contents" in _name else "", on_lines=_filter)

BOOK.add("blob-is-text", "MCP-RES-007", "gives a blob that is not base64", on_features=_blob(lambda _b: "<binary>"))
BOOK.add(
    "blob-in-url-letters",
    "MCP-RES-007",
    "gives a blob in the letters for URLs",
    on_features=_blob(lambda _b: "-_-_-_-_"),
)
BOOK.add(
    "blob-unpadded", "MCP-RES-007", "gives a blob without its padding", on_features=_blob(lambda b: b.rstrip("=")[:-1])
)


def _refused(method: str, code: int = -32603) -> Any:
    return on_message(lambda m: error(m, code) if is_request(m) and m["method"] == method else True)


def _code(from_: int, to: int) -> Any:
    """A filter on the code of errors."""

    def changed(_request: Message, reply: Message) -> Message:
        found = reply["error"]
        return reply | {"error": found | {"code": to}} if found["code"] == from_ else reply

    return each_error(changed)


for _name, _breaks, _what, _method in [
    ("resources-not-listed", "MCP-RES-002", "refuses to list its resources", "resources/list"),
    ("resource-not-read", "MCP-RES-008", "refuses to read what it lists", "resources/read"),
    ("subscribe-refused", "MCP-RES-013", "refuses a subscription though it declares them", "resources/subscribe"),
    ("unsubscribe-refused", "MCP-RES-013", "refuses to end a subscription", "resources/unsubscribe"),
    ("prompts-not-listed", "MCP-PROMPT-002", "refuses to list its prompts", "prompts/list"),
]:
    BOOK.add(_name, _breaks, _what, on_lines=_refused(_method))

BOOK.add(
    "resource-missing-code",
    "MCP-RES-009",
    "refuses a resource that is not there with code -32603",
    on_lines=_code(-32002, -32603),
)
BOOK.add(
    "prompt-unknown-code",
    "MCP-PROMPT-007 MCP-PROMPT-008 MCP-PROMPT-009 MCP-COMP-004",
    "refuses an unknown prompt with code 0",
    also="MCP-TOOL- MCP-LIFE-008 MCP-BASE- MCP-TASK-",
    why="one code for all wrong params",
    on_lines=_code(-32602, 0),
)


def _forgiving(method: str, value: object) -> Any:
    """Answers with a result where the right server refuses."""

    def changed(request: Message, reply: Message) -> Written:
        return result(request, value) if request.get("method") == method else reply

    return each_error(changed)


for _name, _breaks, _what, _method, _value in [
    (
        "resource-missing-empty",
        "MCP-RES-009 MCP-RES-012",
        "reads a resource that is not there as nothing",
        "resources/read",
        {"contents": []},
    ),
    (
        "prompt-unknown-empty",
        "MCP-PROMPT-007 MCP-PROMPT-009",
        "gets an unknown prompt as nothing",
        "prompts/get",
        {"messages": []},
    ),
    (
        "completion-unknown-empty",
        "MCP-COMP-004",
        "suggests nothing for an unknown prompt",
        "completion/complete",
        {"completion": {"values": []}},
    ),
    ("level-unchecked", "MCP-LOG-005", "takes any word for a level", "logging/setLevel", {}),
]:
    BOOK.add(_name, _breaks, _what, on_lines=_forgiving(_method, _value))


@BOOK.featured("climbs-out", "MCP-RES-018", "reads a file outside of its tree for a URI that climbs out of it")
def _(server: FullReference) -> None:
    right = server.resources.read

    def read_(uri: str) -> Params | None:
        if uri.endswith("/etc/passwd") and uri != "file:///etc/passwd":
            return {"uri": uri, "text": "root:x:0:0:root:/root:/bin/sh"}
        return right(uri)

    vars(server.resources)["read"] = read_


@BOOK.lines("context-refused", "MCP-COMP-005", "refuses a completion with a context")
def _(handler: Any) -> Any:
    def answer(message: Message) -> Written | bool:
        params = message.get("params")
        wrong = message.get("method") == "completion/complete" and isinstance(params, dict) and "context" in params
        return error(message, -32602, "unknown member context") if wrong else True

    return on_message(answer)(handler)


def _levels(known: tuple[str, ...]) -> Any:
    def answer(message: Message) -> Written | bool:
        params = message.get("params")
        level = params.get("level") if isinstance(params, dict) else None
        wrong = message.get("method") == "logging/setLevel" and level not in known
        return error(message, -32602, "unknown level") if wrong and is_request(message) else True

    return on_message(answer)


BOOK.add(
    "four-levels", "MCP-LOG-003", "knows four levels of eight", on_lines=_levels(("debug", "info", "warning", "error"))
)


@BOOK.featured("level-ignored", "MCP-LOG-004", "sends messages below the level that was set")
def _(server: FullReference) -> None:
    set_level = server.logs.set_level
    server.methods["logging/setLevel"] = lambda params: (
        set_level(params),
        vars(server.logs).update(level="debug"),
        {},
    )[2]


@BOOK.featured("level-too-high", "MCP-LOG-004", "does not send messages at the level that was set")
def _(server: FullReference) -> None:
    right = server.logs.log

    def log(level: str, data: object) -> None:
        if level != server.logs.level:
            right(level, data)

    vars(server.logs)["log"] = log


def _logged(change: Callable[[Params], object]) -> Any:
    """A filter on log messages."""

    def changed(line: str) -> list[str]:
        message = read(line)
        if message is None or message.get("method") != "notifications/message":
            return [line]
        change(message["params"])
        return [notification_line("notifications/message", message["params"])]

    return each_line(changed)


for _name, _what, _change in [
    ("log-level-number", "writes a message's level as a number", lambda p: p.update(level=4)),
    (
        "log-level-warn",
        "writes levels in words of its own",
        lambda p: p.update(level={"warning": "warn", "error": "err"}.get(p["level"], p["level"])),
    ),
    ("log-without-data", "writes its words under another name", lambda p: p.update(message=p.pop("data"))),
    ("log-logger-null", "writes null for its logger", lambda p: p.update(logger=None)),
    ("log-data-text", "writes all data as texts", lambda p: p.update(data=str(p["data"]))),
]:
    BOOK.add(_name, "MCP-LOG-002", _what, on_lines=_logged(_change))


@BOOK.featured("changes-untold", "MCP-RES-016 MCP-PROMPT-010", "does not tell of a change of its lists")
def _(server: FullReference) -> None:
    right = server.notify

    def notify(method: str, params: Params | None = None) -> None:
        if not method.endswith("/list_changed"):
            right(method, params)

    vars(server)["notify"] = notify


@BOOK.featured("reads-by-refusing", "MCP-RES-012", "reads the first resource where no URI is named")
def _(server: FullReference) -> None:
    right = server.resources.read_request

    def read_(params: Params) -> Params:
        try:
            return right(params)
        except RpcError:
            if isinstance(params.get("uri"), str):
                raise
            return right({"uri": "file:///story/guide.md"})

    server.methods["resources/read"] = read_
