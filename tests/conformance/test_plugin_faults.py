"""What is wrong with options, files and targets: one clear word each, the right status, and never a traceback."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import pytest

pytest_plugins = "pytester"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="targets are started on POSIX systems only")

SERVER = (sys.executable, "-m", "mcp_tck.reference")
TEST = "def test_it():\n    pass\n"


def errors(result):
    """The lines of a usage error, which is all that there may be."""
    assert result.ret == 4
    text = result.stderr.str() + result.stdout.str()
    assert "Traceback" not in text
    assert "INTERNALERROR" not in text
    return [line.removeprefix("ERROR: ") for line in result.stderr.lines if line.strip()]


# -- options


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "workers"])
def test_all_faults_of_options_and_files_are_told_at_once(user, workers):
    user.file("cases/bad.yaml", "format: 1\narea: bad\ncases:\n  - id: A b\n    titel: x\n    steps: []\n")
    user.file("cases/worse.yaml", "format: 1\ncases: [\n")
    user.file("tck.yaml", "timout: 3\nenv: {A: 1}\n")
    told = errors(
        user.run(
            "--tck-timeout=soon",
            "--tck-startup-timeout=-1",
            "--tck-revision=2020-01-01",
            "--tck-profile=none",
            "--tck-report=out.pdf",
            "--tck-report=nowhere/out.json",
            "--tck-config=tck.yaml",
            *workers,
        )
    )
    text = "\n".join(told)
    for words in (
        "tck.yaml:1:1: unknown-key",
        "tck.yaml:2:",
        "--tck-timeout soon: a number of seconds",
        "--tck-startup-timeout -1",
        "--tck-revision 2020-01-01: known are auto, all, 2026-07-28",
        "--tck-profile none: known are",
        "--tck-report out.pdf: the suffix",
        "--tck-report nowhere/out.json: there is no folder",
        "cases/bad.yaml:4:",
        "cases/bad.yaml:5:",
        "cases/bad.yaml:6:",
        "cases/worse.yaml:3:1: yaml-syntax",
    ):
        assert words in text


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--target=",), "the target's command is empty"),
        (("--target=a 'b",), "cannot be split into words"),
        (("--tck-config=none.yaml",), "none.yaml: cannot be read"),
        (("--tck-mcp-config=none.json",), "none.json: cannot be read"),
        (("--target=x", "--tck-timeout=1e300"), "a number of seconds above 0 and up to 86400"),
        (("--target=x", "--tck-startup-timeout=1e20"), "a number of seconds above 0 and up to 86400"),
        (("--target=x", "--tck-seed=٣"), "--tck-seed ٣: a whole number"),
        (("--target=x", f"--tck-seed={'9' * 5000}"), "a whole number"),
        (("--target=x", "--tck-server=a"), "--tck-mcp-config, which is missing"),
        (
            ("--target=x", "--tck-case=cases/demo::pong"),
            "no case has the id cases/demo::pong (did you mean cases/demo::p",
        ),
        (("--target=x", "--tck-baseline-update"), "--tck-baseline-update needs --tck-baseline"),
    ],
)
def test_a_wrong_option_is_a_usage_error(user, words, told):
    assert told in "\n".join(errors(user.pytest("cases", *words)))


@pytest.mark.parametrize("name", ["--target", "--tck-target"])
def test_a_target_behind_a_space_is_a_usage_error(user, name):
    assert f"write {name}='COMMAND' with an equals sign" in "\n".join(errors(user.pytest("cases", name, user.right)))


def test_a_configuration_names_the_target(user):
    command = shlex.split(user.right)
    user.file("tck.yaml", f"command: {command!r}\nrevision: '2025-06-18'\n".replace("'", '"'))
    result = user.run("--tck-config=tck.yaml", target=None)
    assert result.ret == 0
    assert result.report["target"]["revisions"][0]["revision"] == "2025-06-18"


OTHER = """\
def pytest_addoption(parser):
    parser.addoption("--target", default="mine")

