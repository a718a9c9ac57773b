"""What a target has, asked in full: its introduction, and every page of every list that it declares.

This module must never call a tool, and never write a file.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from .. import opening
from ..protocol.conversation import Conversation
from ..runner import OpeningError, Session, drive
from ..values import ABSENT

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..session import Action
    from ..targets.target import Event, Target
    from ..values import Absent, Value

LISTS: Final = {
    "tools": (("tools/list", "tools"),),
    "prompts": (("prompts/list", "prompts"),),
    "resources": (("resources/list", "resources"), ("resources/templates/list", "resourceTemplates")),
}
"""The lists that a capability stands for: method, and the member of the result that holds them."""

PAGES: Final = 50
"""Pages of one list that are asked for; a list without an end is cut there."""

Object = dict[str, "Value"]


@dataclass(frozen=True, slots=True)
class Explored:
    """What a target said: the result of its opening, and for each list its pages, each an array of objects."""

    revision: str
    introduction: Object
    lists: dict[str, list[list[Object]]] = field(default_factory=dict)

    @property
    def tools(self) -> list[Object]:
        """All tools of all pages that have a name."""
        return [tool for page in self.lists.get("tools/list", []) for tool in page if isinstance(tool.get("name"), str)]


def explore(launch: Callable[[], Target], revision: str, startup: float, seconds: float) -> Explored:
    """Start a target, ask, and end it; raises StartError and OpeningError."""
    talk = Conversation(revision)
    session = Session(launch(), talk)
    try:
        opened = drive(opening.open_session(talk, startup), session, startup + 1)
        if opened.mismatches:
            raise OpeningError(opened.mismatches, tuple(talk.transcript), session.target.stderr_tail)
        lists = drive(_lists(talk, opened.result, seconds), session, 20 * seconds)
    finally:
        session.target.kill()
    return Explored(talk.revision, opened.result, lists)


Lists = dict[str, list[list[Object]]]


def _lists(talk: Conversation, introduction: Object, seconds: float) -> Generator[Action, Event | None, Lists]:
    declared = introduction.get("capabilities")
    found: Lists = {}
    for capability, lists in LISTS.items():
        for method, member in lists if isinstance(declared, dict) and capability in declared else ():
            talk.begin(method)
            pages = yield from _pages(talk, method, member, seconds)
            if pages:
                found[method] = pages
            talk.end()
    return found


def _pages(
    talk: Conversation, method: str, member: str, seconds: float
) -> Generator[Action, Event | None, list[list[Object]]]:
    pages: list[list[Object]] = []
    params: Value | Absent = ABSENT
    for _ in range(PAGES):
        received = yield from opening.ask(talk, method, params, seconds)
        result = received.message.body.get("result") if received is not None else None
        listed = result.get(member) if isinstance(result, dict) else None
        if not isinstance(result, dict) or not isinstance(listed, list):
            break
        pages.append([each for each in listed if isinstance(each, dict)])
        cursor = result.get("nextCursor")
        if not isinstance(cursor, str):
            break
        params = {"cursor": cursor}
    return pages
