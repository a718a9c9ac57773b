"""Refusals are looked through for what a model needs, and the bounds of a tool's own schema are tried one by one."""

from __future__ import annotations

import jsonschema
import pytest
from mcp_tck.conformance.safety import boundaries, generated
from mcp_tck.conformance.safety.schema_values import Tool
from mcp_tck.conformance.values import ABSENT, lift, lower

from .conftest import Refusal, Small

BOUNDED = {
    "count": {"type": "integer", "minimum": 1, "maximum": 9, "multipleOf": 1},
    "share": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1000},
    "name": {"type": "string", "minLength": 2, "maxLength": 8, "pattern": "^[a-z]+$"},
    "tags": {"type": "array", "items": {"enum": ["a", "b"], "type": "string"}, "minItems": 1, "uniqueItems": True},
    "place": {"$ref": "#/$defs/place"},
}
PLACE = {
    "type": "object",
    "properties": {"x": {"type": "integer"}},
    "required": ["x"],
    "additionalProperties": False,
}


def tool(properties, **rest):
    return Tool({"inputSchema": lift({"type": "object", "properties": properties, **rest})})


def validating(properties, passes_over=(), **rest):
    """A server that holds its arguments against its schema, but for some keywords."""
    schema = {"type": "object", "properties": properties, **rest}

    def strip(part):
        if isinstance(part, dict):
            return {key: strip(member) for key, member in part.items() if key not in passes_over}
        return [strip(each) for each in part] if isinstance(part, list) else part

    checker = jsonschema.Draft202012Validator(strip(schema))

    def call(args):
        for error in checker.iter_errors(args):
            raise Refusal(f"{'/'.join(map(str, error.path)) or error.message}: {error.message}")
        return f"{args}"

    return Small().tool("t", properties, call, **{"required": (), **rest})


def test_every_bound_of_a_schema_is_broken_alone():
    found = {}
    bounded = tool(BOUNDED, **{"$defs": {"place": PLACE}})
    for name, schema in bounded.arguments.items():
        found[name] = {each.keyword: each.value for each in boundaries.beyond(bounded, name, schema)}
    assert {name: set(each) for name, each in found.items()} == {
        "count": {"minimum", "maximum"},
        "share": {"exclusiveMinimum", "exclusiveMaximum"},
        "name": {"minLength", "maxLength", "pattern"},
        "tags": {"minItems", "uniqueItems", "enum of items"},
        "place": {"required x", "additionalProperties"},
    }
    for name, broken in found.items():
        for value in broken.values():
            assert bounded.fits({name: value}) is False


def test_a_required_argument_is_left_out():
    needs = tool({"a": {"type": "string"}}, required=["a"])
    assert [each.value for each in boundaries.beyond(needs, "a", needs.arguments["a"])] == [ABSENT]


def test_a_server_that_keeps_its_own_schema_passes(play):
    found = play(validating(BOUNDED, required=["name"], additionalProperties=False, **{"$defs": {"place": PLACE}}))
    assert found.outcomes("failed", "error") == {}
    assert len(found.outcomes("passed")) > 60


@pytest.mark.parametrize(
    ("keyword", "cases"),
    [
        ("minimum", {"t.count[minimum]"}),
        ("exclusiveMaximum", {"t.share[exclusive-maximum]"}),
        ("maxLength", {"t.name[max-length]"}),
        ("pattern", {"t.name[pattern]"}),
        ("uniqueItems", {"t.tags[unique-items]"}),
        ("required", {"t.name[required]", "t.place[required-x]"}),
        ("additionalProperties", {"t[unknown-argument]", "t.place[additional-properties]"}),
    ],
)
def test_a_keyword_that_is_passed_over_is_found(play, keyword, cases):
    server = validating(
        BOUNDED, [keyword], required=["name"], additionalProperties=False, **{"$defs": {"place": PLACE}}
    )
    found = play(server, "safety/boundaries")
    assert set(found.outcomes()) == {f"boundaries::{case}" for case in cases}
    assert set(found.outcomes().values()) == {"failed"}


