"""The strict YAML reader: what it takes, what it refuses and where, and that both scanners give one verdict."""
# ruff: noqa: E501 - tables are read by their columns

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from mcp_tck.conformance.casefile import yamlstrict
from mcp_tck.conformance.model import Location, Node, Problem
from mcp_tck.conformance.values import Number, lift, same

BOTH = pytest.mark.parametrize("fast", [True, False], ids=["libyaml", "python"])


def read(text: str, *, fast: bool = True) -> object:
    node, problems = yamlstrict.parse(text, "f.yaml", fast=fast)
    assert problems == []
    assert node is not None
    return node.plain()


def problems_of(text: str, *, fast: bool = True) -> list[tuple[str, int, int]]:
    return [
        (problem.rule, problem.at.line, problem.at.column) for problem in yamlstrict.parse(text, "f.yaml", fast=fast)[1]
    ]


@BOTH
@pytest.mark.parametrize("spelling", ["0", "-0", "3", "-3", "2.5", "3.0", "3e0", "1E+21", "1e400", "9007199254740993"])
def test_a_json_number_keeps_its_spelling(spelling, fast):
    value = read(f"v: {spelling}", fast=fast)["v"]
    assert isinstance(value, Number)
    assert value.text == spelling


@BOTH
@pytest.mark.parametrize(("text", "value"), [("true", True), ("false", False), ("null", None)])
def test_true_false_and_null_are_read_in_small_letters(text, value, fast):
    assert read(f"v: {text}", fast=fast)["v"] is value


REFUSED = {
    "unquoted-boolean": ["yes", "Yes", "YES", "yEs", "no", "NO", "on", "On", "off", "OFF", "y", "Y", "n", "N", "True", "TRUE",
                         "False", "FALSE", "tRue"],
    "unquoted-null": ["~", "Null", "NULL"],
    "unquoted-date": ["2025-11-25", "2025-11-25T10:00:00Z", "2001-12-14 21:59:43.10 -5", "2001-1-1t2:00:00"],
    "unquoted-number": ["010", "08", "0o17", "0x1F", "0b11", "1_000", "12:30", "190:20:30.15", "-1:30", ".5", "-.5", "5.", "+3",
                        "+3.5", ".inf", "-.INF", ".nan", ".NaN", "1_000.5", "00", "-01", "0x1_F"],
    "unquoted-indicator": ["=", "<<"],
}  # fmt: skip


@BOTH
@pytest.mark.parametrize(("rule", "text"), [(rule, text) for rule, texts in REFUSED.items() for text in texts])
def test_what_other_readers_take_for_something_else_has_to_be_quoted(rule, text, fast):
    _, problems = yamlstrict.parse(f"- a\n- {text}\n", "f.yaml", fast=fast)
    assert [(problem.rule, problem.at) for problem in problems] == [(rule, Location("f.yaml", 2, 3, len(text)))]
    assert problems[0].hint == f"quote it: '{text}'"
    assert read(f"['{text}', \"{text}\"]", fast=fast) == [text, text]


@BOTH
@pytest.mark.parametrize(
    "text",
    [
        "yess",
        "nope",
        "1.2.3",
        "2025-11",
        "12px",
        "a-",
        "--",
        "x:y",
        "tck/none",
        "e3",
        "1e",
        "0x",
        "v1.0",
        "nulll",
        "é",
        "a#b",
    ],
)
def test_text_that_is_plainly_text_needs_no_quotes(text, fast):
    assert read(f"v: {text}", fast=fast) == {"v": text}


plain_scalars = st.text(alphabet="0123456789abefoxyntrulsYNTF.+-_:~=<Ee ", min_size=1, max_size=12).map(str.strip)


