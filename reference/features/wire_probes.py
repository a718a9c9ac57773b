"""The wire probes (spec page on probes): tools through which a client sees what happens beside a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..messages import to_json
from ..probes import Probe, text
from ..protocol import ToolError, ToolHandler, ToolResult, ToolSpec
from .asking import WANTS
from .eras import LEVELS

if TYPE_CHECKING:
    from .exchange import Exchange
    from .full import FullReference

_STRING: dict[str, Any] = {"type": "string"}


def wire_probes(server: FullReference) -> list[Probe]:
    """The wire probes of `server`."""
    held: dict[str, Exchange] = {}

    def hold(args: dict[str, Any]) -> ToolResult:
        held[text(args, "label")] = server.now
        server.now.later = True
        return ToolResult(True, "")

    def release(args: dict[str, Any]) -> ToolResult:
        label = text(args, "label")
        exchange = held.pop(label, None)
        if exchange is not None:
            content = [{"type": "text", "text": to_json({"held": label})}]
            server.finish(exchange, {"content": content, "isError": False})
        return ToolResult(True, to_json({"released": exchange is not None}))

    def progress(args: dict[str, Any]) -> ToolResult:
        steps, token = args.get("steps"), server.now.progress_token
        if not isinstance(steps, int) or isinstance(steps, bool) or not 0 <= steps <= 1000:
            raise ToolError("**steps** must be a whole number from 0 to 1000")
        if token is not None:
            for step in range(1, steps + 1):
                told = {"progressToken": token, "progress": step, "total": steps}
                server.notify("notifications/progress", told)
        return ToolResult(True, to_json({"steps": steps}))

    def log(args: dict[str, Any]) -> ToolResult:
        level = _one_of(args, "level", LEVELS)
        if "data" not in args:
            raise ToolError("**data** is missing")
        server.logs.log(level, args["data"])
        return ToolResult(True, to_json({"level": level}))

    def change(args: dict[str, Any]) -> ToolResult:
        name = _one_of(args, "list", ("resources", "prompts"))
        (server.resources if name == "resources" else server.prompts).add()
        server.subscriptions.list_changed(name)
        return ToolResult(True, to_json({"changed": name}))

    def ask(args: dict[str, Any]) -> ToolResult:
        server.asking.ask(_one_of(args, "want", tuple(WANTS)))
        return ToolResult(True, "")

    return [
        _probe("tck_hold", "Stays without an answer until it is released or cancelled.", hold, label=_STRING),
        _probe("tck_release", "Lets the call go on that is held under a label.", release, label=_STRING),
        _probe("tck_progress", "Reports so many steps of progress.", progress, steps={"type": "integer"}),
        _probe("tck_log", "Sends a log message.", log, level=_STRING, data={}),
        _probe("tck_change", "Adds to a list of the server.", change, list=_STRING),
        _probe("tck_ask", "Asks the client for something.", ask, want=_STRING),
    ]


def _probe(name: str, description: str, handler: ToolHandler, **required: dict[str, Any]) -> Probe:
    schema = {"type": "object", "properties": required, "required": [*required]}
    return Probe(ToolSpec(name, description, schema), handler)


def _one_of(args: dict[str, Any], name: str, values: tuple[str, ...]) -> str:
    value = text(args, name)
    if value not in values:
        raise ToolError(f"**{name}** must be one of {', '.join(values)}")
    return value
