"""Real servers, pinned: nothing fails that the text does not demand, and what does not apply says why."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from .servers import SERVERS, Server

EXPLAINED = yaml.safe_load((Path(__file__).parent / "explained.yaml").read_text("utf-8"))


def judge(server: Server, folder: Path, *options: str) -> dict:
    report = folder / "report.json"
    words = [sys.executable, "-m", "mcp_tck.conformance.cli", "run", "--report", str(report), *options]
    environment = {**os.environ, "MEMORY_FILE_PATH": str(folder / "memory.json")}
    done = subprocess.run(
        [*words, "--", *server.command(folder)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert report.exists(), done.stdout + done.stderr
    found = json.loads(report.read_text("utf-8"))
    found["status"] = done.returncode
    return found


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.name)
def test_a_real_server_shows_no_unexplained_failure(server: Server, tmp_path: Path) -> None:
    if not server.path.exists():
        pytest.skip(f"{server.package} is not installed: run tests/real/install FOLDER and set MCP_TCK_REAL")
    # Every revision where the two eras and most versions meet; elsewhere the newest that the server speaks.
    revision = "all" if server.name == "time" else "auto"
    report = judge(server, tmp_path, "--revision", revision)
    failed = {case["id"] for case in report["cases"] if case["outcome"] in {"failed", "error"}}
    explained = {entry["case"] for entry in EXPLAINED["failures"] if entry["target"] == server.name}
    assert failed == explained
    assert report["status"] == (1 if explained else 0)


@pytest.mark.parametrize("server", SERVERS[:1], ids=lambda server: server.name)
def test_what_was_not_judged_says_why(server: Server, tmp_path: Path) -> None:
    if not server.path.exists():
        pytest.skip(f"{server.package} is not installed: run tests/real/install FOLDER and set MCP_TCK_REAL")
    report = judge(server, tmp_path)
    left = [case for case in report["cases"] if case["outcome"] in {"not_applicable", "not_exercised"}]
    assert left
    assert all(case["reason"] for case in left)
    assert not [case["id"] for case in left if case["outcome"] == "not_exercised" and "session/" not in case["id"]]
