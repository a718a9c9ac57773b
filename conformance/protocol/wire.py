"""One line of bytes to judged messages: framing, JSON, envelope.

The judge is strict about what it reports and lenient about what it can still use: a message with a broken envelope is
delivered with its faults named, so that one fault shows once, at the rule it breaks, not as a time-out in every case.

This module must never repair a message, never round a number, and never import an MCP SDK. It keeps no state.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from ..values import ABSENT, Absent, Number, Value, kind
from ..words import cut, describe

MAX_DEPTH: Final = 500
"""Nesting that the kit reads; what lies deeper is reported, not read (RFC 8259 section 9 lets a reader set limits)."""

MAX_VALUES: Final = 1_000_000
"""How many values of one message the kit reads, likewise."""

# Possessive, and an unfinished string reaches to the end: no text makes this take more than one pass.
_STRING: Final = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_BRACKET: Final = re.compile(r"[\[{}\]]")
_SURROGATE_ESCAPE: Final = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class Fault:
    """One way in which a line breaks the wire: the standing check and the requirement, and what was wanted and seen."""

    check: str
    requirement: str
    pointer: str
    expected: str
    actual: str


@dataclass(slots=True)
class Message:
    """A JSON-RPC message as it came. `kind` is `request`, `notification`, `reply` or `other`."""

    kind: Final[str]
    body: Final[dict[str, Value]]
    id: Final[Value | Absent] = ABSENT
    method: Final[str] = ""
    faults: Final[tuple[Fault, ...]] = ()

    @property
    def is_error(self) -> bool:
        """Whether this reply carries an error."""
        return "error" in self.body


@dataclass(slots=True)
class Reading:
    """What one line held: its messages (several for an array), and the faults of the line as a whole.

    `unread` says why there is no message in it, though the line may be a good one.
    """

    messages: Final[tuple[Message, ...]] = ()
    faults: Final[tuple[Fault, ...]] = ()
    unread: Final[str] = ""


class NotJsonError(ValueError):
    """The text is no JSON, or none that the kit reads; the message says why."""


class TooMuchError(NotJsonError):
    """The text may be good JSON, and is nested more deeply, or holds more values, than the kit reads."""


_TWICE: Final[list[list[tuple[str, Value]]]] = []
"""The members of each object of the text that is being read in which a name is given twice."""


def _members(pairs: list[tuple[str, Value]]) -> dict[str, Value]:
    result = dict(pairs)
    if len(result) != len(pairs):
        _TWICE.append(pairs)
    return result


def _constant(name: str) -> Value:
    raise NotJsonError(f"{name} is no JSON value")


# Made once: to make one takes as long as to read a short line.
_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_members, parse_int=Number, parse_float=Number, parse_constant=_constant
)


def parse(text: str) -> tuple[Value, list[str]]:
    """Read one JSON text; numbers keep their spelling.

    Returns the value and what is doubtful about it though it can be read: member names given twice (the last one
    counts) and surrogates without a partner. Raises NotJsonError for everything that RFC 8259 does not call JSON.
    """
    _refuse_too_much(text)
    _TWICE.clear()
    try:
        value: Value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise NotJsonError(f"no JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise TooMuchError("nested more deeply than the kit can read") from None
    doubts = [f"member name given twice: {', '.join(_named_twice(pairs))}" for pairs in _TWICE]
    _TWICE.clear()
    if _SURROGATE_ESCAPE.search(text) and _has_lone_surrogate(value):
        doubts.append("a surrogate without its partner, which is no Unicode text")
    return value, doubts


def read(line: bytes, *, arrays: bool = False) -> Reading:
    """Judge one line of a target's standard output, without its line feed. `arrays` allows batches."""
    if line.endswith(b"\r"):
        line = line[:-1]
    if not line.strip():
        return Reading(faults=(Fault("framing", "MCP-STDIO-001", "", "a message on every line", "a blank line"),))
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        actual = f"byte 0x{line[error.start]:02x} at offset {error.start}"
        return Reading(faults=(Fault("framing", "MCP-STDIO-003", "", "UTF-8 text", actual),))
    if text.startswith("\ufeff"):
        return Reading(
            faults=(Fault("framing", "MCP-STDIO-001", "", "JSON from the first byte on", "a byte order mark"),)
        )
    try:
        value, doubts = parse(text)
    except TooMuchError as error:
        fault = Fault("json", "MCP-BASE-101", "", "no more than a reader can be expected to take", str(error))
        return Reading(faults=(fault,), unread=str(error))
    except NotJsonError as error:
        return Reading(
            faults=(Fault("framing", "MCP-STDIO-001", "", "a JSON message on every line", f"{_quote(text)} ({error})"),)
        )
    doubtful = tuple(
        Fault("json", "MCP-BASE-101", "", "JSON without doubt about its meaning", doubt) for doubt in doubts
    )
    if isinstance(value, dict):
        return Reading((judge(value),), doubtful)
    if isinstance(value, list) and arrays and value and all(isinstance(element, dict) for element in value):
        return Reading(tuple(judge(element) for element in value if isinstance(element, dict)), doubtful)
    return Reading(
        faults=(
            *doubtful,
            Fault(
                "framing",
                "MCP-BASE-023" if isinstance(value, list) else "MCP-STDIO-001",
                "",
                "a message, which is an object",
                _article(kind(value)),
            ),
        )
    )


