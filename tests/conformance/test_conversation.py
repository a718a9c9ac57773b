"""What is owed, what came, what broke the wire: replies by id, in any order, and strays told once."""

from __future__ import annotations

import time

import pytest
from mcp_tck.conformance.protocol.conversation import KEPT_LINES, KEPT_MESSAGES, Conversation
from mcp_tck.conformance.targets.target import Closed, Dropped, Exited, Line, Overflow, Partial
from mcp_tck.conformance.values import ABSENT, Number, lift

from .talking import ERROR, OPENED, ask, broken, came, reply

# -- replies


def test_replies_are_found_by_id_in_any_order(talk):
    one, two = ask(talk), ask(talk, "logging/setLevel")
    talk.feed(reply(two))
    talk.feed(reply(one))
    assert came(talk, one).message.id == Number(one)
    assert came(talk, two).message.id == Number(two)
    assert broken(talk) == []


def test_ids_that_are_spelt_alike_and_differ_in_type_are_two_ids(talk):
    talk.request(Number("7"), "ping", ABSENT, own_id=True)
    talk.request("7", "ping", ABSENT, own_id=True)
    talk.feed(reply('"7"', result='{"a":1}'))
    talk.feed(reply("7", result='{"b":1}'))
    assert talk.reply_to("7").message.body["result"] == {"a": Number("1")}
    assert talk.reply_to(Number("7")).message.body["result"] == {"b": Number("1")}
    assert broken(talk) == []


def test_an_id_of_another_type_breaks_one_check_and_does_not_lose_the_reply(talk):
    identity = ask(talk)
    talk.feed(reply(f'"{identity}"'))
    assert came(talk, identity).id_differs
    assert broken(talk) == [("reply-id", "MCP-BASE-002")]


def test_a_number_that_is_spelt_otherwise_is_the_same_id(talk):
    identity = ask(talk)
    talk.feed(reply(f"{identity}.0"))
    assert came(talk, identity)
    assert broken(talk) == []


def test_a_strange_id_is_a_stray_while_the_right_reply_may_come(talk):
    identity = ask(talk)
    talk.feed(reply('"never"'))
    assert came(talk, identity) is None
    talk.feed(reply(identity))
    assert not came(talk, identity).id_differs
    assert broken(talk) == [("stray-reply", "MCP-BASE-010")]


def test_a_strange_id_is_the_reply_when_nothing_else_comes_and_is_not_waited_for_again(talk):
    identity = ask(talk)
    talk.feed(reply('"x"'))
    assert talk.make_do()
    assert came(talk, identity).id_differs
    second = ask(talk)
    talk.feed(reply('"y"'))
    assert came(talk, second).id_differs
    assert broken(talk) == [("reply-id", "MCP-BASE-002")] * 2


def test_with_two_requests_waiting_a_strange_id_is_nobodys(talk):
    ask(talk), ask(talk)
    talk.feed(reply('"x"'))
    assert not talk.make_do()
    assert broken(talk) == [("stray-reply", "MCP-BASE-010")]


def test_a_second_reply_is_told_with_the_request_that_it_answers_again(talk):
    identity = ask(talk, "logging/setLevel")
    talk.feed(reply(identity))
    talk.begin("area::next")
    talk.feed(reply(identity))
    assert broken(talk) == [("one-reply", "MCP-BASE-005")]
    assert (talk.violations[0].case, talk.violations[0].actual) == (
        "area::case",
        f"a second reply to logging/setLevel (id {identity})",
    )


def test_a_reply_that_comes_late_belongs_to_the_request_that_was_given_up(talk):
    identity = ask(talk)
    talk.forget(Number(identity))
    talk.begin("area::next")
    talk.feed(reply(identity))
    assert broken(talk) == []
    talk.begin("area::third")
    talk.feed(reply(identity))
    assert broken(talk) == [("stray-reply", "MCP-BASE-010")]


def test_fresh_ids_are_none_that_a_case_used(talk):
    talk.request(Number("2"), "ping", ABSENT, own_id=True)
    assert ask(talk) == "3"


# -- lines that are no messages


def test_a_reply_that_cannot_be_read_is_recognised_by_its_id(talk):
    identity = ask(talk)
    talk.feed(b'{"jsonrpc":"2.0","id":' + identity.encode() + b',"result":{"a":NaN}}')
    assert "NaN is no JSON value" in came(talk, identity).garbled
    assert not came(talk, identity).unread
    assert broken(talk) == [("framing", "MCP-STDIO-001")]


def test_a_reply_beyond_what_the_kit_reads_is_recognised_and_not_blamed(talk):
    identity = ask(talk)
    deep = b"[" * 1000 + b"]" * 1000
    talk.feed(b'{"jsonrpc":"2.0","id":' + identity.encode() + b',"result":{"a":' + deep + b"}}")
    assert came(talk, identity).unread
    assert broken(talk) == [("json", "MCP-BASE-101")]


