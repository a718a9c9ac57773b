"""A function as a target: the same events as a process, without one."""

from __future__ import annotations

import time

from mcp_tck.conformance.targets.inprocess import InProcess
from mcp_tck.conformance.targets.target import Closed, Deadline, Exited, Line, Target


def echo(line):
    return line


def rest(target):
    """Every event that is there."""
    events = []
    while not isinstance(event := target.receive(60), Deadline | Exited):
        events.append(event)
    return [*events, event]


def test_it_is_a_target():
    target: Target = InProcess(echo, command="echo")
    assert (target.command, target.alive, target.how_ended) == ("echo", True, "still running")
    assert target.started <= time.monotonic()


def test_answers_are_there_when_send_returns():
    target = InProcess(echo)
    target.send(b"one\ntwo\n")
    assert rest(target) == [Line(b"one"), Line(b"two"), Deadline()]


def test_an_empty_queue_is_a_deadline_without_waiting():
    begun = time.monotonic()
    assert InProcess(echo).receive(60) == Deadline()
    assert time.monotonic() - begun < 10


def test_none_is_silence_and_an_iterable_is_many_lines():
    target = InProcess(lambda line: None if line == "quiet" else (f"{line} {n}" for n in range(2)))
    target.send(b"quiet\nloud\n")
    assert rest(target) == [Line(b"loud 0"), Line(b"loud 1"), Deadline()]


def test_an_empty_text_is_a_blank_line_and_a_line_feed_in_an_answer_makes_two():
    target = InProcess(lambda _: ["", "a\nb"])
    target.send(b"x\n")
    assert rest(target) == [Line(b""), Line(b"a"), Line(b"b"), Deadline()]


def test_a_piece_waits_for_the_rest_of_its_line():
    target = InProcess(echo)
    for byte in b"one\ntwo":
        target.send(bytes([byte]))
    assert rest(target) == [Line(b"one"), Deadline()]
    target.send(b"!\n")
    assert rest(target) == [Line(b"two!"), Deadline()]


def test_the_end_of_input_completes_the_last_line():
    target = InProcess(echo, at_end=lambda: ["bye"])
    target.send(b"last")
    target.close_stdin()
    assert rest(target) == [Line(b"last"), Line(b"bye"), Closed(), Exited(0)]
    assert (target.alive, target.how_ended) == (False, "exited with status 0")


def test_bytes_that_are_no_utf8_pass_through():
    seen = []
    target = InProcess(lambda line: seen.append(line) or line)
    target.send(b"caf\xe9 \xff\0\r\n")
    assert seen == ["caf\udce9 \udcff\0\r"]
    assert target.receive(0) == Line(b"caf\xe9 \xff\0\r")


def test_a_lone_surrogate_in_an_answer_is_written_as_sloppy_writers_do():
    target = InProcess(lambda _: "\ud83d")
    target.send(b"x\n")
    assert target.receive(0) == Line(b"\xed\xa0\xbd")


def test_an_exception_is_a_crash_with_its_traceback_and_what_was_said_before_counts():
    def handle(_):
        yield "half"
        raise RuntimeError("out of luck")

    target = InProcess(handle)
    target.send(b"x\n")
    assert rest(target) == [Line(b"half"), Closed(), Exited(1)]
    assert target.stderr_tail.splitlines()[-1] == "RuntimeError: out of luck"
    assert target.how_ended == "exited with status 1"
    assert not target.stdin_broken


def test_a_crash_at_the_end_of_input_is_a_crash():
    target = InProcess(echo, at_end=lambda: 1 // 0)
    assert target.stop() == [Closed(), Exited(1)]
    assert "ZeroDivisionError" in target.stderr_tail


def test_a_long_traceback_is_cut_to_its_end():
    def handle(line):
        raise RuntimeError("\n".join(f"line {n}" for n in range(100)) + " end")

    target = InProcess(handle)
    target.send(b"x\n")
    assert len(target.stderr_tail.splitlines()) == 20
    assert target.stderr_tail.endswith("line 99 end")


def test_system_exit_is_an_exit_with_its_status():
    def leave(line):
        raise SystemExit({"none": None, "three": 3, "words": "no such file"}[line])

    for line, code, words in ((b"none", 0, ""), (b"three", 3, ""), (b"words", 1, "no such file")):
        target = InProcess(leave)
        target.send(line + b"\n")
        assert rest(target) == [Closed(), Exited(code)]
        assert target.stderr_tail == words


def test_the_dead_answer_nothing_and_remember_that_they_were_written_to():
    seen = []
    target = InProcess(lambda line: seen.append(line) or 1 // 0)
    target.send(b"one\ntwo\n")
    assert seen == ["one"]
    target.send(b"three\n")
    assert seen == ["one"]
    assert target.stdin_broken


def test_stop_answers_what_was_not_received_and_nothing_the_second_time():
    target = InProcess(echo, at_end=lambda: ["bye"])
    target.send(b"one\ntwo\n")
    assert target.receive(0) == Line(b"one")
    assert target.stop() == [Line(b"two"), Line(b"bye"), Closed(), Exited(0)]
    assert target.stop() == []
    assert target.receive(60) == Exited(0)


def test_stop_after_a_crash_that_was_told_ends_with_it_again():
    target = InProcess(lambda _: 1 // 0)
    target.send(b"x\n")
    assert rest(target) == [Closed(), Exited(1)]
    assert target.stop() == [Exited(1)]


def test_kill_drops_what_was_not_received():
    target = InProcess(echo)
    target.send(b"one\n")
    target.kill()
    target.send(b"two\n")
    assert target.receive(0) == Exited(-9)
    assert target.stop() == []
    assert target.how_ended == "stopped by the kit with SIGKILL"
