"""Case files: what loads, as what, and every fault at its line and column."""
# ruff: noqa: E501, ISC004 - tables are read by their columns

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_tck.conformance.casefile import cases
from mcp_tck.conformance.model import Case, Needs, Problem
from mcp_tck.conformance.values import lift

HEAD = "format: 1\narea: a/b\n"


def load(text: str, prefix: str = "a/b") -> tuple[list[Case], list[Problem]]:
    return cases.loads(text.encode(), "cases/a/b.yaml", prefix)


def good(text: str) -> list[Case]:
    found, problems = load(text)
    assert [str(problem) for problem in problems] == []
    return found


def one(body: str, head: str = HEAD) -> Case:
    """The one case with these lines behind its id and title."""
    found = good(f"{head}cases:\n  - id: it\n    title: it is so\n{body}")
    assert len(found) == 1
    return found[0]


def test_a_case_has_what_its_file_says():
    case = one(
        "    covers: [MCP-BASE-005, ARG-BOOL-3]\n"
        "    requires: {tools: [other, tck_read], capabilities: ['!resources', tools.listChanged]}\n"
        "    revisions: {until: '2025-06-18'}\n"
        "    steps:\n"
        "      - request: {method: ping}\n"
        "        expect: {result: {}}\n",
        head=HEAD
        + "requires: {tools: [tck_read], profiles: [documented]}\nrevisions: {since: '2025-03-26', until: '2025-11-25'}\n",
    )
    assert (case.id, case.file, case.area, case.title) == ("a/b::it", "cases/a/b.yaml", "a/b", "it is so")
    assert case.covers == ("MCP-BASE-005", "ARG-BOOL-3")
    assert case.needs == Needs(("!resources", "tools.listChanged"), ("tck_read", "other"), ("documented",))
    assert (case.since, case.until) == ("2025-03-26", "2025-06-18")
    assert (case.at.line, case.at.column) == (6, 5)
    assert (case.row, case.opening, case.session) == (None, None, "shared")


def test_what_stands_beside_a_step_becomes_one_of_its_fields():
    case = one(
        "    steps:\n"
        "      - expect: {result: {}}\n"
        "        request: {method: ping, id: 7}\n"
        "      - server_request: {method: roots/list}\n"
        "        answer: {result: {roots: []}}\n"
        "      - send_line: '{'\n"
        "      - together:\n"
        "          - call: {tool: x}\n"
        "            expect: {ok: true}\n"
        "          - notify: {method: n/m}\n"
    )
    request, asked, line, together = case.steps
    assert request.kind == "request"
    assert request.args.plain() == lift({"method": "ping", "id": 7, "expect": {"result": {}}})
    assert asked.args.plain() == lift({"method": "roots/list", "answer": {"result": {"roots": []}}})
    assert line.args.plain() == "{"
    assert request.at.line == 8
    assert [step.kind for step in cases.steps_of(together)] == ["call", "notify"]
    assert cases.steps_of(together)[0].args.plain() == lift({"tool": "x", "expect": {"ok": True}})


def test_every_row_is_a_case_of_its_own():
    found = good(
        HEAD + "cases:\n"
        "  - id: forms\n"
        "    title: forms read\n"
        "    examples:\n"
        "      - {name: lower, given: 'true', reads: true}\n"
        "      - {name: absent, reads: {$one_of: [null, false]}}\n"
        "    steps:\n"
        "      - call: {tool: tck_read, arguments: {args: {v: {$row: given}}}}\n"
        "        expect: {json: {value: {$row: reads}}}\n"
    )
    assert [case.id for case in found] == ["a/b::forms[lower]", "a/b::forms[absent]"]
    assert [case.at.line for case in found] == [7, 8]
    assert found[0].row is not None
    assert found[0].row["reads"].plain() is True
    assert found[0].steps is found[1].steps


