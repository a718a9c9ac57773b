"""One request from its arrival to its answer, which may come later than the next request."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ..messages import Id, Params, RpcError

Key: TypeAlias = tuple[bool, Id]


def key(id_: Id) -> Key:
    """An id as it is told apart from others: 7 is not "7" (MCP-BASE-004, MCP-CANC-006)."""
    return isinstance(id_, str), id_


@dataclass(slots=True)
class Exchange:
    """A request that is being answered: what it said, and what is to happen instead of the plain answer."""

    id: Id = None
    method: str = ""
    params: Params = field(default_factory=dict)
    meta: dict[str, Any] = field(default_factory=dict)
    client: dict[str, Any] = field(default_factory=dict)
    """The capabilities that the client declared, for the session or for this request."""
    revision: str = ""
    """The revision that is spoken; empty before a handshake."""
    stateless: bool = False
    later: bool = False
    """A handler's wish: no answer now; `FullReference.finish` gives it."""
    instead: RpcError | dict[str, Any] | None = None
    """A handler's wish: this error, or this result, in place of a tool's result."""

    @property
    def progress_token(self) -> str | int | None:
        """The token under which the client wants to hear of progress, if it does (MCP-PROG-001)."""
        token = self.meta.get("progressToken")
        return token if isinstance(token, str | int) and not isinstance(token, bool) else None
