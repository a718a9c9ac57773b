"""The wire schemas themselves: whole, bound to requirements that hold, and judged as the library would."""

from __future__ import annotations

import functools
import json

import mcp_tck.conformance.protocol.schemas as schemas
import pytest
from jsonschema.validators import Draft202012Validator
from mcp_tck.conformance import registry, standing, suite
from mcp_tck.conformance.matching import matching
from mcp_tck.conformance.model import Location, Node
from mcp_tck.conformance.opening import Facts
from mcp_tck.conformance.protocol import wire
from mcp_tck.conformance.protocol.compiled import Compiler, Report
from mcp_tck.conformance.protocol.conversation import Violation
from mcp_tck.conformance.protocol.eras import REVISIONS
from mcp_tck.conformance.runner import Settings
from mcp_tck.conformance.standing_outcomes import standing_outcomes
from mcp_tck.conformance.values import lift

from .holding import REPLY, messages

PAGES = registry.read(suite.SPEC)[0].requirements
each_revision = pytest.mark.parametrize("revision", schemas.revisions())


def walk(value):
    if isinstance(value, dict):
        yield value
        for member in value.values():
            yield from walk(member)
    elif isinstance(value, list):
        for element in value:
            yield from walk(element)


# -- the files


def test_every_revision_has_a_schema():
    assert set(schemas.revisions()) == set(REVISIONS)


@each_revision
def test_every_reference_leads_somewhere_and_every_definition_is_reached(revision):
    whole = schemas.document(revision)
    usual = {"Result", "Notification", "Request"}
    reached = set()
    ahead = [whole["x-results"], whole["x-notifications"], whole["x-requests"], *map(whole["$defs"].get, usual)]
    while ahead:
        for schema in walk(ahead.pop()):
            name = schema.get("$ref", "").removeprefix("#/$defs/")
            if name and name not in reached:
                reached.add(name)
                ahead.append(whole["$defs"][name])
    assert whole["$defs"].keys() - reached <= usual


@each_revision
def test_every_schema_is_a_good_one_of_its_dialect(revision):
    Draft202012Validator.check_schema(schemas.document(revision))


@each_revision
def test_what_can_be_broken_is_a_requirement_that_holds_at_the_revision(revision):
    named = {schema["x-requirement"] for schema in walk(schemas.document(revision)) if "x-requirement" in schema}
    for name in {schemas.UNNAMED, *named}:
        assert PAGES[name].applies_at(revision), name
        assert PAGES[name].untestable is None, name


def test_null_takes_a_definition_away():
    assert "LaterContent" in schemas.document("2025-03-26")["$defs"]
    assert "LaterContent" not in schemas.document("2025-06-18")["$defs"]


# -- the judge


@each_revision
def test_the_judge_and_the_library_agree(revision):
    whole = schemas.document(revision)
    parts = {"reply": "x-results", "notification": "x-notifications", "request": "x-requests"}
    usual = {"reply": "Result", "notification": "Notification", "request": "Request"}
    validators = {}
    for message, good in messages(revision, 60):
        faults = message.faults()
        if faults is None:
            continue
        assert not (good and faults), (str(message), faults)
        schema = whole[parts[message.kind]].get(message.method, {"$ref": f"#/$defs/{usual[message.kind]}"})
        key = json.dumps(schema)
        if key not in validators:
            validators[key] = Draft202012Validator({**schema, "$defs": whole["$defs"]})
        value = message.body if message.kind == REPLY else message.whole
        assert validators[key].is_valid(value) == (not faults), (str(message), faults)


@each_revision
def test_a_fault_names_the_place_that_was_spoiled_or_one_around_it(revision):
    for message, good in messages(revision, 30):
        for fault in message.faults() or ():
            value = {"result": message.body} if message.kind == REPLY else message.whole
            *above, last = fault.pointer.split("/")[1:]
            for step in (each.replace("~1", "/").replace("~0", "~") for each in above):
                value = value[int(step)] if isinstance(value, list) else value[step]
            assert not good
            assert fault.expected
            assert last


def broken(schema, value, definitions=None):
    report = Report()
    Compiler(definitions or {}).compile(schema, "OUTER-1")(lift(value), None, report)
    return [(each.requirement, each.pointer, each.expected, each.actual) for each in report.broken]