def test_a_log_line_that_quotes_a_reply_is_no_reply(talk):
    identity = ask(talk)
    talk.feed(b"sending " + reply(identity))
    talk.feed(reply(identity))
    assert not came(talk, identity).garbled
    assert broken(talk) == [("framing", "MCP-STDIO-001")]


def test_a_message_over_several_lines_is_one_fault_and_one_message(talk):
    identity = ask(talk)
    for line in (b"{", b'  "jsonrpc": "2.0",', b'  "id": ' + identity.encode() + b",", b'  "result": {', b"  }", b"}"):
        talk.feed(line)
    assert came(talk, identity).message.body["result"] == {}
    assert [(each.check, each.actual) for each in talk.violations] == [("framing", "one message spread over 6 lines")]


def test_a_line_that_only_looks_like_a_first_piece_is_told_when_the_next_message_comes(talk):
    talk.feed(b"{")
    assert talk.violations == []
    talk.feed(b'{"jsonrpc":"2.0","method":"notifications/other","params":{}}')
    assert broken(talk) == [("framing", "MCP-STDIO-001")]
    talk.feed(b"[")
    talk.take(Closed())
    assert broken(talk) == [("framing", "MCP-STDIO-001")] * 2


# -- the server's own messages


def test_a_ping_of_the_server_is_answered_and_confuses_nothing(talk):
    identity = ask(talk)
    assert talk.feed(b'{"jsonrpc":"2.0","id":' + identity.encode() + b',"method":"ping"}') == [
        b'{"jsonrpc":"2.0","id":' + identity.encode() + b',"result":{}}\n'
    ]
    assert came(talk, identity) is None
    assert broken(talk) == []


def test_a_request_for_what_the_client_did_not_declare_is_refused_and_told(talk):
    (answer,) = talk.feed(b'{"jsonrpc":"2.0","id":"r","method":"roots/list"}')
    assert b'"code":-32601' in answer
    assert broken(talk) == [("client-requests", "MCP-LIFE-015")]


def test_a_request_for_what_the_client_declared_is_answered(talk):
    talk.capabilities = {"roots": {}}
    assert talk.feed(b'{"jsonrpc":"2.0","id":"r","method":"roots/list"}') == [
        b'{"jsonrpc":"2.0","id":"r","result":{"roots":[]}}\n'
    ]
    assert broken(talk) == []


def test_an_unknown_request_and_an_id_used_twice_are_told(talk):
    talk.feed(b'{"jsonrpc":"2.0","id":1,"method":"server/what"}')
    talk.feed(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
    assert broken(talk) == [("client-requests", "MCP-CLI-001"), ("client-requests", "MCP-BASE-035")]


def test_an_answer_of_the_case_takes_the_place_of_the_usual_one(talk):
    talk.answers["ping"] = {"error": {"code": Number("1"), "message": "no"}}
    assert b'"error":{"code":1,"message":"no"}' in talk.feed(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')[0]


def test_our_first_line_sent_back_is_an_echo_and_no_request():
    talk = Conversation("2025-11-25")
    line = talk.request(talk.fresh_id(), "tools/list", ABSENT)
    talk.feed(line.rstrip(b"\n"))
    assert talk.echoed
    assert broken(talk) == []


# -- the end, and what is kept


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([Closed()], "closed its standard output"),
        ([Closed(), Exited(3)], "exited with status 3"),
        ([Exited(-11)], "was ended by SIGSEGV"),
        ([Overflow(99), Exited(-9)], "wrote 99 bytes without a line feed"),
    ],
)
def test_the_end_is_told_by_its_first_cause(talk, events, words):
    for event in events:
        talk.take(event)
    assert talk.ended == words


def test_an_unfinished_last_line_is_a_fault_unless_the_kit_cut_it(talk):
    talk.take(Partial(b"{", cut=True))
    assert broken(talk) == []
    talk.take(Partial(b"{"))
    assert broken(talk) == [("framing", "MCP-STDIO-002")]


def test_bytes_that_were_dropped_at_the_end_are_told_and_no_fault(talk):
    talk.take(Dropped(7))
    assert broken(talk) == []
    assert "7 bytes" in talk.transcript[-1].line


def test_a_flood_is_counted_and_not_kept(talk):
    note = b'{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
    for _ in range(5000):
        talk.take(Line(note))
    assert (talk.lines, len(talk.inbox.notifications), len(talk.transcript)) == (5000, KEPT_MESSAGES, KEPT_LINES)
    for _ in range(5000):
        talk.take(Line(b""))
    assert (talk.lines, len(talk.violations), talk.rubbish) == (10_000, KEPT_MESSAGES, 5000)
    assert len(talk.since_begin()) == KEPT_LINES


