"""Faults that show on one kind of message only: one method, one id, one moment, or more messages than usual."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..messages import read_json, to_json
from .filters import Message, Written, each_error, each_reply, error, is_notification, is_request, on_message, read
from .model import Book, Handler, Serve
from .streams import chunks

BOOK = Book(
    also="MCP-BASE- MCP-STDIO- SRV-PARSE- SRV-REPLY-1 MCP-LIFE-021 MCP-LOG-001",
    why="the same replies are looked at for other reasons",
)
Write = Callable[[bytes], object]

# Revisions that are confirmed though nobody published them.


def _confirms(when: Callable[[str], object]) -> Any:
    """Confirms some of the revisions that it does not know."""

    def changed(request: Message, reply: Message) -> Message:
        if request.get("method") == "initialize" and "result" in reply:
            asked = request["params"]["protocolVersion"]
            if when(asked):
                reply["result"]["protocolVersion"] = asked
        return reply

    return each_reply(changed)


_KNOWN = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
for _name, _what, _when in [
    ("confirms-padded", "confirms a revision with blanks around it", lambda asked: asked.strip() in _KNOWN),
    (
        "confirms-any-date",
        "confirms what is written like a date of the last years",
        lambda asked: re.fullmatch(r"202[45]-\d\d-\d\d", asked),
    ),
    (
        "confirms-between",
        "confirms whatever lies between its oldest and its newest revision",
        lambda asked: _KNOWN[0] <= asked <= _KNOWN[-1],
    ),
    ("confirms-words", "confirms a revision that is no date", lambda asked: asked and not asked[0].isdigit()),
]:
    BOOK.add(_name, "MCP-LIFE-004", _what, on_lines=_confirms(_when))

# Methods that are taken for others.


def _named(change: Callable[[str], str]) -> Any:
    """Takes some names of methods for others."""

    def wrap(handler: Handler) -> Handler:
        def lines(line: str) -> Iterable[str]:
            message = read(line)
            if message is not None and is_request(message) and isinstance(message["method"], str):
                method = change(message["method"])
                if method != message["method"]:
                    line = to_json(message | {"method": method})
            return handler(line)

        return lines

    return wrap


def _from(known: Callable[[str, str], bool]) -> Callable[[str], str]:
    """Another name for a method that two names are equal for, in the sense of `known`."""
    return lambda asked: next((name for name in ("ping", "tools/list") if known(asked, name)), asked)


for _name, _what, _change in [
    ("methods-in-any-case", "takes a method in any letter case", _from(lambda a, k: a.lower() == k)),
    ("methods-trimmed", "trims the blanks around a method", str.strip),
    ("methods-by-beginning", "takes what begins like a method for it", _from(str.startswith)),
    ("methods-by-end", "takes what ends like a method for it", _from(str.endswith)),
    ("methods-cut-short", "takes the beginning of a method for it", _from(lambda a, k: len(a) > 2 and k.startswith(a))),
    ("methods-end-at-zero", "ends a method at a zero character", lambda asked: asked.split("\0")[0]),
    ("methods-slashes", "drops a slash behind a method", lambda asked: asked.rstrip("/")),
]:
    BOOK.add(_name, "MCP-BASE-042", _what, on_lines=_named(_change))
BOOK.add(
    "no-method-no-reply",
    "MCP-BASE-042",
    "takes a message whose method is the empty string for no request",
    on_lines=on_message(lambda m: None if is_request(m) and m["method"] == "" else True),
)

# Metadata that is refused in one place only.


def _refuses(method: str, wrong: Callable[[str], bool]) -> Any:
    """Refuses a request for one method whose `_meta` has a key of some sort."""

    def given(message: Message) -> Written | bool:
        params = message.get("params")
        meta = params.get("_meta") if isinstance(params, dict) else None
        refused = (
            is_request(message) and message["method"] == method and isinstance(meta, dict) and any(map(wrong, meta))
        )
        return error(message, -32602, "unexpected _meta") if refused else True

    return on_message(given)


for _word, _method in (("call", "tools/call"), ("opening", "initialize")):
    BOOK.add(
        f"{_word}-token-refused",
        "MCP-PROG-006",
        f"refuses {_method} with a progress token",
        also="MCP-BASE-017 MCP-PROG-",
        why="one message holds both",
        on_lines=_refuses(_method, lambda key: key == "progressToken"),
    )
    BOOK.add(
        f"{_word}-meta-refused",
        "MCP-BASE-017",
        f"refuses {_method} with a key in _meta that it does not know",
        also="MCP-PROG-006",
        why="one message holds both",
        on_lines=_refuses(_method, lambda key: key != "progressToken"),
    )

# Notifications of the opening and of roots.


def _notified(method: str, when: Callable[[Message], bool], answer: Callable[[Message], Written]) -> Any:
    return on_message(lambda m: answer(m) if is_notification(m) and m["method"] == method and when(m) else True)


def _ends(_message: Message) -> Written:
    raise SystemExit(1)


_ROOTS, _OPENED = "notifications/roots/list_changed", "notifications/initialized"
for _name, _what, _how in [
    (
        "roots-change-refused",
        "answers the notification that the roots changed with an error",
        _notified(_ROOTS, lambda _m: True, lambda _m: error({"id": None}, -32601)),
    ),
    ("dies-of-roots-change", "ends when the roots changed", _notified(_ROOTS, lambda _m: True, _ends)),
    (
        "opened-with-params-refused",
        "answers the notification that ends the opening with an error where it has params",
        _notified(_OPENED, lambda m: "params" in m, lambda _m: error({"id": None}, -32602)),
    ),
]:
    BOOK.add(_name, "MCP-BASE-010", _what, on_lines=_how)

# Ids that are lost in one kind of reply, or taken at one time only.

BOOK.add(
    "text-id-lost-in-refusals",
    "MCP-BASE-002",
    "loses an id that is a string where it refuses params",
    also="MCP-TOOL- MCP-CANC- MCP-LIFE-",
    why="other refusals with such an id",
    on_lines=each_error(
        lambda request, reply: (
            reply | {"id": None} if reply["error"]["code"] == -32602 and isinstance(request.get("id"), str) else reply
        )
    ),
)


def _opening_id(change: Callable[[Any], Any]) -> Any:
    return each_reply(
        lambda request, reply: reply | {"id": change(reply["id"])} if request.get("method") == "initialize" else reply
    )


for _name, _what, _change in [
    ("opening-always-one", "answers initialize under the id 1, whatever its own was", lambda _id: 1),
    (
        "opening-text-id-lost",
        "loses the id of an initialize that is a string",
        lambda given: None if isinstance(given, str) else given,
    ),
]:
    BOOK.add(
        _name,
        "MCP-BASE-002 MCP-LIFE-001",
        _what,
        also="MCP-LIFE-",
        why="the reply is lost",
        on_lines=_opening_id(_change),
    )
BOOK.add(
    "opening-zero-is-none",
    "MCP-BASE-003",
    "takes an initialize with the id 0 for a notification",
    also="MCP-LIFE-",
    why="the reply is lost",
    on_lines=on_message(lambda m: None if m.get("method") == "initialize" and m.get("id") == 0 else True),
)

# What a line that cannot be read does to the one request behind it.


def _after_bad(method: str) -> Any:
    def wrap(handler: Handler) -> Handler:
        bad = [False]

        def lines(line: str) -> Iterable[str]:
            message = read(line)
            if message is None:
                bad[0] = bool(line.strip())
            elif message.get("method") == method and bad[0]:
                bad[0] = False
                return [to_json(error(message, -32603, "parser in error state"))]
            return handler(line)

        return lines

    return wrap


for _name, _what, _method in [
    ("call-fails-after-bad-line", "refuses the first call after a line that is no JSON", "tools/call"),
    ("list-fails-after-bad-line", "refuses the first list after a line that is no JSON", "tools/list"),
]:
    BOOK.add(
        _name,
        "MCP-BASE-016",
        _what,
        also="MCP- SRV- ARG- PROBE- STORY-",
        why="it may be any",
        on_lines=_after_bad(_method),
    )

# More messages at once than usual.


def _batched(serve_batch: Callable[[list[bytes]], list[bytes]]) -> Callable[[Serve], Serve]:
    """Changes the lines that came with one read."""

    def batches() -> Iterator[bytes]:
        rest = b""
        for chunk in chunks():
            *lines, rest = (rest + chunk).split(b"\n")
            yield from (line + b"\n" for line in serve_batch(lines))

    return lambda serve: lambda _lines_in, write, handler: serve(batches(), write, handler)


BOOK.add(
    "queue-of-sixteen",
    "MCP-BASE-005 MCP-STDIO-005",
    "drops what comes at once beyond sixteen messages",
    on_serve=_batched(lambda lines: lines[:16]),
)


@BOOK.serve("crosses-ids-of-many", "MCP-BASE-002", "crosses two ids in each twenty that leave at once")
def _(_serve: Serve) -> Serve:
    def run(_lines_in: Iterable[bytes], write: Write, handler: Handler) -> None:
        rest = b""
        for chunk in chunks():
            *lines, rest = (rest + chunk).split(b"\n")
            answers = [a for line in lines for a in handler(line.decode("utf-8", "surrogateescape"))]
            for place in range(18, len(answers), 20):
                one, other = read(answers[place]) or {}, read(answers[place + 1 : place + 2][0]) or {}
                answers[place] = to_json(one | {"id": other.get("id")})
                answers[place + 1] = to_json(other | {"id": one.get("id")})
            for answer in answers:
                write(answer.encode("utf-8", "surrogateescape") + b"\n")

    return run


# Lines that are read by how they look.


def _looking(change: Callable[[str, Message], Message | None]) -> Any:
    """Changes a request by its line: what is given is served in its place, and None is not answered."""

    def wrap(handler: Handler) -> Handler:
        def lines(line: str) -> Iterable[str]:
            message = read(line)
            if message is None or not is_request(message):
                return handler(line)
            given = change(line, message)
            if given is None:
                return []
            return handler(line if given is message else to_json(given))

        return lines

    return wrap


_ID, _METHOD = re.compile(r'"id"\s*:\s*("[^"]*"|-?\d+)'), re.compile(r'"method"\s*:\s*"([^"]*)"')


def _spelt_method(line: str, message: Message) -> Message:
    """The method as it is spelt on the line."""
    found = _METHOD.search(line)
    spelt = message["method"] if found is None else found[1]
    return message if not message["method"].isascii() or message["method"] == spelt else message | {"method": spelt}


def _no_reply_words(line: str, message: Message) -> Message | None:
    """Nothing where a member of any depth is named like one of a reply."""
    return None if '"result":' in line or '"error":' in line else message


def _found_id(place: int) -> Callable[[str, Message], Message]:
    """The first or the last id that stands on the line."""

    def change(line: str, message: Message) -> Message:
        found = _ID.findall(line)
        return message | {"id": read_json(found[place])} if len(found) > 1 else message

    return change


for _name, _what, _look in [
    ("method-as-spelt", "does not read escapes in a method", _spelt_method),
    ("first-id-on-the-line", "takes the first id on the line for the message's", _found_id(0)),
    ("last-id-on-the-line", "takes the last id on the line for the message's", _found_id(-1)),
    ("result-anywhere", "takes a request with a result or error at any depth for a reply", _no_reply_words),
]:
    BOOK.add(_name, "MCP-STDIO-019", _what, also="SRV- MCP-", why="ids and methods anywhere", on_lines=_looking(_look))

BOOK.add(
    "id-ends-at-zero",
    "MCP-BASE-002",
    "ends an id at a zero character",
    on_lines=each_reply(
        lambda _q, reply: reply | {"id": reply["id"].split("\0")[0]} if isinstance(reply.get("id"), str) else reply
    ),
)
for _word, _method in (("call", "tools/call"), ("list", "tools/list")):
    BOOK.add(
        f"{_word}-falsy-id-is-none",
        "MCP-BASE-003",
        f"takes {_method} with the id 0 or the empty string for a notification",
        also="MCP-TOOL-",
        why="the call is lost",
        on_lines=on_message(
            lambda m, method=_method: None if m.get("method") == method and m.get("id") in (0, "") else True  # type: ignore[misc]
        ),
    )

# Openings that are refused, and what they leave behind.


def _opening_refused(when: Callable[[Message], bool]) -> Any:
    """Refuses initialize by its params."""

    def given(message: Message) -> Written | bool:
        params = message.get("params")
        opening = message.get("method") == "initialize" and isinstance(params, dict)
        return error(message, -32602, "no such client") if opening and when(params) else True  # type: ignore[arg-type]

    return on_message(given)


def _has_parts(params: Message) -> bool:
    declared = params.get("capabilities")
    return isinstance(declared, dict) and any(declared.get(name) for name in ("sampling", "elicitation", "tasks"))


for _name, _what, _when in [
    (
        "client-beyond-ascii-refused",
        "refuses a client whose name is not ASCII",
        lambda p: not str(p.get("clientInfo")).isascii(),
    ),
    (
        "client-without-name-refused",
        "refuses a client whose name is empty",
        lambda p: (p.get("clientInfo") or {}).get("name") == "",
    ),
    ("client-parts-refused", "refuses a client whose sampling, elicitation or tasks have parts", _has_parts),
]:
    BOOK.add(_name, "MCP-LIFE-001", _what, on_lines=_opening_refused(_when))


@BOOK.lines(
    "deaf-in-another-revision",
    "MCP-TOOL-002",
    "refuses everything once it named another revision than was asked for",
)
def _(handler: Handler) -> Handler:
    other = [False]

    def lines(line: str) -> Iterable[str]:
        message = read(line) or {}
        if message.get("method") == "initialize":
            params = message.get("params")
            other[0] = isinstance(params, dict) and params.get("protocolVersion") not in _KNOWN
        elif other[0] and is_request(message):
            return [to_json(error(message, -32600, "wrong revision"))]
        return handler(line)

    return lines
