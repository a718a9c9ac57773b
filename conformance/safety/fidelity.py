"""What a tool gives back is what it was given: texts that look like something else, whole numbers to the last digit.

A tool is known to give an argument back when two values come back at the same place, with the same words around them;
their signs are such that whatever encodes, fills in or turns a text would change them. Only what comes back there is
judged; a reply of another form shows nothing. This module must never take an escaped or trimmed text for a changed one.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from ..calling import Caller, Reply
from ..config import Call
from ..model import Mismatch
from ..session import Played
from ..values import Number, Value, dumps
from ..words import describe
from .bench import Bench

TEXT: Final = "SAFE-FID-1"
WHOLE: Final = "SAFE-FID-2"
LARGE: Final = "SAFE-FID-3"
TAKEN: Final = "SAFE-FID-4"

LONG: Final = "a line of seventy thousand and some characters. " * 1460

TEXTS: Final = (
    "123456",
    "007",
    "1.50",
    "1e3",
    "9007199254740993",
    "0x10",
    "true",
    "False",
    "null",
    "None",
    "2024-01-31",
    "12:30",
    '{"a": 1}',
    '["a", "b"]',
    '"quoted"',
    "  blanks at the ends  ",
    "blanks   inside",
    "two\nlines",
    "a\ttab",
    'it\'s "both" and a \\',
    "<b>&amp;</b>",
    "e\u0301 and \u00e9",
    "\ufb01 \u2460 \uff21",
    "a\u200bb\u202ec\u2028d",
    "\U00010400 \U0001f600 \U00020000 \U00030000",
    "\U000e0101 \U000f0000 \U00100000",
    LONG,
)
"""Texts that a helpful reader changes: numbers, words and containers of JSON, dates, blanks, all planes of Unicode."""

EXACT: Final = ("2147483647", "2147483648", "4294967296", "9007199254740991")
BEYOND: Final = ("9007199254740993", "9223372036854775807", "12345678901234567891")
"""Whole numbers that a double holds, and such that it does not."""

LOOKS: Final = TEXTS[:12]
"""Those that look like a value of another type, and that no grammar of patterns or queries refuses."""

_PROBES: Final[dict[str, tuple[Value, ...]]] = {
    "string": ("Tck probe: 50% of A/B; C", "Another (tck) probe = 7%, of D/E; F"),
    "integer": (Number("417"), Number("90210")),
}


class Place(NamedTuple):
    """Where a value comes back: the way to a text or number, and the words before and behind it."""

    path: tuple[str | int, ...]
    before: str
    behind: str


@dataclass(slots=True)
class Fidelity:
    """The script: every value of a kind, sent to an argument that comes back."""

    bench: Bench
    kind: str

    def __call__(self, caller: Caller) -> Played:
        """Play it."""
        bench = self.bench
        rest = bench.others(caller)
        if isinstance(rest, Played):
            return rest
        place = self._place(caller, rest)
        if place is None:
            return Played(unread=f"{bench.place}: the reply does not give it back", hung=caller.hung)
        played = Played()
        shown = 0
        for value in self._values():
            reply = bench.call(caller, "a value that is to come back", rest, value)
            played.hung = caller.hung
            if reply.lost:
                self._fault(played, self._requirement(value), value, reply.lost)
                break
            shown += self._judge(played, value, reply, place)
        if not shown and not played.mismatches:
            played.unread = f"{bench.place}: no reply has the form of the first ones"
        return played

    def foreseen(self) -> Iterator[Call]:
        """Every call that it may make."""
        yield from self.bench.foreseen_with([*_PROBES[self.kind], *self._values()])

    def _place(self, caller: Caller, rest: dict[str, Value]) -> Place | None:
        found = []
        for probe in _PROBES[self.kind]:
            if not self.bench.tool.allows(self.bench.schema, probe):
                return None
            reply = self.bench.call(caller, "a plain value", rest, probe)
            if not reply.accepted:
                return None
            found.append(list(places(reply.essence, probe)))
        return next((place for place in found[0] if place in found[1]), None)

    def _values(self) -> Iterator[Value]:
        listed: Iterator[Value] = iter(TEXTS) if self.kind == "string" else map(Number, (*EXACT, *BEYOND))
        for value in listed:
            if self.bench.tool.allows(self.bench.schema, value):
                yield value

    @staticmethod
    def _requirement(value: Value) -> str:
        if isinstance(value, str):
            return TEXT
        return LARGE if isinstance(value, Number) and value.text in BEYOND else WHOLE

    def _judge(self, played: Played, value: Value, reply: Reply, place: Place) -> bool:
        """Note what is wrong with one reply; answers whether it showed anything."""
        if not reply.accepted:
            if value in LOOKS:
                self._fault(played, TAKEN, value, "a refusal, though other texts are taken")
                return True
            return isinstance(value, Number)
        came = at(reply.essence, place)
        if came is None:
            return False
        if isinstance(value, Number) and came not in spellings(value) and came not in lossy(value):
            return False  # a limit that the tool keeps to, and no lost digit
        if came not in spellings(value):
            self._fault(played, self._requirement(value), value, describe(came))
        return True

    def _fault(self, played: Played, requirement: str, value: Value, actual: str) -> None:
        played.mismatches.append(Mismatch(f"/params/arguments/{self.bench.name}", f"{describe(value)} back", actual))
        if requirement not in played.broken:
            played.broken = (*played.broken, requirement)


def places(value: Value, probe: Value, path: tuple[str | int, ...] = ()) -> Iterator[Place]:
    """Where a probe comes back: as a value, or just once inside of a text."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from places(member, probe, (*path, key))
    elif isinstance(value, list):
        for number, element in enumerate(value):
            yield from places(element, probe, (*path, number))
    elif isinstance(value, Number):
        if value == probe:
            yield Place(path, "", "")
    elif isinstance(value, str):
        wanted = probe if isinstance(probe, str) else dumps(probe)
        found = list(re.finditer(rf"(?<![\w.-]){re.escape(wanted)}(?![\w.]\w|\w)", value))
        if len(found) == 1:
            yield Place(path, value[: found[0].start()], value[found[0].end() :])


