"""Faults of the catalogue: where a tool stands, whose handler it has, what is listed of it."""

from __future__ import annotations

import html
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from ..messages import RpcError
from ..protocol import Catalogue, Tool, ToolResult, ToolSpec
from .filters import each_result
from .model import Book, OnServer

if TYPE_CHECKING:
    from ..build import Reference

BOOK = Book()
Entry: TypeAlias = dict[str, Any]
REG = "SRV-REG- SRV-LIST-"


class Shelf(Catalogue):
    """A catalogue as a plain list, to be kept in a wrong order."""

    def __init__(self, right: Catalogue) -> None:
        super().__init__()
        self.admits = right.admits
        self.held = [tool for spec in right.specs() if (tool := right.find(spec.name)) is not None]

    def place(self, name: str) -> int | None:
        """Where a name stands first."""
        return next((i for i, tool in enumerate(self.held) if tool.spec.name == name), None)

    def add(self, tool: Tool) -> None:
        """Adds or replaces, as is right."""
        place = self.place(tool.spec.name)
        self.held[len(self.held) if place is None else place : None if place is None else place + 1] = [tool]

    def put_back(self, name: str, tool: Tool | None) -> None:
        """Has what was under that name where the name stands, or nothing."""
        place = self.place(name)
        rest = [held for held in self.held if held.spec.name != name]
        self.held = rest if tool is None else [*rest[:place], tool, *rest[len(rest) if place is None else place :]]

    def find(self, name: str) -> Tool | None:
        """The tool of that name."""
        place = self.place(name)
        return None if place is None or not self.admits(name) else self.held[place]

    def specs(self) -> tuple[ToolSpec, ...]:
        """What is advertised."""
        return tuple(tool.spec for tool in self.held if self.admits(tool.spec.name))


def shelf(kind: type[Shelf]) -> OnServer:
    """Puts a catalogue of that kind into the server."""

    def change(server: Reference) -> None:
        server.catalogue = kind(server.catalogue)

    return change


class _Appends(Shelf):
    def add(self, tool: Tool) -> None:
        self.held = [held for held in self.held if held.spec.name != tool.spec.name] + [tool]


class _Doubles(Shelf):
    def add(self, tool: Tool) -> None:
        self.held.append(tool)

    def find(self, name: str) -> Tool | None:
        return next((tool for tool in reversed(self.held) if tool.spec.name == name), None)


class _Keeps(Shelf):
    def add(self, tool: Tool) -> None:
        place = self.place(tool.spec.name)
        if place is None:
            self.held.append(tool)
        else:
            self.held[place] = Tool(tool.spec, self.held[place].handler)


class _MovesSecondTime(Shelf):
    def __init__(self, right: Catalogue) -> None:
        super().__init__(right)
        self.again: set[str] = set()

    def add(self, tool: Tool) -> None:
        name = tool.spec.name
        if name in self.again:
            self.held = [held for held in self.held if held.spec.name != name]
        elif self.place(name) is not None:
            self.again.add(name)
        super().add(tool)


class _Front(Shelf):
    def add(self, tool: Tool) -> None:
        if self.place(tool.spec.name) is None:
            self.held.insert(0, tool)
        else:
            super().add(tool)


class _LosesNext(Shelf):
    def add(self, tool: Tool) -> None:
        place = self.place(tool.spec.name)
        super().add(tool)
        if place is not None:
            del self.held[place + 1 : place + 2]


class _Mixes(Shelf):
    def add(self, tool: Tool) -> None:
        place = self.place(tool.spec.name)
        if place is not None:
            old = self.held[place].spec
            tool = Tool(tool.spec._replace(input_schema=old.input_schema), tool.handler)
        super().add(tool)


class _AllAnswerAlike(Shelf):
    """Registering again gives the new handler to the tool before it, too."""

    def add(self, tool: Tool) -> None:
        place = self.place(tool.spec.name)
        super().add(tool)
        if place:
            self.held[place - 1] = Tool(self.held[place - 1].spec, tool.handler)


