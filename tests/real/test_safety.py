"""Real servers under the profile safety: what is found on them is known, and each finding is true."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .servers import SERVERS

BY_NAME = {server.name: server for server in SERVERS}


def _git(folder: Path) -> dict:
    for words in (
        ["init", "-q", "."],
        ["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "first"],
        ["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "second"],
    ):
        subprocess.run(["git", *words], cwd=folder, check=True, timeout=60)
    return {"git_log": [{"repo_path": str(folder)}], "git_status": [{"repo_path": str(folder)}]}


def _files(folder: Path) -> dict:
    (folder / "notes.txt").write_text("one\ntwo\nthree\n")
    (folder / "2024").write_text("the year\n")
    return {
        "read_text_file": [{"path": str(folder / "notes.txt")}, {"path": str(folder / "2024")}],
        "list_directory_with_sizes": [{"path": str(folder)}],
    }


@pytest.mark.parametrize(
    ("name", "call", "warned"),
    [
        ("filesystem", _files, set()),
        ("git", _git, {"arguments::git_log.max_count[bool-true]"}),
        (
            "everything",
            lambda _folder: {},
            {
                "errors::get-annotated-message.messageType[missing]",
                "errors::get-structured-content.location[missing]",
            },
        ),
    ],
)
def test_what_a_real_server_does_with_arguments_is_known(name, call, warned, tmp_path):
    server = BY_NAME[name]
    if not server.path.exists():
        pytest.skip(f"{server.package} is not installed: run tests/real/install FOLDER and set MCP_TCK_REAL")
    work = tmp_path / "work"
    work.mkdir()
    config = tmp_path / "tck.yaml"
    config.write_text(json.dumps({"command": server.command(work), "profiles": ["safety"], "call": call(work)}))
    report = tmp_path / "report.json"
    words = ["--pyargs", "mcp_tck.conformance", "-m", "safety", f"--tck-config={config}", f"--tck-report={report}"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    made = [case for case in json.loads(report.read_text())["cases"] if case["id"].startswith("safety/")]
    told = {case["id"].removeprefix("safety/"): case["outcome"] for case in made}
    assert {name for name, outcome in told.items() if outcome in {"failed", "error"}} == set()
    assert {name for name, outcome in told.items() if outcome == "warned"} == warned
    assert sum(outcome == "passed" for outcome in told.values()) > 50
    assert all(case["reason"] for case in made if case["outcome"] == "not_exercised")
