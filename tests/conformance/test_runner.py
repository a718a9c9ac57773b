"""Cases on targets in this process: sharing, confirmation, hangs, budgets, and whom the verdict blames."""

from __future__ import annotations

import pytest
from mcp_tck.conformance import opening
from mcp_tck.conformance.model import Verdict
from mcp_tck.conformance.patience import HANGS
from mcp_tck.conformance.protocol.wire import MAX_DEPTH
from mcp_tck.conformance.runner import OpeningError
from mcp_tck.conformance.standing_outcomes import standing_outcomes
from mcp_tck.conformance.targets.inprocess import InProcess
from mcp_tck.conformance.targets.target import StartError

from .bench import RULES, Bench, Server, said

PING = {"request": {"method": "ping"}}
LIST = {"request": {"method": "tools/list"}}
RAW = {"send_line": "{"}


def silent_from(method, since=0):
    """A hook: a method is not answered, from so many requests of it on."""

    def hook(server, asked, message):
        return None if asked == method and server.methods.count(method) > since else ...

    return hook


# -- sharing


def test_cases_share_the_process_that_was_opened_first():
    bench = Bench()
    assert [bench.run(PING).verdict, bench.run(LIST).verdict] == [Verdict.PASSED] * 2
    assert bench.launches == 1


def test_raw_lines_share_a_process_of_their_own_kind():
    bench = Bench()
    bench.run(RAW, PING), bench.run(PING), bench.run(RAW, PING)
    assert bench.launches == 2


def test_a_death_by_a_raw_line_costs_the_process_of_raw_lines_alone():
    bench = Bench()
    bench.run(PING), bench.run(RAW, PING)
    assert bench.run({"send_line": "{die"}, PING).verdict is Verdict.FAILED
    assert bench.run(RAW, PING).verdict is Verdict.PASSED
    assert bench.targets[0].alive
    # One for each kind, one to confirm the failure alone, one in place of the dead.
    assert bench.launches == 4


@pytest.mark.parametrize(
    ("steps", "more"),
    [
        ([PING], {"session": "fresh"}),
        ([{"close_stdin": {}}, {"expect_exit": {}}], {}),
        ([PING], {"opening": {"capabilities": {"roots": {}}}}),
    ],
)
def test_a_case_that_needs_it_has_a_process_to_itself(steps, more):
    bench = Bench()
    assert [bench.run(*steps, **more).verdict for _ in range(2)] == [Verdict.PASSED] * 2
    assert bench.launches == 3
    assert bench.run(PING).verdict is Verdict.PASSED
    assert bench.launches == 3
    bench.runner.close()
    assert not any(target.alive for target in bench.targets)


def test_isolated_cases_share_nothing():
    bench = Bench(isolate=True)
    bench.run(PING), bench.run(PING)
    assert bench.launches == 3


def test_a_process_that_ended_is_not_used_again():
    def hook(server, method, message):
        if method == "tools/call":
            raise SystemExit(3)
        return ...

    bench = Bench(hook)
    failed = bench.run({"call": {"tool": "reads"}})
    assert failed.mismatches[0].actual == "none: the target exited with status 3"
    assert bench.run(PING).verdict is Verdict.PASSED


def test_a_case_whose_opening_is_its_own_says_everything_itself():
    bench = Bench()
    first = {"request": {"method": "initialize", "params": {"protocolVersion": "2025-11-25"}}, "expect": {"result": {}}}
    assert bench.run(first, opening="none").verdict is Verdict.PASSED
    assert bench.servers[1].methods == ["initialize"]


def test_a_case_that_writes_the_first_line_waits_for_the_start_of_the_process_too():
    bench = Bench()
    bench.runner.processes.slowest = 0.1
    bench.hook = silent_from("initialize")
    asks = {"request": {"method": "initialize", "params": {"protocolVersion": "2025-11-25"}}, "expect": {"result": {}}}
    outcome = bench.run(asks, opening="none")
    assert "within 0.25 s" in outcome.mismatches[0].expected


# -- confirmation


def test_what_fails_alone_as_well_has_failed_with_the_evidence_of_the_second_time():
    bench = Bench(lambda server, method, message: said(message, result={"n": server.number}) if method == "x" else ...)
    bench.run(PING)
    failed = bench.run({"request": {"method": "x"}, "expect": {"result": {"n": 0}}})
    assert (failed.verdict, failed.reason, failed.history) == (Verdict.FAILED, "", ())
    assert failed.mismatches[0].actual == "integer 2"
    assert bench.launches == 2


def test_what_fails_only_after_other_cases_has_failed_and_names_them():
    bench = Bench(silent_from("tools/list", since=2))
    bench.run(LIST, slug="first"), bench.run(PING, slug="second")
    failed = bench.run(LIST, slug="third")
    assert failed.verdict is Verdict.FAILED
    assert failed.reason.startswith("only after other cases")
    assert failed.history == ("area::first", "area::second")
    assert bench.launches == 2