def pytest_report_header(config):
    return f"other: {config.getoption('--target')}"
"""


def test_a_plugin_that_owns_the_option_target_keeps_it(user):
    user.file("other_plugin.py", OTHER)
    taken = ("-p", "other_plugin")
    user.pytester.syspathinsert()
    result = user.run(*taken, "--target=esp32", f"--tck-target={user.right}", target=None)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["other: esp32"])
    assert "say --tck-target='COMMAND'" in errors(user.pytest("cases", *taken))[0]


# -- case files of somebody else


def test_case_files_that_are_named_need_a_target(user):
    for path in ("cases", "cases/demo.yaml"):
        (told,) = errors(user.pytest(path))
        assert told == f"{path} holds case files, and no target is named: say --target='COMMAND'"


def test_a_bare_pytest_collects_no_case_file(user):
    user.file("test_own.py", TEST)
    result = user.pytest()
    result.assert_outcomes(passed=1)
    assert "mcp-tck:" not in result.stdout.str()
    assert user.pytest(".").ret == 0


def test_tests_of_ones_own_run_beside_case_files(user):
    user.file("cases/test_own.py", TEST)
    result = user.run()
    assert result.ret == 0
    result.stdout.fnmatch_lines(["cases/test_own.py .*"])


def test_yaml_that_is_no_case_file_is_none_of_our_business(user):
    user.file("cases/compose.yaml", "services: {a: *b}\n")
    assert user.run().ret == 0


# -- targets that do not open

SLEEP = f"{shlex.quote(sys.executable)} -S -c 'import signal; signal.pause()'"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("no-such-command --stdio", "the command 'no-such-command' was not found"),
        ("cat", "the target repeats its input"),
        ("true", "none: the target exited with status 0"),
        ("false", "none: the target exited with status 1"),
        ("yes", "lines on standard output, none of them a message"),
        (SLEEP, "none; the target still ran"),
        ("sh -c 'echo why it failed >&2; exit 7'", "none: the target exited with status 7"),
        ("sh -c 'kill -SEGV $$'", "none: the target was ended by SIGSEGV"),
        ("sh -c 'echo Starting server; exec sleep 60'", "none, and 1 line without a message; the target still ran"),
    ],
    ids=["missing", "cat", "true", "false", "yes", "sleep", "why", "signal", "log"],
)
def test_a_target_that_does_not_open_is_one_failure_and_the_rest_is_not_exercised(user, command, told):
    result = user.run("--tck-startup-timeout=0.5", target=command)
    assert result.ret == 1
    assert set(user.verdicts(result).values()) == {"not_exercised"}
    failed = [each for each in result.report["cases"] if each["outcome"] == "failed"]
    assert failed[0]["id"] == "session/opening"
    assert {each["id"] for each in failed} <= {"session/opening", "session/framing"}
    result.stdout.fnmatch_lines(["FAILED session/opening  MCP-LIFE-001*(must)  the target is wrong"])
    assert told in failed[0]["mismatches"][0]["actual"]
    result.stdout.no_fnmatch_line("*Traceback*")
    if "why" in command:
        result.stdout.fnmatch_lines(["  stderr     why it failed"])


def test_workers_tell_a_target_that_does_not_open_once(user):
    result = user.run("-n", "2", target="false")
    assert result.ret == 1
    assert [each["id"] for each in result.report["cases"] if each["outcome"] == "failed"] == ["session/opening"]


# -- what a target says of itself

NAMED = """\
import json, sys
for line in sys.stdin:
    try:
        message = json.loads(line)
    except ValueError:
        continue
    if "id" not in message:
        continue
    result = {"protocolVersion": "2025-11-25", "capabilities": {}}
    result["serverInfo"] = {"name": "\\x1b[2J\\x07\\ud83d\\u202e", "version": "\\ud83d"}
    result["text"] = "\\ud83d \\x1b[31m \\u2028"
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""

