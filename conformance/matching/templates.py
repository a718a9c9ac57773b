"""Templates: what a case sends, and what operators refer to: rows, kept values, long strings, literals.

This module must never judge a value, and never touch a target.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from ..model import Location, Node
from ..values import ABSENT, Absent, Number, Value, dumps


class CaseError(Exception):
    """The case cannot be judged as it is written: the case file or the kit is wrong, not the target."""

    def __init__(self, message: str, at: Location | None = None) -> None:
        super().__init__(message if at is None else f"{at}: {message}")
        self.at = at


class MissingRowError(CaseError):
    """A `$row` names a column that this row lacks, where no key can be left out."""

    def __init__(self, column: str, at: Location) -> None:
        super().__init__(f'the row has no column "{column}", and here nothing can be left out', at)
        self.column = column


class MissingVariableError(CaseError):
    """A `$var` names what no earlier step has saved."""

    def __init__(self, name: str, at: Location) -> None:
        super().__init__(f'nothing was saved as "{name}"', at)
        self.name = name


@dataclass(slots=True)
class Scope:
    """What expectations and templates of one case may refer to.

    `variables` grows by `$save`, `names` by each named `$one_of` alternative that matched; a failed trial of an
    alternative leaves no trace. `barrier` is the method of the revision's barrier request, `metadata` the params that
    the revision demands in it, or None. `folder` is the path of the process's own folder, if it has one. `schema` gives
    the JSON Schema of a message by its name, or None for an unknown one. `brief`: only whether a value holds is asked,
    so that the first mismatch is enough, and none needs words.
    """

    row: Mapping[str, Node] | None = None
    variables: dict[str, Value] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    schema: Callable[[str], Value] | None = None
    barrier: str = "ping"
    metadata: Mapping[str, Value] | None = None
    folder: str | None = None
    brief: bool = False

    def copy(self, *, brief: bool = False) -> Scope:
        """A scope to try something in, of which this one sees nothing."""
        variables, names = dict(self.variables), list(self.names)
        return Scope(self.row, variables, names, self.schema, self.barrier, self.metadata, self.folder, brief)


def operator(node: Node) -> str | None:
    """The operator that a node is, or None for plain data."""
    value = node.value
    if isinstance(value, dict) and len(value) == 1:
        key = next(iter(value))
        if key.startswith("$"):
            return key
    return None


def resolve(node: Node, scope: Scope) -> Node:
    """Put the row's node in the place of a `$row`; every other node is given back as it is."""
    if operator(node) != "$row":
        return node
    name = node.items["$row"]
    column = name.value if isinstance(name.value, str) else ""
    row = scope.row or {}
    if column not in row:
        raise MissingRowError(column, node.at)
    return row[column]


def left_out(node: Node, scope: Scope) -> bool:
    """Whether a member with this node is left out of its object: a `$row` whose column the row lacks."""
    return operator(node) == "$row" and node.items["$row"].value not in (scope.row or {})


def build(node: Node, scope: Scope) -> Value | Absent:
    """Make the value to send from a template; absent where the whole is a `$row` whose column the row lacks.

    Members of objects are left out in that case; an element of an array cannot be, and raises MissingRowError.
    """
    value = node.value
    if isinstance(value, dict):
        name = operator(node)
        if name is not None:
            make = BUILDERS.get(name)
            if make is None:
                raise CaseError(f"{name} is an expectation, and cannot be sent", node.at)
            return make(node, value[name], scope)
        built = ((key, build(member, scope)) for key, member in value.items())
        return {key: member for key, member in built if not isinstance(member, Absent)}
    if isinstance(value, tuple):
        return [_present(element, scope) for element in value]
    return value


def _present(node: Node, scope: Scope) -> Value:
    value = build(node, scope)
    if isinstance(value, Absent):
        raise MissingRowError(str(node.items["$row"].value), node.at)
    return value


def variable(argument: Node, scope: Scope) -> Value:
    """The value that a `$var` names."""
    name = argument.value if isinstance(argument.value, str) else ""
    if name not in scope.variables:
        raise MissingVariableError(name, argument.at)
    return scope.variables[name]


def choices(argument: Node) -> list[tuple[str | None, Node]]:
    """The alternatives of a `$one_of`, each with its name where it has one."""
    found: list[tuple[str | None, Node]] = []
    for element in argument.elements:
        if element.items.keys() == {"name", "is"}:
            found.append((str(element.items["name"].value), element.items["is"]))
        else:
            found.append((None, element))
    return found


def repeated(argument: Node, scope: Scope) -> str:
    """The long string that a `$repeat` stands for."""
    part = {key: build(node, scope) for key, node in argument.items.items() if not left_out(node, scope)}
    times = part.get("times")
    number = int(times.exact) if isinstance(times, Number) else 0
    return f"{part.get('before', '')}{str(part.get('of', '')) * number}{part.get('after', '')}"


def message(argument: Node, scope: Scope) -> str:
    """The text of a barrier request of the revision, with the members that are given laid over it."""
    given = {key: build(node, scope) for key, node in argument.items.items() if not left_out(node, scope)}
    body: dict[str, Value] = {"jsonrpc": "2.0", "method": scope.barrier}
    if scope.metadata is not None:
        body["params"] = dict(scope.metadata)
    members = given.get("members")
    body |= members if isinstance(members, dict) else {}
    without = given.get("without")
    for name in without if isinstance(without, list) else []:
        body.pop(str(name), None)
    return f"{given.get('before', '')}{dumps(body)}{given.get('after', '')}"


def inside_folder(argument: Node, scope: Scope) -> str:
    """The path of something in the folder of the process's own."""
    if scope.folder is None:
        hint = "put {folder} into the target's command, or `start: {files: {}}` into the case"
        raise CaseError(f"the process has no folder of its own: {hint}", argument.at)
    name = str(argument.value)
    return scope.folder if name == "." else f"{scope.folder}/{name}"


Builder: TypeAlias = Callable[[Node, Node, Scope], "Value | Absent"]

BUILDERS: Final[dict[str, Builder]] = {
    "$row": lambda node, _, scope: ABSENT if left_out(node, scope) else build(resolve(node, scope), scope),
    "$var": lambda _, argument, scope: variable(argument, scope),
    "$repeat": lambda _, argument, scope: repeated(argument, scope),
    "$barrier": lambda _, __, scope: scope.barrier,
    "$message": lambda _, argument, scope: message(argument, scope),
    "$folder": lambda _, argument, scope: inside_folder(argument, scope),
    "$literal": lambda _, argument, __: argument.plain(),
}
"""The operators that may stand in what is sent."""
