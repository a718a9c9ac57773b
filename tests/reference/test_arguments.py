"""The readers, value by value, and their promises over all of JSON."""

import json
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_tck.reference.arguments import bool_arg, contains, int_arg, string_arg, string_set_arg, string_value
from mcp_tck.reference.messages import read_json

NOTHING = ["null", "[]", "[true]", "[3]", '["a"]', "{}", '{"a":1}']


@pytest.mark.parametrize(
    ("given_", "reads"),
    [
        *[("true", True), ("false", False)],
        *[(number, False) for number in ("0", "-0", "0.0", "-0.0", "0e5")],
        *[(number, True) for number in ("1", "-1", "2.5", "1e-9", "1e-400", "1e400")],
        *[(json.dumps(word), True) for word in ("true", "1", "yes", "on", "TRUE", "Yes", "oN", " true ", "\t1\n")],
        *[(json.dumps(word), False) for word in ("false", "0", "no", "off", "FALSE", "No", "oFf", " off ", "\r\nno\v")],
        *[
            (json.dumps(word), None)
            for word in ("", " ", "maybe", "2", "t", "f", "y", "n", "truely", "0.0", "-1", "\uff59es")
        ],
        *[(json.dumps(word), None) for word in ("o\ufb00", "ye\u017f", "\u00a0yes")],
        *[(nothing, None) for nothing in NOTHING],
    ],
)
def test_a_boolean_is_read_or_has_no_value(given_, reads):
    assert bool_arg(read_json(f'{{"v":{given_}}}'), "v") is reads


@pytest.mark.parametrize(
    ("given_", "reads"),
    [
        *[(number, 3) for number in ("3", "3.0", "3e0", "30e-1", "0.3e1", '"3"', '" 3 "', '"+3"', '"003"')],
        *[(number, 0) for number in ("0", "-0", "0.0", "-0.0", "0e9")],
        *[("-3", -3), ('"-3"', -3)],
        *[(str(bound), bound) for bound in (2**31 - 1, -(2**31), 2**53 + 1, 2**64)],
        *[(f'"{bound}"', bound) for bound in (2**31 - 1, -(2**31), 2**53 + 1, 2**64)],
        *[("1e21", 10**21), ("1e23", 10**23), ("9007199254740993.0", 2**53 + 1)],
        *[
            (number, None)
            for number in ("2.5", "1500.5", "-0.5", "0.9999999999999999999999", "3.0000000000000000000001")
        ],
        *[(number, None) for number in ("1e-400", "1e999999", "1e999999999")],
        *[(f'"{text}"', None) for text in ("2.5", "12px", "", " ", "three", "NaN", "Infinity", "0x10", "1_000", "--3")],
        *[(f'"{text}"', None) for text in ("3 4", "+", "-", "3e0", "3.0", "३", "\uff13", "\u22123", "3\\n4")],
        *[("true", None), ("false", None)],
        *[(nothing, None) for nothing in NOTHING],
    ],
)
def test_a_whole_number_is_read_or_has_no_value(given_, reads):
    reading = int_arg(read_json(f'{{"v":{given_}}}'), "v")
    assert reading == reads
    assert type(reading) in {int, type(None)}


@pytest.mark.parametrize(
    ("given_", "reads"),
    [
        *[
            ("2024", "2024"),
            ("2.5", "2.5"),
            ("-1", "-1"),
            ("true", "true"),
            ("false", "false"),
            ("0", "0"),
            ("-0", "0"),
        ],
        *[
            ("2024.0", "2024"),
            ("1e21", "1e+21"),
            ("-0.0", "0"),
            ("1e400", "1e+400"),
            ("9007199254740993", "9007199254740993"),
        ],
        *[('"  x "', "x"), ('"a  b"', "a  b"), ('" a\\nb\\t"', "a\nb"), ('"\\u00a0x"', "\u00a0x"), ('"é😀"', "é😀")],
        *[('""', ""), ('"null"', "null"), ('" 007 "', "007")],
        *[(nothing, "") for nothing in NOTHING],
    ],
)
def test_a_string_is_read_trimmed_and_a_scalar_as_its_text(given_, reads):
    assert string_arg(read_json(f'{{"v":{given_}}}'), "v") == reads


@pytest.mark.parametrize(
    ("given_", "reads"),
    [
        ('["a","b","a"]', {"a", "b"}),
        ('[1,"1"," 1 "]', {"1"}),
        ('[" a ","a"]', {"a"}),
        ('[true,"true",false]', {"true", "false"}),
        ('["a","A"]', {"a", "A"}),
        ('["",  " ", "\\n", "x"]', {"x"}),
        ('[null,["a"],{"a":1},2.5]', {"2.5"}),
        *[(other, set()) for other in ("[]", '"a"', '"a,b"', "3", "true", "{}", '{"0":"a"}', "null")],
    ],
)
def test_a_set_holds_each_string_once(given_, reads):
    assert string_set_arg(read_json(f'{{"v":{given_}}}'), "v") == reads


@pytest.mark.parametrize(
    ("given_", "reads"),
    [
        *[('" "', " "), ('"\\n"', "\n"), ('"  x "', "  x "), ("3", "3"), ("2.5", "2.5"), ("true", "true")],
        *[(nothing, "") for nothing in NOTHING],
    ],
)
def test_a_nested_value_keeps_its_white_space(given_, reads):
    assert string_value(read_json(f'{{"v":{given_}}}'), "v") == reads


def test_an_absent_key_has_no_value_and_is_told_from_an_unreadable_one():
    assert (bool_arg({}, "v"), int_arg({}, "v"), string_arg({}, "v"), string_value({}, "v")) == (None, None, "", "")
    assert string_set_arg({}, "v") == set()
    assert not contains({}, "v")
    assert contains({"v": None}, "v")


@pytest.mark.parametrize("key", ["", "a.b", "ключ", "a b", "/v", "V", "__proto__"])
def test_a_key_is_its_own_spelling_and_no_path(key):
    args = {"v": 1, "a": {"b": 2}, key: "3"}
    assert int_arg(args, key) == 3


def test_floats_of_python_are_read_like_numbers_of_json():
    assert (int_arg({"v": 3.0}, "v"), int_arg({"v": 2.5}, "v"), string_arg({"v": 2.5}, "v")) == (3, None, "2.5")
    assert (int_arg({"v": float("inf")}, "v"), bool_arg({"v": float("nan")}, "v")) == (None, None)


numbers = (
    st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.decimals(allow_nan=False, allow_infinity=False)
)
scalars = st.none() | st.booleans() | numbers | st.text()
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)
arguments = st.dictionaries(st.text(max_size=3), values, max_size=4)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(args=arguments, key=st.text(max_size=3))
def test_readers_are_total_and_of_one_type(args, key):
    assert bool_arg(args, key) in {True, False, None}
    assert type(int_arg(args, key)) in {int, type(None)}
    assert type(string_arg(args, key)) is type(string_value(args, key)) is str
    assert all(type(element) is str and element for element in string_set_arg(args, key))


@settings(derandomize=True, max_examples=200, deadline=None)
@given(number=numbers)
def test_a_number_is_read_as_itself_or_not_at_all(number):
    exact = Decimal(repr(number)) if isinstance(number, float) else number
    assert int_arg({"v": number}, "v") in {None, exact}
    assert read_json(string_arg({"v": number}, "v")) == exact
    assert bool_arg({"v": number}, "v") is (exact != 0)
