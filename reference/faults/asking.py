"""Faults of calls that stay open, of what a client is asked, and of progress."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..messages import notification_line, to_json
from .filters import each_line, read
from .model import Book, OnFeatures

if TYPE_CHECKING:
    from ..features import FullReference
    from ..features.asking import Want
    from ..messages import Id

BOOK = Book(
    also="MCP-CANC- MCP-CLI- MCP-PROG- MCP-LIFE-015 MCP-LIFE-016 MCP-WIRE- MCP-MRTR- MCP-BASE-",
    why="the same calls are looked at for other reasons",
    features=True,
)
Params = dict[str, Any]


@BOOK.featured("cancel-by-spelling", "MCP-CANC-006", "takes an id for another that is spelt alike")
def _(server: FullReference) -> None:
    def cancel(id_: object) -> None:
        server.waiting = {key: call for key, call in server.waiting.items() if str(call.id) != str(id_)}

    vars(server)["cancel"] = cancel


@BOOK.featured("cancel-ends-all", "MCP-CANC-006", "gives up all open calls when one is cancelled")
def _(server: FullReference) -> None:
    vars(server)["cancel"] = lambda _id: server.waiting.clear()


@BOOK.featured("cancel-ignored", "MCP-CANC-004", "answers a call that was cancelled")
def _(server: FullReference) -> None:
    vars(server)["cancel"] = lambda _id: None


@BOOK.featured("refusal-leaves-call", "MCP-CLI-005", "leaves a call open whose question was refused")
def _(server: FullReference) -> None:
    right = server.asking.take

    def take(id_: Id, outcome: Params) -> None:
        refused = "error" in outcome or (outcome.get("result") or {}).get("action") in {"decline", "cancel"}
        if not refused:
            right(id_, outcome)

    vars(server.asking)["take"] = take


def _asks(change: Callable[[Want], Want]) -> OnFeatures:
    """Puts questions in another way."""

    def changed(server: FullReference) -> None:
        server.asking.wants = {name: change(want) for name, want in server.asking.wants.items()}

    return changed


def _params(method: str, change: Callable[[Params], Params]) -> OnFeatures:
    return _asks(lambda q: q._replace(params=change(q.params)) if q.method == method else q)


for _name, _breaks, _what, _how in [
    (
        "asks-without-declaration",
        "MCP-LIFE-015 MCP-CLI-002 MCP-CLI-004",
        "asks a client whatever it declared",
        _asks(lambda q: q._replace(capability=())),
    ),
    (
        "asks-url-of-forms",
        "MCP-CLI-002",
        "takes any elicitation for one by URL",
        _asks(lambda q: q._replace(capability=q.capability[:1]) if q.capability[0] == "elicitation" else q),
    ),
    (
        "asks-tools-of-sampling",
        "MCP-CLI-004",
        "sends tools to any client that samples",
        _asks(lambda q: q._replace(capability=q.capability[:1]) if q.capability[0] == "sampling" else q),
    ),
    (
        "sampling-without-limit",
        "MCP-CLI-001",
        "samples without maxTokens",
        _params("sampling/createMessage", lambda p: {k: v for k, v in p.items() if k != "maxTokens"}),
    ),
    (
        "sampling-limit-fraction",
        "MCP-CLI-001",
        "samples with a limit that has a fraction",
        _params("sampling/createMessage", lambda p: p | {"maxTokens": 0.5}),
    ),
    (
        "sampling-prompt",
        "MCP-CLI-001",
        "samples with a text and no messages",
        _params("sampling/createMessage", lambda _p: {"prompt": "Name her.", "maxTokens": 50}),
    ),
    (
        "elicitation-without-message",
        "MCP-CLI-001",
        "elicits without a message",
        _params("elicitation/create", lambda p: {k: v for k, v in p.items() if k != "message"}),
    ),
    (
        "elicitation-nested",
        "MCP-CLI-001",
        "elicits a field that is an object",
        _params(
            "elicitation/create",
            lambda p: (
                p | {"requestedSchema": {"type": "object", "properties": {"a": {"type": "object"}}}}
                if "url" not in p
                else p
            ),
        ),
    ),
    (
        "elicitation-without-schema",
        "MCP-CLI-001",
        "elicits without a schema",
        _params("elicitation/create", lambda p: {k: v for k, v in p.items() if k != "requestedSchema"}),
    ),
    (
        "url-without-id",
        "MCP-CLI-003",
        "elicits by URL without an id",
        _params("elicitation/create", lambda p: {k: v for k, v in p.items() if k != "elicitationId"}),
    ),
    (
        "url-without-url",
        "MCP-CLI-003",
        "elicits by URL without a URL",
        _params("elicitation/create", lambda p: {k: v for k, v in p.items() if k != "url"}),
    ),
]:
    BOOK.add(_name, _breaks, _what, on_features=_how)


def _reports(change: Callable[[Params], object]) -> Any:
    """A filter on reports of progress."""

    def changed(line: str) -> list[str]:
        message = read(line)
        if message is None or message.get("method") != "notifications/progress":
            return [line]
        change(message["params"])
        return [to_json(message)]

    return each_line(changed)


for _name, _breaks, _what, _change in [
    (
        "token-as-text",
        "MCP-PROG-002",
        "writes a progress token as a text",
        lambda p: p.update(progressToken=str(p["progressToken"])),
    ),
    (
        "token-as-number",
        "MCP-PROG-002",
        "writes digits as progress token as a number",
        lambda p: p.update(
            progressToken=int(p["progressToken"]) if str(p["progressToken"]).isdigit() else p["progressToken"]
        ),
    ),
    (
        "token-made-up",
        "MCP-PROG-002 MCP-PROG-001",
        "reports under a token of its own",
        lambda p: p.update(progressToken="t1"),
    ),
    ("progress-stands", "MCP-PROG-003", "reports the same progress again and again", lambda p: p.update(progress=1)),
    (
        "progress-falls",
        "MCP-PROG-003",
        "reports what is left to do",
        lambda p: p.update(progress=p["total"] - p["progress"]),
    ),
    (
        "progress-percent-text",
        "MCP-PROG-005",
        "reports progress as a text",
        lambda p: p.update(progress=f"{p['progress']}%"),
    ),
    ("progress-total-null", "MCP-PROG-005", "reports a total of null", lambda p: p.update(total=None)),
    (
        "progress-message-object",
        "MCP-PROG-005",
        "reports a message that is an object",
        lambda p: p.update(message={"text": "on"}),
    ),
    (
        "progress-without-token",
        "MCP-PROG-005 MCP-PROG-002",
        "reports progress without its token",
        lambda p: p.pop("progressToken"),
    ),
]:
    BOOK.add(_name, _breaks, _what, on_lines=_reports(_change))


@BOOK.featured("token-zero-is-none", "MCP-PROG-002", "takes the token 0 for none")
def _(server: FullReference) -> None:
    right = server.notify

    def notify(method: str, params: Params | None = None) -> None:
        if method != "notifications/progress" or (params or {}).get("progressToken"):
            right(method, params)

    vars(server)["notify"] = notify


@BOOK.featured("progress-without-asking", "MCP-PROG-001", "reports progress of a call without a token")
def _(server: FullReference) -> None:
    right = server.methods["tools/call"]

    def call(params: Params) -> Params:
        server.now.meta.setdefault("progressToken", 0)
        return right(params)

    server.methods["tools/call"] = call


@BOOK.lines("progress-after-reply", "MCP-PROG-004", "reports that it is done when it has answered")
def _(handler: Any) -> Any:
    def lines(line: str) -> list[str]:
        params = (read(line) or {}).get("params")
        meta = params.get("_meta") if isinstance(params, dict) else None
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        done = notification_line("notifications/progress", {"progressToken": token, "progress": 100})
        return [*handler(line), *([done] if token is not None else [])]

    return lines