@given(plain_scalars)
@example("1:2")
@example("0_0")
@example("685_230.15")
@example("1e+3")
def test_a_plain_text_is_the_same_text_to_a_yaml_1_1_reader(text):
    source = f"[{text}]"
    try:
        node, problems = yamlstrict.parse(source, "f")
        loaded = yaml.safe_load(source)
    except (yaml.YAMLError, ValueError):
        return
    if problems or node is None:
        return
    for ours, theirs in zip(node.plain(), loaded, strict=True):
        if isinstance(ours, str):
            assert ours == theirs


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=30), inner, max_size=4),
    max_leaves=12,
)


@BOTH
@given(value=json_values)
@example(value={"a": "\U0001f600", "\U0010ffff": ["\x85\u2028\ufeff\x00\t"]})
def test_json_in_ascii_is_read_as_json(value, fast):
    plain = read(json.dumps(value), fast=fast)
    assert same(plain, lift(value))


PLACES = [
    ("duplicate key", "a: 1\nb: 2\na: 3\n", [("duplicate-key", 3, 1)]),
    ("duplicate key in a flow map", "a: {b: 1, b: 2}", [("duplicate-key", 1, 11)]),
    ("quoted twin", "a: 1\n'a': 2\n", [("duplicate-key", 2, 1)]),
    ("number as key", "1: a", [("key-no-text", 1, 1)]),
    ("true as key", "true: a", [("key-no-text", 1, 1)]),
    ("map as key", "? {a: 1}\n: 2", [("key-no-text", 1, 3)]),
    ("anchor, alias, tag", "a: &x 1\nb: *x\nc: !!str 3\n", [("anchor", 1, 4), ("alias", 2, 4), ("tag", 3, 4)]),
    ("bare tag", "- ! yes", [("tag", 1, 3)]),
    ("merge key", "<<: {a: 1}", [("unquoted-indicator", 1, 1)]),
    ("two documents", "a: 1\n---\nb: 2\n", [("second-document", 2, 1)]),
    ("directive", "%YAML 1.1\n---\na: 1\n", [("directive", 1, 1)]),
    ("empty file", "", [("empty-file", 1, 1)]),
    ("only a comment", "# nothing\n", [("empty-file", 1, 1)]),
    ("empty value", "a:\nb: 1\n", [("empty-value", 1, 3)]),
    ("empty element", "- 1\n-\n", [("empty-value", 2, 2)]),
    ("empty value at the end", "a: 1\nb:", [("empty-value", 2, 3)]),
    ("unclosed bracket", "a: [1,\n", [("yaml-syntax", 2, 1)]),
    ("unclosed quote", 'a: "x\n', [("yaml-syntax", 2, 1)]),
    ("reserved sign", "a: @b", [("yaml-syntax", 1, 4)]),
    ("tab as indentation", "a:\n\tb: 1\n", [("tab", 2, 1)]),
    ("tab behind a colon", "a:\tb", [("tab", 1, 3)]),
    ("tab in quotes", "a: 'x\ty'", [("tab", 1, 6)]),
    ("next line character", "a: x\x85y", [("invisible-character", 1, 5)]),
    ("line separator", "a: 'x\u2028y'", [("invisible-character", 1, 6)]),
    ("mark in the middle", "a: \ufeff", [("invisible-character", 1, 4)]),
    ("carriage return alone", "a: 1\rb: 2", [("line-break", 1, 5)]),
    ("control character", "a: \x07", [("invisible-character", 1, 4)]),
    ("half a pair", r'a: "x\ud83d"', [("lone-surrogate", 1, 4)]),
    ("halves in the wrong order", r'a: "\ude00\ud83d"', [("lone-surrogate", 1, 4)]),
    ("comment on a block's header", "a: |#x\n  b\n", [("yaml-syntax", 1, 5)]),
    ("question mark in a flow list", "[a?b]", [("yaml-syntax", 1, 3)]),
    ("all at once", "a: yes\nb: 010\na: ~\n", [("unquoted-boolean", 1, 4), ("unquoted-number", 2, 4), ("duplicate-key", 3, 1),
                                             ("unquoted-null", 3, 4)]),
]  # fmt: skip


