"""`mcp-tck record`: bytes pass unchanged, what passed plays again, and no secret is kept."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from mcp_tck.conformance.authoring import volatile
from mcp_tck.conformance.authoring.recording import Passed, Recording
from mcp_tck.conformance.casefile import cases
from mcp_tck.conformance.casefile.yamlstrict import parse
from mcp_tck.conformance.matching import matching
from mcp_tck.conformance.model import Verdict
from mcp_tck.conformance.runner import Runner, Settings
from mcp_tck.conformance.targets.inprocess import InProcess
from mcp_tck.conformance.values import dumps, lift
from mcp_tck.reference.build import build
from mcp_tck.reference.protocol import respond

START = [
    {
        "id": 0,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "me", "version": "1"}},
    },
    {"method": "notifications/initialized"},
]
RESULT = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "3"}}


def line(message: dict[str, Any] | str) -> bytes:
    return message.encode() if isinstance(message, str) else json.dumps({"jsonrpc": "2.0", **message}).encode()


def tape(*lines: tuple[str, dict[str, Any] | str]) -> list[Passed]:
    return [Passed(direction, line(message)) for direction, message in lines]


def opened(*lines: tuple[str, dict[str, Any] | str]) -> list[Passed]:
    return tape((">", START[0]), ("<", {"id": 0, "result": RESULT}), (">", START[1]), *lines)


def written(passed: Iterable[Passed]) -> str:
    return Recording.of(passed).text("it", "./case.schema.json")


def steps(passed: Iterable[Passed]) -> list[Any]:
    """The steps behind the opening and its notification, as Python's own values."""
    text = written(passed)
    found, problems = cases.loads(text.encode(), "f", "it")
    assert [str(problem) for problem in problems] == [], text
    made = [{step.kind: json.loads(dumps(step.args.plain()))} for case in found for step in case.steps]
    return [step for step in made if "initialize" not in str(step)]


