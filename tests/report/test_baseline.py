"""Baselines: read with every error at its line, and brought up to date without touching what stays."""

from pathlib import Path

import pytest
from mcp_tck.conformance.agreement import baseline
from mcp_tck.conformance.agreement.baseline_update import update

FULL = """\
# what we know about ourselves
format: 1
entries:
  # the router
  - case: say::loud   # since version 2
    reason: being rewritten
    issue: https://example.org/17
    expires: "2027-01-31"
    mismatches:
      - {pointer: /text, expected: string, actual: "null"}

  - requirement: MCP-BASE-037
    reason: codes are ours

  # many words
  - case: say::rows
    reason: |
      first line
      second line
  - {case: say::flow, reason: short}
"""


def load(tmp_path, text, *, updating=False):
    path = tmp_path / "known.yaml"
    path.write_text(text, encoding="utf-8")
    return baseline.load(path, updating=updating)


def faults(tmp_path, text):
    with pytest.raises(baseline.BaselineError) as caught:
        load(tmp_path, text)
    return [line.removeprefix(f"{tmp_path}/") for line in str(caught.value).splitlines()]


def test_all_members_of_an_entry_are_read(tmp_path):
    first, second, third, _ = load(tmp_path, FULL).entries
    assert (first.name, first.reason, first.issue) == ("say::loud", "being rewritten", "https://example.org/17")
    assert first.expires.isoformat() == "2027-01-31"
    assert first.mismatches == [{"pointer": "/text", "expected": "string", "actual": "null"}]
    assert second.requirement
    assert second.mismatches is None
    assert third.reason == "first line\nsecond line"
    assert str(first.at).endswith("known.yaml:5:11")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("format: 1\nentries:\n  - case: a::b\n", "known.yaml:3:5: missing-reason"),
        ("format: 1\nentries:\n  - case: a::b\n    reason: ' '\n", "known.yaml:3:5: missing-reason"),
        ("format: 1\nentries:\n  - reason: x\n", "known.yaml:3:5: baseline: an entry names either"),
        ("format: 1\nentries:\n  - case: a\n    requirement: B-1\n    reason: x\n", "known.yaml:3:5: baseline"),
        (
            "format: 1\nentries:\n  - {case: a, reason: x}\n  - {case: a, reason: z}\n",
            "known.yaml:4:12: duplicate-entry",
        ),
        ("format: 1\nentries:\n  - case: a\n    reson: x\n", "known.yaml:4:5: unknown-key"),
        ("format: 1\nentries:\n  - case: a\n    reason: x\n    expires: soon\n", "known.yaml:5:14: bad-date"),
        ("format: 1\nentries:\n  - case: a\n    reason: x\n    expires: 2027-01-31\n", "known.yaml:5:14: "),
        ("format: 1\nentries:\n  - case: a\n    reason: 3\n", "known.yaml:4:13: baseline: `reason` is a text"),
        ("format: 1\nentries: {}\n", "known.yaml:2:10: baseline: `entries` is a list"),
        ("format: 1\nentries:\n  - case: a\n    reason: x\n    mismatches: all\n", "known.yaml:5:17: baseline"),
        ("format: 2\nentries: []\n", "known.yaml:1:9: format"),
        ("entries: []\n", "known.yaml:1:1: format"),
        ("- a\n", "known.yaml:1:3: baseline"),
        ("format: 1\nentries: [\n", "known.yaml:3:1: yaml-syntax"),
        ("format: 1\nentries: [&a b]\n", "known.yaml:2:11: anchor"),
    ],
)
def test_a_fault_is_told_at_its_line(tmp_path, text, line):
    assert any(told.startswith(line) for told in faults(tmp_path, text)), faults(tmp_path, text)


def test_all_faults_are_told_at_once(tmp_path):
    told = faults(tmp_path, "format: 1\nentries:\n  - case: a\n  - reason: x\n  - {case: b, reason: c, why: d}\n")
    assert len(told) == 3


def test_a_missing_file_is_an_error_unless_it_is_to_be_written(tmp_path):
    with pytest.raises(baseline.BaselineError, match="there is no such file"):
        baseline.load(tmp_path / "none.yaml")
    assert baseline.load(tmp_path / "none.yaml", updating=True).entries == []


def test_unknown_ids_are_told_with_the_nearest_one(tmp_path):
    known = load(
        tmp_path, "format: 1\nentries:\n  - {case: say::lod, reason: x}\n  - {requirement: MCP-BASE-37, reason: x}\n"
    )
    told = [str(each) for each in baseline.unknown(known, lambda: {"say::loud", "say::rows[a]"}, ["MCP-BASE-037"])]
    assert "known.yaml:3:12: unknown-case: no case has the id say::lod (did you mean say::loud?)" in told[0]
    assert "known.yaml:4:19: unknown-requirement" in told[1]


@pytest.mark.parametrize("name", ["say::rows", "say::rows[a]", "say::rows@2025-11-25", "say::rows[a]@2025-11-25"])
def test_a_case_may_be_named_without_its_row_and_its_revision(tmp_path, name):
    known = load(tmp_path, f"format: 1\nentries:\n  - case: {name}\n    reason: x\n")
    assert not baseline.unknown(known, lambda: {"say::rows[a]"}, [])
    assert known.find("say::rows[a]@2025-11-25", []).name == name
    assert known.find("say::rows[b]@2025-06-18", []) is None or name == "say::rows"


