"""`mcp-tck new` and `mcp-tck init`: what they write is right, green, and never over something."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from mcp_tck.conformance import cli
from mcp_tck.conformance.authoring import init, scaffold, starter
from mcp_tck.conformance.casefile import cases
from mcp_tck.conformance.kit import Plan
from mcp_tck.conformance.linting import lint
from mcp_tck.conformance.model import Case, Verdict
from mcp_tck.conformance.runner import Runner, Settings
from mcp_tck.conformance.targets.inprocess import InProcess

Answer = Callable[[str, dict[str, Any]], Any]


@dataclass(frozen=True, slots=True)
class Given(Plan):
    """A plan whose target is a function from method and params to a result; None is an unknown method."""

    answer: Answer = lambda _method, _params: None

    def launch(self) -> InProcess:
        def handle(line: str) -> str | None:
            message = json.loads(line)
            if "id" not in message:
                return None
            result = self.answer(message["method"], message.get("params", {}))
            body = {"error": {"code": -32601, "message": "none"}} if result is None else {"result": result}
            return json.dumps({"jsonrpc": "2.0", "id": message["id"], **body})

        return InProcess(handle)


def server(more: dict[str, Any], capabilities: dict[str, Any] | None = None, **introduction: Any) -> Given:
    def answer(method: str, params: dict[str, Any]) -> Any:
        if method == "initialize":
            return {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}} if capabilities is None else capabilities,
                "serverInfo": {"name": "given", "version": "1"},
                **introduction,
            }
        if method == "ping":
            return {}
        found = more.get(method)
        return found(params) if callable(found) else found

    return Given(command=("given",), settings=Settings(), answer=answer)


def play(plan: Given, draft: starter.Draft) -> list[Verdict]:
    runner = Runner(plan.launch, Settings(), {})
    facts = runner.discover("2025-11-25")
    verdicts = [runner.run(case, facts).verdict for case in loaded(draft)]
    runner.close()
    return verdicts


def loaded(draft: starter.Draft) -> list[Case]:
    text = draft.text("case.schema.json")
    found, problems = cases.loads(text.encode(), "f", draft.area)
    assert [str(problem) for problem in problems] == [], text
    return found


def tool(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "x", "inputSchema": {"type": "object"}, **more}


def followed(written: str, at: int) -> str:
    """A file after somebody did what its comment says: the prefix taken off each line of the case behind it."""
    head, tail = written[:at], written[at:]
    start = tail.index("#   - id: ")
    case, gap, rest = tail[start:].partition("\n\n")
    assert all(line.startswith("# ") for line in case.splitlines())
    return head + tail[:start] + "\n".join(line[2:] for line in case.splitlines()) + gap + rest


READS = {"annotations": {"readOnlyHint": True}}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}], **more}


def test_a_catalogue_is_drafted_and_green():
    plan = server({"tools/list": {"tools": [tool("a"), tool("b")]}}, instructions="Line one.\n\n  Line two: yes.")
    (draft,) = init.draft(plan)[:1]
    assert list(draft.cases) == [
        "introduces-itself", "tools-have-shape", "tool-is-listed", "no-other-tools", "tools-snapshot",
    ]  # fmt: skip
    assert set(play(plan, draft)) == {Verdict.PASSED}


@pytest.mark.parametrize(
    "changed",
    [
        [tool("a")],
        [tool("b"), tool("a")],
        [tool("a"), tool("b"), tool("c")],
        [tool("a"), tool("b", description="y")],
        [tool("a"), tool("b", title="B")],
        [tool("a"), tool("b", inputSchema={"type": "object", "required": ["x"]})],
    ],
)
def test_a_changed_catalogue_fails_the_draft(changed):
    drafts = init.draft(server({"tools/list": {"tools": [tool("a"), tool("b")]}}))
    assert Verdict.FAILED in play(server({"tools/list": {"tools": changed}}), drafts[0])


def test_a_list_of_several_pages_is_walked():
    pages = {None: ([tool("a")], "two"), "two": ([tool("b", inputSchema={"type": "object", "$defs": {}})], None)}

    def listed(params: dict[str, Any]) -> Any:
        tools, cursor = pages[params.get("cursor")]
        return {"tools": tools, **({"nextCursor": cursor} if cursor else {})}

    plan = server({"tools/list": listed})
    draft = init.draft(plan)[0]
    assert len(draft.cases["tools-snapshot"]["steps"]) == 2
    assert set(play(plan, draft)) == {Verdict.PASSED}


def test_a_list_that_changes_by_itself_gets_no_snapshot():
    number = count()
    listed: Answer = lambda _: {"resources": [{"uri": f"x:{next(number)}", "name": "x"}]}  # type: ignore[assignment,misc] # noqa: E731
    draft = init.draft(server({"resources/list": listed}, {"resources": {}}))[0]
    assert list(draft.cases) == ["introduces-itself"]
    assert any("resources/list" in remark for remark in draft.remarks)


def test_only_tools_that_say_that_they_read_are_called():
    called = []

    def call(params: dict[str, Any]) -> Any:
        called.append(params["name"])
        return text('{"rows": [1], "when": "now"}')

    plan = server({"tools/list": {"tools": [tool("reads", **READS), tool("writes")]}, "tools/call": call})
    draft = init.draft(plan)[1]
    assert set(called) == {"reads"}
    assert list(draft.cases) == ["reads"]
    steps = draft.cases["reads"]["steps"]
    assert steps[0]["expect"]["json"] == {"rows": {"$type": "array"}, "when": {"$type": "string"}}
    assert any("writes" in remark for remark in draft.remarks)


def test_what_nobody_can_guess_is_left_to_be_completed_as_a_case_that_loads():
    schema = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    call: Answer = lambda params: text("x", isError="path" not in params["arguments"])  # type: ignore[assignment,misc] # noqa: E731
    plan = server({"tools/list": {"tools": [tool("reads", inputSchema=schema, **READS)]}, "tools/call": call})
    draft = init.draft(plan)[1]
    assert list(draft.cases) == ["reads-incomplete"]
    written = draft.text("case.schema.json")
    completed = followed(written, at=written.index('# Take away the "# "'))
    found, problems = cases.loads(completed.encode(), "f", "calls")
    assert problems == []
    assert [case.id for case in found] == ["calls::reads-incomplete", "calls::reads"]


def test_an_answer_with_two_faces_is_not_expected():
    number = count()
    call: Answer = lambda _: text("x", isError=next(number) % 2 == 0)  # type: ignore[assignment,misc] # noqa: E731
    plan = server({"tools/list": {"tools": [tool("moody", **READS)]}, "tools/call": call})
    assert all("moody" not in draft.cases for draft in init.draft(plan))


@pytest.mark.parametrize(
    ("schema", "given", "unknown"),
    [
        ({"type": "string"}, None, True),
        ({"type": "string", "enum": ["a", "b"]}, "a", False),
        ({"type": "string", "default": "d"}, "d", False),
        ({"type": "string", "examples": ["e"]}, "e", False),
        ({"const": 5}, 5, False),
        ({"type": "boolean"}, False, False),
        ({"type": ["null", "boolean"]}, False, False),
        ({}, None, True),
    ],
)
def test_arguments_come_from_the_schema(schema, given, unknown):
    found, missing = starter.arguments(
        {"name": "t", "inputSchema": {"type": "object", "properties": {"p": schema}, "required": ["p"]}}
    )
    assert missing == (["p"] if unknown else [])
    assert found == ({} if unknown else {"p": given})


@pytest.mark.parametrize(
    ("name", "made"), [("read_mapFile", "read-map-file"), ("ünï", "n"), ("…", "unnamed"), ("A.B", "a-b")]
)
def test_a_slug_is_made_of_any_name(name, made):
    assert starter.slug(name) == made


def test_a_new_file_is_right_and_is_not_written_over(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["new", "shop/orders"]) == 0
    path = Path("cases/shop/orders.yaml")
    assert lint.lint([path], {}) == []
    assert (path.parent / "../case.schema.json").exists()
    before = path.read_text()
    assert cli.main(["new", "shop/orders"]) == 4
    assert path.read_text() == before
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize("area", ["../up", "a b", "", "/"])
def test_a_new_file_stays_in_its_folder(area, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["new", area]) == 4
    assert list(tmp_path.iterdir()) == []


def test_the_commented_case_of_a_new_file_is_right_too(tmp_path):
    path = scaffold.new("a/b", tmp_path)
    written = path.read_text()
    path.write_text(followed(written, at=written.index('Take away the "# "')))
    assert lint.lint([path], {}) == []
    found, _ = cases.loads(path.read_bytes(), "f", "a/b")
    assert [case.id for case in found] == ["a/b::ping-is-answered", "a/b::says-hello"]


def test_init_writes_nothing_over(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases/calls.yaml").write_text("mine")
    assert cli.main(["init", "--", "false"]) == 4
    assert (tmp_path / "cases/calls.yaml").read_text() == "mine"
    assert [path.name for path in (tmp_path / "cases").iterdir()] == ["calls.yaml"]


def test_init_of_a_server_that_does_not_open_writes_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["init", "--", "false"]) == 1
    assert "does not open" in capsys.readouterr().err
    assert cli.main(["init", "--", "./no-such-program"]) == 1
    assert cli.main(["init"]) == 4
    assert list(tmp_path.iterdir()) == []
