"""Records made by hand, and the command `mcp-tck` run on a small server as a user runs it."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from mcp_tck.conformance import suite
from mcp_tck.conformance.report import json_report
from mcp_tck.conformance.report.again import Again
from mcp_tck.conformance.report.material import Material

SMALL = Path(__file__).with_name("small_server.py")

CASES = """\
format: 1
area: say
cases:

  - id: hello
    title: a greeting comes back
    covers: [MCP-TOOL-017]
    steps:
      - call: {tool: say, arguments: {text: hello}}
        expect: {text: hello}

  - id: again
    title: a greeting comes back twice
    covers: [MCP-TOOL-017]
    steps:
      - call: {tool: say, arguments: {text: hello}}
        expect: {text: hello}

  - id: code
    title: an unknown method has its code
    covers: [MCP-BASE-037]
    steps:
      - request: {method: none/such}
        expect: {error: {code: -32601}}
"""


def record(identity, outcome, **more):
    """A record with what every record has; `at` puts an expectation into the case file."""
    given = {
        "id": identity,
        "file": "cases/say.yaml",
        "line": 5,
        "title": "a greeting comes back",
        "area": identity.partition("::")[0],
        "level": "must",
        "requirements": ["MCP-BASE-002"],
        "revision": "2025-11-25",
        "outcome": outcome,
        "reason": "",
        "duration": 0.004,
        "mismatches": [],
        "transcript": [],
    }
    return given | more


def mismatch(actual, expected='string "hello"', pointer="/text", **more):
    return {"pointer": pointer, "expected": expected, "actual": actual, **more}


@pytest.fixture
def make():
    return SimpleNamespace(record=record, mismatch=mismatch)


@pytest.fixture
def records():
    """One or more of every outcome."""
    at = {"file": "cases/say.yaml", "line": 10, "column": 25, "length": 5}
    talk = [
        {"t": 0.1, "dir": ">", "line": '{"jsonrpc":"2.0","id":7,"method":"tools/call"}'},
        {"t": 0.2, "dir": "<", "line": '{"jsonrpc":"2.0","id":7,"result":{"content":[]}} <b>`**@all'},
        {"t": 5.2, "dir": "!", "line": "nothing more came within 5 s"},
    ]
    wrong = {
        "mismatches": [mismatch('string "HELLO <b>`"', at=at)],
        "transcript": talk,
        "stderr": "Traceback\n\x1b[31mred",
    }
    return [
        record("say::hello", "passed", portrait=["polite"]),
        record("say::slow", "passed", duration=3.25),
        record("say::loud", "failed", **wrong),
        record("say::louder", "failed", **wrong, title="a louder greeting comes back"),
        record(
            "mcp/base/ids::echo",
            "failed",
            mismatches=[mismatch("none: the target exited with status 3", "a reply to ping (id 9)", "")],
            history=["say::loud"],
            requirements=["MCP-BASE-002", "MCP-BASE-005"],
        ),
        record(
            "session/framing", "failed", file="", line=0, reason="seen 2 times", history=["say::loud"], area="session"
        ),
        record("say::case", "error", reason="tck_read is no tool"),
        record(
            "say::code",
            "warned",
            level="should",
            mismatches=[mismatch("integer -32603", "integer -32601", "/error/code")],
        ),
        record("say::new", "warned", new=True, reason="a case newer than the frozen set, which does not count yet"),
        record(
            "say::old",
            "expected",
            mismatches=[mismatch("null")],
            reason="the router is being rewritten",
            baseline={"entry": "known.yaml:3:11", "reason": "the router is being rewritten", "was": "failed"},
        ),
        record("say::stale", "failed", reason="passes: remove this entry", baseline={"was": "passed", "reason": "x"}),
        record(
            "mcp/logging/messages::one", "not_applicable", reason="the target does not declare the capability logging"
        ),
        record("say::left", "not_exercised", reason="the target did not answer in 3 cases in a row"),
    ]


@pytest.fixture
def material():
    """A function from records to what every writer is given."""
    target = {
        "command": ["./server", "--stdio"],
        "server": {"name": "small", "version": "2.1"},
        "profiles": ["mcp"],
        "revisions": [{"revision": "2025-11-25", "era": "handshake", "capabilities": {"tools": {}}}],
    }
    lines = CASES.splitlines()
    requirements, _ = suite.requirements()

    def made(found, **changed):
        kit = {"name": "mcp-tck", "version": "0.1.0"}
        document = json_report.document(found, target | changed, kit, "2026-01-02T03:04:05Z", 4.2)
        again = Again(("./server", "--stdio"), baseline="known.yaml")
        return Material(document, requirements, again, lambda _, number: dict(enumerate(lines, 1)).get(number))

    return made


class User:
    """Somebody with a folder of cases and a small server."""

    def __init__(self, folder):
        self.folder = folder
        self.file("cases/say.yaml", CASES)

    def file(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def read(self, name):
        return (self.folder / name).read_text("utf-8")

    def run(self, *words, target=(), paths=("cases",), env=None, before=""):
        """`mcp-tck run` with these options; `target` are options of the small server, `before` code to run first."""
        command = ["--", sys.executable, str(SMALL), *target]
        return self.command("run", *paths, *words, *command, env=env, before=before)

    def command(self, *words, env=None, before=""):
        code = f"import sys; {before}\nfrom mcp_tck.conformance.cli import main; sys.exit(main(sys.argv[1:]))"
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("GITHUB_", "PYTEST_"))}
        done = subprocess.run(
            [sys.executable, "-c", code, *words],
            cwd=self.folder,
            env=clean | {"COLUMNS": "80", "NO_COLOR": "1"} | (env or {}),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done


@pytest.fixture
def user(tmp_path):
    return User(tmp_path)


@pytest.fixture
def steady(tmp_path):
    """A function that takes out of a text what changes from run to run."""

    def steadied(text):
        text = (
            text.replace(str(SMALL), "small_server.py").replace(sys.executable, "python").replace(str(tmp_path), "HERE")
        )
        text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "WHEN", text)
        text = re.sub(r"\b\d+\.\d+ ?s\b", "N s", text)
        # How many standing checks there are is not what is pinned here.
        counted = r"^(?:session|all|\| session|\| \*\*all|left out|\d+ cases,|=.* in |\*\*.* cases failed|collected).*$"
        text = re.sub(counted, lambda found: re.sub(r"\d+|·", "N", found[0]), text, flags=re.MULTILINE)
        return re.sub(r'"id":\d+', '"id":N', text)

    return steadied
