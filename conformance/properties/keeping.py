"""Examples that were drawn once, with seed 0, and are kept beside the properties as data.

`python -m mcp_tck.conformance.properties.keeping` draws them anew, which is needed when a strategy changes. This module
must never load Hypothesis to read, and never judge an example.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, Final

from ..values import ABSENT, Absent, Number

KEPT: Final = Path(__file__).with_name("kept.json")


@functools.cache
def _all() -> dict[str, list[Any]]:
    return json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}


def read(identity: str) -> list[Any]:
    """The raw examples of a property, by its case id; none where none are kept."""
    return [read_one(each) for each in _all().get(identity, [])]


def read_one(value: Any) -> Any:
    """A raw example from its JSON: an array is [kind, …], and a number always stands for the kit's own."""
    if not isinstance(value, list):
        return value
    kind, *rest = value
    if kind == "number":
        return Number(rest[0])
    if kind == "absent":
        return ABSENT
    if kind == "map":
        return {key: read_one(member) for key, member in rest}
    return (tuple if kind == "tuple" else list)(map(read_one, rest))


def as_json(raw: Any) -> Any:
    """A raw example as JSON."""
    if isinstance(raw, Number):
        return ["number", raw.text]
    if isinstance(raw, Absent):
        return ["absent"]
    if isinstance(raw, dict):
        return ["map", *([key, as_json(member)] for key, member in raw.items())]
    if isinstance(raw, tuple | list):
        return ["tuple" if isinstance(raw, tuple) else "list", *map(as_json, raw)]
    return raw


def write() -> None:
    """Draw the examples of all properties, and keep them: one a line, so that a change can be read."""
    from .listing import PROPERTIES
    from .search import draw

    drawn = []
    for identity, made in PROPERTIES.items():
        lines = ",\n".join(f"  {json.dumps(as_json(raw))}" for raw in draw(made, 0))
        drawn.append(f"{json.dumps(identity)}: [\n{lines}\n]")
    KEPT.write_text("{\n" + ",\n".join(drawn) + "\n}\n", "utf-8")


if __name__ == "__main__":
    write()
