"""A session with the full server: lists by pages, what is read and got, what is told, calls that stay open."""

import json

import jsonschema
import pytest
from mcp_tck.reference.build import build
from mcp_tck.reference.features.structured import SCHEMAS
from mcp_tck.reference.protocol import HANDSHAKE_REVISIONS, respond

LISTS = [
    ("tools/list", "tools", "name"),
    ("prompts/list", "prompts", "name"),
    ("resources/list", "resources", "uri"),
    ("resources/templates/list", "resourceTemplates", "uriTemplate"),
]


class Client:
    """Writes lines and keeps what came: replies by id, and everything else in order."""

    def __init__(self, revision="2025-11-25", capabilities=None, **options):
        self.server = build(probe=True, features=True, **options)
        self.lines = respond(self.server)
        self.told = []
        self.replies = {}
        self.count = 0
        if revision:
            opening = {"protocolVersion": revision, "capabilities": capabilities or {}}
            self.opened = self.ask("initialize", opening | {"clientInfo": {"name": "k", "version": "1"}})

    def send(self, message):
        for line in self.lines(json.dumps({"jsonrpc": "2.0"} | message)):
            came = json.loads(line)
            if "method" in came:
                self.told.append(came)
            else:
                assert came["id"] not in self.replies
                self.replies[came["id"]] = came

    def begin(self, method, params=None, id_=None):
        self.count += 1
        id_ = f"r{self.count}" if id_ is None else id_
        self.send({"id": id_, "method": method} | ({} if params is None else {"params": params}))
        return id_

    def ask(self, method, params=None):
        return self.replies.pop(self.begin(method, params))

    def call(self, name, /, meta=None, **arguments):
        params = {"name": name, "arguments": arguments} | ({"_meta": meta} if meta else {})
        return self.ask("tools/call", params)["result"]

    def methods(self):
        return [each["method"] for each in self.told]


@pytest.mark.parametrize(("method", "member", "key"), LISTS)
def test_the_pages_of_a_list_end_and_hold_each_entry_once(method, member, key):
    client = Client()
    client.server.pages.sizes["tools"] = 7
    seen, params = [], {}
    for _ in range(20):
        page = client.ask(method, params)["result"]
        seen += [each[key] for each in page[member]]
        if "nextCursor" not in page:
            break
        params = {"cursor": page["nextCursor"]}
    else:
        pytest.fail("no end")
    assert len(seen) == len(set(seen)) > 1
    assert params, "one page only"


@pytest.mark.parametrize("cursor", ["", "no", None, 1, ["x"], "dG9vbHMgNQ==", "cHJvbXB0cyAw"])
@pytest.mark.parametrize(("method", "member", "key"), LISTS)
def test_a_cursor_that_was_not_handed_out_is_refused(method, member, key, cursor):
    assert Client().ask(method, {"cursor": cursor})["error"]["code"] == -32602


def test_a_cursor_of_one_list_is_none_of_another():
    client = Client()
    cursor = client.ask("prompts/list")["result"]["nextCursor"]
    assert "error" in client.ask("resources/list", {"cursor": cursor})


@pytest.mark.parametrize("revision", HANDSHAKE_REVISIONS)
def test_a_session_has_what_its_revision_knows(revision):
    capabilities = Client(revision).opened["result"]["capabilities"]
    assert ("completions" in capabilities) == (revision > "2024-11-05")
    assert ("tasks" in capabilities) == (revision == "2025-11-25")
    assert {"tools", "resources", "prompts", "logging"} <= set(capabilities)


@pytest.mark.parametrize("revision", HANDSHAKE_REVISIONS)
def test_structured_results_fit_their_schemas_and_repeat_their_text(revision):
    client = Client(revision)
    listed = {tool["name"]: tool.get("outputSchema") for tool in client.ask("tools/list")["result"]["tools"]}
    calls = {
        "list_documents": {},
        "read_document": {"document": "Notes"},
        "search_documents": {"query": "mira"},
        "read_entity": {"entity": "Mira"},
        "read_map": {"map": "Harbor"},
        "generate_name": {},
    }
    assert set(calls) == set(SCHEMAS)
    for name, arguments in calls.items():
        result = client.call(name, **arguments)
        if revision < "2025-06-18":
            assert listed[name] is None
            assert "structuredContent" not in result
        else:
            jsonschema.validate(result["structuredContent"], listed[name])
            assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert "structuredContent" not in client.call("read_document", document="None")


@pytest.mark.parametrize(
    ("uri", "holds"),
    [
        ("file:///story/guide.md", "text"),
        ("story://cover.png", "blob"),
        ("story://documents", "text"),
        ("story://documents/Chapter%20One", "text"),
        ("story://entities/Mira", "text"),
    ],
)
def test_a_resource_is_read_as_text_or_as_bytes(uri, holds):
    (content,) = Client().ask("resources/read", {"uri": uri})["result"]["contents"]
    assert content["uri"] == uri
    assert holds in content


