"""One line of bytes to judged messages: what is a message, what is none, and by whose rule."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_tck.conformance.protocol import wire
from mcp_tck.conformance.values import Number, dumps


def faults(line, **options):
    reading = wire.read(line, **options)
    return [*reading.faults, *(fault for message in reading.messages for fault in message.faults)]


def only(line):
    (message,) = wire.read(line).messages
    return message


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', "reply"),
        (b'{"jsonrpc":"2.0","id":"1","error":{"code":-32601,"message":"no"}}', "reply"),
        (b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}', "reply"),
        (b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}', "reply"),
        (b'{"jsonrpc":"2.0","id":0,"method":"ping"}', "request"),
        (b'{"jsonrpc":"2.0","id":"","method":"ping","params":{}}', "request"),
        (b'{"jsonrpc":"2.0","method":"notifications/message"}', "notification"),
        (b'  {"method":"x", "jsonrpc" : "2.0"}\t ', "notification"),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}\r', "reply"),
        ('{"jsonrpc":"2.0","id":1,"result":{"a":"\u2028\u2029\u0085\U0001f600"}}'.encode(), "reply"),
        (rb'{"jsonrpc":"2.0","id":1,"result":{"a":"\ud83d\ude00"}}', "reply"),
    ],
)
def test_a_good_message_has_a_kind_and_no_fault(line, kind):
    assert (only(line).kind, faults(line)) == (kind, [])


@pytest.mark.parametrize(
    ("line", "requirement", "seen"),
    [
        (b"", "MCP-STDIO-001", "a blank line"),
        (b" \t ", "MCP-STDIO-001", "a blank line"),
        (b"\r", "MCP-STDIO-001", "a blank line"),
        (b"INFO server started", "MCP-STDIO-001", "INFO server started"),
        (b'{"a":NaN}', "MCP-STDIO-001", "NaN is no JSON value"),
        (b'{"a":-Infinity}', "MCP-STDIO-001", "-Infinity is no JSON value"),
        (b"{'a':1}", "MCP-STDIO-001", "no JSON"),
        (b'{"a":1,}', "MCP-STDIO-001", "no JSON"),
        (b'{"a":01}', "MCP-STDIO-001", "no JSON"),
        (b'{"a":1} {"b":2}', "MCP-STDIO-001", "Extra data"),
        (b'{"a":"tab\t"}', "MCP-STDIO-001", "control character"),
        (b'{"a":"\0"}', "MCP-STDIO-001", "control character"),
        (b'{"a":1', "MCP-STDIO-001", "no JSON"),
        (b"\xef\xbb\xbf{}", "MCP-STDIO-001", "a byte order mark"),
        (b'{"a":"caf\xe9"}', "MCP-STDIO-003", "byte 0xe9 at offset 9"),
        (b'{"a":"\xed\xa0\xbd"}', "MCP-STDIO-003", "byte 0xed at offset 6"),
        (b"7", "MCP-STDIO-001", "an integer"),
        (b"null", "MCP-STDIO-001", "null"),
        (b'"text"', "MCP-STDIO-001", "a string"),
        (b"[]", "MCP-BASE-023", "an array"),
        (b'[{"jsonrpc":"2.0","id":1,"result":{}}]', "MCP-BASE-023", "an array"),
    ],
)
def test_what_is_no_message_breaks_framing_and_says_what_it_is(line, requirement, seen):
    reading = wire.read(line)
    (fault,) = reading.faults
    assert reading.messages == ()
    assert (fault.check, fault.requirement) == ("framing", requirement)
    assert seen in fault.actual


@pytest.mark.parametrize(
    ("line", "requirement", "pointer"),
    [
        (b'{"id":1,"result":{}}', "MCP-BASE-001", "/jsonrpc"),
        (b'{"jsonrpc":2.0,"id":1,"result":{}}', "MCP-BASE-001", "/jsonrpc"),
        (b'{"jsonrpc":"2.0","id":1}', "MCP-BASE-006", ""),
        (b'{"jsonrpc":"2.0","id":1,"result":{},"error":null}', "MCP-BASE-006", ""),
        (b'{"jsonrpc":"2.0","id":1,"result":[]}', "MCP-BASE-007", "/result"),
        (b'{"jsonrpc":"2.0","id":1,"result":null}', "MCP-BASE-007", "/result"),
        (b'{"jsonrpc":"2.0","id":1,"error":"no"}', "MCP-BASE-008", "/error"),
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"no"}}', "MCP-BASE-008", "/error/code"),
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"no"}}', "MCP-BASE-008", "/error/code"),
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":1}}', "MCP-BASE-008", "/error/message"),
        (b'{"jsonrpc":"2.0","id":null,"method":"notifications/x"}', "MCP-BASE-011", "/id"),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', "MCP-BASE-035", "/id"),
        (b'{"jsonrpc":"2.0","method":7}', "MCP-BASE-102", "/method"),
        (b'{"jsonrpc":"2.0","method":"x","params":[1]}', "MCP-BASE-102", "/params"),
        (b'{"jsonrpc":"2.0","id":1,"method":"x","result":{}}', "MCP-BASE-006", ""),
    ],
)
def test_a_broken_envelope_is_delivered_with_its_fault_named(line, requirement, pointer):
    (fault,) = only(line).faults
    assert (fault.check, fault.requirement, fault.pointer) == ("envelope", requirement, pointer)


@pytest.mark.parametrize(
    ("line", "doubt"),
    [
        (b'{"jsonrpc":"2.0","id":"a","id":1,"result":{}}', 'member name given twice: "id"'),
        (b'{"jsonrpc":"2.0","id":1,"result":{"a":{"b":1,"b":1}}}', 'member name given twice: "b"'),
        (rb'{"jsonrpc":"2.0","id":1,"result":{"a":"\ud83d"}}', "a surrogate without its partner"),
        (rb'{"jsonrpc":"2.0","id":1,"result":{"\ude00":1}}', "a surrogate without its partner"),
    ],
)
def test_what_readers_disagree_on_is_read_and_warned_of(line, doubt):
    (fault,) = wire.read(line).faults
    assert only(line).id == Number("1")
    assert (fault.check, fault.requirement) == ("json", "MCP-BASE-101")
    assert doubt in fault.actual


def test_numbers_keep_their_spelling_whatever_their_size():
    body = only(b'{"jsonrpc":"2.0","id":1,"result":{"n":[-0,1E400,0.10,' + b"9" * 5000 + b"]}}").body
    assert [number.text for number in body["result"]["n"]] == ["-0", "1E400", "0.10", "9" * 5000]


def test_an_id_is_an_integer_by_its_value():
    assert faults(b'{"jsonrpc":"2.0","id":1.0,"method":"ping"}') == []
    assert [each.pointer for each in faults(b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}')] == ["/id"]


def test_an_array_is_a_batch_only_where_the_revision_has_batches():
    line = b'[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"1.0","method":"x"}]'
    reading = wire.read(line, arrays=True)
    assert [message.kind for message in reading.messages] == ["reply", "notification"]
    assert [fault.pointer for fault in faults(line, arrays=True)] == ["/jsonrpc"]
    for line in (b"[]", b"[1]", b"[[]]"):
        assert wire.read(line, arrays=True).messages == ()
        assert [fault.check for fault in faults(line, arrays=True)] == ["framing"]


@pytest.mark.parametrize("depth", [wire.MAX_DEPTH + 1, 100_000])
def test_deep_nesting_is_warned_of_and_not_read(depth):
    reading = wire.read(b'{"jsonrpc":"2.0","id":1,"result":{"a":' + b"[" * depth + b"]" * depth + b"}}")
    assert reading.messages == ()
    assert [fault.check for fault in reading.faults] == ["json"]
    assert reading.unread == f"nested {depth + 2} levels deep; the kit reads {wire.MAX_DEPTH}"


def test_nesting_within_the_limit_is_read():
    depth = wire.MAX_DEPTH - 2
    line = b'{"jsonrpc":"2.0","id":1,"result":{"a":' + b"[" * depth + b"]" * depth + b"}}"
    assert faults(line) == []


def test_brackets_in_texts_and_side_by_side_are_no_depth():
    text = "[{" * 1000 + '\\" \\\\'
    line = ('{"jsonrpc":"2.0","id":1,"result":{"t":"' + text + '","l":[' + ",".join(["[]"] * 1000) + "]}}").encode()
    assert faults(line) == []


def test_a_million_values_are_too_many_and_their_commas_in_a_text_are_none():
    head, tail = '{"jsonrpc":"2.0","id":1,"result":{"a":', "}}"
    reading = wire.read(f"{head}[{','.join(['1'] * (wire.MAX_VALUES + 1))}]{tail}".encode())
    assert (reading.messages, [fault.check for fault in reading.faults]) == ((), ["json"])
    assert f"the kit reads {wire.MAX_VALUES}" in reading.unread
    assert faults(f'{head}"{"," * (wire.MAX_VALUES + 1)}"{tail}'.encode()) == []


def test_many_members_and_many_twice_are_told_shortly_and_soon():
    names = [f"m{number}" for number in range(200_000)]
    line = "{" + ",".join(f'"{name}":1' for name in (*names, *names[:1000])) + ',"jsonrpc":"2.0","method":"x"}'
    begun = time.monotonic()
    (fault,) = wire.read(line.encode()).faults
    assert time.monotonic() - begun < 5
    assert fault.actual.endswith("and 995 more")
    assert len(fault.actual) < 120


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 600 + b'"' + b'\\"' * 200_000,
        b"{" * 600 + b'"' * 200_001,
        b"[" * 300_000,
        b'{"a":' * 300_000,
        b"[]," * 200_000,
        b'"' + b"\\" * 200_001,
    ],
    ids=["unfinished-text", "quotes", "open-arrays", "open-objects", "siblings", "backslashes"],
)
def test_no_line_takes_more_than_one_pass(line):
    begun = time.monotonic()
    assert wire.read(line).messages == ()
    assert time.monotonic() - begun < 5


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
members = st.dictionaries(
    st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"]), json_values | st.just("2.0")
)


@given(st.binary(max_size=200) | members.map(lambda body: json.dumps(body).encode()))
def test_reading_never_raises_and_every_line_is_a_message_or_a_fault(line):
    for arrays in (False, True):
        reading = wire.read(line, arrays=arrays)
        assert reading.messages or reading.faults
        assert all(fault.expected and fault.actual for fault in faults(line, arrays=arrays))


@given(json_values)
def test_what_is_written_is_read_back(value):
    text = json.dumps(value)
    parsed, _ = wire.parse(text)
    assert wire.parse(dumps(parsed))[0] == parsed


@given(st.text(alphabet='{}[]",:\\1aeE+-. \n', max_size=60))
def test_the_parser_and_the_standard_reader_agree_on_what_is_json(text):
    try:
        json.loads(text, parse_constant=pytest.fail)
    except ValueError:
        with pytest.raises(wire.NotJsonError):
            wire.parse(text)
    else:
        wire.parse(text)
