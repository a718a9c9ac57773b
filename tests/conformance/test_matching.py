"""Matching: what each operator holds for and what not, where a mismatch points, and how it is said."""
# ruff: noqa: E501, ISC004 - tables are read by their columns

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_tck.conformance.casefile import format as layout
from mcp_tck.conformance.casefile import yamlstrict
from mcp_tck.conformance.matching import matching, templates, wanted
from mcp_tck.conformance.matching.matching import CaseError, MissingRowError, MissingVariableError, Scope, build, match
from mcp_tck.conformance.model import Node
from mcp_tck.conformance.values import ABSENT, Absent, Value, lift, same
from mcp_tck.conformance.words import describe


def node(text: str) -> Node:
    found, problems = yamlstrict.parse(text, "f.yaml")
    assert problems == []
    assert found is not None
    return found


def value(text: str) -> Value | Absent:
    """A value by its spelling, so that numbers keep theirs."""
    return ABSENT if text == "ABSENT" else node(text).plain()


HOLDS = [
    # scalars
    ("1", "1.0"),
    ("1", "10e-1"),
    ("9007199254740993", "9007199254740993.0"),
    ("'1'", "'1'"),
    ("null", "null"),
    ("false", "false"),
    # objects are subsets, arrays are whole
    ("{}", "{a: 1}"),
    ("{a: 1}", "{b: 2, a: 1}"),
    ("{a: {b: [1]}}", "{a: {b: [1], c: 2}}"),
    ("[]", "[]"),
    ("[1, {}]", "[1, {a: 2}]"),
    # presence
    ("{a: {$any: true}}", "{a: null}"),
    ("{a: {$absent: true}}", "{b: 1}"),
    ("{a: {$optional: null}}", "{}"),
    ("{a: {$optional: null}}", "{a: null}"),
    ("{a: {$optional: {$type: string}}}", "{a: x}"),
    # types
    ("{$type: integer}", "3.0"),
    ("{$type: number}", "3"),
    ("{$type: number}", "2.5"),
    ("{$type: [string, 'null']}", "null"),
    ("{$type: array}", "[]"),
    ("{$type: object}", "{}"),
    ("{$type: boolean}", "false"),
    # strings
    ("{$regex: b}", "abc"),
    ("{$regex: ^abc$}", "abc"),
    ("{$contains: b}", "abc"),
    ("{$contains: ''}", "''"),
    # arrays
    ("{$contains: 2}", "[1, 2]"),
    ("{$contains: {name: a}}", "[{name: b}, {name: a, x: 1}]"),
    ("{$contains: b}", "[a, b]"),
    ("{$unordered: [1, 2]}", "[2, 1]"),
    ("{$unordered: [{$type: integer}, 1]}", "[1, 2]"),
    ("{$unordered: [{$any: true}, {$type: string}, x]}", "[x, z, 1]"),
    ("{$unordered: []}", "[]"),
    ("{$in_order: [1, 3]}", "[0, 1, 2, 3, 4]"),
    ("{$in_order: [1, 1]}", "[1, 2, 1]"),
    ("{$each: {$type: string}}", "[a, b]"),
    ("{$each: {$type: string}}", "{a: b}"),
    ("{$each: 1}", "[]"),
    ("{$unique: true}", "[1, '1', true, null, [1], {a: 1}, {a: 2}]"),
    ("{$unique: name}", "[{name: a}, {name: b, x: 1}, {}, 3]"),
    # sizes
    ("{$length: 2}", "'é😀'"),
    ("{$length: 0}", "[]"),
    ("{$length: {min: 1, max: 2}}", "{a: 1}"),
    ("{$length: {max: 2}}", "''"),
    # logic
    ("{$one_of: [1, {$type: string}]}", "x"),
    ("{$one_of: [{$absent: true}, 1]}", "ABSENT"),
    ("{$not: 1}", "'1'"),
    ("{$not: {$any: true}}", "ABSENT"),
    ("{a: {$not: true}}", "{}"),
    # exactness
    ("{$exact: {a: 1}}", "{a: 1.0}"),
    ("{$exact: {a: {$optional: 1}}}", "{}"),
    ("{$exact: {a: {b: 1}}}", "{a: {b: 1, c: 2}}"),
    ("{$literal: {$any: true}}", "{$any: true}"),
    ("{$literal: [{a: 1}]}", "[{a: 1}]"),
    ("{$repeat: {of: ab, times: 3, before: <, after: '>'}}", "<ababab>"),
    ("{$barrier: true}", "ping"),
    ("{$folder: a/b}", "/tmp/own/a/b"),
    ("{$message: {members: {id: 1.5}, without: [jsonrpc], after: ' '}}", """'{"method":"ping","id":1.5} '"""),
    # schemas
    ("{$fits: {type: object, required: [a], properties: {a: {type: integer}}}}", "{a: 3.0}"),
    ("{$fits: {$ref: '#/$defs/x', $defs: {x: {const: 1}}}}", "1"),
    ("{$fits: {type: string, pattern: '\\p{L}'}}", "x"),
    ("{$schema_ok: true}", "{type: object, properties: {a: {pattern: '\\p{L}+'}}}"),
    ("{$schema_ok: true}", "{$schema: 'http://json-schema.org/draft-07/schema#', definitions: {}, type: object}"),
    ("{$schema_ok: true}", "{$schema: 'https://example.com/own-dialect', type: 7}"),
    ("{$schema_ok: true}", "{}"),
    # keeping
    ("{$save: {as: x}}", "1"),
    ("{$save: {as: x, is: {$optional: 1}}}", "ABSENT"),
]

