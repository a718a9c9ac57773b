"""Readers that look for the wrong key, or cannot tell what is absent from what cannot be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from .model import Book, OnServer

if TYPE_CHECKING:
    from ..arguments import Arguments
    from ..build import Reference

BOOK = Book(also="STORY- ARG-", why="every reader finds its value by the key")

READERS = ("bool_arg", "int_arg", "string_arg", "string_set_arg", "string_value", "contains")
Looking: TypeAlias = "Callable[[Arguments, str], tuple[Arguments, str]]"


def by(look: Looking) -> OnServer:
    """Makes every reader look where `look` says: in which object, for which key."""

    def change(server: Reference) -> None:
        for name in READERS:
            right = getattr(server.readers, name)
            setattr(server.readers, name, lambda args, key, right=right: right(*look(args, key)))

    return change


def _path(args: Arguments, key: str) -> tuple[Arguments, str]:
    *folders, last = key.split(".")
    for folder in folders:
        inner = args.get(folder)
        args = inner if isinstance(inner, dict) else {}
    return args, last


def _slashes(args: Arguments, key: str) -> tuple[Arguments, str]:
    *folders, last = key.split("/")
    for folder in folders:
        inner = args.get(folder)
        args = inner if isinstance(inner, dict) else {}
    return args, last


def _nested(args: Arguments, key: str) -> tuple[Arguments, str]:
    if key in args:
        return args, key
    for inner in args.values():
        if isinstance(inner, dict) and key in inner:
            return inner, key
    return args, key


def _unwrapped(args: Arguments, key: str) -> tuple[Arguments, str]:
    inner = args.get("args", args.get("arguments"))
    return (inner, key) if isinstance(inner, dict) else (args, key)


def _prefix(args: Arguments, key: str) -> tuple[Arguments, str]:
    return args, key if key in args else next((name for name in args if name.startswith(key)), key)


_LOOKS: list[tuple[str, str, str, Looking]] = [
    ("key-is-path", "ARG-KEY-1", "takes a key with dots for a path", _path),
    ("key-is-slash-path", "ARG-KEY-1", "takes a key with slashes for a path", _slashes),
    (
        "key-ignores-case",
        "ARG-KEY-1",
        "does not tell the letter case of keys",
        lambda args, key: ({name.lower(): value for name, value in args.items()}, key.lower()),
    ),
    (
        "key-trimmed",
        "ARG-KEY-1",
        "trims keys",
        lambda args, key: ({name.strip(): value for name, value in args.items()}, key.strip()),
    ),
    (
        "key-empty-is-none",
        "ARG-KEY-1",
        "finds nothing under the empty key",
        lambda args, key: (args if key else {}, key),
    ),
    (
        "key-ascii",
        "ARG-KEY-1",
        "finds nothing under a key that is not ASCII",
        lambda args, key: (args if key.isascii() else {}, key),
    ),
    ("key-is-prefix", "ARG-KEY-1", "takes the first member whose name begins with the key", _prefix),
    ("key-in-nested", "ARG-KEY-2", "looks into nested objects for a key that is not there", _nested),
    ("key-unwraps", "ARG-KEY-2", "looks into a member named args or arguments instead", _unwrapped),
]
for _name, _breaks, _what, _look in _LOOKS:
    BOOK.add(_name, _breaks, _what, on_server=by(_look))


@BOOK.server("key-sticks", "ARG-KEY-2", "reads a key that it has seen before from the object where it saw it first")
def _(server: Reference) -> None:
    seen: dict[str, Arguments] = {}
    by(lambda args, key: (seen.setdefault(key, args) if key in args else args, key))(server)


@BOOK.server("contains-not-null", "ARG-KEY-3", "says of a key with null that it is not there")
def _(server: Reference) -> None:
    server.readers.contains = lambda args, key: args.get(key) is not None


@BOOK.server("contains-readable-only", "ARG-KEY-3", "says of a key whose value no reader takes that it is not there")
def _(server: Reference) -> None:
    def contains(args: Arguments, key: str) -> bool:
        value: Any = args.get(key)
        return isinstance(value, str | int) and value != ""

    server.readers.contains = contains


@BOOK.server("contains-truthy", "ARG-KEY-3", "says of a key with an empty value that it is not there")
def _(server: Reference) -> None:
    server.readers.contains = lambda args, key: bool(args.get(key))


@BOOK.server("contains-always", "ARG-KEY-3", "says of every key that it is there")
def _(server: Reference) -> None:
    server.readers.contains = lambda _args, _key: True


@BOOK.server("contains-never", "ARG-KEY-3", "says of every key that it is not there")
def _(server: Reference) -> None:
    server.readers.contains = lambda _args, _key: False
