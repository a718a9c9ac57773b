"""Faults of what a tool's call comes to: the result, its text, and how a call is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..protocol import ToolResult
from .filters import Message, Written, each_error, each_reply, error, on_message, result
from .model import Book

if TYPE_CHECKING:
    from ..build import Reference

BOOK = Book(
    also="SRV-REPLY- MCP-TOOL- MCP-STDIO- PROBE- ARG- AGENT- STORY- MCP-LIFE- SRV-REG- SRV-HOOK- SRV-LIST- MCP-BASE- "
    "SRV-PARSE-7",
    why="whatever is shown by a probe or a tool is shown by its result",
)
Params = dict[str, Any]


def _call(change: Callable[[Message], object]) -> Any:
    """A filter on results of calls; the profiles stay as they are, or nothing else would be judged."""

    def changed(request: Message, reply: Message) -> Message:
        if (
            request.get("method") == "tools/call"
            and request["params"].get("name") != "tck_profile"
            and "result" in reply
        ):
            change(reply["result"])
        return reply

    return each_reply(changed)


def _text(change: Callable[[str], str]) -> Any:
    """A filter on the texts of a result."""

    def changed(value: Message) -> None:
        for block in value["content"]:
            block["text"] = change(block["text"])

    return _call(changed)


def _failing(change: Callable[[Message], object]) -> Any:
    return _call(lambda value: change(value) if value["isError"] else None)


def _blocks(change: Callable[[Message], object]) -> Any:
    def changed(value: Message) -> None:
        for block in value["content"]:
            change(block)

    return _call(changed)


def _ending(handler: Any) -> Any:
    ended = [False]

    def lines(line: str) -> Any:
        if ended[0]:
            return []
        answers = list(handler(line))
        ended[0] = any("Unknown tool" in answer for answer in answers)
        return answers

    return lines


def _cached(server: Reference) -> None:
    right, kept = server.run_tool, dict[str, ToolResult]()

    def run(tool: Any, arguments: Params) -> ToolResult:
        name = tool.spec.name
        return kept.setdefault(name, right(tool, arguments)) if name == "tck_fail" else right(tool, arguments)

    vars(server)["run_tool"] = run


for _name, _breaks, _what, _how in [
    (
        "failure-unmarked",
        "SRV-REPLY-6 MCP-TOOL-028 PROBE-10",
        "answers what failed without isError",
        _call(lambda r: r.pop("isError") and None),
    ),
    (
        "failure-is-success",
        "SRV-REPLY-6 MCP-TOOL-028 PROBE-10",
        "answers what failed with isError false",
        _call(lambda r: r.update(isError=False)),
    ),
    (
        "success-is-failure",
        "SRV-REPLY-4 PROBE-1",
        "answers everything with isError true",
        _call(lambda r: r.update(isError=True)),
    ),
    (
        "error-word-is-failure",
        "SRV-REPLY-4",
        "takes a text that begins with Error for a failure",
        _call(lambda r: r["content"][0]["text"].startswith("Error") and r.update(isError=True)),
    ),
    (
        "failure-hides-text",
        "SRV-REPLY-6",
        "answers every failure with a text of its own",
        _failing(lambda r: r.update(content=[{"type": "text", "text": "The tool failed."}])),
    ),
    (
        "failure-prefixed",
        "SRV-REPLY-6",
        "puts a word before the text of a failure",
        _failing(lambda r: r["content"][0].update(text="Error: " + r["content"][0]["text"])),
    ),
    ("text-one-line", "SRV-REPLY-4 SRV-REPLY-6", "makes one line of a text", _text(lambda t: " ".join(t.splitlines()))),
    (
        "text-line-feeds",
        "SRV-REPLY-4 SRV-REPLY-6",
        "makes line feeds of a text's line breaks",
        _text(lambda t: t.replace("\r\n", "\n").replace("\r", "\n")),
    ),
    ("text-cut", "SRV-REPLY-6 SRV-REPLY-1", "keeps 25,000 characters of a text", _text(lambda t: t[:25000])),
    (
        "text-in-quotes",
        "SRV-REPLY-4 SRV-REPLY-6 PROBE-1",
        "writes the text as a JSON string",
        _text(lambda t: '"' + t.replace('"', '\\"') + '"'),
    ),
    (
        "text-escaped",
        "SRV-REPLY-4 SRV-REPLY-6",
        "escapes markup in a text",
        _text(lambda t: t.replace("&", "&amp;").replace('"', "&quot;")),
    ),
    ("text-doubled", "PROBE-1", "gives the text in two blocks", _call(lambda r: r["content"].append(r["content"][0]))),
    (
        "text-pretty",
        "PROBE-1",
        "prints JSON over many lines",
        _text(lambda t: t.replace(",", ",\n") if t[:1] == "{" else t),
    ),
    ("content-missing", "MCP-TOOL-017", "answers a call without content", _call(lambda r: r.pop("content") and None)),
    (
        "content-is-text",
        "MCP-TOOL-017",
        "gives the content as a text",
        _call(lambda r: r.update(content=r["content"][0]["text"])),
    ),
    (
        "content-is-object",
        "MCP-TOOL-017",
        "gives the content as one block without a list",
        _call(lambda r: r.update(content=r["content"][0])),
    ),
    (
        "is-error-word",
        "MCP-TOOL-017",
        "writes isError as a word",
        _call(lambda r: r.update(isError=str(r["isError"]).lower())),
    ),
    (
        "is-error-number",
        "MCP-TOOL-017",
        "writes isError as a number",
        _call(lambda r: r.update(isError=int(r["isError"]))),
    ),
    (
        "block-without-text",
        "MCP-TOOL-018",
        "gives a text block without its text",
        _blocks(lambda b: b.pop("text") and None),
    ),
    (
        "block-with-null",
        "MCP-TOOL-018",
        "gives a text block whose text is null",
        _blocks(lambda b: b.update(text=None)),
    ),
    (
        "block-of-own-type",
        "MCP-TOOL-018 MCP-LIFE-014",
        "gives a block of a type that MCP does not have",
        _blocks(lambda b: b.update(type="markdown")),
    ),
    ("block-without-type", "MCP-TOOL-018", "gives a block without a type", _blocks(lambda b: b.pop("type") and None)),
    (
        "annotations-audience",
        "MCP-TOOL-020",
        "writes the audience of a block as a word",
        _blocks(lambda b: b.update(annotations={"audience": "user"})),
    ),
    (
        "annotations-priority",
        "MCP-TOOL-020",
        "gives a block a priority of ten",
        _blocks(lambda b: b.update(annotations={"priority": 10})),
    ),
    (
        "structured-list",
        "MCP-TOOL-029",
        "gives structured content that is a list",
        _call(lambda r: r.update(structuredContent=[])),
    ),
    (
        "structured-null",
        "MCP-TOOL-029",
        "gives structured content of null",
        _call(lambda r: r.update(structuredContent=None)),
    ),
]:
    BOOK.add(_name, _breaks, _what, on_lines=_how)

BOOK.add(
    "block-too-new",
    "MCP-LIFE-013",
    "answers an old session with a type of block that came later",
    revision="2024-11-05",
    on_server=lambda server: _refusing_result(server, {"type": "resource_link", "uri": "file:///x", "name": "x"}),
)
BOOK.add(
    "failure-is-protocol-error",
    "SRV-REPLY-6 MCP-TOOL-028",
    "answers what failed with a JSON-RPC error",
    on_lines=each_reply(
        lambda request, reply: (
            error(request, -32603, reply["result"]["content"][0]["text"])
            if isinstance(reply.get("result"), dict) and reply["result"].get("isError")
            else reply
        )
    ),
)
BOOK.add(
    "unknown-tool-succeeds",
    "SRV-REPLY-7 MCP-TOOL-037",
    "answers an unknown tool with a success that says so",
    on_lines=each_error(
        lambda request, reply: (
            result(request, {"content": [{"type": "text", "text": reply["error"]["message"]}], "isError": False})
            if reply["error"]["message"].startswith("Unknown tool")
            else reply
        )
    ),
)
BOOK.add(
    "unknown-tool-empty",
    "SRV-REPLY-7 MCP-TOOL-037",
    "answers an unknown tool with an empty result",
    on_lines=each_error(
        lambda request, reply: result(request, {}) if reply["error"]["message"].startswith("Unknown tool") else reply
    ),
)
BOOK.add(
    "unknown-tool-silent",
    "SRV-REPLY-7",
    "does not answer a call of an unknown tool",
    on_lines=each_error(
        lambda _request, reply: None if reply["error"]["message"].startswith("Unknown tool") else reply
    ),
)
BOOK.add(
    "unknown-tool-code",
    "MCP-TOOL-022",
    "refuses an unknown tool with code -32603",
    on_lines=each_error(
        lambda _request, reply: (
            reply | {"error": reply["error"] | {"code": -32603}}
            if reply["error"]["message"].startswith("Unknown tool")
            else reply
        )
    ),
)
BOOK.add(
    "malformed-call-code",
    "MCP-TOOL-038",
    "refuses a call without a name with code -32603",
    on_lines=each_error(
        lambda _request, reply: (
            reply | {"error": reply["error"] | {"code": -32603}} if "name must" in reply["error"]["message"] else reply
        )
    ),
)
BOOK.add(
    "refused-call-ends-session",
    "SRV-REPLY-7",
    "answers nothing any more when a tool was unknown",
    on_lines=_ending,
)


def _refusing_result(server: Reference, block: Message) -> None:
    right = server.methods["tools/call"]

    def call(params: Params) -> Params:
        if server.catalogue.find(str(params.get("name"))) is None:
            return {"content": [block], "isError": True}
        return right(params)

    server.methods["tools/call"] = call


def _calls(answer: Callable[[Message, Params], Written | bool]) -> Any:
    """Answers some calls in the server's place."""

    def given(message: Message) -> Written | bool:
        params = message.get("params", {})
        return (
            message.get("method") != "tools/call"
            or "id" not in message
            or answer(message, params if isinstance(params, dict) else {})
        )

    return on_message(given)


