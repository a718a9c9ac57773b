"""The table of outcomes, row by row, and what decides an exit status."""

import pytest
from mcp_tck.conformance import outcomes
from mcp_tck.conformance.model import Level, Verdict
from mcp_tck.conformance.outcomes import Standing

ROWS = {
    # outcome: plain, listed, listed otherwise, new
    "passed": ("passed", "failed", "passed", "passed"),
    "failed": ("failed", "expected", "failed", "warned"),
    "warned": ("warned", "expected", "warned", "warned"),
    "error": ("error",) * 4,
    "not_applicable": ("not_applicable",) * 4,
    "not_exercised": ("not_exercised",) * 4,
}
FAILING = {"failed", "error"}


@pytest.mark.parametrize("found", ROWS)
@pytest.mark.parametrize("place", range(4), ids=[each.value for each in Standing])
def test_each_field_of_the_table(found, place):
    settled = outcomes.settle(Verdict(found), list(Standing)[place])
    assert settled.verdict == ROWS[found][place]
    assert settled.fails is (ROWS[found][place] in FAILING)


def test_every_outcome_has_a_row_and_every_row_all_columns():
    assert set(outcomes.TABLE) == set(Verdict)
    assert all(set(row) == set(Standing) for row in outcomes.TABLE.values())


@pytest.mark.parametrize(
    ("level", "plain", "strict"),
    [
        (Level.MUST, "failed", "failed"),
        (Level.SHOULD, "warned", "failed"),
        (Level.MAY, "warned", "warned"),
        (Level.OPEN, "warned", "warned"),
    ],
)
def test_strict_makes_a_should_count_and_no_liberty(level, plain, strict):
    assert outcomes.verdict_at(level, strict=False) == plain
    assert outcomes.verdict_at(level, strict=True) == strict


@pytest.mark.parametrize(
    ("found", "shows"),
    [(name, name in {"passed", "failed", "warned", "expected"}) for name in (*ROWS, "expected")],
)
def test_a_run_shows_something_by_its_cases_only(found, shows, make):
    assert outcomes.shows_something([make.record("say::hello", found)]) is shows
    assert not outcomes.shows_something([make.record("session/framing", found)])


def test_a_summary_names_every_outcome(records):
    counts = outcomes.summary(records)
    assert set(counts) == {each.value for each in Verdict}
    assert counts["failed"] == 5


@pytest.mark.parametrize(
    ("pointer", "one", "other", "same"),
    [
        ("/error/code", "integer -32603", "integer -32602", False),
        ("/json/value", "integer 3", "integer 4", False),
        ("/id", "integer 3", "integer 4", True),
        ("", "none: it exited after 12 lines (id 8)", "none: it exited after 13 lines (id 9)", True),
        ("/text", 'string "a"', 'string "b"', False),
    ],
)
def test_recorded_mismatches_leave_out_what_changes_from_run_to_run(pointer, one, other, same, make):
    first, second = (
        outcomes.mismatches(make.record("x::y", "failed", mismatches=[make.mismatch(text, pointer=pointer)]))
        for text in (one, other)
    )
    assert (first == second) is same
