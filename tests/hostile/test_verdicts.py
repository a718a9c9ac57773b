"""Each program of this folder as a target: what is said of it, in what time, and that nothing else comes to harm."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from mcp_tck.conformance import suite
from mcp_tck.conformance.casefile import cases
from mcp_tck.conformance.kit import Kit, Plan
from mcp_tck.conformance.report.again import Again
from mcp_tck.conformance.report.terminal import block
from mcp_tck.conformance.runner import Settings
from mcp_tck.conformance.targets import process as module
from mcp_tck.conformance.targets.process import MARKER

HERE = Path(__file__).parent
PING = {"request": {"method": "ping"}, "expect": {"result": {}}}
LIST = {"request": {"method": "tools/list"}, "expect": {"result": {"tools": {"$type": "array"}}}}
CALL = {"call": {"tool": "nothing"}, "expect": {"text": {"$type": "string"}}}
BAD = {"send_line": "{nonsense"}
USUAL = {"ping": [PING], "list": [LIST], "call": [CALL], "bad": [BAD, PING], "last": [PING]}
SOON = 10.0

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="targets are started on POSIX systems only")


@dataclass
class Told:
    """What is expected of a program: outcomes that are not `passed`, by case or standing check, and words in blocks."""

    outcomes: dict = field(default_factory=dict)
    words: dict = field(default_factory=dict)
    timeout: float = 5.0
    startup: float = 20.0
    within: float = SOON


def failed(*names, **more):
    return dict.fromkeys(names, "failed") | more


UNOPENED = dict.fromkeys(USUAL, "not_exercised")
NEVER = "got none, and the target still ran"


def unopened(words, **more):
    """A target that does not open: one failure that says why, and nothing else exercised."""
    return Told(UNOPENED | failed("session/opening"), {"session/opening": [words]}, startup=more.pop("startup", 20.0))


def about(names, words):
    return {name: [words] for name in names}


def every(words, **more):
    """A target that can do nothing after the opening."""
    return Told(failed(*USUAL, **more), about(USUAL, words))


def hangs(words, **more):
    """A target that answers nothing after the opening: three cases find out, and the rest of their kind is spared."""
    rest = {"bad": "failed", "last": "not_exercised"}
    told = about(("ping", "list", "call", "bad"), words) | {"last": ["did not answer in 3 cases in a row"]}
    return Told(failed("ping", "list", "call", **rest), told, timeout=0.4, **more)


def listing(check, words, *, outcome="failed", case="failed", case_words=()):
    """A target whose list of tools is wrong, and everything else right."""
    outcomes = {f"session/{check}": outcome} | ({"list": case} if case else {})
    return Told(outcomes, {f"session/{check}": [words]} | ({"list": list(case_words)} if case_words else {}))


PROGRAMS = {
    "right": Told(),
    # ends
    "exits_with_0": unopened("the target exited with status 0"),
    "exits_with_2": unopened("the target exited with status 2"),
    "exits_by_signal": unopened("the target was ended by SIGSEGV"),
    "exits_after_opening": every("the target exited with status 1"),
    "exits_mid_line": Told(
        failed(*USUAL, "session/framing"),
        about(USUAL, "the target exited with status 0")
        | {"session/framing": ["MCP-STDIO-002", "the output ended with", "bytes without one"]},
    ),
    "exits_on_third_request": Told(
        failed("list", "last"), {"list": ["a reply to tools/list", "the target exited with status 3"]}
    ),
    # silence
    "never_answers": unopened("got none; the target still ran", startup=0.5),
    "never_reads": unopened("got none; the target still ran", startup=0.5),
    "writes_one_byte_a_second": unopened(
        "got none, but 1 byte without a line feed: {; the target still ran", startup=0.5
    ),
    "never_ends_its_lines": Told(
        UNOPENED | failed("session/opening"),
        {"session/opening": ["MCP-STDIO-002", 'without a line feed: {"jsonrpc"', "got a message of"]},
        startup=0.5,
    ),
    "flushes_at_the_end": Told(
        UNOPENED | failed("session/opening"),
        {"session/opening": ["MCP-STDIO-002", "the reply only when the input had ended: is it flushed"]},
        startup=0.5,
    ),
    "forgets_a_line_feed": Told(
        failed("call", "session/framing"),
        {
            "call": ['without a line feed: {"jsonrpc"'],
            "session/framing": ["MCP-STDIO-002", "a line feed after every message", "a message of"],
        },
        timeout=0.5,
    ),
    "closes_stdout_and_lives": every("the target closed its standard output"),
    "closes_stdin_and_lives": hangs("the target closed its standard input, and still ran"),
    "goes_deaf_after_bad_line": Told(
        failed("bad"), {"bad": ["got none after a malformed line, and the target still ran", "{nonsense"]}, timeout=0.5
    ),
    # what does not go away
    "ignores_end_and_sigterm": Told(),
    "leaves_grandchild_with_pipes": Told(),
    "leaves_session_with_pipes": Told(),
    # floods
    "floods_stderr_before_first_reply": Told(),
    "floods_stderr_during_call": Told(),
    "writes_endless_line": Told(
        failed(*USUAL, "session/framing"),
        about(USUAL, "bytes without a line feed") | {"session/framing": ["MCP-STDIO-002", "bytes without a line feed"]},
        within=60,
    ),
    "writes_endless_notifications": hangs("other lines came, and the target still ran"),
    "writes_huge_reply": Told(within=60),
    "writes_blank_lines": Told(
        failed("session/framing"), {"session/framing": ["got a blank line"]}, timeout=30, within=60
    ),
    "answers_at_length": Told(),
    # lines that are no messages, or doubtful ones
    "writes_invalid_utf8": listing(
        "framing", "expected UTF-8 text, got byte 0xe9", case_words=["a line that is no message: byte 0xe9"]
    ),
    "writes_nul_bytes": listing("framing", r"\u0000", case_words=["a line that is no message"]),
    "writes_nan": listing("framing", "NaN is no JSON value", case_words=["NaN is no JSON value"]),
    "writes_duplicate_keys": listing("json", 'member name given twice: "id"', outcome="warned", case=None),
    "writes_lone_surrogates": listing("json", "a surrogate without its partner", outcome="warned", case=None),
    "writes_deep_arrays": listing(
        "json",
        "levels deep; the kit reads 500",
        outcome="warned",
        case="not_exercised",
        case_words=["a reply cannot be judged: nested 100003 levels deep"],
    ),
    "writes_long_integer": Told(),
    "writes_line_separators": Told(),
    # replies
    "answers_requests_never_made": Told(
        failed("session/stray-reply"),
        {"session/stray-reply": ["MCP-BASE-010", 'a result with id string "never"', "a result with id integer 990001"]},
    ),
    "splits_replies": Told(),
    "joins_replies": Told(),
}


def case_file(steps_by_id):
    """Cases that name no requirement, and so bind as musts."""
    inside = [{"id": name, "title": "a title", "steps": steps} for name, steps in steps_by_id.items()]
    text = json.dumps({"format": 1, "area": "hostile", "cases": inside})
    found, problems = cases.loads(text.encode(), "hostile.yaml", "hostile")
    assert problems == []
    return found


REQUIREMENTS, PROBLEMS = suite.requirements()


def descriptors():
    return set(os.listdir("/proc/self/fd")) if sys.platform == "linux" else set()


def left_below(folder):
    """The processes of targets that live and work in a folder; other tests may run beside this one."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if Path(os.readlink(entry.parent / "cwd")) == folder and f"{MARKER}=".encode() in entry.read_bytes():
                found.add(int(entry.parent.name))
    return found


