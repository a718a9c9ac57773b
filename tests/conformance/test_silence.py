"""A target that leaves one kind of request without a reply, and answers all others: it is not gone."""

from __future__ import annotations

import json

import pytest
from mcp_tck.conformance.casefile import cases
from mcp_tck.conformance.model import Level, Location, Requirement, Verdict
from mcp_tck.conformance.patience import CERTAIN, HANGS, SILENCES, Patience
from mcp_tck.conformance.runner import ANSWERED, Runner, Settings
from mcp_tck.conformance.targets.inprocess import InProcess

RULES = {
    name: Requirement(name, level, "", "", Location("spec", 1, 1))
    for name, level in ((ANSWERED, Level.MUST), ("R-MUST", Level.MUST), ("R-SHOULD", Level.SHOULD))
}
UNKNOWN = {"request": {"method": "x"}}
PING = {"request": {"method": "ping"}}
VEHICLE = {"request": {"method": {"$barrier": True}}, "expect": {"result": {}}}


class Bench:
    """A runner on servers that say nothing to `silent` methods, refuse `refused` ones and declare `capabilities`."""

    def __init__(self, silent=("x",), refused=(), capabilities=("tools",)):
        self.silent, self.refused, self.capabilities = silent, refused, capabilities
        self.launches = 0
        self.asked = []
        self.runner = Runner(self.launch, Settings(timeout=30.0), RULES)
        self.facts = self.runner.discover("2025-11-25")

    def launch(self):
        self.launches += 1
        return InProcess(self.handle)

    def handle(self, line):
        message = json.loads(line)
        method = message["method"]
        self.asked.append(method)
        if "id" not in message or method in self.silent:
            return None
        body = {"result": {}}
        if method in self.refused:
            body = {"error": {"code": -32601, "message": "no"}}
        elif method == "initialize":
            server = {"name": "s", "version": "1"}
            declared = {name: {} for name in self.capabilities}
            body = {"result": {"protocolVersion": "2025-11-25", "capabilities": declared, "serverInfo": server}}
        elif method == "tools/list":
            body = {"result": {"tools": []}}
        return json.dumps({"jsonrpc": "2.0", "id": message["id"], **body})

    def run(self, *steps, covers=("R-MUST",)):
        inside = {"id": "one", "title": "a title", "steps": list(steps), "covers": list(covers)}
        text = json.dumps({"format": 1, "area": "area", "cases": [inside]})
        found, problems = cases.loads(text.encode(), "area.yaml", "area")
        assert problems == []
        return self.runner.run(found[0], self.facts)


def test_a_request_without_a_reply_breaks_the_rule_of_one_reply_first():
    outcome = Bench().run(UNKNOWN)
    assert (outcome.verdict, outcome.requirements) == (Verdict.FAILED, (ANSWERED, "R-MUST"))


def test_a_should_stays_one():
    outcome = Bench().run(UNKNOWN, covers=("R-SHOULD",))
    assert (outcome.verdict, outcome.requirements) == (Verdict.WARNED, ("R-SHOULD",))


def test_where_the_target_answers_nothing_any_more_the_case_speaks_of_what_did_it():
    bench = Bench()
    bench.silent = ("x", "ping")
    assert bench.run({"notify": {"method": "notifications/bad"}}, PING).requirements == ("R-MUST",)


def test_silence_to_one_kind_of_request_stops_no_other_case():
    bench = Bench()
    assert [bench.run(UNKNOWN).verdict for _ in range(HANGS + 1)] == [Verdict.FAILED] * (HANGS + 1)
    assert bench.run(PING).verdict is Verdict.PASSED


def test_what_was_left_without_a_reply_again_and_again_is_not_sent_twice():
    bench = Bench()
    bench.run(PING)
    sent = []
    for _ in range(CERTAIN + 2):
        before = bench.asked.count("x")
        bench.run(PING, UNKNOWN)
        sent.append(bench.asked.count("x") - before)
    assert sent[0] == 2
    assert sent[-1] == 1


def test_silence_has_a_limit_as_well():
    bench = Bench()
    for _ in range(SILENCES):
        bench.run(UNKNOWN)
    left = bench.run(PING)
    assert left.verdict is Verdict.NOT_EXERCISED
    assert left.reason == f"the target left a request without a reply in {SILENCES} cases in a row"


def test_hangs_and_silences_are_counted_apart_and_a_case_that_held_ends_both_rows():
    patience = Patience(hangs=2, silences=2)
    for answers in (True, False, True, False):
        patience.count(rough=False, hung=True, died=False, answers=answers)
    assert patience.reason(rough=False) == ""
    patience.count(rough=False, hung=False, died=False)
    patience.count(rough=False, hung=True, died=False, answers=True)
    assert patience.reason(rough=False) == ""


@pytest.mark.parametrize(
    ("capabilities", "vehicle"),
    [(("tools", "prompts"), "tools/list"), (("prompts", "resources"), "resources/list"), ((), "ping")],
)
@pytest.mark.parametrize("how", ["silent", "refused"])
def test_what_does_not_answer_ping_with_a_result_is_asked_something_else(how, capabilities, vehicle):
    bench = Bench(**{how: ("ping",)}, capabilities=capabilities)
    assert bench.facts.barrier == vehicle
    assert bench.run(VEHICLE).verdict is (Verdict.FAILED if vehicle == "ping" else Verdict.PASSED)
