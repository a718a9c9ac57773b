"""Whether a case applies, at which level, and the reason where it does not."""

from __future__ import annotations

import re

import pytest
from mcp_tck.conformance import gating
from mcp_tck.conformance.casefile import cases
from mcp_tck.conformance.model import Case, Level, Location, Needs, Requirement
from mcp_tck.conformance.opening import Facts, from_plain, plain
from mcp_tck.conformance.values import Number

HERE = Location("here", 1, 1)
RULES = {
    each.id: each
    for each in (
        Requirement("M", Level.MUST, "", "", HERE),
        Requirement("S", Level.SHOULD, "", "", HERE),
        Requirement("Y", Level.MAY, "", "", HERE),
        Requirement("O", Level.OPEN, "", "", HERE),
        Requirement("NEW", Level.MUST, "", "", HERE, since="2025-11-25"),
        Requirement("OLD", Level.MUST, "", "", HERE, until="2025-03-26"),
        Requirement("SUB", Level.MUST, "", "", HERE, needs="resources.subscribe"),
        Requirement("NONE", Level.MUST, "", "", HERE, needs="!tools"),
        Requirement("EITHER", Level.MUST, "", "", HERE, needs="prompts|resources"),
        Requirement("STORY", Level.MUST, "", "", HERE, profile="story"),
        Requirement("OLD-STORY", Level.MUST, "", "", HERE, until="2025-03-26", profile="story"),
    )
}


def case(*covers, **more):
    return Case("a::b", "f", HERE, "t", "a", covers, (), **more)


def facts(revision="2025-06-18", *, tools=(), **more):
    return Facts(revision, {"tools": {}}, tools={name: {} for name in tools}, **more)


def reason(what, about, profiles=()):
    return gating.not_applicable(what, RULES, about, frozenset(profiles))


@pytest.mark.parametrize(
    ("covers", "level"),
    [
        (("M", "S"), Level.MUST),
        (("S", "Y"), Level.SHOULD),
        (("O", "Y"), Level.MAY),
        (("O",), Level.OPEN),
        (("S", "NEW"), Level.SHOULD),
        ((), Level.MUST),
    ],
)
def test_the_level_is_the_strongest_that_holds_at_the_revision(covers, level):
    assert gating.level(case(*covers), RULES, "2025-06-18") is level


@pytest.mark.parametrize(
    ("what", "about", "words"),
    [
        (case("M"), facts(), None),
        (case(), facts(), None),
        (case("NEW"), facts(), "none of NEW holds at 2025-06-18"),
        (case("NEW", "OLD"), facts(), "none of NEW, OLD holds at 2025-06-18"),
        (case("NEW", "S"), facts(), None),
        (case("NEW"), facts("2025-11-25"), None),
        (case("M", since="2025-11-25"), facts(), "holds since 2025-11-25; tested at 2025-06-18"),
        (case("M", until="2025-03-26"), facts(), "holds until 2025-03-26; tested at 2025-06-18"),
        (case("M", since="2025-06-18", until="2025-06-18"), facts(), None),
        (case("SUB"), facts(), "the target does not declare the capability resources.subscribe"),
        (case("NONE"), facts(), "the target declares the capability tools"),
        (case("EITHER"), facts(), "the target does not declare the capability prompts or resources"),
        (case("STORY"), facts(), "the target does not claim the profile story"),
        (case("STORY"), facts(profiles=("story",)), "the target does not claim the profile story"),
        (case("OLD-STORY", "M"), facts(), None),
        (case("M", needs=Needs(tools=("t",))), facts(), "the target does not offer the tool t"),
        (case("M", needs=Needs(tools=("t",))), facts(tools=("t",)), None),
        (case("M", needs=Needs(tools=("!t",))), facts(), None),
        (case("M", needs=Needs(tools=("!t",))), facts(tools=("t",)), "the target offers the tool t"),
        (case("M", needs=Needs(capabilities=("tools",), profiles=("mcp",))), facts(), None),
    ],
)
def test_every_reason_can_be_checked(what, about, words):
    assert reason(what, about) == words


