"""Tool calls for the script of a made case, on a process that was opened: arguments in, a reply to compare out.

A script is plain code and waits for nothing itself: what drives the process is handed in. This module must never judge
a reply, and never call anything that it is not asked to.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from . import opening
from .session import Action, Send
from .values import Value

if TYPE_CHECKING:
    from .opening import Facts
    from .protocol.conversation import Conversation, Received
    from .targets.target import Event

Drive = Callable[[Generator[Action, "Event | None", "Received | None"]], "Received | None"]

_METADATA: Final = "_meta"


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of one call. `body` is the whole message, empty where nothing came; `lost` then says why."""

    body: dict[str, Value] = field(default_factory=dict)
    lost: str = ""

    @property
    def result(self) -> dict[str, Value]:
        """The result; empty for an error, and where nothing came."""
        result = self.body.get("result")
        return result if isinstance(result, dict) else {}

    @property
    def code(self) -> str:
        """The code of a JSON-RPC error by its spelling; empty where the reply is none."""
        error = self.body.get("error")
        code = error.get("code") if isinstance(error, dict) else None
        return str(getattr(code, "text", "")) or ("?" if error is not None else "")

    @property
    def refused(self) -> bool:
        """Whether the call was refused: a result that says isError, or an error."""
        return "error" in self.body or self.result.get("isError") is True

    @property
    def accepted(self) -> bool:
        """Whether the tool did what it does."""
        return "result" in self.body and not self.refused

    @property
    def text(self) -> str:
        """What a model reads: the text blocks joined by line feeds, or the message of an error."""
        error = self.body.get("error")
        if isinstance(error, dict):
            said = error.get("message")
            return said if isinstance(said, str) else ""
        content = self.result.get("content")
        blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
        return "\n".join(str(text) for block in blocks if isinstance(text := block.get("text"), str))

    @property
    def essence(self) -> Value:
        """What two replies are compared by: everything but the id and the metadata."""
        if "error" in self.body:
            return {"error": self.body["error"]}
        return {key: value for key, value in self.result.items() if key != _METADATA}


class Caller:
    """Calls tools on one process. `calls` counts them; after one that got no reply, `hung` says so."""

    def __init__(self, talk: Conversation, facts: Facts, timeout: float, drive: Drive) -> None:
        self.facts = facts
        self.calls = 0
        self.hung = False
        self._talk = talk
        self._timeout = timeout
        self._drive = drive

    @property
    def ended(self) -> str:
        """How the process ended, in words; empty while it runs."""
        return self._talk.ended

    def call(self, tool: str, arguments: Value) -> Reply:
        """Call a tool and await the reply."""
        self.calls += 1
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def request(self, method: str, params: dict[str, Value]) -> Reply:
        """Send a request and await the reply."""
        received = self._drive(opening.ask(self._talk, method, params, self._timeout))
        if received is None or received.garbled:
            self.hung = self.hung or (received is None and not self._talk.ended)
            if self._talk.ended:
                return Reply(lost=f"no reply: the target {self._talk.ended}")
            why = received.garbled if received is not None else ""
            return Reply(lost=f"a line that is no message: {why}" if why else f"no reply within {self._timeout:g} s")
        return Reply(received.message.body)

    def notify(self, method: str, params: dict[str, Value]) -> None:
        """Send a notification, to which nothing answers."""
        line = self._talk.notification(method, params)

        def once() -> Generator[Action, Event | None, Received | None]:
            yield Send(line)
            return None

        self._drive(once())

    def note(self, text: str) -> None:
        """Write a remark into the transcript, before what follows."""
        self._talk.note("!", text)
