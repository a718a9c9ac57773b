"""Processes that are started before they are needed: never more than are needed, never one that is gone."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from mcp_tck.conformance.targets import ahead as module
from mcp_tck.conformance.targets.ahead import WAITING, Ahead
from mcp_tck.conformance.targets.target import StartError


class Stub:
    def __init__(self, number):
        self.number, self.alive, self.killed = number, True, False

    def kill(self):
        self.killed = True


class Launches:
    def __init__(self):
        self.made, self.broken = [], False

    def __call__(self):
        if self.broken:
            raise StartError("it is gone")
        self.made.append(Stub(len(self.made)))
        return self.made[-1]


def test_nothing_is_started_that_nobody_foresees():
    launches = Launches()
    ahead = Ahead(launches)
    assert ahead.take().number == 0
    assert len(launches.made) == 1


def test_two_start_at_a_time_once_it_is_known_how_long_a_start_takes(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    launches = Launches()
    ahead = Ahead(launches)
    ahead.take()
    clock[0] = 0.5
    ahead.answered()
    made = []
    ahead.foresee(5)
    for seconds in (0.5, 0.9, 1.0, 1.1):
        clock[0] = seconds
        ahead.tend()
        made.append(len(launches.made) - 1)
    assert made == [2, 2, 3, 3]


def test_so_many_wait_and_each_is_taken_once_in_order():
    launches = Launches()
    ahead = Ahead(launches)
    ahead.foresee(5)
    assert len(launches.made) == WAITING == 3
    assert [ahead.take().number for _ in range(5)] == [0, 1, 2, 3, 4]
    assert len(launches.made) == 5
    assert not ahead.holds_any


def test_one_that_ended_while_it_waited_is_not_handed_out():
    launches = Launches()
    ahead = Ahead(launches)
    ahead.foresee(2)
    launches.made[0].alive = False
    assert ahead.take().number == 1
    assert launches.made[0].killed


def test_what_waits_is_ended_when_it_is_dropped_and_nothing_follows():
    launches = Launches()
    ahead = Ahead(launches)
    ahead.foresee(3)
    ahead.drop()
    assert [each.killed for each in launches.made] == [True, True, True]
    ahead.take()
    assert len(launches.made) == 4


def test_a_start_that_fails_is_told_to_who_needs_the_process_and_not_before():
    launches = Launches()
    ahead = Ahead(launches)
    launches.broken = True
    ahead.foresee(2)
    with pytest.raises(StartError):
        ahead.take()
