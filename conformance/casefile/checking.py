"""A node held against a shape of the format: everything that is wrong with it, each thing at its place.

This module must never stop at the first problem, and never read a file. It says what is wrong with a file, never what
is wrong with a target.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ..matching.templates import operator
from ..model import Location, Node, Problem
from ..values import Number, dumps
from ..words import describe, did_you_mean
from . import shapes
from .format import OPERATORS, STEPS
from .format_parts import SLUG

if TYPE_CHECKING:
    from .format import StepKind


MEANT: Final = {
    "$all": "$each",
    "$any_of": "$one_of",
    "$enum": "$one_of",
    "$eq": "$literal",
    "$equals": "$literal",
    "$every": "$each",
    "$exists": "$any",
    "$in": "$one_of",
    "$includes": "$contains",
    "$len": "$length",
    "$like": "$regex",
    "$match": "$regex",
    "$matches": "$regex",
    "$missing": "$absent",
    "$not_null": "$not",
    "$or": "$one_of",
    "$pattern": "$regex",
    "$ref": "$literal",
    "$schema": "$fits",
    "$size": "$length",
    "$sorted": "$in_order",
    "$subset": "$contains",
}
"""What other tools call our operators."""

_YES_NO: Final = {"yes": "true", "on": "true", "y": "true", "true": "true"} | dict.fromkeys(
    ("no", "off", "n", "false"), "false"
)


@dataclass(frozen=True, slots=True)
class Use:
    """One `$row`: its column, its place, whether its key may be left out, and whether it is sent."""

    column: str
    at: Location
    droppable: bool
    sent: bool


@dataclass(slots=True)
class Check:
    """What is being checked, and what was found: problems, uses of columns, and names that `$save` keeps so far.

    `in_rows` says that this is a row's own value, in which no `$row` may stand.
    """

    problems: list[Problem] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    saved: set[str] = field(default_factory=set)
    in_rows: bool = False

    def report(self, at: Location, rule: str, message: str, hint: str = "") -> None:
        """Note a problem."""
        self.problems.append(Problem(at, rule, message, hint))

    def shape(self, node: Node, shape: shapes.Shape, *, droppable: bool = False) -> None:
        """Hold a node against a shape; `droppable` says that it may be a `$row` whose column a row lacks."""
        if droppable and operator(node) == "$row" and _takes_row(shape):
            sent = not isinstance(shape, shapes.Expectation | shapes.Flag)
            self.use(node, node.items["$row"], droppable=True, sent=sent)
        else:
            _SHAPES[type(shape)](self, node, shape)

    def record(self, node: Node, known: Mapping[str, shapes.Field], what: str) -> None:
        """Hold an object against fields by their names: no others, and those that are required."""
        if not isinstance(node.value, dict):
            self.wrong(node, f"a map with {what}")
            return
        for key, member in node.items.items():
            if key in known:
                self.shape(member, known[key].shape, droppable=not known[key].required)
            else:
                hint = did_you_mean(key, known) or _those("keys here", known)
                self.report(node.keys.get(key, member.at), "unknown-key", f"there is no key {dumps(key)} here", hint)
        for one in known.values():
            if one.required and one.name not in node.items:
                hint = f"for example {one.name}: {dumps(one.example)}"
                self.report(node.at, "missing-key", f'the key "{one.name}" is missing', hint)

    def wrong(self, node: Node, wanted: str, hint: str = "") -> None:
        """Note that something of another kind stands here."""
        self.report(node.at, "wrong-type", f"{wanted} is wanted here, not {describe(node.plain())}", hint)

    def sent(self, node: Node, *, member: bool) -> None:
        """Hold a template against the rules for what is sent."""
        if isinstance(node.value, tuple):
            for element in node.elements:
                self.sent(element, member=False)
        elif isinstance(node.value, dict):
            name = self.operator_name(node)
            if name is None:
                for part in node.items.values():
                    self.sent(part, member=True)
            elif name in OPERATORS:
                if OPERATORS[name].sent:
                    self.apply(node, name, droppable=member, sent=True)
                else:
                    *some, last = (known for known, each in OPERATORS.items() if each.sent)
                    hint = f"what is sent may hold {', '.join(some)} and {last}"
                    self.report(node.at, "operator-not-sent", f"{name} judges what comes, and cannot be sent", hint)

    def expected(self, node: Node, *, member: bool) -> None:
        """Hold an expectation against the rules for operators."""
        if isinstance(node.value, tuple):
            for element in node.elements:
                self.expected(element, member=False)
        elif isinstance(node.value, dict):
            name = self.operator_name(node)
            if name is None:
                for part in node.items.values():
                    self.expected(part, member=True)
            elif name in OPERATORS:
                self.apply(node, name, droppable=member, sent=False)

    def operator_name(self, node: Node) -> str | None:
        """The operator that a map is, known or not; None for plain data. A `$` key in company is a problem."""
        keys = [key for key in node.items if key.startswith("$")]
        if not keys:
            return None
        name = keys[0]
        at = node.keys.get(name, node.at)
        if name not in OPERATORS:
            meant = f"did you mean {MEANT[name]}?" if name in MEANT else did_you_mean(name, OPERATORS)
            hint = meant or "data with such a key stands under $literal"
            self.report(at, "unknown-operator", f"there is no operator {name}", hint)
        elif len(node.items) > 1:
            hint = "an operator is the only key of its map; data with such a key stands under $literal"
            self.report(at, "operator-not-alone", f"{name} has other keys beside it", hint)
            return ""
        return name

    def apply(self, node: Node, name: str, *, droppable: bool, sent: bool) -> None:
        """Hold an operator's argument against its shape, and note what it refers to."""
        argument = node.items[name]
        if name == "$row":
            self.use(node, argument, droppable=droppable, sent=sent)
            return
        before = len(self.problems)
        if operator(argument) in {"$row", "$var"} and name != "$literal":
            self.expected(argument, member=False)
        else:
            self.shape(argument, OPERATORS[name].argument)
        if len(self.problems) > before:
            return
        if name == "$regex" and isinstance(argument.value, str):
            self.pattern(argument)
        elif name == "$save":
            self.saved.add(str(argument.items["as"].value))
        elif name == "$var" and argument.value not in self.saved:
            hint = did_you_mean(str(argument.value), self.saved) or "a $save has to come before it"
            self.report(argument.at, "unknown-variable", f'nothing was saved as "{argument.value}" before', hint)

    def use(self, node: Node, argument: Node, *, droppable: bool, sent: bool) -> None:
        """Note a `$row`."""
        if not isinstance(argument.value, str):
            self.wrong(argument, "the name of a column")
        elif self.in_rows:
            self.report(node.at, "row-in-row", "a row cannot refer to a row", "write the value itself")
        else:
            self.uses.append(Use(argument.value, argument.at, droppable, sent))

    def pattern(self, argument: Node) -> None:
        """Report a regular expression that is none."""
        try:
            re.compile(str(argument.value))
        except (re.error, OverflowError, RecursionError) as error:
            self.report(argument.at, "bad-regex", f"this is no regular expression: {error}")

    def step_kind(self, node: Node, allowed: Iterable[str]) -> StepKind | None:
        """The kind of a step, if it is one; keys that are not its own are problems."""
        names = list(allowed)
        if not isinstance(node.value, dict):
            self.wrong(node, "a step, a map such as {request: {method: ping}},")
            return None
        found = [key for key in node.items if key in STEPS]
        if not found:
            key = next(iter(node.items), "")
            hint = did_you_mean(key, names) or _those("steps", names)
            self.report(node.keys.get(key, node.at), "unknown-step", f"there is no step {dumps(key)}", hint)
            return None
        kind = STEPS[found[0]]
        if kind.name not in names:
            at = node.keys[kind.name]
            self.report(at, "unknown-step", f"{kind.name} cannot stand here", _those("steps", names))
            return None
        beside = {one.name for one in kind.beside}
        for key in node.items:
            if key in found[1:]:
                hint = "make it a step of its own, with a - before it"
                self.report(node.keys[key], "two-steps", f"{key} stands in the same step as {kind.name}", hint)
            elif key != kind.name and key not in beside:
                hint = did_you_mean(key, beside) or f"beside {kind.name} " + (_those("there is", beside, "nothing"))
                self.report(node.keys[key], "unknown-key", f"{dumps(key)} does not go with {kind.name}", hint)
        return kind

    def steps(self, node: Node, allowed: Iterable[str] = ()) -> None:
        """Hold a list of steps against their kinds; within `together` all is sent before anything is saved."""
        names = tuple(allowed) or tuple(STEPS)
        if not isinstance(node.value, tuple):
            self.wrong(node, "a list of steps")
            return
        if not node.elements:
            self.report(node.at, "empty-list", "there are no steps", "a case without a step shows nothing")
        later: list[tuple[Node, shapes.Shape]] = []
        for element in node.elements:
            kind = self.step_kind(element, names)
            if kind is None:
                continue
            self.shape(element.items[kind.name], kind.body)
            beside = [(element.items[one.name], one.shape) for one in kind.beside if one.name in element.items]
            if allowed:
                later += beside
            else:
                for member, shape in beside:
                    self.shape(member, shape, droppable=True)
        for member, shape in later:
            self.shape(member, shape, droppable=True)


