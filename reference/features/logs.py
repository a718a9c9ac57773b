"""Log messages to the client (MCP-LOG): at a level set for the session, or asked for by a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..messages import INVALID_PARAMS, RpcError
from .eras import LEVELS, LOG_LEVEL

if TYPE_CHECKING:
    from ..messages import Params
    from .full import FullReference


class Logs:
    """The server's log; `level` counts for a session until it sets another one."""

    def __init__(self, server: FullReference) -> None:
        self._server = server
        self.level = "info"
        server.register_method("logging/setLevel", self.set_level)

    def set_level(self, params: Params) -> dict[str, Any]:
        """Sets the session's level (MCP-LOG-003, -005)."""
        level = params.get("level")
        if not isinstance(level, str) or level not in LEVELS:
            raise RpcError(INVALID_PARAMS, f"Invalid params: level must be one of {', '.join(LEVELS)}")
        self.level = level
        return {}

    def log(self, level: str, data: object) -> None:
        """Sends a message, if it is at the level or above; without a session only if the request asked for any."""
        now = self._server.now
        least = now.meta.get(LOG_LEVEL) if now.stateless else self.level
        if least is not None and LEVELS.index(level) >= LEVELS.index(least):
            self._server.notify("notifications/message", {"level": level, "logger": "reference", "data": data})
