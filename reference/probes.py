"""Tools through which a stranger sees what is otherwise inside: readers, registration, hook, agent bridge.

A probe never does the work itself: it calls the very parts that the server's own tools use, and shows what they say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .messages import to_json
from .protocol import ToolError, ToolHandler, ToolResult, ToolSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .agent import Bridge
    from .arguments import Readers
    from .protocol import Server


class Probe(NamedTuple):
    """A probe tool and what it does."""

    spec: ToolSpec
    handler: ToolHandler


def probes(server: Server, readers: Readers, bridge: Bridge, profiles: Sequence[str]) -> list[Probe]:
    """The probes for `server`, to be registered after its own tools."""
    string, boolean = {"type": "string"}, {"type": "boolean"}
    read = {"reader": string, "args": {"type": "object"}, "key": string}
    return [
        _probe("tck_read", "Shows what an argument reader makes of one value.", _read(readers), read),
        _probe(
            "tck_register",
            "Registers a tool with a fixed answer.",
            _register(server),
            {"name": string, "reply": string},
        ),
        _probe("tck_hook", "Sets, clears or shows the before-call hook.", _hook(server), {"action": string}),
        _probe(
            "tck_agent", "Shows the assistant's prompt and tools.", _agent(server, bridge), {"allow_writes": boolean}
        ),
        _probe(
            "tck_profile", "Names the profiles that are claimed.", lambda _args: _shown({"profiles": [*profiles]}), {}
        ),
        _probe("tck_fail", "Fails with a text.", lambda args: ToolResult(False, text(args, "text")), {"text": string}),
    ]


def text(args: dict[str, Any], name: str) -> str:
    """The string argument `name` of a probe, taken as it is: a probe does not lean on the readers that it shows."""
    value = args.get(name)
    if not isinstance(value, str):
        raise ToolError(f"**{name}** must be a string")
    return value


def _probe(name: str, description: str, handler: ToolHandler, required: dict[str, Any]) -> Probe:
    schema: dict[str, Any] = {"type": "object", "properties": required}
    if required:
        schema["required"] = [*required]
    return Probe(ToolSpec(name, description, schema), handler)


def _shown(value: object) -> ToolResult:
    return ToolResult(True, to_json(value))


def _read(readers: Readers) -> ToolHandler:
    def read(args: dict[str, Any]) -> ToolResult:
        # Looked up at each call, so that a reader that was replaced is the one that is shown.
        known: dict[str, Callable[[dict[str, Any], str], object]] = {
            "bool": readers.bool_arg,
            "int": readers.int_arg,
            "string": readers.string_arg,
            "string_set": lambda inner, key: sorted(readers.string_set_arg(inner, key)),
            "string_value": readers.string_value,
        }
        reader, key, inner = known.get(text(args, "reader")), text(args, "key"), args.get("args")
        if reader is None:
            raise ToolError("no such reader")
        if not isinstance(inner, dict):
            raise ToolError("**args** must be an object")
        return _shown({"contains": readers.contains(inner, key), "value": reader(inner, key)})

    return read


def _register(server: Server) -> ToolHandler:
    def register(args: dict[str, Any]) -> ToolResult:
        name, reply = text(args, "name"), text(args, "reply")
        description = text(args, "description") if "description" in args else "Answers a fixed text."
        schema = args.get("schema", {"type": "object"})
        if not isinstance(schema, dict):
            raise ToolError("**schema** must be an object")
        to_json(schema)  # raises here for what could not be listed later
        spec = ToolSpec(name, description, schema)
        server.register_tool(spec, lambda _args: ToolResult(True, reply))
        return _shown({"registered": name})

    return register


def _hook(server: Server) -> ToolHandler:
    log: list[str] = []

    def hook(args: dict[str, Any]) -> ToolResult:
        action = text(args, "action")
        if action == "set":
            label = text(args, "label")
            server.set_before_tool_call(lambda name: log.append(f"{label}:{name}"))
        elif action == "clear":
            server.set_before_tool_call(None)
        elif action != "log":
            raise ToolError("**action** must be set, clear or log")
        return _shown({"log": log})

    return hook


def _agent(server: Server, bridge: Bridge) -> ToolHandler:
    def agent(args: dict[str, Any]) -> ToolResult:
        allow_writes = args.get("allow_writes")
        if not isinstance(allow_writes, bool):
            raise ToolError("**allow_writes** must be a boolean")
        return _shown(
            {
                "prompt": bridge.system_prompt(allow_writes),
                "tools": [tool._asdict() for tool in bridge.tools(server, allow_writes)],
                "read_only_names": sorted(bridge.read_only_names()),
            }
        )

    return agent
