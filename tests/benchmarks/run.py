"""Measure what the kit costs, as ratios in one run: `python tests/benchmarks/run.py`. Prints a table; not a test.

Every figure is the median of a few rounds in which both sides take turns, since machines drift. Real servers are taken
from MCP_TCK_REAL, or from where .ci/run installs them; what is absent is left out and said so.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REAL = Path(os.environ.get("MCP_TCK_REAL", ROOT / ".ci" / "cache" / "real"))
PYTHON = sys.executable
REFERENCE = [PYTHON, "-m", "mcp_tck.reference", "--probe"]
OPENING = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
    b'"clientInfo":{"name":"bench","version":"1"}}}\n'
)
ROUNDS = 3
ENV = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Everything is measured as where Python keeps what it compiled, which it does unless told not to."""


def seconds(command: list[str], folder: Path | None = None) -> float:
    """Wall time of a command; its status does not matter here."""
    began = time.perf_counter()
    subprocess.run(
        command, cwd=folder or ROOT, env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    )
    return time.perf_counter() - began


def median(measure: Callable[[], float], rounds: int = ROUNDS) -> float:
    return statistics.median(measure() for _ in range(rounds))


def kit(target: list[str], *options: str) -> list[str]:
    return [PYTHON, "-m", "mcp_tck.conformance.cli", "run", "-q", *options, "--", *target]