def _with_params(method: str) -> Any:
    def given(message: Message) -> Written | bool:
        bare = "id" in message and "params" not in message and message.get("method") == method
        return error(message, -32602, "params missing") if bare else True

    return on_message(given)


DONE = {"content": [{"type": "text", "text": "done"}], "isError": False}
BOOK.add(
    "nameless-call-succeeds",
    "MCP-TOOL-023",
    "answers a call without a name with a success",
    on_lines=_calls(lambda m, p: True if isinstance(p.get("name"), str) else result(m, DONE)),
)
BOOK.add(
    "name-made-text",
    "MCP-TOOL-023",
    "takes a name that is no string for its text",
    on_lines=_calls(lambda m, p: result(m, DONE) if "name" in p and not isinstance(p["name"], str) else True),
)
BOOK.add(
    "arguments-dropped",
    "MCP-TOOL-023",
    "takes arguments that are no object for none",
    on_lines=_calls(
        lambda m, p: (
            result(m, DONE) if not isinstance(p.get("arguments", {}), dict) and p["arguments"] is not None else True
        )
    ),
)
BOOK.add(
    "arguments-needed",
    "MCP-TOOL-024",
    "refuses a call without arguments",
    on_lines=_calls(lambda m, p: True if "arguments" in p else error(m, -32602, "arguments missing")),
)
for _name, _breaks, _method in (
    ("ping-params-needed", "SRV-PARSE-8 MCP-PING-001", "ping"),
    ("list-params-needed", "MCP-TOOL-003", "tools/list"),
):
    BOOK.add(
        _name,
        _breaks,
        f"refuses {_method} without params",
        on_lines=_with_params(_method),
        also="MCP- SRV-",
    )
