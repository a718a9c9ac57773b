"""Snapshots of a target: what is kept, what counts as a change, and how it is shown."""

from __future__ import annotations

import subprocess
import sys

import pytest
from mcp_tck.conformance import cli
from mcp_tck.conformance.authoring.snapshots import AREA, PARTS, ordered
from mcp_tck.conformance.authoring.volatile import named
from mcp_tck.conformance.report import terminal
from mcp_tck.conformance.report.again import Again
from mcp_tck.conformance.values import lift

from .conftest import Catalogue, tool


def outcomes(records):
    return {name: each["outcome"] for name, each in records.items()}


def changed(records):
    return {name for name, each in records.items() if each["outcome"] == "failed"}


def test_without_a_snapshot_nothing_is_green_and_the_way_on_is_told(play, catalogue, tmp_path):
    records = play(catalogue)
    assert outcomes(records) == {
        "tools": "not_exercised",
        "resources": "not_exercised",
        "templates": "not_applicable",
        "prompts": "not_exercised",
        "instructions": "not_exercised",
    }
    assert records["tools"]["reason"] == (
        f"there is no snapshot {tmp_path}/snaps/tools.yaml: run with --snapshots-update to write it"
    )
    assert not (tmp_path / "snaps").exists()


def test_an_update_writes_a_file_for_each_part_that_there_is_and_the_same_target_passes(play, catalogue, tmp_path):
    assert set(outcomes(play(catalogue, update=True)).values()) == {"passed", "not_applicable"}
    assert {path.name for path in (tmp_path / "snaps").iterdir()} == {
        "tools.yaml",
        "resources.yaml",
        "prompts.yaml",
        "instructions.yaml",
    }
    assert outcomes(play(Catalogue())) == dict.fromkeys(PARTS, "passed") | {"templates": "not_applicable"}


def test_every_page_is_in_the_snapshot_and_where_the_pages_end_is_not(play, catalogue, tmp_path):
    play(catalogue, update=True)
    text = (tmp_path / "snaps" / "tools.yaml").read_text("utf-8")
    assert [name for name in ("find", "read", "write") if f"name: {name}" in text] == ["find", "read", "write"]
    assert changed(play(Catalogue(pages=50))) == set()


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda it: it.tools[1].update(description="What read does not."), "tools"),
        (lambda it: it.tools[2]["inputSchema"]["properties"].update(query={"type": "number"}), "tools"),
        (lambda it: it.tools[0]["inputSchema"].update(required=[]), "tools"),
        (lambda it: it.tools.reverse(), "tools"),
        (lambda it: it.tools.pop(), "tools"),
        (lambda it: it.tools.append(tool("more")), "tools"),
        (lambda it: it.prompts[0].update(name="greeting"), "prompts"),
        (lambda it: setattr(it, "instructions", "Begin with read."), "instructions"),
        (lambda it: setattr(it, "instructions", None), "instructions"),
        (lambda it: setattr(it, "capabilities", ("tools", "resources")), "prompts"),
        (lambda it: it.errors.update({"prompts/list": -32601}), "prompts"),
        (lambda it: it.errors.update({"prompts/list": -32603}), "prompts"),
    ],
)
def test_a_change_fails_its_part_and_no_other(play, catalogue, change, part):
    play(catalogue, update=True)
    other = Catalogue()
    change(other)
    assert changed(play(other)) == {part}


def test_a_list_that_is_new_is_not_green(play, catalogue):
    play(catalogue, update=True)
    assert outcomes(play(Catalogue(errors={"resources/templates/list": -32603})))["templates"] == "not_exercised"


def test_the_failure_shows_the_lines_and_the_tool_in_which_they_stand(play, catalogue, tmp_path):
    play(catalogue, update=True)
    other = Catalogue()
    other.tools[1]["inputSchema"]["required"] = []
    record = play(other)["tools"]
    block = terminal.block(record, Again(("small",)), lambda *_: None)
    assert f"expected what {tmp_path}/snaps/tools.yaml keeps, got another text: 2 lines gone, 1 line new" in block
    assert "the target is not as it is on record" in block
    shown = [line.strip() for line in block.splitlines()]
    assert any(line.startswith("@@ ") and line.endswith("@@ name: read") for line in shown)
    assert {"-      required:", "-        - query", "+      required: []"} <= set(shown)
    assert "keep       with --snapshots-update, where the change is meant" in shown


def test_no_target_writes_to_the_terminal_through_a_diff(play, catalogue):
    play(catalogue, update=True)
    record = play(Catalogue(instructions="Begin\x1b[2J with\u202e\nread."))["instructions"]
    block = terminal.block(record, Again(("small",)), lambda *_: None)
    assert not {"\x1b", "\u202e"} & set(block)


