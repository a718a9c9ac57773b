"""Faults of the era without a handshake: metadata, versions, kinds of result, questions back, hints for caches."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .filters import Message, Written, each_error, each_reply, error, is_request, on_message, result
from .model import Book, Handler

if TYPE_CHECKING:
    pass

BOOK = Book(
    also="MCP-DISC- MCP-META- MCP-RTYPE- MCP-VER- MCP-CACHE- MCP-MRTR- MCP-WIRE- MCP-LIFE-001 MCP-BASE-",
    why="the same results are looked at for other reasons",
    features=True,
    revision="2026-07-28",
)
EVERYTHING = "MCP- ARG- SRV- PROBE-"
PREFIX = "io.modelcontextprotocol/"
Params = dict[str, Any]


def _results(change: Callable[[str, Params], object]) -> Any:
    """A filter on results: `change` gets the method, and works on the result in place."""

    def changed(request: Message, reply: Message) -> Message:
        if isinstance(reply.get("result"), dict):
            change(str(request.get("method")), reply["result"])
        return reply

    return each_reply(changed)


def _discovered(change: Callable[[Params], object]) -> Any:
    return _results(lambda method, found: change(found) if method == "server/discover" else None)


def _hinted(change: Callable[[Params], object]) -> Any:
    return _results(lambda _method, found: change(found) if "ttlMs" in found else None)


for _name, _breaks, _what, _filter in [
    (
        "hints-missing",
        "MCP-CACHE-001",
        "does not say how long an answer keeps",
        _hinted(lambda r: (r.pop("ttlMs"), r.pop("cacheScope"))),
    ),
    (
        "hint-scope-missing",
        "MCP-CACHE-001 MCP-CACHE-003",
        "does not say for whom an answer keeps",
        _hinted(lambda r: r.pop("cacheScope")),
    ),
    (
        "hint-time-text",
        "MCP-CACHE-002",
        "says as a text how long an answer keeps",
        _hinted(lambda r: r.update(ttlMs="60s")),
    ),
    (
        "hint-time-negative",
        "MCP-CACHE-002",
        "says that an answer keeps for -1 ms",
        _hinted(lambda r: r.update(ttlMs=-1)),
    ),
    ("hint-time-fraction", "MCP-CACHE-002", "says a time with a fraction", _hinted(lambda r: r.update(ttlMs=0.5))),
    ("hint-scope-word", "MCP-CACHE-003", "says a scope of its own", _hinted(lambda r: r.update(cacheScope="session"))),
    (
        "hint-scope-by-page",
        "MCP-CACHE-004",
        "says another scope for the last page",
        _hinted(lambda r: r.update(cacheScope="private" if "nextCursor" in r else "public")),
    ),
    (
        "discover-versions-text",
        "MCP-DISC-002",
        "says its versions as a text",
        _discovered(lambda r: r.update(supportedVersions="2026-07-28")),
    ),
    (
        "discover-versions-objects",
        "MCP-DISC-002",
        "says its versions as objects",
        _discovered(lambda r: r.update(supportedVersions=[{"version": v} for v in r["supportedVersions"]])),
    ),
    (
        "discover-no-capabilities",
        "MCP-DISC-002",
        "does not say its capabilities",
        _discovered(lambda r: r.pop("capabilities")),
    ),
    (
        "discover-instructions-null",
        "MCP-DISC-002",
        "says null for its instructions",
        _discovered(lambda r: r.update(instructions=None)),
    ),
    (
        "discover-other-versions",
        "MCP-DISC-003",
        "does not list the version that it speaks",
        _discovered(lambda r: r.update(supportedVersions=["2025-11-25"])),
    ),
    (
        "discover-capability-true",
        "MCP-DISC-004",
        "declares prompts by true",
        _discovered(lambda r: r["capabilities"].update(prompts=True)),
    ),
    (
        "discover-changes-word",
        "MCP-DISC-004",
        "declares listChanged by a word",
        _discovered(lambda r: r["capabilities"].update(tools={"listChanged": "yes"})),
    ),
    (
        "discover-bare-extension",
        "MCP-DISC-005",
        "names an extension without a prefix",
        _discovered(lambda r: r["capabilities"].update(extensions={"tasks": {}})),
    ),
    (
        "server-info-nameless",
        "MCP-META-014",
        "says its name under another member",
        _results(lambda _m, r: r.update(_meta={PREFIX + "serverInfo": {"title": "x", "version": "1"}})),
    ),
    (
        "server-info-text",
        "MCP-META-014",
        "says who it is as a text",
        _results(lambda _m, r: r.update(_meta={PREFIX + "serverInfo": "x/1"})),
    ),
    ("server-info-missing", "MCP-META-010", "does not say who it is", _results(lambda _m, r: r.pop("_meta", None))),
    (
        "type-missing",
        "MCP-RTYPE-001 MCP-VER-008",
        "does not say what kind a result is",
        _results(lambda _m, r: r.pop("resultType", None)),
    ),
    (
        "type-null",
        "MCP-RTYPE-001 MCP-VER-008",
        "says null for the kind of a result",
        _results(lambda _m, r: r.update(resultType=None)),
    ),
    (
        "type-own",
        "MCP-RTYPE-002 MCP-VER-010",
        "says a kind of its own",
        _results(lambda _m, r: r.update(resultType="done")),
    ),
    (
        "type-asks-in-list",
        "MCP-RTYPE-003",
        "asks for input where it lists",
        _results(lambda m, r: r.update(resultType="input_required", requestState="x") if m.endswith("/list") else None),
    ),
    (
        "trace-context",
        "MCP-BASE-027",
        "writes trace context of another form",
        _results(lambda _m, r: r["_meta"].update(traceparent="0af7651916cd43dd")),
    ),
    (
        "question-empty",
        "MCP-MRTR-001",
        "asks for input and does not say which",
        _results(lambda _m, r: (r.pop("inputRequests"), r.pop("requestState")) if "inputRequests" in r else None),
    ),
    (
        "question-method",
        "MCP-MRTR-002",
        "asks by a method of its own",
        _results(lambda _m, r: r["inputRequests"]["asked"].update(method="user/ask") if "inputRequests" in r else None),
    ),
    (
        "question-list",
        "MCP-MRTR-002",
        "lists its questions without names",
        _results(
            lambda _m, r: r.update(inputRequests=[*r["inputRequests"].values()]) if "inputRequests" in r else None
        ),
    ),
    (
        "question-state-object",
        "MCP-MRTR-003",
        "gives its state as an object",
        _results(lambda _m, r: r.update(requestState={"step": 1}) if "inputRequests" in r else None),
    ),
    (
        "question-without-message",
        "MCP-MRTR-013",
        "asks a user without a message",
        _results(
            lambda _m, r: r["inputRequests"]["asked"]["params"].pop("message", None) if "inputRequests" in r else None
        ),
    ),
    (
        "question-nested",
        "MCP-MRTR-013",
        "asks a user for an object",
        _results(
            lambda _m, r: (
                r["inputRequests"]["asked"]["params"].update(
                    requestedSchema={"type": "object", "properties": {"a": {"type": "object"}}}
                )
                if "inputRequests" in r and "elicit" in r["inputRequests"]["asked"]["method"]
                else None
            )
        ),
    ),
]:
    BOOK.add(
        _name,
        _breaks,
        _what,
        also="MCP-SUBS- MCP-PROMPT- MCP-RES- MCP-LOG- MCP-TOOL-" if "discover" in _name or "type" in _name else "",
        on_lines=_filter,
    )


def _code(from_: int, to: int) -> Any:
    def changed(_request: Message, reply: Message) -> Message:
        found = reply["error"]
        return reply | {"error": found | {"code": to}} if found["code"] == from_ else reply

    return each_error(changed)


def _data(change: Callable[[Params], Params | None]) -> Any:
    def changed(_request: Message, reply: Message) -> Message:
        found = reply["error"]
        if found["code"] == -32022:
            found["data"] = change(found["data"])
        return reply

    return each_error(changed)


BOOK.add(
    "version-refused-by-params",
    "MCP-VER-001",
    "refuses a version that it does not speak with code -32602",
    on_lines=_code(-32022, -32602),
)
BOOK.add(
    "version-refused-bare",
    "MCP-VER-001",
    "does not say in its refusal which versions it speaks",
    on_lines=_data(lambda _d: None),
)
BOOK.add(
    "version-refused-other",
    "MCP-VER-001",
    "says in its refusal another version than was asked for",
    on_lines=_data(lambda d: d | {"requested": "2026-07-28"}),
)
BOOK.add(
    "version-refused-text",
    "MCP-VER-001",
    "says its versions as a text in its refusal",
    on_lines=_data(lambda d: d | {"supported": "2026-07-28"}),
)
BOOK.add(
    "version-refused-lies",
    "MCP-VER-002",
    "lists in its refusal the version that it refuses",
    on_lines=_data(lambda d: d | {"supported": [d["requested"]]}),
)
BOOK.add(
    "code-undefined",
    "MCP-BASE-029",
    "uses a code that is reserved and undefined",
    also="MCP-VER-004 MCP-LOG-009 MCP-RES-019 MCP-TASK-007 MCP-PING-005",
    on_lines=_code(-32601, -32050),
)
BOOK.add(
    "code-retired",
    "MCP-BASE-030 MCP-RES-010",
    "uses a code that was retired for a resource that is not there",
    also="MCP-RES-",
    on_lines=each_error(
        lambda request, reply: (
            reply | {"error": reply["error"] | {"code": -32002}} if request.get("method") == "resources/read" else reply
        )
    ),
)


def _refusing(method: str) -> Any:
    return on_message(lambda m: error(m, -32601) if is_request(m) and m["method"] == method else True)


BOOK.add(
    "discover-unknown",
    "MCP-DISC-001",
    "does not know server/discover",
    also=EVERYTHING,
    on_lines=_refusing("server/discover"),
)
BOOK.add(
    "initialize-ignored",
    "MCP-VER-005",
    "does not answer a handshake",
    on_lines=on_message(lambda m: None if m.get("method") == "initialize" else True),
)
BOOK.add(
    "old-methods-served",
    "MCP-VER-004 MCP-LOG-009 MCP-RES-019",
    "serves methods of the handshake revisions",
    also="MCP-LOG- MCP-RES-",
    on_lines=on_message(
        lambda m: (
            result(m, {"resultType": "complete"})
            if is_request(m) and m["method"] in {"logging/setLevel", "resources/subscribe", "resources/unsubscribe"}
            else True
        )
    ),
)
BOOK.add(
    "task-methods-served",
    "MCP-TASK-007",
    "serves the methods of tasks",
    on_lines=on_message(
        lambda m: result(m, {"resultType": "complete"}) if is_request(m) and m["method"].startswith("tasks/") else True
    ),
)
BOOK.add(
    "ping-served",
    "MCP-PING-005",
    "serves ping",
    on_lines=on_message(
        lambda m: result(m, {"resultType": "complete"}) if is_request(m) and m["method"] == "ping" else True
    ),
)


@BOOK.lines("ping-served-at-first", "MCP-PING-005", "serves ping until another request has settled the era")
def _(handler: Handler) -> Handler:
    settled = [False]

    def answer(message: Message) -> Written | bool:
        if is_request(message) and message["method"] == "ping" and not settled[0]:
            return result(message, {"resultType": "complete"})
        settled[0] |= is_request(message)
        return True

    return on_message(answer)(handler)


BOOK.add(
    "initialized-answered",
    "MCP-VER-009",
    "answers the notification of a handshake",
    on_lines=on_message(
        lambda m: (
            {"jsonrpc": "2.0", "id": None, "result": {}}
            if m.get("method") in {"notifications/initialized", "notifications/roots/list_changed"}
            else True
        )
    ),
)
BOOK.add(
    "task-for-unknown-tool",
    "MCP-VER-010 MCP-RTYPE-002",
    "answers an unknown tool by a task",
    also="MCP-TOOL- MCP-TASK-",
    on_lines=each_error(
        lambda request, reply: (
            result(request, {"resultType": "task", "taskId": "1"}) if request.get("method") == "tools/call" else reply
        )
    ),
)
BOOK.add(
    "missing-resource-empty",
    "MCP-RES-011 MCP-RES-010",
    "reads a resource that is not there as nothing",
    also="MCP-RES-",
    on_lines=each_error(
        lambda request, reply: (
            result(request, {"resultType": "complete", "contents": [], "ttlMs": 0, "cacheScope": "private"})
            if request.get("method") == "resources/read"
            else reply
        )
    ),
)


@BOOK.lines("id-only-once", "MCP-BASE-034", "refuses an id that was used before", also=EVERYTHING)
def _(handler: Any) -> Any:
    used: list[object] = []

    def answer(message: Message) -> Written | bool:
        if not is_request(message):
            return True
        if message["id"] in used:
            return error(message, -32600, "id used before")
        used.append(message["id"])
        return True

    return on_message(answer)(handler)