@pytest.mark.parametrize(
    ("body", "session"),
    [
        ("    steps: [{request: {method: ping}}]\n", "shared"),
        ("    session: shared\n    steps: [{request: {method: ping}}]\n", "shared"),
        ("    session: fresh\n    steps: [{request: {method: ping}}]\n", "fresh"),
        ("    steps: [{send_line: x}, {silence: {}}]\n", "rough"),
        ("    steps: [{send_bytes: ff 0a}]\n", "rough"),
        ("    session: fresh\n    steps: [{send_line: x}]\n", "fresh"),
        ("    steps: [{close_stdin: {}}, {expect_exit: {code: 0}}]\n", "last"),
        ("    session: fresh\n    steps: [{close_stdin: {}}]\n", "fresh"),
        ("    session: last\n    steps: [{send_line: x}]\n", "last"),
        ("    session: last\n    opening: none\n    steps: [{send_line: x}]\n", "last"),
        ("    session: last\n    opening: {capabilities: {}}\n    steps: [{request: {method: ping}}]\n", "fresh"),
        ("    opening: none\n    steps: [{send_line: x}]\n", "fresh"),
        ("    opening: {capabilities: {roots: {}}}\n    steps: [{request: {method: ping}}]\n", "fresh"),
    ],
)
def test_the_process_of_a_case_follows_from_what_it_does(body, session):
    assert one(body).session == session


STEPS = "    steps: [{request: {method: ping}}]\n"

