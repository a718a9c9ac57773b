"""`mcp-tck run` from the outside: exit status, streams, and reports, for every row of the table of outcomes."""

import json
import re
import sys
import xml.etree.ElementTree as ET

import pytest
from mcp_tck.conformance import suite
from mcp_tck.conformance.casefile import cases

KNOWN = """\
format: 1
entries:
  - case: say::hello
    reason: capitals are wanted
  - case: say::again
    reason: capitals are wanted
    mismatches: [{pointer: /text, expected: 'string "hello"', actual: 'string "HELLO"'}]
"""
MINE = KNOWN.replace("say::", "cases/say::")
LOUD, CODES = ["--loud"], ["--codes"]
NEW = (
    "from pathlib import Path; import mcp_tck.conformance.suite as suite; "
    "Path('released').mkdir(exist_ok=True); Path('released/0.0.1.txt').write_text('session/framing\\n'); "
    "suite.RELEASED = Path('released')"
)
BUNDLED = next(
    case.id
    for found in suite.load(cases.find(suite.FIXTURES)).files.values()
    for case in found
    if case.covers == ("MCP-BASE-037",)
)
ODD = """\
format: 1
area: odd
cases:
  - id: a
    title: a list is read on
    steps:
      - request: {method: tools/list}
        expect: {result: {nextCursor: {$optional: {$save: {as: c, is: {$any: true}}}}}}
      - request: {method: tools/list, params: {cursor: {$var: c}}}
"""
STRICTLY = ["--case", BUNDLED, "--strict"]


def outcomes(user, name="out.json"):
    return {each["id"]: each["outcome"] for each in json.loads(user.read(name))["cases"]}


@pytest.mark.parametrize(
    ("words", "target", "status"),
    [
        ([], [], 0),
        ([], LOUD, 1),
        ([], CODES, 0),
        (["--strict"], CODES, 1),
        (["--baseline", "known.yaml"], LOUD, 0),
        (["--baseline", "known.yaml"], [], 1),
        (["--case", "cases/say::nothing"], [], 4),
        (["--profile", "none"], [], 4),
        (["--baseline", "missing.yaml"], [], 4),
        (["--baseline-update"], [], 4),
        ([], ["--silent"], 1),
    ],
    ids=[
        "passed",
        "failed",
        "warned",
        "strict",
        "listed",
        "stale",
        "no-case",
        "usage",
        "no-file",
        "no-baseline",
        "dead",
    ],
)
def test_the_exit_status_of_each_row(user, words, target, status):
    user.file("known.yaml", MINE)
    done = user.run(*words, target=target)
    assert done.returncode == status, done.stdout + done.stderr
    if status == 4:
        assert done.stderr.strip()
    assert "\x1b" not in done.stdout + done.stderr


def test_another_mismatch_than_the_recorded_one_fails(user):
    user.file("known.yaml", MINE.replace('string "HELLO"', "null"))
    done = user.run("--baseline", "known.yaml", "--report", "out.json", target=LOUD)
    assert done.returncode == 1
    assert outcomes(user)["cases/say::hello"] == "expected"
    assert outcomes(user)["cases/say::again"] == "failed"
    assert 'known.yaml:5:11 records: /text expected string "hello", got null' in done.stdout


@pytest.mark.parametrize(("words", "status"), [([], 0), (["--count-new"], 1), (["--frozen", "0.0.1"], 0)])
def test_a_case_newer_than_the_frozen_set_counts_when_asked_only(user, words, status):
    done = user.run(*STRICTLY, *words, "--report", "out.json", target=CODES, paths=(), before=NEW)
    assert done.returncode == status, done.stdout
    assert outcomes(user)[BUNDLED] == ("failed" if status else "warned")
    assert (f"NEW {BUNDLED}" in done.stdout) is (status == 0)


def test_a_frozen_set_that_is_not_there_is_a_usage_error(user):
    done = user.run(*STRICTLY, "--frozen", "9.9", paths=(), before=NEW)
    assert done.returncode == 4
    assert "--frozen 9.9: there is no such set; known are 0.0.1" in done.stderr


def test_a_case_that_cannot_be_played_is_an_error_whatever_the_baseline_says(user):
    user.file("cases/odd.yaml", ODD)
    user.file("known.yaml", "format: 1\nentries:\n  - {case: cases/odd::a, reason: x}\n")
    done = user.run("--baseline", "known.yaml", paths=("cases/odd.yaml",))
    assert done.returncode == 1
    assert "ERROR cases/odd::a" in done.stdout
    assert 'nothing was saved as "c"' in done.stdout


def test_a_run_in_which_nothing_applies_shows_nothing(user):
    user.file(
        "cases/say.yaml", user.read("cases/say.yaml").replace("area: say\n", "area: say\nrequires: {tools: [none]}\n")
    )
    done = user.run()
    assert done.returncode == 1
    assert "nothing was shown" in done.stdout
    assert "3 since the target does not offer the tool none" in done.stdout