def test_the_nearest_requirement_counts_through_references_too():
    schema = {"properties": {"a": {"$ref": "#/$defs/A", "x-requirement": "NEAR-1"}, "b": {"$ref": "#/$defs/A"}}}
    found = broken(schema, {"a": 1, "b": 2}, {"A": {"type": "string"}})
    assert [(each[0], each[1]) for each in found] == [("NEAR-1", "/a"), ("OUTER-1", "/b")]


def test_what_is_wrong_with_every_element_is_told_once():
    schema = {"items": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}}
    assert broken(schema, [{"name": 1}] * 50 + [{}]) == [("OUTER-1", "/0/name", "a string", "integer 1")]


def test_of_several_forms_the_one_that_its_type_names_says_what_is_wrong():
    form = {"required": ["type", "n"], "properties": {"n": {"type": "number"}}}
    one = {**form, "properties": {**form["properties"], "type": {"const": "one"}}}
    two = {**form, "properties": {**form["properties"], "type": {"const": "two"}}}
    assert broken({"anyOf": [one, two]}, {"type": "two"}) == [("OUTER-1", "/n", "a number", "nothing")]
    assert broken({"anyOf": [one, two]}, {"type": "six"}) == [("OUTER-1", "/type", '"one" or "two"', 'string "six"')]


def test_a_number_is_judged_by_its_exact_value():
    assert broken({"type": "integer", "minimum": 0, "maximum": 9007199254740993}, 3.0) == []
    report = Report()
    value, _ = wire.parse("9007199254740994")
    Compiler({}).compile({"minimum": 0, "maximum": 9007199254740993}, "R-1")(value, None, report)
    assert report.broken[0].expected == "a number, 0 to 9007199254740993"


def test_a_keyword_that_the_judge_does_not_know_is_never_passed_over():
    with pytest.raises(KeyError):
        Compiler({}).compile({"format": "x"}, "R-1")


@pytest.mark.parametrize(
    "body",
    [
        {"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no"}},
        {"jsonrpc": "1.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "result": []},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [], "title": 5, "later": None}},
    ],
)
def test_errors_faulty_envelopes_and_spare_members_are_not_judged(body):
    assert schemas.problems("2025-11-25", wire.judge(lift(body)), "tools/list") == []


def test_a_revision_without_a_schema_has_no_faults():
    assert (
        schemas.problems("1999-01-01", wire.judge(lift({"jsonrpc": "2.0", "id": 1, "result": {}})), "tools/list") == []
    )


# -- in cases, and as a standing check


def test_a_case_may_name_a_message():
    scope = matching.Scope(schema=functools.partial(schemas.named, "2025-11-25"))
    here = Location("case.yaml", 1, 1)
    node = Node({"$fits": Node("ListToolsResult", here)}, here)
    assert matching.match(node, lift({"tools": []}), scope) == []
    assert [each.pointer for each in matching.match(node, lift({"tools": [{"name": "t"}]}), scope)] == ["/tools/0"]
    with pytest.raises(matching.CaseError):
        matching.match(Node({"$fits": Node("NoSuchResult", here)}, here), lift({}), scope)


def outcome(requirements, *, capabilities=("tools", "prompts"), revision="2024-11-05", opened=1):
    tally = standing.Tally(
        5, opened, [Violation("schema", name, "/result/x", "w", "g", "a", ()) for name in requirements]
    )
    facts = Facts(revision, {name: {} for name in capabilities})
    outcomes = standing_outcomes(tally, PAGES, revision, Settings(), facts)
    return next(each for each in outcomes if each.case.id == "session/schema")


def test_the_level_is_that_of_the_strongest_requirement_that_was_broken():
    assert outcome(["MCP-LIFE-013"]).verdict.value == "warned"
    assert outcome(["MCP-LIFE-013", "MCP-TOOL-004"]).verdict.value == "failed"
    assert outcome(["MCP-LIFE-013", "MCP-TOOL-004"]).requirements == ("MCP-LIFE-013", "MCP-TOOL-004")
    assert outcome([]).verdict.value == "passed"


def test_a_requirement_of_a_capability_that_is_not_declared_binds_nobody():
    assert outcome(["MCP-TOOL-004"], capabilities=()).verdict.value == "passed"


def test_of_an_opening_that_never_completed_another_check_tells():
    assert outcome(["MCP-LIFE-001"], opened=0).verdict.value != "failed"
