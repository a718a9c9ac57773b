"""A process as a target, against the programs of tests/hostile: events, bounded time and memory, and no leftovers."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from pathlib import Path

import pytest
from mcp_tck.conformance.targets import process as module
from mcp_tck.conformance.targets.process import MARKER, Process
from mcp_tck.conformance.targets.target import Closed, Deadline, Dropped, Exited, Line, Overflow, Partial

HOSTILE = Path(__file__).parents[1] / "hostile"
SOON = 20.0  # far more than anything here takes; a hang is what it catches
MEGABYTE = 1024 * 1024
OPENING = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="targets are started on POSIX systems only")
only_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who carries the marker")


def python(code):
    return [sys.executable, "-S", "-c", code]


def hostile(name):
    return [sys.executable, "-S", str(HOSTILE / f"{name}.py")]


def carriers(target):
    """The processes, ended ones not, that carry the target's marker."""
    needle = f"{MARKER}={target._marker}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if needle in entry.read_bytes().split(b"\0"):
                found.append(int(entry.parent.name))
    return found


def descriptors():
    return set(os.listdir("/proc/self/fd")) if sys.platform == "linux" else set()


@pytest.fixture
def start():
    """Start targets; at the end nothing of them may be left: no process, zombie, descriptor or thread."""
    gc.collect()
    before, threads = descriptors(), threading.active_count()
    targets = []

    def begin(argv, **options):
        targets.append(Process(argv, **options))
        return targets[-1]

    yield begin
    for target in targets:
        target.kill()
        assert not target.alive
        assert carriers(target) == []
        with pytest.raises(ChildProcessError):
            os.waitpid(target._pid, os.WNOHANG)
    assert descriptors() == before
    assert threading.active_count() == threads


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(module, "_EOF_GRACE", 0.2)
    monkeypatch.setattr(module, "_TERM_GRACE", 0.2)


@contextlib.contextmanager
def within(seconds):
    begun = time.monotonic()
    yield
    assert time.monotonic() - begun < seconds


def request(number, method, **params):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


def take(target, count):
    return [target.receive(SOON) for _ in range(count)]


def ask(target, number, method, **params):
    target.send(request(number, method, **params))
    event = target.receive(SOON)
    assert isinstance(event, Line), (event, target.stderr_tail)
    return json.loads(event.data)


def opened(target):
    assert ask(target, 1, "initialize", **OPENING)["id"] == 1
    return target


def test_a_right_server_is_talked_with_and_ends_with_its_input(start):
    target = opened(start(hostile("right")))
    assert ask(target, 2, "ping") == {"jsonrpc": "2.0", "id": 2, "result": {}}
    assert target.alive
    assert target.how_ended == "still running"
    assert target.stop() == [Closed(), Exited(0)]
    assert (target.alive, target.how_ended) == (False, "exited with status 0")


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("exits_with_0", 0, "exited with status 0"),
        ("exits_with_2", 2, "exited with status 2"),
        ("exits_by_signal", -signal.SIGSEGV, "killed by SIGSEGV"),
    ],
)
def test_an_exit_at_once_is_told_with_its_status(start, name, code, words):
    target = start(hostile(name))
    target.send(request(1, "initialize", **OPENING))
    assert take(target, 2) == [Closed(), Exited(code)]
    assert target.how_ended == words


def test_stderr_of_a_program_that_exits_at_once_is_kept(start):
    target = start(hostile("exits_with_2"))
    take(target, 2)
    assert target.stderr_tail == "usage: exits_with_2 --config FILE"


def test_an_exit_in_the_middle_of_a_line_tells_the_piece(start):
    target = opened(start(hostile("exits_mid_line")))
    target.send(request(2, "ping"))
    piece, closed, exited = take(target, 3)
    assert (closed, exited) == (Closed(), Exited(0))
    assert isinstance(piece, Partial)
    assert not piece.cut
    assert b'{"jsonrpc":"2.0","id":2,"result":{}}'.startswith(piece.data)


def test_an_exit_after_the_opening_comes_after_its_answer(start):
    target = opened(start(hostile("exits_after_opening")))
    assert take(target, 2) == [Closed(), Exited(1)]


def test_an_exit_on_the_third_request_comes_after_two_answers(start):
    target = opened(start(hostile("exits_on_third_request")))
    assert ask(target, 2, "ping")["id"] == 2
    target.send(request(3, "ping"))
    assert take(target, 2) == [Closed(), Exited(3)]


