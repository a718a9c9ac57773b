"""The wire of any target: requests and notifications with arbitrary ids, made-up methods, params and white space.

Whatever is asked, each request gets one reply under its id, a notification gets none, and the target lives on. Methods
are made up, so nothing is ever done by them. This module must never use an id twice on one process, or name a method
that MCP has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from ..values import Number, Value, dumps
from .property import Example, Property, literal, made_case

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from ..opening import Facts

_TITLE: Final = "requests with any id, made-up method and params get one reply each, notifications none"
_SPACED_TITLE: Final = "white space around and inside a request, and the order of its members, do no harm"
_LINE_ENDS: Final = "\0\x85\u2028\u2029"
"""Characters that a careless reader ends a line or a string at; the cases on text speak of them one by one."""


def _bodies() -> SearchStrategy[dict[str, Value]]:
    """The members of a message beside jsonrpc, `id` among them or not."""
    from hypothesis import strategies as st

    from . import strategies as json

    safe = json.character.filter(lambda each: each not in _LINE_ENDS)
    word = json.text(most=8, of=safe)
    # Small positive numbers are the kit's own ids.
    numbers = st.one_of(st.integers(-50, 0), st.integers(10**6, 2**53 - 1), st.integers(-(2**53) + 1, 0))
    identity: SearchStrategy[Value] = st.one_of(word, numbers.map(lambda each: Number(str(each))))
    scalar: SearchStrategy[Value] = st.one_of(st.none(), st.booleans(), json.number, word)
    value: SearchStrategy[Value] = st.recursive(
        scalar,
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(word, inner, max_size=3)),
        max_leaves=5,
    )
    params = st.dictionaries(word, value, max_size=3)
    method = st.builds(str.__add__, st.sampled_from(["tck/", "tck/none/", "tools/tck-"]), word)
    note = st.builds(str.__add__, st.sampled_from(["notifications/tck-", "tck/"]), word)
    request = st.fixed_dictionaries({"id": identity, "method": method}, optional={"params": params})
    notification = st.fixed_dictionaries({"method": note}, optional={"params": params})
    return st.one_of(request, request, notification)


def _strategy() -> SearchStrategy[list[dict[str, Value]]]:
    from hypothesis import strategies as st

    return st.lists(_bodies(), min_size=1, max_size=4)


def _example(raw: list[dict[str, Value]], facts: Facts, ground: Mapping[str, Any]) -> Example:  # noqa: ARG001
    used, seen = set(ground.get("used", ())), ground.get("seen", _never)
    sent: list[Value] = []
    for body in raw:
        fields: dict[str, Value] = {"method": body["method"]}
        if "params" in body:
            fields["params"] = literal(body["params"])
        if "id" in body:
            fields["id"] = _unused(body["id"], used, seen)
            sent.append({"request": fields, "expect": {"error": {}}})
        else:
            sent.append({"notify": fields})
    steps: list[Value] = [{"together": sent}] if len(sent) > 1 else sent
    noted = any("id" not in body for body in raw)
    covers = ("MCP-BASE-002", "MCP-BASE-005", "MCP-BASE-012") if any("id" in body for body in raw) else ()
    return Example([*steps, {"silence": {}}], (*covers, *(("MCP-BASE-010",) if noted else ())), _TITLE, {"used": used})


def _spaced_strategy() -> SearchStrategy[tuple[dict[str, Value], list[str], list[str]]]:
    from hypothesis import strategies as st

    from . import strategies as json

    blanks = json.text(most=2, of=st.sampled_from(" \t"))
    order: SearchStrategy[list[str]] = st.permutations(["jsonrpc", "id", "method", "params"])
    return st.tuples(_bodies().filter(lambda body: "id" in body), order, st.lists(blanks, min_size=24, max_size=24))


def _spaced_example(
    raw: tuple[dict[str, Value], list[str], list[str]],
    facts: Facts,  # noqa: ARG001 - one shape for all
    ground: Mapping[str, Any],
) -> Example:
    body, order, blanks = raw
    used = set(ground.get("used", ()))
    identity = _unused(body["id"], used, ground.get("seen", _never))
    whole: dict[str, Value] = {**body, "jsonrpc": "2.0", "id": identity}
    line = _spaced({name: whole[name] for name in order if name in whole}, iter(blanks))
    steps: list[Value] = [{"send_line": line}, {"reply": {"id": identity}}, {"silence": {}}]
    return Example(steps, ("MCP-STDIO-013",), _SPACED_TITLE, {"used": used})


def _spaced(body: dict[str, Value], blanks: Any) -> str:
    """The object on one line, with a piece of white space wherever JSON lets one stand at its top level."""

    def blank() -> str:
        return str(next(blanks))

    members = [f"{blank()}{dumps(name)}{blank()}:{blank()}{dumps(member)}{blank()}" for name, member in body.items()]
    return f"{blank()}{{{','.join(members)}}}{blank()}"


def _unused(identity: Value, used: set[Value], seen: Callable[[Value], bool]) -> Value:
    """The id, or one like it that this process has not seen; it is used from now on."""
    spelt = identity.text if isinstance(identity, Number) else str(identity)
    found, count = identity, 0
    while found in used or seen(found):
        count += 1
        if isinstance(identity, Number):
            found = Number(str(int(spelt) + (count if int(spelt) < -(10**6) else -count)))
        else:
            found = f"{spelt}~{count}"
    used.add(found)
    return found


def _never(_identity: Value) -> bool:
    """A new process has seen no id."""
    return False


PROPERTIES: Final = (
    Property(
        case=made_case("wire", "requests", _TITLE, ("MCP-BASE-002", "MCP-BASE-005", "MCP-BASE-010", "MCP-BASE-012")),
        strategy=_strategy,
        example=_example,
        most=50,
        kept=True,
    ),
    Property(
        case=made_case("wire", "white-space", _SPACED_TITLE, ("MCP-STDIO-013",)),
        strategy=_spaced_strategy,
        example=_spaced_example,
        most=30,
        kept=True,
    ),
)
