"""How long the kit waits for a target that hangs, dies or outlives its input."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from mcp_tck.conformance import processes as module
from mcp_tck.conformance.driving import Session
from mcp_tck.conformance.patience import DEATHS, HANGS, STUBBORN, Patience
from mcp_tck.conformance.processes import Processes, Settings
from mcp_tck.conformance.protocol.conversation import Conversation
from mcp_tck.conformance.targets.inprocess import InProcess


def after(*events, **limits):
    """The reasons, usual and rough, after cases that were each told as a word, `rough-` before it where it was one."""
    patience = Patience(**limits)
    for event in events:
        patience.count(rough=event.startswith("rough-"), hung=event.endswith("hung"), died=event.endswith("died"))
    return patience.reason(rough=False), patience.reason(rough=True)


HUNG = f"the target did not answer in {HANGS} cases in a row"


@pytest.mark.parametrize(
    ("events", "reasons"),
    [
        (["hung"] * (HANGS - 1), ("", "")),
        (["hung"] * HANGS, (HUNG, "")),
        (["hung", "ok"] * HANGS, ("", "")),
        (["hung", "rough-ok"] * HANGS, (HUNG, "")),
        (["rough-hung"] * HANGS, ("", f"the target did not answer in {HANGS} cases with malformed input in a row")),
        (["died"] * (DEATHS - 1), ("", "")),
        (["died"] * DEATHS, (f"the target ended without a word in {DEATHS} cases in a row", "")),
        (["died", "hung"] * DEATHS, ("", "")),
        (["rough-died"] * (DEATHS + 1), ("", "")),
    ],
)
def test_what_comes_in_a_row_is_counted_by_kind(events, reasons):
    assert after(*events) == reasons


def test_dying_of_malformed_input_is_a_finding_each_time_unless_the_target_dies_of_everything():
    usual, rough = after(*["died"] * DEATHS, *["rough-died"] * DEATHS)
    assert usual
    assert rough == f"the target ended without a word in {DEATHS} cases with malformed input in a row"


def test_the_limits_can_be_lifted():
    assert after(*["hung"] * 50, *["died"] * 50, hangs=1000, deaths=1000) == ("", "")


class Stubborn(InProcess):
    """Takes two seconds of a clock of the test's own to stop."""

    def __init__(self, clock):
        super().__init__(lambda line: None)
        self.clock, self.patient = clock, None

    def stop(self, *, patient=True):
        self.patient = patient
        self.clock[0] += 2.0
        return super().stop()


def test_a_target_that_outlives_its_input_is_waited_for_twice_and_then_hardly(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    targets = [Stubborn(clock) for _ in range(STUBBORN + 2)]
    bench = Processes(lambda: targets[0], Settings(), {})
    for target in targets:
        bench._bury(Session(target, Conversation("2025-11-25")))
    assert [target.patient for target in targets] == [True] * STUBBORN + [False] * 2
