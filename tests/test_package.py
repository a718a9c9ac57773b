"""The wheel, installed elsewhere: the same cases and the same verdicts as in the clone, whatever else is installed.

The new environment borrows what the kit depends on from the one that runs the tests, so that nothing is fetched.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TARGET = f"{shlex.quote(sys.executable)} -m mcp_tck.reference --probe"
SOME = ("-m", "stdio or agent or properties or ping")
EMBEDDED = """\
def pytest_addoption(parser):
    parser.getgroup("embedded").addoption("--target", help="the chip")
"""


def run(*words, cwd, **options):
    environment = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PYTEST_ADDOPTS"}}
    done = subprocess.run(
        list(map(str, words)),
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=environment,
        **options,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from a copy of the tree, since a build leaves its traces beside what it builds."""
    source = tmp_path_factory.mktemp("source")
    for name in ("spec", "fixtures", "conformance", "reference"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    # What builds wheels is among what is installed for the tests, so that nothing is fetched.
    isolation = ["--no-build-isolation"] if importlib.util.find_spec("setuptools.command.bdist_wheel") else []
    words = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", *isolation, "-w", source / "dist", "."]
    run(*words, cwd=source)
    (found,) = (source / "dist").glob("*.whl")
    return found


@pytest.fixture(scope="module")
def elsewhere(wheel, tmp_path_factory):
    """An environment with the wheel in it, and somebody's empty folder beside it: the folder."""
    folder = tmp_path_factory.mktemp("elsewhere")
    venv.create(folder / "env", with_pip=False)
    python = folder / "env" / "bin" / "python"
    packages = next((folder / "env").glob("lib/python*/site-packages"))
    # A path that stands in such a file is searched, and the .pth files in it are not read: the clone's is one of them.
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    run(
        *(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index"),
        *("--force-reinstall", "--no-warn-script-location", wheel),
        cwd=folder,
    )
    return folder


def in_clone(*words, report=None):
    return _pytest(sys.executable, ROOT, "conformance", *words, report=report)


def installed(folder, *words, report=None):
    return _pytest(folder / "env" / "bin" / "python", folder, "--pyargs", "mcp_tck.conformance", *words, report=report)


def _pytest(python, cwd, *words, report):
    quiet = ("-q", "-p", "no:cacheprovider")
    more = () if report is None else (f"--tck-report={report}",)
    out = run(python, "-m", "pytest", *quiet, *words, *more, cwd=cwd)
    return out if report is None else json.loads(report.read_text("utf-8"))


def ids(listing):
    """The cases of a listing, by their places below the two folders that hold any."""
    found = re.findall(r"^\S*?((?:fixtures|conformance/properties)/.*::.*)$", listing, re.MULTILINE)
    assert len(found) > 1000
    return found


def verdicts(report):
    found = {case["id"]: (case["outcome"], case["requirements"]) for case in report["cases"]}
    assert len(found) > 80
    return found


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The verdicts on some cases in the clone."""
    report = tmp_path_factory.mktemp("clone") / "out.json"
    return verdicts(in_clone(f"--target={TARGET}", *SOME, report=report))


def test_the_wheel_holds_all_that_is_read_at_run_time(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    kinds = {".py", ".md", ".json", ".yaml", ".j2", ".ini", ".typed"}
    wanted = {
        f"mcp_tck/{path.relative_to(ROOT)}"
        for name in ("spec", "fixtures", "conformance", "reference")
        for path in (ROOT / name).rglob("*")
        if path.suffix in kinds and "__pycache__" not in path.parts
    }
    assert wanted - inside == set()


def test_nothing_bare_is_put_beside_other_packages(wheel):
    tops = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert tops == {"mcp_tck", *(top for top in tops if top.endswith(".dist-info"))}


def test_the_installed_kit_is_the_wheel(elsewhere):
    code = "import mcp_tck.conformance.plugin as it; print(it.__file__)"
    out = run(elsewhere / "env" / "bin" / "python", "-c", code, cwd=elsewhere)
    assert Path(out.strip()).is_relative_to(elsewhere)


def test_the_case_ids_are_the_same(elsewhere):
    words = (f"--target={TARGET}", "--collect-only")
    assert ids(installed(elsewhere, *words)) == ids(in_clone(*words))


def test_the_verdicts_are_the_same(elsewhere, expected):
    assert verdicts(installed(elsewhere, f"--target={TARGET}", *SOME, report=elsewhere / "a.json")) == expected


def test_they_are_the_same_on_workers_with_a_timeout_where_another_plugin_owns_the_short_option(elsewhere, expected):
    (elsewhere / "embedded_like.py").write_text(EMBEDDED)
    words = ("-p", "embedded_like", f"--tck-target={TARGET}", *SOME, "-n2", "--timeout=60")
    assert verdicts(installed(elsewhere, *words, report=elsewhere / "b.json")) == expected


def test_the_command_is_installed_too(elsewhere):
    script = elsewhere / "env" / "bin" / "mcp-tck"
    assert run(script, "explain", "MCP-PING-001", cwd=elsewhere).startswith("MCP-PING-001")
    run(script, "run", "-q", "--case", "properties/readers::bool", "--", *shlex.split(TARGET), cwd=elsewhere)


def test_nothing_is_left_in_the_folder_of_the_user(elsewhere):
    assert {path.name for path in elsewhere.iterdir()} <= {
        *("env", "embedded_like.py", "__pycache__"),
        *(f"{letter}.json" for letter in "ab"),
    }