def test_what_differs_every_time_and_the_order_of_members_are_no_change(play, catalogue):
    catalogue.instructions = "Up since 2025-01-02T03:04:05Z in /tmp/a1b2 as 123e4567-e89b-12d3-a456-426614174000."
    play(catalogue, update=True)
    other = Catalogue()
    other.instructions = "Up since 2026-11-12T13:14:15Z in /tmp/z9 as 00000000-e89b-12d3-a456-426614174000."
    other.tools = [dict(reversed(each.items())) for each in other.tools]
    assert changed(play(other)) == set()


def test_the_names_that_stand_for_what_is_left_out_can_be_read():
    value = lift({"at": "2025-01-02T03:04:05Z", "startedAt": 1735787045, "apiKey": "abc", "nextCursor": "x", "n": 7})
    assert ordered(named(value)) == {
        "apiKey": "REDACTED",
        "at": "<a time>",
        "n": lift(7),
        "nextCursor": "<made up>",
        "startedAt": "<a number>",
    }


def test_a_value_from_the_environment_is_not_written_down(play, catalogue, tmp_path):
    catalogue.instructions = 'The key is "very-hush".'
    play(catalogue, update=True, env={"KEY": "very-hush"})
    text = (tmp_path / "snaps" / "instructions.yaml").read_text("utf-8")
    assert "$KEY" in text
    assert "hush" not in text


def test_an_update_takes_away_what_is_no_longer_there_and_leaves_the_same_text_alone(play, catalogue, tmp_path):
    play(catalogue, update=True)
    kept = tmp_path / "snaps" / "tools.yaml"
    before = kept.stat().st_mtime_ns
    assert outcomes(play(Catalogue(instructions=None), update=True))["instructions"] == "passed"
    assert not (tmp_path / "snaps" / "instructions.yaml").exists()
    assert kept.stat().st_mtime_ns == before


def test_an_update_writes_nothing_from_a_list_that_was_not_answered(play, catalogue, tmp_path):
    play(catalogue, update=True)
    before = (tmp_path / "snaps" / "tools.yaml").read_bytes()
    record = play(Catalogue(errors={"tools/list": -32603}), update=True)["tools"]
    assert record["outcome"] == "not_exercised"
    assert record["reason"] == "nothing was written: the error -32603, for tools/list"
    assert (tmp_path / "snaps" / "tools.yaml").read_bytes() == before


def test_half_a_surrogate_pair_can_be_kept(play, catalogue):
    catalogue.instructions = "half \ud83d pair"
    play(catalogue, update=True)
    assert changed(play(Catalogue(instructions="half \ud83d pair"))) == set()
    assert changed(play(Catalogue(instructions="half \ud83e pair"))) == {"instructions"}


def test_a_file_that_is_no_text_is_an_error_of_its_owner(play, catalogue, tmp_path):
    play(catalogue, update=True)
    (tmp_path / "snaps" / "tools.yaml").write_bytes(b"\xff\xfe")
    record = play(Catalogue())["tools"]
    assert record["outcome"] == "error"
    assert "tools.yaml cannot be used" in record["reason"]


def test_all_parts_share_a_process_that_no_other_case_has_touched(play, catalogue):
    play(catalogue, update=True)
    assert catalogue.calls.count("initialize") == 2  # the opening that learns, and the one that is kept for snapshots


def run(folder, *words):
    chosen = [word for part in ("tools", "instructions") for word in ("--case", f"{AREA}::{part}")]
    return cli.main(["run", *words, *chosen, "--", sys.executable, "-m", "mcp_tck.reference", *folder])


def test_the_command_writes_and_compares(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert run([], "--snapshots", "snaps") == 1
    assert "nothing was shown" in capfd.readouterr().out
    assert run([], "--snapshots", "snaps", "--snapshots-update") == 0
    assert "snapshots written to snaps: look through what changed before you keep it" in capfd.readouterr().out
    assert run([], "--snapshots", "snaps") == 0
    assert run(["--read-only"], "--snapshots", "snaps") == 1
    told = capfd.readouterr().out
    assert "-  - name: update_document" in told
    assert "again      mcp-tck run --snapshots snaps --case snapshot/catalogue::tools" in told


def test_what_is_asked_for_wrongly_is_a_usage_error(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    for words, told in (
        (("--snapshots-update",), "--snapshots-update needs --snapshots FOLDER"),
        (("--snapshots", "file"), "--snapshots file: a folder is needed"),
        ((), "snapshot/catalogue::tools needs a folder of snapshots: say --snapshots=FOLDER"),
    ):
        assert run([], *words) == 4
        assert told in capfd.readouterr().err


def test_the_update_option_of_syrupy_writes_them_too(tmp_path):
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--tck-snapshots=snaps", "--pyargs"]
    words += ["mcp_tck.conformance", f"--target={sys.executable} -m mcp_tck.reference"]
    words += [f"--tck-case={AREA}::instructions"]
    for more in (["--snapshot-update"], ["-n", "1"]):
        done = subprocess.run([*words, *more], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert (tmp_path / "snaps" / "instructions.yaml").exists()
