"""What a server says unasked is held against what was declared, and against what is in flight."""

from __future__ import annotations

import pytest
from mcp_tck.conformance.protocol.unasked import Unasked
from mcp_tck.conformance.protocol.wire import judge
from mcp_tck.conformance.values import lift


def said(method: str, params: object = None, **members: object):
    body = {"jsonrpc": "2.0", "method": method, **members}
    if params is not None:
        body["params"] = params
    return judge(lift(body))


def opened(revision: str, capabilities: object) -> Unasked:
    unasked = Unasked(revision)
    unasked.sent(("number", 1), "initialize", lift({}))
    unasked.answered(("number", 1), "initialize", lift({"capabilities": capabilities}))
    return unasked


def broken(faults) -> list[str]:
    return [fault.requirement for fault in faults]


@pytest.mark.parametrize(
    ("capabilities", "method", "expected"),
    [
        ({}, "notifications/message", ["MCP-LOG-001"]),
        ({"logging": {}}, "notifications/message", []),
        ({"tools": {}}, "notifications/tools/list_changed", ["MCP-LIFE-016"]),
        ({"tools": {"listChanged": False}}, "notifications/tools/list_changed", ["MCP-LIFE-016"]),
        ({"tools": {"listChanged": True}}, "notifications/tools/list_changed", []),
        ({"resources": {"listChanged": True}}, "notifications/resources/updated", ["MCP-LIFE-016"]),
        ({"resources": {"subscribe": True}}, "notifications/resources/updated", []),
        ({}, "notifications/made-up", []),
    ],
)
def test_a_notification_needs_its_capability(capabilities, method, expected):
    assert broken(opened("2025-11-25", capabilities).notification(said(method))) == expected


def test_before_the_opening_is_answered_nothing_is_held_against_a_server():
    assert Unasked("2025-11-25").notification(said("notifications/message")) == []


def test_in_the_older_revisions_keeping_to_capabilities_is_another_requirement():
    assert broken(opened("2024-11-05", {}).notification(said("notifications/tools/list_changed"))) == ["MCP-LIFE-013"]
    assert broken(opened("2024-11-05", {}).request(said("roots/list", id=1))) == ["MCP-LIFE-013"]


def test_progress_belongs_to_the_token_of_an_unanswered_request():
    unasked = opened("2025-11-25", {})
    unasked.sent(("number", 2), "tools/call", lift({"_meta": {"progressToken": "t"}}))
    report = said("notifications/progress", {"progressToken": "t", "progress": 1})
    assert unasked.notification(report) == []
    assert broken(unasked.notification(report)) == ["MCP-PROG-003"]
    stranger = said("notifications/progress", {"progressToken": 7, "progress": 1})
    assert broken(unasked.notification(stranger)) == ["MCP-PROG-001"]
    unasked.answered(("number", 2), "tools/call", lift({}))
    late = said("notifications/progress", {"progressToken": "t", "progress": 9})
    assert broken(unasked.notification(late)) == ["MCP-PROG-004"]


@pytest.mark.parametrize(
    ("client", "method", "expected"),
    [
        ({}, "ping", []),
        ({}, "roots/list", ["MCP-LIFE-015"]),
        ({"roots": {}}, "roots/list", []),
        ({"roots": {}}, "tools/list", ["MCP-CLI-001"]),
    ],
)
def test_a_request_needs_the_capability_of_the_client(client, method, expected):
    unasked = opened("2025-11-25", {})
    unasked.client = lift(client)
    assert broken(unasked.request(said(method, id=1))) == expected


def test_an_id_is_used_once():
    unasked = opened("2025-11-25", {})
    assert unasked.request(said("ping", id="a")) == []
    assert broken(unasked.request(said("ping", id="a"))) == ["MCP-BASE-035"]


def test_the_stateless_era_knows_no_request_of_the_server_and_no_log_that_nobody_asked_for():
    unasked = Unasked("2026-07-28")
    unasked.sent(("number", 1), "server/discover", lift({}))
    unasked.answered(
        ("number", 1), "server/discover", lift({"capabilities": {"logging": {}, "tools": {"listChanged": True}}})
    )
    assert broken(unasked.request(said("ping", id=1))) == ["MCP-STDIO-010"]
    assert broken(unasked.notification(said("notifications/message"))) == ["MCP-LOG-006"]
    changed = said("notifications/tools/list_changed")
    assert broken(unasked.notification(changed)) == ["MCP-STDIO-011"]
    unasked.sent(("number", 2), "tools/call", lift({"_meta": {"io.modelcontextprotocol/logLevel": "debug"}}))
    assert unasked.notification(said("notifications/message")) == []
    unasked.sent(("number", 3), "subscriptions/listen", lift({}))
    assert unasked.notification(changed) == []