def test_the_first_case_of_a_process_needs_no_confirmation():
    bench = Bench()
    failed = bench.run({"request": {"method": "ping"}, "expect": {"error": {}}}, session="fresh")
    assert (failed.verdict, bench.launches) == (Verdict.FAILED, 2)


@pytest.mark.parametrize(
    ("steps", "launches"),
    [
        ([{"call": {"tool": "reads"}, "expect": {"text": "x"}}], 2),
        ([{"call": {"tool": "unknown"}, "expect": {"text": "x"}}], 2),
        ([{"call": {"tool": "writes"}, "expect": {"text": "x"}}], 1),
        ([{"together": [{"call": {"tool": "writes"}, "expect": {"text": "x"}}]}], 1),
        ([{"request": {"method": "tools/call", "params": {"name": "writes"}}, "expect": {"error": {}}}], 1),
    ],
)
def test_only_what_changes_nothing_is_done_twice(steps, launches):
    bench = Bench()
    bench.run(PING)
    assert bench.run(*steps).verdict is Verdict.FAILED
    assert bench.launches == launches


def test_a_tool_that_a_row_names_is_seen_too():
    bench = Bench()
    bench.run(PING)
    step = {"call": {"tool": {"$row": "tool"}}, "expect": {"text": "x"}}
    assert bench.run(step, examples=[{"name": "w", "tool": "writes"}]).verdict is Verdict.FAILED
    assert bench.launches == 1


def test_a_call_in_a_raw_line_is_not_done_twice():
    bench = Bench()
    bench.run(RAW, PING)
    line = '{"jsonrpc":"2.0","id":"r","method":"tools/call","params":{"name":"writes"}}'
    assert bench.run({"send_line": line}, {"reply": {"error": {}}}).verdict is Verdict.FAILED
    assert bench.launches == 2


def test_a_warning_is_told_as_it_was_seen_and_not_played_again():
    bench = Bench()
    bench.run(PING)
    wrong = {"request": {"method": "ping"}, "expect": {"error": {}}}
    assert bench.run(wrong, covers=("R-SHOULD",)).verdict is Verdict.WARNED
    assert bench.launches == 1


@pytest.mark.parametrize(
    ("covers", "strict", "verdict"),
    [
        (("R-MUST", "R-SHOULD"), False, Verdict.FAILED),
        (("R-SHOULD",), False, Verdict.WARNED),
        (("R-SHOULD",), True, Verdict.FAILED),
        (("R-OPEN",), True, Verdict.WARNED),
        ((), False, Verdict.FAILED),
    ],
)
def test_the_level_decides_between_failed_and_warned(covers, strict, verdict):
    bench = Bench(strict=strict)
    assert bench.run({"request": {"method": "ping"}, "expect": {"error": {}}}, covers=covers).verdict is verdict


def test_a_case_that_cannot_be_played_is_an_error_of_the_case():
    bench = Bench()
    choice = {"$one_of": [{"error": {"code": {"$save": {"as": "code"}}}}, {"result": {}}]}
    used = {"request": {"method": "ping", "params": {"code": {"$var": "code"}}}}
    broken = bench.run({"request": {"method": "ping"}, "expect": choice}, used, covers=("R-OPEN",))
    assert broken.verdict is Verdict.ERROR
    assert "code" in broken.reason


# -- hangs, deaths, budgets


def test_a_hang_costs_its_process_and_no_other_case():
    bench = Bench(silent_from("x"))
    bench.run(PING)
    assert bench.run({"request": {"method": "x"}}).verdict is Verdict.FAILED
    assert bench.run(PING).verdict is Verdict.PASSED
    assert not bench.targets[0].alive
    assert not bench.targets[1].alive


def test_after_three_hangs_in_a_row_the_rest_is_not_exercised_and_says_so():
    bench = Bench(lambda server, asked, message: None if "x" in server.methods else ...)
    hang = {"request": {"method": "x"}}
    bench.run(hang), bench.run(hang)
    assert bench.run(PING).verdict is Verdict.PASSED
    assert [bench.run(hang).verdict for _ in range(HANGS)] == [Verdict.FAILED] * HANGS
    left = bench.run(PING)
    assert left.verdict is Verdict.NOT_EXERCISED
    assert left.reason == "the target did not answer in 3 cases in a row"


def test_silence_about_lines_that_need_no_answer_is_no_hang():
    bench = Bench()
    for _ in range(HANGS + 1):
        assert bench.run(RAW, {"reply": {}}, covers=("R-OPEN",)).verdict is Verdict.WARNED
    assert bench.run(PING).verdict is Verdict.PASSED


