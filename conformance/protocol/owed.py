"""Ids, and the replies that may still come to what nobody waits for: lines that a case wrote, requests given up.

A line that cannot be read may be answered by one error at most. How long that may take is measured in replies: once a
later request was answered, an error without an id is no longer taken for an answer to an earlier case's line, or it
would hide the next case's fault.

This module must never send, wait, or say what breaks a requirement.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from typing import Final

from ..values import Absent, Number, Value, dumps
from . import wire

Key = tuple[str, object]

_NAMELESS: Final[Key] = ("error", "without an id")
_ANY: Final[Key] = ("reply", "under any id")
_ID_IN_TEXT: Final = re.compile(r'"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9.eE+-]+)')


def key_of(identity: Value | Absent) -> Key:
    """What makes two ids the same: type and value."""
    if isinstance(identity, Absent):
        return ("absent", None)
    if isinstance(identity, bool):
        return ("boolean", identity)
    if isinstance(identity, Number):
        return ("number", identity.exact)
    if isinstance(identity, str):
        return ("string", identity)
    return ("other", dumps(identity))


def ids_in(text: str) -> set[Key]:
    """What looks like an id in a text that is no JSON."""
    found = set()
    for spelt in _ID_IN_TEXT.findall(text):
        with contextlib.suppress(wire.NotJsonError):
            found.add(key_of(wire.parse(spelt)[0]))
    return found


@dataclass(slots=True)
class _Owed:
    """One reply that may come: under one of these ids. `since` counts the requests that were sent before."""

    ids: set[Key]
    since: int
    overtaken: bool = False


class Owed:
    """The replies that may come though nobody waits for them."""

    def __init__(self) -> None:
        self._all: list[_Owed] = []

    def line(self, line: bytes, sent: int) -> None:
        """A case wrote this line itself, after so many requests."""
        self._all.extend(_Owed(ids, sent) for ids in _may_be_answered(line))

    def given_up(self, key: Key) -> None:
        """A request is awaited no longer."""
        self._all.append(_Owed({key}, 0))

    def takes(self, message: wire.Message) -> bool:
        """Whether a reply is one of these; it is then owed no longer."""
        key = key_of(message.id)
        nameless = message.is_error and (isinstance(message.id, Absent) or message.id is None)
        for owed in self._all:
            if key in owed.ids or _ANY in owed.ids or (nameless and _NAMELESS in owed.ids):
                self._all.remove(owed)
                return True
        return False

    def answered(self, number: int) -> None:
        """The request of this number was answered: what was written before it has had its turn."""
        for owed in self._all:
            owed.overtaken = owed.overtaken or owed.since < number

    def next_case(self) -> None:
        """A case starts: errors without an id are owed only for lines that were not overtaken."""
        for owed in self._all:
            if owed.overtaken:
                owed.ids.discard(_NAMELESS)
        self._all = [owed for owed in self._all if owed.ids]


def _may_be_answered(line: bytes) -> list[set[Key]]:
    """The replies that a line may draw, a set of ids each.

    A notification and a reply may draw none. A request draws its own; an unreadable or invalid line at most one error,
    with its id where one can be read, or without.
    """
    text = line.decode("utf-8", "replace").strip("\ufeff")
    try:
        value, _ = wire.parse(text)
    except wire.NotJsonError:
        return [{_NAMELESS, *ids_in(text)}]
    if isinstance(value, list):
        each = [allowed for element in value for allowed in _allowed(element)]
        return [*each, {_NAMELESS}] if each or not value else [{_NAMELESS}]
    return _allowed(value)


def _is_odd(identity: Value) -> bool:
    if isinstance(identity, Number):
        exact = identity.exact
        return not identity.is_integer or isinstance(exact, str) or abs(exact) > 2**53 - 1
    return not isinstance(identity, str)


def _allowed(value: Value) -> list[set[Key]]:
    if not isinstance(value, dict):
        return [{_NAMELESS}]
    if isinstance(value.get("method"), str) and "id" not in value and value.get("jsonrpc") == "2.0":
        params = value.get("params", {})
        return [] if isinstance(params, dict) else [{_NAMELESS}]
    if "id" in value:
        if "method" not in value and ("result" in value or "error" in value):
            return []
        # What comes back for an id that is none, or is beyond what every reader keeps exactly, is left open.
        odd = {_ANY} if _is_odd(value["id"]) else set()
        return [{key_of(value["id"]), _NAMELESS, *odd}]
    return [{_NAMELESS}]
