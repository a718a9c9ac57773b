"""The odd spellings of fixtures/safety/odd-values.yaml, and the value that a row sends in place of a good one.

This module must never decide what came of a spelling, and never send one that the file does not hold.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..casefile import yamlstrict
from ..model import Node
from ..protocol import wire
from ..values import ABSENT, Absent, Value, dumps
from .schema_values import kind_of

FILE: Final = Path(__file__).resolve().parents[2] / "fixtures" / "safety" / "odd-values.yaml"

_KEYS: Final = {"name", "for", "of", "write", "means", "tolerated", "because"}
_NEEDED: Final = ("name", "for", "write", "means", "because")
_TYPES: Final = {"boolean", "integer", "number", "string", "enum", "array", "object"}
_KINDS_OF: Final = {
    "boolean": frozenset({"boolean"}),
    "integer": frozenset({"integer", "number"}),
    "number": frozenset({"number"}),
    "string": frozenset({"string", "enum"}),
    "array": frozenset({"array"}),
    "object": frozenset({"object"}),
}
"""The types of arguments that a good value of a type is a value of."""
MEANINGS: Final = ("same", "nothing", "absent")


class OddFileError(ValueError):
    """The file of odd values is wrong; the message has the place."""


@dataclass(frozen=True, slots=True)
class Odd:
    """One odd spelling. `of` is the good value that it belongs to, ABSENT for any.

    `means`: what it says, see the head of the file; `tolerated`: read as the good value is a warning only.
    """

    name: str
    kinds: frozenset[str]
    write: str
    means: str
    because: str
    of: Value | Absent = ABSENT
    tolerated: bool = False

    def suits(self, good: Value) -> bool:
        """Whether a good value is of a type that this spelling is for."""
        return bool(self.kinds & _KINDS_OF.get(kind_of(good), frozenset()))

    def spell(self, good: Value) -> Value | Absent:
        """What is sent in place of a good value; ABSENT where this spelling does not exist for it."""
        if not self.suits(good):
            return ABSENT
        written = self.write
        for mark, form in _forms(good).items():
            if mark in written:
                if form is None:
                    return ABSENT
                written = written.replace(mark, form)
        try:
            value, _ = wire.parse(written)
        except wire.NotJsonError:
            return ABSENT
        return value


def _forms(good: Value) -> Mapping[str, str | None]:
    """The forms of a good value that a row can use; None for one that it has not."""
    json = dumps(good)
    text = good if isinstance(good, str) else None
    only = good[0] if isinstance(good, list) and len(good) == 1 else ABSENT
    return {
        "{json}": json if ("e" not in json and "." not in json) or not _is_number(json) else None,
        "{text}": dumps(json),
        "{inner}": dumps(json if text is None else text)[1:-1],
        "{first}": None if isinstance(only, Absent) else dumps(only),
        "{upper}": dumps(text.upper()) if text and text.upper() != text else None,
        "{title}": dumps(text.title()) if text and text.title() != text else None,
        "{prefix}": dumps(text[: max(1, len(text) // 2)]) if text and len(text) > 1 else None,
    }


def _is_number(json: str) -> bool:
    return json[:1] in set("-0123456789")


@functools.cache
def rows() -> tuple[Odd, ...]:
    """All odd spellings, in the order of the file. Raises OddFileError."""
    text, problems = yamlstrict.decode(FILE.read_bytes(), f"fixtures/safety/{FILE.name}")
    root, more = yamlstrict.parse(text, f"fixtures/safety/{FILE.name}") if not problems else (None, [])
    for problem in (*problems, *more):
        raise OddFileError(str(problem))
    assert root is not None
    listed = root.get("rows")
    found = tuple(_row(node) for node in (listed.elements if listed is not None else ()))
    seen: set[tuple[str, str]] = set()
    for odd in found:
        for kind in odd.kinds:
            if (kind, odd.name) in seen:
                raise OddFileError(f"the odd value {odd.name} is there twice for {kind}")
            seen.add((kind, odd.name))
    return found


def for_kinds(kinds: frozenset[str], *, listed: bool) -> Iterator[Odd]:
    """The spellings for an argument of these types, each name once; `listed`: its values are listed texts."""
    wanted = {"enum"} if listed else set(kinds)
    seen = set()
    for odd in rows():
        if odd.kinds & wanted and odd.name not in seen:
            seen.add(odd.name)
            yield odd


def _row(node: Node) -> Odd:
    for key, at in node.keys.items():
        if key not in _KEYS:
            raise OddFileError(f'{at}: unknown key "{key}"')
    for key in _NEEDED:
        if key not in node.items:
            raise OddFileError(f'{node.at}: the key "{key}" is missing')
    kinds = frozenset(str(element.value) for element in node.items["for"].elements)
    means = str(node.items["means"].value)
    if not kinds or not kinds <= _TYPES or means not in MEANINGS:
        raise OddFileError(f"{node.at}: `for` lists types ({', '.join(sorted(_TYPES))}); `means` is one of {MEANINGS}")
    of: Value | Absent = ABSENT
    if (given := node.get("of")) is not None:
        try:
            of, _ = wire.parse(str(given.value))
        except wire.NotJsonError as error:
            raise OddFileError(f"{given.at}: no JSON: {error}") from None
    tolerated = node.get("tolerated")
    return Odd(
        str(node.items["name"].value),
        kinds,
        str(node.items["write"].value),
        means,
        str(node.items["because"].value),
        of,
        tolerated is not None and tolerated.value is True,
    )
