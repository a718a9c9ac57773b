"""Faults of the probes: what they show of the server that they belong to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..protocol import ToolError, ToolResult
from .model import Book

if TYPE_CHECKING:
    from ..build import Reference

BOOK = Book(
    also="SRV-REPLY- MCP-TOOL- MCP-STDIO- PROBE- ARG- AGENT- STORY- SRV-REG- SRV-HOOK- SRV-LIST- MCP-BASE- SRV-PARSE-7",
    why="whatever is shown by a probe or a tool is shown by its result",
)
Params = dict[str, Any]


def _tool(
    server: Reference, name: str, handler: Callable[[Params, Callable[[Params], ToolResult]], ToolResult]
) -> None:
    """Puts another handler behind a tool; it gets the arguments and the right handler."""
    tool = server.catalogue.find(name)
    assert tool is not None
    server.register_tool(tool.spec, lambda args: handler(args, tool.handler))


def tool_fault(
    name: str, change: Callable[[Params, Callable[[Params], ToolResult]], ToolResult]
) -> Callable[[Reference], None]:
    """A fault of one tool."""
    return lambda server: _tool(server, name, change)


def _json(text: Callable[[Params], Params]) -> Callable[[Params, Callable[[Params], ToolResult]], ToolResult]:
    """A change to the object that a probe answers."""
    from ..messages import read_json, to_json

    def changed(args: Params, right: Callable[[Params], ToolResult]) -> ToolResult:
        given = right(args)
        return ToolResult(given.ok, to_json(text(read_json(given.text)))) if given.ok else given

    return changed


def _missing_reader(args: Params, right: Callable[[Params], ToolResult]) -> ToolResult:
    try:
        return right(args)
    except ToolError:
        return ToolResult(True, '{"contains":false,"value":null}')


def _other_words(args: Params, right: Callable[[Params], ToolResult]) -> ToolResult:
    try:
        return right(args)
    except ToolError:
        return ToolResult(False, "unknown")


for _name, _breaks, _what, _tool_name, _change in [
    (
        "probe-null-text",
        "PROBE-2",
        "shows no value as a text",
        "tck_read",
        _json(lambda o: o | {"value": "null" if o["value"] is None else o["value"]}),
    ),
    (
        "probe-contains-number",
        "PROBE-2",
        "shows contains as a number",
        "tck_read",
        _json(lambda o: o | {"contains": int(o["contains"])}),
    ),
    (
        "probe-no-value",
        "PROBE-2",
        "leaves the value out where there is none",
        "tck_read",
        _json(lambda o: {k: v for k, v in o.items() if v is not None}),
    ),
    ("probe-unknown-reader-reads", "PROBE-4", "reads with a reader that is not there", "tck_read", _missing_reader),
    (
        "probe-unknown-reader-words",
        "PROBE-4",
        "says it in other words that a reader is not there",
        "tck_read",
        _other_words,
    ),
    (
        "probe-register-silent",
        "PROBE-5",
        "does not answer the name that it registered",
        "tck_register",
        _json(lambda _o: {}),
    ),
    (
        "probe-hook-log-turned",
        "PROBE-6",
        "shows the hook's log without labels",
        "tck_hook",
        _json(lambda o: {"log": [e.split(":")[-1] for e in o["log"]]}),
    ),
    (
        "probe-hook-last-only",
        "SRV-HOOK-2",
        "shows the last entry of the hook's log",
        "tck_hook",
        _json(lambda o: {"log": o["log"][-1:]}),
    ),
    (
        "probe-agent-no-set",
        "PROBE-8",
        "does not show the read-only set",
        "tck_agent",
        _json(lambda o: {k: v for k, v in o.items() if k != "read_only_names"}),
    ),
    (
        "probe-agent-no-prompt",
        "PROBE-8 AGENT-20",
        "does not show the prompt",
        "tck_agent",
        _json(lambda o: {k: v for k, v in o.items() if k != "prompt"}),
    ),
    (
        "probe-profile-names",
        "PROBE-9",
        "shows profiles as objects beside their names",
        "tck_profile",
        _json(lambda o: {"profiles": [*o["profiles"], {"name": "documented"}]}),
    ),
    (
        "probe-fail-other-text",
        "PROBE-10",
        "fails with a text of its own",
        "tck_fail",
        lambda _args, _right: ToolResult(False, "failed"),
    ),
]:
    BOOK.add(_name, _breaks, _what, on_server=tool_fault(_tool_name, _change))


@BOOK.server("probe-clear-empties-log", "PROBE-7", "empties the hook's log when the hook is cleared")
def _(server: Reference) -> None:
    gone = [0]

    def hook(args: Params, right: Callable[[Params], ToolResult]) -> ToolResult:
        from ..messages import read_json, to_json

        log = read_json(right(args).text)["log"]
        if args.get("action") == "clear":
            gone[0] = len(log)
        return ToolResult(True, to_json({"log": log[gone[0] :]}))

    _tool(server, "tck_hook", hook)


@BOOK.server(
    "probe-registers-elsewhere",
    "PROBE-5 SRV-REG-1",
    "registers a tool on another server than the one that runs",
    also="SRV-",
)
def _(server: Reference) -> None:
    _tool(server, "tck_register", lambda args, _right: ToolResult(True, f'{{"registered":"{args["name"]}"}}'))


@BOOK.server(
    "probe-register-any-schema", "SRV-LIST-3 AGENT-3", "registers every tool with the same schema", also="SRV-"
)
def _(server: Reference) -> None:
    _tool(server, "tck_register", lambda args, right: right({k: v for k, v in args.items() if k != "schema"}))


def _keeping(server: Reference, look: Callable[[], Callable[[], None]]) -> None:
    """`look` sees something before the reset, and what it answers puts that back behind it."""

    def reset(args: Params, right: Callable[[Params], ToolResult]) -> ToolResult:
        put_back = look()
        result = right(args)
        put_back()
        return result

    _tool(server, "tck_reset", reset)


@BOOK.server("probe-reset-keeps-tools", "PROBE-17", "keeps registered tools when it is reset")
def _(server: Reference) -> None:
    def look() -> Callable[[], None]:
        tools = [tool for spec in server.tools if (tool := server.catalogue.find(spec.name))]

        def put_back() -> None:
            for tool in tools:
                server.register_tool(tool.spec, tool.handler)

        return put_back

    _keeping(server, look)


@BOOK.server("probe-reset-keeps-hook", "PROBE-17", "keeps the hook when it is reset")
def _(server: Reference) -> None:
    def look() -> Callable[[], None]:
        hook = server.before_tool_call
        return lambda: server.set_before_tool_call(hook)

    _keeping(server, look)


@BOOK.server("probe-reset-keeps-project", "PROBE-17", "keeps the project when it is reset")
def _(server: Reference) -> None:
    def look() -> Callable[[], None]:
        project = server.project
        assert project is not None
        text = project.store.read()
        return lambda: project.store.write(text)

    _keeping(server, look)
