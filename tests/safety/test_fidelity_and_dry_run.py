"""What a tool gives back is what it was given; and a dry run lists every call and makes none."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
import time
import urllib.parse

import pytest
from mcp_tck.conformance.safety import fidelity
from mcp_tck.conformance.values import dumps

from .conftest import READS, Refusal, Small

TEXT = {"text": {"type": "string"}}
NUMBER = {"number": {"type": "integer"}}


def echo(change, form="You said: {}."):
    return Small().tool("t", TEXT, lambda args: form.format(change(args["text"])), required=["text"])


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text,
        str.strip,
        json.dumps,
        lambda text: json.dumps(text, ensure_ascii=False),
        html.escape,
        repr,
    ],
)
def test_a_text_that_comes_back_escaped_or_trimmed_is_the_same(play, change):
    found = play(echo(change), "fidelity")
    assert found.outcomes("passed", "failed", "warned") == {"fidelity::t.text[texts]": "passed"}


def test_a_structured_echo_is_judged_too(play):
    def call(args):
        return {"result": {"content": [], "structuredContent": {"given": {"text": args["text"]}}}}

    found = play(Small().tool("t", TEXT, call, required=["text"]), "fidelity")
    assert found.outcomes("passed") == {"fidelity::t.text[texts]": "passed"}


@pytest.mark.parametrize(
    ("change", "lost"),
    [
        (lambda text: str(int(text)) if text.isdigit() else text, 'string "007"'),
        (lambda text: text.replace("null", ""), 'string "null"'),
        (lambda text: text.encode("ascii", "ignore").decode(), "\\u"),
        (lambda text: " ".join(text.split()), "blanks   inside"),
        (lambda text: text[:1000], "a line of seventy"),
        (lambda text: text.replace("\\", ""), "both"),
    ],
)
def test_a_text_that_is_changed_is_found(play, change, lost):
    record = play(echo(change), "fidelity")["fidelity::t.text[texts]"]
    assert record["outcome"] == "failed"
    assert record["requirements"] == ["SAFE-FID-1"]
    assert lost == "\\u" or any(lost in each["expected"] for each in record["mismatches"])


def test_a_text_that_is_refused_for_its_looks_is_a_warning(play):
    def strict(text):
        if text.isdigit():
            raise Refusal("text must be a string")
        return text

    record = play(echo(strict), "fidelity")["fidelity::t.text[texts]"]
    assert (record["outcome"], record["requirements"]) == ("warned", ["SAFE-FID-4"])


@pytest.mark.parametrize("change", [urllib.parse.quote, str.upper, lambda text: time.strftime(text, (2024,) * 9)])
def test_a_tool_whose_work_it_is_to_change_a_text_is_not_exercised(play, change):
    found = play(echo(change), "fidelity")
    assert found.outcomes("not_exercised") == {"fidelity::t.text[texts]": "not_exercised"}


def test_a_text_that_a_pattern_cannot_be_is_no_text_refused_for_its_looks(play):
    def search(args):
        try:
            re.compile(args["text"])
        except re.error as error:
            raise Refusal(f"text is no pattern: {error}") from None
        return f"nothing matches {args['text']}"

    assert play(Small().tool("t", TEXT, search, required=["text"]), "fidelity").outcomes() == {}


def test_a_reply_of_another_form_shows_nothing(play):
    def find(args):
        return f"nothing about {args['text']}" if "probe" in args["text"] else "3 hits"

    found = play(Small().tool("t", TEXT, find, required=["text"]), "fidelity")
    assert found.outcomes("failed", "warned") == {}


def test_an_argument_that_does_not_come_back_is_not_exercised(play):
    found = play(Small().tool("t", TEXT, lambda _args: "done", required=["text"]), "fidelity")
    assert found["fidelity::t.text[texts]"]["reason"] == "t.text: the reply does not give it back"


@pytest.mark.parametrize(
    ("read", "outcome", "broken"),
    [
        (lambda number: number, "passed", None),
        (lambda number: int(float(number)), "warned", ["SAFE-FID-3"]),
        (lambda number: number % 2**32, "failed", ["SAFE-FID-2", "SAFE-FID-3"]),
    ],
)
def test_whole_numbers_come_back_to_their_last_digit(play, read, outcome, broken):
    server = Small().tool("t", NUMBER, lambda args: f"number {read(args.get('number', 0))} it is")
    record = play(server, "fidelity")["fidelity::t.number[numbers]"]
    assert record["outcome"] == outcome
    assert broken is None or record["requirements"] == broken


def test_a_limit_that_a_tool_keeps_to_is_no_lost_digit(play):
    server = Small().tool("t", NUMBER, lambda args: f"number {min(args.get('number', 0), 100_000)}")
    assert play(server, "fidelity").outcomes() == {}


def test_a_large_number_that_is_refused_is_right(play):
    def call(args):
        if abs(args.get("number", 0)) >= 2**53:
            raise Refusal("number must be an integer below 2^53")
        return f"number {args.get('number', 0)}"

    assert play(Small().tool("t", NUMBER, call), "fidelity").outcomes() == {}


def test_the_texts_cover_every_plane_that_has_characters():
    planes = {ord(character) >> 16 for text in fidelity.TEXTS for character in text}
    assert planes == {0, 1, 2, 3, 14, 15, 16}
    assert max(len(text) for text in fidelity.TEXTS) > 70_000


SHAPES = {
    "flag": {"type": "boolean"},
    "limit": {"type": "integer", "minimum": 1},
    "order": {"enum": ["up", "down"]},
    "tags": {"type": "array", "items": {"type": "string"}},
    "text": {"type": "string", "maxLength": 5000},
}


def test_every_call_that_is_made_was_foreseen(play):
    server = Small().tool("t", SHAPES, str, required=["text"], additionalProperties=False)
    server.tool("other", SHAPES, str, annotations=None)
    found = play(server, "", call={"other": [{"text": "a", "limit": 2}]})
    foreseen = {
        (tool, dumps(arguments))
        for case, _ in found.kit.made()
        for tool, arguments in case.script.foreseen()
        if not case.script.drawn()
    }
    from mcp_tck.conformance.values import lift

    made = {(tool, dumps(lift(arguments))) for tool, arguments in server.calls}
    drawn = sum(case.script.drawn() for case, _ in found.kit.made())
    assert len(made - foreseen) <= drawn
    again = Small().tool("t", {name: SHAPES[name] for name in ("flag", "tags")}, str, annotations=READS)
    found = play(again)
    foreseen = {(tool, dumps(given)) for case, _ in found.kit.made() for tool, given in case.script.foreseen()}
    assert {(tool, dumps(lift(given))) for tool, given in again.calls} <= foreseen


SERVER = """\
import json, sys

TOOL = {"name": "t", "annotations": {"readOnlyHint": True}}
TOOL["inputSchema"] = {"type": "object", "properties": {"limit": {"type": "integer"}}}
INFO = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "a", "version": "1"}}
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "tools/call":
        open("LOG", "a").write("called")
    if "id" in message:
        result = {"initialize": INFO, "tools/list": {"tools": [TOOL]}}.get(message["method"], {})
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_a_dry_run_lists_the_calls_and_makes_none(tmp_path, workers):
    log = tmp_path / "calls"
    server = tmp_path / "server.py"
    server.write_text(SERVER.replace("LOG", str(log)))
    done = subprocess.run(
        [sys.executable, "-m", "mcp_tck.conformance.cli", "run", "--profile", "safety", "--dry-run", *workers, "--",
         sys.executable, str(server)],
        capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False,
        env={**os.environ, "PYTEST_ADDOPTS": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mcp-tck: safety calls, since it declares readOnlyHint: t" in done.stdout
    assert '  {"limit":"12px"}' in done.stdout or '  {"limit":"1px"}' in done.stdout
    assert "nothing was called" in done.stdout
    assert not log.exists()
