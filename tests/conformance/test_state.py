"""State: steps before and behind each case, a folder of the process's own, and other ways of starting it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp_tck.conformance import config
from mcp_tck.conformance.casefile import cases
from mcp_tck.conformance.kit import Plan
from mcp_tck.conformance.model import Case, Outcome, Verdict
from mcp_tck.conformance.runner import Runner, Settings
from mcp_tck.conformance.targets import workspace
from mcp_tck.conformance.targets.inprocess import InProcess
from mcp_tck.conformance.targets.target import StartError
from mcp_tck.conformance.targets.workspace import Mode

SERVER = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    if message["method"] == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
    elif message["method"] == "tools/call":
        root = sys.argv[1]
        files = sorted(name for _, _, names in os.walk(root) for name in names) if os.path.isdir(root) else []
        said = {"argv": sys.argv[1:], "x": os.environ.get("X"), "files": files, "pid": os.getpid()}
        result = {"content": [{"type": "text", "text": json.dumps(said)}]}
    else:
        result = {}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


def load(text: str, head: str = "") -> list[Case]:
    found, problems = cases.loads(f"format: 1\narea: it\n{head}cases:\n{text}".encode(), "f", "it")
    assert [str(problem) for problem in problems] == []
    return found


def case(body: str, name: str = "it") -> str:
    return f"  - id: {name}\n    title: it is so\n{body}"


def counting() -> Callable[[], InProcess]:
    """A server with one number: `add` makes it larger, `get` tells it, `die` ends it, anything else fails."""

    def launch() -> InProcess:
        state = {"number": 0}

        def handle(line: str) -> str | None:
            message = json.loads(line)
            if "id" not in message:
                return None
            result: dict[str, Any] = {}
            if message["method"] == "initialize":
                server = {"name": "s", "version": "1"}
                result = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": server}
            elif message["method"] == "tools/call":
                tool = message["params"]["name"]
                if tool == "die":
                    raise SystemExit(3)
                state["number"] += {"add": 1, "sub": -1}.get(tool, 0)
                failed = tool not in {"add", "sub", "get"}
                result = {"content": [{"type": "text", "text": str(state["number"])}], "isError": failed}
            return json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result})

        return InProcess(handle)

    return launch


def play(found: list[Case], launch: Callable[[], Any] | None = None, plan: Plan | None = None) -> list[Outcome]:
    if plan is not None:
        settings = Settings(modes=frozenset(plan.modes))
        runner = Runner(plan.launch, settings, {}, plan.launch_for)
    else:
        runner = Runner(launch or counting(), Settings(), {})
    facts = runner.discover("2025-11-25")
    outcomes = [runner.run(each, facts) for each in found]
    runner.close()
    return outcomes


def verdicts(outcomes: list[Outcome]) -> list[Verdict]:
    return [outcome.verdict for outcome in outcomes]


ADD = "{call: {tool: add}, expect: {ok: true}}"
SUB = "{call: {tool: sub}, expect: {ok: true}}"


def get(number: int) -> str:
    return f'{{call: {{tool: get}}, expect: {{text: "{number}"}}}}'


def test_steps_before_and_behind_are_played_around_each_case():
    text = case(f"    steps: [{get(1)}]\n", "one") + case(f"    steps: [{get(1)}]\n", "two")
    assert verdicts(play(load(text, f"before: [{ADD}]\nafter: [{SUB}]\n"))) == [Verdict.PASSED] * 2


def test_those_of_the_file_are_outside_of_those_of_the_case():
    text = case(f"    before: [{get(1)}, {ADD}]\n    steps: [{get(2)}]\n    after: [{SUB}, {get(1)}]\n")
    assert verdicts(play(load(text, f"before: [{ADD}]\nafter: [{get(1)}]\n"))) == [Verdict.PASSED]


def test_what_is_kept_before_can_be_used_in_the_case_and_behind():
    keep = "{call: {tool: get}, expect: {text: {$save: {as: was}}}}"
    again = "{call: {tool: get}, expect: {text: {$var: was}}}"
    text = case(f"    steps: [{again}]\n", "same") + case(f"    steps: [{ADD}]\n", "changed")
    outcomes = play(load(text, f"before: [{keep}]\nafter: [{again}]\n"))
    assert verdicts(outcomes) == [Verdict.PASSED, Verdict.FAILED]
    assert outcomes[1].mismatches[0].pointer == "/text"


def test_steps_behind_are_played_where_the_case_did_not_hold():
    text = case(f"    steps: [{ADD}, {get(7)}]\n    after: [{SUB}]\n", "wrong")
    text += case(f"    steps: [{get(0)}]\n", "next")
    assert verdicts(play(load(text))) == [Verdict.FAILED, Verdict.PASSED]


def test_the_case_tells_its_own_mismatch_and_not_that_of_the_steps_behind():
    (outcome,) = play(load(case(f"    steps: [{get(7)}]\n    after: [{get(8)}]\n")))
    assert [mismatch.expected for mismatch in outcome.mismatches] == ['string "7"']


def test_steps_behind_are_left_out_where_the_target_is_gone():
    (outcome,) = play(load(case(f"    steps: [{{call: {{tool: die}}}}]\n    after: [{SUB}]\n")))
    assert outcome.verdict is Verdict.FAILED
    assert len(outcome.mismatches) == 1


def test_a_row_cannot_stand_before_the_rows():
    text = "format: 1\narea: it\nbefore: [{call: {tool: {$row: t}}}]\ncases:\n" + case(f"    steps: [{ADD}]\n")
    assert [problem.rule for problem in cases.loads(text.encode(), "f", "it")[1]] == ["unknown-column"]


# -- processes


def plan(tmp_path: Path, *arguments: str, **more: Any) -> Plan:
    program = tmp_path / "server.py"
    program.write_text(SERVER)
    return Plan((sys.executable, str(program), *arguments), **more)


def shows(expect: str) -> str:
    return f"    steps: [{{call: {{tool: t}}, expect: {{json: {expect}}}}}]\n"


def test_the_folder_of_a_process_is_named_in_its_command_and_in_the_case_and_is_gone_with_it(tmp_path):
    given = plan(tmp_path, "{folder}", files={"a/one.txt": "1"}, env={"X": "at {folder}"})
    found = load(case(shows("{argv: [{$save: {as: folder}}], files: [one.txt], x: {$contains: {$folder: .}}}")))
    runner = Runner(given.launch, Settings(), {}, given.launch_for)
    facts = runner.discover("2025-11-25")
    folder = Path(next(iter(runner.processes.kept.values())).target.folder)  # type: ignore[attr-defined]
    assert (folder / "a/one.txt").read_text() == "1"
    assert runner.run(found[0], facts).verdict is Verdict.PASSED
    runner.close()
    assert not folder.exists()


def test_a_case_can_ask_for_arguments_environment_and_files(tmp_path):
    start = "    start: {args: [--x, {$folder: sub}], env: {X: {$row: x}}, files: {two.txt: '2'}}\n"
    text = case(
        "    examples: [{name: a, x: one}, {name: b}]\n"
        + start
        + shows("{argv: [{$folder: .}, --x, {$folder: sub}], x: {$row: seen}, files: [one.txt, two.txt]}").replace(
            "x: {$row: seen}, ", ""
        )
    )
    given = plan(tmp_path, "{folder}", files={"one.txt": "1"})
    assert verdicts(play(load(text), plan=given)) == [Verdict.PASSED] * 2


def test_a_started_case_has_a_process_of_its_own(tmp_path):
    keep = "{pid: {$save: {as: pid}}}"
    text = case(shows(keep), "one") + case("    start: {env: {X: '1'}}\n" + shows("{x: '1'}"), "two")
    outcomes = play(load(text), plan=plan(tmp_path, "none"))
    assert verdicts(outcomes) == [Verdict.PASSED] * 2


def test_a_mode_of_the_configuration_is_another_way_to_start(tmp_path):
    text = case("    start: {mode: quiet}\n" + shows("{argv: [none, --quiet], x: q}"))
    modes = {"quiet": Mode(args=("--quiet",), env={"X": "q"})}
    assert verdicts(play(load(text), plan=plan(tmp_path, "none", modes=modes))) == [Verdict.PASSED]


def test_a_mode_that_the_configuration_lacks_makes_the_case_not_applicable(tmp_path):
    (outcome,) = play(load(case("    start: {mode: quiet}\n" + shows("{}"))), plan=plan(tmp_path, "none"))
    assert outcome.verdict is Verdict.NOT_APPLICABLE
    assert "quiet" in outcome.reason


def test_a_folder_that_the_process_does_not_have_is_an_error_of_the_case(tmp_path):
    (outcome,) = play(load(case(shows("{argv: [{$folder: x}]}"))), plan=plan(tmp_path, "none"))
    assert outcome.verdict is Verdict.ERROR
    assert "{folder}" in outcome.reason


@pytest.mark.parametrize("files", ["{../out: x}", "{/out: x}", "{a: 1}", "{a/../../b: x}"])
def test_files_stay_in_the_folder(files, tmp_path):
    (outcome,) = play(load(case(f"    start: {{files: {files}}}\n" + shows("{}"))), plan=plan(tmp_path, "none"))
    assert outcome.verdict is Verdict.ERROR


@pytest.mark.parametrize("start", ['{args: ["\\0"]}', '{env: {A: "\\0"}}', "{env: {A=B: c}}", '{files: {"\\0": x}}'])
def test_what_no_process_can_be_given_is_a_fault_of_the_case(start, tmp_path):
    (outcome,) = play(load(case(f"    start: {start}\n" + shows("{}"))), plan=plan(tmp_path, "none"))
    assert outcome.verdict is Verdict.ERROR


@pytest.mark.parametrize("files", [{"a": "", "a/b": ""}, {"x" * 300: ""}])
def test_files_that_cannot_be_made_start_no_target_and_leave_no_folder(files, tmp_path, monkeypatch):
    monkeypatch.setattr(workspace.tempfile, "tempdir", str(tmp_path))
    with pytest.raises(StartError, match="cannot be put into"):
        workspace.furnish(lambda *_: pytest.fail("started"), ["a"], {}, None, files)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("path", ["../x", "/x", "a/../../x", "..", "''"])
def test_a_path_of_the_folder_leads_inside(path):
    text = "format: 1\narea: it\ncases:\n" + case(
        f"    steps: [{{call: {{tool: t, arguments: {{p: {{$folder: {path}}}}}}}}}]\n"
    )
    assert [problem.rule for problem in cases.loads(text.encode(), "f", "it")[1]] == ["wrong-text"]


def test_a_target_that_does_not_start_leaves_no_folder():
    made = []

    def launch(command: Any, _env: Any, _cwd: Any) -> Any:
        made.append(Path(command[0]))
        assert made[0].is_dir()
        raise RuntimeError

    with pytest.raises(RuntimeError):
        workspace.furnish(launch, ["{folder}"], {}, None, {"a": "b"})
    assert not made[0].exists()


def test_the_configuration_names_files_and_modes(tmp_path):
    path = tmp_path / "target.yaml"
    path.write_text(
        'command: [a, "{folder}"]\ncwd: "{folder}"\nfiles: {a: b}\nmodes: {quiet: {args: [-q], env: {X: v}}}\n'
    )
    given = config.load(path)
    assert given.cwd == "{folder}"
    assert given.files == {"a": "b"}
    assert given.modes == {"quiet": Mode((), ("-q",), {"X": "v"})}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("files: {../a: b}\n", '1:9: config: "../a" names no file'),
        ("files: [a]\n", "1:8: config"),
        ("modes: {quiet: {arg: [-q]}}\n", 'unknown key "arg" (did you mean args?)'),
        ("modes: [quiet]\n", "1:8: config: modes is an object"),
    ],
)
def test_a_wrong_configuration_is_told_at_its_place(text, said, tmp_path):
    path = tmp_path / "target.yaml"
    path.write_text(text)
    with pytest.raises(config.ConfigError) as told:
        config.load(path)
    assert said in str(told.value)
