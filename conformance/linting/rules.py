"""What a lint rule is, and what it looks at: a case file that loads, and what is known beside it.

This module must never know a rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from ..casefile import cases
from ..model import Location, Node, Problem, Step

if TYPE_CHECKING:
    from ..model import Requirement


@dataclass(slots=True)
class File:
    """A case file that loads: its name, its area, and its cases as they stand, rows not multiplied."""

    display: str
    prefix: str
    root: Node
    bundled: bool

    @property
    def cases(self) -> Sequence[Node]:
        """The cases as written."""
        return self.root.items["cases"].elements


@dataclass(frozen=True, slots=True)
class Known:
    """What rules hold a file against: the requirements, and the tools of the target where they are on record."""

    requirements: Mapping[str, Requirement] = field(default_factory=dict)
    tools: frozenset[str] | None = None


class Rule:
    """A rule: its id, what it says when it is broken, and what to do then."""

    id: ClassVar[str]
    hint: ClassVar[str] = ""

    def __init__(self, known: Known) -> None:
        self.known = known

    def check(self, file: File) -> Iterator[Problem]:
        """Every place in a file where the rule is broken."""
        return self._find(file)

    def _find(self, file: File) -> Iterator[Problem]:
        raise NotImplementedError

    def _broken(self, at: Location, message: str, hint: str = "") -> Problem:
        return Problem(at, self.id, message, hint or self.hint)


def steps(case: Node) -> Iterator[Step]:
    """The steps of a case, those before and behind them and those inside of `together` among them."""
    for key in ("before", "steps", "after"):
        part = case.get(key)
        for node in part.elements if part is not None else ():
            step = cases.as_step(node)
            yield step
            if step.kind == "together":
                yield from cases.steps_of(step)


def expected(step: Step) -> Node | None:
    """The expectation that a step holds a reply against."""
    return step.args if step.kind in {"reply", "optional"} else step.args.get("expect")
