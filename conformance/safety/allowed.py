"""What a user allows and asks for where tools are called: the part of the safety profile that every run loads.

This module must never import another of the profile: most runs ask for none of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ..config import ReadOnly
from ..values import Value

PROFILE: Final = "safety"
PREFIX: Final = "safety/"
AREAS: Final = tuple(
    f"{PREFIX}{name}"
    for name in ("arguments", "errors", "boundaries", "generated", "fidelity", "annotations", "read-only")
)
"""The areas of made cases."""

MOST_CALLS: Final = 20_000
MOST_SECONDS: Final = 600.0
"""What may be spent where the configuration says nothing."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """What the user allows and asks for: good arguments by tool, how many calls and seconds, the restricted target."""

    call: Mapping[str, tuple[dict[str, Value], ...]] = field(default_factory=dict)
    calls: int = MOST_CALLS
    seconds: float = MOST_SECONDS
    read_only: ReadOnly | None = None
