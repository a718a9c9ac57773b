"""What a server says unasked: its notifications and its requests, held against what was declared and what is in flight.

This module must never answer, and never judge a reply or the shape of a message.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .. import words
from ..values import ABSENT, Absent, Number, Value
from . import eras
from .owed import Key, key_of
from .wire import Fault, Message

_NEEDS: Final = {
    "notifications/message": ("logging",),
    "notifications/tools/list_changed": ("tools", "listChanged"),
    "notifications/prompts/list_changed": ("prompts", "listChanged"),
    "notifications/resources/list_changed": ("resources", "listChanged"),
    "notifications/resources/updated": ("resources", "subscribe"),
}
"""Where in the server's capabilities it is declared that a notification may come."""

_RESPECTED_SINCE: Final = "2025-06-18"
"""The revision in which keeping to what was declared became a must."""


@dataclass(slots=True)
class _Token:
    """A progress token that a request carries: whether that is answered, and the last progress that was reported."""

    request: Key
    answered: bool = False
    last: Number | None = None


class Unasked:
    """What one process may say unasked. `client` and `server` are the capabilities that each side declared."""

    def __init__(self, revision: str) -> None:
        self.revision = revision
        self.client: dict[str, Value] = {}
        self.server: dict[str, Value] | None = None
        self._ids: set[Key] = set()
        self._tokens: dict[Key, _Token] = {}
        self._logging: set[Key] = set()
        self._open: set[Key] = set()
        self._listening = False

    # -- what the client does

    def sent(self, key: Key, method: str, params: Value | Absent) -> None:
        """A request was sent."""
        self._open.add(key)
        self._listening = self._listening or method == "subscriptions/listen"
        meta = params.get("_meta") if isinstance(params, dict) else None
        if not isinstance(meta, dict):
            return
        token = meta.get("progressToken", ABSENT)
        if not isinstance(token, Absent) and not (isinstance(params, dict) and "task" in params):
            self._tokens[key_of(token)] = _Token(key)
        if "io.modelcontextprotocol/logLevel" in meta:
            self._logging.add(key)

    def answered(self, key: Key, method: str, result: Value | Absent) -> None:
        """A request was answered; the reply to an opening says what the server declares."""
        self._open.discard(key)
        for token in self._tokens.values():
            token.answered = token.answered or token.request == key
        if method in {"initialize", "server/discover"} and isinstance(result, dict):
            declared = result.get("capabilities")
            self.server = declared if isinstance(declared, dict) else self.server

    # -- what the server does

    def request(self, message: Message) -> list[Fault]:
        """What is wrong with a request of the server."""
        faults = []
        if key_of(message.id) in self._ids:
            used = f"{words.describe(message.id)}, which an earlier request had"
            faults.append(Fault("client-requests", "MCP-BASE-035", "/id", "a fresh id", used))
        self._ids.add(key_of(message.id))
        capability = eras.client_capability(message.method)
        wrong = ("", "")
        if eras.is_stateless(self.revision):
            wrong = ("MCP-STDIO-010", "no request from the server")
        elif capability == "?":
            wrong = ("MCP-CLI-001", "a request that MCP defines")
        elif capability is not None and capability not in self.client:
            expected = f"no request that needs the undeclared client capability {capability}"
            wrong = (self._respect("MCP-LIFE-015"), expected)
        if wrong[0]:
            faults.append(Fault("client-requests", wrong[0], "/method", wrong[1], f"request {message.method}"))
        return faults

    def notification(self, message: Message) -> list[Fault]:
        """What is wrong with a notification of the server."""
        if message.method == "notifications/progress":
            return self._progress(message)
        faults = []
        declared = _NEEDS.get(message.method)
        if declared is not None and self.server is not None and not _has(self.server, declared):
            requirement = "MCP-LOG-001" if declared == ("logging",) else self._respect("MCP-LIFE-016")
            expected = f"no notification that needs the undeclared capability {'.'.join(declared)}"
            faults.append(Fault("notifications", requirement, "/method", expected, message.method))
        elif eras.is_stateless(self.revision) and declared is not None:
            if declared == ("logging",) and not self._logging & self._open:
                expected = "no log message but for a request in flight that asked for them"
                faults.append(Fault("notifications", "MCP-LOG-006", "/method", expected, message.method))
            elif declared != ("logging",) and not self._listening:
                expected = "no change told of outside of a subscription"
                faults.append(Fault("notifications", "MCP-STDIO-011", "/method", expected, message.method))
        return faults

    def _progress(self, message: Message) -> list[Fault]:
        params = message.body.get("params")
        given = params.get("progressToken", ABSENT) if isinstance(params, dict) else ABSENT
        progress = params.get("progress") if isinstance(params, dict) else None
        token = self._tokens.get(key_of(given))
        if not isinstance(given, str | Number):
            return []  # its shape is judged elsewhere
        pointer = "/params/progressToken"
        if token is None:
            expected = "the token of a request that was sent"
            return [Fault("notifications", "MCP-PROG-001", pointer, expected, words.describe(given))]
        if token.answered:
            shown = f"{words.describe(given)}, whose request was answered"
            return [Fault("notifications", "MCP-PROG-004", pointer, "the token of a request in flight", shown)]
        last, token.last = token.last, progress if isinstance(progress, Number) else token.last
        if isinstance(progress, Number) and last is not None and not _grows(last, progress):
            expected = f"more than {last.text}"
            return [Fault("notifications", "MCP-PROG-003", "/params/progress", expected, words.describe(progress))]
        return []

    def _respect(self, requirement: str) -> str:
        return requirement if self.revision >= _RESPECTED_SINCE else "MCP-LIFE-013"


def _has(capabilities: dict[str, Value], path: tuple[str, ...]) -> bool:
    place: Value = capabilities
    for name in path:
        place = place.get(name, False) if isinstance(place, dict) else False
    return place is not False and place is not None


def _grows(before: Number, after: Number) -> bool:
    first, second = before.exact, after.exact
    return isinstance(first, str) or isinstance(second, str) or second > first