def test_a_target_that_says_nothing_is_one_failed_case_with_its_reports(user):
    done = user.run("--report", "out.json", "--report", "out.md", "--report", "out.svg", target=["--silent"])
    assert done.returncode == 1
    found = outcomes(user)
    assert found["session/opening"] == "failed"
    assert {found[f"cases/say::{name}"] for name in ("hello", "again", "code")} == {"not_exercised"}
    assert "**FAILED** `session/opening`" in user.read("out.md")
    assert "**The target did not complete its opening, and nothing else could be tried.**" in user.read("out.md")
    assert "failing" in user.read("out.svg")


def test_all_faults_of_a_baseline_are_told_at_their_lines(user):
    user.file(
        "known.yaml",
        "format: 1\nentries:\n  - {case: cases/say::helo, reason: x}\n  - {requirement: NO-1, reason: x}\n",
    )
    done = user.run("--baseline", "known.yaml")
    assert done.returncode == 4
    assert (
        "known.yaml:3:12: unknown-case: no case has the id cases/say::helo (did you mean cases/say::hello?)"
        in done.stderr
    )
    assert "known.yaml:4:19: unknown-requirement: no requirement has the id NO-1" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_baseline_is_written_kept_and_taken_back(user):
    update = ("--baseline", "known.yaml", "--baseline-update")
    done = user.run(*update, target=LOUD)
    assert done.returncode == 0
    assert "baseline written to known.yaml" in done.stdout
    written = user.read("known.yaml")
    assert written.count("- case: ") == 2
    untold = user.run("--baseline", "known.yaml", target=LOUD)
    assert untold.returncode == 4
    assert untold.stderr.count("missing-reason") == 2
    assert user.run(*update, target=LOUD).returncode == 0
    user.file("known.yaml", "# ours\n" + written.replace("say here why it is known", "capitals"))
    assert user.run("--baseline", "known.yaml", target=LOUD).returncode == 0
    assert user.run(*update, target=LOUD).returncode == 0
    assert user.read("known.yaml") == "# ours\n" + written.replace("say here why it is known", "capitals")
    assert user.run(*update).returncode == 0
    assert user.read("known.yaml") == "# ours\nformat: 1\nentries: []\n"


def test_one_fault_is_told_in_one_sentence(user, steady, snapshot):
    user.run("--report", "out.md", target=LOUD)
    text = steady(user.read("out.md"))
    sentence = next(line for line in text.splitlines() if line.startswith("**FAILED**"))
    for words in (
        "`cases/say::hello` and 1 more with the same cause",
        'expected string "hello", got string "HELLO"',
        "cases/say.yaml:10",
        "MCP-TOOL-017 (must)",
        "https://modelcontextprotocol.io/specification/2025-11-25/",
        "to see it again: `mcp-tck run cases --case cases/say::hello -- python small_server.py --loud`",
    ):
        assert words in sentence
    assert text == snapshot


def test_the_line_that_runs_it_again_does(user):
    user.file("tck.yaml", f"command: {json.dumps(_command('--loud'))}\ntimeout: 3\n")
    done = user.command("run", "cases", "--config", "tck.yaml", "--timeout", "4")
    again = re.search(r"again +mcp-tck (.*)", done.stdout)[1]
    assert again == "run cases --config tck.yaml --timeout 4 --case cases/say::hello"
    done = user.command(*again.split())
    assert done.returncode == 1
    assert "1 failed" in done.stdout


def test_the_line_names_the_folder_as_it_was_named(user):
    user.file("tck.yaml", f"command: {json.dumps(_command('--loud'))}\n")
    done = user.command("run", ".", "--config", "tck.yaml")
    again = re.search(r"again +mcp-tck (.*)", done.stdout)[1]
    assert again == "run . --config tck.yaml --case cases/say::hello"


def _command(*words):
    import sys

    from .conftest import SMALL

    return [sys.executable, str(SMALL), *words]


def test_no_value_of_the_environment_is_in_any_output(user):
    secret = "sk-do-not-print-me"
    user.file("tck.yaml", f"command: {json.dumps(_command())}\nenv: {{SMALL_SAYS: {secret}}}\n")
    reports = ["out.json", "out.md", "out.html", "out.svg", "junit.xml"]
    done = user.command(
        "run", "cases", "--config", "tck.yaml", *(w for name in reports[:4] for w in ("--report", name))
    )
    assert done.returncode == 1
    told = done.stdout + done.stderr + "".join(user.read(name) for name in reports[:4])
    assert secret not in told
    assert 'got string "$SMALL_SAYS"' in told


