"""What a property is: a case without a file, how its examples are made, and what a process remembers of them.

An example is itself a case of a few steps, so what fails is shown, judged and written down like any other case.
This module must never load Hypothesis: reports, gating and `explain` read it in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ..model import Case, Location, Needs, Node, Step
from ..values import Value

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from ..opening import Facts

FOLDER: Final = "properties"
PREFIX: Final = f"{FOLDER}/"


@dataclass(frozen=True, slots=True)
class Example:
    """One example as the members of a case: its steps, and the requirements that they show.

    `ground` is what the process will remember once the steps were played: what later examples on it build on.
    """

    steps: list[Value]
    covers: tuple[str, ...]
    title: str
    ground: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Property:
    """A property.

    `strategy` makes raw examples, `example` a raw one into steps, given the facts of the target and the ground of the
    process, which is empty for a fresh one. `most` is how many examples are tried. `kept` says that examples leave
    something behind, so that they are made smaller on fresh processes only. Where the case asks for a fresh process,
    what they leave needs one of their own besides: one that is reset before each, else one that the examples of the
    area share.
    """

    case: Case
    strategy: Callable[[], SearchStrategy[Any]]
    example: Callable[[Any, Facts, Mapping[str, Any]], Example]
    most: int = 100
    kept: bool = False


def made_case(
    area: str,
    slug: str,
    title: str,
    covers: tuple[str, ...],
    *,
    tools: tuple[str, ...] = (),
    until: str | None = None,
    session: str = "shared",
    steps: list[Value] | None = None,
) -> Case:
    """The case that stands for a property; `steps` are like those of its examples, for gating to see what they ask."""
    file = f"conformance/{PREFIX}{area}.py"
    at = Location(file, 1, 1)
    return Case(
        id=f"{PREFIX}{area}::{slug}",
        file=file,
        at=at,
        title=title,
        area=f"{PREFIX}{area}",
        covers=covers,
        steps=as_steps(steps or [], at),
        needs=Needs(tools=tools),
        until=until,
        session=session,
    )


def as_steps(steps: list[Value], at: Location) -> tuple[Step, ...]:
    """Values as the steps of a case, all of them at one place."""
    from ..casefile.cases import as_step

    return tuple(as_step(node(step, at)) for step in steps)


def node(value: Value, at: Location) -> Node:
    """A value as if it had been read at a place."""
    if isinstance(value, dict):
        return Node({key: node(member, at) for key, member in value.items()}, at, dict.fromkeys(value, at))
    if isinstance(value, list):
        return Node(tuple(node(element, at) for element in value), at)
    return Node(value, at)


def literal(value: Value) -> Value:
    """A value to send, marked as data where a key of it looks like an operator."""
    return {"$literal": value} if _has_mark(value) else value


def _has_mark(value: Value) -> bool:
    if isinstance(value, dict):
        return any(key.startswith("$") or _has_mark(member) for key, member in value.items())
    return isinstance(value, list) and any(map(_has_mark, value))
