"""A folder with case files, a right target, and pytest as a user runs it."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import sys
from pathlib import Path

import pytest
from mcp_tck.conformance.targets.process import MARKER

from .talking import opened

HOSTILE = Path(__file__).parents[1] / "hostile"
RIGHT = f"{shlex.quote(sys.executable)} -S {shlex.quote(str(HOSTILE / 'right.py'))}"

DEMO = """\
format: 1
area: demo
cases:
  - id: ping
    title: ping is answered
    covers: [MCP-PING-001]
    steps:
      - request: {method: ping}
        expect: {result: {}}
  - id: rows
    title: every row is answered
    examples:
      - {name: one, number: 1}
      - {name: two, number: 2}
    steps:
      - request: {method: ping, params: {_meta: {number: {$row: number}}}}
        expect: {result: {}}
  - id: quiet
    title: an unreadable line is survived
    steps:
      - send_line: "{nonsense"
      - request: {method: ping}
"""

WRONG = """\
format: 1
area: more/wrong
cases:
  - id: wrong
    title: ping is refused
    steps:
      - request: {method: ping}
        expect: {error: {code: -32601}}
  - id: should
    title: a result has a colour
    covers: [MCP-BASE-016]
    steps:
      - request: {method: ping}
        expect: {result: {colour: red}}
  - id: not-ours
    title: a colour is offered
    requires: {tools: [tck_colour]}
    steps:
      - request: {method: ping}
"""


def carriers():
    """The processes that live and were started by any kit as a target."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if any(each.startswith(f"{MARKER}=".encode()) for each in entry.read_bytes().split(b"\0")):
                found.add(int(entry.parent.name))
    return found


class User:
    """Somebody with a folder of case files, who runs pytest in it."""

    right = RIGHT
    wrong_cases = WRONG

    def __init__(self, pytester):
        self.pytester = pytester
        self.path = pytester.path
        self.file("cases/demo.yaml", DEMO)

    def file(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def program(self, name, text):
        """A Python program as a target; answers its command line."""
        path = self.file(name, text)
        return f"{shlex.quote(sys.executable)} -S {shlex.quote(str(path))}"

    def pytest(self, *words, timeout=60):
        """Run pytest in a process of its own, without what is slow to load and has no part here."""
        slow = ("-p", "no:hypothesispytest", "-p", "no:syrupy", "-p", "no:cacheprovider")
        return self.pytester.runpytest_subprocess(*slow, *map(str, words), timeout=timeout)

    @staticmethod
    def verdicts(result):
        """Outcome by case id, without the standing checks."""
        cases = result.report["cases"]
        return {each["id"]: each["outcome"] for each in cases if not each["id"].startswith("session/")}

    @staticmethod
    def standing(result):
        """The standing checks that did not pass, with their outcome."""
        cases = [each for each in result.report["cases"] if each["id"].startswith("session/")]
        return {each["id"]: each["outcome"] for each in cases if each["outcome"] != "passed"}

    def run(self, *words, target=RIGHT, paths=("cases",), **options):
        """Run the case files on a target; answers the result, with `report` as the JSON report."""
        out = self.path / "out.json"
        out.unlink(missing_ok=True)
        given = [] if target is None else [f"--target={target}"]
        result = self.pytest(*paths, *given, f"--tck-report={out}", *words, **options)
        result.report = json.loads(out.read_text("utf-8")) if out.exists() else None
        return result


@pytest.fixture
def talk():
    """A conversation in a case, after its opening."""
    return opened()


@pytest.fixture
def user(pytester, monkeypatch):
    """At the end nothing that was started below the folder may live; other tests may run beside this one."""
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    yield User(pytester)
    if sys.platform == "linux":
        assert {pid for pid in carriers() if _is_below(pid, pytester.path)} == set()


def _is_below(pid, folder):
    with contextlib.suppress(OSError):
        return Path(os.readlink(f"/proc/{pid}/cwd")).is_relative_to(folder)
    return False
