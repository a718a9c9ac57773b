"""What a baseline and a frozen set do to a record, and what stands for nothing any more."""

import datetime

import pytest
from mcp_tck.conformance.agreement import frozen
from mcp_tck.conformance.agreement.agreed import Agreed
from mcp_tck.conformance.agreement.baseline import load

TODAY = datetime.date(2026, 6, 1)
KNOWN = """\
format: 1
entries:
  - case: say::loud
    reason: being rewritten
    mismatches: [{pointer: /text, expected: 'string "hello"', actual: "null"}]
  - {case: say::any, reason: no mismatch recorded}
  - {case: say::gone, reason: since May, expires: "2026-05-31"}
  - {case: say::today, reason: until today, expires: "2026-06-01"}
  - {case: say::rows, reason: all rows}
  - {requirement: MCP-BASE-037, reason: codes are ours}
"""


@pytest.fixture
def agreed(tmp_path):
    path = tmp_path / "known.yaml"
    path.write_text(KNOWN, encoding="utf-8")
    return Agreed(load(path), today=TODAY)


@pytest.fixture
def settle(agreed, make):
    def settled(identity, outcome, actual="null", **more):
        found = [make.mismatch(actual)] if outcome in {"failed", "warned"} else []
        return agreed.settle(make.record(identity, outcome, mismatches=found, **more))

    return settled


@pytest.mark.parametrize(
    ("identity", "outcome", "becomes"),
    [
        ("say::loud", "failed", "expected"),
        ("say::any", "failed", "expected"),
        ("say::any", "warned", "expected"),
        ("say::any", "passed", "failed"),
        ("say::any", "error", "error"),
        ("say::any", "not_applicable", "not_applicable"),
        ("say::any", "not_exercised", "not_exercised"),
        ("say::gone", "failed", "failed"),
        ("say::gone", "passed", "failed"),
        ("say::today", "failed", "expected"),
        ("say::rows[a]", "failed", "expected"),
        ("say::rows[a]", "passed", "passed"),
        ("say::unlisted", "failed", "failed"),
        ("say::unlisted", "passed", "passed"),
    ],
)
def test_a_listed_case(settle, identity, outcome, becomes):
    assert settle(identity, outcome)["outcome"] == becomes


def test_another_mismatch_than_the_recorded_one_fails_and_says_which_was_recorded(settle):
    found = settle("say::loud", "failed", actual='string "HELLO"')
    assert found["outcome"] == "failed"
    assert 'known.yaml:3:11 records: /text expected string "hello", got null' in found["reason"]


def test_a_listed_case_that_passes_says_that_the_entry_is_to_be_removed(settle):
    found = settle("say::any", "passed")
    assert found["reason"].endswith("known.yaml:6:12: remove this entry")
    assert found["baseline"]["was"] == "passed"


def test_an_expired_entry_says_when_it_did(settle):
    assert "expired on 2026-05-31" in settle("say::gone", "failed")["reason"]


def test_what_was_said_before_stays_behind_the_reason_of_the_entry(settle):
    assert settle("say::any", "failed", reason="only after other cases")["reason"] == (
        "no mismatch recorded; only after other cases"
    )


def test_under_several_revisions_an_entry_without_one_waits_for_all_of_them(agreed, make):
    agreed.several = True
    one = agreed.settle(make.record("say::any@2025-11-25", "passed"))
    other = agreed.settle(make.record("say::any@2025-06-18", "failed"))
    assert (one["outcome"], other["outcome"]) == ("passed", "expected")
    assert not agreed.closing([one, other], {}, ["say::any"])
    (stale,) = agreed.closing([one], {}, ["say::any"])
    assert stale["id"] == "baseline::say::any"


def test_an_entry_for_all_rows_is_stale_when_every_row_passes(agreed, make):
    rows = [agreed.settle(make.record(f"say::rows[{name}]", "passed")) for name in "ab"]
    (stale,) = agreed.closing(rows, {}, ["say::rows[a]", "say::rows[b]"])
    assert stale["outcome"] == "failed"
    assert "all 2 cases" in stale["reason"]