HOLDS_NOT = [
    ("1", "true"),
    ("1", "'1'"),
    ("true", "1"),
    ("0", "false"),
    ("null", "ABSENT"),
    ("''", "null"),
    ("9007199254740993", "9007199254740992"),
    ("0.1", "0.10000000000000001"),
    ("1e400", "1e401"),
    ("{a: null}", "{}"),
    ("{}", "[]"),
    ("{}", "null"),
    ("[]", "{}"),
    ("[1]", "[1, 2]"),
    ("[1, 2]", "[2, 1]"),
    ("{a: {$any: true}}", "{}"),
    ("{a: {$absent: true}}", "{a: null}"),
    ("{a: {$optional: null}}", "{a: 1}"),
    ("{$type: integer}", "2.5"),
    ("{$type: integer}", "true"),
    ("{$type: number}", "'1'"),
    ("{$type: string}", "ABSENT"),
    ("{$type: 'null'}", "ABSENT"),
    ("{$type: object}", "[]"),
    ("{$type: [string, 'null']}", "1"),
    ("{$regex: ^b}", "abc"),
    ("{$regex: '1'}", "1"),
    ("{$regex: x}", "ABSENT"),
    ("{$contains: d}", "abc"),
    ("{$contains: 1}", "'1'"),
    ("{$contains: a}", "{a: 1}"),
    ("{$contains: 3}", "[1, 2]"),
    ("{$contains: 1}", "[true, '1']"),
    ("{$unordered: [1, 2]}", "[1]"),
    ("{$unordered: [1, 1]}", "[1, 2]"),
    ("{$unordered: [{$type: integer}, 1]}", "[2, 3]"),
    ("{$unordered: []}", "{}"),
    ("{$in_order: [3, 1]}", "[1, 2, 3]"),
    ("{$in_order: [1, 1]}", "[1]"),
    ("{$in_order: [1]}", "1"),
    ("{$each: {$type: string}}", "[a, 1]"),
    ("{$each: {$type: string}}", "{a: 1}"),
    ("{$each: {$any: true}}", "x"),
    ("{$unique: true}", "[1, 1.0]"),
    ("{$unique: true}", "[{a: 1, b: 2}, {b: 2, a: 1}]"),
    ("{$unique: name}", "[{name: a}, {name: a, x: 1}]"),
    ("{$unique: true}", "x"),
    ("{$length: 2}", "[1]"),
    ("{$length: 2}", "12"),
    ("{$length: {min: 1}}", "''"),
    ("{$length: {max: 1}}", "{a: 1, b: 2}"),
    ("{$length: 0}", "ABSENT"),
    ("{$one_of: [1, 2]}", "3"),
    ("{$one_of: [1, 2]}", "ABSENT"),
    ("{$not: {$type: string}}", "x"),
    ("{a: {$not: {$absent: true}}}", "{}"),
    ("{$exact: {a: 1}}", "{a: 1, b: 2}"),
    ("{$exact: {a: 1}}", "{}"),
    ("{$exact: {}}", "[]"),
    ("{$literal: {a: 1}}", "{a: 1, b: 2}"),
    ("{$literal: {$any: true}}", "1"),
    ("{$literal: [{a: 1}]}", "[{a: 1, b: 2}]"),
    ("{$repeat: {of: ab, times: 3}}", "abab"),
    ("{$barrier: true}", "pong"),
    ("{$folder: .}", "/tmp"),
    ("{$message: {}}", "{method: ping}"),
    ("{$fits: {type: object, required: [a]}}", "{}"),
    ("{$fits: {type: integer}}", "2.5"),
    ("{$fits: {}}", "ABSENT"),
    ("{$fits: {type: string, pattern: ^a}}", "b"),
    ("{$schema_ok: true}", "{type: strin}"),
    ("{$schema_ok: true}", "{properties: []}"),
    ("{$schema_ok: true}", "x"),
    ("{$schema_ok: true}", "ABSENT"),
    ("{$schema_ok: true}", "{$schema: 'http://json-schema.org/draft-07/schema#', type: 7}"),
    ("{$save: {as: x, is: 1}}", "2"),
    ("{$save: {as: x}}", "ABSENT"),
]


