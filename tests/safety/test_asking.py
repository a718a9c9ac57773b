"""What a user asks for: the profile, the configuration, one case again, a baseline, an explanation."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys

import pytest
from mcp_tck.conformance import cli
from mcp_tck.conformance.config import ConfigError, load
from mcp_tck.conformance.safety import made
from mcp_tck.conformance.safety.allowed import AREAS
from mcp_tck.conformance.values import lower

CALLS = """\
command: server
call:
  list: [{limit: 3}, {limit: 4}]
  search: [{}]
safety: {calls: 50, seconds: 1.5}
read_only:
  args: [--read-only]
  env: {KEY: value}
  unclassified: [truncate]
  refuse: [{tool: add, arguments: {a: 1}}]
  state: [{tool: show}]
  watch: data
"""


@pytest.fixture
def write(tmp_path):
    def written(text):
        path = tmp_path / "tck.yaml"
        path.write_text(text)
        return path

    return written


def test_a_configuration_says_what_may_be_called(write, tmp_path):
    config = load(write(CALLS))
    assert {tool: [lower(given) for given in good] for tool, good in config.call.items()} == {
        "list": [{"limit": 3}, {"limit": 4}],
        "search": [{}],
    }
    assert (config.most_calls, config.most_seconds) == (50, 1.5)
    gate = config.read_only
    assert (gate.args, gate.env, gate.unclassified) == (("--read-only",), {"KEY": "value"}, ("truncate",))
    assert [(tool, lower(given)) for tool, given in (*gate.refuse, *gate.state)] == [("add", {"a": 1}), ("show", {})]
    assert gate.watch == str(tmp_path / "data")


def test_calls_can_be_a_list(write):
    listed = load(write("command: s\ncall: [{tool: a, arguments: {x: 1}}, {tool: a}, {tool: b}]\n"))
    assert {tool: len(good) for tool, good in listed.call.items()} == {"a": 2, "b": 1}


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("call: {a: [1]}\n", ["1:12"]),
        ("call: {a: {}}\n", ["1:11"]),
        ("call: {a: []}\n", ["1:11"]),
        ("call: [{tol: a}]\n", ["1:8", "1:9"]),
        ("call: [{tool: a, arguments: 3}]\n", ["1:29"]),
        ("call: 3\n", ["1:7"]),
        ("safety: {calls: 0}\n", ["1:17"]),
        ("safety: {second: 3}\n", ["1:10"]),
        ("read_only: {}\n", ["1:12"]),
        ("read_only: {args: [a], command: b}\n", ["1:19"]),
        ("read_only: {args: [a], refuse: [{}]}\n", ["1:33"]),
        ("read_only: {args: [a], wach: b}\n", ["1:24"]),
    ],
)
def test_every_fault_of_it_is_told_at_its_place(write, text, places):
    with pytest.raises(ConfigError) as caught:
        load(write(text))
    assert [line.partition("tck.yaml:")[2].partition(": ")[0] for line in str(caught.value).splitlines()] == places


TARGET = [sys.executable, "-m", "mcp_tck.reference"]


def run(tmp_path, *words):
    return subprocess.run(
        [sys.executable, "-m", "mcp_tck.conformance.cli", "run", *words, "--", *TARGET],
        capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False,
        env={**os.environ, "PYTEST_ADDOPTS": ""},
    )  # fmt: skip


CASE = "safety/arguments::generate_name.seed[fraction]"


def test_nothing_is_called_unless_it_is_asked_for(tmp_path):
    done = run(tmp_path, "--case", CASE)
    assert done.returncode == 4
    assert "which has to be asked for: say --profile=safety" in done.stderr + done.stdout


def test_one_case_runs_again_by_its_id(tmp_path):
    done = run(tmp_path, "--profile", "safety", "--case", CASE)
    assert done.returncode == 0, done.stdout
    assert "mcp-tck: safety calls, since it declares readOnlyHint: list_documents" in done.stdout


def test_an_id_that_no_catalogue_gives_is_a_usage_error_with_a_hint(tmp_path):
    done = run(tmp_path, "--profile", "safety", "--case", CASE.replace("seed", "sead"))
    assert done.returncode == 4
    assert f"did you mean {CASE}?" in done.stderr + done.stdout


def test_a_baseline_can_name_a_made_case(tmp_path):
    (tmp_path / "known.yaml").write_text(
        "format: 1\nentries:\n  - {case: 'safety/arguments::gone.x[text]', reason: known}\n"
    )
    done = run(tmp_path, "--profile", "safety", "--case", CASE, "--baseline", "known.yaml")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_id_of_a_made_case_is_explained():
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert cli.main(["explain", CASE]) == 0
    assert "made from the catalogue of the target" in out.getvalue()
    assert "SAFE-ARG-3 (must)" in out.getvalue()


def test_the_areas_that_every_run_knows_are_those_of_the_made_cases():
    assert tuple(made.KINDS) == AREAS
