"""How a case asks its process to be started, read from the case with its row.

This module must never start anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..matching import matching
from ..values import Absent
from .workspace import PLACEHOLDER, Start, is_inside, unpassable

if TYPE_CHECKING:
    from ..model import Case, Node


def read(case: Case) -> Start:
    """What the case says; the folder is named by its placeholder, since it is not there yet. Raises CaseError."""
    node = case.start
    if node is None:
        return Start()
    scope = matching.Scope(row=case.row, folder=PLACEHOLDER)
    args = node.get("args")
    mode = node.get("mode")
    files = _texts(node, "files", scope)
    for name in files:
        if not is_inside(name):
            raise matching.CaseError(f"{name} does not lie in the process's folder", node.at)
    words = tuple(_text(one, scope) for one in args.elements) if args is not None else ()
    env = _texts(node, "env", scope)
    for why in (*map(unpassable, (*words, *env.values())), *(unpassable(name, key=True) for name in env)):
        if why:
            raise matching.CaseError(f"no process can be started so: {why}", node.at)
    return Start(
        args=words,
        env=env,
        files=files,
        mode=str(mode.value) if mode is not None else None,
    )


def _texts(node: Node, key: str, scope: matching.Scope) -> dict[str, str]:
    member = node.get(key)
    if member is None:
        return {}
    return {name: _text(one, scope) for name, one in member.items.items() if not matching.left_out(one, scope)}


def _text(node: Node, scope: matching.Scope) -> str:
    value = matching.build(node, scope)
    if isinstance(value, Absent) or not isinstance(value, str):
        raise matching.CaseError("a text is wanted here: quote what is none", node.at)
    return value
