"""Logging to the client, progress, and their probes: what a message says, and below which level none is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..messages import INVALID_PARAMS, Params, RpcError
from ..probes import text
from ..protocol import ToolError, ToolResult, ToolSpec

if TYPE_CHECKING:
    from ..build import Reference

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


class Logging:
    """What one server logs. `level` is the lowest that is sent; None sends nothing.

    `meta` is the metadata of the call that runs, where its progress token stands.
    """

    def __init__(self, server: Reference) -> None:
        self._server = server
        self.level: str | None = "info"
        self.meta: Params = {}
        server.capabilities["logging"] = {}
        server.register_method("logging/setLevel", self.set_level)
        call = server.methods["tools/call"]

        def with_meta(params: Params) -> Params:
            meta = params.get("_meta")
            self.meta = meta if isinstance(meta, dict) else {}
            return call(params)

        server.methods["tools/call"] = with_meta
        string = {"type": "string"}
        server.register_tool(
            ToolSpec("tck_log", "Logs to the client.", {"type": "object", "properties": {"level": string, "data": {}}}),
            self.log_tool,
        )
        server.register_tool(
            ToolSpec(
                "tck_progress", "Reports progress.", {"type": "object", "properties": {"steps": {"type": "integer"}}}
            ),
            self.progress_tool,
        )

    def set_level(self, params: Params) -> Params:
        """Sets the lowest level that is sent."""
        level = params.get("level")
        if level not in LEVELS:
            raise RpcError(INVALID_PARAMS, "Invalid params: level must be one of the eight")
        self.level = level
        return {}

    def log(self, level: str, data: object) -> None:
        """Sends one message, if its level is high enough."""
        if self.level is not None and LEVELS.index(level) >= LEVELS.index(self.level):
            self._server.notify("notifications/message", {"level": level, "logger": "story", "data": data})

    def log_tool(self, args: dict[str, Any]) -> ToolResult:
        """The probe tck_log."""
        level = text(args, "level")
        if level not in LEVELS:
            raise ToolError("**level** must be one of the eight")
        self.log(level, args.get("data"))
        return ToolResult(True, "**logged**")

    def progress_tool(self, args: dict[str, Any]) -> ToolResult:
        """The probe tck_progress: reports 1, 2, … under the token of the call, if it has one."""
        steps, token = args.get("steps"), self.meta.get("progressToken")
        if not isinstance(steps, int) or isinstance(steps, bool) or not 0 <= steps <= 1000:
            raise ToolError("**steps** must be a number from 0 to 1000")
        if token is not None:
            for step in range(1, steps + 1):
                self._server.notify(
                    "notifications/progress", {"progressToken": token, "progress": step, "total": steps}
                )
        return ToolResult(True, f"**{steps} steps** done")
