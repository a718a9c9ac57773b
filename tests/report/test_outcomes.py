"""The table of outcomes, row by row, and what decides an exit status."""

import pytest
from mcp_tck.conformance import outcomes
from mcp_tck.conformance.agreement import blurring
from mcp_tck.conformance.model import Level, Verdict
from mcp_tck.conformance.outcomes import Standing
from mcp_tck.conformance.report import digest

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
        ("/text", 'string "in /tmp/mcp-tck-a8_xq2zb/f.txt"', 'string "in /tmp/mcp-tck-bbbbbbbb/f.txt"', True),
        ("/text", 'string "in /tmp/mcp-tck-a8_xq2zb/f.txt"', 'string "in /tmp/mcp-tck-bbbbbbbb/g.txt"', False),
        ("/text", 'string "/builds/t 1/mcp-tck-a1/f"', 'string "/builds/t 1/mcp-tck-zz/f"', True),
        ("/text", 'string "/var/folders/a/b/T/x1/f"', 'string "/tmp/y/f"', True),
        ("/text", 'string "at 2025-03-01T10:00:00Z"', 'string "at 2025-12-31T10:00:00.125+01:00"', True),
        ("/text", 'string "at Mon, 03 Mar 2025 10:00:00 GMT"', 'string "at Tue, 04 Nov 2025 1:00:00 GMT"', True),
        ("/text", 'string "at Mon Mar  3 10:00:00 2025"', 'string "at Sun Jan 14 11:00:00 2024"', True),
        ("/text", 'string "it is 9:00 AM"', 'string "it is 11:31:02 pm"', True),
        ("/text", 'string "on Monday"', 'string "on Tuesday"', False),
        ("/text", 'string "<x at 0x7fa3c0>"', 'string "<x at 0x80>"', True),
        (
            "/text",
            'string "0a1b2c3d-1111-2222-3333-abcdefabcdef"',
            'string "ffffffff-aaaa-bbbb-cccc-dddddddddddd"',
            True,
        ),
        ("/text", 'string "e3b0c44298fc1c149afb"', 'string "aaaaaa0298fc1c149afb"', True),
        ("/json/at", "integer 1760000000", "integer 1760000003", True),
        ("/json/at", "integer 1760000000123", "integer 1760000003000", True),
        ("/json/at", "integer 1760000000", 'string "1760000003"', False),
    ],
)
def test_recorded_mismatches_leave_out_what_changes_from_run_to_run(pointer, one, other, same, make):
    first, second = (
        blurring.mismatches(make.record("x::y", "failed", mismatches=[make.mismatch(text, pointer=pointer)]))
        for text in (one, other)
    )
    assert (first == second) is same


def test_what_was_blurred_once_is_not_changed_by_blurring_it_again(make):
    text = 'string "/tmp/mcp-tck-a/f at 2025-03-01T10:00:00Z, 10:00, on Mon, 03 Mar 2025 10:00:00 GMT, 0xff, 17"'
    once = blurring.mismatches(make.record("x::y", "failed", mismatches=[make.mismatch(text)]))
    assert once[0]["actual"] == 'string "#/f at #, #, on #, #, #"'
    assert blurring.blurred(once) == once


def test_what_an_older_kit_recorded_holds_against_what_comes_now(make):
    old = [{"pointer": "/text", "expected": "string", "actual": 'string "/tmp/mcp-tck-ab#c/f at #-#-#T#:#:#Z, #:#"'}]
    text = 'string "/tmp/mcp-tck-xy/f at 2025-03-01T10:00:00Z, 10:00"'
    now = make.record("x::y", "failed", mismatches=[make.mismatch(text, pointer="/text")])
    assert blurring.blurred(old)[0]["actual"] == blurring.mismatches(now)[0]["actual"]


@pytest.mark.parametrize(
    ("one", "other", "causes"),
    [
        (("a::x[1]", "f", ["R-1"]), ("a::x[2]", "f", ["R-1"]), 1),
        (("a::x[1]", "f", []), ("a::x[2]@2025-06-18", "f", []), 1),
        (("a::x", "f", ["R-1"]), ("a::y", "f", ["R-1"]), 1),
        (("a::x", "f", []), ("a::y", "f", []), 2),
        (("a::x", "f", ["R-1"]), ("a::y", "f", ["R-2"]), 2),
        (("a::x", "f", ["R-1"]), ("b::x", "g", ["R-1"]), 2),
    ],
)
def test_the_same_mismatch_is_one_cause_only_where_the_same_was_tried(one, other, causes, make):
    told = [make.mismatch('string "a"')]
    found = [
        {**make.record(name, "failed", mismatches=told), "file": file, "requirements": bound}
        for name, file, bound in (one, other)
    ]
    assert len(digest.findings(found)) == causes


def test_a_target_that_died_is_one_cause_whatever_was_tried(make):
    told = [make.mismatch("none: it exited")]
    found = [{**make.record(name, "failed", mismatches=told), "file": name} for name in ("a::x", "b::y")]
    assert len(digest.findings(found)) == 1