def is_faultless(line: bytes, *, arrays: bool) -> bool:
    """Whether a line, without its line feed, is a message (a batch, with `arrays`) that nothing is wrong with."""
    reading = read(line, arrays=arrays)
    return not reading.faults and all(not message.faults for message in reading.messages)


def judge(body: dict[str, Value]) -> Message:
    """Judge the envelope of one message by JSON-RPC 2.0 and MCP's own types."""
    faults: list[Fault] = []

    def wrong(number: str, pointer: str, expected: str, actual: str) -> None:
        faults.append(Fault("envelope", f"MCP-BASE-{number}", pointer, expected, actual))

    if body.get("jsonrpc", ABSENT) != "2.0":
        wrong("001", "/jsonrpc", 'string "2.0"', describe(body.get("jsonrpc", ABSENT)))
    identity = body.get("id", ABSENT)
    method = body.get("method", ABSENT)
    if isinstance(method, str):
        if "result" in body or "error" in body:
            wrong("006", "", "a request or a reply", "an object with both a method and a result or an error")
        if "params" in body and not isinstance(body["params"], dict):
            wrong("102", "/params", "an object", describe(body["params"]))
        if isinstance(identity, Absent):
            return Message("notification", body, method=method, faults=tuple(faults))
        if method.startswith("notifications/"):
            wrong("011", "/id", "no id in a notification", describe(identity))
            return Message("notification", body, method=method, faults=tuple(faults))
        if not _is_id(identity):
            wrong("035", "/id", "a string or an integer", describe(identity))
        return Message("request", body, identity, method, tuple(faults))
    if not isinstance(method, Absent):
        wrong("102", "/method", "a string", describe(method))
        return Message("other", body, identity, faults=tuple(faults))
    if "result" not in body and "error" not in body:
        wrong("006", "", "a method, a result or an error", "none of them")
        shape = "reply" if not isinstance(identity, Absent) else "other"
        return Message(shape, body, identity, faults=tuple(faults))
    if "result" in body and "error" in body:
        wrong("006", "", "exactly one of result and error", "both")
    if "result" in body and not isinstance(body["result"], dict):
        wrong("007", "/result", "an object", describe(body["result"]))
    if "error" in body and not ("result" in body and body["error"] is None):
        faults.extend(_error_faults(body["error"]))
    # What id a reply carries is judged where it is known which request it answers.
    return Message("reply", body, identity, faults=tuple(faults))


def _error_faults(error: Value) -> list[Fault]:
    if not isinstance(error, dict):
        return [Fault("envelope", "MCP-BASE-008", "/error", "an object", describe(error))]
    faults = []
    code = error.get("code", ABSENT)
    if not (isinstance(code, Number) and code.is_integer):
        faults.append(Fault("envelope", "MCP-BASE-008", "/error/code", "an integer", describe(code)))
    message = error.get("message", ABSENT)
    if not isinstance(message, str):
        faults.append(Fault("envelope", "MCP-BASE-008", "/error/message", "a string", describe(message)))
    return faults


def _is_id(value: Value | Absent) -> bool:
    return isinstance(value, str) or (isinstance(value, Number) and value.is_integer)


def _quote(text: str) -> str:
    return f"the line {cut(json.dumps(text, ensure_ascii=False), 120)}"


def _article(name: str) -> str:
    return name if name == "null" else f"{'an' if name[0] in 'aeio' else 'a'} {name}"


def _refuse_too_much(text: str) -> None:
    """Raise TooMuchError before anything is built of a text that is nested too deeply or holds too many values."""
    opened = text.count("[") + text.count("{")
    if opened <= MAX_DEPTH and text.count(",") <= MAX_VALUES:
        return
    bare = _STRING.sub("", text)
    values = bare.count(",") + bare.count("[") + bare.count("{")
    if values > MAX_VALUES:
        raise TooMuchError(f"about {values} values in one message; the kit reads {MAX_VALUES}")
    depth = _depth(bare) if opened > MAX_DEPTH else 0
    if depth > MAX_DEPTH:
        raise TooMuchError(f"nested {depth} levels deep; the kit reads {MAX_DEPTH}")


def _depth(bare: str) -> int:
    return max(accumulate(1 if bracket in "[{" else -1 for bracket in _BRACKET.findall(bare)), default=0)


def _named_twice(pairs: list[tuple[str, Value]]) -> list[str]:
    """The names that are given twice, five of them at most, and how many more there are."""
    counts = Counter(name for name, _ in pairs)
    twice = sorted(json.dumps(name) for name, count in counts.items() if count > 1)
    return twice if len(twice) <= 5 else [*twice[:5], f"and {len(twice) - 5} more"]


def _has_lone_surrogate(value: Value) -> bool:
    if isinstance(value, str):
        return any("\ud800" <= character <= "\udfff" for character in value)
    if isinstance(value, list):
        return any(map(_has_lone_surrogate, value))
    if isinstance(value, dict):
        return any(_has_lone_surrogate(key) or _has_lone_surrogate(member) for key, member in value.items())
    return False
