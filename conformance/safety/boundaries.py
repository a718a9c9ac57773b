"""What the tool's own schema forbids is refused: a value beyond each bound, a required argument missing, one too many.

Every value here breaks the schema as the validator library reads it, and is of the right type otherwise. A type that is
wrong is the differential's, since a server may read what it says. This module must never judge a value by its own idea.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ..calling import Caller
from ..config import Call
from ..model import Mismatch
from ..session import Played
from ..values import ABSENT, Absent, Number, Value, dumps
from ..words import cut, describe
from .bench import Bench
from .comparing import looks_refused
from .differential import UNANSWERED, UNSAID
from .schema_values import Schema, Tool

BOUND: Final = "SAFE-BND-1"
REQUIRED: Final = "SAFE-BND-2"
UNKNOWN: Final = "SAFE-BND-3"
STRANGE: Final = "tck_unknown"
LONGEST: Final = 100_000

_TEXTS: Final = ("", " ", "tck!?", "0", "a", "Ω", "tck wrong text", "x" * 60)


@dataclass(frozen=True, slots=True)
class Beyond:
    """A value that breaks one keyword of a schema; ABSENT takes the argument away."""

    keyword: str
    value: Value | Absent
    requirement: str = BOUND


@dataclass(slots=True)
class Boundary:
    """The script: a call that breaks the schema is refused."""

    bench: Bench
    beyond: Beyond

    def __call__(self, caller: Caller) -> Played:
        """Play it."""
        bench, beyond = self.bench, self.beyond
        rest = bench.others(caller)
        if isinstance(rest, Played):
            return rest
        arguments = rest if isinstance(beyond.value, Absent) else {**rest, bench.name: beyond.value}
        if bench.tool.fits(arguments) is not False:
            return Played(unread=f"{bench.place}: the schema does not forbid these arguments")
        reply = bench.call(caller, f"a call that breaks {beyond.keyword}", rest, beyond.value)
        played = Played(hung=caller.hung)
        wanted = "a refusal, as the tool's own schema says"
        if reply.lost:
            self._fault(played, UNANSWERED, "a reply", reply.lost)
        elif reply.accepted and looks_refused(reply):
            actual = "a text that reads like one, in a result that is none"
            self._fault(played, UNSAID, "a refusal that says isError", actual)
        elif reply.accepted:
            self._fault(played, beyond.requirement, wanted, f"accepted, though it breaks {beyond.keyword}")
        return played

    def foreseen(self) -> Iterator[Call]:
        """Every call that it may make."""
        value = self.beyond.value
        yield from self.bench.foreseen_with([] if isinstance(value, Absent) else [value])

    def _fault(self, played: Played, requirement: str, expected: str, actual: str) -> None:
        played.mismatches.append(Mismatch(f"/params/arguments/{self.bench.name}", expected, actual))
        played.broken = (requirement,)

    @property
    def title(self) -> str:
        """The case in one line."""
        if isinstance(self.beyond.value, Absent):
            return f"a call of {self.bench.permit.tool} without {self.bench.name} is refused"
        return f"{cut(describe(self.beyond.value), 40)} for {self.bench.name} of {self.bench.permit.tool} is refused"


def beyond(tool: Tool, name: str, schema: Schema) -> Iterator[Beyond]:
    """Values that break a schema, one for each keyword that can be broken alone."""
    if name in tool.required:
        yield Beyond("required", ABSENT, REQUIRED)
    seen = set()
    for keyword, value in (*_of(tool, schema), *_alternatives(tool, schema)):
        if keyword not in seen and not tool.allows(schema, value):
            seen.add(keyword)
            yield Beyond(keyword, value)


def closed(tool: Tool) -> bool:
    """Whether the schema takes no arguments but those that it names."""
    return tool.schema.get("additionalProperties") is False


def _of(tool: Tool, schema: Schema) -> Iterator[tuple[str, Value]]:
    yield from (*_numbers(schema), *_texts(schema), *_arrays(tool, schema), *_objects(tool, schema))


def _alternatives(tool: Tool, schema: Schema) -> Iterator[tuple[str, Value]]:
    """What breaks one alternative of several, and fits none of the others either, as the caller finds out."""
    for key in ("anyOf", "oneOf"):
        parts = schema.get(key)
        for part in parts if isinstance(parts, list) else ():
            for keyword, value in _of(tool, tool.resolved(part)):
                yield f"{keyword} of {key}", value


def _numbers(schema: Schema) -> Iterator[tuple[str, Value]]:
    for keyword, away in (("minimum", -1), ("maximum", 1), ("exclusiveMinimum", 0), ("exclusiveMaximum", 0)):
        bound = schema.get(keyword)
        if isinstance(bound, Number) and not isinstance(bound.exact, str):
            yield keyword, Number(str(int(bound.exact) + away)) if bound.is_integer else bound
    step = schema.get("multipleOf")
    if isinstance(step, Number) and step.is_integer and not isinstance(step.exact, str) and step.exact > 1:
        yield "multipleOf", Number(str(int(step.exact) + 1))


def _texts(schema: Schema) -> Iterator[tuple[str, Value]]:
    least, most = _size(schema, "minLength"), _size(schema, "maxLength")
    if least:
        yield "minLength", "x" * (least - 1)
    if most is not None and most < LONGEST:
        yield "maxLength", "x" * (most + 1)
    if isinstance(schema.get("pattern"), str):
        for text in _TEXTS:
            fits = (least or 0) <= len(text) <= (LONGEST if most is None else most)
            if fits and not _matches(str(schema["pattern"]), text):
                yield "pattern", text
                return


def _arrays(tool: Tool, schema: Schema) -> Iterator[tuple[str, Value]]:
    least, most = _size(schema, "minItems"), _size(schema, "maxItems")
    items = tool.resolved(schema.get("items", {}))
    offered = tool.values(items)
    if least:
        yield "minItems", list((offered * least)[: least - 1])
    if most is not None and offered and most < 1000:
        yield "maxItems", _different(items, offered, most + 1)
    if schema.get("uniqueItems") is True and offered:
        yield "uniqueItems", [offered[0], offered[0]]
    for keyword, value in (*_numbers(items), *_texts(items)):
        yield f"{keyword} of items", [value]
    if offered and isinstance(items.get("enum"), list) and tool.kinds(items) == {"string"}:
        yield "enum of items", ["tck-not-listed"]


def _different(items: Schema, offered: list[Value], size: int) -> Value:
    if isinstance(items.get("enum"), list) or not isinstance(offered[0], str):
        return list((offered * size)[:size])
    return [f"{offered[0]}{number}" for number in range(size)]


def _objects(tool: Tool, schema: Schema) -> Iterator[tuple[str, Value]]:
    good = next((value for value in tool.values(schema) if isinstance(value, dict)), None)
    if good is None:
        return
    required = schema.get("required")
    for name in required if isinstance(required, list) else ():
        yield f"required {name}", {key: value for key, value in good.items() if key != name}
    if schema.get("additionalProperties") is False:
        yield "additionalProperties", {**good, STRANGE: Number("1")}


def _size(schema: Schema, key: str) -> int | None:
    found = schema.get(key)
    return int(found.text) if isinstance(found, Number) and found.text.isdigit() else None


def _matches(pattern: str, text: str) -> bool:
    try:
        return re.search(pattern, text) is not None
    except re.error:
        return True


def keyword_slug(keyword: str) -> str:
    """A keyword as the last part of a case id."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", keyword).replace(" ", "-").lower()


def unknown_title(tool: str) -> str:
    """The case in one line, for an argument that the schema does not know."""
    return f"an argument {dumps(STRANGE)} is refused by {tool}, whose schema takes no others"
