"""The readers of before the incidents, each in the reader's place: exactly the cases that tell its story turn red.

They answer a default for what is no JSON value of their own type. The cases run each on a fresh server, so that what
one of them destroyed is not held against the next.
"""

from __future__ import annotations

from decimal import Decimal

import pytest
from mcp_tck.conformance import suite
from mcp_tck.conformance.casefile.cases import find
from mcp_tck.conformance.model import Verdict
from mcp_tck.conformance.runner import Runner, Settings
from mcp_tck.conformance.targets.inprocess import InProcess
from mcp_tck.reference.arguments import WHITE
from mcp_tck.reference.build import build

REQUIREMENTS, _ = suite.requirements()
CASES = [
    case
    for folder in ("arguments", "story")
    for found in suite.load(find(suite.FIXTURES / folder)).files.values()
    for case in found
]
RED = {Verdict.FAILED, Verdict.WARNED}


def to_bool(args, key):
    """A caller named its default: what nothing was said about is replaced in earnest, and a region is shown."""
    value = args.get(key)
    return value if isinstance(value, bool) else key == "revealed"


def to_int(args, key):
    value = args.get(key)
    number = not isinstance(value, bool) and isinstance(value, int | float | Decimal)
    return int(value) if number and value == int(value) and -(2**31) <= value < 2**31 else 0


def to_string(value):
    return value if isinstance(value, str) else ""


def to_trimmed(args, key):
    return to_string(args.get(key)).strip(WHITE)


def to_string_value(args, key):
    return to_string(args.get(key))


def to_strings(args, key):
    value = args.get(key)
    return frozenset(to_string(each).strip(WHITE) for each in value if value) - {""} if isinstance(value, list) else ()


def red(name, reader):
    """The ids of the cases that turn red."""

    def launch():
        server = build(probe=True)
        setattr(server.readers, name, reader)
        return InProcess(server.handle_line)

    runner = Runner(launch, Settings(isolate=True), REQUIREMENTS)
    facts = runner.discover("2025-11-25")
    found = {case.id for case in CASES if runner.run(case, facts).verdict in RED}
    runner.kill()
    return found


BOOL = {
    "arguments/bool::absent",
    "arguments/bool::numbers",
    "arguments/bool::text-forms",
    "arguments/bool::text-in-any-case",
    "arguments/bool::text-trimmed",
    "arguments/bool::other-text",
    "arguments/bool::no-scalar",
    "arguments/bool::other-white-space",
    "arguments/bool::other-letters",
    "arguments/keys::every-reader-takes-odd-keys",
    "arguments/keys::only-inside",
    "arguments/keys::unreadable-is-there",
    "story/f-0057::preview",
    "story/f-0057::hide",
    "story/f-0057::neither",
    "story/f-0057::neither-shown-nor-hidden",
}
INT = {
    "arguments/int::absent",
    "arguments/int::fractions",
    "arguments/int::fraction-below-a-double",
    "arguments/int::digits-in-a-string",
    "arguments/int::other-text",
    "arguments/int::no-number",
    "arguments/int::longer-spellings",
    "arguments/int::other-bases",
    "arguments/int::big-numbers",
    "arguments/keys::every-reader-takes-odd-keys",
    "arguments/keys::nested-object",
    "arguments/keys::only-inside",
    "arguments/keys::unreadable-is-there",
    "story/f-0076::no-place",
    "story/f-0076::to-the-end",
    "story/f-0076::no-target",
    "story/f-0076::target",
    "story/writes::required-by-every-tool",
    "story/writes::text",
}
STRING = {
    "arguments/string::numbers",
    "arguments/string::booleans",
    "arguments/string::zero-fraction",
    "arguments/string::exponent",
    "arguments/string::small-number",
    "arguments/string::minus-zero",
    "arguments/string::beyond-53-bits",
    "arguments/string-value::same-as-string",
    "story/f-0051::document-called-by-a-number",
    "story/f-0051::query-that-is-a-number",
    "story/f-0051::written-by-a-number",
    "story/f-0051::name-that-is-a-scalar",
    "story/f-0051::phrase-that-is-a-number",
}
VALUE = {"arguments/string-value::bare-scalars", "arguments/string-value::same-as-string"}
SET = {
    "arguments/keys::every-reader-takes-odd-keys",
    "arguments/string-set::one-element",
    "arguments/string-set::mixed-elements",
    "arguments/string-set::alike",
    "arguments/string-set::booleans-beside-digits",
    "arguments/string-set::many",
    "arguments/string-set::one-and-one-point-zero",
}


@pytest.mark.parametrize(
    ("name", "reader", "cases", "incidents"),
    [
        # F-0057: the preview that rewrote the manuscript, and the secret that was shown
        ("bool_arg", to_bool, BOOL, ["story/f-0057::preview[word-true]", "story/f-0057::hide[word-false]"]),
        # F-0076: the field that went to the front, and the target that was cleared
        (
            "int_arg",
            to_int,
            INT,
            ["story/f-0076::no-place[two-and-a-half]", "story/f-0076::no-target[target-and-a-half]"],
        ),
        # F-0051: the argument that was reported as missing
        ("string_arg", to_trimmed, STRING, ["story/f-0051::name-that-is-a-scalar[year]"]),
        ("string_value", to_string_value, VALUE, ["arguments/string-value::bare-scalars[year]"]),
        ("string_set_arg", to_strings, SET, ["arguments/string-set::one-element[number]"]),
    ],
    ids=["toBool", "toInt", "toString", "toString-of-a-value", "toString-of-elements"],
)
def test_a_historical_reader_turns_the_cases_red_that_tell_its_story(name, reader, cases, incidents):
    found = red(name, reader)
    assert {identity.partition("[")[0] for identity in found} == cases
    assert set(incidents) <= found


def test_the_readers_of_today_turn_nothing_red():
    from mcp_tck.reference.arguments import bool_arg

    assert red("bool_arg", bool_arg) == set()