def test_an_end_that_was_told_is_told_again_at_once(start):
    target = start(hostile("exits_with_0"))
    take(target, 2)
    with within(1):
        assert target.receive(SOON) == target.receive(SOON) == Exited(0)


def test_every_line_written_before_the_end_comes_before_it(start):
    target = start(python("print('x\\n' * 5000, end='', flush=True); raise SystemExit(3)"))
    os.waitid(os.P_PID, target._pid, os.WEXITED | os.WNOWAIT)
    assert take(target, 5002) == [Line(b"x")] * 5000 + [Closed(), Exited(3)]


def test_no_answer_is_a_deadline_and_the_target_lives(start):
    target = start(hostile("never_answers"))
    target.send(request(1, "initialize", **OPENING))
    with within(2):
        assert target.receive(0.1) == Deadline()
    assert target.alive


def test_one_byte_a_second_is_a_deadline_and_its_bytes_are_kept(start, impatient):
    target = start(hostile("writes_one_byte_a_second"))
    target.send(request(1, "initialize", **OPENING))
    with within(5):
        assert target.receive(1.5) == Deadline()
        piece, *end = target.stop()
    assert isinstance(piece, Partial)
    assert piece.data.startswith(b"{")
    assert piece.cut
    assert end == [Closed(), Exited(-signal.SIGTERM)]


def test_a_closed_stdout_is_told_once_and_the_target_lives(start):
    target = opened(start(hostile("closes_stdout_and_lives")))
    assert target.receive(SOON) == Closed()
    assert target.receive(0.05) == Deadline()
    assert target.alive
    assert target.stop() == [Exited(0)]


def test_a_closed_stdin_is_remembered_and_never_raises(start, impatient):
    target = opened(start(hostile("closes_stdin_and_lives")))
    assert not target.stdin_broken
    for number in range(3):
        target.send(request(number, "ping"))
    assert target.stdin_broken
    assert target.alive
    assert target.receive(0.05) == Deadline()
    assert target.stop()[-1] == Exited(-signal.SIGTERM)
    assert target.how_ended == "stopped by the kit with SIGTERM"


def test_what_ignores_the_end_and_sigterm_is_killed(start, impatient):
    target = opened(start(hostile("ignores_end_and_sigterm")))
    with within(5):
        assert target.stop() == [Closed(), Exited(-signal.SIGKILL)]
    assert target.how_ended == "stopped by the kit with SIGKILL"


@only_linux
@pytest.mark.parametrize("name", ["leaves_grandchild_with_pipes", "leaves_session_with_pipes"])
@pytest.mark.parametrize("end", ["stop", "kill"])
def test_a_grandchild_that_holds_the_pipes_is_killed(start, name, end):
    target = opened(start(hostile(name)))
    assert len(carriers(target)) == 2
    with within(5):
        getattr(target, end)()
    assert carriers(target) == []


@only_linux
def test_the_end_of_the_leader_is_told_while_a_grandchild_holds_stdout(start):
    target = start(
        python(
            "import os, signal\nif os.fork() == 0: signal.alarm(60); signal.pause()\nprint('last'); raise SystemExit(4)"
        )
    )
    with within(5):
        assert take(target, 2) == [Line(b"last"), Exited(4)]
        assert target.stop() == [Closed(), Exited(4)]
    assert target.how_ended == "exited with status 4"


def test_deafness_after_a_bad_line_is_a_deadline(start):
    target = opened(start(hostile("goes_deaf_after_bad_line")))
    target.send(b"{\n" + request(2, "ping"))
    assert target.receive(0.1) == Deadline()
    assert target.alive


def test_a_flood_on_stderr_before_the_first_reply_blocks_nothing(start):
    target = opened(start(hostile("floods_stderr_before_first_reply")))
    assert target.stderr_tail.endswith("x the end of the flood")
    assert len(target.stderr_tail) <= 8192


def test_a_flood_on_stderr_during_a_call_blocks_nothing(start):
    target = opened(start(hostile("floods_stderr_during_call")))
    assert ask(target, 2, "tools/call", name="nothing")["id"] == 2
    assert target.stderr_tail.endswith("x the end of the flood")


def test_stderr_keeps_the_last_twenty_lines(start):
    target = start(python("import sys\nfor n in range(100): print(f'\\xe9 {n}', file=sys.stderr)"))
    take(target, 2)
    assert target.stderr_tail == "\n".join(f"é {n}" for n in range(80, 100))


