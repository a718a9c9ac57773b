"""What a tool's annotations say, held against each other and against its name. Nothing is called.

This module must never take an annotation for the truth about a tool.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ..calling import Caller
from ..config import Call
from ..model import Mismatch
from ..session import Played
from ..values import Value
from .plan import doubts

CONTRADICTS: Final = "SAFE-ANN-1"


@dataclass(slots=True)
class Annotated:
    """The script: a tool that says that it only reads says nothing else that speaks against it."""

    name: str
    tool: Mapping[str, Value]
    repeats: bool = True

    def __call__(self, caller: Caller) -> Played:  # noqa: ARG002 - every script has this shape
        """Play it."""
        played = Played()
        if said := doubts(self.name, self.tool):
            wanted = "readOnlyHint on a tool that only reads"
            played.mismatches.append(Mismatch("/annotations/readOnlyHint", wanted, f"true, though {said}"))
            played.broken = (CONTRADICTS,)
        return played

    def foreseen(self) -> Iterator[Call]:
        """Nothing."""
        return iter(())


def says_that_it_reads(tool: Mapping[str, Value]) -> bool:
    """Whether a tool declares readOnlyHint."""
    hints = tool.get("annotations")
    return isinstance(hints, dict) and hints.get("readOnlyHint") is True
