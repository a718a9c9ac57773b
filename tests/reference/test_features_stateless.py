"""The stateless era: every request stands for itself, and nothing of a session is left."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_tck.reference.build import build
from mcp_tck.reference.features.eras import ERAS
from mcp_tck.reference.protocol import respond

P = "io.modelcontextprotocol/"
META = {f"{P}protocolVersion": "2026-07-28", f"{P}clientCapabilities": {}}
OPENING = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "k", "version": "1"}}


class Peer:
    """Asks without a session."""

    def __init__(self, era="dual"):
        self.lines = respond(build(probe=True, features=True, era=era))
        self.told = []

    def send(self, method, params=None, *, id_=1, meta=META):
        params = (params or {}) | ({} if meta is None else {"_meta": meta})
        message = {"jsonrpc": "2.0", "method": method, "params": params} | ({} if id_ is None else {"id": id_})
        came = [json.loads(line) for line in self.lines(json.dumps(message))]
        self.told += [each for each in came if "method" in each]
        return [each for each in came if "method" not in each]

    def ask(self, method, params=None, **more):
        (reply,) = self.send(method, params, **more)
        return reply

    def call(self, name, arguments, extra=None, **meta):
        params = {"name": name, "arguments": arguments} | (extra or {})
        return self.ask("tools/call", params, meta=META | {P + key: value for key, value in meta.items()})

    def code(self, method, params=None, **more):
        return self.ask(method, params, **more)["error"]["code"]


@pytest.mark.parametrize(
    ("meta", "code"),
    [
        ({f"{P}protocolVersion": "2026-07-28"}, -32602),
        ({f"{P}clientCapabilities": {}}, -32602),
        (META | {f"{P}protocolVersion": 1}, -32602),
        (META | {f"{P}protocolVersion": "1900-01-01"}, -32022),
        (META | {f"{P}protocolVersion": "2025-11-25"}, -32022),
        (META | {f"{P}clientCapabilities": []}, -32602),
        (META | {f"{P}clientInfo": "kit"}, -32602),
        (META | {f"{P}clientInfo": {"version": "1"}}, -32602),
        (META | {f"{P}logLevel": "verbose"}, -32602),
        (META | {f"{P}logLevel": []}, -32602),
    ],
)
def test_bad_metadata_is_refused_and_does_no_harm(meta, code):
    peer = Peer()
    assert peer.code("server/discover", meta=meta) == code
    assert "result" in peer.ask("server/discover")


def test_a_refused_version_is_told_with_what_is_spoken():
    error = Peer().ask("tools/list", meta=META | {f"{P}protocolVersion": "x"})["error"]
    assert error["data"] == {"supported": ["2026-07-28"], "requested": "x"}


@pytest.mark.parametrize(
    "method", ["server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list"]
)
def test_a_result_says_its_type_its_speaker_and_how_long_it_keeps(method):
    result = Peer().ask(method)["result"]
    assert (result["resultType"], result["ttlMs"], result["cacheScope"]) == ("complete", 0, "private")
    assert result["_meta"][f"{P}serverInfo"]["name"] == "mcp-tck-reference"


def test_a_call_says_nothing_of_keeping():
    result = Peer().call("list_documents", {})["result"]
    assert result["resultType"] == "complete"
    assert "ttlMs" not in result


def test_a_session_has_nothing_of_this_era_in_its_results():
    peer = Peer()
    peer.ask("initialize", OPENING, meta=None)
    assert set(peer.ask("tools/list", meta=None)["result"]) == {"tools"}


@pytest.mark.parametrize(
    "method", ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "tasks/get"]
)
def test_what_is_gone_is_an_unknown_method(method):
    assert Peer().code(method, OPENING | {"level": "info", "uri": "story://documents"}) == -32601


def test_no_tool_of_this_era_changes_a_list():
    peer = Peer()
    for name in ("tck_register", "tck_change"):
        assert peer.call(name, {"list": "prompts", "name": "x", "reply": "y"})["error"]["code"] == -32602


def test_the_tools_come_on_several_pages():
    peer = Peer()
    first = peer.ask("tools/list")["result"]
    second = peer.ask("tools/list", {"cursor": first["nextCursor"]})["result"]
    assert len(first["tools"]) == 12
    assert second["tools"]
    assert not {tool["name"] for tool in first["tools"]} & {tool["name"] for tool in second["tools"]}


def test_a_missing_resource_has_the_code_of_this_era():
    assert Peer().code("resources/read", {"uri": "story://none"}) == -32602


# which era a bare line belongs to


def test_a_bare_first_line_is_of_the_handshake_era():
    peer = Peer()
    assert peer.ask("ping", meta=None)["result"] == {}
    assert peer.code("server/discover", meta=None) == -32601


def test_a_bare_line_after_one_with_metadata_is_refused():
    peer = Peer()
    peer.ask("tools/list")
    assert peer.code("tools/list", meta=None) == -32602


def test_both_eras_are_served_in_one_process():
    peer = Peer()
    assert "resultType" in peer.ask("tools/list")["result"]
    assert peer.ask("initialize", OPENING, meta=None)["result"]["protocolVersion"] == "2025-11-25"
    assert peer.ask("ping", meta=None)["result"] == {}
    assert "resultType" in peer.ask("tools/list")["result"]


def test_a_server_pinned_to_the_handshake_knows_no_discovery():
    peer = Peer("handshake")
    assert peer.code("server/discover") == -32601
    assert "resultType" not in peer.ask("tools/list")["result"]


def test_a_server_pinned_to_this_era_refuses_a_handshake_and_tells_its_version():
    peer = Peer("stateless")
    error = peer.ask("initialize", OPENING, meta=None)["error"]
    assert error["data"] == {"supported": ["2026-07-28"], "requested": "2025-11-25"}
    assert peer.code("tools/list", meta=None) == -32602
    assert peer.code("ping", meta=None) == -32602


# logs, subscriptions, questions


def test_a_log_message_is_sent_to_whom_asked_for_its_level():
    peer = Peer()
    peer.call("tck_log", {"level": "emergency", "data": 1})
    peer.call("tck_log", {"level": "info", "data": 2}, logLevel="error")
    peer.call("tck_log", {"level": "error", "data": 3}, logLevel="error")
    assert [each["params"]["data"] for each in peer.told] == [3]


@pytest.mark.parametrize("id_", [5, "5", "", -1])
def test_a_subscription_is_acknowledged_told_of_changes_and_ended_by_a_cancel(id_):
    peer = Peer()
    uri = "story://documents/Notes"
    asked = {"toolsListChanged": True, "resourceSubscriptions": [uri, "story://none"]}
    assert peer.send("subscriptions/listen", {"notifications": asked}, id_=id_) == []
    peer.call("update_document", {"document": "Notes", "text": "New."})
    acknowledged, updated = (each["params"] for each in peer.told)
    assert acknowledged == {"_meta": {f"{P}subscriptionId": id_}, "notifications": {"resourceSubscriptions": [uri]}}
    assert updated == {"_meta": {f"{P}subscriptionId": id_}, "uri": uri}
    assert peer.send("notifications/cancelled", {"requestId": id_}, id_=None, meta=None) == []
    peer.call("undo_last", {})
    assert len(peer.told) == 2


@pytest.mark.parametrize("asked", [None, [], "all", {"resourceSubscriptions": "x"}, {"resourceSubscriptions": [1]}])
def test_a_subscription_needs_a_filter(asked):
    assert Peer().code("subscriptions/listen", {} if asked is None else {"notifications": asked}) == -32602


def test_a_question_is_a_result_and_its_answer_completes_the_call_in_any_process():
    declared = {"elicitation": {}}
    asked = Peer().call("tck_ask", {"want": "elicitation"}, clientCapabilities=declared)["result"]
    assert asked["resultType"] == "input_required"
    assert asked["inputRequests"]["asked"]["method"] == "elicitation/create"
    again = {"inputResponses": {"asked": {"action": "decline"}}, "requestState": asked["requestState"]}
    done = Peer().call("tck_ask", {"want": "elicitation"}, again, clientCapabilities=declared)["result"]
    assert done["resultType"] == "complete"
    assert json.loads(done["content"][0]["text"]) == {"result": {"action": "decline"}}


@pytest.mark.parametrize(
    "again",
    [
        {"inputResponses": []},
        {"inputResponses": {"asked": 7}},
        {"inputResponses": {"asked": {}}},
        {"inputResponses": {"asked": {}}, "requestState": "forged"},
    ],
)
def test_answers_that_cannot_be_are_refused(again):
    reply = Peer().call("tck_ask", {"want": "roots"}, again, clientCapabilities={"roots": {}})
    assert reply["error"]["code"] == -32602


@pytest.mark.parametrize(
    ("want", "needed"),
    [
        ("roots", {"roots": {}}),
        ("sampling-tools", {"sampling": {"tools": {}}}),
        ("elicitation-url", {"elicitation": {"url": {}}}),
    ],
)
def test_a_lacking_capability_is_named(want, needed):
    error = Peer().call("tck_ask", {"want": want})["error"]
    assert (error["code"], error["data"]) == (-32021, {"requiredCapabilities": needed})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
METHODS = [
    *("initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/read", "resources/subscribe"),
    *("prompts/list", "prompts/get", "completion/complete", "logging/setLevel", "server/discover", "tasks/list"),
    *("subscriptions/listen", "notifications/cancelled"),
]
MEMBERS = ["name", "uri", "cursor", "ref", "argument", "level", "notifications", "arguments", "requestId", "taskId"]
NAMES = ["tck_hold", "tck_ask", "tck_log", "tck_progress", "get_started", "list_documents"]


@settings(max_examples=300, deadline=None)
@given(st.data(), st.sampled_from(ERAS))
def test_no_request_makes_the_server_fail_and_none_has_two_answers(data, era):
    peer = Peer(era)
    for id_ in range(3):
        method = data.draw(st.sampled_from(METHODS))
        params = data.draw(st.dictionaries(st.sampled_from(MEMBERS), JSON | st.sampled_from(NAMES), max_size=4))
        meta = data.draw(st.none() | st.just(META) | JSON)
        replies = peer.send(method, params, id_=id_, meta=meta)
        assert [reply["id"] for reply in replies] in ([id_], [])
        assert all(reply.get("error", {}).get("code") != -32603 for reply in replies)