def test_a_line_without_end_overflows_and_is_killed(start):
    target = opened(start(hostile("writes_endless_line"), line_limit=MEGABYTE))
    tracemalloc.start()
    try:
        overflow = target.receive(SOON)
        assert isinstance(overflow, Overflow)
        assert MEGABYTE < overflow.size <= MEGABYTE + 65536
        assert take(target, 2) == [Closed(), Exited(-signal.SIGKILL)]
        assert tracemalloc.get_traced_memory()[1] < 5 * MEGABYTE
    finally:
        tracemalloc.stop()
    assert target.stop() == [Exited(-signal.SIGKILL)]


def test_a_deadline_holds_within_a_line_that_never_ends(start):
    target = opened(start(hostile("writes_endless_line"), line_limit=1 << 40))
    with within(5):
        assert target.receive(0.05) == Deadline()


def test_endless_valid_notifications_come_one_by_one_in_bounded_memory(start):
    target = opened(start(hostile("writes_endless_notifications")))
    tracemalloc.start()
    try:
        for event in take(target, 20_000):
            assert isinstance(event, Line)
            assert event.data.startswith(b'{"jsonrpc":"2.0","method":"notifications/message"')
        with within(10):
            *late, dropped, exited = target.stop()
        assert tracemalloc.get_traced_memory()[1] < 64 * MEGABYTE
    finally:
        tracemalloc.stop()
    assert any(isinstance(event, Line) for event in late)
    assert isinstance(dropped, Dropped)
    assert exited == Exited(-signal.SIGTERM)


def test_a_reply_of_fifty_megabytes_arrives_whole(start):
    target = opened(start(hostile("writes_huge_reply")))
    with within(SOON):
        reply = ask(target, 2, "tools/call", name="nothing")
    assert reply["result"]["content"][0]["text"] == "x" * 50_000_000
    assert ask(target, 3, "ping")["id"] == 3


@pytest.mark.parametrize(
    ("name", "piece"),
    [
        ("writes_invalid_utf8", b"Caf\xe9 \xff\xfe"),
        ("writes_nul_bytes", b",\0\0"),
        ("writes_nan", b'"a":NaN,"b":Infinity,"c":-Infinity'),
        ("writes_duplicate_keys", b'"id":"another","id":2'),
        ("writes_long_integer", b'"n":' + b"9" * 5000 + b"}"),
        ("writes_deep_arrays", b"[" * 100_000 + b"]" * 100_000),
        ("writes_lone_surrogates", rb"Half \ud83d and \ude00 swapped"),
        ("writes_line_separators", "one\u2028two\u2029three\u0085four".encode()),
    ],
)
def test_what_no_json_reader_likes_arrives_as_it_was_written(start, name, piece):
    target = opened(start(hostile(name)))
    target.send(request(2, "tools/list"))
    line = target.receive(SOON)
    assert isinstance(line, Line)
    assert piece in line.data
    assert ask(target, 3, "ping")["id"] == 3


def test_half_a_million_blank_lines_are_half_a_million_events(start):
    target = opened(start(hostile("writes_blank_lines")))
    target.send(request(2, "tools/list"))
    blank = 0
    while (event := target.receive(SOON)) == Line(b""):
        blank += 1
    assert blank == 500_000
    assert json.loads(event.data)["id"] == 2


def test_replies_to_requests_never_made_are_lines_like_others(start):
    target = opened(start(hostile("answers_requests_never_made")))
    target.send(request(2, "tools/list"))
    assert [json.loads(event.data)["id"] for event in take(target, 3)] == ["never", 990001, 2]


def test_a_reply_split_over_many_writes_is_one_line(start):
    target = opened(start(hostile("splits_replies")))
    assert ask(target, 2, "ping") == {"jsonrpc": "2.0", "id": 2, "result": {}}


def test_two_replies_in_one_write_are_two_lines(start):
    target = opened(start(hostile("joins_replies")))
    target.send(request(2, "ping") + request(3, "ping"))
    assert [json.loads(event.data)["id"] for event in take(target, 2)] == [2, 3]


def test_pipes_that_are_full_both_ways_block_nothing(start):
    target = opened(start(hostile("answers_at_length")))
    with within(SOON):
        for number in range(100):
            target.send(request(number, "ping", text="y" * 200_000))
        replies = take(target, 100)
    assert [json.loads(event.data)["id"] for event in replies] == list(range(100))
    assert target.stop() == [Closed(), Exited(0)]


