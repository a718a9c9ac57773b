"""Faults of the tools of typed.py: arguments of other people's servers, misread, dropped, guessed or refused badly."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from ..messages import read_json, to_json
from ..protocol import ToolResult
from ..typed import Typed, add_typed, refuse
from .model import Book, Fault, Handler

if TYPE_CHECKING:
    from ..build import Reference

BOOK = Book(also="SAFE-", why="one wrong reader reads several odd spellings wrongly")
Params = dict[str, Any]
Reader = Callable[[Any, Params], Any]


class At(NamedTuple):
    """A value that is read: what came, its schema, and the right reader."""

    value: Any
    schema: Params
    reader: Reader

    @property
    def default(self) -> Any:
        """What an absent argument is read as."""
        return self.schema.get("default")

    def right(self, value: Any = ...) -> Any:
        """What the right reader makes of the value, or of another one."""
        return self.reader(self.value if value is ... else value, self.schema)

    def is_a(self, *kinds: type) -> bool:
        """Whether the value is of one of these types; a boolean is no number."""
        return isinstance(self.value, kinds) and (bool in kinds or not isinstance(self.value, bool))


Wrong = Callable[[At], Any]


def read_fault(name: str, kind: str, breaks: str, what: str, *, book: Book = BOOK) -> Callable[[Wrong], Wrong]:
    """A fault that puts another reader in place of the one for a type."""

    def noted(wrong: Wrong) -> Wrong:
        def on_server(server: Reference) -> None:
            typed = add_typed(server)
            right = typed.readers[kind]
            typed.readers[kind] = lambda value, schema: wrong(At(value, schema, right))

        book.add(name, breaks, what, on_server=on_server)
        return wrong

    return noted


def _typed(name: str, breaks: str, what: str) -> Callable[[Callable[[Typed], None]], Callable[[Typed], None]]:
    """A fault that changes the tools otherwise."""

    def noted(change: Callable[[Typed], None]) -> Callable[[Typed], None]:
        BOOK.add(name, breaks, what, on_server=lambda server: change(add_typed(server)))
        return change

    return noted


def _add(server: Reference) -> None:
    add_typed(server)


@read_fault("typed-text-is-true", "boolean", "SAFE-ARG-1 SAFE-ARG-3", "takes any text that is not empty for true")
def _text_is_true(at: At) -> Any:
    return bool(at.value) if at.is_a(str) else at.right()


@read_fault("typed-list-is-true", "boolean", "SAFE-ARG-1", "takes a list for true, since there is something in it")
def _list_is_true(at: At) -> Any:
    return True if at.is_a(list) else at.right()


@read_fault("typed-only-true-is-true", "boolean", "SAFE-ARG-2", "takes everything but true and its text for false")
def _only_true(at: At) -> Any:
    return at.value is True or at.value == "true"


@read_fault("typed-boolean-dropped", "boolean", "SAFE-ARG-2", "takes its default where the boolean is no JSON boolean")
def _boolean_dropped(at: At) -> Any:
    return at.value if at.is_a(bool) else at.default


@read_fault("typed-integer-dropped", "integer", "SAFE-ARG-2", "takes its default where the number is no JSON number")
def _integer_dropped(at: At) -> Any:
    return at.value if at.is_a(int) else at.default


@read_fault(
    "typed-choice-dropped", "enum", "SAFE-ARG-2", "takes its default for a word that is not spelt as it is listed"
)
def _choice_dropped(at: At) -> Any:
    return at.value if at.value in at.schema["enum"] else at.default


@read_fault("typed-list-dropped", "array", "SAFE-ARG-2", "takes anything but a list for no list at all")
def _list_dropped(at: At) -> Any:
    return at.right() if at.is_a(list) else None


@read_fault("typed-object-dropped", "object", "SAFE-ARG-2", "takes anything but an object for no object at all")
def _object_dropped(at: At) -> Any:
    return at.right() if at.is_a(dict) else None


@read_fault("typed-nullable-dropped", "nullable", "SAFE-ARG-2", "takes what is no JSON boolean for null")
def _nullable_dropped(at: At) -> Any:
    return at.value if at.is_a(bool) else None


@read_fault("typed-fraction-cut", "integer", "SAFE-ARG-3", "cuts a fraction to a whole number")
def _fraction_cut(at: At) -> Any:
    return int(at.value) if at.is_a(Decimal) else at.right()


@read_fault("typed-fraction-is-default", "integer", "SAFE-ARG-2", "reads a fraction as zero, which means the default")
def _fraction_is_default(at: At) -> Any:
    return at.default if at.is_a(Decimal) and at.value % 1 else at.right()


@read_fault("typed-number-prefix", "integer", "SAFE-ARG-1 SAFE-ARG-3", "reads a text up to the first strange character")
def _number_prefix(at: At) -> Any:
    found = re.match(r"\s*([+-]?[0-9]+)", at.value) if at.is_a(str) else None
    return int(found[1]) if found else at.right()


@read_fault("typed-number-octal", "integer", "SAFE-ARG-1", "reads a leading zero as the mark of base eight")
def _number_octal(at: At) -> Any:
    return int(at.value, 8) if at.is_a(str) and re.fullmatch("0[0-7]+", at.value) else at.right()


@read_fault("typed-word-is-zero", "number", "SAFE-ARG-3", "reads a word as the number zero")
def _word_is_zero(at: At) -> Any:
    try:
        return at.right()
    except ValueError:
        return 0


@read_fault("typed-true-is-one", "integer", "SAFE-ARG-6", "reads true as the number 1")
def _true_is_one(at: At) -> Any:
    return int(at.value) if at.is_a(bool) else at.right()


@read_fault("typed-choice-by-prefix", "enum", "SAFE-ARG-6", "takes the beginning of a listed word for that word")
def _choice_by_prefix(at: At) -> Any:
    listed = [each for each in at.schema["enum"] if at.is_a(str) and each.startswith(at.value)]
    return listed[0] if listed else at.right()


@read_fault("typed-choice-by-place", "enum", "SAFE-ARG-3", "takes a number for the place of a listed word")
def _choice_by_place(at: At) -> Any:
    return at.schema["enum"][at.value] if at.is_a(int) and at.value in {0, 1} else at.right()


@read_fault("typed-text-printed", "plain", "SAFE-ARG-1 SAFE-ARG-3", "prints a list or an object where a text is wanted")
def _text_printed(at: At) -> Any:
    return at.value if at.is_a(str) else str(at.value)


@read_fault("typed-characters", "array", "SAFE-ARG-1", "goes through the characters of a text where a list is wanted")
def _characters(at: At) -> Any:
    return list(dict.fromkeys(at.value))[:9] if at.is_a(str) else at.right()


@_typed("typed-empty-is-zero", "SAFE-ARG-4", "reads an empty text as zero")
def _empty_is_zero(typed: Typed) -> None:
    right = typed.readers["number"]
    typed.given = lambda args, name: name in args and args[name] is not None
    typed.readers["number"] = lambda value, schema: 0 if isinstance(value, str) and not value else right(value, schema)


@_typed("typed-null-is-true", "SAFE-ARG-4", "reads null as true")
def _null_is_true(typed: Typed) -> None:
    right = typed.readers["boolean"]
    typed.given = lambda args, name: name in args and args[name] != ""
    typed.readers["boolean"] = lambda value, schema: value is None or right(value, schema)


@read_fault("typed-null-text-is-one", "integer", "SAFE-ARG-4", "reads the text null as a number")
def _null_text_is_one(at: At) -> Any:
    return 1 if at.value == "null" else at.right()


@_typed("typed-unnamed", "SAFE-ARG-5", "refuses an argument without saying which")
def _unnamed(typed: Typed) -> None:
    typed.refuse = lambda *_: ToolResult(False, "That does not work.")


@_typed("typed-refusal-is-ok", "SAFE-ERR-4", "tells of a refusal in a result that is none")
def _refusal_is_ok(typed: Typed) -> None:
    typed.refuse = lambda name, complaint: ToolResult(True, f"Error: {name} {complaint}")


@_typed("typed-expects-nothing", "SAFE-ERR-1", "refuses an argument without saying what is expected")
def _expects_nothing(typed: Typed) -> None:
    typed.refuse = lambda name, complaint: refuse(name, complaint if "required" in complaint else "won't do")


@_typed("typed-missing-is-wrong", "SAFE-ERR-2", "refuses a wrong argument as if it were missing")
def _missing_is_wrong(typed: Typed) -> None:
    typed.refuse = lambda name, _complaint: refuse(name, "is required, and was not given")


@_typed("typed-stack-trace", "SAFE-ERR-5", "refuses an argument with a stack trace")
def _stack_trace(typed: Typed) -> None:
    typed.refuse = lambda name, complaint: ToolResult(
        False, f'Traceback (most recent call last):\n  File "tool.py", line 7, in view\nValueError: {name} {complaint}'
    )


@_typed("typed-required-left-out", "SAFE-BND-2", "takes a required argument for an optional one")
def _required_left_out(typed: Typed) -> None:
    right = typed.call
    typed.call = lambda args, schema: right(args, schema | {"required": []})  # type: ignore[method-assign]


@_typed("typed-unknown-taken", "SAFE-BND-3", "passes over an argument that its schema does not know")
def _unknown_taken(typed: Typed) -> None:
    typed.unknown = lambda _name, _known: None


def _ignores(keyword: str) -> None:
    """A fault that does not look at one keyword of a schema."""

    @_typed(f"typed-ignores-{keyword}", "SAFE-BND-1", f"does not look at {keyword} of its own schema")
    def _change(typed: Typed) -> None:
        right = typed.check
        typed.check = lambda value, schema: right(value, {key: schema[key] for key in schema if key != keyword})


for _keyword in (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
):
    _ignores(_keyword)


@read_fault("typed-ignores-members", "object", "SAFE-BND-1", "does not look at the members of an object")
def _ignores_members(at: At) -> Any:
    return at.value if at.is_a(dict) else at.right()


@read_fault("typed-ignores-one-of", "either", "SAFE-BND-1", "does not look at the bounds of an alternative")
def _ignores_one_of(at: At) -> Any:
    return str(at.value) if at.is_a(int) else at.right()


def _as_internal_error(handler: Handler) -> Handler:
    def refused(line: str) -> Iterable[str]:
        for each in handler(line):
            message = read_json(each)
            result = message.get("result") if isinstance(message, dict) else None
            if isinstance(result, dict) and result.get("isError") is True and "Nothing was done" in each:
                message["error"] = {"code": -32603, "message": result["content"][0]["text"]}
                del message["result"]
            yield to_json(message)

    return refused


BOOK.add(
    "typed-internal-error",
    "SAFE-ERR-3",
    "refuses an argument as an internal error",
    on_server=_add,
    on_lines=_as_internal_error,
)


def _no_reply(handler: Handler) -> Handler:
    def silent(line: str) -> Iterable[str]:
        return [each for each in handler(line) if not ('"isError":true' in each and "Nothing was done" in each)]

    return silent


BOOK.add(
    "typed-no-reply",
    "SAFE-ARG-7",
    "loses a call with an argument that it cannot read",
    on_server=_add,
    on_lines=_no_reply,
)


RIGHT = Fault(
    "typed-tools",
    (),
    "has tools with arguments of every type, and reads them well",
    also=("SAFE-",),
    why="they are asked for by it",
    on_server=_add,
)
"""The variant: nothing of it turns red, the made cases that `also` asks for neither."""
