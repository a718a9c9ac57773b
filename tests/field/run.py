"""The field run: pinned real servers, one at a time, and what the kit says of each.

    python tests/field/run.py FOLDER [NAME ...]

installs what the servers need below FOLDER (packages only: no script of a package is run), judges every named server
(all when none is named) at every revision that it speaks, and leaves FOLDER/reports/NAME.json, and NAME.txt as printed.
It never starts two servers at once, never lets one run longer than its limit, and never writes into the checkout.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
LIMIT = 900


def install(at: Path, servers: list[dict[str, Any]]) -> None:
    """Install the packages that are not there yet; a stamp for each set remembers what is."""
    wanted: dict[str, set[str]] = {}
    for server in servers:
        if "npm" in server:
            wanted.setdefault("npm", set()).update(server["npm"])
        if "pip" in server:
            wanted.setdefault(f"venv-{server['venv']}", set()).update(server["pip"])
    for group, packages in wanted.items():
        stamp = at / f"{group}.stamp"
        have = set(stamp.read_text("utf-8").split()) if stamp.exists() else set()
        if packages <= have:
            continue
        if group == "npm":
            (at / "package.json").write_text('{"private": true}')
            flags = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact"]
            subprocess.run(["npm", "install", *flags, *sorted(packages | have)], cwd=at, check=True)
        else:
            venv.create(at / group, with_pip=True)
            pip = [str(at / group / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, *sorted(packages | have)], check=True)
        stamp.write_text("\n".join(sorted(packages | have)), "utf-8")
    # A module finds its packages from the folder that it lies in, so these must lie beside node_modules.
    for module in (HERE / "own").glob("*.mjs"):
        shutil.copy(module, at)


def judge(at: Path, server: dict[str, Any]) -> dict[str, Any] | None:
    """Run the kit on one server; its report, or nothing where none was written in time."""
    report = at / "reports" / f"{server['name']}.json"
    report.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="field-") as folder:

        def filled(text: str) -> str:
            return text.replace("{at}", str(at)).replace("{tmp}", folder).replace("{own}", str(HERE / "own"))

        for name, text in server.get("files", {}).items():
            Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
            Path(folder, name).write_text(text, "utf-8")
        command = [filled(word) for word in server["command"]]
        if command[0].startswith("/"):
            os.chmod(os.path.realpath(command[0]), 0o755)  # npm sets this bit in scripts, which are not run here
        extra = {key: filled(value) for key, value in server.get("env", {}).items()}
        kit = [sys.executable, "-m", "mcp_tck.conformance.cli", "run", "--revision", "all", "--timeout", "2"]
        words = [*kit, "--report", str(report), "--", *command]
        with (at / "reports" / f"{server['name']}.txt").open("w") as said:
            running = subprocess.Popen(
                words,
                cwd=folder,
                env={**os.environ, "HOME": folder, **extra},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
            try:
                running.wait(LIMIT)
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)
                running.wait()
    return json.loads(report.read_text("utf-8")) if report.exists() else None


def main(words: list[str]) -> int:
    if not words:
        print(__doc__)
        return 2
    at = Path(words[0]).resolve()
    (at / "reports").mkdir(parents=True, exist_ok=True)
    servers = yaml.safe_load((HERE / "servers.yaml").read_text("utf-8"))["servers"]
    chosen = [server for server in servers if not words[1:] or server["name"] in words[1:]]
    install(at, chosen)
    unheard = 0
    for server in chosen:
        found = judge(at, server)
        if found is None:
            unheard += 1
            print(f"{server['name']}: no report", flush=True)
            continue
        print(f"{server['name']}: {json.dumps(found['summary'])}", flush=True)
    return 1 if unheard else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