@pytest.fixture
def judge(tmp_path, monkeypatch):
    """Play cases on a program; answers records by short id, and holds that nothing of it is left afterwards."""
    monkeypatch.setattr(module, "_EOF_GRACE", 0.5)
    monkeypatch.setattr(module, "_TERM_GRACE", 0.2)
    before, threads = descriptors(), threading.active_count()

    def play(name, steps_by_id, **settings):
        command = (sys.executable, "-S", str(HERE / f"{name}.py"))
        kit = Kit(Plan(command, cwd=str(tmp_path), revision="2025-11-25", settings=Settings(**settings)), REQUIREMENTS)
        kit.open()
        records = [kit.run(case, kit.facts[0]) for case in case_file(steps_by_id)]
        kit.close()
        found = {each["id"].removeprefix("hostile::"): each for each in [*records, *kit.standing()]}
        assert not any(session.target.alive for session in kit.runner.processes.kept.values())
        return found

    yield play
    assert left_below(tmp_path) == set()
    assert descriptors() == before
    assert threading.active_count() == threads


def told(record):
    return block(record, Again(("target",)), lambda name, number: None)


def test_every_program_of_this_folder_has_a_verdict():
    programs = {path.stem for path in HERE.glob("[a-z]*.py")} - {"test_verdicts", "conftest"}
    assert programs == set(PROGRAMS)
    assert PROBLEMS == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_verdict_names_what_happened_and_blames_nothing_else(judge, name):
    wanted = PROGRAMS[name]
    begun = time.monotonic()
    found = judge(name, USUAL, timeout=wanted.timeout, startup=wanted.startup, case=20.0)
    seconds = time.monotonic() - begun
    outcomes = {
        identity: record["outcome"]
        for identity, record in found.items()
        if record["outcome"] != "passed"
        and not (wanted.outcomes.get("ping") == "not_exercised" and _is_unheard(record))
    }
    assert outcomes == wanted.outcomes
    for identity, words in wanted.words.items():
        text = told(found[identity])
        for word in words:
            assert word in text, text
    assert seconds < wanted.within