def call(number: int, tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    return ">", {"id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def said(number: int, text: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return "<", {"id": number, "result": {"content": [{"type": "text", "text": text}], **more}}


def converse(client: list[dict[str, Any] | str]) -> list[Passed]:
    """What passes when a client says these lines to the reference."""
    handle = respond(build(probe=True))
    passed = []
    for message in client:
        passed.append(Passed(">", line(message)))
        passed += [Passed("<", answer.encode()) for answer in handle(line(message).decode())]
    return passed


def play(text: str, *, before: str | None = None) -> list[Verdict]:
    """The verdicts of a recording on the reference, on which a line was said before."""

    def launch() -> InProcess:
        server = build(probe=True)
        handle = respond(server)
        if before is not None:
            list(handle(before))
        return InProcess(handle)

    found, problems = cases.loads(text.encode(), "f", "it")
    assert problems == []
    runner = Runner(launch, Settings(), {})
    facts = runner.discover("2025-11-25")
    outcomes = [runner.run(case, facts) for case in found]
    runner.close()
    return [outcome.verdict for outcome in outcomes]


SESSION: list[dict[str, Any] | str] = [
    *START,
    {"id": 1, "method": "tools/list"},
    {"id": 2, "method": "tools/call", "params": {"name": "read_document", "arguments": {"document": 2024}}},
    {
        "id": "x",
        "method": "tools/call",
        "params": {"name": "update_document", "arguments": {"document": "Notes", "text": "New."}},
    },
    {"id": 3, "method": "tools/call", "params": {"name": "read_document", "arguments": {"document": "Notes"}}},
    {"id": 4, "method": "no/such/method"},
    {"method": "notifications/cancelled", "params": {"requestId": 99}},
    "no message",
    {"id": 5, "method": "ping"},
]


def test_a_recorded_session_passes_on_the_server_that_it_was_recorded_on():
    assert play(written(converse(SESSION))) == [Verdict.PASSED]


def test_a_recorded_session_fails_on_a_server_that_changed():
    change = {
        "id": 9,
        "method": "tools/call",
        "params": {"name": "tck_register", "arguments": {"name": "new", "reply": "x"}},
    }
    text = written(converse(SESSION))
    assert play(text, before=line(change).decode()) == [Verdict.FAILED]


def test_a_call_becomes_a_call_without_its_id():
    made = steps(opened(call(17, "t", a=1), said(17, "Done.")))
    assert made == [{"call": {"tool": "t", "arguments": {"a": 1}, "expect": {"ok": True, "text": "Done."}}}]


def test_structured_content_counts_before_text_and_json_before_prose():
    made = steps(
        opened(call(1, "t"), said(1, '{"a": 1}', structuredContent={"b": 2}), call(2, "t"), said(2, '{"a": 1}'))
    )
    expected = [step["call"]["expect"] for step in made]
    assert expected == [{"ok": True, "structured": {"b": 2}}, {"ok": True, "json": {"a": 1}}]


def test_words_of_errors_are_not_kept():
    error = {"code": -32602, "message": "Some words."}
    made = steps(opened(call(1, "t"), ("<", {"id": 1, "error": error}), call(2, "t"), said(2, "No.", isError=True)))
    assert [step["call"]["expect"] for step in made] == [{"error": {"code": -32602}}, {"ok": False}]


def test_requests_that_were_open_at_once_are_sent_together():
    made = steps(opened(call(1, "a"), call(2, "b"), said(2, "B"), said(1, "A"), call(3, "c"), said(3, "C")))
    together = made[0]["together"]
    assert [step["call"]["tool"] for step in together] == ["a", "b"]
    assert made[1]["call"]["tool"] == "c"


def test_a_cursor_is_taken_from_the_answer_before():
    pages = [
        (">", {"id": 1, "method": "tools/list"}),
        ("<", {"id": 1, "result": {"tools": [], "nextCursor": "b2Zmc2V0"}}),
        (">", {"id": 2, "method": "tools/list", "params": {"cursor": "b2Zmc2V0"}}),
        ("<", {"id": 2, "result": {"tools": [], "nextCursor": "bGFzdA"}}),
    ]
    first, second = steps(opened(*pages))
    kept = first["request"]["expect"]["result"]["nextCursor"]["$save"]["as"]
    assert second["request"]["params"] == {"cursor": {"$var": kept}}
    assert second["request"]["expect"]["result"]["nextCursor"] == {"$type": "string"}


def test_a_cancelled_request_is_sent_as_it_was_and_not_awaited():
    cancel = (">", {"method": "notifications/cancelled", "params": {"requestId": 7}})
    made = steps(opened(call(7, "slow"), cancel, (">", {"id": 8, "method": "ping"}), ("<", {"id": 8, "result": {}})))
    assert [next(iter(step)) for step in made] == ["send_line", "notify", "request"]


def test_what_the_server_asks_and_tells_is_kept():
    ask = ("<", {"id": "s1", "method": "roots/list"})
    answer = (">", {"id": "s1", "result": {"roots": []}})
    tell = ("<", {"method": "notifications/progress", "params": {"progressToken": 1, "progress": 2}})
    made = steps(opened(call(1, "t"), ask, answer, tell, said(1, "Done.")))
    assert made[1:] == [
        {"server_request": {"method": "roots/list", "answer": {"result": {"roots": []}}}},
        {"notification": {"method": "notifications/progress", "params": {"progressToken": 1, "progress": 2}}},
    ]


def test_bytes_that_are_no_text_are_kept_as_bytes():
    passed = [
        *opened(),
        Passed(">", b"\xff\xfe"),
        *tape(("<", {"id": None, "error": {"code": -32700, "message": "x"}})),
    ]
    assert steps(passed) == [{"send_bytes": "ff fe 0a"}, {"reply": {"error": {"code": -32700}}}]


def test_nothing_said_is_nothing_written():
    assert written([]) == ""
    assert written(tape(("<", {"method": "notifications/message", "params": {}}))) == ""


SECRET_ARGUMENTS = [
    {"password": "hunter2hunter2"},
    {"apiKey": "abcdefgh"},
    {"api_key": "abcdefgh"},
    {"access_token": "abcdefgh"},
    {"nested": [{"clientSecret": "abcdefgh"}]},
    {"header": "Bearer abcdefghijk"},
    {"text": "use sk-abcdefghijklmnopqrstu please"},
    {"text": "ghp_abcdefghijklmnopqrstuvwx"},
    {"url": "postgres://me:abcdefgh@host/db"},
    {"key": "-----BEGIN RSA PRIVATE KEY-----\nabcdefgh\n-----END RSA PRIVATE KEY-----"},
    {"jwt": "eyJabcdefghijkl.eyJabcdefghijkl.abcdefgh"},
]


@pytest.mark.parametrize("arguments", SECRET_ARGUMENTS, ids=str)
def test_no_secret_is_kept_wherever_it_passed(arguments):
    echoed = json.dumps(arguments)
    text = written(
        opened(
            call(1, "t", **arguments),
            said(1, echoed),
            call(2, "t"),
            said(2, f"see {echoed}", structuredContent=arguments),
        )
    )
    for part in ("hunter2", "abcdefgh", "ghp_", "Bearer a"):
        assert part not in text
    assert "A secret was taken out" in text
    assert steps(opened(call(1, "t", **arguments), said(1, echoed)))


@pytest.mark.parametrize(
    "value",
    [
        "2026-11-30T16:12:58.123Z",
        "2026-11-30 16:12",
        "at 2026-11-30T16:12:58+01:00 it was",
        "Mon Nov 30 2026 16:12:58 GMT+0000 (Coordinated Universal Time)",
        "Mon, 30 Nov 2026 16:12:58 GMT",
        "550e8400-e29b-41d4-a716-446655440000",
        "d41d8cd98f00b204e9800998ecf8427e",
        "in /home/me/project/a.txt:3",
        "C:\\Users\\me\\a.txt",
        "created: Mon Nov 30 2026 16:12:58 GMT+0000 (Coordinated Universal Time)\nsize: 6 (a-b)",
    ],
)
def test_what_changes_becomes_a_pattern_that_matches_what_was_seen(value):
    made = volatile.pattern(value)
    assert isinstance(made, dict)
    assert re.search(made["$regex"], value)
    node, problems = parse(dumps(made), "f")
    assert problems == []
    assert matching.match(node, value, matching.Scope()) == []


@pytest.mark.parametrize(
    "value", ["plain text", "", "version 1.2.3", "2026", "a/b/c.txt", "+49 170 1234567", "deadbeef"]
)
def test_what_stays_is_kept_as_it_is(value):
    assert volatile.pattern(value) == value


@pytest.mark.parametrize(
    ("member", "becomes"),
    [
        ({"duration_ms": 12}, {"$type": "number"}),
        ({"timestamp": 5}, {"$type": "number"}),
        ({"at": 1764519178}, {"$type": "number"}),
        ({"at": 1764519178123}, {"$type": "number"}),
        ({"count": 12}, 12),
        ({"text": "x" * 3000}, {"$type": "string"}),
        ({"schema": {"$ref": "#/x"}}, {"$literal": {"$ref": "#/x"}}),
    ],
)
def test_members_that_change_by_name_or_size(member, becomes):
    made = volatile.Expecter(lambda _value, _key: None).value(lift(member))
    assert made == {next(iter(member)): lift(becomes)}


# -- the command

REFERENCE = [sys.executable, "-m", "mcp_tck.reference"]
RECORD = [sys.executable, "-m", "mcp_tck.conformance.cli", "record"]


def record(output: Path, server: list[str], data: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*RECORD, "-o", str(output), "--", *server], input=data, capture_output=True, check=False, timeout=60
    )


def test_bytes_pass_unchanged_in_both_directions(tmp_path):
    data = b"\n".join(map(line, SESSION)) + b'\n\xff\xfe\n\n{"jsonrpc":"2.0","id":6,"method":"ping"}'
    direct = subprocess.run(REFERENCE, input=data, capture_output=True, check=False, timeout=60)
    recorded = record(tmp_path / "a" / "session.yaml", REFERENCE, data)
    assert recorded.stdout == direct.stdout
    assert recorded.returncode == direct.returncode == 0
    assert b"session.yaml" in recorded.stderr
    assert cases.load(tmp_path / "a" / "session.yaml", "f", "session")[1] == []


def test_a_second_recording_gets_a_number(tmp_path):
    data = line({"id": 1, "method": "ping"}) + b"\n"
    for _ in range(3):
        record(tmp_path / "s.yaml", REFERENCE, data)
    assert sorted(path.name for path in tmp_path.glob("*.yaml")) == ["s-2.yaml", "s-3.yaml", "s.yaml"]
    assert "area: s-2\n" in (tmp_path / "s-2.yaml").read_text()


def test_the_servers_exit_status_is_the_recorders(tmp_path):
    leave = [sys.executable, "-c", "import sys; sys.stdin.readline(); print('{}'); sys.exit(7)"]
    done = record(tmp_path / "s.yaml", leave, line({"id": 1, "method": "ping"}) + b"\n")
    assert done.returncode == 7
    assert done.stdout == b"{}\n"


def test_a_server_that_does_not_start_is_told_of(tmp_path):
    done = record(tmp_path / "s.yaml", ["./no-such-program"], b"")
    assert done.returncode == 1
    assert b"does not start" in done.stderr
    assert record(tmp_path / "s.txt", REFERENCE, b"").returncode == 4


def test_a_name_that_no_case_file_can_have_is_refused_with_a_better_one(tmp_path):
    done = record(tmp_path / "My first session!.yaml", REFERENCE, b"")
    assert done.returncode == 4
    assert f"write -o {tmp_path}/my-first-session.yaml" in done.stderr.decode()
    assert list(tmp_path.iterdir()) == []


def test_a_session_in_which_nothing_was_sent_is_no_recording(tmp_path):
    done = record(tmp_path / "s.yaml", REFERENCE, b"")
    assert done.returncode == 1
    assert b"the client sent nothing" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_recorder_that_is_told_to_end_ends_its_server_and_writes(tmp_path):
    running = subprocess.Popen(
        [*RECORD, "-o", str(tmp_path / "s.yaml"), "--", *REFERENCE], stdin=-1, stdout=-1, stderr=-1
    )
    assert running.stdin
    assert running.stdout
    running.stdin.write(line({"id": 1, "method": "ping"}) + b"\n")
    running.stdin.flush()
    assert b'"id":1' in running.stdout.readline()
    running.send_signal(signal.SIGTERM)
    _, said = running.communicate(timeout=30)
    assert b"written to" in said
    assert (tmp_path / "s.yaml").exists()