def test_a_claimed_profile_opens_its_cases():
    assert reason(case("STORY"), facts(), {"story"}) is None


@pytest.mark.parametrize(
    ("value", "declared"),
    [({}, True), ({"x": False}, True), (True, True), (Number("1"), True), (False, False), (None, False)],
)
def test_a_capability_is_declared_unless_it_is_false_null_or_missing(value, declared):
    about = Facts("2025-06-18", {"logging": value})
    assert about.has("logging") is declared
    assert about.has("!logging") is not declared


@pytest.mark.parametrize(
    ("value", "declared"), [({"listChanged": True}, True), ({"listChanged": False}, False), ([], False)]
)
def test_a_part_of_a_capability_is_looked_up_below_it(value, declared):
    assert Facts("2025-06-18", {"tools": value}).has("tools.listChanged") is declared


def test_an_unknown_catalogue_is_no_reason_not_to_apply():
    about = facts(untold="tools/list got no reply")
    needy = case("M", needs=Needs(tools=("t",)))
    assert reason(needy, about) is None
    assert gating.not_known(needy, about) == (
        "it is not known whether the target offers the tool t: tools/list got no reply"
    )
    assert gating.not_known(case("M"), about) is None
    assert gating.not_known(needy, facts(tools=("t",), untold="tools/list got no reply")) is None


REFUSED = "expect: {refused: true}"
CALL = f"{{call: {{tool: nots}}, {REFUSED}}}"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            f"    steps: [{{call: {{tool: find_nots}}, {REFUSED}}}]\n",
            'the tool "find_nots", .*did you mean find_notes',
        ),
        ("    steps: [{call: {tool: nots}, expect: {ok: false}}]\n", 'the tool "nots"'),
        ("    steps: [{call: {tool: zzz}, expect: {error: {}}}]\n", 'requires: {tools: ."!zzz".} says that'),
        (
            f"    examples: [{{name: a, tool: nots}}]\n    steps: [{{call: {{tool: {{$row: tool}}}}, {REFUSED}}}]\n",
            "nots",
        ),
        (f"    after: [{CALL}]\n    steps: [{{call: {{tool: find_notes}}}}]\n", "nots"),
        (f"    steps: [{{call: {{tool: find_notes}}, {REFUSED}}}]\n", None),
        ("    steps: [{call: {tool: nots}, expect: {ok: true}}]\n", None),
        ("    steps: [{call: {tool: nots}}]\n", None),
        (f"    steps: [{{call: {{tool: tck_nots}}, {REFUSED}}}]\n", None),
        (f"    examples: [{{name: a, tool: ''}}]\n    steps: [{{call: {{tool: {{$row: tool}}}}, {REFUSED}}}]\n", None),
        (f"    requires: {{tools: ['!nots']}}\n    steps: [{CALL}]\n", None),
        (f"    start: {{args: [x]}}\n    steps: [{CALL}]\n", None),
        (f"    steps: [{{call: {{tool: find_notes, arguments: {{a: nots}}}}}}, {CALL}]\n", None),
    ],
)
def test_a_refusal_by_a_tool_that_is_not_there_shows_nothing(body, words):
    text = f"format: 1\narea: it\ncases:\n  - id: it\n    title: it is so\n{body}"
    found, problems = cases.loads(text.encode(), "f", "it")
    assert problems == []
    why = gating.refused_by_nobody(found[0], facts(tools=("find_notes",)))
    assert why is None if words is None else re.search(words, why or "")
    assert gating.refused_by_nobody(found[0], facts(untold="no reply")) is None


def test_facts_travel_to_a_worker_as_they_are():
    about = Facts(
        "2025-06-18",
        {"tools": {"n": Number("1e400")}},
        {"name": "\ud83d"},
        {"t": {"inputSchema": {}}},
        ("story",),
        ping=False,
        untold="why",
    )
    assert from_plain(plain(about)) == about