def test_a_run_has_a_budget():
    bench = Bench(run=0.0)
    left = bench.run(PING)
    assert (left.verdict, left.reason) == (Verdict.NOT_EXERCISED, "the run's budget of 0 s is spent")


class Chatty(InProcess):
    """Says something else for ever, and never the reply."""

    def receive(self, seconds):
        event = super().receive(seconds)
        if self.alive and type(event).__name__ == "Deadline":
            self.send(b'{"jsonrpc":"2.0","id":"n","method":"note"}\n')
            event = super().receive(seconds)
        return event


def test_a_case_has_a_budget_whatever_keeps_coming():
    note = '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'

    def hook(server, method, message):
        return note if method == "note" else None if method == "x" else ...

    bench = Bench(launch=lambda: Chatty(Server(hook).handle), case=0.2)
    failed = bench.run({"request": {"method": "x"}})
    assert failed.verdict is Verdict.FAILED
    assert "other lines came" in failed.mismatches[0].actual


def test_an_exception_of_the_kit_ends_the_process():
    bench = Bench()
    bench.run(PING)
    target = bench.targets[0]

    def interrupted(seconds):
        raise KeyboardInterrupt

    target.receive = interrupted
    with pytest.raises(KeyboardInterrupt):
        bench.run(PING)
    assert not target.alive


# -- processes that do not open

OPENS = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


def test_a_target_that_cannot_be_started_says_why():
    def launch():
        raise StartError("the command 'x' was not found")

    with pytest.raises(OpeningError) as caught:
        Bench(launch=launch)
    assert caught.value.mismatches[0].actual == "the command 'x' was not found"


def test_a_further_process_that_does_not_open_is_a_failed_opening_and_no_fault_of_the_case():
    def hook(server, method, message):
        return None if method == "initialize" and server.number > 1 else ...

    bench = Bench(hook, startup=0.05)
    left = bench.run(PING, session="fresh")
    assert left.verdict is Verdict.NOT_EXERCISED
    assert left.reason == "a further process of the target did not complete its opening"
    assert bench.standing("opening").verdict is Verdict.FAILED


def test_no_more_processes_are_tried_after_three_that_did_not_open():
    def hook(server, method, message):
        return None if method == "initialize" and server.number > 1 else ...

    bench = Bench(hook, startup=0.05)
    for _ in range(10):
        left = bench.run(PING, session="fresh")
    assert left.reason == "3 further processes in a row did not complete their opening"
    assert bench.launches <= 5


def once_at_a_time(hook=None, running=None):
    """A launcher of servers that answer no `initialize` while another of them runs."""
    running = [] if running is None else running

    def launch():
        target = None

        def exclusive(server, method, message):
            others = [each for each in running if each is not target and each.alive]
            if method == "initialize" and others:
                return None
            return hook(server, method, message) if hook is not None else ...

        target = InProcess(Server(exclusive).handle)
        running.append(target)
        return target

    return launch


OPENS_ITSELF = {"request": {"method": "initialize", "params": OPENS}, "expect": {"result": {}}}


def test_a_target_that_cannot_run_twice_at_once_gets_the_place_to_itself():
    bench = Bench(launch=once_at_a_time(), startup=0.05)
    assert bench.run(PING, session="fresh").verdict is Verdict.PASSED
    assert bench.run(PING).verdict is Verdict.PASSED
    assert bench.run(OPENS_ITSELF, opening="none").verdict is Verdict.PASSED
    assert bench.run(PING, opening={"capabilities": {"roots": {}}}).verdict is Verdict.PASSED
    assert bench.standing("opening").verdict is Verdict.PASSED


def test_once_that_is_known_no_process_is_started_beside_another():
    running = []
    bench = Bench(launch=once_at_a_time(running=running), startup=0.05)
    bench.run(PING, session="fresh")
    before = len(running)
    for slug, session in (("a", "shared"), ("b", "fresh"), ("c", "shared")):
        assert bench.run(PING, slug=slug, session=session).verdict is Verdict.PASSED
    assert len(running) == before + 3


@pytest.mark.parametrize(
    ("step", "more"),
    [(OPENS_ITSELF, {"opening": "none"}), (PING, {"opening": {"capabilities": {"roots": {}}}})],
    ids=["none", "other"],
)
def test_one_case_with_an_opening_of_its_own_is_no_failure_of_such_a_target(step, more):
    bench = Bench(launch=once_at_a_time(), startup=0.05)
    assert bench.run(step, **more).verdict is Verdict.PASSED
    assert bench.run(step, slug="again", **more).verdict is Verdict.PASSED


def test_an_opening_of_its_own_that_fails_alone_as_well_is_a_failure():
    def hook(server, method, message):
        return None if "again" in str(message) else ...

    again = {**OPENS_ITSELF, "request": {"method": "initialize", "params": {**OPENS, "_meta": {"again": 1}}}}
    for launch in (once_at_a_time(hook), None):
        bench = Bench(hook, launch=launch, startup=0.05)
        assert bench.run(again, opening="none").verdict is Verdict.FAILED