WRONG = [
    # the file
    ("not a map", "- 1\n", [("wrong-type", 1, 3)]),
    ("nothing of a case file", "a: 1\n", [("missing-key", 1, 1), ("missing-key", 1, 1), ("missing-key", 1, 1), ("unknown-key", 1, 1)]),
    ("another format", "format: 2\narea: a/b\ncases: [{id: x, title: t, steps: [{silence: {}}]}]\n", [("wrong-value", 1, 9)]),
    ("another area", "format: 1\narea: a/c\ncases: [{id: x, title: t, steps: [{silence: {}}]}]\n", [("wrong-area", 2, 7)]),
    ("no cases", HEAD + "cases: []\n", [("empty-list", 3, 8)]),
    ("cases are no list", HEAD + "cases: {}\n", [("wrong-type", 3, 8)]),
    ("unknown revision", HEAD + "revisions: {since: '2025-06-19'}\ncases: [{id: x, title: t, steps: [{silence: {}}]}]\n",
     [("wrong-value", 3, 20)]),
    ("the wrong way round", HEAD + "revisions: {since: '2025-06-18', until: '2024-11-05'}\n"
     "cases: [{id: x, title: t, steps: [{silence: {}}]}]\n", [("empty-window", 3, 12)]),
    ("the file leaves nothing", HEAD + "revisions: {since: '2025-06-18'}\n"
     "cases: [{id: x, title: t, revisions: {until: '2025-03-26'}, steps: [{silence: {}}]}]\n", [("empty-window", 4, 38)]),
    # the case; lines 4 and 5 are id and title, the rest follows
    ("unknown key", "    stepz: []\n" + STEPS, [("unknown-key", 6, 5)]),
    ("no steps", "    comment: x\n", [("missing-key", 4, 5)]),
    ("empty steps", "    steps: []\n", [("empty-list", 6, 12)]),
    ("a session of an unknown kind", "    session: rough\n" + STEPS, [("wrong-value", 6, 14)]),
    ("opening of an unknown kind", "    opening: nothing\n" + STEPS, [("wrong-value", 6, 14)]),
    ("covers is no list", "    covers: ARG-BOOL-3\n" + STEPS, [("wrong-type", 6, 13)]),
    ("covers no id", "    covers: [arg-bool]\n" + STEPS, [("wrong-text", 6, 14)]),
    ("empty covers", "    covers: []\n" + STEPS, [("empty-list", 6, 13)]),
    ("empty window", "    revisions: {since: '2025-11-25', until: '2025-06-18'}\n" + STEPS, [("empty-window", 6, 16)]),
    ("window with nothing in it", "    revisions: {}\n" + STEPS, [("empty-window", 6, 16)]),
    # the steps
    ("unknown step", "    steps: [{reqest: {method: ping}}]\n", [("unknown-step", 6, 14)]),
    ("two steps in one", "    steps: [{silence: {}, close_stdin: {}}]\n", [("two-steps", 6, 27)]),
    ("expect without a reply", "    steps: [{silence: {}, expect: {}}]\n", [("unknown-key", 6, 27)]),
    ("answer to nothing", "    steps: [{request: {method: ping}, answer: {}}]\n", [("unknown-key", 6, 39)]),
    ("a step is a word", "    steps: [silence]\n", [("wrong-type", 6, 13)]),
    ("no method", "    steps: [{request: {params: {}}}]\n", [("missing-key", 6, 23)]),
    ("a method is no number", "    steps: [{request: {method: 7}}]\n", [("wrong-type", 6, 32)]),
    ("unknown field", "    steps: [{call: {tol: x, tool: z}}]\n", [("unknown-key", 6, 21)]),
    ("odd hex", "    steps: [{send_bytes: f}]\n", [("wrong-text", 6, 26)]),
    ("no hex", "    steps: [{send_bytes: zz}]\n", [("wrong-text", 6, 26)]),
    ("line feeds are added", "    steps: [{send_line: {}}]\n", [("wrong-type", 6, 25)]),
    ("silence with a fault", "    steps: [{silence: {not: [x]}}]\n", [("unknown-key", 6, 24)]),
    ("end of input with words", "    steps: [{close_stdin: {now: true}}]\n", [("unknown-key", 6, 28)]),
    ("silence within together", "    steps: [{together: [{silence: {}}]}]\n", [("unknown-step", 6, 26)]),
    ("call expects an unknown thing", "    steps: [{call: {tool: x}, expect: {txt: z}}]\n", [("unknown-key", 6, 40)]),
    ("ok is true or false", "    steps: [{call: {tool: x}, expect: {ok: 1}}]\n", [("wrong-type", 6, 44)]),
    ("meta is none or a map", "    steps: [{request: {method: x, meta: non}}]\n", [("wrong-value", 6, 41)]),
    # operators
    ("unknown operator", "    steps: [{optional: {$optonal: 1}}]\n", [("unknown-operator", 6, 25)]),
    ("operator in company", "    steps: [{optional: {a: 1, $any: true}}]\n", [("operator-not-alone", 6, 31)]),
    ("any is true", "    steps: [{optional: {$any: false}}]\n", [("wrong-value", 6, 31)]),
    ("unknown type", "    steps: [{optional: {$type: strin}}]\n", [("wrong-value", 6, 32)]),
    ("unknown type in a list", "    steps: [{optional: {$type: [string, int]}}]\n", [("wrong-value", 6, 41)]),
    ("bad pattern", "    steps: [{optional: {$regex: '('}}]\n", [("bad-regex", 6, 33)]),
    ("a pattern is a text", "    steps: [{optional: {$regex: 1}}]\n", [("wrong-type", 6, 33)]),
    ("no alternatives", "    steps: [{optional: {$one_of: []}}]\n", [("wrong-type", 6, 34)]),
    ("an alternative with a fault", "    steps: [{optional: {$one_of: [{name: x, is: {$an: 1}}]}}]\n", [("unknown-operator", 6, 50)]),
    ("length below zero", "    steps: [{optional: {$length: -1}}]\n", [("wrong-value", 6, 34)]),
    ("length with a fault", "    steps: [{optional: {$length: {mim: 1}}}]\n", [("unknown-key", 6, 35)]),
    ("exact is of members", "    steps: [{optional: {$exact: [1]}}]\n", [("wrong-type", 6, 33)]),
    ("save without a name", "    steps: [{optional: {$save: {is: 1}}}]\n", [("missing-key", 6, 32)]),
    ("repeat without times", "    steps: [{send_line: {$repeat: {of: x}}}]\n", [("missing-key", 6, 35)]),
    ("judging what is sent", "    steps: [{request: {method: x, params: {a: {$any: true}}}}]\n", [("operator-not-sent", 6, 47)]),
    ("judging a sent line", "    steps: [{send_line: {$regex: x}}]\n", [("operator-not-sent", 6, 25)]),
    ("schema keys are no data", "    steps: [{request: {method: x, params: {$schema: z}}}]\n", [("unknown-operator", 6, 44)]),
    ("deep inside", "    steps: [{optional: {a: [{b: {$not: {$nope: 1}}}]}}]\n", [("unknown-operator", 6, 41)]),
    # rows and variables
    ("unknown variable", "    steps: [{request: {method: x, params: {$var: y1}}}]\n", [("unknown-variable", 6, 50)]),
    ("saved too late", "    steps: [{request: {method: x, params: {$var: a}}, expect: {$save: {as: a}}}]\n", [("unknown-variable", 6, 50)]),
    ("saved within together", "    steps: [{together: [{request: {method: x}, expect: {$save: {as: a}}}, "
     "{request: {method: x, params: {$var: a}}}]}]\n", [("unknown-variable", 6, 112)]),
    ("row without examples", "    steps: [{send_line: {$row: a}}]\n", [("unknown-column", 6, 32)]),
    ("unknown column", "    examples: [{name: x, given: 1}]\n    steps: [{request: {method: x, params: {$row: givn}}}]\n",
     [("unknown-column", 7, 50)]),
    ("column missing in an array", "    examples: [{name: x, a: 1}, {name: z}]\n    steps: [{request: {method: x, params: [{$row: a}]}}]\n",
     [("missing-column", 6, 33)]),
    ("column missing for a line", "    examples: [{name: x, a: '1'}, {name: z}]\n    steps: [{send_line: {$row: a}}]\n",
     [("missing-column", 6, 35)]),
    ("column missing in an operator", "    examples: [{name: x, a: 1}, {name: z}]\n    steps: [{optional: {a: {$not: {$row: a}}}}]\n",
     [("missing-column", 6, 33)]),
    ("no rows", "    examples: []\n" + STEPS, [("empty-list", 6, 15)]),
    ("row without a name", "    examples: [{given: 1}]\n" + STEPS, [("missing-key", 6, 16)]),
    ("row name no slug", "    examples: [{name: Big One}]\n" + STEPS, [("wrong-text", 6, 23)]),
    ("row twice", "    examples: [{name: a}, {name: a}]\n" + STEPS, [("duplicate-row", 6, 34)]),
    ("operator of judgement in a sent row", "    examples: [{name: x, a: {$any: true}}]\n    steps: [{send_line: {$row: a}}]\n",
     [("operator-not-sent", 6, 29)]),
    ("unknown operator in a row", "    examples: [{name: x, a: {$anny: true}}]\n    steps: [{optional: {$row: a}}]\n",
     [("unknown-operator", 6, 30)]),
    ("row in a row", "    examples: [{name: x, a: {$row: name}}]\n    steps: [{optional: {$row: a}}]\n", [("row-in-row", 6, 29)]),
    ("row for a fixed thing", "    comment: {$row: a}\n" + STEPS, [("wrong-type", 6, 14)]),
    # YAML's own
    ("unquoted", "    steps: [{request: {method: on}}]\n", [("unquoted-boolean", 6, 32)]),
    ("empty value", "    steps:\n      - silence:\n", [("empty-value", 7, 17)]),
    ("several at once", "    session: frsh\n    steps: [{reqest: {}}, {optional: {a: 010, $x: 1}}]\n",
     [("wrong-value", 6, 14), ("unknown-step", 7, 14), ("unquoted-number", 7, 42), ("unknown-operator", 7, 47)]),
]  # fmt: skip


