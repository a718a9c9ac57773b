"""The page of steps and operators, written from the definitions in format, with examples that the tests play.

`python -m mcp_tck.conformance.casefile.format_page` writes it to `spec/steps-and-operators.md`. This module must never
know a field, a step or an operator that it does not take from format.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..suite import SPEC
from ..values import dumps
from . import format as layout
from . import format_parts, shapes, yamlwrite
from .format_examples import STEPS, UNPLAYED, VALUES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

FILE: Final[Path] = SPEC / "steps-and-operators.md"

_HEAD: Final = """\
# Steps and operators

Everything that a case file can hold. [Writing cases](writing-cases.md) teaches it, [interpreting](interpreting.md)
says how it is played. This page is written from the definitions that the loader goes by
(`python -m mcp_tck.conformance.casefile.format_page`), and the tests play its examples on the kit's reference server.

A *template* is a value that is sent; only operators that can be sent may stand in it. An *expectation* is a value that
what comes is held against, with any operator at any place in it. Keys marked `!` are required.
"""

_STEPS_HEAD: Final = """\
## Steps

A step is a map with one of these keys; some take a further key beside it. The first table of a step is what stands
below its key, the second what stands beside.
"""

_OPERATORS_HEAD: Final = """\
## Operators

An operator is a map with this one key. Where data itself has a key with `$`, put it under `$literal`. The values that
match or do not are written as JSON.
"""


def text() -> str:
    """The page."""
    parts = [_HEAD]
    parts += ["## The file\n", _fields(layout.FILE.fields)]
    parts += ["## A case\n", _fields(layout.CASE.fields), "`requires` has these keys:\n"]
    parts += [_fields(format_parts.REQUIRES.fields), "`revisions` these:\n", _fields(format_parts.WINDOW.fields)]
    parts += ["and `start` these:\n", _fields(format_parts.START.fields)]
    parts.append(_STEPS_HEAD)
    parts += [_step(kind) for kind in layout.STEPS.values()]
    parts += [_OPERATORS_HEAD, _operators()]
    return "\n".join(parts)


def _step(kind: layout.StepKind) -> str:
    fence = "yaml steps unplayed" if kind.name in UNPLAYED else "yaml steps"
    lines = [f"### {kind.name}\n", f"{kind.about}\n", f"```{fence}\n{STEPS[kind.name]}```\n"]
    if isinstance(kind.body, shapes.Record) and kind.body.fields:
        lines.append(_fields(kind.body.fields))
    elif not isinstance(kind.body, shapes.Record):
        lines.append(f"Its value is {_words(kind.body)}.\n")
    if kind.beside:
        lines += ["Beside it:\n", _fields(kind.beside)]
        lines += [
            f"`{one.name}` of a `{kind.name}` has these keys:\n\n" + _fields(one.shape.fields)
            for one in kind.beside
            if isinstance(one.shape, shapes.Record)
        ]
    return "\n".join(lines)


def _fields(fields: Sequence[shapes.Field]) -> str:
    rows = []
    for one in fields:
        name = f"`{one.name}`{'!' if one.required else ''}"
        rows.append((name, _words(one.shape), one.about, _code(yamlwrite.flow({one.name: one.example})[1:-1])))
    return _table(("key", "value", "means", "example"), rows)


def _operators() -> str:
    rows = []
    for one in layout.OPERATORS.values():
        given = VALUES.get(one.name)
        holds, fails = (", ".join(map(_code, map(dumps, values))) for values in given or ((), ()))
        sent = "yes" if one.sent else ""
        example = _code(yamlwrite.flow(one.example))
        rows.append((f"`{one.name}`", one.about, example, holds, fails, sent))
    lines = [_table(("operator", "holds when", "example", "matches", "does not match", "can be sent"), rows)]
    for one in layout.OPERATORS.values():
        for shape in one.argument.shapes if isinstance(one.argument, shapes.Either) else (one.argument,):
            if isinstance(shape, shapes.Record):
                lines += [f"`{one.name}` takes a map with these keys:\n", _fields(shape.fields)]
    return "\n".join(lines)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def _code(written: str) -> str:
    return f"`` {written} ``" if "`" in written else f"`{written}`"


def _words(shape: shapes.Shape) -> str:
    return _WORDS[type(shape)](shape)


def _choice(shape: shapes.Choice) -> str:
    return " or ".join(f"`{yamlwrite.scalar(one) if isinstance(one, str) else one}`" for one in shape.options)


_WORDS: Final[dict[type, Callable[..., str]]] = {
    shapes.Text: lambda shape: shape.said + (", or a template" if shape.template else ""),
    shapes.Flag: lambda shape: "`true` or `false`" if shape.only is None else f"`{str(shape.only).lower()}`",
    shapes.Whole: lambda _: "a whole number",
    shapes.Choice: _choice,
    shapes.ListOf: lambda shape: "a list; each is " + _words(shape.of),
    shapes.Record: lambda _: "a map",
    shapes.Either: lambda shape: ", or ".join(map(_words, shape.shapes)),
    shapes.Data: lambda shape: "a template that is a map" if shape.object_only else "a template",
    shapes.Expectation: lambda shape: "an expectation of members" if shape.object_only else "an expectation",
    shapes.Choices: lambda _: "a list of expectations, each may be `{name: …, is: …}`",
    shapes.Anything: lambda _: "any value",
    shapes.Steps: lambda shape: "a list of steps" + (f": {', '.join(shape.kinds)}" if shape.kinds else ""),
    shapes.Rows: lambda _: "a list of rows",
}


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
