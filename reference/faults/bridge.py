"""Faults of the bridge to the assistant: which tools it gets, what is changed on the way, what it is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..agent import AiToolSpec, mcp_agent_system_prompt
from .model import Book, OnServer

if TYPE_CHECKING:
    from ..build import Reference
    from ..protocol import Server

BOOK = Book(also="AGENT- STORY-4", why="the assistant of the story has the same tools")

Tools = list[AiToolSpec]


def _changed(change: Callable[[Tools, bool], Tools]) -> OnServer:
    """Changes the list of tools on its way to the assistant."""

    def on_server(server: Reference) -> None:
        right = server.bridge.tools
        server.bridge.tools = lambda of, allow_writes: change(right(of, allow_writes), allow_writes)

    return on_server


def _each(change: Callable[[AiToolSpec], AiToolSpec]) -> OnServer:
    return _changed(lambda tools, _writes: [change(tool) for tool in tools])


def _set(change: Callable[[frozenset[str], Server], frozenset[str]]) -> OnServer:
    """Changes the read-only set."""

    def on_server(server: Reference) -> None:
        right = server.bridge.read_only_names
        server.bridge.read_only_names = lambda: change(right(), server)

    return on_server


def _select(allowed: Callable[[Server, str, frozenset[str]], bool]) -> OnServer:
    """Chooses the tools of read-only mode in another way than by the set."""

    def on_server(server: Reference) -> None:
        right = server.bridge.tools

        def tools(of: Server, allow_writes: bool) -> Tools:  # noqa: FBT001 - the bridge's signature
            names = server.bridge.read_only_names()
            every = right(of, True)
            return every if allow_writes else [tool for tool in every if allowed(of, tool.name, names)]

        server.bridge.tools = tools

    return on_server


def _turned(server: Reference) -> None:
    right = server.bridge.tools
    server.bridge.tools = lambda of, allow_writes: right(of, not allow_writes)


def _later(server: Reference) -> None:
    known = {spec.name for spec in server.tools}
    _select(lambda _of, name, names: name in names or name not in known)(server)


def _growing(server: Reference) -> None:
    known = {spec.name for spec in server.tools}
    _set(lambda names, of: names | {spec.name for spec in of.tools if spec.name not in known})(server)


_WRITES = {"update_", "create_", "move_", "find_", "undo_", "export_", "backup_", "save_", "tck_"}
_PICKED = {"read_entity", "read_map", "generate_name"}


def _strict(schema: dict[str, Any]) -> dict[str, Any]:
    return schema | {"additionalProperties": False}


def _stripped(schema: dict[str, Any]) -> dict[str, Any]:
    known = {"type", "properties", "required", "description", "items", "enum"}
    kept = {key: value for key, value in schema.items() if key in known}
    if isinstance(kept.get("properties"), dict):
        kept["properties"] = {
            name: _stripped(inner) if isinstance(inner, dict) else inner for name, inner in kept["properties"].items()
        }
    return kept


for _name, _breaks, _what, _how in [
    (
        "agent-hand-picked",
        "AGENT-1 STORY-42",
        "has three tools picked by hand, as the assistant once did",
        _changed(lambda tools, _: [t for t in tools if t.name in _PICKED]),
    ),
    ("agent-sorted", "AGENT-1 AGENT-4", "gets its tools by name", _changed(lambda tools, _: sorted(tools))),
    (
        "agent-backwards",
        "AGENT-1 AGENT-4",
        "gets its tools in the opposite order",
        _changed(lambda tools, _: tools[::-1]),
    ),
    (
        "agent-reads-first",
        "AGENT-1",
        "gets reading tools before the others",
        _changed(lambda tools, _: sorted(tools, key=lambda t: not t.name.startswith(("read_", "list_", "tck_read")))),
    ),
    (
        "agent-doubles",
        "AGENT-1",
        "gets a tool twice",
        _changed(lambda tools, writes: [*tools, tools[0]] if writes else tools),
    ),
    (
        "agent-no-probes",
        "AGENT-1",
        "does not get what was registered behind the server's own tools",
        _changed(lambda tools, _: [t for t in tools if not t.name.startswith("tck_")]),
    ),
    (
        "agent-mode-turned-round",
        "AGENT-1 AGENT-4 AGENT-5",
        "takes leave to write for none",
        _turned,
    ),
    (
        "agent-short-description",
        "AGENT-2",
        "gets the first sentence of a description",
        _each(lambda t: t._replace(description=t.description.split(". ")[0])),
    ),
    (
        "agent-first-line",
        "AGENT-2",
        "gets the first line of a description",
        _each(lambda t: t._replace(description=t.description.split("\n")[0])),
    ),
    (
        "agent-notes-writes",
        "AGENT-2",
        "is told behind a description that the tool writes",
        _each(lambda t: t._replace(description=t.description + " (writes)")),
    ),
    ("agent-prefixed-names", "AGENT-2", "gets names with a prefix", _each(lambda t: t._replace(name="mcp__" + t.name))),
    (
        "agent-camel-names",
        "AGENT-2",
        "gets names in another form",
        _each(lambda t: t._replace(name=t.name.replace("_", ""))),
    ),
    (
        "agent-strict-schema",
        "AGENT-3",
        "gets schemas with additionalProperties added",
        _each(lambda t: t._replace(parameters=_strict(t.parameters))),
    ),
    (
        "agent-stripped-schema",
        "AGENT-3",
        "gets schemas without the keywords that a provider does not know",
        _each(lambda t: t._replace(parameters=_stripped(t.parameters))),
    ),
    (
        "agent-all-required",
        "AGENT-3",
        "gets schemas that require every property",
        _each(lambda t: t._replace(parameters=t.parameters | {"required": [*t.parameters.get("properties", {})]})),
    ),
    (
        "agent-empty-schema",
        "AGENT-3",
        "gets no schema where a tool needs no arguments",
        _each(lambda t: t._replace(parameters=t.parameters if t.parameters.get("properties") else {})),
    ),
    (
        "agent-wrapped-schema",
        "AGENT-3",
        "gets a provider's form around the schema",
        _each(lambda t: t._replace(parameters={"type": "function", "function": {"parameters": t.parameters}})),
    ),
    (
        "agent-denylist",
        "AGENT-5",
        "keeps a list of tools that write and allows all others",
        _select(lambda _of, name, _: not name.startswith(tuple(_WRITES - {"tck_"}))),
    ),
    (
        "agent-by-hints",
        "AGENT-5",
        "allows a tool that does not say that it writes",
        _select(
            lambda of, name, _: next(
                (s.annotations or {}).get("readOnlyHint", True) for s in of.tools if s.name == name
            )
        ),
    ),
    (
        "agent-by-name",
        "AGENT-5",
        "allows a tool whose name sounds like reading",
        _select(
            lambda _of, name, names: (
                name in names or name.startswith(("read_", "get_", "list_", "search_", "find_all", "show_", "tck_read"))
            )
        ),
    ),
    (
        "agent-by-description",
        "AGENT-5",
        "allows a tool whose description says that it changes nothing",
        _select(
            lambda of, name, names: (
                name in names
                or any(
                    w in s.description.lower()
                    for s in of.tools
                    if s.name == name
                    for w in ("changes nothing", "reads", "read-only", "lists", "shows")
                )
            )
        ),
    ),
    (
        "agent-by-schema",
        "AGENT-5",
        "allows a tool that takes no arguments",
        _select(
            lambda of, name, names: (
                name in names or any(not s.input_schema.get("properties") for s in of.tools if s.name == name)
            )
        ),
    ),
    (
        "agent-later-tools",
        "AGENT-5",
        "allows a tool that was registered later",
        _later,
    ),
    (
        "agent-reads-everything",
        "AGENT-4 AGENT-5 STORY-41",
        "has every tool in read-only mode",
        _select(lambda *_: True),
    ),
    ("agent-reads-nothing", "AGENT-4 AGENT-9 STORY-40", "has no tool in read-only mode", _select(lambda *_: False)),
    (
        "agent-no-documents",
        "STORY-40 AGENT-4",
        "cannot see a document in read-only mode",
        _changed(lambda tools, writes: [t for t in tools if writes or "document" not in t.name]),
    ),
    (
        "agent-adds-missing",
        "AGENT-4",
        "gets a tool of the set that the server does not have",
        _changed(lambda tools, writes: tools if writes else [*tools, AiToolSpec("read_timeline", "", {})]),
    ),
    (
        "agent-find-replace-reads",
        "AGENT-6 STORY-41",
        "has find_replace in the read-only set",
        _set(lambda names, _: names | {"find_replace"}),
    ),
    (
        "agent-exports-read",
        "AGENT-7 STORY-41",
        "has the exports in the read-only set",
        _set(lambda names, _: names | {"export_markdown"}),
    ),
    (
        "agent-backup-reads",
        "AGENT-7 STORY-41",
        "has backup_project in the read-only set",
        _set(lambda names, _: names | {"backup_project"}),
    ),
    (
        "agent-packs-read",
        "AGENT-7 STORY-41",
        "has save_content_pack in the read-only set",
        _set(lambda names, _: names | {"save_content_pack"}),
    ),
    (
        "agent-undo-reads",
        "AGENT-8 STORY-41",
        "has undo_last in the read-only set",
        _set(lambda names, _: names | {"undo_last"}),
    ),
    (
        "agent-updates-read",
        "STORY-41",
        "has update_map in the read-only set",
        _set(lambda names, _: names | {"update_map"}),
    ),
    (
        "agent-generator-writes",
        "AGENT-9",
        "does not have the generator in the read-only set",
        _set(lambda names, _: names - {"generate_name"}),
    ),
    (
        "agent-probes-read",
        "PROBE-11 AGENT-5",
        "has a probe in the read-only set",
        _set(lambda names, _: names | {"tck_read"}),
    ),
    (
        "agent-set-grows",
        "AGENT-10",
        "puts tools that are registered later into the set",
        _growing,
    ),
]:
    BOOK.add(
        _name, _breaks, _what, also="SRV-LIST-3 PROBE-8 PROBE-11", why="the probe shows the bridge", on_server=_how
    )


@BOOK.server("agent-snapshot", "AGENT-1", "has the tools that were there at the start", also="AGENT-5")
def _(server: Reference) -> None:
    right, known = server.bridge.tools, {spec.name for spec in server.tools}
    server.bridge.tools = lambda of, writes: [tool for tool in right(of, writes) if tool.name in known]


@BOOK.server("agent-set-by-mode", "AGENT-10", "shows another set in the mode that writes", also="PROBE-8")
def _(server: Reference) -> None:
    right, tools = server.bridge.read_only_names, server.bridge.tools
    mode = [False]

    def seen(of: Server, allow_writes: bool) -> Tools:  # noqa: FBT001 - the bridge's signature
        given = tools(of, allow_writes)
        mode[0] = allow_writes
        return given

    server.bridge.tools = seen
    server.bridge.read_only_names = lambda: frozenset() if mode[0] else right()


@BOOK.server("agent-no-read-prompt", "AGENT-20", "has no prompt in read-only mode", also="PROBE-8")
def _(server: Reference) -> None:
    server.bridge.system_prompt = lambda writes: mcp_agent_system_prompt(writes) if writes else ""


@BOOK.server("agent-no-write-prompt", "AGENT-20", "has no prompt in the mode that writes", also="PROBE-8")
def _(server: Reference) -> None:
    server.bridge.system_prompt = lambda writes: "" if writes else mcp_agent_system_prompt(writes)


@BOOK.server("agent-one-prompt", "AGENT-21", "has the same prompt in both modes")
def _(server: Reference) -> None:
    server.bridge.system_prompt = lambda _writes: mcp_agent_system_prompt(True)


@BOOK.server("agent-cached", "AGENT-1", "gets the tools that it got the first time", also="AGENT-5")
def _(server: Reference) -> None:
    right = server.bridge.tools
    first: dict[bool, Tools] = {}
    server.bridge.tools = lambda of, writes: first.setdefault(writes, right(of, writes))