def _takes_row(shape: shapes.Shape) -> bool:
    """Whether a row's value may stand for this; what gives a file its frame is the same for all rows."""
    if isinstance(shape, shapes.Text | shapes.Whole):
        return shape.template
    return isinstance(shape, shapes.Data | shapes.Expectation | shapes.Flag | shapes.Either)


def _those(what: str, names: Iterable[str], none: str = "none") -> str:
    return f"{what}: {', '.join(names) or none}"


def _text(check: Check, node: Node, shape: shapes.Text) -> None:
    if shape.template and operator(node) is not None:
        check.sent(node, member=False)
    elif not isinstance(node.value, str):
        check.wrong(node, shape.said)
    elif len(node.value) < shape.least or (shape.pattern and not re.fullmatch(shape.pattern, node.value)):
        parts = re.findall(r"[a-z0-9]+", node.value.lower())
        hint = f"write {'-'.join(parts)}" if shape is SLUG and parts else ""
        check.report(node.at, "wrong-text", f"{shape.said} is wanted here, not {describe(node.value)}", hint)


def _flag(check: Check, node: Node, shape: shapes.Flag) -> None:
    if not isinstance(node.value, bool):
        meant = _YES_NO.get(node.value.lower()) if isinstance(node.value, str) else None
        hint = f"write {meant}" if meant is not None and shape.only is None else ""
        check.wrong(node, "true or false" if shape.only is None else dumps(shape.only), hint)
    elif shape.only not in {None, node.value}:
        check.report(node.at, "wrong-value", f"only {dumps(shape.only)} can stand here")


