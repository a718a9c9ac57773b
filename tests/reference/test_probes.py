"""The probes show what is there, through the parts that the server's own tools use."""

import pytest

PROBES = [
    "tck_read",
    "tck_register",
    "tck_hook",
    "tck_agent",
    "tck_profile",
    "tck_fail",
    "tck_other_writer",
    "tck_reset",
]


def test_probes_come_last_and_only_when_asked_for(client, client_of):
    own = client_of().tools()
    assert client.tools() == [*own, *PROBES]
    assert not {*own} & {*PROBES}


@pytest.mark.parametrize(
    ("reader", "args", "contains", "value"),
    [
        ("bool", {"v": "Yes"}, True, True),
        ("bool", {"v": "maybe"}, True, None),
        ("bool", {}, False, None),
        ("int", {"v": 3.0}, True, 3),
        ("string", {"v": 2024}, True, "2024"),
        ("string_set", {"v": ["b", "a", " a "]}, True, ["a", "b"]),
        ("string_value", {"v": " \ud800"}, True, " \ud800"),
    ],
)
def test_a_reading_is_shown(client, reader, args, contains, value):
    assert client.read("tck_read", reader=reader, args=args, key="v") == {"contains": contains, "value": value}


def test_a_reader_that_is_not_there_is_said_to_be_none(client):
    assert client.call("tck_read", reader="float", args={}, key="v") == (False, "no such reader")


def test_a_reader_that_was_replaced_counts_for_probes_and_tools(client):
    client.server.readers.bool_arg = lambda _args, _key: False
    assert client.read("tck_read", reader="bool", args={"v": True}, key="v")["value"] is False
    client.call("find_replace", find="harbor", replace="bay", dry_run=True)
    assert "bay" in client.read("read_document", document="Chapter One")["text"]


def test_a_registered_tool_is_listed_with_its_schema_and_answers(client):
    schema = {"type": "object", "x-half": 0.5, "x-big": 10**30, "x-fraction": 1.25e-7}
    assert client.read("tck_register", name="new", reply="hi\n", description="d", schema=schema) == {
        "registered": "new"
    }
    entry = client.ask("tools/list").result["tools"][-1]
    assert entry == {"name": "new", "description": "d", "inputSchema": schema}
    assert client.call("new", anything=1) == (True, "hi\n")
    client.read("tck_register", name="list_documents", reply="mine")
    assert client.tools()[0] == "list_documents"
    assert client.call("list_documents") == (True, "mine")


def test_a_schema_that_could_not_be_listed_unchanged_is_refused(client):
    line = (
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tck_register","arguments":'
        '{"name":"n","reply":"r","schema":{"maximum":1e400}}}}'
    )
    assert '"isError":true' in client.server.handle_line(line)
    assert "n" not in client.tools()


def test_the_hook_log_shows_the_hook_at_work(client):
    assert client.read("tck_hook", action="log") == {"log": []}
    assert client.read("tck_hook", action="set", label="a") == {"log": []}
    client.call("generate_name")
    client.call("tck_fail", text="x")
    assert client.read("tck_hook", action="set", label="b") == {"log": ["a:generate_name", "a:tck_fail", "a:tck_hook"]}
    assert client.read("tck_hook", action="clear")["log"][3:] == ["b:tck_hook"]
    assert len(client.read("tck_hook", action="log")["log"]) == 4


@pytest.mark.parametrize("allow_writes", [True, False])
def test_the_bridge_is_shown(client, allow_writes):
    shown = client.read("tck_agent", allow_writes=allow_writes)
    assert ("find_replace" in [tool["name"] for tool in shown["tools"]]) is allow_writes
    assert shown["read_only_names"] == sorted(client.server.bridge.read_only_names())
    assert shown["prompt"] == client.server.bridge.system_prompt(allow_writes)
    assert all(tool.keys() == {"name", "description", "parameters"} for tool in shown["tools"])


def test_profile_and_failure(client):
    assert client.read("tck_profile") == {"profiles": ["documented", "story"]}
    assert client.call("tck_fail", text="no\nluck") == (False, "no\nluck")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("tck_read", {"reader": "bool", "args": [], "key": "v"}),
        ("tck_read", {"reader": "bool", "args": {}}),
        ("tck_register", {"name": "x"}),
        ("tck_register", {"name": "x", "reply": "y", "schema": []}),
        ("tck_hook", {"action": "push"}),
        ("tck_hook", {"action": "set"}),
        ("tck_agent", {"allow_writes": "true"}),
    ],
)
def test_a_probe_refuses_what_it_cannot_take(client, tool, arguments):
    assert client.call(tool, **arguments)[0] is False


def test_read_only_mode_knows_the_explicit_set_and_the_probes_alone(client_of):
    client = client_of(probe=True, read_only=True)
    assert client.tools() == [*sorted(client.server.bridge.read_only_names(), key=client.tools().index), *PROBES]
    client.call("tck_register", name="later", reply="x")
    assert "later" not in client.tools()
    unknown = client.ask("tools/call", name="nobody").error
    for name in ("later", "find_replace", "undo_last"):
        error = client.ask("tools/call", name=name).error
        assert error == {"code": unknown["code"], "message": unknown["message"].replace("nobody", name)}
