"""Expectation and value to mismatches, and templates to the values that are sent.

Objects match as subsets; arrays and scalars exactly and by JSON type; a map with one key that begins with `$` is an
operator of the table at the end. Case files were checked when they were read: what is malformed here is the kit's or
the case's fault and raises CaseError, which must never be taken for a mismatch of the target.

This module must never coerce one JSON type to another, never know a revision, and never touch a target.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from ..model import Location, Mismatch, Node
from ..values import ABSENT, Absent, Value, dumps, kind, same
from ..words import count, cut, describe
from . import fitting
from .templates import (
    BUILDERS,
    CaseError,
    MissingRowError,
    MissingVariableError,
    Scope,
    build,
    choices,
    inside_folder,
    left_out,
    message,
    operator,
    repeated,
    resolve,
    variable,
)
from .wanted import bounds, type_names, words_for

__all__ = [
    "OPERATORS",
    "CaseError",
    "MissingRowError",
    "MissingVariableError",
    "Scope",
    "build",
    "holds",
    "left_out",
    "match",
]

REGEX_REACH: Final = 1_000_000
"""Code points of a string that `$regex` looks at, so that no reply is long enough to hold up a run."""
SHOWN: Final = 10
"""Mismatches that one `$each` or `$fits` gives at most."""


_UNTOLD: Final = Mismatch("", "", "")
"""That there is a mismatch, where nobody asks which."""

_NESTED: Final = (dict, tuple)


def match(expect: Node, value: Value | Absent, scope: Scope, pointer: str = "") -> list[Mismatch]:
    """Compare a value with what is expected of it; no mismatch means that it holds. Pointers are those of RFC 6901."""
    wanted = expect.value
    if isinstance(wanted, dict):
        name = operator(expect)
        if name is None:
            return _object(expect, wanted, value, scope, pointer)
        judge = OPERATORS.get(name)
        if judge is None:
            raise CaseError(f"there is no operator {name}", expect.at)
        return judge(Trial(expect, wanted[name], value, scope, pointer))
    if isinstance(wanted, tuple):
        return _array(expect, wanted, value, scope, pointer)
    if same(wanted, value):
        return []
    return [_UNTOLD] if scope.brief else [Mismatch(pointer, describe(wanted), describe(value), expect.at)]


def holds(expect: Node, value: Value | Absent, scope: Scope) -> bool:
    """Whether a value matches; what is saved and named on the way counts only if it does."""
    attempt = scope.copy(brief=True)
    if match(expect, value, attempt):
        return False
    scope.variables, scope.names = attempt.variables, attempt.names
    return True


def below(pointer: str, step: str | int) -> str:
    """The JSON pointer of a member or element (RFC 6901 section 3)."""
    return f"{pointer}/{str(step).replace('~', '~0').replace('/', '~1')}"


@dataclass(slots=True)
class Trial:
    """One use of an operator: the whole node, the operator's argument, and what it is held against."""

    node: Final[Node]
    argument: Final[Node]
    value: Final[Value | Absent]
    scope: Final[Scope]
    pointer: Final[str]

    def fail(self, expected: str = "", actual: str = "", at: Location | None = None) -> list[Mismatch]:
        """The one mismatch of this operator, in its own words unless others are given."""
        if self.scope.brief:
            return [_UNTOLD]
        expected = expected or words_for(self.node, self.scope)
        return [Mismatch(self.pointer, expected, actual or describe(self.value), at or self.node.at)]

    def when(self, held: bool) -> list[Mismatch]:  # noqa: FBT001 - the one question of every simple operator
        """Nothing, or the one mismatch."""
        return [] if held else self.fail()

    @property
    def settled(self) -> Node:
        """The argument with a `$row` resolved."""
        return resolve(self.argument, self.scope)


def _object(
    expect: Node, wanted: Mapping[str, Node], value: Value | Absent, scope: Scope, pointer: str
) -> list[Mismatch]:
    if not isinstance(value, dict):
        return Trial(expect, expect, value, scope, pointer).fail()
    found: list[Mismatch] = []
    for key, member in wanted.items():
        given = value.get(key, ABSENT)
        literal = member.value
        if not isinstance(literal, _NESTED) and same(literal, given):
            continue
        if not left_out(member, scope):
            found += match(member, given, scope, pointer if scope.brief else below(pointer, key))
            if found and scope.brief:
                break
    return found


def _array(expect: Node, wanted: Sequence[Node], value: Value | Absent, scope: Scope, pointer: str) -> list[Mismatch]:
    whole = Trial(expect, expect, value, scope, pointer)
    if not isinstance(value, list):
        return whole.fail()
    if len(wanted) != len(value):
        return whole.fail(actual=f"an array of {count(len(value), 'element')}: {cut(dumps(value))}")
    found: list[Mismatch] = []
    for place, (element, given) in enumerate(zip(wanted, value, strict=True)):
        found += match(element, given, scope, below(pointer, place))
    return found