def test_the_narrowest_entry_speaks(tmp_path):
    known = load(
        tmp_path,
        "format: 1\nentries:\n  - {requirement: A-1, reason: r}\n  - {case: say::rows, reason: all}\n"
        '  - {case: "say::rows[a]", reason: one}\n',
    )
    assert known.find("say::rows[a]", ["A-1"]).reason == "one"
    assert known.find("say::rows[b]", ["A-1"]).reason == "all"
    assert known.find("say::other", ["A-1"]).reason == "r"
    assert known.find("say::other", ["A-2"]) is None


# -- update


def updated(tmp_path, text, failing, passing=()):
    made = update(load(tmp_path, text, updating=True), failing, passing)
    return made, load(tmp_path, made, updating=True)


NULL = [{"pointer": "/text", "expected": "string", "actual": "null"}]


def test_what_has_not_changed_stays_byte_for_byte(tmp_path):
    made, _ = updated(tmp_path, FULL, {"say::loud": NULL, "say::rows[a]": NULL})
    assert made == FULL


def test_a_case_that_passes_goes_and_takes_no_comment_of_another_with_it(tmp_path):
    made, known = updated(tmp_path, FULL, {}, ["say::loud", "say::flow"])
    assert [entry.name for entry in known.entries] == ["MCP-BASE-037", "say::rows"]
    assert "# many words" in made
    assert made.startswith("# what we know about ourselves\nformat: 1\nentries:\n  # the router\n")


def test_an_entry_for_all_rows_stays_while_one_row_fails(tmp_path):
    made, _ = updated(tmp_path, FULL, {"say::rows[a]": NULL}, ["say::rows[b]", "say::rows"])
    assert made == FULL


def test_another_mismatch_replaces_only_the_recorded_one(tmp_path):
    other = [{"pointer": "/text", "expected": "string", "actual": 'string "it\'s: #1"'}]
    made, known = updated(tmp_path, FULL, {"say::loud": other})
    assert known.entries[0].mismatches == other
    assert known.entries[0].issue == "https://example.org/17"
    assert "# since version 2" in made
    assert made.count("\n") == FULL.count("\n")


def test_a_new_failure_is_added_at_the_end_with_a_reason_to_be_replaced(tmp_path):
    made, known = updated(tmp_path, FULL, {'say::odd[a "b"]': NULL})
    assert made.startswith(FULL)
    assert known.entries[-1].name == 'say::odd[a "b"]'
    assert known.entries[-1].reason == baseline.UNTOLD
    line = len(made.splitlines()) - 2
    told = 'say::odd[a "b"] has still the reason that the update wrote (say why this failure is known)'
    assert faults(tmp_path, made) == [f"known.yaml:{line}:13: missing-reason: {told}"]


@pytest.mark.parametrize(
    "text", ["", "format: 1\nentries: []\n", "format: 1\nentries: []", "# mine\nformat: 1\nentries:  []\n"]
)
def test_an_empty_baseline_takes_a_first_entry_and_gives_it_back(tmp_path, text):
    made, known = updated(tmp_path, text, {"say::loud": NULL})
    assert [entry.name for entry in known.entries] == ["say::loud"]
    assert ("# mine" in made) is ("# mine" in text)
    back, known = updated(tmp_path, made, {}, ["say::loud"])
    assert known.entries == []
    assert back.endswith("entries: []\n")


@pytest.mark.parametrize(
    "entry",
    [
        "- {case: say::loud, reason: 'a, b'}\n",
        "  - mismatches: []\n    case: say::loud\n    reason: x\n",
        "  -\n    case: say::loud\n    reason: x\n    mismatches: [{pointer: a, expected: b, actual: c}]\n",
        '  - case: say::loud\n    mismatches:\n    - pointer: a\n      expected: b\n      actual: "c"\n    reason: x\n',
        "  - case: say::loud\n    mismatches: []\n    reason: >\n      long\n      words\n",
    ],
)
def test_every_way_to_write_an_entry_can_be_changed_and_removed(tmp_path, entry):
    text = (
        f"format: 1\nentries:\n{entry}{' ' * (len(entry) - len(entry.lstrip()))}- {{case: say::next, reason: kept}}\n"
    )
    if entry.startswith("- {"):
        text = text.replace(
            "- {case: say::loud, reason: 'a, b'}", "- {case: say::loud, reason: 'a, b', mismatches: []}"
        )
    _, known = updated(tmp_path, text, {"say::loud": NULL})
    assert [(each.name, each.mismatches) for each in known.entries] == [("say::loud", NULL), ("say::next", None)]
    _, known = updated(tmp_path, text, {}, ["say::loud"])
    assert [each.name for each in known.entries] == ["say::next"]


def test_nothing_of_the_path_is_needed_to_be_there():
    assert update(baseline.Baseline(Path("none.yaml")), {}, []) == "format: 1\nentries: []\n"
