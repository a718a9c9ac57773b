"""What others put into their CI, run as the scripts that they are: the action, the recipes of spec/ci.md, the hook.

Only what belongs to somebody else's machine is played: `pip` installs nothing, and `node` and `./server` are a small
server, `mcp-tck run` is narrowed to one bundled case, so that each recipe takes a second.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from mcp_tck.conformance import suite
from mcp_tck.conformance.agreement import baseline
from mcp_tck.conformance.casefile import cases

from .conftest import CASES, SMALL

ROOT = suite.HOME.parent
PAGE = ROOT / "spec/ci.md"
pytestmark = pytest.mark.skipif(not PAGE.exists() or not (ROOT / "action.yml").exists(), reason="no clone of the kit")

BUNDLED = next(
    case.id
    for found in suite.load(cases.find(suite.FIXTURES)).files.values()
    for case in found
    if case.covers == ("MCP-BASE-037",)
)
KIT = f"""\
#!/bin/bash
if [ "$1" = run ] && [ -z "$OWN" ]; then set -- run --strict --case '{BUNDLED}' "${{@:2}}"; fi
exec {sys.executable} -m mcp_tck.conformance.cli "$@"
"""
PIP = '#!/bin/bash\necho "$@" >> "$HOME/pip.log"\n'
PYTHON = f"""\
#!/bin/bash
if [ "$2" = venv ]; then mkdir -p "$3/bin"; cp "$HOME/bin/pip" "$HOME/bin/mcp-tck" "$3/bin/"; exit; fi
exec {sys.executable} "$@"
"""
PYTEST = f'#!/bin/bash\nexec {sys.executable} -m pytest -k "code or hello or unit" "$@"\n'
SERVER = f"#!/bin/bash\nexec {sys.executable} {SMALL} $SERVER_IS\n"


@pytest.fixture
def script(tmp_path):
    """Run a script in a repository of somebody's, in which the server is what `server` says."""
    for name, text in {"mcp-tck": KIT, "pip": PIP, "python3": PYTHON, "pytest": PYTEST, "node": SERVER}.items():
        write(tmp_path / "bin" / name, text)
    write(tmp_path / "work/server", SERVER)
    write(tmp_path / "work/conformance-cases/say.yaml", CASES)
    write(tmp_path / "work/known-failures.yaml", "format: 1\nentries: []\n")

    def ran(text, server="", **env):
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("GITHUB_", "PYTEST_"))}
        mine = {"HOME": str(tmp_path), "PATH": f"{tmp_path}/bin:{os.environ['PATH']}", "SERVER_IS": server}
        mine |= {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"), "RUNNER_TEMP": str(tmp_path / "temp")}
        return subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", text],
            cwd=tmp_path / "work",
            env=clean | mine | env,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return ran


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def test_every_block_of_the_page_is_run_here():
    kinds = set(re.findall(r"^```([^\n`]+)$", PAGE.read_text("utf-8"), re.MULTILINE))
    assert kinds == {"sh", "yaml github", "yaml gitlab", "yaml pre-commit", "yaml baseline"}


# -- the action

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8")) if (ROOT / "action.yml").exists() else {}


def act(script, inputs, server="", **env):
    """Run the action's steps as GitHub does: expressions only in `env`, each step in a shell of its own."""
    given = {name: each.get("default", "") for name, each in ACTION["inputs"].items()} | inputs
    done = None
    for step in ACTION["runs"]["steps"]:
        if "run" not in step:
            continue
        assert "${{" not in step["run"], "an input must never be pasted into a script"
        names = {
            key: re.sub(
                r"\$\{\{ (?:inputs\.(\w+)|github\.action_path) \}\}", lambda m: given[m[1]] if m[1] else str(ROOT), text
            )
            for key, text in step.get("env", {}).items()
        }
        done = script(step["run"], server, **names, **env)
        if done.returncode:
            break
    return done


def test_the_action_installs_runs_summarises_and_reports(script, tmp_path):
    done = act(script, {"command": "node dist/server.js --stdio"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert str(ROOT) in (tmp_path / "pip.log").read_text("utf-8")
    assert "**All" in (tmp_path / "summary.md").read_text("utf-8")
    written = {path.name for path in (tmp_path / "work/mcp-tck-report").iterdir()}
    assert written == {"mcp-tck.json", "mcp-tck.md", "mcp-tck.html", "mcp-tck.svg"}


def test_the_action_fails_with_the_run_and_still_summarises(script, tmp_path):
    done = act(script, {"command": "node dist/server.js"}, "--codes")
    assert done.returncode == 1
    assert "**FAILED**" in (tmp_path / "summary.md").read_text("utf-8")


def test_the_action_takes_cases_and_options_line_by_line_and_annotates(script, tmp_path):
    inputs = {"command": "node 'a b.js'", "cases": "conformance-cases\n", "options": "--strict\n--timeout=3\n"}
    done = act(script, inputs, "--loud", OWN="1", GITHUB_ACTIONS="true", GITHUB_WORKSPACE=str(tmp_path / "work"))
    assert done.returncode == 1
    assert "::error file=conformance-cases/say.yaml,line=10," in done.stdout


def test_the_action_gives_a_usage_error_its_status(script):
    done = act(script, {"command": "node x.js", "options": "--profile=none"})
    assert done.returncode == 4
    assert "known are documented, story" in done.stderr


def test_nothing_in_an_input_is_run_by_a_shell(script, tmp_path):
    done = act(
        script, {"command": "node $(touch owned) `touch owned`; touch owned", "options": "--timeout=$(touch owned)"}
    )
    assert done.returncode == 4
    assert not list(tmp_path.rglob("owned"))


# -- the page


@pytest.mark.parametrize("block", blocks("sh"), ids=lambda block: shlex.split(block)[0])
def test_a_shell_recipe_runs(script, tmp_path, block):
    write(
        tmp_path / "work/tests/conftest.py",
        "def pytest_addoption(parser):\n    parser.addoption('--mine', default='ours')\n",
    )
    write(
        tmp_path / "work/tests/test_unit.py",
        "def test_unit(pytestconfig):\n    assert pytestconfig.option.mine == 'ours'\n",
    )
    done = script(block)
    assert done.returncode == 0, done.stdout + done.stderr
    named = re.findall(r"--(?:tck-)?report[= ](\S+)|-o (\S+)|--junitxml=(\S+)", block)
    for name in (name for names in named for name in names if name):
        assert (tmp_path / "work" / name).stat().st_size > 0
    if "pytest" in block:
        assert "test_unit" in (tmp_path / "work/results.xml").read_text("utf-8")
        assert 'value="conformance-cases/say::hello"' in (tmp_path / "work/results.xml").read_text("utf-8")
        assert f'value="{BUNDLED}"' in (tmp_path / "work/results.xml").read_text("utf-8")


@pytest.mark.parametrize("server", ["", "--codes"], ids=["good", "bad"])
def test_the_first_shell_recipe_ends_with_the_verdict(script, server):
    assert script(blocks("sh")[0], server).returncode == bool(server)


@pytest.mark.parametrize("server", ["", "--codes"], ids=["good", "bad"])
@pytest.mark.parametrize("number", [0, 1], ids=["action", "steps"])
def test_a_workflow_for_github_runs(script, tmp_path, number, server):
    (job,) = yaml.safe_load(blocks("yaml github")[number])["jobs"].values()
    status = 0
    for step in job["steps"]:
        if step.get("uses", "").startswith("mcp-tck/"):
            assert set(step["with"]) <= set(ACTION["inputs"])
            status = act(script, step["with"], server).returncode
        elif "run" in step and (not status or step.get("if") == "always()"):
            status = script(step["run"], server).returncode or status
    assert status == bool(server)
    assert ("**FAILED**" if server else "**All") in (tmp_path / "summary.md").read_text("utf-8")


@pytest.mark.parametrize("server", ["", "--codes"], ids=["good", "bad"])
def test_a_pipeline_for_gitlab_runs(script, tmp_path, server):
    (job,) = yaml.safe_load(blocks("yaml gitlab")[0]).values()
    done = script("\n".join(job["script"]), server)
    assert done.returncode == bool(server), done.stderr
    for name in (*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"]):
        assert (tmp_path / "work" / name).stat().st_size > 0


def test_the_baseline_of_the_page_is_one(tmp_path):
    path = tmp_path / "known.yaml"
    path.write_text(blocks("yaml baseline")[0], encoding="utf-8")
    known = baseline.load(path)
    requirements, _ = suite.requirements()
    assert len(known.entries) == 2
    assert not baseline.unknown(known, suite.bundled_ids, requirements)


# -- before a commit


def test_the_hook_checks_case_files(script, tmp_path):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    (repository,) = yaml.safe_load(blocks("yaml pre-commit")[0])["repos"]
    assert [each["id"] for each in repository["hooks"]] == [hook["id"]]
    assert re.search(hook["files"], "conformance-cases/say.yaml")
    assert re.search(hook["files"], "tests/cases/deep/er.yml")
    assert not re.search(hook["files"], "deploy/values.yaml")
    good = script(f"{hook['entry']} conformance-cases/say.yaml")
    assert good.returncode == 0, good.stdout + good.stderr
    write(tmp_path / "work/conformance-cases/bad.yaml", CASES.replace("expect:", "expects:"))
    bad = script(f"{hook['entry']} conformance-cases/say.yaml conformance-cases/bad.yaml")
    assert bad.returncode == 1
    assert "conformance-cases/bad.yaml:10:" in bad.stdout


def test_the_page_names_no_machine():
    assert "localhost" not in Path(PAGE).read_text("utf-8")
