"""Our schemas and the published ones agree on every message, but for what the table in spec/wire/README.md explains."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import mcp_tck.conformance.protocol.schemas as schemas
import pytest
from jsonschema.validators import validator_for

from .holding import NOTIFICATION, REPLY, REQUEST, Difference, Message, everywhere, messages, unexplained, whole_times

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = Path(os.environ.get("MCP_SCHEMAS", ROOT.parent / "shared" / "schemas"))
MOST = int(os.environ.get("WIRE_MESSAGES", "150"))
"""Spoiled messages of each kind at each revision."""

OUTCOMES = {"tools/call": "CallToolResult", "resources/read": "ReadResourceResult", "prompts/get": "GetPromptResult"}
NAMES = {
    "initialize": "InitializeResult",
    "tools/list": "ListToolsResult",
    "resources/list": "ListResourcesResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "prompts/list": "ListPromptsResult",
    "completion/complete": "CompleteResult",
    "tasks/get": "GetTaskResult",
    "tasks/cancel": "CancelTaskResult",
    "tasks/list": "ListTasksResult",
    "server/discover": "DiscoverResult",
    "subscriptions/listen": "SubscriptionsListenResult",
}

pytestmark = pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published schemas are not here (MCP_SCHEMAS)")


class Published:
    """The published schema of one revision."""

    def __init__(self, revision):
        self.document = json.loads((PUBLISHED / f"{revision}.json").read_text("utf-8"))
        self.part = "$defs" if "$defs" in self.document else "definitions"
        self._judges = {}

    def accepts(self, message, *, only=None):
        """Whether one of the definitions that a message may be is met; `only` names the definition instead."""
        names = (only,) if only else self.names(message)
        value = message.body if message.kind == REPLY else message.whole
        if names not in self._judges:
            choice = {"anyOf": [{"$ref": f"#/{self.part}/{name}"} for name in names]}
            schema = {"$schema": self.document["$schema"], self.part: self.document[self.part], **choice}
            self._judges[names] = validator_for(schema)(schema)
        return self._judges[names].is_valid(value)

    def names(self, message):
        """The published names of what a message may be."""
        if message.kind == REPLY:
            name = OUTCOMES.get(message.method) or NAMES.get(message.method, "Result")
            if message.revision == "2026-07-28" and message.method in OUTCOMES:
                return (name, "InputRequiredResult")
            if message.revision == "2025-11-25" and message.method == "tools/call":
                return (name, "CreateTaskResult")
            return (name,)
        suffix = {NOTIFICATION: "Notification", REQUEST: "Request"}[message.kind]
        for name, schema in self.document[self.part].items():
            method = schema.get("properties", {}).get("method", {}).get("const")
            if name.endswith(suffix) and method == message.method:
                return (name,)
        raise AssertionError(f"{message.method} is not published")


@pytest.fixture(scope="module")
def published():
    return {revision: Published(revision) for revision in schemas.revisions()}


# -- what is known to differ; a message that is mended in that place is one on which both agree


def _without_meta(body):
    if isinstance(body.get("params"), dict):
        body["params"].pop("_meta", None)


def _plain_roots(body):
    def change(value):
        for name in ("inputSchema", "outputSchema"):
            if isinstance(value.get(name), dict):
                value[name] = {key: member for key, member in value[name].items() if key == "type"}

    everywhere(body, change)


def _json_values(body):
    def change(value):
        for name, member in value.items():
            if member is None or isinstance(member, float):
                value[name] = 1
            if isinstance(member, list):
                value[name] = [1 if each is None or isinstance(each, float) else each for each in member]

    capabilities = body.get("capabilities")
    everywhere(list(capabilities.values()) if isinstance(capabilities, dict) else None, change)
    everywhere([request.get("params", {}).get("metadata") for request in _requests(body)], change)


def _requests(body):
    asked = body.get("inputRequests")
    found = asked.values() if isinstance(asked, dict) else ()
    return [each for each in found if isinstance(each, dict) and isinstance(each.get("params"), dict)]


def _free_text(body):
    def change(value):
        if value.get("type") == "string":
            value.pop("enum", None)
            value.pop("oneOf", None)

    everywhere(body, change)


def _hundred_values(body):
    completion = body.get("completion")
    if isinstance(completion, dict) and isinstance(completion.get("values"), list):
        completion["values"] = completion["values"][:100]


def _some_state(body):
    if body.get("resultType") == "input_required":
        body.setdefault("requestState", "state")


def _not_what_it_says(message):
    """A result that is not of the kind that its resultType names, and passes for the other one."""
    if message.method not in OUTCOMES or message.kind != REPLY or not message.faults():
        return False
    asks = message.body.get("resultType") == "input_required"
    meant = "InputRequiredResult" if asks else OUTCOMES[message.method]
    return not Published("2026-07-28").accepts(message, only=meant)


KNOWN = [
    Difference("meta-of-params", _without_meta, until="2025-11-25"),
    Difference("fractions-of-time", whole_times, since="2025-11-25", until="2025-11-25"),
    Difference("inside-tool-schemas", _plain_roots),
    Difference("json-values", _json_values, since="2026-07-28"),
    Difference("choices-as-text", _free_text, since="2025-06-18"),
    Difference("hundred-values", _hundred_values, since="2025-03-26", until="2025-11-25"),
    Difference("nothing-asked", _some_state, since="2026-07-28"),
    Difference("alternatives-untold", because=_not_what_it_says, since="2026-07-28"),
]


def _tool(**schema):
    return {"tools": [{"name": "t", "inputSchema": {"type": "object", **schema}}]}


def _elicit(field):
    return {"params": {"message": "m", "requestedSchema": {"type": "object", "properties": {"one": field}}}}


def _discover(**capabilities):
    known = {"resultType": "complete", "supportedVersions": [], "ttlMs": 0, "cacheScope": "public"}
    return known | {"capabilities": capabilities}


def _listed(tool):
    return tool | {"resultType": "complete", "ttlMs": 0, "cacheScope": "public"}


MANY = {"completion": {"values": ["v"] * 101}}
TASK = {"taskId": "t", "status": "working", "createdAt": "", "lastUpdatedAt": "", "ttl": 0.5}
SERVER = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
AUDIO = {"type": "audio", "data": "", "mimeType": "audio/wav"}
BY_HAND = [
    Message(revision, kind, method, body)
    for revision, kind, method, body in (
        ("2024-11-05", NOTIFICATION, "notifications/resources/updated", {"params": {"uri": "a:b", "_meta": 5}}),
        ("2024-11-05", REPLY, "tools/call", {"content": [AUDIO]}),
        ("2025-06-18", REPLY, "tools/list", _tool(properties={"x": True})),
        ("2025-11-25", REPLY, "tools/list", _tool(properties={"x": True}, **{"$schema": 5})),
        ("2025-11-25", REPLY, "tools/list", _tool(required="x")),
        ("2026-07-28", REPLY, "tools/list", _listed(_tool(**{"$schema": None}))),
        ("2026-07-28", REPLY, "server/discover", _discover(experimental={"a": {"b": None}})),
        ("2026-07-28", REPLY, "server/discover", _discover(extensions={"a/b": {"c": [0.5]}})),
        ("2025-06-18", REQUEST, "elicitation/create", _elicit({"type": "string", "enum": [1, 2]})),
        ("2025-11-25", REQUEST, "elicitation/create", _elicit({"type": "string", "oneOf": [{"const": "a"}]})),
        ("2025-03-26", REPLY, "completion/complete", MANY),
        ("2026-07-28", REPLY, "completion/complete", MANY | {"resultType": "complete"}),
        ("2026-07-28", REPLY, "tools/call", {"resultType": "input_required"}),
        ("2026-07-28", REPLY, "tools/call", {"resultType": "complete"}),
        ("2026-07-28", REPLY, "prompts/get", {"resultType": "input_required", "messages": [], "requestState": 5}),
        ("2025-11-25", REPLY, "tools/call", {"task": TASK}),
        ("2025-11-25", REPLY, "initialize", SERVER | {"instructions": None}),
    )
]


def test_every_disagreement_is_in_the_table_and_the_table_holds_no_other(published):
    def theirs(message):
        return published[message.revision].accepts(message)

    made = (message for revision in schemas.revisions() for message, _ in messages(revision, MOST))
    left, seen = unexplained(iter([*BY_HAND, *made]), theirs, KNOWN)
    assert not left, "\n".join(left[:20])
    assert seen == {each.name for each in KNOWN}


def test_the_table_on_the_page_names_the_differences_that_are_known():
    page = (ROOT / "spec" / "wire" / "README.md").read_text("utf-8")
    table = page.split("## Where ours and the published schemas differ")[1].split("\n## ")[0]
    assert re.findall(r"^\| `([a-z-]+)`", table, re.MULTILINE) == [each.name for each in KNOWN]


def test_every_message_of_a_server_that_is_published_is_known(published):
    """Of each published revision: the methods of notifications and requests that a server sends."""
    for revision, theirs in published.items():
        known = schemas.document(revision)
        parts = theirs.document[theirs.part]
        for union, ours, usual in (
            ("ServerNotification", known["x-notifications"], "/list_changed"),
            ("ServerRequest", known["x-requests"], ""),
        ):
            for choice in parts.get(union, {}).get("anyOf", ()):
                name = choice["$ref"].rpartition("/")[2]
                method = parts[name]["properties"]["method"]["const"]
                plain = method in {"ping", "roots/list"} or (usual and method.endswith(usual))
                assert plain or method in ours or method.startswith("tasks/"), (revision, method)