def test_whether_a_target_runs_only_once_at_a_time_is_asked_once():
    bench = Bench(lambda server, method, message: None if "again" in str(message) else ...)
    again = {**OPENS_ITSELF, "request": {"method": "initialize", "params": {**OPENS, "_meta": {"again": 1}}}}
    before = bench.launches
    for slug in ("a", "b", "c"):
        assert bench.run(again, slug=slug, opening="none").verdict is Verdict.FAILED
    assert bench.launches == before + 4


def test_a_failure_that_cannot_be_confirmed_is_still_a_failure():
    def hook(server, method, message):
        return None if method == "initialize" and server.number > 1 else ...

    bench = Bench(hook, startup=0.05)
    bench.run(PING)
    failed = bench.run({"request": {"method": "ping"}, "expect": {"error": {}}})
    assert failed.verdict is Verdict.FAILED
    assert failed.reason.startswith("not confirmed alone")


def test_an_opening_that_belongs_to_the_case_fails_the_case():
    def hook(server, method, message):
        wrong = method == "initialize" and message["params"]["capabilities"]
        return said(message, error={"code": -1, "message": "no"}) if wrong else ...

    failed = Bench(hook).run(PING, opening={"capabilities": {"roots": {}}})
    assert failed.verdict is Verdict.FAILED
    assert "the error" in failed.mismatches[0].actual


# -- what the facts leave open


def test_tools_that_could_not_be_listed_leave_their_cases_not_exercised():
    bench = Bench(lambda server, method, message: None if method == "tools/list" else ...)
    left = bench.run(PING, requires={"tools": ["reads"]})
    assert left.verdict is Verdict.NOT_EXERCISED
    assert "tools/list got no reply" in left.reason


def test_a_reply_that_cannot_be_judged_leaves_the_case_not_exercised():
    deep = '{"jsonrpc":"2.0","id":%s,"result":{"a":' + "[" * 1000 + "]" * 1000 + "}}"
    bench = Bench(lambda server, method, message: deep % message["id"] if method == "x" else ...)
    left = bench.run({"request": {"method": "x"}})
    assert left.verdict is Verdict.NOT_EXERCISED
    assert "the kit reads 500" in left.reason


@pytest.mark.parametrize(("opening", "closing"), [('{"a":', "}"), ("[", "]")], ids=["objects", "arrays"])
def test_the_deepest_value_that_is_read_can_be_compared_kept_and_told(opening, closing):
    levels = MAX_DEPTH - 2
    deep = '{"jsonrpc":"2.0","id":%s,"result":{"x":' + opening * levels + r'"\ud83d"' + closing * levels + "}}"
    bench = Bench(lambda server, method, message: deep % message["id"] if method == "x" else ...)
    saved = {"request": {"method": "x"}, "expect": {"result": {"x": {"$save": {"as": "all"}}}}}
    again = {"request": {"method": "x"}, "expect": {"result": {"x": {"$var": "all"}}}}
    schema = {"request": {"method": "x"}, "expect": {"result": {"x": {"$fits": {"type": ["array", "object"]}}}}}
    sent = {"request": {"method": "ping", "params": {"x": {"$var": "all"}}}}
    assert bench.run(saved, again, schema, sent).verdict is Verdict.PASSED
    failed = bench.run({"request": {"method": "x"}, "expect": {"result": {"x": "text"}}})
    assert failed.verdict is Verdict.FAILED
    assert failed.mismatches[0].pointer == "/result/x"


def test_words_after_the_last_case_are_judged_too():
    bench = Bench()
    bench.run(PING)
    bench.targets[0]._at_end = lambda: ['{"jsonrpc":"2.0","id":999,"result":{}}']
    assert bench.standing("stray-reply").verdict is Verdict.FAILED


def test_a_standing_check_that_saw_nothing_is_not_exercised():
    bench = Bench()
    bench.runner.processes.tallies.clear()
    bench.runner.processes.tallies["2025-11-25"] = type(bench.runner.processes.tally("x"))()
    found = standing_outcomes(bench.runner.processes.tallies["2025-11-25"], RULES, "2025-11-25", bench.runner.settings)
    exercised = {each.case.id: each.verdict for each in found}
    assert exercised["session/stray-reply"] is Verdict.NOT_EXERCISED
    assert exercised["session/framing"] is Verdict.NOT_APPLICABLE


def test_what_is_learnt_is_what_the_target_said():
    facts = Bench().facts
    assert (facts.revision, sorted(facts.tools), facts.ping, facts.untold) == (
        "2025-11-25",
        ["reads", "writes"],
        True,
        "",
    )
    assert isinstance(facts, opening.Facts)
