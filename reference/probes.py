"""Tools through which a stranger sees what is otherwise inside: readers, registration, hook, agent bridge.

A probe never does the work itself: it calls the very parts that the server's own tools use, and shows what they say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .messages import to_json
from .protocol import Tool, ToolError, ToolHandler, ToolResult, ToolSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .agent import Bridge
    from .arguments import Readers
    from .protocol import Hook, Server


class Probe(NamedTuple):
    """A probe tool and what it does."""

    spec: ToolSpec
    handler: ToolHandler


class Changes:
    """What the probes have changed in a server, so that it can be taken back: tools, the hook, and the hook's log."""

    def __init__(self, server: Server) -> None:
        self.log: list[str] = []
        self._server = server
        self._tools: dict[str, Tool | None] = {}
        self._hooks: list[Hook | None] = []

    def register(self, tool: Tool) -> None:
        """Registers a tool, remembering what was there."""
        self._tools.setdefault(tool.spec.name, self._server.catalogue.find(tool.spec.name))
        self._server.register_tool(tool.spec, tool.handler)

    def set_hook(self, hook: Hook | None) -> None:
        """Sets the hook, remembering the one that was there."""
        self._hooks.append(self._server.before_tool_call)
        self._server.set_before_tool_call(hook)

    def take_back(self) -> None:
        """Puts tools and hook back to what they were before all changes."""
        for name, tool in self._tools.items():
            self._server.catalogue.put_back(name, tool)
        if self._hooks:
            self._server.set_before_tool_call(self._hooks[0])
        self._tools.clear()
        self._hooks.clear()
        self.log.clear()


def probes(server: Server, readers: Readers, bridge: Bridge, profiles: Sequence[str], changes: Changes) -> list[Probe]:
    """The probes for `server`, to be registered after its own tools; what they change is noted in `changes`."""
    string, boolean = {"type": "string"}, {"type": "boolean"}
    read = {"reader": string, "args": {"type": "object"}, "key": string}
    return [
        _probe("tck_read", "Shows what an argument reader makes of one value.", _read(readers), read),
        _probe(
            "tck_register",
            "Registers a tool with a fixed answer.",
            _register(changes),
            {"name": string, "reply": string},
        ),
        _probe("tck_hook", "Sets, clears or shows the before-call hook.", _hook(changes), {"action": string}),
        _probe(
            "tck_agent", "Shows the assistant's prompt and tools.", _agent(server, bridge), {"allow_writes": boolean}
        ),
        _probe(
            "tck_profile", "Names the profiles that are claimed.", lambda _args: _shown({"profiles": [*profiles]}), {}
        ),
        _probe("tck_fail", "Fails with a text.", lambda args: ToolResult(False, text(args, "text")), {"text": string}),
    ]


def reset(start_again: Callable[[], None]) -> Probe:
    """The probe that puts a server back to its first state."""

    def run(_args: dict[str, Any]) -> ToolResult:
        start_again()
        return _shown({"reset": True})

    return _probe("tck_reset", "Puts everything back to how a new process has it.", run, {})


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


def _register(changes: Changes) -> ToolHandler:
    def register(args: dict[str, Any]) -> ToolResult:
        name, reply = text(args, "name"), text(args, "reply")
        description = text(args, "description") if "description" in args else "Answers a fixed text."
        schema = args.get("schema", {"type": "object"})
        if not isinstance(schema, dict):
            raise ToolError("**schema** must be an object")
        to_json(schema)  # raises here for what could not be listed later
        spec = ToolSpec(name, description, schema)
        changes.register(Tool(spec, lambda _args: ToolResult(True, reply)))
        return _shown({"registered": name})

    return register


def _hook(changes: Changes) -> ToolHandler:
    def hook(args: dict[str, Any]) -> ToolResult:
        action = text(args, "action")
        if action == "set":
            label = text(args, "label")
            changes.set_hook(lambda name: changes.log.append(f"{label}:{name}"))
        elif action == "clear":
            changes.set_hook(None)
        elif action != "log":
            raise ToolError("**action** must be set, clear or log")
        return _shown({"log": changes.log})

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