@pytest.mark.parametrize(("expect", "given_value"), HOLDS)
def test_holds(expect, given_value):
    assert match(node(expect), value(given_value), Scope(folder="/tmp/own")) == []


@pytest.mark.parametrize(("expect", "given_value"), HOLDS_NOT)
def test_holds_not(expect, given_value):
    assert match(node(expect), value(given_value), Scope(folder="/tmp/own")) != []


def test_every_operator_of_the_format_is_judged_said_and_tested_both_ways():
    assert matching.OPERATORS.keys() == layout.OPERATORS.keys() == wanted.WORDS.keys()
    assert templates.BUILDERS.keys() == {name for name, one in layout.OPERATORS.items() if one.sent}
    for table in (HOLDS, HOLDS_NOT):
        text = "\n".join(expect for expect, _ in table)
        assert [name for name in layout.OPERATORS if f"{name}:" not in text and name not in {"$row", "$var"}] == []


SAID = [
    ("{error: {code: -32601}}", "{error: {code: -32603}}", [("/error/code", "integer -32601", "integer -32603")]),
    ("{code: 1}", "{code: '1'}", [("/code", "integer 1", 'string "1"')]),
    ("{code: 1}", "{}", [("/code", "integer 1", "nothing")]),
    ("{a: 1, b: 2, c: 3}", "{a: 2, b: 2}", [("/a", "integer 1", "integer 2"), ("/c", "integer 3", "nothing")]),
    ("{a/b~c: 1}", "{a/b~c: null}", [("/a~1b~0c", "integer 1", "null")]),
    ("[1, [2]]", "[1, [3]]", [("/1/0", "integer 2", "integer 3")]),
    ("[1]", "[1, 2]", [("", "an array of 1 element", "an array of 2 elements: [1,2]")]),
    ("{error: {code: 1}}", "{result: {}}", [("/error", 'an object with member "code"', "nothing")]),
    ("{a: 1, b: 2}", "7", [("", 'an object with members "a", "b"', "integer 7")]),
    ("{$exact: {a: 1}}", "{a: 1, b: [2]}", [("/b", "nothing", "array [2]")]),
    ("{a: {$absent: true}}", "{a: 1}", [("/a", "nothing", "integer 1")]),
    ("{a: {$optional: 1}}", "{a: 2.5}", [("/a", "integer 1", "number 2.5")]),
    ("{$one_of: [1, null, {code: 1}]}", "2", [("", 'integer 1 or null or an object with member "code"', "integer 2")]),
    ("{$type: [integer, 'null']}", "true", [("", "an integer or null", "boolean true")]),
    ("{$not: {$type: string}}", "x", [("", "anything but a string", 'string "x"')]),
    ("{$length: {min: 1}}", "''", [("", "length 1 at least", 'length 0: string ""')]),
    ("{$each: 1}", "[1, 2, 3]", [("/1", "integer 1", "integer 2"), ("/2", "integer 1", "integer 3")]),
    ("{$unique: name}", "[{name: a}, {name: a}]",
     [("", 'an array whose elements all differ in "name"', 'elements 0 and 1 with the same string "a"')]),
    ("{$contains: {name: a}}", "[]", [("", 'an array with an element that is an object with member "name"', "array []")]),
    ("{$unordered: [1, 2]}", "[1, 3]", [("", "an element of its own that is integer 2", "array [1,3]")]),
    ("{$in_order: [1, 0]}", "[0, 1]", [("", "an element behind element 1 that is integer 0", "array [0,1]")]),
    ("{$literal: {a: {$x: 1}}}", "{a: {$x: 2}}", [("/a/$x", "integer 1", "integer 2")]),
    ("{r: {$fits: {properties: {a: {type: string}}}}}", "{r: {a: 1}}",
     [("/r/a", 'what "type" asks: "string" (schema at /properties/a/type)', "integer 1")]),
    ("{s: {$schema_ok: true}}", "{s: {type: 3}}",
     [("/s/type", 'a valid JSON Schema: what "anyOf" asks: [{"$ref":"#/$defs/simpleTypes"},{"type":"array","items":'
       '{"$ref":"#/$defs/simpleTypes"},"minItems":1,"uniqueItems":true}] (schema at /allOf/3/properties/type/anyOf)',
       "integer 3")]),
]  # fmt: skip


