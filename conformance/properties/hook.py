"""The before-call hook as a state machine: set, replaced, cleared and looked at between calls of any kind.

On a process that is not reset between examples, the log of its hook goes on from one to the next. This module must
never call a tool but probes and unknown ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from ..values import Value
from .property import Example, Property, made_case

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from ..opening import Facts

_TITLE: Final = "the one hook runs once before each call that is dispatched, and for no other"
_CALLS: Final[dict[str, Value]] = {
    "tck_profile": {},
    "tck_fail": {"text": "as asked"},
    "tck_read": {"reader": "bool", "key": "v", "args": {"v": True}},
    "tck_agent": {"allow_writes": False},
}
_UNKNOWN: Final = "tck_no_such_tool"
_COVERS: Final = {
    "clear": ("SRV-HOOK-7", "PROBE-7"),
    "log": ("SRV-HOOK-1",),
    _UNKNOWN: ("SRV-HOOK-5",),
}


def _strategy() -> SearchStrategy[list[tuple[str, str]]]:
    from hypothesis import strategies as st

    once = st.one_of(
        st.tuples(st.just("set"), st.sampled_from(["a", "b", "c"])),
        st.sampled_from([("log", ""), ("clear", "")]),
        st.sampled_from([("call", name) for name in (*_CALLS, _UNKNOWN)]),
    )
    return st.lists(once, min_size=1, max_size=8)


def _example(raw: list[tuple[str, str]], facts: Facts, ground: Mapping[str, Any]) -> Example:
    raw = [(what, word) for what, word in raw if what != "call" or word in facts.tools or word == _UNKNOWN]
    log: list[Value] = list(ground.get("log", []))
    label = ""
    covers: dict[str, None] = {}
    steps: list[Value] = []

    def dispatch(tool: str, arguments: Value) -> dict[str, Value]:
        if label:
            log.append(f"{label}:{tool}")
            covers.update(dict.fromkeys(("SRV-HOOK-2", "SRV-HOOK-3", "SRV-HOOK-4")))
        return {"call": {"tool": tool, "arguments": arguments}}

    # The hook is cleared at the end, so that the next example begins as on a fresh process but for the log.
    for what, word in [*raw, ("clear", ""), ("log", "")]:
        if len(steps) < len(raw):
            covers.update(dict.fromkeys(_COVERS.get(word if what == "call" else what, ())))
            covers.update(dict.fromkeys(("SRV-HOOK-6",) if what == "set" and label else ()))
        if what == "call" and word == _UNKNOWN:
            steps.append({"call": {"tool": word, "arguments": {}}, "expect": {"refused": True}})
        elif what == "call":
            steps.append({**dispatch(word, _CALLS[word]), "expect": {"refused": word == "tck_fail"}})
        else:
            arguments: dict[str, Value] = {"action": what, "label": word} if what == "set" else {"action": what}
            step = dispatch("tck_hook", arguments)
            steps.append({**step, "expect": {"json": {"log": [*log]}}})
            label = {"set": word, "clear": ""}.get(what, label)
    return Example(steps, tuple(covers), _TITLE, {"log": log})


PROPERTIES: Final = (
    Property(
        case=made_case(
            "hook",
            "sequence",
            _TITLE,
            (*(f"SRV-HOOK-{number}" for number in range(1, 8)), "PROBE-7"),
            tools=("tck_hook",),
            until="2025-11-25",
            session="fresh",
        ),
        strategy=_strategy,
        example=_example,
        most=40,
        kept=True,
    ),
)
