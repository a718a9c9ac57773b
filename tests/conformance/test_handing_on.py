"""What one case is done with serves another that needs no better one: fewer processes, and no other verdict."""

from __future__ import annotations

import pytest
from mcp_tck.conformance.model import Verdict
from mcp_tck.conformance.protocol.conversation import Conversation

from .bench import Bench, said

PING = {"request": {"method": "ping"}, "expect": {"error": {"$absent": True}}}
OPENING = {
    "request": {
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    },
    "expect": {"result": {}},
}
END = {"notify": {"method": "notifications/initialized"}}
BARE = {"request": {"method": "initialize"}}
REVISION = "2025-11-25"


def refusing_bare(server, method, message):
    """A hook: initialize without params is refused."""
    if method == "initialize" and "params" not in message:
        return said(message, error={"code": -32602, "message": "no params"})
    return ...


def spoilt(server, method, message):
    """A hook: a server that answers one ping in its life with a result."""
    if method == "ping":
        server.pings = getattr(server, "pings", 0) + 1
        if server.pings > 1 and server.number > 1:
            return said(message, error={"code": -32601, "message": "no more"})
    return ...


def lasting(bench, *, unopened=0, opened=0):
    bench.runner.processes.foresee(0, {"": unopened, REVISION: opened})
    return bench.launches


def test_the_process_of_a_fresh_case_serves_a_last_one_and_no_third():
    bench = Bench()
    before = lasting(bench, opened=2)
    for slug, session in (("a", "fresh"), ("b", "last"), ("c", "last")):
        assert bench.run(PING, slug=slug, session=session).verdict is Verdict.PASSED
    assert bench.launches == before + 2
    bench.runner.close()
    assert not any(target.alive for target in bench.targets)


def test_a_process_that_a_case_opened_itself_is_handed_on_and_its_opening_is_completed():
    bench = Bench()
    before = lasting(bench, opened=2)
    bench.run(OPENING, slug="half", opening="none")
    bench.run(OPENING, END, slug="whole", opening="none")
    for slug in ("a", "b"):
        assert bench.run(PING, slug=slug, session="last").verdict is Verdict.PASSED
    assert [server.methods for server in bench.servers[before:]] == [["initialize", "ping"]] * 2


def test_a_process_goes_from_one_last_case_to_the_next_as_long_as_it_is_not_open():
    bench = Bench(refusing_bare)
    before = lasting(bench, unopened=3)
    for slug in ("a", "b"):
        bench.run(BARE, slug=slug, opening="none", session="last")
    assert bench.run(OPENING, slug="opens", opening="none", session="last").verdict is Verdict.PASSED
    assert bench.launches == before + 1


def test_a_process_on_which_the_opening_was_refused_is_handed_on_to_who_opens_it():
    bench = Bench(refusing_bare)
    before = lasting(bench, unopened=1)
    bench.run(BARE, slug="bare", opening="none")
    assert bench.run(OPENING, slug="opens", opening="none", session="last").verdict is Verdict.PASSED
    assert bench.launches == before + 1


def test_what_fails_on_a_process_of_others_is_judged_by_a_new_one():
    bench = Bench(spoilt)
    before = lasting(bench, opened=1)
    bench.run(PING, slug="a", session="fresh")
    last = bench.run(PING, slug="b", session="last")
    assert (last.verdict, last.history, bench.launches) == (Verdict.PASSED, (), before + 2)


def test_what_fails_on_a_new_one_too_has_failed():
    bench = Bench()
    before = lasting(bench, opened=1)
    bench.run(PING, slug="a", session="fresh")
    last = bench.run({"request": {"method": "ping"}, "expect": {"error": {}}}, slug="b", session="last")
    assert (last.verdict, last.reason, bench.launches) == (Verdict.FAILED, "", before + 2)


@pytest.mark.parametrize(
    ("wanted", "settings", "first"),
    [
        ({}, {}, {}),
        ({"opened": 1}, {"isolate": True}, {}),
        ({"opened": 1}, {}, {"steps": [{"request": {"method": "ping"}, "expect": {"error": {}}}]}),
        ({"opened": 1}, {}, {"steps": [{"send_line": "{no json"}, PING]}),
        ({"unopened": 1}, {}, {}),
    ],
    ids=["nobody-waits", "isolated", "failed", "malformed", "wrong-state"],
)
def test_a_process_is_not_kept_for_nobody_or_where_it_is_not_fit(wanted, settings, first):
    bench = Bench(**settings)
    before = lasting(bench, **wanted)
    bench.run(*first.get("steps", [PING]), slug="a", session="fresh")
    bench.run(PING, slug="b", session="last")
    assert bench.launches == before + 2


def test_no_id_is_sent_twice_on_a_process():
    bench = Bench()
    before = bench.launches
    same = {"request": {"method": "ping", "id": "mine"}}
    for slug, step in (("a", same), ("b", PING), ("c", {"together": [same, PING]}), ("d", PING)):
        assert bench.run(step, slug=slug).verdict is Verdict.PASSED
    assert bench.launches == before + 1


def test_nor_on_a_process_that_is_taken_over():
    bench = Bench()
    before = lasting(bench, opened=1)
    same = {"request": {"method": "ping", "id": "mine"}}
    bench.run(same, slug="a", session="fresh")
    bench.run(same, slug="b", session="last")
    assert bench.launches == before + 2


def test_a_process_that_was_started_in_a_way_of_its_own_is_not_handed_on():
    bench = Bench()
    bench.runner.processes._launch_for = lambda case: bench.launch()
    before = lasting(bench, opened=1)
    bench.run(PING, slug="a", start={"args": ["--other"]})
    bench.run(PING, slug="b", session="last")
    assert bench.launches == before + 2


@pytest.mark.parametrize(
    ("revision", "replies", "state"),
    [
        ("2025-11-25", [], ""),
        ("2025-11-25", ['{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}'], ""),
        ("2025-11-25", ['{"jsonrpc":"2.0","id":1,"result":{}}'], None),
        ("2026-07-28", ['{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}'], ""),
        ("2026-07-28", ['{"jsonrpc":"2.0","id":1,"result":{}}'], "2026-07-28"),
    ],
)
def test_a_process_is_open_once_a_request_was_served_in_its_era(revision, replies, state):
    talk = Conversation(revision)
    talk.request(talk.fresh_id(), "tools/list", {})
    for reply in replies:
        talk.feed(reply.encode())
    assert talk.opened == state


def test_what_no_other_case_will_leave_starts_ahead_once_all_others_have_their_own():
    bench = Bench()
    before = lasting(bench, opened=1)
    assert bench.run(PING, slug="a").verdict is Verdict.PASSED
    assert bench.launches == before + 1
    assert bench.run(PING, slug="b", session="last").verdict is Verdict.PASSED
    assert bench.launches == before + 1


def test_a_case_whose_id_was_seen_takes_a_process_over_and_stands_for_none_that_was_foreseen():
    bench = Bench()
    lasting(bench, opened=1)
    own = {"request": {"id": 77, "method": "ping"}, "expect": {"result": {}}}
    bench.run(own, slug="a")
    bench.run(own, slug="again")
    assert bench.runner.processes._wanted[REVISION] == 1