def test_a_resource_that_is_not_there_is_refused_with_its_uri():
    error = Client().ask("resources/read", {"uri": "file:///story/../../etc/passwd"})["error"]
    assert (error["code"], error["data"]) == (-32002, {"uri": "file:///story/../../etc/passwd"})


def test_a_subscriber_is_told_of_each_change_and_of_nothing_else():
    client = Client()
    uri = "story://documents/Notes"
    assert client.ask("resources/subscribe", {"uri": uri})["result"] == {}
    client.call("update_document", document="2024", text="Another one.")
    client.call("read_document", document="Notes")
    assert client.told == []
    client.call("update_document", document="Notes", text="Changed.")
    client.call("read_document", document="Notes")
    assert [each["params"] for each in client.told] == [{"uri": uri}]
    assert client.ask("resources/unsubscribe", {"uri": uri})["result"] == {}
    client.call("undo_last")
    assert len(client.told) == 1


@pytest.mark.parametrize("name", ["resources", "prompts"])
def test_a_change_of_a_list_is_told_and_listed(name):
    client = Client()
    client.call("tck_change", list=name)
    assert client.methods() == [f"notifications/{name}/list_changed"]
    part = getattr(client.server, name)
    assert part.listed[-1]["name"].startswith("added")


def test_a_tool_that_is_registered_in_a_session_is_told():
    client = Client()
    client.call("tck_register", name="later", reply="x")
    assert client.methods() == ["notifications/tools/list_changed"]


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"name": 5},
        {"name": "none"},
        {"name": "continue_document"},
        {"name": "continue_document", "arguments": {"document": 5}},
        {"name": "continue_document", "arguments": {"document": "none"}},
        {"name": "get_started", "arguments": []},
    ],
)
def test_a_prompt_that_cannot_be_made_is_refused(params):
    assert Client().ask("prompts/get", params)["error"]["code"] == -32602


@pytest.mark.parametrize(
    ("params", "types"),
    [
        ({"name": "get_started"}, ["text", "resource"]),
        ({"name": "continue_document", "arguments": {"document": "Chapter One", "tone": "dark"}}, ["text", "resource"]),
        ({"name": "describe_cover", "arguments": {}}, ["text", "image"]),
    ],
)
def test_a_prompt_is_messages_of_one_block_each(params, types):
    messages = Client().ask("prompts/get", params)["result"]["messages"]
    assert [message["content"]["type"] for message in messages] == types


@pytest.mark.parametrize(
    ("ref", "argument", "values"),
    [
        ({"type": "ref/prompt", "name": "continue_document"}, ("tone", ""), ["calm", "dark", "funny", "tense"]),
        ({"type": "ref/prompt", "name": "continue_document"}, ("document", "CHAP"), ["Chapter One"]),
        ({"type": "ref/prompt", "name": "continue_document"}, ("entity", ""), []),
        ({"type": "ref/resource", "uri": "story://entities/{entity}"}, ("entity", "m"), ["Mira"]),
        ({"type": "ref/resource", "uri": "story://entities/{entity}"}, ("document", ""), []),
    ],
)
def test_suggestions_begin_with_what_was_given(ref, argument, values):
    given = {"ref": ref, "argument": {"name": argument[0], "value": argument[1]}}
    completion = Client().ask("completion/complete", given)["result"]["completion"]
    assert completion == {"values": values, "total": len(values), "hasMore": False}


def test_more_than_a_hundred_suggestions_are_cut():
    client = Client()
    client.server.project.state["documents"] = [{"name": f"d{n}", "text": ""} for n in range(150)]
    ref = {"type": "ref/prompt", "name": "continue_document"}
    argument = {"name": "document", "value": ""}
    completion = client.ask("completion/complete", {"ref": ref, "argument": argument})["result"]["completion"]
    assert (len(completion["values"]), completion["total"], completion["hasMore"]) == (100, 150, True)


def test_messages_below_the_level_of_the_session_are_not_sent():
    client = Client()
    client.call("tck_log", level="debug", data=1)
    client.call("tck_log", level="info", data=2)
    client.ask("logging/setLevel", {"level": "error"})
    client.call("tck_log", level="warning", data=3)
    client.call("tck_log", level="error", data={"n": 4})
    assert [each["params"]["data"] for each in client.told] == [2, {"n": 4}]


@pytest.mark.parametrize("token", ["t", "", 0, 7, "7"])
def test_progress_is_told_under_the_token_as_it_came(token):
    client = Client()
    client.call("tck_progress", meta={"progressToken": token}, steps=3)
    told = [(each["params"]["progressToken"], each["params"]["progress"]) for each in client.told]
    assert told == [(token, 1), (token, 2), (token, 3)]
    assert all(type(each[0]) is type(token) for each in told)


