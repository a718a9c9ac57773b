"""What our schemas accept the package mcp-types accepts; what it accepts beyond them is a looseness that is known."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from .holding import NOTIFICATION, REPLY, REQUEST, Difference, everywhere, messages, unexplained, whole_times

methods = pytest.importorskip("mcp_types.methods", reason="the package mcp-types is not installed")
pydantic = pytest.importorskip("pydantic")

PAGE = Path(__file__).resolve().parents[2] / "spec" / "wire" / "README.md"
REVISIONS = ("2025-11-25", "2026-07-28")
"""Those that the package has models of; older sessions are read by the first one's."""

MODELS = {
    REPLY: methods.SERVER_RESULTS,
    NOTIFICATION: methods.SERVER_NOTIFICATIONS,
    REQUEST: methods.SERVER_REQUESTS,
}
_readers = {}


def accepts(message):
    """Whether the package reads a message; None for what it has no model of."""
    model = MODELS[message.kind].get((message.method, message.revision))
    if model is None:
        return None
    reader = _readers.setdefault(model, pydantic.TypeAdapter(model))
    try:
        reader.validate_json(json.dumps(message.body if message.kind == REPLY else message.whole))
    except pydantic.ValidationError:
        return False
    return True


def _no_nulls(body):
    def change(value):
        for name in [name for name, member in value.items() if member is None]:
            del value[name]

    everywhere(body, change)


def _meta(body, key):
    for holder in (body, body.get("params")):
        meta = holder.get("_meta") if isinstance(holder, dict) else None
        if isinstance(meta, dict):
            meta.pop(f"io.modelcontextprotocol/{key}", None)


def _no_fields(body):
    params = body.get("params")
    for each in (params, *(asked.get("params") for asked in _asked(body))):
        form = each.get("requestedSchema") if isinstance(each, dict) else None
        if isinstance(form, dict) and isinstance(form.get("properties"), dict):
            form["properties"] = {}


def _asked(body):
    asked = body.get("inputRequests")
    return [each for each in asked.values() if isinstance(each, dict)] if isinstance(asked, dict) else []


def _converted(message):
    """It takes true for 1, and 0 and 1 for booleans."""
    faults = message.faults()
    kinds = {(fault.actual.partition(" ")[0], fault.expected.rpartition(" ")[2]) for fault in faults}
    return bool(faults) and kinds <= {("boolean", "integer"), ("boolean", "number"), ("integer", "boolean")}


def _asks(body):
    if body.get("resultType") in {"complete", "input_required"}:
        body |= {"resultType": "input_required", "requestState": "state"}


def _complete_elicitation(message):
    return message.method == "notifications/elicitation/complete" and bool(message.faults())


KNOWN = [
    Difference("converted", because=_converted),
    Difference("null-is-absent", _no_nulls),
    Difference("unread-server-info", lambda body: _meta(body, "serverInfo"), since="2026-07-28"),
    Difference("unread-fields", _no_fields),
    Difference("unread-meta", because=_complete_elicitation, until="2025-11-25"),
    Difference("asks-for-anything", _asks, since="2026-07-28"),
]
STRICTER = [Difference("fractions-of-time", whole_times, until="2025-11-25")]
"""Where the package follows the published schema, and ours do not."""


def test_what_ours_accept_is_accepted_and_what_is_accepted_beyond_is_known():
    made = (message for revision in REVISIONS for message, _ in messages(revision, 150))
    left, seen = unexplained(made, accepts, KNOWN + STRICTER)
    assert not left, "\n".join(left[:20])
    assert seen == {each.name for each in KNOWN + STRICTER}


def test_the_table_on_the_page_names_what_is_known():
    table = PAGE.read_text("utf-8").split("## What the package mcp-types accepts")[1]
    assert re.findall(r"^\| `([a-z-]+)`", table, re.MULTILINE) == [each.name for each in KNOWN]