def at(value: Value, place: Place) -> str | None:
    """What comes back at a place; None where the reply has another form."""
    for step in place.path:
        inside = isinstance(value, dict) and step in value
        if not inside and not (isinstance(value, list) and isinstance(step, int) and step < len(value)):
            return None
        value = value[step]  # type: ignore[index]
    if isinstance(value, Number):
        return value.text
    if not isinstance(value, str):
        return None
    whole = len(value) >= len(place.before) + len(place.behind)
    if not (whole and value.startswith(place.before) and value.endswith(place.behind)):
        return None
    return value[len(place.before) : len(value) - len(place.behind)]


def lossy(value: Number) -> set[str]:
    """What a whole number becomes in 32 bits, in 64, or as a double, however that is printed."""
    number = int(value.text)
    double = float(number)
    found = {str(int(double)), str(double), repr(double), f"{double:g}", f"{double:e}"}
    for bits in (32, 64):
        low = number % 2**bits
        found |= {str(low), str(low - 2**bits if low >= 2 ** (bits - 1) else low)}
        found |= {str(2 ** (bits - 1) - 1), str(-(2 ** (bits - 1)))}
    digits = value.text
    shortest = re.sub(r"\.?0*e", "e", f"{double:.17e}")
    return (found | {shortest, digits[:16] + "0" * (len(digits) - 16)}) - {digits}


def spellings(value: Value) -> set[str]:
    """Every way to write a value inside of a text that leaves it the same: escaped, quoted for a page, trimmed."""
    if not isinstance(value, str):
        text = dumps(value)
        return {text, f"{text}.0", f"{int(text):,}", f'"{text}"'}
    found = set()
    for text in (value, value.strip()):
        once = json.dumps(text)[1:-1]
        found |= {text, dumps(text)[1:-1], once, json.dumps(once)[1:-1], dumps(dumps(text)[1:-1])[1:-1]}
        found |= {html.escape(text), html.escape(text, quote=False), repr(text)[1:-1]}
        found |= {text.replace("\n", "\r\n"), once.replace("/", "\\/")}
        found |= {re.sub(r"\\u([0-9a-f]{4})", lambda hexed: f"\\u{hexed[1].upper()}", once)}
    return found