BOOK.add("again-appends", "SRV-REG-3", "puts a name that is registered again at the end", on_server=shelf(_Appends))
BOOK.add(
    "again-doubles",
    "SRV-REG-4",
    "lists a name that is registered again twice",
    also=REG,
    why="two entries of one name",
    on_server=shelf(_Doubles),
)
BOOK.add(
    "again-keeps-handler",
    "SRV-REG-2",
    "keeps the old handler of a name that is registered again",
    also="SRV-HOOK-3 PROBE-5 SRV-REG-",
    why="those cases register a tool again",
    on_server=shelf(_Keeps),
)
BOOK.add(
    "again-moves-second-time",
    "SRV-REG-3",
    "moves a name at its second registration anew",
    on_server=shelf(_MovesSecondTime),
)
BOOK.add(
    "again-loses-next",
    "SRV-REG-4",
    "loses the tool behind one that is registered again",
    also="SRV-REG-",
    why="a tool is gone",
    on_server=shelf(_LosesNext),
)
BOOK.add(
    "again-spreads",
    "SRV-REG-4",
    "gives the new handler to a neighbour as well",
    also="SRV-REG- SRV-HOOK-3",
    why="a probe of the case may be the neighbour",
    on_server=shelf(_AllAnswerAlike),
)
BOOK.add(
    "again-mixes",
    "SRV-REG-5",
    "lists the new description with the old schema",
    also="SRV-REG- PROBE-5",
    why="schema and description are one thing",
    on_server=shelf(_Mixes),
)
BOOK.add(
    "new-tools-first",
    "SRV-LIST-1",
    "lists the tool first that was registered last",
    also="SRV-REG-3 SRV-REG-4",
    why="the same lists",
    on_server=shelf(_Front),
)


@BOOK.server(
    "again-refused",
    "SRV-REG-2",
    "refuses a name that is known",
    also="SRV-REG- SRV-HOOK-3 PROBE-5",
    why="those cases register a tool again",
)
def _(server: Reference) -> None:
    right = server.register_tool

    def register(spec: ToolSpec, handler: Any) -> None:
        if server.catalogue.find(spec.name) is not None:
            raise ValueError(spec.name)
        right(spec, handler)

    vars(server)["register_tool"] = register


@BOOK.server(
    "callable-when-listed",
    "SRV-REG-1",
    "lets a tool be called only once it was listed",
    also="SRV-REG- SRV-HOOK-3 SRV-REPLY-4 PROBE-5 SRV-LIST-",
    why="those cases call a tool that they registered",
)
def _(server: Reference) -> None:
    known = {spec.name for spec in server.tools}
    find, listed = server.catalogue.find, server.methods["tools/list"]

    def lists(params: Entry) -> Entry:
        known.update(spec.name for spec in server.tools)
        return listed(params)

    vars(server.catalogue)["find"] = lambda name: find(name) if name in known else None
    server.methods["tools/list"] = lists


@BOOK.server(
    "sealed",
    "SRV-REG-1 PROBE-5",
    "takes no tool once it was opened",
    also="SRV-REG- SRV-HOOK-3 SRV-REPLY-4 SRV-LIST- AGENT- MCP-TOOL-032",
    why="those cases register a tool",
)
def _(server: Reference) -> None:
    vars(server)["register_tool"] = lambda _spec, _handler: None


def listing(change: Callable[[list[Entry]], object]) -> Any:
    """A filter on the entries of the list."""

    def changed(result: Entry) -> None:
        given = change(result["tools"])
        if given is not None:
            result["tools"] = given

    return each_result("tools/list", changed)


def entries(change: Callable[[Entry], object]) -> Any:
    """A filter on each entry of the list."""

    def changed(tools: list[Entry]) -> None:
        for tool in tools:
            change(tool)

    return listing(changed)


def _known_only(schema: Any) -> Any:
    known = {"type", "properties", "required", "description", "items", "enum", "default", "minimum"}
    if isinstance(schema, dict):
        return {key: _known_only(value) for key, value in schema.items() if key in known} | {
            "properties": {name: _known_only(value) for name, value in schema.get("properties", {}).items()}
        }
    return schema


