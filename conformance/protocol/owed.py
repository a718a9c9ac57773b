"""Ids, and the replies that may still come to what nobody waits for: lines that a case wrote, requests given up.

A line that cannot be read may be answered by one error at most, and late: a server may have a thread for each line. So
an error without an id answers nothing only where more of them came than there are lines that could draw one.

This module must never send, wait, or say what breaks a requirement.
"""

from __future__ import annotations

import contextlib
import enum
import re
from dataclasses import dataclass
from typing import Final

from ..values import Absent, Number, Value, dumps
from . import wire

Key = tuple[str, object]

_NAMELESS: Final[Key] = ("error", "without an id")
_ANY: Final[Key] = ("reply", "under any id")
_SHORT: Final = 19
"""So few digits are soon read as an int, which is equal to any Decimal of the same value."""
_ID_IN_TEXT: Final = re.compile(r'"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9.eE+-]+)')


def key_of(identity: Value | Absent) -> Key:
    """What makes two ids the same: type and value."""
    if isinstance(identity, Absent):
        return ("absent", None)
    if isinstance(identity, bool):
        return ("boolean", identity)
    if isinstance(identity, Number):
        text = identity.text
        return ("number", int(text) if text.isdigit() and len(text) < _SHORT else identity.exact)
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


class Due(enum.Enum):
    """Whose line a reply answers that nobody waits for: one of the case that runs, of an earlier one, or of either."""

    NOW = enum.auto()
    EARLIER = enum.auto()
    EITHER = enum.auto()


@dataclass(slots=True, eq=False)
class _Owed:
    """One reply that may come: under one of these ids, for what the case of this number sent."""

    ids: set[Key]
    case: int

    @property
    def nameless(self) -> bool:
        """Whether it may be an error without an id."""
        return _NAMELESS in self.ids


class Owed:
    """The replies that may come though nobody waits for them.

    Errors without an id are only counted, so that none takes the place of a reply that comes under an id.
    """

    def __init__(self) -> None:
        self._open: list[_Owed] = []
        self._case = 0
        self._written: set[Key] = set()
        self._nameless = 0
        self._nameless_now = 0

    def line(self, line: bytes) -> None:
        """A case wrote this line itself."""
        self._written |= ids_in(line.decode("utf-8", "replace"))
        self._open.extend(_Owed(ids, self._case) for ids in _may_be_answered(line))

    def given_up(self, key: Key) -> None:
        """A request is awaited no longer."""
        self._open.append(_Owed({key}, self._case))

    def next_case(self) -> None:
        """A case starts."""
        self._case += 1
        self._written.clear()
        self._nameless_now = 0

    def takes(self, message: wire.Message) -> Due | None:
        """What a reply answers, which is then owed no longer; None where it answers nothing."""
        if message.is_error and (isinstance(message.id, Absent) or message.id is None):
            return self._without_id()
        key = key_of(message.id)
        fitting = [owed for owed in self._open if key in owed.ids or self._any(owed, key)]
        owed = min(fitting, key=lambda owed: (key not in owed.ids, owed.nameless, -owed.case), default=None)
        if owed is None or (owed.nameless and self._nameless == self._room()):
            return None  # where there is a line, its reply was an error without an id, which no other can have drawn
        self._open.remove(owed)
        return Due.NOW if owed.case == self._case else Due.EARLIER

    def _any(self, owed: _Owed, key: Key) -> bool:
        """Whether any id will do; not for an earlier case, if it is one that the case that runs has written."""
        return _ANY in owed.ids and (owed.case == self._case or key not in self._written)

    def _without_id(self) -> Due | None:
        if self._nameless == self._room():
            return None
        room = self._room(self._case)
        taken = min(self._nameless_now, room)
        earlier = self._room() - room > self._nameless - taken
        self._nameless += 1
        if taken == room:
            return Due.EARLIER
        self._nameless_now = taken + 1
        return Due.EITHER if earlier else Due.NOW

    def _room(self, case: int | None = None) -> int:
        """How many lines, of all cases or of one, can draw an error without an id."""
        return sum(owed.nameless and case in {None, owed.case} for owed in self._open)


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