def test_sending_to_what_never_reads_blocks_nothing(start, impatient):
    target = start(hostile("never_reads"))
    with within(5):
        target.send(b"x" * 10 * MEGABYTE)
        assert target.receive(0.05) == Deadline()
        target.stop()
    assert target.how_ended == "stopped by the kit with SIGTERM"


def test_stdin_ends_only_after_all_that_was_sent(start):
    target = start(python("import sys; data = sys.stdin.buffer.read(); print(len(data))"))
    target.send(b"x" * 5 * MEGABYTE)
    target.close_stdin()
    target.send(b"dropped")
    assert take(target, 3) == [Line(str(5 * MEGABYTE).encode()), Closed(), Exited(0)]


def test_carriage_returns_and_blank_lines_are_kept(start):
    target = start(python("import os; os.write(1, b'a\\r\\n\\n\\rb\\n\\r')"))
    assert take(target, 6) == [Line(b"a\r"), Line(b""), Line(b"\rb"), Partial(b"\r"), Closed(), Exited(0)]


def test_what_was_said_late_comes_with_stop(start):
    target = start(python("import sys; sys.stdin.read(); print('bye'); print('half', end='')"))
    assert target.stop() == [Line(b"bye"), Partial(b"half"), Closed(), Exited(0)]


def test_what_was_not_received_comes_with_stop(start):
    target = start(python("print('one'); print('two'); input()"))
    assert target.receive(SOON) == Line(b"one")
    assert target.stop() == [Line(b"two"), Closed(), Exited(1)]


def test_after_the_end_every_method_stays_callable(start):
    target = opened(start(hostile("right")))
    target.stop()
    assert target.stop() == []
    target.kill()
    target.send(b"x\n")
    target.close_stdin()
    assert target.stdin_broken
    assert target.receive(SOON) == Exited(0)


def test_kill_is_at_once_and_answers_nothing_late(start):
    target = opened(start(hostile("ignores_end_and_sigterm")))
    with within(1):
        target.kill()
    assert target.receive(0) == Exited(-signal.SIGKILL)


def test_an_interrupt_leaves_stop_usable(start):
    target = start(python("import os, signal\nos.kill(os.getppid(), signal.SIGINT)\nprint('on')\ninput()"))
    with pytest.raises(KeyboardInterrupt), within(SOON):
        while True:
            target.receive(SOON)
    with within(5):
        assert target.stop()[-1] == Exited(1)


def test_a_ctrl_c_in_the_terminal_reaches_the_kit_alone(start):
    target = opened(start(hostile("right")))
    assert os.getsid(target._pid) == os.getpgid(target._pid) == target._pid


def test_a_target_that_is_dropped_is_killed(start):
    target = Process(hostile("never_reads"))
    pid = target._pid
    with pytest.warns(ResourceWarning) if sys.flags.dev_mode else contextlib.nullcontext():
        del target
        gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_target_that_lives_when_python_ends_is_killed():
    code = f"""
from mcp_tck.conformance.targets.process import Process
target = Process({hostile("never_reads")!r})
print(target._pid)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=SOON, check=True)
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.stdout), 0)


@only_linux
def test_a_forked_copy_of_the_kit_does_not_kill(start):
    target = opened(start(hostile("right")))
    copy = os.fork()
    if copy == 0:
        target._finalizer()
        os._exit(0)
    os.waitpid(copy, 0)
    assert ask(target, 2, "ping")["id"] == 2


def test_env_is_added_to_ours_and_cwd_is_where_it_starts(start, tmp_path, monkeypatch):
    monkeypatch.setenv("OURS", "1")
    target = start(
        python("import os; print(os.environ['OURS'], os.environ['THEIRS'], os.getcwd())"),
        env={"THEIRS": "2"},
        cwd=str(tmp_path),
    )
    assert take(target, 1) == [Line(f"1 2 {tmp_path.resolve()}".encode())]


def test_without_pidfd_and_waitid_the_end_is_found_all_the_same(start, monkeypatch):
    monkeypatch.setattr(module, "_pidfd", lambda _: -1)
    monkeypatch.setattr(module, "_HAS_WAITID", False)
    target = start(hostile("exits_by_signal"))
    assert take(target, 2) == [Closed(), Exited(-signal.SIGSEGV)]
    target = opened(start(hostile("closes_stdout_and_lives")))
    assert target.receive(SOON) == Closed()
    target.close_stdin()
    assert target.receive(SOON) == Exited(0)


def test_the_command_is_shown_as_one_would_type_it(start):
    assert start([sys.executable, "-c", "print(1)"]).command == f"{sys.executable} -c 'print(1)'"
