"""Arguments drawn from a tool's schema, of the right types and any size; what is accepted though invalid, made small.

Hypothesis draws and shrinks, always the same way; the schema is read by the few strategies below. What it comes to is
written down as a case file. This module must never keep a database, read a clock, or draw a value of a wrong type.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..calling import Caller
from ..config import Call
from ..model import Mismatch
from ..session import Played
from ..values import Value, dumps, lift
from ..words import cut
from .bench import Memory
from .boundaries import BOUND
from .comparing import looks_refused
from .differential import UNANSWERED
from .plan import Permit, bases
from .schema_values import Schema, Tool

if TYPE_CHECKING:
    from hypothesis import strategies as st

DRAWS: Final = 80
"""Arguments that are drawn for one tool; shrinking may call it about as often again."""
SHRINKS: Final = 200

_BOUNDS: Final = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "enum",
    "const",
)


@dataclass(slots=True)
class Generated:
    """The script: no drawn call that the schema forbids is accepted, and each gets a reply."""

    permit: Permit
    tool: Tool
    memory: Memory

    def __call__(self, caller: Caller) -> Played:
        """Play it."""
        if why := self.memory.silent.get(self.permit.tool):
            return Played(unread=why)
        base = self._base(caller)
        if isinstance(base, str):
            return Played(unread=base, hung=caller.hung)
        played = Played()
        bad = self._search(caller, base)
        played.hung = caller.hung
        if bad is None:
            return played
        arguments, lost = bad
        caller.note("the smallest one:")
        caller.call(self.permit.tool, arguments)
        for line in case_file(self.permit.tool, arguments).splitlines():
            caller.note(line)
        if lost:
            played.mismatches.append(Mismatch("/params/arguments", "a reply", lost))
            played.broken = (UNANSWERED,)
        else:
            wanted = "a refusal, as the tool's own schema says"
            shown = f"accepted, though the schema forbids it: {cut(dumps(arguments), 200)}"
            played.mismatches.append(Mismatch("/params/arguments", wanted, shown))
            played.broken = (BOUND,)
        return played

    @property
    def most(self) -> int:
        """How many drawn calls there may be at most."""
        return SHRINKS + 1

    def foreseen(self) -> Iterator[Call]:
        """Every call that it may make, but for those that are drawn."""
        for base in bases(self.permit, self.tool)[:1]:
            yield self.permit.tool, base

    def _base(self, caller: Caller) -> dict[str, Value] | str:
        known = bases(self.permit, self.tool)
        if not known:
            return f"{self.permit.tool}: no arguments could be made from its schema (give good ones under call:)"
        caller.note("a good call:")
        reply = caller.call(self.permit.tool, known[0])
        if reply.lost:
            self.memory.silent[self.permit.tool] = f"{self.permit.tool}: a good call got {reply.lost}"
        if not reply.accepted:
            return f"{self.permit.tool}: the call with good arguments is refused (give good arguments under call:)"
        return known[0]

    def _search(self, caller: Caller, base: dict[str, Value]) -> tuple[dict[str, Value], str] | None:
        """The smallest arguments that show a fault, and why no reply came where none came; None where all was well."""
        from hypothesis import strategies as st

        seen: dict[str, str] = {}
        spent = [0]

        def wrong(drawn: dict[str, Any]) -> bool:
            arguments = {**base, **{name: lift(value) for name, value in drawn.items()}}
            if self.tool.fits(arguments) is not False or caller.hung or caller.ended:
                return False
            key = dumps(arguments)
            if key not in seen:
                if spent[0] >= SHRINKS:
                    return False
                spent[0] += 1
                reply = caller.call(self.permit.tool, arguments)
                accepted = reply.accepted and not looks_refused(reply)
                seen[key] = reply.lost or ("accepted" if accepted else "")
            return bool(seen[key])

        known = self._strategies()
        # One argument alone, most of the time: of several that are wrong, a server refuses the first.
        alone = [st.fixed_dictionaries({name: strategy}) for name, strategy in known.items()]
        drawn = smallest(st.one_of(*alone, st.fixed_dictionaries({}, optional=known)), wrong)
        if drawn is None:
            return None
        arguments = {**base, **{name: lift(value) for name, value in drawn.items()}}
        told = seen[dumps(arguments)]
        return arguments, "" if told == "accepted" else told

    def _strategies(self) -> dict[str, st.SearchStrategy[Any]]:
        return {name: typed(self.tool, schema) for name, schema in self.tool.arguments.items() if bounded(schema)}


def smallest(strategy: Any, wrong: Callable[[Any], bool]) -> Any | None:
    """The smallest drawn value that is wrong, the same in every run; None where none is."""
    from hypothesis import HealthCheck, Phase, find, settings
    from hypothesis.errors import HypothesisException

    quiet = settings(
        database=None,
        derandomize=True,
        max_examples=DRAWS,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return find(strategy, wrong, settings=quiet)
    except HypothesisException:
        return None


def bounded(schema: Value | Schema, depth: int = 0) -> bool:
    """Whether a schema forbids any value of its type, itself or in what it holds."""
    if depth > 6:
        return False
    if isinstance(schema, Mapping):
        inner = any(bounded(member, depth + 1) for member in schema.values())
        object_bounds = schema.get("type") == "object" and ("required" in schema or "additionalProperties" in schema)
        return inner or object_bounds or any(key in schema for key in _BOUNDS)
    return isinstance(schema, list) and any(bounded(member, depth + 1) for member in schema)


def typed(tool: Tool, schema: Schema, depth: int = 0) -> st.SearchStrategy[Any]:
    """Values of the types that a schema names, without regard to its bounds."""
    from hypothesis import strategies as st

    listed = schema.get("enum")
    if isinstance(listed, list) and tool.kinds(schema) == {"string"}:
        return st.sampled_from([str(value) for value in listed] + ["tck-not-listed"])
    made: list[st.SearchStrategy[Any]] = []
    kinds = tool.kinds(schema)
    if "boolean" in kinds:
        made.append(st.booleans())
    if kinds & {"integer", "number"}:
        made.append(st.integers(-(2**53), 2**53) | st.integers(-3, 20))
    if "string" in kinds:
        made.append(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=40))
    if "array" in kinds and depth < 3:
        made.append(st.lists(typed(tool, tool.resolved(schema.get("items", {})), depth + 1), max_size=6))
    if "object" in kinds and depth < 3:
        made.append(_objects(tool, schema, depth))
    for key in ("anyOf", "oneOf"):
        parts = schema.get(key)
        if isinstance(parts, list) and depth < 3:
            made += [typed(tool, tool.resolved(part), depth + 1) for part in parts]
    return st.one_of(made) if made else st.booleans()


def _objects(tool: Tool, schema: Schema, depth: int) -> st.SearchStrategy[Any]:
    from hypothesis import strategies as st

    members = schema.get("properties")
    inner = {
        name: typed(tool, tool.resolved(member), depth + 1)
        for name, member in (members.items() if isinstance(members, dict) else ())
    }
    strange = st.integers(0, 1) if schema.get("additionalProperties") is False else None
    return st.fixed_dictionaries({}, optional=inner | ({"tck_unknown": strange} if strange is not None else {}))


def case_file(tool: str, arguments: Value) -> str:
    """A case file of the user's own that shows the same."""
    from ..casefile import yamlwrite

    step: dict[str, Value] = {"call": {"tool": tool, "arguments": arguments}, "expect": {"refused": True}}
    members: dict[str, Value] = {
        "title": f"{tool} refuses what its own schema forbids",
        "requires": {"tools": [tool]},
        "steps": [step],
    }
    return "format: 1\narea: found\ncases:\n\n" + yamlwrite.case("invalid-arguments", members)
