"""A target that can be put back to its first state: fewer processes, and no verdict that depends on it."""

from __future__ import annotations

import pytest
from mcp_tck.conformance.model import Verdict

from .bench import READS, Bench, said


def resettable(*, keeps=False):
    """A hook: a server with tck_reset, whose tool `count` says how often it was called since the last reset."""

    def hook(server, method, message):
        if method == "tools/list":
            return said(
                message, result={"tools": [READS, *({"name": name, **KIND} for name in ("tck_reset", "count"))]}
            )
        if method != "tools/call":
            return ...
        server.counted = getattr(server, "counted", 0)
        if message["params"]["name"] == "count":
            server.counted += 1
        elif not keeps:
            server.counted = 0
        return said(message, result={"content": [{"type": "text", "text": str(server.counted)}]})

    return hook


KIND = {"inputSchema": {"type": "object"}}
COUNT = {"call": {"tool": "count"}, "expect": {"text": "1"}}
FRESH = {"session": "fresh", "covers": ("R-STORY",)}


def test_cases_that_ask_for_a_fresh_process_share_one_that_is_reset_before_each():
    bench = Bench(resettable())
    assert [bench.run(COUNT, slug=slug, **FRESH).verdict for slug in ("a", "b", "c")] == [Verdict.PASSED] * 3
    assert bench.launches == 2


@pytest.mark.parametrize(
    ("settings", "more"),
    [
        ({"isolate": True}, {}),
        ({"reset": False}, {}),
        ({}, {"covers": ("R-MUST",)}),
        ({}, {"opening": {"capabilities": {"roots": {}}}}),
    ],
    ids=["isolated", "not-wanted", "only-mcp", "own-opening"],
)
def test_a_process_is_not_reset_where_a_new_one_is_part_of_what_is_asked(settings, more):
    bench = Bench(resettable(), **settings)
    before = bench.launches
    for slug in ("a", "b", "c"):
        assert bench.run(COUNT, slug=slug, **FRESH | more).verdict is Verdict.PASSED
    assert bench.launches == before + 3


def test_a_reset_that_leaves_something_behind_is_blamed_once_and_not_used_again():
    bench = Bench(resettable(keeps=True))
    outcomes = [bench.run(COUNT, slug=slug, **FRESH) for slug in ("a", "b", "c", "d")]
    assert [each.verdict for each in outcomes] == [Verdict.PASSED, Verdict.FAILED, Verdict.PASSED, Verdict.PASSED]
    assert outcomes[1].requirements == ("PROBE-17",)
    assert outcomes[1].reason.startswith("only after tck_reset")
    assert outcomes[1].history == ("area::a",)


def test_what_fails_on_a_reset_process_and_on_a_new_one_is_a_fault_of_its_own():
    bench = Bench(resettable())
    wrong = {**COUNT, "expect": {"text": "7"}}
    outcomes = [bench.run(COUNT, slug="a", **FRESH), *(bench.run(wrong, slug=slug, **FRESH) for slug in ("b", "c"))]
    assert [(each.verdict, each.reason) for each in outcomes[1:]] == [(Verdict.FAILED, "")] * 2
    assert outcomes[1].requirements == ("R-STORY",)
