"""pytest runs case files on a target: verdicts, selection, ids, workers, reports, exit status."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import mcp_tck.conformance.plugin
import pytest

HOME = Path(mcp_tck.conformance.plugin.__file__).parent
DEMO_IDS = ["cases/demo::ping", "cases/demo::rows[one]", "cases/demo::rows[two]", "cases/demo::quiet"]
ALL_GREEN = dict.fromkeys(DEMO_IDS, "passed")

pytest_plugins = "pytester"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="targets are started on POSIX systems only")


# -- verdicts and exit status


def test_a_right_target_is_green_and_every_standing_check_was_exercised(user):
    result = user.run()
    assert result.ret == 0
    assert user.verdicts(result) == ALL_GREEN
    assert user.standing(result) == {}
    result.stdout.fnmatch_lines(["mcp-tck: target *right.py", "mcp-tck: right.py 1 at revision 2025-11-25"])


def test_each_outcome_is_told_by_its_own_word(user):
    user.file("cases/more/wrong.yaml", user.wrong_cases)
    result = user.run("-v")
    assert result.ret == 1
    assert user.verdicts(result) == ALL_GREEN | {
        "cases/more/wrong::wrong": "failed",
        "cases/more/wrong::should": "warned",
        "cases/more/wrong::not-ours": "not_applicable",
    }
    result.stdout.fnmatch_lines(
        [
            "*::wrong FAILED*",
            "*::should WARNED*",
            "*::not-ours NOT APPLICABLE (*",
            "FAILED cases/more/wrong::wrong  no requirement named (must)  the target is wrong",
            "  /error: expected *, got nothing",
            "   --> cases/more/wrong.yaml:8:25",
            "  sent  *",
            "  received  *",
            "  again      mcp-tck run cases --case cases/more/wrong::wrong -- *",
            "WARNED cases/more/wrong::should  MCP-BASE-016 (should)*",
            "*not applicable: 1 since the target does not offer the tool tck_colour",
        ]
    )


@pytest.mark.parametrize(("words", "status"), [((), 0), (("--tck-strict",), 1)])
def test_a_warning_fails_a_strict_run_only(user, words, status):
    user.file("cases/more/wrong.yaml", user.wrong_cases)
    result = user.run("--tck-case=cases/more/wrong::should", *words)
    assert result.ret == status


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("--tck-case=cases/more/wrong::not-ours",), 1, "nothing was shown*"),
        (("-k", "not_there"), 5, None),
        (("--tck-case=cases/demo::ping",), 0, None),
    ],
)
def test_what_shows_nothing_is_not_green(user, words, status, told):
    user.file("cases/more/wrong.yaml", user.wrong_cases)
    result = user.run(*words)
    assert result.ret == status
    if told:
        result.stdout.fnmatch_lines([told])


def test_a_warning_alone_shows_something(user):
    user.file("cases/more/wrong.yaml", user.wrong_cases)
    result = user.run("--tck-case=cases/more/wrong::should")
    assert (result.ret, user.verdicts(result)) == (0, {"cases/more/wrong::should": "warned"})


# -- selection


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        (("--tck-case=cases/demo::rows[two]", "--tck-case=cases/demo::ping"), ["ping", "rows[two]"]),
        (("--tck-case=cases/demo::ping@2025-11-25",), ["ping"]),
        (("--tck-case=cases/demo::rows",), ["rows[one]", "rows[two]"]),
        (("--tck-case=cases/demo::rows@2025-11-25",), ["rows[one]", "rows[two]"]),
        (("-k", "rows"), ["rows[one]", "rows[two]"]),
        (("-m", "must and demo"), ["ping", "rows[one]", "rows[two]", "quiet"]),
        (("-m", "should"), []),
    ],
)
def test_cases_are_chosen_by_id_name_and_mark(user, words, chosen):
    result = user.run(*words, "--strict-markers")
    assert list(user.verdicts(result)) == [f"cases/demo::{slug}" for slug in chosen]


def test_cases_are_chosen_by_path_and_node(user):
    user.file("cases/more/wrong.yaml", user.wrong_cases)
    assert list(user.verdicts(user.run(paths=("cases/demo.yaml::ping",)))) == ["cases/demo::ping"]
    assert len(user.verdicts(user.run(paths=("cases/more",)))) == 3


def test_the_last_failures_are_run_again_by_pytests_own_option(user):
    user.file("cases/more/wrong.yaml", user.wrong_cases)
    words = ("-p", "cacheprovider", "-o", "cache_dir=kept")
    user.run(*words)
    assert list(user.verdicts(user.run(*words, "--lf"))) == ["cases/more/wrong::wrong"]


def test_all_revisions_are_run_one_after_the_other(user):
    result = user.run("--tck-revision=all", "-k", "ping")
    dates = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    assert list(user.verdicts(result)) == [f"cases/demo::ping@{date}" for date in dates]
    assert [each["revision"] for each in result.report["target"]["revisions"]] == dates
    one = user.run("--tck-revision=all", "--tck-case=cases/demo::ping@2025-03-26")
    assert list(user.verdicts(one)) == ["cases/demo::ping@2025-03-26"]


def test_ids_depend_on_no_folder_that_pytest_was_started_in(user):
    ids = list(user.verdicts(user.run(f"--rootdir={user.path.parent}", paths=(user.path / "cases",))))
    user.file("cases/deep/er.yaml", user.wrong_cases.replace("more/wrong", "deep/er"))
    deeper = list(user.verdicts(user.run(paths=(user.path / "cases" / "deep" / "er.yaml",))))
    assert (ids, deeper[0]) == (DEMO_IDS, "cases/deep/er::wrong")


def test_collecting_alone_starts_no_target(user):
    result = user.run("--collect-only", "-q", target=f'{sys.executable} -c \'open("started", "w")\'')
    assert result.ret == 0
    result.stdout.fnmatch_lines(["cases/demo.yaml::rows?one?"])
    assert not (user.path / "started").exists()


# -- the same verdicts, however they are run


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "workers"])
def test_the_short_summary_gives_each_failure_one_line_where_ci_lets_it_be_long(user, monkeypatch, workers):
    monkeypatch.setenv("CI", "true")
    user.file("cases/more/wrong.yaml", user.wrong_cases)
    result = user.run(*workers)
    assert result.stdout.str().count("  again      mcp-tck run cases") == 2  # of the failure, and of the warning
    result.stdout.re_match_lines_random([r"FAILED \S+::wrong - at /error: expected .*, got nothing$"])


SHUFFLED = "def pytest_collection_modifyitems(items):\n    items.sort(key=lambda item: item.name[::-1])\n"


def test_workers_order_and_isolation_change_no_verdict(user):
    user.file("cases/more/wrong.yaml", user.wrong_cases)
    plain = user.run()
    runs = [user.run("-n", "2"), user.run("--tck-isolate"), user.run("-p", "no:randomly", "-p", "xdist")]
    user.file("conftest.py", SHUFFLED)
    runs.append(user.run())
    for other in runs:
        assert user.verdicts(other) == user.verdicts(plain)
        assert user.standing(other) == user.standing(plain) == {}
        assert other.ret == plain.ret == 1
    assert list(user.verdicts(runs[-1])) != list(user.verdicts(plain))


def test_what_workers_saw_on_the_wire_is_told_once(user):
    loud = user.program("loud.py", LOUD)
    result = user.run("-n", "2", target=loud)
    assert result.ret == 1
    assert user.standing(result) == {"session/framing": "failed"}
    result.stdout.fnmatch_lines(["FAILED session/framing  MCP-STDIO-001 (must)  the target is wrong"])


# -- reports


def test_the_json_report_keeps_to_its_schema_and_to_what_was_seen(user):
    user.file("cases/more/wrong.yaml", user.wrong_cases)
    result = user.run()
    schema = json.loads((HOME / "report" / "report.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(result.report)
    summary = result.report["summary"]
    assert {name: summary[name] for name in ("failed", "warned", "not_applicable")} == {
        "failed": 1,
        "warned": 1,
        "not_applicable": 1,
    }
    assert sum(summary.values()) == len(result.report["cases"])
    failed = next(each for each in result.report["cases"] if each["outcome"] == "failed")
    assert failed["mismatches"][0]["at"]["line"] == 8
    assert [entry["dir"] for entry in failed["transcript"]] == [">", "<"]
    assert all(not each["transcript"] for each in result.report["cases"] if each["outcome"] == "passed")


def test_junit_carries_outcome_and_requirements_as_properties(user):
    user.file("cases/more/wrong.yaml", user.wrong_cases)
    user.run("--junitxml=out.xml")
    told = {}
    for case in ET.parse(user.path / "out.xml").iter("testcase"):
        values = {each.get("name"): each.get("value") for each in case.iter("property")}
        told[values["tck_case"]] = (values["tck_outcome"], values["tck_requirements"])
    assert told["cases/demo::ping"] == ("passed", "MCP-PING-001")
    assert told["cases/more/wrong::wrong"] == ("failed", "")
    assert told["cases/more/wrong::should"] == ("warned", "MCP-BASE-016")
    assert told["cases/more/wrong::not-ours"][0] == "not_applicable"
    assert told["session/reply-id"] == ("passed", "MCP-BASE-002")


# -- the bundled cases, from anywhere


def test_the_installed_kit_is_run_by_its_package_name(user):
    result = user.run("--pyargs", "-k", "ping and replies", paths=("mcp_tck.conformance",))
    assert result.ret == 0
    assert any(each.startswith("mcp/ping/replies::") for each in user.verdicts(result))


def test_without_a_target_the_bundled_cases_run_on_the_reference(user):
    result = user.run("-k", "ping", target=None, paths=(HOME,))
    assert result.ret == 0
    assert result.report["target"]["server"]["name"] == "mcp-tck-reference"


def test_the_command_line_gives_the_same_ids_and_verdicts(user):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mcp_tck.conformance.cli",
            "run",
            "cases",
            "--report",
            "cli.json",
            "--",
            *shlex.split(user.right),
        ],
        cwd=user.path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads((user.path / "cli.json").read_text("utf-8"))
    assert {each["id"]: each["outcome"] for each in report["cases"] if each["area"] == "demo"} == ALL_GREEN


# -- interruption

SLOW = """\
import json, signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.alarm(60)
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    if message["method"] == "ping" and message["id"] > 3:
        open("waiting", "w").close()
        continue
    result = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