def test_a_schema_that_takes_other_arguments_is_not_asked_for_a_refusal(play):
    found = play(Small().tool("t", {"a": {"type": "string"}}, str))
    assert not [name for name in found.records if "unknown-argument" in name]


def test_what_is_accepted_though_invalid_is_made_small_and_shown_as_a_case_file(play):
    server = validating({"span": {"type": "object", "properties": {"from": {"type": "integer"}}, "required": ["from"]}},
                        ["required"])  # fmt: skip
    record = play(server, "generated")["generated::t"]
    assert record["outcome"] == "failed"
    assert record["mismatches"][0]["actual"] == 'accepted, though the schema forbids it: {"span":{}}'
    shown = [entry["line"] for entry in record["transcript"] if entry["dir"] == "!"]
    assert "the smallest one:" in shown
    assert "      - call: {tool: t, arguments: {span: {}}}" in shown


def test_draws_are_the_same_in_every_run(play):
    calls = []
    for _ in range(2):
        server = validating(BOUNDED, ["pattern"], **{"$defs": {"place": PLACE}})
        play(server, "generated")
        calls.append(server.calls)
    assert calls[0] == calls[1]
    assert len(calls[0]) < generated.DRAWS + generated.SHRINKS + 10


def test_a_tool_without_bounds_has_no_draws(play):
    found = play(Small().tool("t", {"a": {"type": "string"}, "b": {"type": "integer"}}, str))
    assert "generated::t" not in found.records


@pytest.mark.parametrize(
    ("refusal", "requirement"),
    [
        ("bad input", "SAFE-ARG-5"),
        ("limit: no", "SAFE-ERR-1"),
        ('limit must be an integer\n  File "x.py", line 3, in f', "SAFE-ERR-5"),
        ("limit must be an integer\n    at parse (/srv/x.js:10:3)", "SAFE-ERR-5"),
        ({"error": {"code": -32603, "message": "limit must be an integer"}}, "SAFE-ERR-3"),
        ({"error": {"code": -32602, "message": "limit must be an integer"}}, None),
        ("limit must be an integer", None),
        ({"result": {"content": [{"type": "text", "text": "Error: limit must be an integer"}]}}, "SAFE-ERR-4"),
    ],
)
def test_what_a_refusal_lacks_is_a_warning(play, refusal, requirement):
    def call(args):
        if type(args.get("limit", 1)) is not int:
            if isinstance(refusal, dict):
                return refusal
            raise Refusal(refusal)
        return str(args)

    found = play(Small().tool("t", {"limit": {"type": "integer"}}, call), "errors::t.limit[wrong]")
    record = found["errors::t.limit[wrong]"]
    assert record["outcome"] == ("passed" if requirement is None else "warned")
    assert requirement is None or requirement in record["requirements"]


def test_a_wrong_argument_that_is_called_missing_is_a_warning(play):
    def call(args):
        if not isinstance(args.get("name"), str):
            raise Refusal("name is required, a string")
        return args["name"]

    found = play(Small().tool("t", {"name": {"type": "string"}}, call, required=["name"]), "errors::t.name")
    assert found.outcomes() == {"errors::t.name[missing]": "warned"}
    assert found["errors::t.name[missing]"]["requirements"] == ["SAFE-ERR-2"]


def test_good_values_fit_their_schema():
    bounded = tool(BOUNDED, **{"$defs": {"place": PLACE}}, required=["name", "place"])
    for schema in bounded.arguments.values():
        assert bounded.values(schema)
        assert all(bounded.allows(schema, value) for value in bounded.values(schema))
    assert lower(bounded.base())["place"] == {"x": 1}
    assert bounded.fits(bounded.base())


@pytest.mark.parametrize("pattern", ["^[A-Z]{2}-\\d{3}$", "^v\\d+$", "(", "\\p{L}+"])
def test_a_pattern_gives_a_text_that_fits_or_none(pattern):
    schema = lift({"type": "string", "pattern": pattern})
    plain = tool({"a": {"type": "string", "pattern": pattern}})
    assert all(plain.allows(schema, value) for value in plain.values(schema))
    assert bool(plain.values(schema)) or pattern in {"(", "\\p{L}+"}
