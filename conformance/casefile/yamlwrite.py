"""Values to the text of a case file, such that the loader reads back the same values.

A value that fits on its line is written as flow (`{a: 1}`), anything longer as block. Text is quoted wherever any YAML
reader could take it for something else. This module must never write what `yamlstrict` would refuse, but for half a
surrogate pair, which no case file can hold.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..values import Number, dumps
from .scalars import NotPlainError, read_key, read_plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..values import Value

WIDTH: Final = 120
"""Columns that a line of flow may fill."""

_PLAIN: Final = re.compile(r"[A-Za-z_/][\w./+-]*(?: [\w./+-]+)*", re.ASCII)
_KEY: Final = re.compile(r"[A-Za-z_$][\w./-]*", re.ASCII)
_SAFE: Final = re.compile("[\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]*")
_BLOCK_TEXT: Final = re.compile(r"[^\s](?:[^\n]*[^\s\n])?(?:\n+[^\n]*[^\s\n])*")


def text(value: Value, indent: int = 0) -> str:
    """The whole value as lines, each behind so many spaces, with a line feed at the end."""
    return _lines(block(value, WIDTH - indent), indent)


def case(identity: str, members: dict[str, Value]) -> str:
    """One case of a file's `cases`, its steps a line or more each, as people write them."""
    lines = [f"id: {identity}"]
    for name, member in members.items():
        if name not in {"steps", "examples"} or not isinstance(member, list):
            lines += _member(key(name), member, WIDTH - 6)
            continue
        lines.append(f"{name}:")
        for element in member:
            flat = name == "examples" or not isinstance(element, dict)
            found = block(element, WIDTH - 8) if flat else _step(element)
            lines += [f"  {'- ' if number == 0 else '  '}{line}" if line else "" for number, line in enumerate(found)]
    first, *rest = lines
    return f"  - {first}\n" + _lines(rest, 4)


def _step(step: Value) -> list[str]:
    members = step.items() if isinstance(step, dict) else ()
    return [line for name, member in members for line in _member(key(name), member, WIDTH - 10)]


def _lines(lines: list[str], indent: int) -> str:
    return "".join(f"{' ' * indent}{line}\n" if line else "\n" for line in lines)


def flow(value: Value) -> str:
    """The value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key(name)}: {flow(member)}" for name, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return scalar(value)


def scalar(value: Value) -> str:
    """A scalar on one line, quoted where it has to be."""
    if isinstance(value, Number):
        return value.text
    if not isinstance(value, str):
        return dumps(value)
    return value if _is_plain(value) else quoted(value)


def quoted(value: str) -> str:
    """Text in quotes: single ones where it is full of double ones."""
    if '"' in value and "'" not in value and _SAFE.fullmatch(value):
        return f"'{value}'"
    written = dumps(value)
    return "".join(one if _SAFE.fullmatch(one) else _escaped(one) for one in written)


def key(name: str) -> str:
    """A key of a map."""
    if _KEY.fullmatch(name):
        try:
            if read_key(name) == name:
                return name
        except NotPlainError:
            pass
    return quoted(name)


def block(value: Value, width: int = WIDTH) -> list[str]:
    """The value as lines of a block; one line of flow where that fits and nothing in it is better read in lines."""
    if not isinstance(value, dict | list) or not value:
        return [flow(value)]
    short = flow(value)
    if len(short) <= width and not _has_lines(value):
        return [short]
    if isinstance(value, list):
        return [line for element in value for line in _element(element, width - 2)]
    return [line for name, member in value.items() for line in _member(key(name), member, width - 2)]


def _element(element: Value, width: int) -> Iterator[str]:
    if isinstance(element, str) and _is_block_text(element):
        yield f"- {_head(element)}"
        yield from _indented(element)
        return
    lines = block(element, width)
    yield f"- {lines[0]}"
    for line in lines[1:]:
        yield f"  {line}" if line else ""


def _member(name: str, member: Value, width: int) -> Iterator[str]:
    if isinstance(member, str) and _is_block_text(member):
        yield f"{name}: {_head(member)}"
        yield from _indented(member)
        return
    lines = block(member, width - len(name))
    if len(lines) == 1 and not (isinstance(member, list) and member and lines[0].startswith("- ")):
        single = not isinstance(member, dict) or not member or lines[0].startswith("{")
        if single:
            yield f"{name}: {lines[0]}"
            return
    yield f"{name}:"
    for line in lines:
        yield f"  {line}" if line else ""


def _head(lines: str) -> str:
    return "|" if lines.endswith("\n") else "|-"


def _indented(lines: str) -> Iterator[str]:
    for line in lines.removesuffix("\n").split("\n"):
        yield f"  {line}" if line else ""


def _is_plain(value: str) -> bool:
    if not _PLAIN.fullmatch(value):
        return False
    try:
        return read_plain(value) == value
    except NotPlainError:
        return False


def _is_block_text(value: str) -> bool:
    """Whether a text has several lines and every one of them survives a literal block."""
    return (
        "\n" in value
        and bool(_BLOCK_TEXT.fullmatch(value.removesuffix("\n")))
        and all(map(_SAFE.fullmatch, value.split("\n")))
    )


def _has_lines(value: Value) -> bool:
    if isinstance(value, dict):
        return any(map(_has_lines, value.values()))
    if isinstance(value, list):
        return any(map(_has_lines, value))
    return isinstance(value, str) and _is_block_text(value)


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
