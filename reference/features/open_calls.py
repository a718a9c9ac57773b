"""Calls that stay open: until another call releases them, until they are cancelled, or until the client answered.

Nothing here waits: a call that is open is a note of whom to answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..messages import Id, Request, parse, read_json, result_line, to_json
from ..protocol import ToolError, ToolSpec
from .questions import QUESTIONS, Question, declared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..build import Reference

Handler = "Callable[[str], Iterable[str]]"


def answer(text: str, *, ok: bool = True) -> dict[str, Any]:
    """The result of a call."""
    return {"content": [{"type": "text", "text": text}], "isError": not ok}


def same(one: object, other: object) -> bool:
    """Whether two ids are one: 7 is not "7"."""
    return type(one) is type(other) and one == other


class OpenCalls:
    """The open calls of one server: `held` by label, `asked` by the id of the question to the client."""

    def __init__(self, server: Reference) -> None:
        self._server = server
        self.declared: dict[str, Any] = {}
        self.held: dict[str, Id] = {}
        self.asked: dict[str, Id] = {}
        self._count = 0
        for name, description, argument in (
            ("tck_hold", "Stays open until it is released or cancelled.", "label"),
            ("tck_release", "Ends an open call.", "label"),
            ("tck_ask", "Asks the client for something.", "want"),
        ):
            schema = {"type": "object", "properties": {argument: {"type": "string"}}, "required": [argument]}
            server.register_tool(ToolSpec(name, description, schema), _refuse)

    def wrap(self, right: Callable[[str], Iterable[str]]) -> Callable[[str], Iterable[str]]:
        """What handles a line."""

        def lines(line: str) -> Iterable[str]:
            message = parse(line)
            if isinstance(message, list) or not message.valid:
                return right(line)
            if message.is_response:
                return self.answered(line)
            if message.method == "initialize":
                given = message.params.get("capabilities")
                self.declared = given if isinstance(given, dict) else {}
            elif message.method == "notifications/cancelled":
                self.cancel(message.params.get("requestId"))
            elif message.method == "tools/call" and not message.is_notification:
                found = self.call(message)
                return right(line) if found is None else found
            return right(line)

        return lines

    def call(self, message: Request) -> list[str] | None:
        """What leaves for a call of one of the tools here; None for every other call."""
        name, arguments = message.params.get("name"), message.params.get("arguments")
        given = arguments if isinstance(arguments, dict) else {}
        label, want = given.get("label"), given.get("want")
        if name == "tck_hold" and isinstance(label, str):
            self.held[label] = message.id
            return []
        if name == "tck_release" and isinstance(label, str):
            done = [result_line(message.id, answer("**released**"))]
            return [result_line(self.held.pop(label), answer("**held**")), *done] if label in self.held else done
        if name == "tck_ask" and isinstance(want, str) and want in QUESTIONS:
            return self.ask(message.id, QUESTIONS[want])
        return None

    def ask(self, id_: Id, question: Question) -> list[str]:
        """The request to the client, or a refusal where it did not declare what that needs."""
        if not declared(self.declared, question.needs):
            return [result_line(id_, answer(f"**{question.needs[0]}** was not declared", ok=False))]
        self._count += 1
        identity = f"ask-{self._count}"
        self.asked[identity] = id_
        return [to_json({"jsonrpc": "2.0", "id": identity, "method": question.method, "params": question.params})]

    def answered(self, line: str) -> list[str]:
        """The reply of the call for which the client was asked."""
        value = read_json(line)
        if not isinstance(value.get("id"), str) or value["id"] not in self.asked:
            return []
        shown = {key: value[key] for key in ("result", "error") if key in value}
        return [result_line(self.asked.pop(value["id"]), answer(to_json(shown)))]

    def cancel(self, id_: object) -> None:
        """Gives up the open call with that id, if there is one."""
        self.held = {label: held for label, held in self.held.items() if not same(held, id_)}
        self.asked = {name: asked for name, asked in self.asked.items() if not same(asked, id_)}


def _refuse(_args: dict[str, Any]) -> Any:
    raise ToolError("**label** or **want** must be one that is known")
