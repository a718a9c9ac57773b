"""Faults of the story's project: other writers, undo, what is there at the start, and what changes that should not."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..messages import read_json, to_json
from ..protocol import ToolError, ToolResult
from .model import Book
from .probing import tool_fault

if TYPE_CHECKING:
    from ..build import Reference

BOOK = Book(also="STORY- SRV-HOOK- SRV-REPLY-5 ARG-STR-", why="the tools of the story work on one project")
Params = dict[str, Any]
Right = Callable[[Params], ToolResult]


@BOOK.server("replaces-first-only", "STORY-21", "replaces the first occurrence only")
def _(server: Reference) -> None:
    def replace(args: Params, right: Right) -> ToolResult:
        assert server.project is not None
        before = {d["name"]: d["text"] for d in server.project.state["documents"]}
        given = right(args)
        phrase, to = server.readers.string_arg(args, "find"), server.readers.string_arg(args, "replace")

        def edit(state: Params) -> None:
            for document in state["documents"]:
                if document["text"] != before[document["name"]]:
                    document["text"] = before[document["name"]].replace(phrase, to, 1)

        server.project.change(edit)
        return given

    tool_fault("find_replace", replace)(server)


@BOOK.server("replace-ignores-case", "STORY-5 STORY-21", "replaces in every letter case")
def _(server: Reference) -> None:
    def replace(args: Params, right: Right) -> ToolResult:
        given = right(args)
        assert server.project is not None
        if "replaced" in given.text:
            phrase, to = server.readers.string_arg(args, "find"), server.readers.string_arg(args, "replace")

            def edit(state: Params) -> None:
                for document in state["documents"]:
                    document["text"] = re.sub(re.escape(phrase), to, document["text"], flags=re.IGNORECASE)

            server.project.change(edit)
        return given

    tool_fault("find_replace", replace)(server)


def _project(server: Reference) -> Any:
    assert server.project is not None
    return server.project


@BOOK.server("stale-project", "STORY-50 STORY-51", "does not look whether another program wrote the project")
def _(server: Reference) -> None:
    server.set_before_tool_call(None)


@BOOK.server(
    "fresh-for-reads-only", "STORY-51", "looks for another's changes before it reads, and not before it writes"
)
def _(server: Reference) -> None:
    right = server.before_tool_call
    server.set_before_tool_call(
        lambda name: right(name) if right and name.startswith(("read_", "list_", "search_")) else None
    )


@BOOK.server(
    "fresh-for-writes-only", "STORY-50", "looks for another's changes before it writes, and not before it reads"
)
def _(server: Reference) -> None:
    right = server.before_tool_call
    server.set_before_tool_call(
        lambda name: right(name) if right and not name.startswith(("read_", "list_", "search_")) else None
    )


@BOOK.server("undo-takes-others", "STORY-52", "takes back what another program wrote")
def _(server: Reference) -> None:
    project = _project(server)
    first = project.store.read()

    def undo() -> bool:
        project.store.write(first)
        project.refresh()
        return True

    project.undo = undo


@BOOK.server("undo-takes-all", "STORY-5", "takes back every change at once")
def _(server: Reference) -> None:
    project = _project(server)
    right = project.undo

    def undo() -> bool:
        done = right()
        while right():
            pass
        return bool(done)

    project.undo = undo


@BOOK.server("undo-does-nothing", "STORY-5", "takes nothing back")
def _(server: Reference) -> None:
    _project(server).undo = lambda: True


@BOOK.server("undo-fails-when-empty", "STORY-6", "refuses to undo when there is nothing to take back")
def _(server: Reference) -> None:
    right = _project(server).undo

    def undo() -> bool:
        if not right():
            raise ToolError("nothing to undo")
        return True

    _project(server).undo = undo


@BOOK.server("export-changes-project", "STORY-3", "notes each export in the project")
def _(server: Reference) -> None:
    _writes_too(server, "export_markdown")


@BOOK.server("backup-changes-project", "STORY-3", "notes each backup in the project")
def _(server: Reference) -> None:
    _writes_too(server, "backup_project")


@BOOK.server("generator-changes-project", "STORY-3", "adds the name that it made up to the project")
def _(server: Reference) -> None:
    _writes_too(server, "generate_name")


def _writes_too(server: Reference, name: str) -> None:
    def also(args: Params, right: Right) -> ToolResult:
        given = right(args)
        _project(server).change(
            lambda state: state["documents"].append({"name": "Log", "text": "", "word_count_target": None})
        )
        return given

    tool_fault(name, also)(server)


@BOOK.server("generator-rolls-dice", "STORY-3", "makes up another name each time")
def _(server: Reference) -> None:
    count = [0]

    def roll(args: Params, right: Right) -> ToolResult:
        count[0] += 1
        return right(args | {"seed": count[0]})

    tool_fault("generate_name", roll)(server)


@BOOK.server("refusal-changes-half", "STORY-32", "changes the text before it refuses the target")
def _(server: Reference) -> None:
    def update(args: Params, right: Right) -> ToolResult:
        text_first = {k: v for k, v in args.items() if k != "word_count_target"}
        if "text" in args and "word_count_target" in args:
            right(text_first)
        return right(args)

    tool_fault("update_document", update)(server)


@BOOK.server(
    "schema-requires-nothing",
    "STORY-1",
    "does not say which arguments are required",
    also="SRV-LIST- AGENT- MCP-TOOL-",
    why="the schemas are listed",
)
def _(server: Reference) -> None:
    for spec in server.tools:
        tool = server.catalogue.find(spec.name)
        if tool is not None and not spec.name.startswith("tck_"):
            schema = {k: v for k, v in spec.input_schema.items() if k != "required"}
            server.register_tool(spec._replace(input_schema=schema), tool.handler)


@BOOK.server("tool-missing", "STORY-1", "does not offer one of the tools", also="AGENT-", why="the bridge has it not")
def _(server: Reference) -> None:
    right = server.catalogue.admits
    server.catalogue.admits = lambda name: right(name) and name != "save_content_pack"


@BOOK.server("other-project", "STORY-2", "starts with another project")
def _(server: Reference) -> None:
    project = _project(server)
    project.change(lambda state: state["maps"][0]["regions"][1].update(revealed=True))


@BOOK.server("entity-overwritten", "STORY-5", "makes an entity anew whose name is taken")
def _(server: Reference) -> None:
    def create(args: Params, right: Right) -> ToolResult:
        name = server.readers.string_arg(args, "entity")
        _project(server).change(
            lambda state: state["entities"].__setitem__(
                slice(None), [e for e in state["entities"] if e["name"] != name]
            )
        )
        return right(args)

    tool_fault("create_entity", create)(server)


@BOOK.server("text-cleared-by-absence", "STORY-33", "empties the text where only the target is given")
def _(server: Reference) -> None:
    def update(args: Params, right: Right) -> ToolResult:
        given = right(args)
        if "text" not in args:
            name = server.readers.string_arg(args, "document")
            _project(server).change(lambda state: [d.update(text="") for d in state["documents"] if d["name"] == name])
        return given

    tool_fault("update_document", update)(server)


@BOOK.server("state-shared", "STORY-21", "keeps what it held when it was started the last time")
def _(server: Reference) -> None:
    _kept.append(_project(server))
    if len(_kept) > 1:
        _project(server).store.write(_kept[-2].store.read())
        _project(server).refresh()


_kept: list[Any] = []


def _replacing(name: str, what: str, replace: Callable[[str, str, Any], str]) -> None:
    """find_replace done in another way: text, phrase, and what is given as `replace` (None where it is absent)."""

    def change(server: Reference) -> None:
        def tool(args: Params, right: Right) -> ToolResult:
            before = {d["name"]: d["text"] for d in _project(server).state["documents"]}
            given = right(args)
            phrase = server.readers.string_arg(args, "find")
            to = server.readers.string_arg(args, "replace") if "replace" in args else None

            def edit(state: Params) -> None:
                for document in state["documents"]:
                    document["text"] = replace(before[document["name"]], phrase, to)

            if given.ok and "replaced" in given.text:
                _project(server).change(edit)
            return given

        tool_fault("find_replace", tool)(server)

    BOOK.add(name, "STORY-21", what, on_server=change)


def _by_pattern(text: str, phrase: str, to: Any) -> str:
    return re.sub(phrase, (to or "").replace("\\", "\\\\"), text)


def _by_template(text: str, phrase: str, to: Any) -> str:
    return text.replace(phrase, (to or "").replace("$&", phrase).replace("\\0", phrase).replace("&", phrase))


_replacing("replace-absent-word", "puts a word in where nothing was given", lambda t, p, to: t.replace(p, str(to)))
_replacing("find-is-pattern", "takes the phrase for a pattern", _by_pattern)
_replacing("replace-is-template", "takes marks in what it puts in for the phrase", _by_template)


@BOOK.server("position-counted-before", "STORY-31", "counts the place before the field is taken out")
def _(server: Reference) -> None:
    def move(args: Params, right: Right) -> ToolResult:
        position = server.readers.int_arg(args, "position")
        for entity in _project(server).state["entities"]:
            names = [each["field"] for each in entity["fields"]]
            field = server.readers.string_arg(args, "field")
            if position is not None and field in names and names.index(field) < position < len(names):
                return right(args | {"position": position - 1})
        return right(args)

    tool_fault("move_field", move)(server)


@BOOK.server("undo-not-entities", "STORY-5", "does not take back that an entity was made")
def _(server: Reference) -> None:
    project = _project(server)
    right = project.undo

    def undo() -> bool:
        before = project.state["entities"]
        done = right()
        if len(project.state["entities"]) < len(before):
            project.change(lambda state: state.update(entities=before))
        return bool(done)

    project.undo = undo


@BOOK.server("search-texts-only", "STORY-3", "searches the texts, and not the names")
def _(server: Reference) -> None:
    def search(args: Params, right: Right) -> ToolResult:
        query = server.readers.string_arg(args, "query").casefold()
        found = read_json(right(args).text)["documents"]
        texts = {d["name"]: d["text"].casefold() for d in _project(server).state["documents"]}
        return ToolResult(True, to_json({"documents": [name for name in found if query in texts[name]]}))

    tool_fault("search_documents", search)(server)
