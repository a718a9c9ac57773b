"""The MCP server of the seed page McpProtocol: a catalogue of tools behind lines of JSON-RPC, without any I/O.

It never reads a clock, a file or a stream, and no line makes it raise. It speaks the revisions with a handshake.
What else a server can do (resources, prompts, another era) is added from outside, through `methods` and `capabilities`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias

from .messages import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    Params,
    Request,
    RpcError,
    array_line,
    error_line,
    notification_line,
    parse,
    result_line,
)

HANDSHAKE_REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
BATCH_REVISION = "2025-03-26"


class ToolSpec(NamedTuple):
    """What a client is told about a tool: its wire name in snake_case, words for the model, its arguments' schema."""

    name: str
    description: str
    input_schema: dict[str, Any]
    annotations: dict[str, Any] | None = None
    """MCP's hints (`readOnlyHint`, `destructiveHint`), which promise nothing."""


class ToolResult(NamedTuple):
    """What came of a tool: `ok` when it did its work or rightly had nothing to do, and a text in compact Markdown."""

    ok: bool
    text: str


class ToolError(Exception):
    """What a handler or the hook raises to refuse a call: a result that is not ok, with these words."""


ToolHandler: TypeAlias = Callable[[dict[str, Any]], ToolResult]
Method: TypeAlias = Callable[[Params], dict[str, Any]]
Hook: TypeAlias = Callable[[str], None]


class Tool(NamedTuple):
    """A tool as registered."""

    spec: ToolSpec
    handler: ToolHandler


class Catalogue:
    """Tools in the order of their first registration, each name once (SRV-LIST, SRV-REG).

    `admits` says which names are to be had; all others are as if they had never been registered.
    """

    def __init__(self) -> None:
        self.admits: Callable[[str], bool] = lambda _name: True
        self._tools: dict[str, Tool] = {}

    def add(self, tool: Tool) -> None:
        """Adds `tool` at the end; one whose name is there takes its predecessor's place."""
        self._tools[tool.spec.name] = tool

    def put_back(self, name: str, tool: Tool | None) -> None:
        """Has `tool` under that name again, in its place, or nothing."""
        if tool is None:
            self._tools.pop(name, None)
        else:
            self._tools[name] = tool

    def find(self, name: str) -> Tool | None:
        """The tool of that name, if it is to be had."""
        return self._tools.get(name) if self.admits(name) else None

    def specs(self) -> tuple[ToolSpec, ...]:
        """What is advertised, in order."""
        return tuple(tool.spec for name, tool in self._tools.items() if self.admits(name))


