"""Faults of what a request says of itself in the era without a handshake, and of questions back to the client."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..messages import Request, RpcError
from .filters import Message, Written, on_message
from .model import Book, OnFeatures
from .modern import BOOK as MODERN
from .modern import EVERYTHING, PREFIX, Params

if TYPE_CHECKING:
    from ..features import FullReference

BOOK = Book(also=MODERN.also, why=MODERN.why, features=True, revision=MODERN.revision)


def _checked(change: Callable[[FullReference, Callable[[object], Params], object], Params]) -> OnFeatures:
    """Another check of a request's metadata; it gets the right one and the metadata."""

    def changed(server: FullReference) -> None:
        right = server.checked
        server.checked = lambda meta: change(server, right, meta)

    return changed


USUAL = {PREFIX + "protocolVersion": "2026-07-28", PREFIX + "clientCapabilities": {}}


def _filled(right: Callable[[object], Params], meta: object, usual: Params) -> Params:
    return right({**usual, **meta} if isinstance(meta, dict) else usual)


def _unknown_refused(_f: FullReference, right: Callable[[object], Params], meta: object) -> Params:
    found = right(meta)
    if {*found[PREFIX + "clientCapabilities"]} - {"roots", "sampling", "elicitation"}:
        raise RpcError(-32602, "unknown capability")
    return found


def _info_needed(_f: FullReference, right: Callable[[object], Params], meta: object) -> Params:
    found = right(meta)
    if PREFIX + "clientInfo" not in found:
        raise RpcError(-32602, "clientInfo is missing")
    return found


def _spoiled(server: FullReference, right: Callable[[object], Params], meta: object) -> Params:
    if vars(server).setdefault("spoiled", False):
        raise RpcError(-32600, "the session has failed")
    try:
        return right(meta)
    except RpcError:
        vars(server)["spoiled"] = True
        raise


def _any_version(_f: FullReference, right: Callable[[object], Params], meta: object) -> Params:
    return right({**meta, PREFIX + "protocolVersion": "2026-07-28"} if isinstance(meta, dict) else meta)


for _name, _breaks, _what, _change in [
    (
        "metadata-not-needed",
        "MCP-META-001 MCP-META-007",
        "serves a request without metadata",
        lambda _f, right, meta: _filled(right, meta, USUAL),
    ),
    (
        "version-not-needed",
        "MCP-META-002 MCP-META-007",
        "serves a request without a version",
        lambda _f, right, meta: _filled(right, meta, {PREFIX + "protocolVersion": "2026-07-28"}),
    ),
    (
        "capabilities-not-needed",
        "MCP-META-003",
        "serves a request without its client's capabilities",
        lambda _f, right, meta: _filled(right, meta, {PREFIX + "clientCapabilities": {}}),
    ),
    ("client-info-needed", "MCP-META-004", "refuses a request without clientInfo", _info_needed),
    (
        "client-capability-refused",
        "MCP-META-006",
        "refuses a client with a capability that it does not know",
        _unknown_refused,
    ),
    ("refusal-spoils", "MCP-META-012", "refuses everything once it refused something", _spoiled),
    ("any-version-served", "MCP-VER-001", "serves whatever version a request names", _any_version),
]:
    BOOK.add(
        _name,
        _breaks,
        _what,
        also=EVERYTHING if _name in {"refusal-spoils", "client-info-needed"} else "",
        on_features=_checked(_change),
    )


@BOOK.featured(
    "capabilities-remembered", "MCP-META-007 MCP-MRTR-004", "counts what an earlier request said of its client"
)
def _(server: FullReference) -> None:
    known: Params = {}
    right = server.checked

    def checked(meta: object) -> Params:
        found = right(meta)
        known.update(found[PREFIX + "clientCapabilities"])
        return found | {PREFIX + "clientCapabilities": {**known}}

    server.checked = checked


@BOOK.featured("asks-whatever-declared", "MCP-MRTR-004 MCP-META-007", "asks a client for input whatever it declared")
def _(server: FullReference) -> None:
    vars(server.asking)["declared"] = lambda _want, _now: True


@BOOK.featured("answers-forgotten", "MCP-MRTR-006", "fails when it is called again with the answer")
def _(server: FullReference) -> None:
    right = server.methods["tools/call"]

    def call(params: Params) -> Params:
        if "inputResponses" in params:
            raise RpcError(-32602, "unknown member inputResponses")
        return right(params)

    server.methods["tools/call"] = call


@BOOK.lines("decline-leaves-call", "MCP-MRTR-011", "does not answer a call whose question was declined")
def _(handler: Any) -> Any:
    def answer(message: Message) -> Written | bool:
        params = message.get("params")
        given = params.get("inputResponses") if isinstance(params, dict) else None
        asked = given.get("asked") if isinstance(given, dict) else None
        return None if isinstance(asked, dict) and asked.get("action") in {"decline", "cancel"} else True

    return on_message(answer)(handler)


@BOOK.featured("discover-needed", "MCP-META-008", "serves nothing before it was discovered", also=EVERYTHING)
def _(server: FullReference) -> None:
    right, seen = server.serve, [False]

    def serve(message: Request) -> Params | None:
        seen[0] |= message.method == "server/discover"
        return right(message if seen[0] else message._replace(params={"_meta": {PREFIX + "clientCapabilities": 0}}))

    vars(server)["serve"] = serve