def test_no_progress_is_told_without_a_token():
    client = Client()
    client.call("tck_progress", steps=3)
    assert client.told == []


def test_a_held_call_is_answered_when_it_is_released_and_blocks_nobody():
    client = Client()
    client.begin("tools/call", {"name": "tck_hold", "arguments": {"label": "a"}}, id_=7)
    assert client.ask("ping")["result"] == {}
    assert 7 not in client.replies
    client.call("tck_release", label="a")
    assert client.replies[7]["result"]["isError"] is False
    assert json.loads(client.call("tck_release", label="a")["content"][0]["text"]) == {"released": False}


@pytest.mark.parametrize(("cancelled", "answered"), [(7, False), ("7", True), (7.0, True), (True, True), (None, True)])
def test_a_cancel_ends_the_call_with_that_very_id(cancelled, answered):
    client = Client()
    client.begin("tools/call", {"name": "tck_hold", "arguments": {"label": "a"}}, id_=7)
    client.send({"method": "notifications/cancelled", "params": {"requestId": cancelled}})
    client.call("tck_release", label="a")
    assert (7 in client.replies) == answered


EVERYTHING = {"roots": {}, "sampling": {"tools": {}}, "elicitation": {"form": {}, "url": {}}}
WANTS = ["roots", "sampling", "sampling-tools", "elicitation", "elicitation-url"]


@pytest.mark.parametrize("outcome", [{"result": {"action": "accept"}}, {"error": {"code": -1, "message": "no"}}])
@pytest.mark.parametrize("want", WANTS)
def test_a_call_that_asks_its_client_answers_with_what_came_back(want, outcome):
    client = Client(capabilities=EVERYTHING)
    id_ = client.begin("tools/call", {"name": "tck_ask", "arguments": {"want": want}})
    (request,) = client.told
    client.send({"id": request["id"], **outcome})
    client.send({"id": request["id"], **outcome})
    assert json.loads(client.replies[id_]["result"]["content"][0]["text"]) == outcome


def test_the_answer_to_a_cancelled_question_is_let_be():
    client = Client(capabilities=EVERYTHING)
    id_ = client.begin("tools/call", {"name": "tck_ask", "arguments": {"want": "roots"}})
    client.send({"method": "notifications/cancelled", "params": {"requestId": id_}})
    client.send({"id": client.told[0]["id"], "result": {}})
    assert id_ not in client.replies


@pytest.mark.parametrize(
    ("declared", "may"),
    [
        ({}, set()),
        ({"elicitation": {}}, {"elicitation"}),
        ({"elicitation": {"form": {}}}, {"elicitation"}),
        ({"elicitation": {"url": {}}}, {"elicitation-url"}),
        ({"sampling": {}}, {"sampling"}),
        ({"sampling": {"tools": {}}, "roots": {}}, {"sampling", "sampling-tools", "roots"}),
        ({"sampling": None, "roots": True}, set()),
    ],
)
def test_nobody_is_asked_for_what_was_not_declared(declared, may):
    for want in WANTS:
        client = Client(capabilities=declared)
        id_ = client.begin("tools/call", {"name": "tck_ask", "arguments": {"want": want}})
        assert bool(client.told) == (want in may)
        assert (id_ in client.replies) == (want not in may)


def test_an_older_session_is_not_asked_for_what_came_later():
    for want, since in {"elicitation": "2025-06-18", "elicitation-url": "2025-11-25"}.items():
        for revision in HANDSHAKE_REVISIONS:
            client = Client(revision, EVERYTHING)
            client.begin("tools/call", {"name": "tck_ask", "arguments": {"want": want}})
            assert bool(client.told) == (revision >= since)


@pytest.mark.parametrize("method", ["tasks/get", "tasks/result", "tasks/cancel"])
def test_every_task_is_an_unknown_one(method):
    assert Client().ask(method, {"taskId": "x"})["error"]["code"] == -32602
    assert Client("2025-06-18").ask(method, {"taskId": "x"})["error"]["code"] == -32601


def test_read_only_mode_keeps_the_wire_probes_and_hides_what_writes():
    client = Client(read_only=True)
    names = {tool["name"] for tool in client.ask("tools/list")["result"]["tools"]}
    assert {"tck_hold", "tck_ask", "list_documents"} <= names
    assert "update_document" not in names


def test_without_features_nothing_of_it_is_there():
    server = build(probe=True)
    answer = json.loads(server.handle_line('{"jsonrpc":"2.0","id":1,"method":"resources/list"}'))
    assert answer["error"]["code"] == -32601
    assert server.capabilities == {"tools": {}}
