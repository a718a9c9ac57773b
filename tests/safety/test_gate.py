"""A target that was started read-only lists, does and changes nothing that it must not."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from mcp_tck.conformance.config import ReadOnly
from mcp_tck.conformance.model import Location

from .conftest import READS, Refusal, Small

TEXT = {"text": {"type": "string"}}
WRITE = (("write", {"text": "must not be here"}),)
STATE = (("read", {}),)


def asked(**parts):
    return ReadOnly(at=Location("", 1, 1), args=("--read-only",), **({"refuse": WRITE, "state": STATE} | parts))


def full():
    notes = []
    server = Small().tool("read", {}, lambda _args: json.dumps(notes))
    server.notes = notes
    server.tool("write", TEXT, lambda args: notes.append(args["text"]) or "written", annotations=None)
    return server.tool("erase", {}, lambda _args: notes.clear() or "erased", annotations={"readOnlyHint": False})


def restricted(*hidden, **more):
    server = full()
    for name in hidden or ("write", "erase"):
        del server.tools[name]
    return server


def gate(play, restricted_server, only="read-only", **parts):
    return play(full(), only, restricted=restricted_server, read_only=asked(**parts))


def test_a_gate_that_holds_passes_everything(play):
    found = gate(play, restricted(), unclassified=("erase",))
    assert found.outcomes() == {}
    assert set(found.outcomes("passed")) == {
        "read-only::subset",
        "read-only::declares-no-write",
        "read-only::unclassified[erase]",
        *(f"read-only::refused[write-{form}]" for form in ("plain", "upper", "padded", "notification")),
    }


def test_a_tool_that_full_mode_lacks_is_found(play):
    found = gate(play, restricted().tool("peek", {}, str))
    assert found.wrong()["read-only::subset"] == ("SAFE-GATE-1", "1 tool that it lacks: peek")


def test_a_tool_that_says_that_it_writes_is_found(play):
    found = gate(play, restricted("write"))
    assert found.wrong()["read-only::declares-no-write"] == ("SAFE-GATE-2", "readOnlyHint is false")


def test_a_tool_that_nobody_has_classified_is_found(play):
    found = gate(play, restricted("write"), unclassified=("erase",))
    assert found.wrong()["read-only::unclassified[erase]"] == ("SAFE-GATE-4", "erase is listed")


def test_an_unclassified_tool_that_full_mode_lacks_too_shows_nothing(play):
    found = gate(play, restricted(), unclassified=("nonesuch",))
    assert found["read-only::unclassified[nonesuch]"]["outcome"] == "not_exercised"


class Leaky(Small):
    """Lists no writer, and lets some calls through."""

    def __init__(self, lets_through):
        inner = full()
        super().__init__(tools=dict(inner.tools))
        self.lets_through = lets_through

    def handle(self, line):
        message = json.loads(line)
        if message["method"] == "tools/list":
            shown = [spec for name, (spec, _) in self.tools.items() if name == "read"]
            return json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"tools": shown}})
        name = message.get("params", {}).get("name", "")
        if message["method"] == "tools/call" and name != "read":
            if self.lets_through(name, message):
                self.tools["write"][1](message["params"]["arguments"])
            elif "id" in message:
                return json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32602, "message": "no"}})
            if "id" in message:
                result = {"content": [{"type": "text", "text": "written"}]}
                return json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result})
            return None
        return super().handle(line)


@pytest.mark.parametrize(
    ("lets_through", "form", "broken"),
    [
        (lambda name, message: name == "write" and "id" in message, "plain", ["SAFE-GATE-3", "SAFE-GATE-5"]),
        (lambda name, message: name == "WRITE", "upper", ["SAFE-GATE-3", "SAFE-GATE-5"]),
        (lambda name, message: name == " write ", "padded", ["SAFE-GATE-3", "SAFE-GATE-5"]),
        (lambda name, message: "id" not in message, "notification", ["SAFE-GATE-5"]),
    ],
)
def test_a_hidden_tool_that_can_still_be_called_is_found(play, lets_through, form, broken):
    found = gate(play, Leaky(lets_through))
    assert found.outcomes() == {f"read-only::refused[write-{form}]": "failed"}
    assert found[f"read-only::refused[write-{form}]"]["requirements"] == broken


def test_arguments_that_must_be_refused_are_tried_on_a_tool_that_stays(play):
    def query(args):
        if "delete" in args["sql"] and not args["sql"].startswith("--"):
            raise Refusal("read-only")
        return "0 rows"

    both = [
        server.tool("query", {"sql": {"type": "string"}}, query, required=["sql"]) for server in (full(), restricted())
    ]
    refuse = (("query", {"sql": "delete from t"}), ("query", {"sql": "-- x\ndelete from t"}))
    found = play(both[0], "refused", restricted=both[1], read_only=asked(refuse=refuse))
    assert found.outcomes("passed", "failed") == {
        "read-only::refused[query-plain]": "passed",
        "read-only::refused[query-2-plain]": "failed",
    }


def test_a_file_that_appears_is_found(play, tmp_path):
    (tmp_path / "kept.txt").write_text("kept")

    def drop(name, message):
        (tmp_path / "dropped.txt").write_text("x")
        return False

    found = gate(play, Leaky(drop), "refused[write-plain]", watch=str(tmp_path))
    wrong = found["read-only::refused[write-plain]"]["mismatches"]
    assert [each["actual"] for each in wrong] == ["dropped.txt is new"]


def test_a_notification_shows_nothing_where_nothing_shows_the_state(play):
    found = gate(play, restricted(), "notification", state=())
    assert found["read-only::refused[write-notification]"]["outcome"] == "not_exercised"


def test_a_restricted_target_that_does_not_open_is_not_exercised(play):
    class Shut(Small):
        def handle(self, _line):
            raise SystemExit(3)

    found = gate(play, Shut())
    assert set(found.outcomes("not_exercised")) == set(found.records)
    assert "did not complete its opening" in found["read-only::subset"]["reason"]


@pytest.mark.parametrize(
    ("name", "annotations", "outcome"),
    [
        ("list_notes", READS, "passed"),
        ("list_notes", READS | {"destructiveHint": True}, "warned"),
        ("delete_note", READS, "warned"),
        ("list_deleted_notes", READS, "passed"),
    ],
)
def test_hints_that_contradict_each_other_or_the_name_are_warned_of(play, name, annotations, outcome):
    found = play(Small().tool(name, {}, str, annotations=annotations), "annotations")
    assert found.outcomes("passed", "warned") == {f"annotations::{name}": outcome}


def test_the_gate_runs_from_a_configuration_with_workers_too(tmp_path):
    config = tmp_path / "tck.yaml"
    command = json.dumps([sys.executable, "-m", "mcp_tck.reference"])
    config.write_text(
        f"command: {command}\nprofiles: [safety]\nread_only:\n  args: [--read-only]\n  env: {{KEY: very-secret}}\n"
        "  unclassified: [undo_last]\n"
        "  refuse: [{tool: update_document, arguments: {document: Notes, text: never}}]\n"
        "  state: [{tool: read_document, arguments: {document: Notes}}]\n"
    )
    for workers in ((), ("-n", "2")):
        report = tmp_path / "report.json"
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "--pyargs", "mcp_tck.conformance", f"--tck-config={config}", "-q", "-m",
             "read_only and safety", f"--tck-report={report}", "-p", "no:cacheprovider", *workers],
            capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False,
            env={**os.environ, "PYTEST_ADDOPTS": ""},
        )  # fmt: skip
        found = {
            each["id"]: each["outcome"]
            for each in json.loads(report.read_text())["cases"]
            if not each["id"].startswith("session/")
        }
        assert done.returncode == 0, done.stdout
        assert set(found.values()) == {"passed"}
        assert len(found) == 7
        assert "very-secret" not in done.stdout + report.read_text()