TOLD = """\
format: 1
area: told
cases:
  - id: text
    title: a text is another one
    steps:
      - request: {method: ping}
        expect: {result: {text: nothing}}
"""


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "workers"])
def test_no_text_of_a_target_reaches_the_terminal_raw_or_breaks_a_report(user, workers):
    user.file("cases/told.yaml", TOLD)
    result = user.run("--junitxml=out.xml", "--tck-report=out.md", *workers, target=user.program("named.py", NAMED))
    assert result.ret == 1
    assert user.verdicts(result)["cases/told::text"] == "failed"
    text = result.stdout.str()
    assert "INTERNALERROR" not in text
    assert not {"\x1b", "\x07", "\u202e", "\ud83d"} & set(text)
    assert (user.path / "out.md").exists()


def test_the_environment_of_a_configuration_reaches_the_target_and_no_shell_does(user):
    user.file("tck.yaml", 'env: {GREETING: "hello $HOME"}\n')
    program = 'import os, sys; sys.exit("said: " + os.environ["GREETING"] + " " + sys.argv[1])'
    command = f"{shlex.quote(sys.executable)} -S -c {shlex.quote(program)} '$HOME && x'"
    result = user.run("--tck-config=tck.yaml", target=command)
    assert os.environ.get("HOME", "/") not in "".join(line for line in result.stdout.lines if "said:" in line)
    assert "$HOME && x" in result.stdout.str()


@pytest.mark.parametrize(
    ("path", "name"), [("cases", "cases/lost.yaml"), ("cases/lost.yaml", "cases/lost.yaml"), ("odd.yaml", "odd.yaml")]
)
def test_a_file_that_lacks_what_makes_it_a_case_file_is_refused_and_not_passed_over(user, path, name):
    user.file("cases/lost.yaml", "area: lost\ncases: []\n")
    user.file("odd.yaml", "services: {}\n")
    assert f"{name}:1:1: " in "\n".join(errors(user.pytest(path, "--target=true")))


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        ((), 4, "the following arguments are required"),
        (("runn",), 4, "invalid choice"),
        (("run", "--tck-timeout=3"), 4, "unrecognized arguments: --tck-timeout=3"),
        (("run", "cases", "node", "s.js", "--stdio"), 4, "--stdio (a server's command stands behind --)"),
        (
            ("run", "cases", "node", "s.js"),
            4,
            "node does not exist; put -- before the server's command, as in: mcp-tck run cases -- node s.js",
        ),
        (
            ("run", "empty", sys.executable),
            4,
            "is no case file; put -- before the server's command, as in: mcp-tck run empty -- ",
        ),
        (("explain", "cases/demo::ping"), 4, "mcp-tck explain cases/demo::ping PATH"),
        (("explain", "MCP-STDIO-01"), 4, "(did you mean MCP-STDIO-001?)"),
        (("explain", "mcp-stidio-002"), 4, "(did you mean MCP-STDIO-002, "),
        (("explain", "mcp/ping/replies::empty-resul"), 4, "(did you mean mcp/ping/replies::empty-result, "),
        (("run", "--timeout", "0", "--", "cat"), 4, "ERROR: --timeout 0: a number of seconds"),
        (("run", "--baseline", "none.yaml", "--", "cat"), 4, "no such file (--baseline-update writes it from a run)"),
        (("run", "--case", "snapshot/x::y", "--", *SERVER), 4, "say --snapshots=FOLDER"),
        (("run", "cases", "--"), 4, "say the target once"),
        (("run", "cases", "--target", "a", "--", "b"), 4, "say the target once"),
        (("run", "none.yaml", "--", "cat"), 4, "not found: none.yaml"),
        (("run", "empty", "--", "cat"), 5, "no case was run"),
    ],
)
def test_the_command_line_has_the_same_status_for_the_same_fault(user, words, status, told):
    (user.path / "empty").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "mcp_tck.conformance.cli", *words],
        cwd=user.path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    assert told in done.stderr
    assert "Traceback" not in done.stdout + done.stderr
