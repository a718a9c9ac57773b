"""Lines in, lines out: the server without any stream."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_tck.reference.messages import RpcError
from mcp_tck.reference.protocol import HANDSHAKE_REVISIONS, Server, ToolError, ToolResult, ToolSpec, respond

SCHEMA = {"type": "object", "x-unknown": [0.5, {"deep": None}]}


@pytest.fixture
def server():
    server = Server("name", "1.2", "Read me.")
    for name in ("one", "two", "three"):
        register(server, name, name.upper())
    return server


def register(server, name, reply, *, ok=True):
    server.register_tool(ToolSpec(name, f"about {name}", SCHEMA), lambda _args: ToolResult(ok, reply))


def ask(server, method, params=None, id_=1):
    message = {"jsonrpc": "2.0", "id": id_, "method": method}
    return json.loads(server.handle_line(json.dumps(message if params is None else message | {"params": params})))


def call(server, name, arguments=None):
    return ask(server, "tools/call", {"name": name} | ({} if arguments is None else {"arguments": arguments}))


def opening(revision="2025-11-25"):
    return {"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "k", "version": "0"}}


@pytest.mark.parametrize("revision", HANDSHAKE_REVISIONS)
def test_a_revision_that_is_spoken_is_agreed_on(server, revision):
    assert ask(server, "initialize", opening(revision))["result"] == {
        "protocolVersion": revision,
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "name", "version": "1.2"},
        "instructions": "Read me.",
    }


@pytest.mark.parametrize("revision", ["2026-07-28", "1.0", "", "2025-11-25 "])
def test_any_other_revision_is_countered_with_the_newest(server, revision):
    assert ask(server, "initialize", opening(revision))["result"]["protocolVersion"] == "2025-11-25"


def test_empty_instructions_are_left_out():
    assert "instructions" not in ask(Server("n", "v"), "initialize", opening())["result"]


@pytest.mark.parametrize(
    "change",
    [
        *[{member: None} for member in ("protocolVersion", "capabilities", "clientInfo")],
        *[{"protocolVersion": 1}, {"capabilities": []}, {"clientInfo": "k"}],
        *[{"clientInfo": {"name": "k"}}, {"clientInfo": {"name": "k", "version": 1}}],
    ],
)
def test_an_opening_that_lacks_something_is_refused(server, change):
    assert ask(server, "initialize", opening() | change)["error"]["code"] == -32602
    assert server.revision is None


@pytest.mark.parametrize(
    "id_", ["1", "-7", "9007199254740993", "1.5", "1E+2", "1E-400", '""', '"1"', '"\\u00e9"', "9" * 5000]
)
def test_an_id_goes_back_as_it_came(server, id_):
    assert (
        server.handle_line(f'{{"jsonrpc":"2.0","id":{id_},"method":"ping"}}')
        == f'{{"jsonrpc":"2.0","id":{id_},"result":{{}}}}'
    )
    assert f'"id":{id_},"error"' in server.handle_line(f'{{"jsonrpc":"2.0","id":{id_},"method":"none"}}')


@pytest.mark.parametrize(
    ("line", "code", "id_"),
    [
        *[
            (line, -32700, None)
            for line in ("{", "nonsense", '{"jsonrpc":"2.0","id":1,"method":', "NaN", "\ufeff{}", "'a'", "{}{}")
        ],
        *[(line, -32700, None) for line in ('{"jsonrpc":"2.0","id":NaN,"method":"ping"}', '"a\tb"', "\x00", "\udc80")],
        *[(line, -32700, None) for line in ("[" * 100_000, '{"a":' * 100_000, '{"id":1e99999999999999999999}')],
        *[
            (line, -32600, None)
            for line in ("1", '"ping"', "null", "true", "[]", "[1]", "{}", '{"jsonrpc":"2.0"}', '{"method":1}')
        ],
        *[(f'{{"jsonrpc":"2.0","id":{id_},"method":"ping"}}', -32600, None) for id_ in ("null", "true", "[]", "{}")],
        ('{"jsonrpc":"2.0","id":7}', -32600, 7),
        ('{"jsonrpc":"2.0","id":"x","method":null}', -32600, "x"),
        ('{"id":7,"method":"ping"}', -32600, 7),
        ('{"jsonrpc":2.0,"id":7,"method":"ping"}', -32600, 7),
        ('{"jsonrpc":"2.0","id":7,"method":"ping","params":null}', -32602, 7),
        ('{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}', -32602, 7),
        ('{"jsonrpc":"2.0","id":7,"method":"none"}', -32601, 7),
        ('{"jsonrpc":"2.0","id":7,"method":"notifications/initialized"}', -32601, 7),
    ],
)
def test_what_is_no_request_is_answered_with_why(server, line, code, id_):
    answer = json.loads(server.handle_line(line))
    assert (answer["error"]["code"], answer["id"]) == (code, id_)
    assert answer["error"]["message"]
    assert ask(server, "ping")["result"] == {}


@pytest.mark.parametrize(
    "line",
    [
        *["", " ", "\t\r", "\n"],
        *['{"jsonrpc":"2.0","method":"notifications/initialized"}', '{"jsonrpc":"2.0","method":"made/up","params":[]}'],
        *['{"jsonrpc":"2.0","method":"tools/call","params":{"name":"one"}}', '{"method":"ping"}'],
        *['{"jsonrpc":"2.0","id":1,"result":{}}', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}'],
    ],
)
def test_blank_lines_notifications_and_responses_are_not_answered(server, line):
    assert server.handle_line(line) is None


def test_white_space_escapes_and_order_of_members_do_not_matter(server):
    assert (
        json.loads(server.handle_line(' { "method" : "p\\u0069ng" ,\t"id":1, "jsonrpc" : "2.0" } \r'))["result"] == {}
    )


def test_a_batch_is_answered_as_a_batch_where_its_revision_was_agreed_on(server):
    ping, note = {"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "method": "x"}
    assert json.loads(server.handle_line(json.dumps([ping])))["error"]["code"] == -32600
    ask(server, "initialize", opening("2025-03-26"))
    answers = json.loads(server.handle_line(json.dumps([ping, note, 1])))
    assert [answer.get("result", answer.get("error", {}).get("code")) for answer in answers] == [{}, -32600]
    assert server.handle_line(json.dumps([note])) is None
    assert json.loads(server.handle_line("[]"))["error"]["code"] == -32600


def test_the_list_is_as_registered(server):
    names = ("one", "two", "three")
    listed = [{"name": name, "description": f"about {name}", "inputSchema": SCHEMA} for name in names]
    assert ask(server, "tools/list")["result"] == {"tools": listed}
    assert [spec.name for spec in server.tools] == [*names]


@pytest.mark.parametrize("cursor", ["x", "", None, 1])
def test_a_cursor_that_was_never_given_out_is_refused(server, cursor):
    assert ask(server, "tools/list", {"cursor": cursor})["error"]["code"] == -32602


@pytest.mark.parametrize("name", ["one", "two", "three"])
def test_a_name_registered_again_keeps_its_place_and_gets_the_new_handler(server, name):
    for reply in ("second", "third"):
        register(server, name, reply)
        assert [spec.name for spec in server.tools] == ["one", "two", "three"]
        assert call(server, name)["result"]["content"] == [{"type": "text", "text": reply}]


def test_a_failing_tool_is_a_result_that_says_so(server):
    register(server, "bad", "no\nluck\u2028here", ok=False)
    line = server.handle_line('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bad"}}')
    assert len(line.splitlines()) == 1
    assert json.loads(line)["result"] == {"content": [{"type": "text", "text": "no\nluck\u2028here"}], "isError": True}


@pytest.mark.parametrize(
    ("raised", "text"), [(ToolError("plain words"), "plain words"), (KeyError("secret"), "**t** failed: KeyError")]
)
def test_a_handler_that_raises_is_a_short_text(server, raised, text):
    def handler(_args):
        raise raised

    server.register_tool(ToolSpec("t", "", {}), handler)
    assert call(server, "t")["result"] == {"content": [{"type": "text", "text": text}], "isError": True}


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"name": 1},
        {"name": None},
        {"name": "nobody"},
        *[{"name": "one", "arguments": bad} for bad in ([], None, "x", 1)],
    ],
)
def test_a_call_that_names_no_tool_or_brings_no_object_is_refused(server, params):
    assert ask(server, "tools/call", params)["error"]["code"] == -32602


def test_the_hook_runs_before_each_dispatched_call_and_for_nothing_else(server):
    log = []
    server.register_tool(ToolSpec("log", "", {}), lambda _args: log.append("ran") or ToolResult(False, ""))
    server.set_before_tool_call(lambda name: log.append(f"first {name}"))
    call(server, "log")
    call(server, "nobody")
    ask(server, "tools/list")
    ask(server, "tools/call", {"name": "log", "arguments": []})
    assert log == ["first log", "ran"]
    server.set_before_tool_call(lambda name: log.append(f"second {name}"))
    call(server, "one")
    server.set_before_tool_call(None)
    call(server, "one")
    assert log == ["first log", "ran", "second one"]


def test_a_hook_that_fails_keeps_the_tool_from_running(server):
    def hook(_name):
        raise ToolError("stale")

    server.set_before_tool_call(hook)
    assert call(server, "one")["result"] == {"content": [{"type": "text", "text": "stale"}], "isError": True}


def test_a_method_can_be_added_and_refuse_or_fail(server):
    def refuse(_params):
        raise RpcError(-1, "no", {"why": 1})

    server.register_method("x/echo", lambda params: params)
    server.register_method("x/refuse", refuse)
    server.register_method("x/break", lambda params: params["missing"])
    assert ask(server, "x/echo", {"a": [1.5]})["result"] == {"a": [1.5]}
    assert ask(server, "x/refuse")["error"] == {"code": -1, "message": "no", "data": {"why": 1}}
    assert ask(server, "x/break")["error"] == {"code": -32603, "message": "Internal error: KeyError"}


def test_the_outbox_leaves_before_the_answer(server):
    handler = respond(server)
    server.notify("notifications/x", {"a": 1})
    first, second = handler('{"jsonrpc":"2.0","id":1,"method":"ping"}')
    assert json.loads(first) == {"jsonrpc": "2.0", "method": "notifications/x", "params": {"a": 1}}
    assert json.loads(second)["id"] == 1
    assert handler("") == []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
)
messages = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | json_values,
        "id": st.integers() | st.text() | json_values,
        "method": st.sampled_from(["ping", "tools/list", "tools/call", "initialize", "x"]) | json_values,
        "params": st.fixed_dictionaries({}, optional={"name": st.just("one"), "arguments": json_values}) | json_values,
    },
)
lines = st.text() | st.one_of(messages, st.lists(messages, max_size=3), json_values).map(json.dumps)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(lines=st.lists(lines, max_size=4))
def test_no_line_raises_and_every_answer_is_one_line(lines):
    server = Server("name", "1.2")
    register(server, "one", "\r\n\u0085\ud800")
    for line in lines:
        answer = server.handle_line(line)
        if answer is not None:
            assert len(answer.splitlines()) == 1
            assert answer.isascii()
            json.loads(answer)
    assert ask(server, "ping")["result"] == {}