@pytest.mark.parametrize(("expect", "given_value", "mismatches"), SAID)
def test_a_mismatch_says_where_what_was_wanted_and_what_came(expect, given_value, mismatches):
    found = match(node(expect), value(given_value), Scope())
    assert [(one.pointer, one.expected, one.actual) for one in found] == mismatches


def test_a_mismatch_points_at_the_expected_value_in_the_file():
    expect = node("result:\n  code: -32601\n  name: {$type: string}\n")
    found = match(expect, lift({"result": {"code": 1}}), Scope())
    places = [(one.at.line, one.at.column, one.at.length) for one in found if one.at]
    assert places == [(2, 9, 6), (3, 9, 15)]


def test_long_values_are_cut_in_the_middle_with_their_size():
    said = describe("é" * 50_000 + "end")
    assert len(said) < 320
    assert "(100003 bytes)" in said
    assert said.startswith('string "éé')
    assert said.endswith('end"')


def test_a_row_stands_for_its_value_and_a_missing_column_for_nothing():
    row = node("{given: 1, want: {$type: string}}").items
    scope = Scope(row=row)
    assert build(node("{a: {$row: given}, b: {$row: none}}"), scope) == lift({"a": 1})
    assert build(node("{$row: none}"), scope) is ABSENT
    assert match(node("{a: {$row: given}, b: {$row: none}}"), lift({"a": 1, "b": 2}), scope) == []
    assert match(node("{a: {$row: want}}"), lift({"a": 1}), scope)[0].expected == "a string"
    with pytest.raises(MissingRowError, match=r'f\.yaml:1:2: the row has no column "none"'):
        build(node("[{$row: none}]"), scope)


