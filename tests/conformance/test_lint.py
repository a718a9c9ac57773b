"""Lint: for each rule a file that breaks it at one place, and one like it that does not."""
# ruff: noqa: E501 - tables are read by their columns

from __future__ import annotations

from pathlib import Path

import pytest
from mcp_tck.conformance import suite
from mcp_tck.conformance.linting import lint
from mcp_tck.conformance.model import Level, Location, Problem, Requirement

STEP = "    steps: [{request: {method: ping}}]\n"
REQUIREMENTS = {
    "MCP-PING-1": Requirement("MCP-PING-1", Level.MUST, "A ping is answered.", "s", Location("spec/p.md", 1, 5))
}


def problems_of(folder: Path, **files: str) -> list[Problem]:
    paths = []
    for name, text in files.items():
        path = folder / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return lint.lint(paths, REQUIREMENTS)


def case(body: str, title: str = "a ping is answered") -> str:
    return f"format: 1\narea: one\ncases:\n  - id: it\n    title: {title}\n{body}"


PAIRS = {
    "title-style": (case(STEP, "a ping should be answered"), case(STEP), 5, 12),
    "title-length": (case(STEP, "x" * 80), case(STEP, "x" * 79), 5, 12),
    "unused-column": (
        case("    examples: [{name: a, given: 1, reads: 2}]\n    steps: [{reply: {$row: given}}]\n"),
        case("    examples: [{name: a, given: 1}]\n    steps: [{reply: {$row: given}}]\n"),
        6, 36,
    ),
    "cannot-fail": (
        case("    steps: [{request: {method: ping}, expect: {}}]\n"),
        case("    steps: [{request: {method: ping}, expect: {result: {}}}]\n"),
        6, 47,
    ),
    "no-reply-member": (
        case("    steps: [{request: {method: x}, expect: {code: -32601}}]\n"),
        case("    steps: [{request: {method: x}, expect: {error: {code: -32601}, code: {$absent: true}}}]\n"),
        6, 45,
    ),
    "unknown-requirement": (case("    covers: [MCP-PING-2]\n" + STEP), case("    covers: [MCP-PING-1]\n" + STEP), 6, 14),
    "unknown-capability": (
        case("    requires: {capabilities: [tool.listChanged]}\n" + STEP),
        case("    requires: {capabilities: ['tools.listChanged|!prompts', experimental.x]}\n" + STEP),
        6, 31,
    ),
}  # fmt: skip


@pytest.mark.parametrize("rule", PAIRS)
def test_a_rule_finds_the_bad_file_and_leaves_the_good_one(rule, tmp_path):
    bad, good, line, column = PAIRS[rule]
    found = problems_of(tmp_path, one=bad)
    assert [(problem.rule, problem.at.line, problem.at.column) for problem in found] == [(rule, line, column)]
    assert problems_of(tmp_path, one=good) == []


def test_a_bundled_case_covers_something(tmp_path, monkeypatch):
    monkeypatch.setattr(suite, "FIXTURES", tmp_path)
    assert [problem.rule for problem in problems_of(tmp_path, one=case(STEP))] == ["covers-nothing"]


@pytest.mark.parametrize(
    "title",
    ["tests a ping", "checks that a ping is answered", "a ping is answered.", "'one\n      \n      two'", "A ping is answered",
     "a ping must be answered"],
)  # fmt: skip
def test_a_title_is_a_fact(title, tmp_path):
    assert [problem.rule for problem in problems_of(tmp_path, one=case(STEP, title))] == ["title-style"]


@pytest.mark.parametrize("expect", ["{}", "{$any: true}", "{$optional: {}}", "{$one_of: [{error: {}}, {$any: true}]}"])
def test_an_expectation_that_holds_for_everything_is_none(expect, tmp_path):
    body = f"    steps: [{{reply: {expect}}}]\n"
    assert [problem.rule for problem in problems_of(tmp_path, one=case(body))] == ["cannot-fail"]


def test_the_hint_says_what_was_meant(tmp_path):
    found = problems_of(tmp_path, one=PAIRS["no-reply-member"][0]) + problems_of(
        tmp_path, one=PAIRS["unknown-capability"][0]
    )
    assert [problem.hint for problem in found] == ["did you mean error: {code: …}?", "did you mean tools.listChanged?"]


def test_problems_of_all_files_come_at_once_and_in_order(tmp_path):
    found = problems_of(
        tmp_path,
        two=case(STEP, "a ping should be answered").replace("area: one", "area: two"),
        one=case("    steps: [{reqest: {}}]\n    sesion: fresh\n"),
        three="cases: {\n",
    )
    rules = [problem.rule for problem in found]
    assert rules == ["unknown-step", "unknown-key", "yaml-syntax", "title-style"]


def test_a_named_file_is_checked_whatever_it_says_and_a_folder_is_searched(tmp_path):
    (tmp_path / "other.yaml").write_text("a: 1\n", encoding="utf-8")
    assert lint.lint([tmp_path], REQUIREMENTS) == []
    assert {problem.rule for problem in lint.lint([tmp_path / "other.yaml"], REQUIREMENTS)} == {
        "missing-key",
        "unknown-key",
    }


def test_the_bundled_files_are_clean():
    found, problems = suite.requirements()
    assert [str(problem) for problem in problems + lint.lint([suite.FIXTURES], found)] == []