def bare_client(target: list[str]) -> tuple[float, float]:
    """Start-up to the first reply, and one raw round trip, by a client that is nothing but two pipes."""
    began = time.perf_counter()
    with subprocess.Popen(
        target, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0, env=ENV
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(OPENING)
        process.stdout.readline()
        start = time.perf_counter() - began
        process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        began = time.perf_counter()
        for number in range(200):
            process.stdin.write(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % (number + 2))
            process.stdout.readline()
        trip = (time.perf_counter() - began) / 200
        process.kill()
    return start, trip


def empty_items(count: int, folder: Path) -> list[str]:
    """Bare pytest with so many empty items, which a conftest makes as cheaply as can be."""
    (folder / "conftest.py").write_text(
        "import pytest\n"
        "class Empty(pytest.Item):\n"
        "    def runtest(self): pass\n"
        "class File(pytest.File):\n"
        "    def collect(self):\n"
        f"        for number in range({count}):\n"
        "            yield Empty.from_parent(self, name=str(number))\n"
        "def pytest_collect_file(file_path, parent):\n"
        "    if file_path.suffix == '.empty': return File.from_parent(parent, path=file_path)\n",
        encoding="utf-8",
    )
    (folder / "all.empty").write_text("", encoding="utf-8")
    return [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "all.empty"]


def trips_and_starts(target: list[str], folder: Path) -> tuple[int, int, int]:
    """Items, round trips (lines sent that ask) and processes of one run, counted by a wrapper that passes lines on."""
    log = folder / "sent.log"
    wrapper = folder / "count.py"
    wrapper.write_text(
        "import subprocess, sys, threading\n"
        f"log = open({str(log)!r}, 'ab', buffering=0)\n"
        "log.write(b'START\\n')\n"
        "p = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)\n"
        "for line in sys.stdin.buffer:\n"
        "    log.write(b'ASK\\n' if b'\"id\"' in line else b'TELL\\n')\n"
        "    try: p.stdin.write(line); p.stdin.flush()\n"
        "    except OSError: break\n"
        "p.stdin.close(); sys.exit(p.wait())\n",
        encoding="utf-8",
    )
    report = folder / "report.json"
    seconds(kit([PYTHON, str(wrapper), *target], "--report", str(report)))
    said = log.read_bytes().split(b"\n")
    items = len(json.loads(report.read_text("utf-8"))["cases"])
    return items, said.count(b"ASK"), said.count(b"START")


def whole_run(name: str, target: list[str], limit: float) -> list[str]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        items, trips, starts = trips_and_starts(target, folder)
        empty = empty_items(items, folder)
        ratios = []
        for _ in range(ROUNDS):
            start, trip = bare_client(target)
            floor = seconds(empty, folder) + start + trips * trip
            ratios.append((seconds(kit(target)) / floor, floor))
    ratio, floor = sorted(ratios)[len(ratios) // 2]
    return [
        f"whole run on {name}",
        f"{ratio:.2f} x its floor of {floor:.2f} s",
        f"at most {limit:g}",
        f"{items} items, {trips} round trips, {starts} processes",
    ]


def own_time(count: int) -> float:
    """Milliseconds of processor time of the kit for a two-step case on a target in this process, outside of pytest."""
    from mcp_tck.conformance.casefile.cases import load
    from mcp_tck.conformance.runner import Runner, Settings
    from mcp_tck.conformance.targets.inprocess import InProcess
    from mcp_tck.reference.build import build
    from mcp_tck.reference.protocol import respond

    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "many.yaml"
        case = (
            "  - id: case-{0}\n    title: two requests are answered\n    steps:\n"
            "      - request: {{method: ping}}\n        expect: {{result: {{}}}}\n"
            "      - request: {{method: tck/none}}\n        expect: {{error: {{code: -32601}}}}\n"
        )
        body = "".join(case.format(number) for number in range(count))
        path.write_text(f"format: 1\narea: many\ncases:\n{body}", encoding="utf-8")
        cases, problems = load(path, "many.yaml", "many")
    assert not problems, problems[:1]
    server = build()
    pings = 0.0

    def timed(line: str) -> list[str]:
        nonlocal pings
        began = time.process_time()
        answers = list(respond(server)(line))
        pings += time.process_time() - began
        return answers

    runner = Runner(lambda: InProcess(timed), Settings(), {})
    facts = runner.discover("2025-11-25")
    pings, began = 0.0, time.process_time()
    for one in cases:
        runner.run(one, facts)
    spent = time.process_time() - began - pings
    runner.close()
    return 1000 * spent / count


def collecting() -> list[str]:
    """10,000 cases in 500 files, against composing them with libyaml and pytest's cost for as many items."""
    import yaml

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "many"
        folder.mkdir()
        for number in range(500):
            rows = "".join(
                f"  - id: case-{row}\n    title: a request is answered\n    steps:\n"
                f"      - request: {{method: ping, params: {{number: {row}}}}}\n        expect: {{result: {{}}}}\n"
                for row in range(20)
            )
            text = f"format: 1\narea: file-{number}\ncases:\n{rows}"
            (folder / f"file-{number}.yaml").write_text(text, encoding="utf-8")
        files = [path.read_text("utf-8") for path in folder.glob("*.yaml")]
        bare = Path(place) / "bare"
        bare.mkdir()
        empty = [*empty_items(10_000, bare), "--collect-only"]
        ours = [PYTHON, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", "-p", "no:hypothesispytest"]
        ours += [str(folder), "--tck-target=true"]
        ratios = []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            for text in files:
                yaml.compose(text, Loader=yaml.CSafeLoader)
            floor = time.perf_counter() - began + seconds(empty, bare)
            ratios.append(seconds(ours, Path(place)) / floor)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    ratio = statistics.median(ratios)
    return [
        "collecting 10,000 cases in 500 files",
        f"{ratio:.2f} x composing and bare items",
        "at most 2",
        f"{peak:.0f} MB",
    ]


def start_up() -> list[str]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "test_nothing.py").write_text("def test_nothing(): pass\n", encoding="utf-8")
        plain = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest"]
        without, asleep = [*plain, "-p", "no:mcp_tck"], plain
        one = ROOT / "fixtures" / "mcp" / "ping" / "replies.yaml"
        ours = [*plain, str(one), "--collect-only", "--tck-target=true"]
        ratios, sleeping = [], []
        for _ in range(ROUNDS + 2):
            floor = seconds(without, folder)
            sleeping.append(seconds(asleep, folder) / floor)
            ratios.append(seconds(ours, folder) / floor)
    shown = f"{statistics.median(ratios):.2f} x bare pytest; asleep {statistics.median(sleeping):.2f} x"
    return ["start-up to the first test", shown, "at most 1.5", "one file, spec read"]


def sharing(target: list[str]) -> list[list[str]]:
    shared = median(lambda: seconds(kit(target)))
    alone = seconds(kit(target, "--isolate"))
    with tempfile.TemporaryDirectory() as place:
        wrapper = Path(place) / "late.py"
        wrapper.write_text(
            "import subprocess, sys, threading\n"
            "p = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)\n"
            "slow = threading.Event()\n"
            "for line in sys.stdin.buffer:\n"
            "    slow.wait(0.005)\n"
            "    try: p.stdin.write(line); p.stdin.flush()\n"
            "    except OSError: break\n"
            "p.stdin.close(); sys.exit(p.wait())\n",
            encoding="utf-8",
        )
        late = [PYTHON, str(wrapper), *REFERENCE]
        one, two = (seconds(kit(late, *words)) for words in ((), ("-n", "2")))
    return [
        [
            "--isolate against shared, server-everything",
            f"{alone / shared:.1f} x",
            "at least 10",
            f"{alone:.0f} s, {shared:.1f} s",
        ],
        [
            "one worker against -n 2, 5 ms a line",
            f"{one / two:.2f} x",
            "at least 1.5",
            f"{one:.0f} s, {two:.0f} s",
        ],
    ]


def main() -> int:
    everything = REAL / "node_modules" / ".bin" / "mcp-server-everything"
    clock = REAL / "venv" / "bin" / "mcp-server-time"
    rows = [start_up(), collecting()]
    small, large = own_time(100), own_time(10_000)
    rows.append(
        ["a two-step case in process", f"{large:.3f} ms (of 10,000), {small:.3f} ms (of 100)", "at most 0.3 ms", ""]
    )
    rows.append(whole_run("the reference", REFERENCE, 2))
    for name, path in (("server-everything", everything), ("mcp-server-time", clock)):
        if path.exists():
            rows.append(whole_run(name, [str(path)], 4))
        else:
            rows.append([f"whole run on {name}", "not measured: not installed", "at most 4", ""])
    if everything.exists() and "--long" in sys.argv:
        rows.extend(sharing([str(everything)]))
    print(
        f"{platform.platform()}, Python {platform.python_version()}, {os.cpu_count()} cores, {shlex.join(sys.argv)}\n"
    )
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
