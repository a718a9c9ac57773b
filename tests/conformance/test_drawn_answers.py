"""What lines that a case wrote itself may draw: one fitting answer each, at any time, and nothing beside."""

from __future__ import annotations

import pytest
from mcp_tck.conformance.protocol.conversation import Conversation
from mcp_tck.conformance.values import Number

from .talking import ERROR, ask, broken, reply


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"{nonsense", reply("null", **ERROR)),
        (b"{nonsense", b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}'),
        (b'{"id": 41, nonsense', reply("41", **ERROR)),
        (b'{"id":42,"method":"ping"}', reply("42")),
        (b'{"jsonrpc":"2.0","id":43,"method":"ping"}', reply("43")),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', reply("null")),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', reply("true", **ERROR)),
        (b"[]", reply("null", **ERROR)),
        (b"7", reply("null", **ERROR)),
        (b"", reply("null", **ERROR)),
        (b"  \r", reply("null", **ERROR)),
        (b'{"jsonrpc":"2.0","method":"x","params":[1]}', reply("null", **ERROR)),
    ],
)
def test_a_line_of_a_case_may_draw_one_fitting_answer_and_no_second(talk, line, answer):
    talk.raw(line + b"\n")
    talk.feed(answer)
    assert broken(talk) == []
    talk.feed(answer)
    assert broken(talk) == [("stray-reply", "MCP-BASE-013")]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"{nonsense", reply("null")),
        (b"{nonsense", reply("5", **ERROR)),
        (b'{"jsonrpc":"2.0","method":"notifications/x"}', reply("null", **ERROR)),
        (b'{"jsonrpc":"2.0","method":"ping","params":{}}', reply("null", **ERROR)),
        (b'{"jsonrpc":"2.0","id":9,"result":{}}', reply("9", **ERROR)),
    ],
)
def test_an_answer_that_a_line_may_not_draw_is_a_stray(talk, line, answer):
    talk.raw(line + b"\n")
    talk.feed(answer)
    assert broken(talk) == [("stray-reply", "MCP-BASE-013")]


def test_a_batch_of_a_case_draws_an_answer_for_each_request():
    talk = Conversation("2025-03-26")
    talk.begin("area::case")
    talk.raw(
        b'[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":2,"method":"a"}]\n'
    )
    talk.feed(b"[" + reply("2") + b"," + reply("1") + b"]")
    assert [message.id for message in talk.inbox.tolerated] == [Number("2"), Number("1")]
    assert broken(talk) == []


def test_an_error_without_an_id_may_come_cases_later_and_only_once(talk):
    talk.raw(b"{nonsense\n")
    talk.feed(reply(ask(talk)))
    talk.begin("area::next")
    talk.feed(reply("null", **ERROR))
    assert broken(talk) == []
    assert talk.inbox.tolerated == talk.inbox.late == []
    talk.feed(reply("null", **ERROR))
    assert broken(talk) == [("stray-reply", "MCP-BASE-010")]


REQUEST = b'{"jsonrpc":"2.0","id":"slow","method":"tools/list"}'
LATER = reply('"slow"'), reply("null", **ERROR)


@pytest.mark.parametrize("lines", [(REQUEST, b"{nonsense"), (b"{nonsense", REQUEST), (b'{"id":"cut', REQUEST)])
@pytest.mark.parametrize("answers", [LATER, LATER[::-1]])
def test_an_error_without_an_id_takes_no_place_of_a_reply_under_an_id(talk, lines, answers):
    for line in lines:
        talk.raw(line + b"\n")
    for answer in answers:
        talk.feed(answer)
    assert broken(talk) == []
    talk.feed(answers[0])
    assert broken(talk) == [("stray-reply", "MCP-BASE-013")]


def test_an_odd_id_of_an_earlier_case_excuses_no_reply_to_a_stray_reply(talk):
    talk.raw(b'{"jsonrpc":"2.0","id":null,"method":"ping"}\n')
    talk.begin("area::next")
    talk.raw(b'{"jsonrpc":"2.0","id":999,"error":{"code":-32000,"message":"no"}}\n')
    talk.feed(reply("999", **ERROR))
    assert len(talk.inbox.loose) == 1
    talk.begin("area::third")
    talk.feed(reply("2"))
    assert broken(talk) == [("stray-reply", "MCP-BASE-013")]


def test_a_request_that_was_refused_without_an_id_is_not_answered_under_its_id_as_well(talk):
    talk.raw(REQUEST + b"\n")
    talk.feed(reply("null", **ERROR))
    talk.feed(reply('"slow"'))
    assert broken(talk) == [("stray-reply", "MCP-BASE-013")]


def test_an_error_that_may_answer_an_earlier_case_is_told_apart_from_one_that_cannot(talk):
    talk.raw(b"{nonsense\n")
    talk.begin("area::next")
    talk.raw(b"{nonsense\n")
    for _ in range(2):
        talk.feed(reply("null", **ERROR))
    assert (len(talk.inbox.late), len(talk.inbox.tolerated)) == (1, 0)
    talk.begin("area::third")
    talk.raw(b"{nonsense\n")
    talk.feed(reply("null", **ERROR))
    assert (len(talk.inbox.late), len(talk.inbox.tolerated)) == (0, 1)


def test_the_slow_reply_to_a_request_that_a_case_wrote_itself_may_come_at_any_time(talk):
    talk.raw(b'{"jsonrpc":"2.0","id":"slow","method":"tools/list"}\n')
    talk.feed(reply(ask(talk)))
    talk.begin("area::next")
    talk.feed(reply('"slow"'))
    assert broken(talk) == []
