"""Short ways to write a filter on a server's lines: what a fault or a variant changes, and nothing else of a line.

A line that a filter leaves alone passes as it was written, character by character.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from ..messages import read_json, to_json
from .model import Handler, OnLines

Message: TypeAlias = dict[str, Any]
Written: TypeAlias = "Message | str | list[Any] | None"
"""An object, a line as it is, several of these one after the other, or nothing."""


def read(line: str) -> Message | None:
    """The object on a line, or None where there is none."""
    try:
        value = read_json(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def write(what: Written) -> Iterator[str]:
    """The lines of what a filter gives."""
    if isinstance(what, list):
        for each in what:
            yield from write(each)
    elif isinstance(what, str):
        yield what
    elif what is not None:
        yield to_json(what)


def each_reply(change: Callable[[Message, Message], Written]) -> OnLines:
    """A filter on replies: `change` gets the request (empty where it was none) and the reply, and gives what leaves."""

    def wrap(handler: Handler) -> Handler:
        def lines(line: str) -> Iterator[str]:
            request = read(line) or {}
            for answer in handler(line):
                reply = read(answer)
                if reply is None or not ("result" in reply or "error" in reply):
                    yield answer
                    continue
                before = to_json(reply)
                given = change(request, reply)
                if given is reply and to_json(reply) == before:
                    yield answer
                else:
                    yield from write(given)

        return lines

    return wrap


def each_result(method: str, change: Callable[[Message], object]) -> OnLines:
    """A filter on the results of one method: `change` works on the result in place, or gives another one."""

    def changed(request: Message, reply: Message) -> Message:
        if request.get("method") == method and isinstance(reply.get("result"), dict):
            given = change(reply["result"])
            if isinstance(given, dict):
                reply["result"] = given
        return reply

    return each_reply(changed)


def each_error(change: Callable[[Message, Message], Written]) -> OnLines:
    """A filter on replies that are errors."""
    return each_reply(lambda request, reply: change(request, reply) if "error" in reply else reply)


def each_line(change: Callable[[str], Iterable[str]]) -> OnLines:
    """A filter on every line that leaves."""
    return lambda handler: lambda line: [given for answer in handler(line) for given in change(answer)]


def on_line(answer: Callable[[str], Iterable[str] | None]) -> OnLines:
    """A filter that answers some lines in the server's place; None leaves a line to the server."""

    def wrap(handler: Handler) -> Handler:
        def lines(line: str) -> Iterable[str]:
            given = answer(line)
            return handler(line) if given is None else given

        return lines

    return wrap


def on_message(answer: Callable[[Message], Written | bool]) -> OnLines:
    """A filter that answers some messages in the server's place; True leaves a message to the server."""

    def given(line: str) -> Iterable[str] | None:
        message = read(line)
        if message is None:
            return None
        what = answer(message)
        return None if what is True or what is False else list(write(what))

    return on_line(given)


def result(request: Message, value: object) -> Message:
    """A reply with a result of any kind."""
    return {"jsonrpc": "2.0", "id": request.get("id"), "result": value}


def error(request: Message, code: int, message: str = "no") -> Message:
    """A reply with an error."""
    return {"jsonrpc": "2.0", "id": request.get("id"), "error": {"code": code, "message": message}}


def is_request(message: Message) -> bool:
    """Whether a message of the client asks for a reply."""
    return "method" in message and "id" in message


def is_notification(message: Message) -> bool:
    """Whether it asks for none."""
    return "method" in message and "id" not in message


OPENING = 4
"""So many replies pass unharmed where a session is to be opened at all."""


def once_open(filter_: OnLines) -> OnLines:
    """A filter that begins when a session is open: what spoils the opening shows nothing else."""

    def wrap(handler: Handler) -> Handler:
        wrong, seen = filter_(handler), [0]

        def lines(line: str) -> Iterable[str]:
            if seen[0] >= OPENING:
                return wrong(line)
            answers = list(handler(line))
            seen[0] += len(answers)
            return answers

        return lines

    return wrap