class Server:
    """A server that presents itself as `name` and `version`, with `instructions` for the model unless they are empty.

    Its parts are attributes that can be replaced or added to: `catalogue`, `methods` (requests by name),
    `capabilities`, `revisions` (oldest first), `outbox` (lines to send before the next answer), `revision` (what
    initialize agreed on).
    """

    def __init__(self, name: str, version: str, instructions: str = "") -> None:
        self.name = name
        self.version = version
        self.instructions = instructions
        self.catalogue = Catalogue()
        self.capabilities: dict[str, Any] = {"tools": {}}
        self.revisions: tuple[str, ...] = HANDSHAKE_REVISIONS
        self.revision: str | None = None
        self.outbox: list[str] = []
        self.before_tool_call: Hook | None = None
        self.methods: dict[str, Method] = {
            "initialize": self.initialize,
            "ping": lambda _params: {},
            "tools/list": self.list_tools,
            "tools/call": self.call_tool,
        }

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """The advertised catalogue, in registration order (SRV-LIST)."""
        return self.catalogue.specs()

    def register_tool(self, spec: ToolSpec, handler: ToolHandler) -> None:
        """Advertises a tool. A name that is known keeps its place and gets the new handler and spec (SRV-REG)."""
        self.catalogue.add(Tool(spec, handler))

    def register_method(self, name: str, method: Method) -> None:
        """Answers requests for `name` with what `method` returns for their params, or with the `RpcError` it raises."""
        self.methods[name] = method

    def set_before_tool_call(self, hook: Hook | None) -> None:
        """Installs the one hook that runs before each dispatched call, given the tool's name, or none (SRV-HOOK)."""
        self.before_tool_call = hook

    def notify(self, method: str, params: Params | None = None) -> None:
        """Puts a notification into the outbox; it leaves before the next answer."""
        self.outbox.append(notification_line(method, params))

    def handle_line(self, line: str) -> str | None:
        """The one-line answer to `line`; None for a notification, a response or a blank line (SRV-PARSE, SRV-REPLY)."""
        if not line.strip(" \t\r\n"):
            return None
        message = parse(line)
        if isinstance(message, Request):
            return self.answer(message)
        if self.revision != BATCH_REVISION:
            return error_line(None, RpcError(INVALID_REQUEST, "Invalid request: one message a line, no arrays"))
        answers = [answer for element in message if (answer := self.answer(element)) is not None]
        return array_line(answers) if answers else None

    def answer(self, message: Request) -> str | None:
        """The one-line answer to a message that was read."""
        if message.is_notification or message.is_response:
            return None
        if not message.valid:
            return error_line(message.id, RpcError(message.code, message.parse_error))
        try:
            result = self.serve(message)
            return None if result is None else result_line(message.id, result)
        except RpcError as error:
            return error_line(message.id, error)
        except Exception as error:  # noqa: BLE001 - whatever a method raises, the session lives
            return error_line(message.id, RpcError(INTERNAL_ERROR, f"Internal error: {type(error).__name__}"))

    def serve(self, message: Request) -> dict[str, Any] | None:
        """The result of a request; a server that answers it later gives None and uses the outbox then."""
        return self.method(message.method)(message.params)

    def method(self, name: str) -> Method:
        """The method of that name; raises the error for one that is not there."""
        try:
            return self.methods[name]
        except KeyError:
            raise RpcError(METHOD_NOT_FOUND, f"Method not found: {name}") from None

    def initialize(self, params: Params) -> dict[str, Any]:
        """Agrees on a revision: the one asked for if it is spoken here, else the newest."""
        asked = _member(params, "protocolVersion", str)
        _member(params, "capabilities", dict)
        client = _member(params, "clientInfo", dict)
        _member(client, "name", str)
        _member(client, "version", str)
        self.revision = asked if asked in self.revisions else self.revisions[-1]
        result = {
            "protocolVersion": self.revision,
            "capabilities": self.capabilities,
            "serverInfo": {"name": self.name, "version": self.version},
        }
        return result | {"instructions": self.instructions} if self.instructions else result

    def list_tools(self, params: Params) -> dict[str, Any]:
        """The whole catalogue on one page; there is no other, so every cursor is an unknown one."""
        if "cursor" in params:
            raise RpcError(INVALID_PARAMS, "Invalid params: unknown cursor")
        return {"tools": [_advertised(spec) for spec in self.tools]}

    def call_tool(self, params: Params) -> dict[str, Any]:
        """Runs one tool, the hook before it. A tool that fails is a result that says so, never a JSON-RPC error."""
        name = _member(params, "name", str)
        arguments = _member(params, "arguments", dict) if "arguments" in params else {}
        tool = self.catalogue.find(name)
        if tool is None:
            raise RpcError(INVALID_PARAMS, f"Unknown tool: {name}")
        result = self.run_tool(tool, arguments)
        return {"content": [{"type": "text", "text": result.text}], "isError": not result.ok}

    def run_tool(self, tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        """The hook, then the handler; what either of them raises becomes a short text without a stack trace."""
        try:
            if self.before_tool_call is not None:
                self.before_tool_call(tool.spec.name)
            return tool.handler(arguments)
        except ToolError as error:
            return ToolResult(False, str(error))
        except Exception as error:  # noqa: BLE001 - a stranger's handler may raise anything, and the session must live
            return ToolResult(False, f"**{tool.spec.name}** failed: {type(error).__name__}")


def respond(server: Server) -> Callable[[str], Iterable[str]]:
    """`server` as a function from a line to all lines that leave because of it, its outbox first."""

    def lines(line: str) -> list[str]:
        answer = server.handle_line(line)
        leaving = [*server.outbox, *([] if answer is None else [answer])]
        server.outbox.clear()
        return leaving

    return lines


def _advertised(spec: ToolSpec) -> dict[str, Any]:
    entry = {"name": spec.name, "description": spec.description, "inputSchema": spec.input_schema}
    return entry if spec.annotations is None else entry | {"annotations": spec.annotations}


def _member(params: Params, name: str, kind: type) -> Any:
    value = params.get(name)
    if not isinstance(value, kind):
        raise RpcError(INVALID_PARAMS, f"Invalid params: {name} must be {'a string' if kind is str else 'an object'}")
    return value