def _is_unheard(record):
    """A standing check that had nothing to look at, as is right for a target that never said a thing."""
    return record["id"].startswith("session/") and record["outcome"] in {"not_exercised", "not_applicable"}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("exits_with_2", "usage: exits_with_2 --config FILE"),
        ("floods_stderr_during_call", "the end of the flood"),
    ],
)
def test_the_end_of_stderr_is_shown_with_what_failed(judge, name, words):
    wrong = {"call": {"tool": "nothing"}, "expect": {"text": "something else"}}
    found = judge(name, {"wrong": [wrong]}, timeout=20.0, case=60.0)
    shown = found["wrong" if found["wrong"]["outcome"] == "failed" else "session/opening"]
    assert shown["outcome"] == "failed"
    assert words in shown["stderr"]
    assert len(shown["stderr"]) <= 8192
    assert words in told(shown)


def test_both_pipes_may_be_full_at_once(judge):
    text = {"$repeat": {"of": "y", "times": 200_000}}
    asked = {"request": {"method": "ping", "params": {"_meta": {"text": text}}}, "expect": {"result": {}}}
    found = judge("answers_at_length", {"full": [{"together": [asked] * 100}], "last": [PING]}, timeout=60.0)
    assert {name: record["outcome"] for name, record in found.items() if record["outcome"] != "passed"} == {}


@pytest.mark.parametrize("steps", [[LIST], [CALL]], ids=["list", "call"])
def test_a_death_costs_no_other_case_its_verdict(judge, steps):
    found = judge("exits_on_third_request", {"before": [PING], "dies": [*steps, *steps], "after": [PING]})
    assert {name: found[name]["outcome"] for name in ("before", "dies", "after")} == {
        "before": "passed",
        "dies": "failed",
        "after": "passed",
    }
    assert "the target exited with status 3" in told(found["dies"])


@pytest.mark.parametrize(
    ("settings", "verdict", "words"),
    [
        ({"timeout": 0.2, "case": 60.0}, "failed", "within 0.2 s"),
        ({"timeout": 60.0, "case": 0.3}, "failed", "other lines came"),
        ({"timeout": 0.3, "case": 60.0, "run": 0.0}, "not_exercised", "the run's budget"),
    ],
    ids=["reply", "case", "run"],
)
def test_a_reply_a_case_and_the_run_have_budgets_of_their_own(judge, settings, verdict, words):
    begun = time.monotonic()
    found = judge("writes_endless_notifications", {"only": [PING]}, **({"startup": 20.0} | settings))
    assert found["only"]["outcome"] == verdict
    assert words in told(found["only"])
    assert time.monotonic() - begun < SOON


HEAVY = ["writes_endless_line", "writes_endless_notifications", "writes_blank_lines", "writes_deep_arrays"]


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of a process's peak memory differs elsewhere")
@pytest.mark.parametrize(("name", "megabytes"), [(name, 250) for name in HEAVY] + [("writes_huge_reply", 700)])
def test_memory_is_bounded_whatever_a_target_writes(tmp_path, name, megabytes):
    steps = [{"id": slug, "title": "a title", "steps": chosen} for slug, chosen in USUAL.items()]
    path = tmp_path / "cases" / "hostile.yaml"
    path.parent.mkdir()
    path.write_text(f"format: 1\narea: hostile\ncases: {json.dumps(steps)}\n", "utf-8")
    # The limit is on addresses, so that the kit gets no more whatever it asks for; its libraries take their share.
    code = (
        f"import resource, sys; resource.setrlimit(resource.RLIMIT_AS, ({megabytes} << 20,) * 2)\n"
        "from mcp_tck.conformance.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    words = [
        "run",
        "cases",
        "--timeout",
        "0.5",
        "--revision",
        "2025-11-25",
        "-q",
        "--",
        sys.executable,
        "-S",
        str(HERE / f"{name}.py"),
    ]
    done = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    assert "MemoryError" not in done.stdout + done.stderr
