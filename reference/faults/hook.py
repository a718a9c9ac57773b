"""Faults of the hook before a call: when it runs, for what, with which name, and what replaces it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..protocol import Hook, Tool, ToolError, ToolResult
from .model import Book

if TYPE_CHECKING:
    from ..build import Reference

BOOK = Book(
    also="SRV-HOOK- STORY-5 PROBE-6 PROBE-7", why="whatever is seen by the hook's log, and the story's two writers"
)

READING = ("list_", "read_", "search_", "generate_", "tck_read", "tck_profile", "tck_agent")


def _run(server: Reference, run: Callable[[Tool, dict[str, Any]], ToolResult]) -> None:
    def safely(tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        try:
            return run(tool, arguments)
        except ToolError as error:
            return ToolResult(False, str(error))

    vars(server)["run_tool"] = safely


def _hook(server: Reference, name: str) -> None:
    if server.before_tool_call is not None:
        server.before_tool_call(name)


def _set(server: Reference, function: Callable[[Hook | None], None]) -> None:
    vars(server)["set_before_tool_call"] = function


@BOOK.server("hook-after", "SRV-HOOK-1", "runs the hook when the tool has executed")
def _(server: Reference) -> None:
    def run(tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        result = tool.handler(arguments)
        _hook(server, tool.spec.name)
        return result

    _run(server, run)


@BOOK.server("hook-before-resolution", "SRV-HOOK-5", "runs the hook before it looks the tool up")
def _(server: Reference) -> None:
    find = server.catalogue.find

    def looked_up(name: str) -> Tool | None:
        _hook(server, name)
        return find(name)

    vars(server.catalogue)["find"] = looked_up
    _run(server, lambda tool, arguments: tool.handler(arguments))


@BOOK.server("hook-for-writes", "SRV-HOOK-3", "runs the hook only for tools that look like writing")
def _(server: Reference) -> None:
    def run(tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        if not tool.spec.name.startswith(READING):
            _hook(server, tool.spec.name)
        return tool.handler(arguments)

    _run(server, run)


@BOOK.server("hook-for-reads", "SRV-HOOK-3", "runs the hook only for tools that look like reading")
def _(server: Reference) -> None:
    def run(tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        if tool.spec.name.startswith((*READING, "tck_hook")):
            _hook(server, tool.spec.name)
        return tool.handler(arguments)

    _run(server, run)


@BOOK.server("hook-for-success", "SRV-HOOK-3", "runs the hook only for calls that succeed", also="SRV-HOOK-1")
def _(server: Reference) -> None:
    def run(tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        if tool.spec.name != "tck_fail":
            _hook(server, tool.spec.name)
        return tool.handler(arguments)

    _run(server, run)


@BOOK.server("hook-for-first-tools", "SRV-HOOK-3", "runs the hook only for tools that were there when it started")
def _(server: Reference) -> None:
    known = {spec.name for spec in server.tools} | {"tck_hook"}

    def run(tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        if tool.spec.name in known or (tool.spec.name.startswith("tck_") and tool.spec.name != "tck_one"):
            _hook(server, tool.spec.name)
        return tool.handler(arguments)

    _run(server, run)


@BOOK.server("hook-never", "SRV-HOOK-1 SRV-HOOK-2 SRV-HOOK-3 STORY-50 STORY-51", "runs no hook")
def _(server: Reference) -> None:
    _run(server, lambda tool, arguments: tool.handler(arguments))


@BOOK.server("hook-twice", "SRV-HOOK-2", "runs the hook twice for a call")
def _(server: Reference) -> None:
    def run(tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        _hook(server, tool.spec.name)
        _hook(server, tool.spec.name)
        return tool.handler(arguments)

    _run(server, run)


@BOOK.server("hook-once-a-tool", "SRV-HOOK-2", "runs the hook for the first call of a tool only")
def _(server: Reference) -> None:
    seen: set[str] = set()

    def run(tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        if tool.spec.name not in seen or tool.spec.name == "tck_hook":
            _hook(server, tool.spec.name)
        seen.add(tool.spec.name)
        return tool.handler(arguments)

    _run(server, run)


@BOOK.server("hook-for-methods", "SRV-HOOK-2", "runs the hook for every request")
def _(server: Reference) -> None:
    right = server.method

    def method(name: str) -> Any:
        if name != "tools/call":
            _hook(server, name)
        return right(name)

    vars(server)["method"] = method


@BOOK.server("hook-for-lists", "SRV-HOOK-2", "runs the hook for each tool that it lists")
def _(server: Reference) -> None:
    right = server.methods["tools/list"]

    def lists(params: dict[str, Any]) -> dict[str, Any]:
        for spec in server.tools:
            _hook(server, spec.name)
        return right(params)

    server.methods["tools/list"] = lists


@BOOK.server("hook-given-method", "SRV-HOOK-4", "gives the hook the name of the method")
def _(server: Reference) -> None:
    def run(tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        _hook(server, "tools/call")
        return tool.handler(arguments)

    _run(server, run)


@BOOK.server("hook-given-last-name", "SRV-HOOK-4", "gives the hook the name of the call before")
def _(server: Reference) -> None:
    last = [""]

    def run(tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        _hook(server, last[0])
        last[0] = tool.spec.name
        return tool.handler(arguments)

    _run(server, run)


@BOOK.server("hook-adds-up", "SRV-HOOK-6", "keeps the old hook when another is set")
def _(server: Reference) -> None:
    hooks: list[Hook] = []

    def every(name: str) -> None:
        for hook in hooks:
            hook(name)

    def set_(hook: Hook | None) -> None:
        hooks[:] = [] if hook is None else [*hooks, hook]
        server.before_tool_call = every if hooks else None

    _set(server, set_)


@BOOK.server("hook-set-once", "SRV-HOOK-6", "keeps the first hook that was set")
def _(server: Reference) -> None:
    held: list[Hook] = []

    def set_(hook: Hook | None) -> None:
        held[:] = [] if hook is None else held or [hook]
        server.before_tool_call = held[0] if held else None

    _set(server, set_)


@BOOK.server("hook-not-cleared", "SRV-HOOK-7", "keeps the hook when the empty function is set")
def _(server: Reference) -> None:
    def set_(hook: Hook | None) -> None:
        server.before_tool_call = hook or server.before_tool_call

    _set(server, set_)


@BOOK.server("hook-cleared-for-good", "SRV-HOOK-7", "takes no hook any more once one was cleared")
def _(server: Reference) -> None:
    cleared = [False]

    def set_(hook: Hook | None) -> None:
        cleared[0] |= hook is None
        server.before_tool_call = None if cleared[0] else hook

    _set(server, set_)


@BOOK.server(
    "hook-empty-is-called",
    "SRV-HOOK-7",
    "calls the empty function, so that every call fails",
    also="SRV- MCP-TOOL-",
    why="no call succeeds any more",
)
def _(server: Reference) -> None:
    def empty(_name: str) -> None:
        raise ToolError("bad_function_call")

    def set_(hook: Hook | None) -> None:
        server.before_tool_call = hook or empty

    _set(server, set_)


@BOOK.server("hook-restores-old", "SRV-HOOK-7", "brings the hook before back when one is cleared")
def _(server: Reference) -> None:
    before: list[Hook | None] = []

    def set_(hook: Hook | None) -> None:
        if hook is None:
            server.before_tool_call = before.pop() if before else None
        else:
            before.append(server.before_tool_call)
            server.before_tool_call = hook

    _set(server, set_)