def test_what_is_saved_is_there_for_later_steps():
    scope = Scope()
    assert match(node("{cursor: {$save: {as: c, is: {$type: string}}}}"), lift({"cursor": "x"}), scope) == []
    assert build(node("{cursor: {$var: c}}"), scope) == {"cursor": "x"}
    assert match(node("{$var: c}"), "x", scope) == []
    assert match(node("{$var: c}"), "y", scope)[0].expected == 'string "x"'
    with pytest.raises(MissingVariableError, match='nothing was saved as "d"'):
        build(node("{$var: d}"), scope)


def test_what_a_failed_alternative_saved_or_named_is_forgotten():
    scope = Scope()
    expect = node(
        "{$one_of: [{name: wrong, is: {a: {$save: {as: x}}, b: 1}}, {name: right, is: {b: {$save: {as: z}}}}]}"
    )
    assert match(expect, lift({"a": 1, "b": 2}), scope) == []
    assert scope.names == ["right"]
    assert scope.variables == lift({"z": 2})


def test_unordered_elements_keep_what_the_final_pairing_saved():
    scope = Scope()
    expect = node("{$unordered: [{$save: {as: any}}, {k: {$save: {as: k}}}]}")
    assert match(expect, lift([{"k": 1}, 2]), scope) == []
    assert scope.variables == lift({"any": 2, "k": 1})


def test_a_template_is_built_with_operators_at_any_depth():
    scope = Scope(row=node("{m: {$repeat: {of: ab, times: 2}}}").items, variables={"v": lift([1])})
    template = node(
        "{a: [{$var: v}, {$row: m}], b: {$literal: {$row: m}}, c: {$repeat: {of: x, times: 3, before: '-'}}}"
    )
    assert build(template, scope) == lift({"a": [[1], "abab"], "b": {"$row": "m"}, "c": "-xxx"})


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ("{$nope: 1}", "there is no operator"),
        ("{$regex: '('}", "is no regular expression"),
        ("{$fits: Nothing}", 'there is no message schema "Nothing"'),
        ("{$fits: {type: 3}}", "no valid JSON Schema"),
        ("{$fits: {$ref: 'https://example.com/x'}}", "refers to what is not in it"),
        ("{$var: x}", 'nothing was saved as "x"'),
    ],
)
def test_what_is_wrong_with_the_case_is_never_a_mismatch(expect, said):
    with pytest.raises(CaseError, match=said):
        match(node(expect), "text", Scope())


def test_a_judging_operator_cannot_be_sent():
    with pytest.raises(CaseError, match="cannot be sent"):
        build(node("{a: {$any: true}}"), Scope())


def test_a_schema_is_found_by_its_name():
    scope = Scope(schema=lambda name: lift({"type": "object"}) if name == "Tool" else None)
    assert match(node("{$fits: Tool}"), {}, scope) == []
    assert match(node("{$fits: Tool}"), [], scope)[0].actual == "array []"


def test_a_kept_schema_is_one_to_fit():
    scope = Scope(variables={"schema": lift({"type": "object", "required": ["a"]})})
    assert match(node("{$fits: {$var: schema}}"), lift({"a": 1}), scope) == []
    assert match(node("{$fits: {$var: schema}}"), {}, scope) != []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=30).filter(lambda key: key[:1] != "$"), inner, max_size=4),
    max_leaves=10,
)  # fmt: skip


@given(json_values, json_values)
def test_a_value_matches_itself_literally_and_no_other(one, other):
    expect = node(json.dumps(one))
    literal = node(json.dumps({"$literal": one}))
    assert match(expect, lift(one), Scope()) == []
    assert build(expect, Scope()) == lift(one)
    assert (match(literal, lift(other), Scope()) == []) == same(lift(one), lift(other))