@pytest.mark.parametrize(("body", "found"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_every_fault_is_found_at_its_place(body, found):
    text = body if not body.startswith("    ") else f"{HEAD}cases:\n  - id: it\n    title: it is so\n{body}"
    loaded, problems = load(text)
    assert loaded == []
    assert sorted((problem.rule, problem.at.line, problem.at.column) for problem in problems) == sorted(found)


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ("    sesion: fresh\n" + STEPS, "did you mean session?"),
        ("    steps: [{reqest: {}}]\n", "did you mean request?"),
        ("    steps: [{optional: {$optonal: 1}}]\n", "did you mean $optional?"),
        ("    steps: [{optional: {$type: strin}}]\n", "did you mean string?"),
        ("    revisions: {since: '2025-11-26'}\n" + STEPS, "did you mean 2025-11-25?"),
        ("    examples: [{name: x, given: 1}]\n    steps: [{optional: {$row: givn}}]\n", "did you mean given?"),
        ("    steps: [{optional: {$save: {as: cursor}}}, {optional: {$var: cursr}}]\n", "did you mean cursor?"),
    ],
)
def test_a_typo_is_met_with_what_was_meant(body, hint):
    problems = load(f"{HEAD}cases:\n  - id: it\n    title: it is so\n{body}")[1]
    assert hint in [problem.hint for problem in problems]