def _shuffled(tools: list[Entry]) -> list[Entry]:
    dice.shuffle(tools)
    return tools


dice = random.Random(7)  # noqa: S311 - the same disorder at every run

LIST = "SRV-REG- SRV-LIST- AGENT-"
for _name, _breaks, _what, _change in [
    ("list-sorted", "SRV-LIST-1", "lists tools by name", lambda tools: sorted(tools, key=lambda tool: tool["name"])),
    ("list-backwards", "SRV-LIST-1", "lists the newest tool first", lambda tools: tools[::-1]),
    ("list-shuffled", "SRV-LIST-1 MCP-TOOL-035", "lists tools in another order each time", _shuffled),
    ("list-cut", "SRV-LIST-1", "lists twenty-two tools at most, without a second page", lambda tools: tools[:22]),
    ("list-doubles-last", "SRV-LIST-1 MCP-TOOL-009", "lists the last tool twice", lambda tools: [*tools, tools[-1]]),
]:
    BOOK.add(
        _name,
        _breaks,
        _what,
        also=LIST + " SRV-HOOK-3 PROBE-5 STORY-40 STORY-42 STORY-1",
        why="the same lists",
        on_lines=listing(_change),
    )

for _name, _breaks, _what, _edit in [
    (
        "list-trims-description",
        "SRV-LIST-2",
        "lists a description without its later lines",
        lambda t: t.update(description=t["description"].split("\n")[0]),
    ),
    (
        "list-cuts-description",
        "SRV-LIST-2",
        "lists a thousand characters of a description",
        lambda t: t.update(description=t["description"][:1000]),
    ),
    (
        "list-escapes-description",
        "SRV-LIST-2",
        "escapes markup in descriptions",
        lambda t: t.update(description=html.escape(t["description"])),
    ),
    (
        "list-ascii-description",
        "SRV-LIST-2",
        "lists what is ASCII of a description",
        lambda t: t.update(description=t["description"].encode("ascii", "ignore").decode()),
    ),
    ("list-lower-names", "SRV-LIST-2", "lists names in lower case", lambda t: t.update(name=t["name"].lower())),
    (
        "list-snake-names",
        "SRV-LIST-2",
        "lists names with low lines for hyphens",
        lambda t: t.update(name=t["name"].replace("-", "_")),
    ),
    ("list-no-description", "SRV-LIST-4", "lists no descriptions", lambda t: t.pop("description")),
    (
        "list-blank-name",
        "SRV-LIST-4",
        "lists a tool without a visible name",
        lambda t: t["name"] == "undo_last" and t.update(name=" "),
    ),
    (
        "list-known-keywords",
        "SRV-LIST-3",
        "lists the schema keywords that it knows",
        lambda t: t.update(inputSchema=_known_only(t["inputSchema"])),
    ),
    (
        "list-strict-schema",
        "SRV-LIST-3",
        "adds additionalProperties to every schema",
        lambda t: t["inputSchema"].setdefault("additionalProperties", False),
    ),
    (
        "list-sorted-schema",
        "SRV-LIST-3",
        "sorts what a schema requires",
        lambda t: "required" in t["inputSchema"] and t["inputSchema"]["required"].sort(),
    ),
    (
        "list-adds-properties",
        "SRV-LIST-3",
        "adds properties to a schema without any",
        lambda t: t["inputSchema"].setdefault("properties", {}),
    ),
    (
        "list-drops-empty",
        "SRV-LIST-3",
        "leaves out what is empty in a schema",
        lambda t: t.update(inputSchema={k: v for k, v in t["inputSchema"].items() if v not in ({}, [], "")}),
    ),
]:
    BOOK.add(
        _name,
        _breaks,
        _what,
        also=LIST + " STORY-1 STORY-40 STORY-42 PROBE-5 MCP-TOOL-010",
        why="the same entries",
        on_lines=entries(_edit),
    )


