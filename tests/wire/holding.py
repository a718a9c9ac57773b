"""One message, held against our schemas and against somebody else's; and what explains that the two disagree."""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from mcp_tck.conformance.protocol import schemas, wire
from mcp_tck.conformance.values import lift

from . import making

REPLY, NOTIFICATION, REQUEST = "reply", "notification", "request"


@dataclass(frozen=True)
class Message:
    """A result, or a notification or request without its envelope, and what it belongs to."""

    revision: str
    kind: str
    method: str
    body: dict[str, Any]

    @property
    def whole(self) -> dict[str, Any]:
        """The message as it would be written."""
        if self.kind == REPLY:
            return {"jsonrpc": "2.0", "id": 1, "result": self.body}
        head = {"jsonrpc": "2.0", "id": 1} if self.kind == REQUEST else {"jsonrpc": "2.0"}
        return {**head, "method": self.method, **self.body}

    def faults(self) -> list[wire.Fault] | None:
        """What ours find; None where the envelope is broken, which is another matter."""
        judged = wire.judge(lift(self.whole))
        return None if judged.faults else schemas.problems(self.revision, judged, self.method)

    def change(self, how: Callable[[dict[str, Any]], None]) -> Message:
        """The same message, with its body changed."""
        body = copy.deepcopy(self.body)
        how(body)
        return replace(self, body=body)

    def __str__(self) -> str:
        return f"{self.revision} {self.kind} {self.method} {json.dumps(self.body)[:400]}"


@dataclass(frozen=True)
class Difference:
    """One known way in which both disagree. Mended in that place, they agree; or `because` sees it in the message."""

    name: str
    mend: Callable[[dict[str, Any]], None] | None = None
    because: Callable[[Message], bool] | None = None
    since: str = "2024-11-05"
    until: str = "2026-07-28"


def subjects(revision: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every message that a revision knows: its kind, its method, its schema."""
    known = schemas.document(revision)
    for method, schema in {**known["x-results"], "logging/setLevel": {"$ref": "#/$defs/Result"}}.items():
        yield REPLY, method, schema
    for method, schema in known["x-notifications"].items():
        yield NOTIFICATION, method, schema
    yield NOTIFICATION, "notifications/tools/list_changed", {"$ref": "#/$defs/Notification"}
    for method, schema in known["x-requests"].items():
        yield REQUEST, method, schema
    if revision < "2026-07-28":
        yield REQUEST, "roots/list", {"$ref": "#/$defs/Request"}


def messages(revision: str, most: int, samples: int = 6) -> Iterator[tuple[Message, bool]]:
    """Good messages of every kind, and spoiled ones; at most so many spoiled ones of each. True for the good ones."""
    for kind, method, schema in subjects(revision):
        maker = making.Maker(schemas.document(revision)["$defs"], f"{revision} {kind} {method}")
        for number in range(samples):
            maker.more = (0.0, 1.0, 1.0, 0.5, 0.5, 0.5)[number % 6]
            message = Message(revision, kind, method, maker.make(schema))
            yield message, True
            for _, body in making.spoiled(message.body, f"{message} {number}", most // samples):
                yield replace(message, body=body), False


def unexplained(
    found: Iterator[Message], theirs: Callable[[Message], bool | None], known: list[Difference]
) -> tuple[list[str], set[str]]:
    """The messages on which both disagree and nothing known says why, and the names of what is known and was seen."""
    left: list[str] = []
    seen: set[str] = set()
    for message in found:
        other = theirs(message)
        if other is None or (faults := message.faults()) is None or (not faults) == other:
            continue
        names = _explain(message, theirs, [each for each in known if each.since <= message.revision <= each.until])
        seen.update(names)
        if not names:
            left.append(f"{'theirs' if other else 'ours'} accept {message}; ours: {faults[:1]}")
    return left, seen


def _explain(message: Message, theirs: Callable[[Message], bool | None], known: list[Difference]) -> list[str]:
    for each in known:
        if each.because is not None and each.because(message):
            return [each.name]
    mending = [each for each in known if each.mend is not None]
    for size in (1, 2):
        for chosen in itertools.combinations(mending, size):
            mended = message
            for each in chosen:
                mended = mended.change(each.mend) if each.mend is not None else mended
            faults = mended.faults() if mended.body != message.body else None
            if faults is not None and (not faults) == theirs(mended):
                return [each.name for each in chosen]
    return []


def everywhere(value: Any, change: Callable[[dict[str, Any]], None]) -> None:
    """Change every object inside of a value, the outer ones first."""
    if isinstance(value, dict):
        change(value)
        for member in value.values():
            everywhere(member, change)
    elif isinstance(value, list):
        for element in value:
            everywhere(element, change)


def whole_times(body: dict[str, Any]) -> None:
    """Round the times of tasks, which the published schema of 2025-11-25 has as integers."""

    def change(value: dict[str, Any]) -> None:
        for name in ("ttl", "pollInterval"):
            if isinstance(value.get(name), float):
                value[name] = 1

    everywhere(body, change)