def test_a_selection_makes_nothing_stale(agreed, make):
    rows = [agreed.settle(make.record("say::rows[a]", "passed"))]
    assert not agreed.closing(rows, {}, ["say::rows[a]", "say::rows[b]"])
    bound = [agreed.settle(make.record("say::code", "passed", requirements=["MCP-BASE-037"]))]
    assert agreed.closing(bound, {}, ["say::code"])
    assert not agreed.closing(bound, {}, ["say::code", "say::not-run"])


def test_an_entry_that_met_no_case_that_could_be_tried_is_kept(agreed, make):
    rows = [agreed.settle(make.record("say::rows[a]", "not_applicable"))]
    assert not agreed.closing(rows, {}, ["say::rows[a]"])


def test_an_update_records_what_fails_and_nothing_that_only_warns(agreed, make, tmp_path):
    agreed.updating = True
    found = [
        agreed.settle(make.record("say::loud", "failed", mismatches=[make.mismatch("integer 3")])),
        agreed.settle(make.record("say::fresh", "failed", mismatches=[make.mismatch("null")])),
        agreed.settle(make.record("say::any", "passed")),
        agreed.settle(make.record("say::soft", "warned", mismatches=[make.mismatch("null")])),
        agreed.settle(make.record("say::gone", "failed", mismatches=[make.mismatch("null")])),
        agreed.settle(make.record("say::code", "failed", requirements=["MCP-BASE-037"])),
    ]
    assert [each["outcome"] for each in found] == ["expected", "expected", "passed", "warned", "failed", "expected"]
    path = tmp_path / "known.yaml"
    path.write_text(agreed.updated(found), encoding="utf-8")
    entries = {entry.name: entry for entry in load(path, updating=True).entries}
    assert list(entries) == ["say::loud", "say::gone", "say::today", "say::rows", "MCP-BASE-037", "say::fresh"]
    assert entries["say::loud"].mismatches[0]["actual"] == "integer 3"
    assert entries["say::gone"].expires == datetime.date(2026, 5, 31)


def test_an_update_twice_over_changes_nothing(agreed, make, tmp_path):
    agreed.updating = True
    found = [agreed.settle(make.record("say::fresh", "failed", mismatches=[make.mismatch("none (id 7)")]))]
    path = tmp_path / "known.yaml"
    path.write_text(agreed.updated(found), encoding="utf-8")
    once = path.read_text("utf-8")
    again = Agreed(load(path, updating=True), updating=True, today=TODAY)
    found = [again.settle(make.record("say::fresh", "failed", mismatches=[make.mismatch("none (id 8)")]))]
    assert again.updated(found) == once


# -- frozen sets


@pytest.mark.parametrize(
    ("identity", "outcome", "becomes", "new"),
    [
        ("old::case", "failed", "failed", False),
        ("old::case@2025-06-18", "failed", "failed", False),
        ("new::case", "failed", "warned", True),
        ("new::case", "passed", "passed", True),
        ("new::case", "error", "error", True),
        ("mine::case", "failed", "failed", False),
    ],
)
def test_a_bundled_case_that_is_newer_than_the_set_does_not_count(make, identity, outcome, becomes, new):
    agreed = Agreed(frozen=frozenset({"old::case"}), bundled=lambda name: not name.startswith("mine"))
    found = agreed.settle(make.record(identity, outcome))
    assert (found["outcome"], found.get("new", False)) == (becomes, new)


def test_without_a_set_everything_counts(make):
    assert Agreed().settle(make.record("new::case", "failed"))["outcome"] == "failed"


def test_a_listed_case_is_known_whether_it_is_new_or_not(agreed, make):
    agreed.frozen = frozenset({"old::case"})
    assert agreed.settle(make.record("say::any", "failed"))["outcome"] == "expected"


def test_a_set_is_written_once_and_read_back(tmp_path):
    folder = tmp_path / "released"
    assert frozen.versions(folder) == []
    frozen.write(folder, "0.9.0", ["b::x", "a::y[1]", "b::x"])
    frozen.write(folder, "0.10.0", [])
    assert frozen.read(folder, "0.9.0") == {"a::y[1]", "b::x"}
    assert frozen.versions(folder) == ["0.9.0", "0.10.0"]
    with pytest.raises(FileExistsError):
        frozen.write(folder, "0.9.0", [])