@BOTH
@pytest.mark.parametrize(("text", "found"), [place[1:] for place in PLACES], ids=[place[0] for place in PLACES])
def test_every_problem_stands_at_its_place(text, found, fast):
    assert problems_of(text, fast=fast) == found


def test_a_duplicate_key_names_both_lines():
    problem = yamlstrict.parse("a: 1\n\na: 3\n", "f.yaml")[1][0]
    assert str(problem).startswith('f.yaml:3:1: duplicate-key: the key "a" is there twice; first on line 1')


@BOTH
def test_a_pair_of_json_escapes_is_one_character(fast):
    assert read(r'v: "\ud83d\ude00"', fast=fast) == {"v": "\U0001f600"}
    assert read(r"v: '\ud83d'", fast=fast) == {"v": r"\ud83d"}


@BOTH
def test_words_for_booleans_are_good_keys(fast):
    assert list(read("{no: 1, y: 2, On: 3}", fast=fast)) == ["no", "y", "On"]


@BOTH
@pytest.mark.parametrize("text", ["- " * 300 + "a", "[" * 5000, "{a: " * 300 + "1" + "}" * 300, "[" * 70 + "]" * 70])
def test_what_is_nested_too_deep_is_one_problem(text, fast):
    _, problems = yamlstrict.parse(text, "f", fast=fast)
    assert "too-deep" in {problem.rule for problem in problems}
    assert len(problems) == 1


@BOTH
def test_places_have_the_length_of_what_stands_there(fast):
    text = 'key: {code: -32601, "q": [1, 22]}\nlist:\n  - plain text here\n  - "quoted"\nblock: |\n  x\n'
    node, _ = yamlstrict.parse(text, "f", fast=fast)
    assert node is not None
    spans = {at: node_at(node, path).at for at, path in [("code", "key code"), ("22", "key q 1"), ("plain", "list 0"),
                                                          ("quoted", "list 1"), ("map", "key"), ("list", "key q")]}  # fmt: skip
    assert {name: (at.line, at.column, at.length) for name, at in spans.items()} == {
        "code": (1, 13, 6), "22": (1, 30, 2), "plain": (3, 5, 15), "quoted": (4, 5, 8), "map": (1, 6, 28), "list": (1, 26, 7),
    }  # fmt: skip
    assert node.items["key"].keys["code"] == Location("f", 1, 7, 4)
    assert node.at == Location("f", 1, 1, 3)


def node_at(node: Node, path: str) -> Node:
    for step in path.split():
        node = node.items[step] if step in node.items else node.elements[int(step)]
    return node


soup = st.lists(
    st.sampled_from([*"ab:,[]{}'\"-? \n#|>0189.yn~=<%&*!", "- ", ": ", "\n  ", "a: ", "yes", "é", "😀", "---", "\n- ", "|\n  a\n", "\\ud83d"]),
    max_size=14,
).map("".join)  # fmt: skip


@given(soup)
@example("[a?b]")
@example("|#c\n  a")
@example("? \n: 1")
def test_both_scanners_give_one_verdict_on_any_text(text):
    assert yamlstrict.parse(text, "f") == yamlstrict.parse(text, "f", fast=False)


@pytest.mark.parametrize(
    ("data", "text"), [(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n", "a: 1\nb: 2\n"), ("é".encode(), "é"), (b"", "")]
)
def test_bytes_are_utf_8_with_or_without_a_mark(data, text):
    assert yamlstrict.decode(data, "f") == (text, [])


def test_bytes_that_are_no_utf_8_are_a_problem_at_their_place():
    text, problems = yamlstrict.decode("a: é\nb: ".encode() + b"\xff", "f")
    assert (text, problems) == (
        "",
        [Problem(Location("f", 2, 4), "not-utf-8", "this byte is no UTF-8", "save the file as UTF-8")],
    )