def test_an_id_stands_once_in_a_file():
    body = "  - {id: x, title: t, steps: [{silence: {}}]}\n"
    problems = load(f"{HEAD}cases:\n{body}{body}")[1]
    assert [str(problem) for problem in problems] == [
        'cases/a/b.yaml:5:10: duplicate-id: the id "x" is there twice; first on line 4 (an id is unique in its file)'
    ]


@pytest.mark.parametrize("prefix", ["a/b", "mine/a/b", "b"])
def test_the_area_is_the_end_of_the_path(prefix):
    found, problems = load(f"{HEAD}cases: [{{id: x, title: t, steps: [{{silence: {{}}}}]}}]\n", prefix)
    assert problems == []
    assert found[0].id == f"{prefix}::x"


def test_a_column_may_be_missing_where_a_key_can_be_left_out():
    body = (
        "    examples: [{name: x, a: 1, ok: true}, {name: z}]\n"
        "    steps: [{call: {tool: t, arguments: {v: {$row: a}}}, expect: {ok: {$row: ok}, json: {v: {$row: a}}}}]\n"
    )
    assert len(good(f"{HEAD}cases:\n  - id: it\n    title: it is so\n{body}")) == 2


def test_operators_may_stand_wherever_something_is_sent_or_expected():
    one(
        "    steps:\n"
        "      - request: {method: tools/list}\n"
        "        expect: {result: {nextCursor: {$save: {as: c}}, tools: {$save: {as: all, is: {$each: {name: {$length: {min: 1}}}}}}}}\n"
        "      - request: {method: tools/list, params: {cursor: {$var: c}, schema: {$literal: {$ref: x}}}, id: {$var: c}}\n"
        "        expect: {result: {tools: {$fits: {$var: all}}, other: {$fits: {$defs: {x: {}}, type: object}}}}\n"
        "      - send_line: {$repeat: {of: x, times: 70000, before: '{', after: '}'}}\n"
    )


def test_files_are_found_by_what_they_say(tmp_path: Path):
    text = f"{HEAD}cases:\n  - {{id: x, title: t, steps: [{{silence: {{}}}}]}}\n"
    for name, content in {
        "b.yaml": text, "a/c.yml": text, "a/other.yaml": "format: 1\nthings: []\n", "note.md": text, ".hidden/x.yaml": text,
        "node_modules/x.yaml": text, "quoted.yaml": text.replace("format:", '"format":').replace("cases:", '"cases" :'),
        "indented.yaml": "x:\n  format: 1\n  cases: []\n",
    }.items():  # fmt: skip
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
    assert [path.relative_to(tmp_path).as_posix() for path in cases.find(tmp_path)] == [
        "a/c.yml",
        "b.yaml",
        "quoted.yaml",
    ]
    assert cases.find(tmp_path / "b.yaml") == [tmp_path / "b.yaml"]


def test_a_file_that_cannot_be_read_is_a_problem(tmp_path: Path):
    found, problems = cases.load(tmp_path / "none.yaml", "none.yaml", "none")
    assert found == []
    assert [problem.rule for problem in problems] == ["unreadable-file"]
    (tmp_path / "bad.yaml").write_bytes(b"format: 1\n# \xff\n")
    assert [problem.rule for problem in cases.load(tmp_path / "bad.yaml", "bad.yaml", "bad")[1]] == ["not-utf-8"]


words = st.sampled_from(
    ["format", "area", "cases", "id", "title", "steps", "examples", "name", "request", "expect", "method", "$row", "$any",
     "$save", "$one_of", "$fits", "$repeat", "as", "is", "of", "call", "tool", "together", "revisions", "since", "covers"]
)  # fmt: skip
trees = st.recursive(
    st.none() | st.booleans() | st.integers() | words | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words | st.text(max_size=3), inner, max_size=4),
    max_leaves=20,
)


@given(
    st.fixed_dictionaries({"format": st.just(1), "area": st.just("a/b"), "cases": st.lists(trees, max_size=2)}) | trees
)
def test_no_tree_of_known_words_makes_the_loader_stumble(tree):
    import json

    found, problems = load(json.dumps(tree))
    assert bool(found) != bool(problems)
