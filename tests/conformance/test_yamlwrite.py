"""What is written is read back as it was."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_tck.conformance.casefile import yamlstrict, yamlwrite
from mcp_tck.conformance.values import Number, Value, same

_TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=12) | st.sampled_from(
    ["yes", "no", "off", "2025-11-25", "010", "12:30", "~", "", " padded ", "a: b", "a #b", "- a", "null", "True",
     "one\ntwo", "one\n\n  two", "trailing \nline", "end\n", "\n", "a\tb", '{"id":1}', "it's \"both\"", "{x}", "[",
     "!tag", "&a", "*a", "%", "@", "`", "|", ">", "?", ":", "<<", "=", "x\u2028y", "\u0085", "\ufeff",
    "\U0001f600", "$row"]
)  # fmt: skip
_NUMBERS = st.sampled_from(["0", "-0", "3e0", "1e21", "2024.0", "1e400", "12", "9007199254740993"]).map(Number)
_VALUES = st.recursive(
    st.none() | st.booleans() | _NUMBERS | _TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=12,
)


def read(text: str) -> Value:
    node, problems = yamlstrict.parse(text, "written.yaml")
    assert node is not None, (text, problems)
    assert problems == [], text
    return node.plain()


@given(_VALUES)
@settings(max_examples=400, deadline=None)
def test_what_is_written_is_read_back(value: Value):
    written = yamlwrite.text({"value": value})
    assert same(read(written), {"value": value}), written


@given(_VALUES)
@settings(max_examples=200, deadline=None)
def test_flow_is_one_line_that_is_read_back(value: Value):
    written = yamlwrite.flow({"value": value})
    assert "\n" not in written
    assert same(read(written), {"value": value}), written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("saved", "saved"),
        ("on", '"on"'),
        ("2025-11-25", '"2025-11-25"'),
        ('{"id":1}', "'{\"id\":1}'"),
        (["a", Number("3e0")], "[a, 3e0]"),
        ({"no": True, "two words": None}, '{no: true, "two words": null}'),
    ],
)
def test_what_needs_no_quotes_has_none(value: Value, written: str):
    assert yamlwrite.flow(value) == written


def test_text_of_several_lines_stands_in_lines():
    assert yamlwrite.text({"description": "One.\n\nTwo."}) == "description: |-\n  One.\n\n  Two.\n"
