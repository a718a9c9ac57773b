"""What can never hold or never fail in expectations of calls, and what lint says of nothing to check."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from mcp_tck.conformance import cli
from mcp_tck.conformance.linting import lint

GOOD = Path(__file__).parent / "unknown-key" / "good.yaml"


def rules(tmp_path, step, *more):
    path = tmp_path / "one.yaml"
    listed = "".join(f"      - {{{each}}}\n" for each in (step, *more))
    path.write_text(f"format: 1\narea: one\ncases:\n  - id: it\n    title: a note is read\n    steps:\n{listed}")
    return [problem.rule for problem in lint.lint([path], {})]


@pytest.mark.parametrize(
    "expect",
    [
        "{refused: true, text: a}",
        "{refused: true, json: {a: 1}}",
        "{refused: true, structured: {a: 1}}",
        "{refused: true, content: [{type: text}]}",
        "{refused: true, ok: true}",
        "{refused: false, ok: false}",
        "{error: {code: -32602}, text: a}",
        "{error: {code: -32602}, ok: true}",
        "{error: {code: -32602}, ok: false}",
        "{error: {code: -32602}, refused: false}",
        "{text: 3}",
        "{text: true}",
        "{text: [a, b]}",
        "{text: {a: 1}}",
        "{text: {$contains: [a, b]}}",
        "{text: {$contains: 3}}",
        "{json: {rows: {$length: {min: 3, max: 2}}}}",
        "{json: [{$not: {$length: {min: 3, max: 2}}}]}",
    ],
)
def test_an_expectation_that_nothing_can_meet_is_found(expect, tmp_path):
    assert rules(tmp_path, f"call: {{tool: t}}, expect: {expect}") == ["cannot-hold"]


@pytest.mark.parametrize(
    "expect",
    [
        "{refused: true}",
        "{refused: false, text: a}",
        "{ok: false, refused: true, text: a}",
        "{error: {code: -32602}, refused: true}",
        "{error: {$absent: true}, text: a}",
        "{text: {$contains: a}}",
        "{text: {$one_of: [a, b]}}",
        "{text: {$contains: {$literal: a}}}",
        "{json: {$contains: [a, b]}}",
        "{json: {$length: {min: 2, max: 2}}}",
        "{json: {$length: {min: 3}}}",
        "{json: {$literal: {$length: {min: 3, max: 2}}}}",
    ],
)
def test_an_expectation_that_something_meets_is_left_alone(expect, tmp_path):
    assert rules(tmp_path, f"call: {{tool: t}}, expect: {expect}") == []


def test_a_case_of_calls_without_an_expectation_cannot_fail(tmp_path):
    assert rules(tmp_path, "call: {tool: t}", "notify: {method: a}", "call: {tool: u}") == ["cannot-fail"]


@pytest.mark.parametrize(
    "step", ["call: {tool: t}, expect: {ok: true}", "silence: {}", "notification: {method: a}", "request: {method: a}"]
)
def test_a_call_before_what_is_looked_at_needs_no_expectation(step, tmp_path):
    assert rules(tmp_path, "call: {tool: t}", step) == []


@pytest.mark.parametrize("expect", ["", ", expect: {ok: true}", ", expect: {refused: true}", ", expect: {ok: false}"])
def test_a_tool_that_is_not_on_record_is_found_whatever_is_expected(expect, tmp_path):
    record = Path(__file__).parent / "unknown-tool" / "catalogue.yaml"
    path = tmp_path / "one.yaml"
    steps = f"[{{call: {{tool: none}}{expect}}}, {{call: {{tool: tck_none}}, expect: {{refused: true}}}}]"
    path.write_text(f"format: 1\narea: one\ncases:\n  - id: it\n    title: a note is read\n    steps: {steps}\n")
    assert [problem.rule for problem in lint.lint([path], {}, record)] == ["unknown-tool"]


def test_a_folder_without_case_files_is_not_clean(tmp_path, capsys):
    (tmp_path / "notes.yaml").write_text("a: 1\n")
    assert cli.main(["lint", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"mcp-tck lint: no case files in {tmp_path}\n"


def test_how_many_files_were_checked_is_told(tmp_path, capsys):
    for name in ("a", "b"):
        shutil.copyfile(GOOD, tmp_path / f"{name}.yaml")
        (tmp_path / f"{name}.yaml").write_text(GOOD.read_text().replace("area: good", f"area: {name}"))
    assert cli.main(["lint", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "no problems in 2 files\n"
    assert cli.main(["lint", str(tmp_path / "a.yaml")]) == 0
    assert capsys.readouterr().out == "no problems in 1 file\n"