def test_a_long_line_is_kept_by_its_ends(talk):
    talk.feed(b"x" * 1_000_000)
    assert len(talk.transcript[-1].line) < 20_000
    assert "[1000000 bytes in all]" in talk.transcript[-1].line


# -- the shape of messages


def shape(talk, identity, result):
    """What a result breaks, by pointer and requirement."""
    talk.feed(reply(identity, result=result))
    return [(each.pointer, each.requirement) for each in talk.violations if each.check == "schema"]


def test_a_result_is_held_against_the_shape_of_what_was_asked(talk):
    assert shape(talk, ask(talk, "prompts/list"), '{"prompts":[{"name":1}]}') == [
        ("/result/prompts/0/name", "MCP-PROMPT-003")
    ]


def test_a_result_in_place_of_an_error_to_a_broken_request_has_no_other_shape(talk):
    identity = talk.fresh_id()
    talk.request(identity, "tools/call", lift({"name": 5}))
    assert shape(talk, identity.text, '{"content":[]}') == []


def test_a_fault_of_shape_belongs_to_the_case_that_asked(talk):
    identity = ask(talk, "resources/read")
    talk.begin("area::next")
    shape(talk, identity, "{}")
    assert talk.violations[0].case == "area::case"


def test_a_fault_of_the_envelope_hides_no_fault_of_the_next_message(talk):
    talk.feed(b'{"jsonrpc":"1.0","method":"notifications/progress","params":{}}')
    talk.feed(b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}')
    assert broken(talk) == [("envelope", "MCP-BASE-001"), ("schema", "MCP-PROG-005")]


def test_after_a_handshake_the_revision_that_was_agreed_on_counts():
    talk = Conversation("2025-11-25")
    older = OPENED.replace("2025-11-25", "2025-03-26")
    assert shape(talk, ask(talk, "initialize"), older) == []
    blocks = '{"content":[{"type":"resource_link","uri":"a:b","name":"n"}]}'
    assert shape(talk, ask(talk, "tools/call"), blocks) == [("/result/content/0", "MCP-LIFE-013")]


@pytest.mark.parametrize(
    ("method", "meta", "judged"),
    [
        ("tools/list", {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}, True),
        ("tools/list", {"io.modelcontextprotocol/protocolVersion": "2025-11-25"}, False),
        ("tools/list", {}, False),
        ("initialize", {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}, False),
    ],
)
def test_in_the_stateless_era_a_reply_has_a_known_shape_only_where_the_request_names_the_revision(method, meta, judged):
    talk = Conversation("2026-07-28")
    identity = talk.fresh_id()
    talk.request(identity, method, lift({"_meta": meta}))
    assert bool(shape(talk, identity.text, '{"tools":[]}')) is judged


def test_a_stray_reply_is_told_with_the_lines_around_its_coming(talk):
    talk.feed(reply("null", **ERROR))
    for _ in range(20):
        talk.feed(reply(ask(talk)))
    assert broken(talk) == [("stray-reply", "MCP-BASE-010")]
    assert talk.violations[0].excerpt[-1].line == reply("null", **ERROR).decode()


def test_a_flood_of_stray_replies_is_counted_and_not_kept(talk):
    for _ in range(3 * KEPT_MESSAGES):
        talk.feed(reply("null", **ERROR))
    assert len(talk.inbox.loose) == KEPT_MESSAGES
    assert len(broken(talk)) == KEPT_MESSAGES


def test_pieces_that_become_too_much_are_no_message(talk):
    talk.feed(b"[")
    begun = time.monotonic()
    for _ in range(20):
        talk.feed(b'"' + b"x" * 1_000_000 + b'"}')
    assert time.monotonic() - begun < 5
    assert {check for check, _ in broken(talk)} == {"framing"}


@pytest.mark.parametrize("blank", [b"\n", b"  \n", b"\r\n"])
def test_a_blank_line_may_be_reported_as_unreadable(blank):
    talk = Conversation("2025-11-25")
    talk.begin("area::case")
    talk.raw(blank)
    talk.feed(b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}')
    talk.end()
    assert talk.violations == []


def test_the_answer_to_an_opening_that_is_none_has_no_shape():
    talk = Conversation("2025-11-25")
    identity = talk.fresh_id()
    talk.request(identity, "initialize", lift({"protocolVersion": 7}))
    assert shape(talk, identity.text, '{"anything":true}') == []


def test_a_ping_of_the_server_that_is_spelt_like_ours_is_no_echo():
    talk = Conversation("2025-11-25")
    ask(talk, "initialize")
    talk.feed(
        OPENED.encode()
        if OPENED.startswith('{"jsonrpc"')
        else b'{"jsonrpc":"2.0","id":1,"result":' + OPENED.encode() + b"}"
    )
    ours = talk.request(talk.fresh_id(), "ping", ABSENT)
    assert talk.feed(ours.rstrip(b"\n")) != []
    assert not talk.echoed