def _whole(check: Check, node: Node, shape: shapes.Whole) -> None:
    if shape.template and operator(node) is not None:
        check.sent(node, member=False)
    elif not isinstance(node.value, Number) or not re.fullmatch(r"-?[0-9]{1,12}", node.value.text):
        check.wrong(node, "a whole number")
    elif int(node.value.text) < shape.least:
        check.report(node.at, "wrong-value", f"at least {shape.least} is wanted here")


def _choice(check: Check, node: Node, shape: shapes.Choice) -> None:
    value = node.value
    given = int(value.text) if isinstance(value, Number) and re.fullmatch(r"[0-9]{1,12}", value.text) else value
    if isinstance(given, bool) or given not in shape.options:
        options = [str(option) for option in shape.options]
        hint = did_you_mean(given, options) if isinstance(given, str) else ""
        check.report(
            node.at, "wrong-value", f"{' or '.join(options)} is wanted here, not {describe(node.plain())}", hint
        )


def _list(check: Check, node: Node, shape: shapes.ListOf) -> None:
    if not isinstance(node.value, tuple):
        check.wrong(node, "a list")
        return
    if len(node.elements) < shape.least:
        check.report(node.at, "empty-list", "the list is empty", "write something into it, or leave the key out")
    for element in node.elements:
        check.shape(element, shape.of)


def _record(check: Check, node: Node, shape: shapes.Record) -> None:
    known = shape.by_name
    check.record(node, known, f"the keys {', '.join(known)}" if known else "no keys, {},")


def _either(check: Check, node: Node, shape: shapes.Either) -> None:
    """The first shape that fits; where none does, the problems of the one for this kind of value."""
    best: Check | None = None
    for one in shape.shapes:
        trial = Check(saved=check.saved, in_rows=check.in_rows)
        trial.shape(node, one)
        if not trial.problems:
            best = trial
            break
        shallow = any(problem.rule == "wrong-type" and problem.at == node.at for problem in trial.problems)
        if best is None or not shallow:
            best = trial
    assert best is not None
    check.problems += best.problems
    check.uses += best.uses


def _data(check: Check, node: Node, shape: shapes.Data) -> None:
    if shape.object_only and (not isinstance(node.value, dict) or operator(node) is not None):
        check.wrong(node, "a map")
    else:
        check.sent(node, member=False)


def _expectation(check: Check, node: Node, shape: shapes.Expectation) -> None:
    if shape.object_only and (not isinstance(node.value, dict) or operator(node) is not None):
        check.wrong(node, "a map of members")
    else:
        check.expected(node, member=False)


def _choices(check: Check, node: Node, _: shapes.Choices) -> None:
    if not isinstance(node.value, tuple) or not node.elements:
        check.wrong(node, "a list of expectations")
        return
    for element in node.elements:
        if element.items.keys() == {"name", "is"}:
            if not isinstance(element.items["name"].value, str):
                check.wrong(element.items["name"], "the name of an alternative")
            check.expected(element.items["is"], member=False)
        else:
            check.expected(element, member=False)


def _anything(check: Check, node: Node, shape: shapes.Anything) -> None:
    if shape.object_only and not isinstance(node.value, dict):
        check.wrong(node, "a map")


def _steps(check: Check, node: Node, shape: shapes.Steps) -> None:
    check.steps(node, shape.kinds)


def _rows(check: Check, node: Node, _: shapes.Rows) -> None:
    """The frame of the rows; what their columns hold is checked where they are used."""
    if not isinstance(node.value, tuple):
        check.wrong(node, "a list of rows")
        return
    if not node.elements:
        check.report(node.at, "empty-list", "there are no rows", "write a row, or leave the key out")
    for row in node.elements:
        if not isinstance(row.value, dict):
            check.wrong(row, "a row, a map with a name and columns,")
        elif "name" not in row.items:
            check.report(row.at, "missing-key", 'the key "name" is missing', "for example name: upper-padded")


_SHAPES: Final[dict[type, Callable[[Check, Node, Any], None]]] = {
    shapes.Text: _text,
    shapes.Flag: _flag,
    shapes.Whole: _whole,
    shapes.Choice: _choice,
    shapes.ListOf: _list,
    shapes.Record: _record,
    shapes.Either: _either,
    shapes.Data: _data,
    shapes.Expectation: _expectation,
    shapes.Choices: _choices,
    shapes.Anything: _anything,
    shapes.Steps: _steps,
    shapes.Rows: _rows,
}
