"""The tool registry as a state machine: tools registered and registered again, called and listed, in any order.

Only tools that a sequence itself registered are called. On a process that is not reset between examples, they build on
what those before them registered. This module must never register a name that a target could have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from ..values import Value
from .property import Example, Property, made_case

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from ..opening import Facts

_TITLE: Final = "tools are called and listed as they were last registered, each in the place of its first time"
_NAMES: Final = ("tck_zeta", "tck_alpha", "tck_mike")
_DESCRIPTIONS: Final = ("a tool", "another tool")


def _strategy() -> SearchStrategy[list[tuple[str, ...]]]:
    from hypothesis import strategies as st

    from . import strategies as json

    name = st.sampled_from(_NAMES)
    # White space at its ends, or nothing at all, may be lost on the way into the target (see the page of probes).
    reply = json.text(most=5).map(lambda inside: f"<{inside}>")
    register = st.tuples(st.just("register"), name, reply, st.sampled_from(_DESCRIPTIONS))
    once: SearchStrategy[tuple[str, ...]] = st.one_of(
        register, register, st.tuples(st.just("call"), name), st.tuples(st.just("list"))
    )
    return st.lists(once, min_size=1, max_size=10)


def _example(raw: list[tuple[str, ...]], facts: Facts, ground: Mapping[str, Any]) -> Example:
    listed: list[Value] = list(ground.get("listed", [{"name": name} for name in facts.tools]))
    number = int(ground.get("number", 0))
    tail = f"_{number}" if number else ""
    made: dict[str, tuple[str, str, str]] = {}
    again: set[str] = set()
    covers: dict[str, None] = {}
    # What a list of several pages holds is not judged here, and a target is free to have one.
    one_page: Value = {"$not": {"result": {"nextCursor": {"$any": True}}}}
    steps: list[Value] = []

    def note(*shown: str) -> None:
        covers.update(dict.fromkeys(shown))

    def list_tools() -> None:
        tools = [*listed, *(_as_listed(name + tail, *known) for name, known in made.items())]
        given: dict[str, Value] = {} if "SRV-LIST-1" in covers else {"given": one_page}
        steps.append({"request": {"method": "tools/list"}, **given, "expect": {"result": {"tools": tools}}})
        note("SRV-LIST-1", "SRV-LIST-2", *(("SRV-REG-3", "SRV-REG-4") if again else ()))
        note(*("SRV-REG-5" for _, first, last in made.values() if first != last))

    # At the end all of them are called, whatever the sequence did.
    for what, *rest in [
        *raw,
        *(("call", name) for name in dict.fromkeys(each[1] for each in raw if each[0] == "register")),
    ]:
        if what == "list":
            list_tools()
        elif what == "call":
            name = rest[0]
            expect: Value = {"ok": True, "text": made[name][0]} if name in made else {"refused": True}
            steps.append({"call": {"tool": name + tail, "arguments": {}}, "expect": expect})
            note("SRV-REPLY-7" if name not in made else "SRV-REG-2" if name in again else "SRV-REG-1")
        else:
            name, reply, description = rest
            arguments: dict[str, Value] = {"name": name + tail, "reply": reply, "description": description}
            steps.append({"call": {"tool": "tck_register", "arguments": arguments}, "expect": {"ok": True}})
            again |= {name} & made.keys()
            first = made[name][1] if name in made else description
            made[name] = (reply, first, description)
            note("PROBE-5")
    if raw[-1][0] != "list":
        list_tools()
    left = [*listed, *({"name": name + tail} for name in made)]
    return Example(steps, tuple(covers), _TITLE, {"listed": left, "number": number + 1})


def _as_listed(name: str, reply: str, first: str, last: str) -> Value:  # noqa: ARG001 - as a tool is kept
    """A tool in the list; whether its description is the first or the last one is open."""
    return {"name": name, "description": first if first == last else {"$one_of": [first, last]}}


PROPERTIES: Final = (
    Property(
        case=made_case(
            "registry",
            "sequence",
            _TITLE,
            (
                *("SRV-REG-1", "SRV-REG-2", "SRV-REG-3", "SRV-REG-4", "SRV-REG-5"),
                *("SRV-LIST-1", "SRV-LIST-2", "SRV-REPLY-7", "PROBE-5"),
            ),
            tools=("tck_register",),
            until="2025-11-25",
            session="fresh",
        ),
        strategy=_strategy,
        example=_example,
        most=50,
        kept=True,
    ),
)
