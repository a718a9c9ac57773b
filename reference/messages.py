"""One line of text to a request or the reason why it is none, and answers back to one line (seed page McpProtocol).

Nothing here does I/O, keeps state, or raises for anything that a client may send.

Numbers are read exactly: `int`, or `Decimal` where a fraction or an exponent is written, so that an id goes back with
the value that came. Where a key stands twice in an object, the last one counts.
"""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INTERNAL_ERROR = -32603
INVALID_PARAMS = -32602

Id: TypeAlias = "str | int | Decimal | None"
Params: TypeAlias = dict[str, Any]

_LONGEST_INT = 4000
"""Python refuses to convert longer integers; they stay exact as `Decimal`."""


class RpcError(Exception):
    """What a method raises to be answered with a JSON-RPC error: `code`, a sentence, and `data` if there is any."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


class Request(NamedTuple):
    """What one JSON value came to: a request, a notification, a response, or a reason why it is none of them."""

    valid: bool = False
    """True when the line is a JSON-RPC message; False leaves `parse_error` set."""
    parse_error: str = ""
    """Why the line is no message, in words for its sender."""
    code: int = INVALID_REQUEST
    """The JSON-RPC error code that goes with `parse_error`."""
    is_notification: bool = False
    """True when the message names a method and carries no id: it is never answered, whatever else is wrong with it."""
    is_response: bool = False
    """True for a result or an error; the server of the seed page asks nothing, so it ignores them."""
    id: Id = None
    """The id as it came, None when there is none that could be sent back."""
    method: str = ""
    params: Params = {}  # noqa: RUF012 - a tuple's default; what is valid brings its own
    """The params object, empty when the message carries none."""
    outcome: Params = {}  # noqa: RUF012 - likewise
    """Of a response, `result` or `error` as it came."""


def read_json(line: str) -> Any:
    """The value of one JSON text; raises ValueError with a sentence that says what is wrong."""
    try:
        line.encode()
        return json.loads(line, parse_int=_integer, parse_float=Decimal, parse_constant=_no_constant)
    except UnicodeEncodeError:
        raise ValueError("the line is not valid UTF-8") from None
    except RecursionError:
        raise ValueError("the line is nested too deeply") from None
    except InvalidOperation:
        raise ValueError("the line holds a number whose exponent is out of range") from None


def parse(line: str) -> Request | list[Request]:
    """What `line` says; a list where it is a non-empty array (a batch)."""
    try:
        value = read_json(line)
    except ValueError as error:
        return Request(parse_error=f"Parse error: {error}", code=PARSE_ERROR)
    if isinstance(value, list) and value:
        return [read_message(element) for element in value]
    return read_message(value)


def read_message(value: object) -> Request:
    """What one JSON value says. Params that are null or an array are refused as invalid params (SRV-PARSE, open)."""
    if not isinstance(value, dict):
        return Request(parse_error="Invalid request: a message is a JSON object")
    method, given = value.get("method"), value.get("id")
    usable = isinstance(given, str | int | Decimal) and not isinstance(given, bool)
    message = Request(id=given if usable else None)
    if not isinstance(method, str):
        if "method" not in value and ("result" in value or "error" in value):
            outcome = {name: value[name] for name in ("result", "error") if name in value}
            return message._replace(valid=True, is_response=True, outcome=outcome)
        return message._replace(parse_error="Invalid request: a message has a method, which is a string")
    message = message._replace(method=method, is_notification="id" not in value)
    if value.get("jsonrpc") != "2.0":
        return message._replace(parse_error='Invalid request: the member jsonrpc must be "2.0"')
    if "id" in value and not usable:
        return message._replace(parse_error="Invalid request: an id is a string or a number")
    params = value.get("params", {})
    if not isinstance(params, dict):
        return message._replace(parse_error="Invalid params: params must be an object", code=INVALID_PARAMS)
    return message._replace(valid=True, params=params)


def result_line(id_: Id, result: object) -> str:
    """The answer to a request that succeeded, as one line."""
    return f'{{"jsonrpc":"2.0","id":{_id_text(id_)},"result":{to_json(result)}}}'


def error_line(id_: Id, error: RpcError) -> str:
    """The answer to a message that was refused, as one line."""
    members: dict[str, object] = {"code": error.code, "message": error.message}
    if error.data is not None:
        members["data"] = error.data
    return f'{{"jsonrpc":"2.0","id":{_id_text(id_)},"error":{to_json(members)}}}'


def notification_line(method: str, params: Params | None = None) -> str:
    """A message that expects no answer, as one line."""
    members: dict[str, object] = {"jsonrpc": "2.0", "method": method}
    return to_json(members if params is None else members | {"params": params})


def array_line(lines: Iterable[str]) -> str:
    """Several answers as one JSON array, as one line."""
    return f"[{','.join(lines)}]"


def to_json(value: object) -> str:
    """`value` as JSON in ASCII: one line by anybody's idea of a line, and fit for text that is no valid Unicode.

    Raises ValueError for a number that Python's writer could only change.
    """
    return json.dumps(value, separators=(",", ":"), allow_nan=False, default=_number)


def _id_text(id_: Id) -> str:
    return str(id_) if isinstance(id_, Decimal) else to_json(id_)


def _integer(text: str) -> int | Decimal:
    return int(text) if len(text) < _LONGEST_INT else Decimal(text)


def _number(value: object) -> int | float:
    """A `Decimal`, which came in a schema for example, as the number that is written just so."""
    if not isinstance(value, Decimal):
        raise TypeError(f"{type(value).__name__} is no JSON value")
    shortest = float(value)
    if not value.adjusted() > 300 and Decimal(repr(shortest)) == value:
        return shortest
    raise ValueError("a number that no double holds")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
