"""What the kit finds out about schemas by itself is what the library says, which is asked for all the rest."""

from __future__ import annotations

import json
import subprocess
import sys

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_tck.conformance.matching import fitting
from mcp_tck.conformance.values import lift

WORDS = st.sampled_from(["a", "ab", "string", "object", "x-a", ""])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-2, 3), st.sampled_from([0.5, 1.0, -0.0]), WORDS)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=6,
)
TOLD = {"required": ["type"], "properties": {"type": {"const": "a"}}}
TYPES = st.sampled_from(["null", "boolean", "string", "integer", "number", "array", "object"])


def schemas():
    """Schemas of the keywords that are known here, now and then with a member that is wrong."""
    forms = {
        "type": st.one_of(TYPES, st.lists(TYPES, max_size=2)),
        "required": st.lists(WORDS, max_size=2),
        "enum": st.lists(SCALARS, max_size=3),
        "const": SCALARS,
        "minimum": st.integers(-2, 3),
        "maximum": st.sampled_from([-1, 0.5, 2]),
        "maxItems": st.integers(-1, 2),
        "pattern": st.sampled_from(["^a", "b$", "(", "x"]),
        "uniqueItems": st.booleans(),
        "format": WORDS,
        "x-note": VALUES,
    }

    def further(inner):
        one = st.one_of(inner, st.booleans())
        many = st.lists(one, max_size=2)
        named = st.dictionaries(WORDS, one, max_size=2)
        words = ("items", "additionalProperties", "propertyNames", "not", "if", "then", "else")
        deeper = {**dict.fromkeys(words, one), **dict.fromkeys(("anyOf", "oneOf", "allOf"), many), "properties": named}
        return objects({**forms, **deeper})

    def objects(members):
        spoiled = {name: st.one_of(form, form, form, form, VALUES) for name, form in members.items()}
        chosen = st.lists(st.sampled_from(sorted(members)), max_size=4, unique=True)
        return chosen.flatmap(lambda names: st.fixed_dictionaries({name: spoiled[name] for name in names}))

    return st.recursive(objects(forms), further, max_leaves=4)


@given(schemas())
def test_what_is_plainly_a_schema_is_one_in_every_dialect_that_it_may_be_read_in(schema):
    if fitting._is_plain(lift(schema)):
        # Not by check_schema, which asks Python whether a pattern is one.
        for dialect in (jsonschema.Draft202012Validator, jsonschema.Draft7Validator):
            assert dialect(dialect.META_SCHEMA).is_valid(schema)


@given(schemas(), VALUES)
def test_the_kits_own_check_holds_where_the_librarys_does(schema, value):
    check = fitting._of_few_keywords(json.dumps(schema))
    if check is not None:
        library = fitting._tolerant(jsonschema.Draft202012Validator)(schema)
        assert fitting.holds(check, lift(value)) == library.is_valid(value)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"enum": [{}, 1, "ab"], "const": 2}, 1),
        ({"enum": [1, 2], "const": 2}, 2),
        ({"not": {"anyOf": [TOLD, {**TOLD, "properties": {"type": {"const": "b"}}}]}}, 5),
        ({"anyOf": [TOLD, {**TOLD, "properties": {"type": {"const": []}}}]}, {"type": []}),
        ({"anyOf": [TOLD, {**TOLD, "properties": {"type": {"const": 1}}}]}, {"type": "c"}),
        ({"pattern": "("}, "x"),
        ({"pattern": "a{99999999999999999999}"}, "x"),
    ],
)
def test_they_agree_where_keywords_meet(schema, value):
    library = fitting._tolerant(jsonschema.Draft202012Validator)(schema)
    assert (fitting.faults(lift(schema), lift(value), 1) == []) == library.is_valid(value)


@pytest.mark.parametrize("named", [{}, [], 5, None, "http://json-schema.org/draft-99/schema#"])
def test_a_dialect_that_is_none_is_left_to_the_library(named):
    assert not fitting._is_plain(lift({"$schema": named}))
    fitting.schema_fault(lift({"type": "object", "$schema": named}))


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": {"type": ["string", "null"], "description": "x"}}, "required": ["a"]},
        {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "additionalProperties": False},
        {"type": "object", "properties": {"n": {"anyOf": [{"type": "integer", "minimum": 0}], "x-unit": "words"}}},
    ],
)
def test_the_library_is_not_loaded_for_what_is_plain(schema):
    code = (
        "import sys\nfrom mcp_tck.conformance.matching import fitting\nfrom mcp_tck.conformance.values import lift\n"
        f"assert fitting.schema_fault(lift({schema!r})) is None\n"
        "assert fitting.faults(lift({'type': 'integer', 'minimum': 0}), lift(5), 9) == []\n"
        "assert 'jsonschema' not in sys.modules\n"
        "assert fitting.faults(lift({'type': 'integer', 'minimum': 0}), lift(-5), 9)\n"
        "assert 'jsonschema' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "schema",
    [{"type": "objekt"}, {"required": ["a", "a"]}, {"properties": {"a": 5}}, {"minItems": -1}, {"enum": 3}],
)
def test_what_is_no_schema_is_told_by_the_library(schema):
    fault = fitting.schema_fault(lift(schema))
    assert fault is not None
    assert "schema at" in fault.expected