def _literal(expect: Node, value: Value | Absent, pointer: str) -> list[Mismatch]:
    """Differences from a literal, member by member where both are objects."""
    if same(expect.plain(), value):
        return []
    if isinstance(expect.value, dict) and isinstance(value, dict):
        found: list[Mismatch] = []
        for key, member in expect.value.items():
            found += _literal(member, value.get(key, ABSENT), below(pointer, key))
        return found + _surplus(expect, expect.value, value, pointer)
    return [Mismatch(pointer, describe(expect.plain()), describe(value), expect.at)]


def _surplus(expect: Node, wanted: Mapping[str, Node], value: dict[str, Value], pointer: str) -> list[Mismatch]:
    return [
        Mismatch(below(pointer, key), "nothing", describe(member), expect.at)
        for key, member in value.items()
        if key not in wanted
    ]


def _row(trial: Trial) -> list[Mismatch]:
    if left_out(trial.node, trial.scope):
        return []  # an expectation that this row does not have; the loader lets no other gap through
    return match(resolve(trial.node, trial.scope), trial.value, trial.scope, trial.pointer)


def _is_type(value: Value | Absent, argument: Node) -> bool:
    found = kind(value)
    return any(found == name or (name == "number" and found == "integer") for name in type_names(argument))


def _regex(trial: Trial) -> list[Mismatch]:
    pattern = str(trial.settled.value)
    try:
        compiled = _compiled(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise CaseError(f"{pattern} is no regular expression: {error}", trial.argument.at) from None
    return trial.when(isinstance(trial.value, str) and compiled.search(trial.value[:REGEX_REACH]) is not None)


_compiled: Final = functools.lru_cache(maxsize=1024)(re.compile)


def _one_of(trial: Trial) -> list[Mismatch]:
    for name, choice in choices(trial.settled):
        if holds(choice, trial.value, trial.scope):
            if name is not None:
                trial.scope.names.append(name)
            return []
    return trial.fail()


def _not(trial: Trial) -> list[Mismatch]:
    return trial.when(bool(match(trial.argument, trial.value, trial.scope.copy(brief=True))))


def _contains(trial: Trial) -> list[Mismatch]:
    argument = trial.settled
    if isinstance(trial.value, str):
        part = _constant(argument, trial.scope)
        return trial.when(isinstance(part, str) and part in trial.value)
    if not isinstance(trial.value, list):
        return trial.fail()
    return trial.when(any(holds(argument, element, trial.scope) for element in trial.value))


def _constant(argument: Node, scope: Scope) -> Value:
    """An argument that is data: a kept value, a literal, or what is written there with `$` keys and all."""
    value = build(argument, scope) if operator(argument) in BUILDERS else argument.plain()
    assert not isinstance(value, Absent)
    return value


def _unordered(trial: Trial) -> list[Mismatch]:
    wanted = trial.settled.elements
    if not isinstance(trial.value, list):
        return trial.fail()
    given = trial.value
    if len(given) != len(wanted):
        return trial.fail(actual=f"an array of {count(len(given), 'element')}: {cut(dumps(given))}")
    fits = [[place for place, value in enumerate(given) if holds(one, value, trial.scope.copy())] for one in wanted]
    owner: dict[int, int] = {}

    def place(one: int, tried: set[int]) -> bool:
        for spot in fits[one]:
            if spot not in tried:
                tried.add(spot)
                if spot not in owner or place(owner[spot], tried):
                    owner[spot] = one
                    return True
        return False

    alone = [one for one in range(len(wanted)) if not place(one, set())]
    if alone:
        return [
            Mismatch(
                trial.pointer,
                f"an element of its own that is {words_for(wanted[one], trial.scope)}",
                f"array {cut(dumps(given))}",
                wanted[one].at,
            )
            for one in alone[:SHOWN]
        ]
    for spot, one in sorted(owner.items()):
        holds(wanted[one], given[spot], trial.scope)
    return []


def _in_order(trial: Trial) -> list[Mismatch]:
    if not isinstance(trial.value, list):
        return trial.fail()
    start = 0
    for one in trial.settled.elements:
        # The first that matches is the best choice: it leaves the most for those behind it.
        place = next((at for at in range(start, len(trial.value)) if holds(one, trial.value[at], trial.scope)), None)
        if place is None:
            where = f"behind element {start - 1} " if start else ""
            expected = f"an element {where}that is {words_for(one, trial.scope)}"
            return trial.fail(expected, f"array {cut(dumps(trial.value))}", one.at)
        start = place + 1
    return []


def _each(trial: Trial) -> list[Mismatch]:
    parts: Sequence[tuple[str | int, Value]]
    if isinstance(trial.value, list):
        parts = list(enumerate(trial.value))
    elif isinstance(trial.value, dict):
        parts = list(trial.value.items())
    else:
        return trial.fail()
    found: list[Mismatch] = []
    for step, part in parts:
        found += match(trial.argument, part, trial.scope, below(trial.pointer, step))
        if len(found) >= SHOWN:
            break
    return found[:SHOWN]


def _unique(trial: Trial) -> list[Mismatch]:
    if not isinstance(trial.value, list):
        return trial.fail()
    name = trial.settled.value
    seen: dict[object, int] = {}
    for place, element in enumerate(trial.value):
        part: Value | Absent = element
        if isinstance(name, str):
            part = element.get(name, ABSENT) if isinstance(element, dict) else ABSENT
        if isinstance(part, Absent):
            continue
        first = seen.setdefault(_key(part), place)
        if first != place:
            return trial.fail(actual=f"elements {first} and {place} with the same {describe(part)}")
    return []


def _key(value: Value) -> object:
    """Something hashable that is equal for values that are the same."""
    if isinstance(value, dict):
        return "object", frozenset((key, _key(member)) for key, member in value.items())
    if isinstance(value, list):
        return "array", tuple(map(_key, value))
    return type(value).__name__, value


def _length(trial: Trial) -> list[Mismatch]:
    if not isinstance(trial.value, str | list | dict):
        return trial.fail()
    least, most = bounds(trial.settled, trial.scope)
    size = len(trial.value)
    if (least is None or size >= least) and (most is None or size <= most):
        return []
    return trial.fail(actual=f"length {size}: {describe(trial.value)}")


def _exact(trial: Trial) -> list[Mismatch]:
    argument = trial.settled
    if not isinstance(trial.value, dict):
        return trial.fail()
    wanted = {key: member for key, member in argument.items.items() if not left_out(member, trial.scope)}
    found = _object(argument, wanted, trial.value, trial.scope, trial.pointer)
    return found + _surplus(argument, wanted, trial.value, trial.pointer)


def _save(trial: Trial) -> list[Mismatch]:
    inner = trial.argument.items.get("is")
    found = [] if inner is None else match(inner, trial.value, trial.scope, trial.pointer)
    if inner is None and isinstance(trial.value, Absent):
        return trial.fail()
    if not found and not isinstance(trial.value, Absent):
        trial.scope.variables[str(trial.argument.items["as"].value)] = trial.value
    return found


def _fits(trial: Trial) -> list[Mismatch]:
    if isinstance(trial.value, Absent):
        return trial.fail()
    argument = trial.settled
    schema = _constant(argument, trial.scope)
    if isinstance(schema, str):
        name = schema
        schema = trial.scope.schema(name) if trial.scope.schema is not None else None
        if schema is None:
            raise CaseError(f'there is no message schema "{name}"', argument.at)
    try:
        faults = fitting.faults(schema, trial.value, SHOWN)
    except fitting.SchemaError as error:
        raise CaseError(str(error), argument.at) from None
    return [
        Mismatch(functools.reduce(below, fault.path, trial.pointer), fault.expected, fault.actual, trial.node.at)
        for fault in faults
    ]


def _schema_ok(trial: Trial) -> list[Mismatch]:
    if not isinstance(trial.value, dict | bool):
        return trial.fail()
    fault = fitting.schema_fault(trial.value)
    if fault is None:
        return []
    pointer = functools.reduce(below, fault.path, trial.pointer)
    return [Mismatch(pointer, f"a valid JSON Schema: {fault.expected}", fault.actual, trial.node.at)]


def _same(wanted: Value, trial: Trial) -> list[Mismatch]:
    return [] if same(wanted, trial.value) else trial.fail(describe(wanted))


Judge: TypeAlias = Callable[[Trial], "list[Mismatch]"]

OPERATORS: Final[dict[str, Judge]] = {
    "$any": lambda trial: trial.when(not isinstance(trial.value, Absent)),
    "$absent": lambda trial: trial.when(isinstance(trial.value, Absent)),
    "$optional": lambda trial: (
        [] if trial.value is ABSENT else match(trial.argument, trial.value, trial.scope, trial.pointer)
    ),
    "$type": lambda trial: trial.when(_is_type(trial.value, trial.settled)),
    "$regex": _regex,
    "$one_of": _one_of,
    "$not": _not,
    "$contains": _contains,
    "$unordered": _unordered,
    "$in_order": _in_order,
    "$each": _each,
    "$unique": _unique,
    "$length": _length,
    "$exact": _exact,
    "$fits": _fits,
    "$schema_ok": _schema_ok,
    "$save": _save,
    "$row": _row,
    "$var": lambda trial: _same(variable(trial.argument, trial.scope), trial),
    "$repeat": lambda trial: _same(repeated(trial.argument, trial.scope), trial),
    "$barrier": lambda trial: _same(trial.scope.barrier, trial),
    "$message": lambda trial: _same(message(trial.argument, trial.scope), trial),
    "$folder": lambda trial: _same(inside_folder(trial.argument, trial.scope), trial),
    "$literal": lambda trial: _literal(trial.argument, trial.value, trial.pointer),
}
