"""What an expectation asks for, in words: the "expected" of every mismatch.

This module must never judge a value; it is the table of words beside the table of operators in matching.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..values import Number, dumps
from ..words import alternatives, count, cut, describe, members
from .templates import Scope, choices, inside_folder, left_out, message, operator, repeated, resolve, variable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..model import Node


def words_for(expect: Node, scope: Scope) -> str:
    """Say in words what an expectation asks for."""
    name = operator(expect)
    if name is not None:
        return WORDS[name](expect.items[name], scope)
    if isinstance(expect.value, dict):
        return members(key for key, member in expect.items.items() if not left_out(member, scope))
    if isinstance(expect.value, tuple):
        return f"an array of {count(len(expect.value), 'element')}"
    return describe(expect.plain())


def type_names(argument: Node) -> list[str]:
    """The JSON types that a `$type` names: one, or a list of them."""
    nodes = argument.elements if isinstance(argument.value, tuple) else (argument,)
    return [str(node.value) for node in nodes]


def bounds(argument: Node, scope: Scope) -> tuple[int | None, int | None]:
    """The least and the greatest length that a `$length` allows; None where there is no bound."""
    if isinstance(argument.value, Number):
        return int(argument.value.exact), int(argument.value.exact)
    found = {key: resolve(node, scope).value for key, node in argument.items.items()}
    least, most = found.get("min"), found.get("max")
    return (
        int(least.exact) if isinstance(least, Number) else None,
        int(most.exact) if isinstance(most, Number) else None,
    )


def _article(names: Sequence[str]) -> str:
    said = [name if name == "null" else f"{'an' if name[:1] in 'aio' else 'a'} {name}" for name in names]
    return alternatives(said)


def _length_words(argument: Node, scope: Scope) -> str:
    least, most = bounds(resolve(argument, scope), scope)
    if least == most:
        return f"length {least}"
    if least is None:
        return f"length {most} at most"
    return f"length {least} at least" if most is None else f"length {least} to {most}"


def _contains_words(argument: Node, scope: Scope) -> str:
    settled = resolve(argument, scope)
    if isinstance(settled.value, str):
        return f"{describe(settled.value)} inside"
    return f"an array with an element that is {words_for(settled, scope)}"


def _unique_words(argument: Node, scope: Scope) -> str:
    name = resolve(argument, scope).value
    return f"an array whose elements all differ{f' in {dumps(name)}' if isinstance(name, str) else ''}"


def _save_words(argument: Node, scope: Scope) -> str:
    inner = argument.items.get("is")
    return "a value" if inner is None else words_for(inner, scope)


def _row_words(argument: Node, scope: Scope) -> str:
    found = (scope.row or {}).get(str(argument.value))
    return "nothing" if found is None else words_for(found, scope)


WORDS: Final[dict[str, Callable[[Node, Scope], str]]] = {
    "$any": lambda *_: "a value",
    "$absent": lambda *_: "nothing",
    "$optional": lambda argument, scope: f"nothing or {words_for(argument, scope)}",
    "$type": lambda argument, scope: _article(type_names(resolve(argument, scope))),
    "$regex": lambda argument, scope: f"a string that matches /{cut(str(resolve(argument, scope).value))}/",
    "$one_of": lambda argument, scope: alternatives(
        words_for(choice, scope) for _, choice in choices(resolve(argument, scope))
    ),
    "$not": lambda argument, scope: f"anything but {words_for(argument, scope)}",
    "$contains": _contains_words,
    "$unordered": lambda argument, scope: (
        f"an array of {count(len(resolve(argument, scope).elements), 'element')} in any order"
    ),
    "$in_order": lambda argument, scope: (
        f"an array with {count(len(resolve(argument, scope).elements), 'element')} in a given order"
    ),
    "$each": lambda argument, scope: f"an array or object, each part of it {words_for(argument, scope)}",
    "$unique": _unique_words,
    "$length": _length_words,
    "$exact": lambda argument, scope: f"{words_for(resolve(argument, scope), scope)} and no other",
    "$fits": lambda *_: "a value that fits the schema",
    "$schema_ok": lambda *_: "a valid JSON Schema",
    "$save": _save_words,
    "$row": _row_words,
    "$var": lambda argument, scope: describe(variable(argument, scope)),
    "$repeat": lambda argument, scope: describe(repeated(argument, scope)),
    "$barrier": lambda _, scope: describe(scope.barrier),
    "$message": lambda argument, scope: describe(message(argument, scope)),
    "$folder": lambda argument, scope: describe(inside_folder(argument, scope)),
    "$literal": lambda argument, _: describe(argument.plain()),
}
