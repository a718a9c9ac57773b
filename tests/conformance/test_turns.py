"""The order of a run: what needs a process of its own is spread over it, and nothing is lost or told twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_tck.conformance.turns import Turn, in_turn

LETTERS = {
    "u": Turn.USUAL,
    "w": Turn.WHEREVER,
    "f": Turn.SPREAD_FIRST,
    "s": Turn.SPREAD,
    "l": Turn.LAST,
}


def order(cases):
    return " ".join(in_turn(cases.split(), lambda case: LETTERS[case[0]]))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("u1 u2 u3", "u1 u2 u3"),
        ("s1 u1 u2 u3 u4", "u1 u2 s1 u3 u4"),
        ("s1 s2 u1 u2 u3 u4 u5 u6", "u1 u2 s1 u3 u4 s2 u5 u6"),
        ("s1 u1 f1 u2 u3", "u1 f1 u2 s1 u3"),
        ("l1 u1 l2 u2", "u1 u2 l1 l2"),
        ("w1 w2 w3 w4 s1 u1 u2", "w1 w2 w3 w4 u1 s1 u2"),
        ("s1 s2", "s1 s2"),
        ("l1 s1 w1", "w1 s1 l1"),
        ("", ""),
    ],
)
def test_each_case_has_its_turn(before, after):
    assert order(before) == after


@given(st.lists(st.tuples(st.sampled_from(list(LETTERS)), st.integers(0, 9)), unique=True))
def test_none_is_lost_and_those_of_a_kind_stay_as_they_were(cases):
    ordered = in_turn(cases, lambda case: LETTERS[case[0]])
    assert sorted(ordered) == sorted(cases)
    for kinds in ("uw", "f", "s", "l"):
        assert [case for case in ordered if case[0] in kinds] == [case for case in cases if case[0] in kinds]
