"""The case format: one set of definitions, from which the loader checks and the schema for editors is written."""
# ruff: noqa: E501, ISC004 - tables are read by their columns

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from mcp_tck.conformance import session
from mcp_tck.conformance.casefile import cases, format_parts, schema, yamlstrict
from mcp_tck.conformance.casefile import format as layout
from mcp_tck.conformance.casefile.checking import Check
from mcp_tck.conformance.matching import matching
from mcp_tck.conformance.model import Node
from mcp_tck.conformance.values import Value, dumps, lower

HEAD = "format: 1\narea: a/b\ncases:\n  - id: it\n    title: it is so\n"


def node(value: Value) -> Node:
    found, problems = yamlstrict.parse(dumps(value), "f")
    assert problems == []
    assert found is not None
    return found


def validator() -> Any:
    return jsonschema.Draft202012Validator(schema.schema())


def test_the_shipped_schema_is_current_and_valid():
    assert schema.FILE.read_text(encoding="utf-8") == schema.text(), "run python -m mcp_tck.conformance.casefile.schema"
    jsonschema.Draft202012Validator.check_schema(json.loads(schema.text()))


def test_what_the_format_defines_is_what_sessions_and_matching_know():
    assert layout.STEPS.keys() == session._STEPS.keys()
    assert layout.OPERATORS.keys() == matching.OPERATORS.keys()


@pytest.mark.parametrize("name", layout.STEPS)
def test_the_example_of_a_step_is_right(name):
    kind = layout.STEPS[name]
    check = Check()
    check.steps(node([{name: kind.example, **{one.name: one.example for one in kind.beside}}]))
    assert check.problems == []


@pytest.mark.parametrize("name", layout.OPERATORS)
def test_the_example_of_an_operator_is_right(name):
    check = Check(saved={"cursor"})
    check.expected(node(layout.OPERATORS[name].example), member=True)
    assert check.problems == []


def test_every_field_has_an_example_that_fits():
    records = [layout.CASE, format_parts.REQUIRES, format_parts.WINDOW, format_parts.CALL_EXPECT]
    records += [kind.body for kind in layout.STEPS.values() if isinstance(kind.body, layout.Record)]
    for field in (field for record in records for field in record.fields):
        check = Check()
        check.shape(node(field.example), field.shape)
        assert check.problems == [], field.name
        assert field.about.endswith(".")


ACCEPTED = [
    "    steps: [{request: {method: ping}}]\n",
    "    steps: [{request: {method: {$row: m}, params: {$row: p}, id: null, meta: none}, expect: {error: {code: -1}}}]\n"
    "    examples: [{name: x, m: ping}, {name: z, m: x/z, p: [1]}]\n",
    "    steps: [{call: {tool: t, arguments: {a: {$repeat: {of: x, times: 3}}}}, expect: {ok: {$row: k}, text: {$regex: x}}}]\n"
    "    examples: [{name: x, k: true}]\n",
    "    steps: [{send_line: {$repeat: {of: x, times: 3, before: '{'}}}, {send_bytes: 00 ff}, {silence: {no: [a/b]}}]\n",
    "    opening: {capabilities: {roots: {}}}\n    steps: [{server_request: {method: roots/list}, answer: {error: {code: 1}}}]\n",
    "    steps: [{together: [{request: {method: a}}, {notify: {method: b}}]}, {close_stdin: {}}, {expect_exit: {code: {$any: true}}}]\n",
    "    steps: [{reply: {$one_of: [1, {name: x, is: {$fits: {$ref: a}}}, {$unordered: [{$literal: {$x: 1}}]}]}}]\n",
    "    steps: [{optional: {a: {$length: {min: 1}}, b: {$unique: name}, c: {$exact: {d: {$save: {as: e}}}}}}]\n",
]  # fmt: skip

REFUSED = [
    "    steps: []\n",
    "    stepz: []\n    steps: [{silence: {}}]\n",
    "    steps: [{reqest: {method: ping}}]\n",
    "    steps: [{silence: {}, close_stdin: {}}]\n",
    "    steps: [{silence: {}, expect: {}}]\n",
    "    steps: [{request: {method: 7}}]\n",
    "    steps: [{request: {}}]\n",
    "    steps: [{request: {method: x, params: {a: {$any: true}}}}]\n",
    "    steps: [{request: {method: x, params: {a: {$nope: 1}}}}]\n",
    "    steps: [{optional: {$optonal: 1}}]\n",
    "    steps: [{optional: {a: 1, $any: true}}]\n",
    "    steps: [{optional: {$type: strin}}]\n",
    "    steps: [{optional: {$length: {mim: 1}}}]\n",
    "    steps: [{send_bytes: zz}]\n",
    "    steps: [{call: {tool: x}, expect: {txt: a}}]\n",
    "    steps: [{call: {tool: x}, expect: {ok: 1}}]\n",
    "    steps: [{together: [{silence: {}}]}]\n",
    "    covers: [arg-bool]\n    steps: [{silence: {}}]\n",
    "    session: rough\n    steps: [{silence: {}}]\n",
    "    revisions: {since: '2025-06-19'}\n    steps: [{silence: {}}]\n",
    "    examples: [{given: 1}]\n    steps: [{silence: {}}]\n",
]


@pytest.mark.parametrize(("body", "right"), [(b, True) for b in ACCEPTED] + [(b, False) for b in REFUSED])
def test_the_schema_and_the_loader_agree_about_shape(body, right):
    text = HEAD + body
    root, _ = yamlstrict.parse(text, "f")
    assert root is not None
    assert (cases.loads(text.encode(), "f", "a/b")[1] == []) is right
    assert validator().is_valid(lower(root.plain())) is right


def test_the_schema_takes_every_bundled_file():
    from mcp_tck.conformance import suite

    judge = validator()
    for path in cases.find(suite.FIXTURES):
        root, _ = yamlstrict.parse(path.read_text(encoding="utf-8"), path.name)
        assert root is not None, path
        assert [error.message for error in judge.iter_errors(lower(root.plain()))] == [], path