signal.pause()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found by their environment, which Linux tells")
@pytest.mark.parametrize(
    ("number", "status", "told"), [(signal.SIGINT, 2, "KeyboardInterrupt"), (signal.SIGTERM, 143, "ended by SIGTERM")]
)
def test_a_signal_ends_the_run_and_every_process(user, number, status, told):
    fifo = user.path / "waiting"
    target = user.program("slow.py", SLOW.replace('open("waiting", "w").close()', 'open("waiting", "w").write("x")'))
    os.mkfifo(fifo)
    words = [
        sys.executable,
        "-m",
        "pytest",
        "cases",
        f"--target={target}",
        "--tck-timeout=60",
        "-p",
        "no:cacheprovider",
    ]
    run = subprocess.Popen(words, cwd=user.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    guard = threading.Timer(50, run.kill)
    guard.start()
    with fifo.open() as waiting:  # opens when the target was asked something that it does not answer
        assert waiting.read() == "x"
    run.send_signal(number)
    said, _ = run.communicate(timeout=50)
    guard.cancel()
    assert run.returncode == status, said
    assert told in said


# -- faults of three lines in the reference, told so that a stranger can act

LOUD = """\
import json, sys
print("server is starting", flush=True)
for line in sys.stdin:
    message = json.loads(line) if line.startswith('{"') else {}
    if "id" not in message:
        continue
    result = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""

CHANGED = """\
import json, sys
from mcp_tck.reference.build import build
server = build(probe=True)
for line in sys.stdin:
    answer = server.handle_line(line.rstrip("\\n"))
    message = json.loads(line) if line.startswith("{{\\"") else {{}}
    {change}
    if answer is not None:
        print(answer, flush=True)
"""


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            'answer = answer and json.dumps({**(r := json.loads(answer)), "id": str(r["id"])})',
            [
                "FAILED session/reply-id  MCP-BASE-002 (must)  the target is wrong",
                "  /id: expected integer *, got string *",
                "  spec       A reply carries the id of its request*",
            ],
        ),
        (
            'answer = answer or (\'{"jsonrpc":"2.0","id":null,"result":{}}\' if "method" in message else None)',
            [
                "FAILED session/stray-reply  MCP-BASE-010 (must)  the target is wrong",
                "  expected no reply that no request asked for, got a result with id null*",
                "  sent       *notifications/initialized*",
                '  received   {"jsonrpc":"2.0","id":null,"result":{}}',
            ],
        ),
        (
            'print("handling", message.get("method"), flush=True)',
            [
                "FAILED session/framing  MCP-STDIO-001 (must)  the target is wrong",
                "  expected a JSON message on every line, got the line *handling*",
                "  received   handling*",
            ],
        ),
    ],
    ids=["id-as-string", "answers-a-notification", "logs-to-stdout"],
)
def test_a_small_change_to_the_reference_is_told_with_requirement_wanted_and_got(user, change, told):
    path = user.file("changed.py", CHANGED.format(change=change))
    result = user.run("-k", "ping or rows", target=f"{shlex.quote(sys.executable)} {shlex.quote(str(path))}")
    assert result.ret == 1
    assert user.verdicts(result) == dict.fromkeys(DEMO_IDS[:3], "passed")
    result.stdout.fnmatch_lines([*told, "  again      mcp-tck run *"])


def test_mcp_tck_run_cares_for_no_set_up_of_pytest_that_is_not_its_own(user, monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", "--no-such-option")
    monkeypatch.setenv("PYTEST_PLUGINS", "no_such_plugin")
    user.pytester.makeconftest("raise RuntimeError('read')")
    user.pytester.makeini("[pytest]\naddopts = --no-such-option\n")
    words = [sys.executable, "-m", "mcp_tck.conformance.cli", "run", "cases", "--", *shlex.split(user.right)]
    done = subprocess.run(words, cwd=user.path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
