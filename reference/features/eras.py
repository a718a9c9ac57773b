"""What a request of 2026-07-28 says in its metadata, and what a result of that revision says of itself.

Nothing here remembers anything: a request stands for itself (MCP-META-007).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..messages import INVALID_PARAMS, Params, RpcError

if TYPE_CHECKING:
    from .exchange import Exchange

STATELESS: Final = "2026-07-28"
ERAS: Final = ("handshake", "stateless", "dual")

_PREFIX: Final = "io.modelcontextprotocol/"
VERSION: Final = f"{_PREFIX}protocolVersion"
CAPABILITIES: Final = f"{_PREFIX}clientCapabilities"
CLIENT: Final = f"{_PREFIX}clientInfo"
LOG_LEVEL: Final = f"{_PREFIX}logLevel"
SERVER: Final = f"{_PREFIX}serverInfo"
SUBSCRIPTION: Final = f"{_PREFIX}subscriptionId"

LEVELS: Final = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")

UNSUPPORTED_VERSION: Final = -32022
MISSING_CAPABILITY: Final = -32021

GONE: Final = frozenset(
    {
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "tasks/get",
        "tasks/result",
        "tasks/cancel",
        "tasks/list",
    }
)
"""Methods of the handshake era that the stateless one does not have (MCP-VER-004, MCP-PING-005, MCP-TASK-007)."""

CACHEABLE: Final = frozenset(
    {
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
    }
)
"""Operations whose result says how long it keeps (MCP-CACHE-001)."""


def names_an_era(params: Params) -> bool:
    """Whether a request's metadata is that of the stateless era, complete or not."""
    meta = params.get("_meta")
    return isinstance(meta, dict) and (VERSION in meta or CAPABILITIES in meta)


def unsupported(asked: object) -> RpcError:
    """The refusal of a version: which one is spoken, and which was asked for (MCP-VER-001, MCP-VER-002)."""
    data = {"supported": [STATELESS], "requested": asked}
    return RpcError(UNSUPPORTED_VERSION, f"Unsupported protocol version; supported is {STATELESS}", data)


def checked(meta: object) -> dict[str, Any]:
    """The metadata of a request, if it is good; any other is refused (MCP-META-002, -003, -005, -015, MCP-LOG-008)."""
    if not isinstance(meta, dict):
        raise _bad("_meta must be an object that names the version and the client's capabilities")
    asked = meta.get(VERSION)
    if not isinstance(asked, str):
        raise _bad(f"_meta must hold {VERSION}, a string")
    if not isinstance(meta.get(CAPABILITIES), dict):
        raise _bad(f"_meta must hold {CAPABILITIES}, an object")
    info = meta.get(CLIENT, {"name": ""})
    if not isinstance(info, dict) or not isinstance(info.get("name"), str):
        raise _bad(f"{CLIENT} must be an object with a name")
    if asked != STATELESS:
        raise unsupported(asked)
    if meta.get(LOG_LEVEL, LEVELS[0]) not in LEVELS:
        raise _bad(f"{LOG_LEVEL} must be one of {', '.join(LEVELS)}")
    return meta


def dressed(exchange: Exchange, result: dict[str, Any], name: str, version: str) -> dict[str, Any]:
    """A result with what its era demands: its type, who speaks, and whether it may be kept (MCP-RTYPE, MCP-CACHE)."""
    if not exchange.stateless:
        return result
    shown = {"resultType": "complete"} | result
    if exchange.method in CACHEABLE and shown["resultType"] == "complete":
        shown |= {"ttlMs": 0, "cacheScope": "private"}
    return shown | {"_meta": result.get("_meta", {}) | {SERVER: {"name": name, "version": version}}}


def _bad(what: str) -> RpcError:
    return RpcError(INVALID_PARAMS, f"Invalid params: {what}")
