"""What differs between the revisions of MCP on the wire: opening, metadata of a request, barrier, client's answers.

A revision is a date as text. Two eras: `handshake` (2024-11-05 to 2025-11-25) opens a session with initialize;
`stateless` (2026-07-28) has no session, and every request carries its metadata.

This module must never touch a target; cases must never branch on what stands here.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from ..values import ABSENT, Absent, Number, Value

HANDSHAKE: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
STATELESS: Final = ("2026-07-28",)
REVISIONS: Final = (*STATELESS, *HANDSHAKE)
"""All revisions, newest first."""

_PREFIX: Final = "io.modelcontextprotocol/"
CLIENT_INFO: Final[dict[str, Value]] = {"name": "mcp-tck", "version": "0.1.0"}


def is_stateless(revision: str) -> bool:
    """Whether a revision belongs to the stateless era."""
    return revision in STATELESS


def other(revision: str) -> str:
    """The newest revision of the other era."""
    return HANDSHAKE[0] if is_stateless(revision) else STATELESS[0]


def allows_arrays(revision: str) -> bool:
    """Whether a line may hold an array: batches are defined in 2025-03-26, and 2024-11-05 leaves them open."""
    return revision in {"2025-03-26", "2024-11-05"}


def opening(revision: str, override: dict[str, Value] | None = None) -> tuple[str, dict[str, Value]]:
    """The first request of a process: its method and params, with the members of `override` in place of the usual."""
    if is_stateless(revision):
        return "server/discover", {}
    usual: dict[str, Value] = {"protocolVersion": revision, "capabilities": {}, "clientInfo": dict(CLIENT_INFO)}
    return "initialize", usual | (override or {})


def opened(revision: str) -> str | None:
    """The notification that ends the opening, or None where there is none."""
    return None if is_stateless(revision) else "notifications/initialized"


def barrier(revision: str, *, ping: bool = True, capabilities: Container[str] = ()) -> str:
    """The method of the request that is sent to see that nothing else comes before its reply.

    Where `ping` is not answered with a result, it is the first list among what the target declares.
    """
    if is_stateless(revision):
        return "server/discover"
    lists = () if ping else ("tools", "resources", "prompts")
    return next((f"{name}/list" for name in lists if name in capabilities), "ping")


def with_metadata(
    revision: str, params: dict[str, Value] | None, capabilities: dict[str, Value]
) -> dict[str, Value] | None:
    """Add what the revision demands in the params of every request; nothing in the handshake era.

    Members of `_meta` that the case wrote itself stay as they are.
    """
    if not is_stateless(revision):
        return params
    meta: dict[str, Value] = {
        f"{_PREFIX}protocolVersion": revision,
        f"{_PREFIX}clientCapabilities": capabilities,
        f"{_PREFIX}clientInfo": dict(CLIENT_INFO),
    }
    given = (params or {}).get("_meta")
    if isinstance(given, dict):
        meta |= given
    return (params or {}) | {"_meta": meta}


def has_known_shape(revision: str, method: str, params: Value | Absent) -> bool:
    """Whether the revision says what a result of this request looks like.

    Metadata that is missing, or names another revision, and `initialize` in the stateless era leave it to the server
    which era it answers in.
    """
    meta = params.get("_meta") if isinstance(params, dict) else None
    named = meta.get(f"{_PREFIX}protocolVersion", ABSENT) if isinstance(meta, dict) else ABSENT
    if is_stateless(revision):
        return named == revision and method != "initialize"
    if method == "initialize" and not _is_valid_opening(params):
        return False
    return isinstance(named, Absent)


def _is_valid_opening(params: Value | Absent) -> bool:
    """Whether these are the params of an `initialize` that has to be answered as such."""
    wanted: tuple[tuple[str, type], ...] = (("protocolVersion", str), ("capabilities", dict), ("clientInfo", dict))
    return isinstance(params, dict) and all(isinstance(params.get(name), kind) for name, kind in wanted)


def answer(method: str, capabilities: dict[str, Value]) -> dict[str, Value]:
    """The client's proper reply to a request of the server, as the members `result` or `error`.

    `capabilities` are those that the client declared; what was not declared is refused as an unknown method.
    """
    if method == "ping":
        return {"result": {}}
    if method == "roots/list" and "roots" in capabilities:
        return {"result": {"roots": []}}
    if method == "elicitation/create" and "elicitation" in capabilities:
        return {"result": {"action": "decline"}}
    if method == "sampling/createMessage" and "sampling" in capabilities:
        text: dict[str, Value] = {"type": "text", "text": "A short answer."}
        return {"result": {"role": "assistant", "content": text, "model": "mcp-tck", "stopReason": "endTurn"}}
    return {"error": {"code": Number("-32601"), "message": f"This client does not offer {method}"}}


def client_capability(method: str) -> str | None:
    """The client capability that a server's request needs; None where it needs none; `?` for an unknown method."""
    known = {
        "ping": None,
        "roots/list": "roots",
        "sampling/createMessage": "sampling",
        "elicitation/create": "elicitation",
    }
    return known.get(method, "?")
