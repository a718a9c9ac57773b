"""A step that names requirements of its own: what fails there breaks them, and no others of the case."""

from __future__ import annotations

import pytest
from mcp_tck.conformance.model import Verdict

from .bench import Bench, said

BOTH = ("R-MUST", "R-SHOULD")
PING = {"request": {"method": "ping"}}
REFUSED = {"error": {"$any": True}}


@pytest.mark.parametrize(
    ("steps", "verdict", "broken"),
    [
        ([PING | {"expect": REFUSED, "covers": ["R-SHOULD"]}], Verdict.WARNED, ("R-SHOULD",)),
        ([PING | {"expect": REFUSED, "covers": ["R-MUST"]}], Verdict.FAILED, ("R-MUST",)),
        ([PING | {"covers": ["R-SHOULD"]}, PING | {"expect": REFUSED}], Verdict.FAILED, BOTH),
        ([{"together": [PING | {"expect": REFUSED, "covers": ["R-SHOULD"]}, PING]}], Verdict.WARNED, ("R-SHOULD",)),
        ([{"call": {"tool": "reads"}, "expect": {"ok": False}, "covers": ["R-SHOULD"]}], Verdict.WARNED, ("R-SHOULD",)),
        ([PING | {"expect": REFUSED, "covers": ["R-ELSE"]}], Verdict.FAILED, BOTH),
    ],
    ids=["should", "must", "another-step", "together", "call", "unknown"],
)
def test_a_failure_breaks_what_its_step_is_about(steps, verdict, broken):
    outcome = Bench().run(*steps, covers=BOTH, requires={"tools": ["reads"]})
    assert (outcome.verdict, outcome.requirements) == (verdict, broken)


def test_what_an_optional_step_finds_is_not_put_down_to_the_step_at_which_it_came():
    def hook(server, method, message):
        return said(message, result={"wrong": True}) if method == "early" else ...

    early = {"send_line": '{"jsonrpc":"2.0","id":"early","method":"early"}'}
    outcome = Bench(hook).run(
        early, {"optional": REFUSED}, {"silence": {}, "covers": ["R-SHOULD"]}, covers=BOTH, session="fresh"
    )
    assert (outcome.verdict, outcome.requirements) == (Verdict.FAILED, BOTH)
