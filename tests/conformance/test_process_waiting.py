"""How a reply is waited for: without sleeping where the last one was prompt, asleep where it was not."""

from __future__ import annotations

import sys

import pytest
from mcp_tck.conformance.targets import process
from mcp_tck.conformance.targets.process import Process
from mcp_tck.conformance.targets.target import Closed, Deadline, Exited, Line

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="targets are started on POSIX systems only")
LONG = 60.0


class Unused:
    """A selector that may not be asked."""

    def select(self, _timeout):
        raise AssertionError("slept")


@pytest.fixture
def echo(monkeypatch):
    monkeypatch.setattr(process, "_CORES", 2)
    monkeypatch.setattr(process, "_PROMPT", LONG)  # on a busy machine no reply is prompt otherwise
    target = Process(["cat"])
    yield target
    target.kill()


def ask(target, text=b"hello"):
    target.send(text + b"\n")
    return target.receive(2 * LONG)


def test_the_first_reply_is_waited_for_asleep_and_after_a_prompt_one_it_is_looked_for(echo, monkeypatch):
    asleep = echo._selector
    monkeypatch.setattr(echo, "_selector", Unused())
    with pytest.raises(AssertionError, match="slept"):
        ask(echo, b"1")
    monkeypatch.setattr(echo, "_selector", asleep)
    assert echo.receive(LONG) == Line(b"1")
    monkeypatch.setattr(echo, "_selector", Unused())
    assert ask(echo, b"2") == Line(b"2")
    monkeypatch.setattr(echo, "_selector", asleep)


def test_where_the_target_needs_our_core_all_waiting_is_asleep(echo, monkeypatch):
    monkeypatch.setattr(process, "_CORES", 1)
    assert ask(echo) == Line(b"hello")
    assert not echo._prompt


def test_a_slow_reply_ends_it(echo, monkeypatch):
    assert ask(echo) == Line(b"hello")
    assert echo._prompt
    monkeypatch.setattr(process, "_PROMPT", 0.0)
    assert ask(echo) == Line(b"hello")
    assert not echo._prompt


def test_looking_sees_the_end_of_the_output_and_a_deadline_holds(echo, monkeypatch):
    ask(echo)
    monkeypatch.setattr(process, "_PROMPT", 0.05)
    assert echo.receive(0.2) == Deadline()
    echo.close_stdin()
    assert [echo.receive(LONG), echo.receive(LONG)] == [Closed(), Exited(0)]