@BOOK.server(
    "list-changes-after-call",
    "SRV-LIST-1 MCP-TOOL-035",
    "lists the tool first that was called last",
    also="SRV-REG- SRV-LIST- AGENT- STORY-",
    why="the same lists",
)
def _(server: Reference) -> None:
    recent: list[str] = []
    right_call, right_list = server.methods["tools/call"], server.methods["tools/list"]

    def call(params: Entry) -> Entry:
        name = params.get("name")
        if isinstance(name, str):
            recent.insert(0, name)
        return right_call(params)

    def lists(params: Entry) -> Entry:
        tools = right_list(params)["tools"]
        return {"tools": sorted(tools, key=lambda tool: recent.index(tool["name"]) if tool["name"] in recent else 999)}

    server.methods |= {"tools/call": call, "tools/list": lists}


@BOOK.server("case-ignored", "SRV-REPLY-7 SRV-HOOK-5 MCP-TOOL-011", "finds a tool by its name in any letter case")
def _(server: Reference) -> None:
    find = server.catalogue.find

    def alike(name: str) -> Tool | None:
        return find(next((s.name for s in server.tools if s.name.lower() == name.lower()), name))

    vars(server.catalogue)["find"] = alike


@BOOK.server(
    "name-prefix",
    "SRV-REPLY-7",
    "finds a tool by the beginning of its name",
    also="SRV-HOOK-5 SRV-REG-1 MCP-TOOL-",
    why="names that are no tool's",
)
def _(server: Reference) -> None:
    find = server.catalogue.find

    def nearest(name: str) -> Tool | None:
        return find(next((s.name for s in server.tools if name and s.name.startswith(name)), name))

    vars(server.catalogue)["find"] = nearest


@BOOK.server("name-trimmed", "SRV-REPLY-7", "trims the name of a tool that is called")
def _(server: Reference) -> None:
    find = server.catalogue.find
    vars(server.catalogue)["find"] = lambda name: find(name.strip())


@BOOK.server(
    "list-cached", "SRV-REG-1 SRV-LIST-1", "lists what it listed the first time", also="SRV- AGENT-", why="later lists"
)
def _(server: Reference) -> None:
    right, first = server.methods["tools/list"], list[Entry]()

    def lists(params: Entry) -> Entry:
        first.append(right(params))
        return first[0]

    server.methods["tools/list"] = lists


@BOOK.server("long-names-cut", "SRV-LIST-2", "keeps 64 characters of a name", also="SRV-REG-1", why="the same tool")
def _(server: Reference) -> None:
    right = server.register_tool

    def register(spec: ToolSpec, handler: Any) -> None:
        right(spec._replace(name=spec.name[:64]), handler)

    vars(server)["register_tool"] = register


@BOOK.server(
    "name-normalised",
    "SRV-REPLY-7",
    "takes a hyphen in a name for a low line",
    also="SRV-LIST-2",
    why="a name with a hyphen",
)
def _(server: Reference) -> None:
    find = server.catalogue.find
    vars(server.catalogue)["find"] = lambda name: find(name.replace("-", "_"))


@BOOK.server(
    "last-tool-for-unknown",
    "SRV-REPLY-7 MCP-TOOL-037",
    "calls some tool where it does not know the name",
    also="SRV-HOOK-5 SRV-REG-1 MCP-TOOL- MCP-LIFE-",
    why="calls of tools that are not there",
)
def _(server: Reference) -> None:
    find = server.catalogue.find
    fallback = Tool(ToolSpec("", "", {}), lambda _args: ToolResult(True, "done"))
    vars(server.catalogue)["find"] = lambda name: find(name) or fallback


@BOOK.server(
    "list-refused-after-change",
    "SRV-REG-1",
    "needs a restart to list what was registered",
    also="SRV- PROBE- AGENT- MCP-TOOL-032",
    why="lists after a registration",
)
def _(server: Reference) -> None:
    count = len(server.tools)
    right = server.methods["tools/list"]

    def lists(params: Entry) -> Entry:
        if len(server.tools) != count:
            raise RpcError(-32603, "restart the server")
        return right(params)

    server.methods["tools/list"] = lists