def test_github_is_told_at_the_case(user):
    done = user.run(target=LOUD, env={"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(user.folder)})
    lines = [line for line in done.stdout.splitlines() if line.startswith("::")]
    assert len(lines) == 1
    assert lines[0].startswith("::error file=cases/say.yaml,line=10,title=cases/say%3A%3Ahello (MCP-TOOL-017)::")
    assert "::" not in user.run(target=LOUD, env={"GITHUB_ACTIONS": ""}).stdout.replace("say::", "")


@pytest.mark.parametrize("words", [["-q"], ["-qq"], [], ["-v"]], ids=["q", "qq", "plain", "v"])
def test_the_output_is_pinned_at_each_verbosity(user, steady, snapshot, words):
    done = user.run(*words, target=LOUD)
    text = steady(done.stdout)
    assert text[text.index("= FAILURES =") if "= FAILURES =" in text else 0 :].lstrip("= ") == snapshot


def test_junit_has_outcome_requirements_level_and_target_as_properties(user, tmp_path):
    user.file("pytest.ini", "[pytest]\n")
    user.file("known.yaml", MINE)
    target = " ".join(_command("--loud"))
    code = "import sys, pytest; sys.exit(pytest.main(sys.argv[1:]))"
    import subprocess
    import sys

    subprocess.run(
        [
            sys.executable,
            "-c",
            code,
            "cases",
            f"--target={target}",
            "--junitxml=junit.xml",
            "--tck-baseline=known.yaml",
        ],
        cwd=tmp_path,
        capture_output=True,
        timeout=60,
        check=False,
    )
    suite = ET.parse(tmp_path / "junit.xml").getroot()
    found = {
        case.get("name"): {each.get("name"): each.get("value") for each in case.iter("property")}
        for case in suite.iter("testcase")
    }
    assert found["hello"]["tck_case"] == "cases/say::hello"
    assert found["hello"]["tck_outcome"] == "expected"
    assert found["hello"]["tck_requirements"] == "MCP-TOOL-017"
    assert found["hello"]["tck_level"] == "must"
    assert found["hello"]["tck_revision"] == "2025-11-25"
    assert "small_server.py" in found["hello"]["tck_target"]
    assert found["code"]["tck_outcome"] == "passed"


@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["alone", "workers"])
def test_reports_are_the_same_with_workers(user, workers):
    user.file("known.yaml", MINE)
    done = user.run("--baseline", "known.yaml", "--report", "out.json", *workers, target=LOUD)
    assert done.returncode == 0, done.stdout
    assert outcomes(user)["cases/say::again"] == "expected"
    assert outcomes(user)["session/framing"] == "passed"


# -- explain and matrix


def test_every_id_of_a_report_can_be_explained(user):
    user.run("--report", "out.json", target=LOUD)
    for identity in ("cases/say::hello", "MCP-TOOL-017", "session/framing", "cases/say"):
        done = user.command("explain", identity, "cases")
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(identity.partition("@")[0])


def test_a_case_is_explained_with_its_text_and_what_it_shows(user):
    done = user.command("explain", "cases/say::hello", "cases")
    assert "a greeting comes back" in done.stdout
    assert "MCP-TOOL-017 (must)" in done.stdout
    assert "expect: {text: hello}" in done.stdout
    assert "mcp-tck run --case 'cases/say::hello'" in done.stdout
    assert "id: again" not in done.stdout


def test_a_requirement_is_explained_with_its_source_its_cases_and_its_faults(user):
    done = user.command("explain", "MCP-BASE-037")
    assert "(should, until 2025-11-25)" in done.stdout
    assert "https://www.jsonrpc.org/specification#error_object" in done.stdout
    assert "mcp/base/methods::code" in done.stdout
    assert "faults" in done.stdout


def test_an_id_that_nothing_has_is_told_with_the_nearest_one(user):
    done = user.command("explain", "MCP-BASE-37")
    assert done.returncode == 4
    assert done.stderr.startswith("nothing has the id MCP-BASE-37 (did you mean MCP-BASE-0")


def test_a_matrix_of_two_runs(user, steady, snapshot):
    user.run("--report", "before.json", target=LOUD)
    user.run("--report", "after.json", target=CODES)
    assert steady(user.command("matrix", "before.json", "after.json").stdout) == snapshot
    assert user.command("matrix", "before.json", "after.json", "-o", "m.md").returncode == 0
    assert steady(user.read("m.md")) == snapshot
    assert user.command("matrix", "before.json", "after.json", "-o", "m.html").returncode == 0
    assert "http-equiv" in user.read("m.html")


def test_a_matrix_of_what_is_no_report_is_a_usage_error(user):
    user.file("a.json", "{}")
    user.file("b.json", '{"format": 2, "kit": {"name": "mcp-tck"}}')
    done = user.command("matrix", "a.json", "b.json", "none.json", "cases/say.yaml")
    assert done.returncode == 4
    assert len(done.stderr.splitlines()) == 4
    assert done.stdout == ""


def test_a_run_at_the_newest_revision_says_which_others_the_target_speaks(user):
    server = ["--", sys.executable, "-m", "mcp_tck.reference", "--era", "dual"]
    asked = ["run", "-q", "--case", "mcp/tools/listing::undeclared"]
    said = "also speaks 2025-11-25: --revision all judges it there too"
    assert said in user.command(*asked, *server).stdout
    assert "also speaks" not in user.command(*asked, "--revision", "2026-07-28", *server).stdout
