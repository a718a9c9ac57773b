"""What the README promises, held against what is there: commands, options, the failure, the case file, links."""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
from pathlib import Path

from mcp_tck.conformance import cli, optionlist
from mcp_tck.conformance.casefile import cases
from mcp_tck.conformance.report.writers import SUFFIXES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = dict(re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL))


def ours(words):
    """Words that are options, with their metavar."""
    return set(re.findall(r"`(--[a-z-]+(?: [A-Z]+)?)`", words))


def table():
    """The options of pytest and those of the command, as the table pairs them."""
    rows = [line.strip("|").split("|") for line in README.splitlines() if line.startswith("| `--tck-")]
    return [(ours(left), ours(right)) for left, right, *_ in rows]


class Options:
    """Takes the place of pytest's parser, and notes what is added."""

    def __init__(self):
        self.names = set()

    def getgroup(self, *_):
        return self

    def addoption(self, name, metavar="", **_):
        self.names.add(f"{name} {metavar}".strip())


def of_command():
    """The options of `mcp-tck run`."""
    parser = cli._parser(["run"])
    (commands,) = (each for each in parser._actions if isinstance(each, argparse._SubParsersAction))
    return {
        f"{action.option_strings[-1]} {action.metavar or ''}".strip()
        for action in commands.choices["run"]._actions
        if action.option_strings and action.option_strings[-1].startswith("--")
    }


def test_the_two_commands_stand_there_in_the_form_that_ci_reads():
    for path in ("conformance", "tests -n auto"):
        found = re.findall(rf"^    (python3 -m venv .*pytest {path}.*)$", README, re.MULTILINE)
        assert found == [f"python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]' && .venv/bin/pytest {path}"]
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    for path in ("conformance", "tests"):
        assert f"s/^    \\(python3 -m venv .*pytest {path}.*\\)$/\\1/p" in script


def test_the_table_has_every_option_of_pytest():
    options = Options()
    optionlist.add(options)
    assert set.union(*(left for left, _ in table())) == options.names - {"--tck-target CMD"}


def test_the_table_has_every_option_of_the_command():
    told_elsewhere = {"--target CMD", "--verbose", "--quiet", "--help", "--junitxml PATH"}
    assert set.union(*(right for _, right in table())) == of_command() - told_elsewhere
    assert "`--junitxml PATH`" in README


def test_the_options_of_a_row_are_the_same_but_for_the_prefix():
    for left, right in table():
        assert {each.replace("--tck-", "--") for each in left} == right


def test_every_format_of_a_report_is_named():
    (row,) = (line for line in README.splitlines() if line.startswith("| `--tck-report"))
    assert set(re.findall(r"`(\.\w+)`", row)) == set(SUFFIXES)


def test_every_command_is_named():
    for command in {"run", *cli._MODULES} - {"freeze"}:  # for whoever makes a release of the kit
        assert f"`{command}`" in README or f"mcp-tck {command}" in README, command


def test_the_sample_failure_is_what_the_kit_prints(tmp_path):
    block = BLOCKS[""].strip("\n")
    (again,) = re.findall(r"again +(mcp-tck run .*)$", block)
    program, *words = shlex.split(again)
    assert program == "mcp-tck"
    server = tmp_path / "server"
    server.write_text(
        f"#!/bin/sh\nexec {shlex.quote(sys.executable)} -m mcp_tck.reference --probe --fault unknown-method-succeeds\n"
    )
    server.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-m", "mcp_tck.conformance.cli", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("FAILED "))
    printed = lines[first : first + len(block.splitlines())]
    # Line numbers and ids move when a case is written above or before this one.
    assert [re.sub(r"\d+", "#", line) for line in printed] == [re.sub(r"\d+", "#", line) for line in block.splitlines()]


def test_the_sample_case_file_is_one():
    found, problems = cases.loads(BLOCKS["yaml"].encode(), "notes.yaml", "notes")
    assert problems == []
    assert [case.id for case in found] == ["notes::a-note-can-be-found"]


def test_every_link_leads_somewhere():
    links = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", README) if "://" not in link]
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
