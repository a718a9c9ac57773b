"""Faults of the story's tools: the incidents once more, tool by tool, and other ways to lose a writer's work."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
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


def _with(name: str, change: Callable[[Params], Params]) -> Callable[[Reference], None]:
    """A tool that reads its arguments wrongly: it works on others than were given."""
    return tool_fault(name, lambda args, right: right(change(args)))


def _shown(name: str, change: Callable[[Params], Params]) -> Callable[[Reference], None]:
    """A tool that shows something else than is there."""

    def changed(args: Params, right: Right) -> ToolResult:
        given = right(args)
        return ToolResult(given.ok, to_json(change(read_json(given.text)))) if given.ok else given

    return tool_fault(name, changed)


def _flag(key: str, read: Callable[[Any], bool]) -> Callable[[Params], Params]:
    return lambda args: args | {key: read(args[key])} if key in args else args


def _number(key: str, read: Callable[[Any], Any]) -> Callable[[Params], Params]:
    return lambda args: args | {key: read(args[key])} if key in args else args


def _old_int(value: Any) -> Any:
    """The guard and the default of F-0076."""
    return 0 if isinstance(value, Decimal) and value != int(value) else value


def _json_only(value: Any) -> bool:
    return value if isinstance(value, bool) else False


def _strings_only(*keys: str) -> Callable[[Params], Params]:
    return lambda args: {k: v if k not in keys or isinstance(v, str) else None for k, v in args.items()}


def _missing_default(name: str, key: str, default: object) -> Callable[[Reference], None]:
    return _with(
        name, lambda args: args if isinstance(args.get(key), str) and args[key].strip() else args | {key: default}
    )


def _readable(value: Any) -> bool:
    return isinstance(value, bool | int) or (
        isinstance(value, str) and value.strip().lower() in {"true", "1", "yes", "on", "false", "0", "no", "off"}
    )


def _whole(value: Any) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or (
        isinstance(value, str) and value.strip().isdigit()
    )


def _or(args: Params, right: Right, otherwise: str, words: str = "") -> ToolResult:
    try:
        return right(args)
    except ToolError as error:
        if words in str(error):
            return ToolResult(True, otherwise)
        raise


_regions: dict[str, bool] = {}


def _toggled(args: Params, right: Right) -> ToolResult:
    region = str(args.get("reveal_region"))
    _regions[region] = not _regions.get(region, True)
    return right(args | {"revealed": _regions[region]})


for _name, _breaks, _what, _how in [
    (
        "dry-run-json-only",
        "STORY-20",
        "takes a dry_run for one only where it is JSON's true, as before F-0057",
        _with("find_replace", _flag("dry_run", _json_only)),
    ),
    (
        "dry-run-ignored",
        "STORY-20",
        "replaces in every case",
        _with("find_replace", lambda args: {k: v for k, v in args.items() if k != "dry_run"}),
    ),
    (
        "dry-run-truthy",
        "STORY-21",
        "takes every dry_run that is not empty for one",
        _with("find_replace", _flag("dry_run", bool)),
    ),
    ("dry-run-always", "STORY-21", "never replaces", _with("find_replace", lambda args: args | {"dry_run": True})),
    (
        "dry-run-by-default",
        "STORY-21",
        "takes an absent dry_run for true",
        _with("find_replace", lambda args: {"dry_run": True} | args),
    ),
    (
        "dry-run-unreadable-replaces",
        "STORY-22",
        "replaces where it cannot read dry_run",
        _with(
            "find_replace", lambda args: args if _readable(args.get("dry_run", False)) else args | {"dry_run": False}
        ),
    ),
    (
        "dry-run-unreadable-previews",
        "STORY-22",
        "shows a preview where it cannot read dry_run",
        _with("find_replace", lambda args: args if _readable(args.get("dry_run", False)) else args | {"dry_run": True}),
    ),
    (
        "revealed-default-true",
        "STORY-23",
        "takes a revealed that is no JSON boolean for true, as before F-0057",
        _with("update_map", _flag("revealed", lambda v: v if isinstance(v, bool) else True)),
    ),
    (
        "revealed-truthy",
        "STORY-23",
        "takes every revealed that is not empty for true",
        _with("update_map", _flag("revealed", bool)),
    ),
    (
        "revealed-always",
        "STORY-23",
        "reveals in every case",
        _with("update_map", lambda args: args | {"revealed": True}),
    ),
    (
        "revealed-json-only",
        "STORY-24",
        "takes a revealed for true only where it is JSON's true",
        _with("update_map", _flag("revealed", _json_only)),
    ),
    (
        "revealed-hides-by-default",
        "STORY-24",
        "takes an absent revealed for false",
        _with("update_map", lambda args: {"revealed": False} | args),
    ),
    (
        "revealed-unreadable-reveals",
        "STORY-25",
        "reveals where it cannot read revealed",
        _with("update_map", lambda args: args if _readable(args.get("revealed", False)) else args | {"revealed": True}),
    ),
    (
        "revealed-unreadable-hides",
        "STORY-25",
        "hides where it cannot read revealed",
        _with(
            "update_map", lambda args: args if _readable(args.get("revealed", False)) else args | {"revealed": False}
        ),
    ),
    (
        "revealed-toggles",
        "STORY-23 STORY-24",
        "turns round what the region was",
        tool_fault("update_map", _toggled),
    ),
    (
        "position-fraction-is-zero",
        "STORY-30",
        "moves the field to the front for a fraction, as before F-0076",
        _with("move_field", _number("position", _old_int)),
    ),
    (
        "position-cut",
        "STORY-30",
        "cuts a fraction off a position",
        _with("move_field", _number("position", lambda v: int(v) if isinstance(v, Decimal) else v)),
    ),
    (
        "position-clamped",
        "STORY-30",
        "moves the field to an end for a position outside",
        _with(
            "move_field",
            _number("position", lambda v: max(0, min(3, v)) if isinstance(v, int) and not isinstance(v, bool) else v),
        ),
    ),
    (
        "position-default-front",
        "STORY-30 STORY-4",
        "moves the field to the front without a position",
        _with("move_field", lambda args: {"position": 0} | args),
    ),
    (
        "position-from-end",
        "STORY-30",
        "counts a negative position from the end",
        _with("move_field", _number("position", lambda v: v + 4 if isinstance(v, int) and v < 0 else v)),
    ),
    (
        "position-numbers-only",
        "STORY-31",
        "takes no position that is a string",
        _with("move_field", _number("position", lambda v: None if isinstance(v, str) else v)),
    ),
    (
        "position-from-one",
        "STORY-31",
        "counts positions from one",
        _with("move_field", _number("position", lambda v: v - 1 if isinstance(v, int) and v > 0 else v)),
    ),
    (
        "target-fraction-clears",
        "STORY-32",
        "clears the target for a fraction, as before F-0076",
        _with("update_document", _number("word_count_target", _old_int)),
    ),
    (
        "target-cut",
        "STORY-32",
        "cuts a fraction off a target",
        _with("update_document", _number("word_count_target", lambda v: int(v) if isinstance(v, Decimal) else v)),
    ),
    (
        "target-unreadable-ignored",
        "STORY-32",
        "ignores a target that it cannot read, and changes the text",
        _with(
            "update_document",
            lambda args: (
                args
                if _whole(args.get("word_count_target", 0))
                else {k: v for k, v in args.items() if k != "word_count_target"}
            ),
        ),
    ),
    (
        "target-numbers-only",
        "STORY-33",
        "takes no target that is a string",
        _with("update_document", _number("word_count_target", lambda v: None if isinstance(v, str) else v)),
    ),
    (
        "target-zero-kept",
        "STORY-33",
        "keeps the old target for zero",
        _with("update_document", lambda args: {k: v for k, v in args.items() if k != "word_count_target" or v != 0}),
    ),
    (
        "target-negative-taken",
        "STORY-32",
        "takes a negative target without its minus",
        _with("update_document", _number("word_count_target", lambda v: abs(v) if isinstance(v, int) else v)),
    ),
    (
        "title-strings-only",
        "STORY-10",
        "finds no document by a bare number, as before F-0051",
        _with("read_document", _strings_only("document")),
    ),
    (
        "query-strings-only",
        "STORY-10",
        "searches for no bare number",
        _with("search_documents", _strings_only("query")),
    ),
    (
        "phrase-strings-only",
        "STORY-10",
        "replaces no bare number",
        _with("find_replace", _strings_only("find", "replace")),
    ),
    (
        "entity-strings-only",
        "STORY-10",
        "makes no entity of a bare number or bool",
        _with("create_entity", _strings_only("entity")),
    ),
    (
        "title-from-list",
        "STORY-4",
        "takes the first of a list for a required argument",
        _with(
            "find_replace",
            lambda args: args | {"find": args["find"][0]} if isinstance(args.get("find"), list) else args,
        ),
    ),
    (
        "find-empty-finds-all",
        "STORY-4",
        "replaces something where the phrase is missing",
        _missing_default("find_replace", "find", "harbor"),
    ),
    (
        "document-by-default",
        "STORY-4",
        "reads the first document where none is named",
        _missing_default("read_document", "document", "Chapter One"),
    ),
    (
        "query-by-default",
        "STORY-4",
        "finds everything where the query is missing",
        _missing_default("search_documents", "query", "a"),
    ),
    (
        "replace-first-only",
        "STORY-5 STORY-21",
        "replaces the first occurrence",
        _with("find_replace", lambda args: args),
    ),
    (
        "documents-sorted",
        "STORY-2",
        "lists documents by name",
        _shown("list_documents", lambda o: {"documents": sorted(o["documents"])}),
    ),
    (
        "document-lost",
        "STORY-2",
        "does not list the last document",
        _shown("list_documents", lambda o: {"documents": o["documents"][:-1]}),
    ),
    (
        "fields-sorted",
        "STORY-2",
        "shows fields by name",
        _shown("read_entity", lambda o: o | {"fields": sorted(o["fields"], key=lambda f: str(f["field"]))}),
    ),
    (
        "target-as-text",
        "STORY-2",
        "shows the target as a text",
        _shown("read_document", lambda o: o | {"word_count_target": str(o["word_count_target"])}),
    ),
    (
        "target-zero-for-none",
        "STORY-2",
        "shows no target as zero",
        _shown("read_document", lambda o: o | {"word_count_target": o["word_count_target"] or 0}),
    ),
    (
        "search-by-case",
        "STORY-3",
        "tells letter case in a search",
        tool_fault(
            "search_documents",
            lambda args, right: (
                right(args)
                if str(args.get("query", "")).istitle()
                or str(args.get("query", "")).islower()
                or not isinstance(args.get("query"), str)
                else ToolResult(True, '{"documents":[]}')
            ),
        ),
    ),
    (
        "unknown-document-is-empty",
        "STORY-5",
        "reads a document that is not there as an empty one",
        tool_fault(
            "read_document", lambda args, right: _or(args, right, '{"document":"","text":"","word_count_target":null}')
        ),
    ),
    (
        "unknown-field-ignored",
        "STORY-5",
        "does nothing and is ok where a field is not there",
        tool_fault("move_field", lambda args, right: _or(args, right, "done", "there is no")),
    ),
]:
    if _name != "replace-first-only":
        BOOK.add(_name, _breaks, _what, on_server=_how)