BOOK.add(
    "results-swapped-by-name",
    "MCP-TOOL-034",
    "keeps the first result of a tool for all its calls",
    on_server=_cached,
)


@BOOK.server("required-unchecked", "MCP-TOOL-025", "runs a tool without an argument that it requires")
def _(server: Reference) -> None:
    right = server.run_tool

    def run(tool: Any, arguments: Params) -> ToolResult:
        needed = dict.fromkeys(tool.spec.input_schema.get("required", []), "")
        if needed.keys() - arguments.keys():
            return ToolResult(True, "done")
        return right(tool, arguments)

    vars(server)["run_tool"] = run


@BOOK.server("required-by-error", "MCP-TOOL-027", "refuses arguments that do not fit with a JSON-RPC error")
def _(server: Reference) -> None:
    right = server.methods["tools/call"]

    def call(params: Params) -> Params:
        from ..messages import RpcError

        tool = server.catalogue.find(str(params.get("name")))
        given = params.get("arguments", {})
        if tool is not None and isinstance(given, dict) and {*tool.spec.input_schema.get("required", [])} - {*given}:
            raise RpcError(-32602, "Invalid arguments")
        return right(params)

    server.methods["tools/call"] = call


@BOOK.server("no-op-fails", "SRV-REPLY-5 STORY-6", "takes a call that had nothing to do for a failure")
def _(server: Reference) -> None:
    right = server.run_tool

    def run(tool: Any, arguments: Params) -> ToolResult:
        cleared = (
            tool.spec.name == "tck_hook" and arguments.get("action") == "clear" and server.before_tool_call is None
        )
        given = right(tool, arguments)
        nothing = any(word in given.text for word in ("nothing to", "nothing found"))
        return ToolResult(given.ok and not nothing and not cleared, given.text)

    vars(server)["run_tool"] = run
