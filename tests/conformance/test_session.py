"""A case played on scripted events: each kind of step, what it takes for right, and how it tells what is wrong."""

from __future__ import annotations

import json
from collections import deque

import pytest
from mcp_tck.conformance.casefile import cases
from mcp_tck.conformance.protocol.conversation import Conversation
from mcp_tck.conformance.session import Arm, CloseStdin, Send, Wait, play
from mcp_tck.conformance.targets.target import Closed, Deadline, Exited, Line

PONG = {"ping": {"result": {}}}


def case_of(steps, **more):
    """A case of these steps, written as JSON, which YAML holds."""
    inside = [{"id": "one", "title": "a title", "steps": steps, **more}]
    found, problems = cases.loads(
        json.dumps({"format": 1, "area": "area", "cases": inside}).encode(), "area.yaml", "area"
    )
    assert problems == []
    return found[0]


class Scripted:
    """A server that answers by method, and says other lines when it is told to; no clock, no process.

    `answers` maps a method to the members of its reply, or to the lines that it draws. What `quiet` names stays
    unanswered. `at_end` is what happens at the end of input.
    """

    def __init__(self, answers=None, *, quiet=(), to_raw=(), at_end=None):
        self.answers = PONG | (answers or {})
        self.quiet, self.to_raw, self.at_end = quiet, to_raw, at_end or (Closed(), Exited(0))
        self.events = deque()
        self.sent = []
        self.armed = []

    def say(self, *messages):
        for message in messages:
            data = message if isinstance(message, bytes) else json.dumps({"jsonrpc": "2.0", **message}).encode()
            self.events.append(Line(data))

    def take(self, data):
        for line in data.splitlines():
            self.sent.append(line)
            try:
                message = json.loads(line)
            except ValueError:
                self.say(*self.to_raw)
                continue
            method = message.get("method")
            if "id" not in message or method is None or method in self.quiet:
                continue
            answer = self.answers.get(method, {"error": {"code": -32601, "message": "no"}})
            if isinstance(answer, list):
                self.say(
                    *(each | {"id": message["id"]} if each.pop("here", None) else each for each in map(dict, answer))
                )
            else:
                self.say({"id": message["id"], **answer})

    def play(self, steps, earlier=b"", **more):
        """Play a case to its end; `earlier` was sent by the case before, and not answered."""
        talk = Conversation("2025-11-25")
        talk.raw(earlier)
        talk.begin("area::one")
        self.talk = talk
        script = play(case_of(steps, **more), talk, 5.0, "ping")
        event = None
        while True:
            try:
                action = script.send(event)
            except StopIteration as end:
                talk.end()
                return end.value
            event = None
            if isinstance(action, Send):
                self.take(action.data)
            elif isinstance(action, CloseStdin):
                self.events.extend(self.at_end)
            elif isinstance(action, Arm):
                self.armed.append(action.seconds)
            elif isinstance(action, Wait):
                event = self.events.popleft() if self.events else Deadline()


def told(played):
    return [(each.pointer, each.expected, each.actual) for each in played.mismatches]


# -- requests and calls


def test_a_request_holds_when_its_reply_fits():
    played = Scripted().play([{"request": {"method": "ping"}, "expect": {"result": {}}}])
    assert (played.ok, played.hung) == (True, False)


def test_a_reply_that_does_not_fit_ends_the_case_and_says_where():
    server = Scripted()
    played = server.play(
        [{"request": {"method": "none"}, "expect": {"error": {"code": -32602}}}, {"request": {"method": "ping"}}]
    )
    assert told(played) == [("/error/code", "integer -32602", "integer -32601")]
    assert len(server.sent) == 1
    assert str(played.mismatches[0].at).startswith("area.yaml:1:")


def test_a_reply_that_never_comes_is_a_hang():
    played = Scripted(quiet={"ping"}).play([{"request": {"method": "ping"}}])
    assert played.hung
    assert told(played) == [("", "a reply to ping (id 1) within 5 s", "none, and the target still ran")]


def test_what_came_instead_of_a_reply_is_counted():
    server = Scripted({"ping": [{"method": "notifications/message"}] * 3})
    assert told(server.play([{"request": {"method": "ping"}}]))[0][2] == (
        "none, though 3 other lines came, and the target still ran"
    )


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([Closed(), Exited(3)], "none: the target exited with status 3"),
        ([Exited(-9)], "none: the target was ended by SIGKILL"),
        ([Closed()], "none: the target closed its standard output"),
    ],
)
def test_an_end_is_told_by_how_it_came_and_is_no_hang(events, words):
    server = Scripted(quiet={"ping"})
    server.events.extend(events)
    played = server.play([{"request": {"method": "ping"}}])
    assert (told(played)[0][2], played.hung) == (words, False)


def test_notifications_and_requests_of_the_server_come_between_without_harm():
    server = Scripted(
        {"x": [{"method": "notifications/message"}, {"id": 1, "method": "ping"}, {"here": 1, "result": {}}]}
    )
    assert server.play([{"request": {"method": "x"}, "expect": {"result": {}}}]).ok
    assert json.loads(server.sent[1]) == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_an_id_of_the_case_is_sent_as_it_is_and_held_against_the_reply():
    server = Scripted({"ping": [{"id": "7", "result": {}}]})
    played = server.play([{"request": {"method": "ping", "id": 7}}])
    assert json.loads(server.sent[0])["id"] == 7
    assert told(played) == [("/id", "integer 7", 'string "7"')]
    assert server.talk.violations == []


def test_an_id_of_ours_that_comes_back_changed_breaks_the_standing_check_and_not_the_case():
    server = Scripted({"ping": [{"id": "1", "result": {}}]})
    assert server.play([{"request": {"method": "ping"}}]).ok
    assert [each.check for each in server.talk.violations] == ["reply-id"]


TEXT = {"content": [{"type": "text", "text": "[1,"}, {"type": "image"}, {"type": "text", "text": "2]"}]}


@pytest.mark.parametrize(
    ("result", "expect", "mismatches"),
    [
        ({"result": TEXT}, {"text": "[1,\n2]", "ok": True, "json": [1, 2]}, []),
        ({"result": TEXT}, {"content": {"$length": 3}}, []),
        ({"result": TEXT | {"isError": True}}, {"refused": True, "ok": False}, []),
        ({"result": TEXT | {"isError": True}}, {"text": "[1,\n2]"}, [("/ok", "boolean true", "boolean false")]),
        ({"result": TEXT | {"structuredContent": {"a": 1}}}, {"structured": {"a": 1}}, []),
        ({"result": {"content": []}}, {"json": {}}, [("/json", "an object", 'string ""')]),
        ({"error": {"code": -1, "message": "no"}}, {"refused": True, "error": {"code": -1}}, []),
        ({"result": TEXT}, {"refused": True}, [("/refused", "boolean true", "boolean false")]),
    ],
)
def test_a_call_is_judged_by_what_it_says(result, expect, mismatches):
    played = Scripted({"tools/call": result}).play([{"call": {"tool": "t", "arguments": {"a": 1}}, "expect": expect}])
    assert told(played) == mismatches


def test_a_garbled_reply_is_told_at_once_and_is_no_hang():
    server = Scripted({"ping": []})
    server.say(b'{"jsonrpc":"2.0","id":1,"result":{"a":Infinity}}')
    played = server.play([{"request": {"method": "ping"}}])
    assert played.hung is False
    assert "Infinity is no JSON value" in told(played)[0][2]


def test_a_reply_that_the_kit_cannot_read_is_no_mismatch_and_not_green():
    server = Scripted({"ping": []})
    server.say(b'{"jsonrpc":"2.0","id":1,"result":{"a":' + b"[" * 1000 + b"]" * 1000 + b"}}")
    played = server.play([{"request": {"method": "ping"}}])
    assert (played.ok, told(played)) == (False, [])
    assert "the kit reads 500" in played.unread


# -- what the case writes itself


def test_a_raw_line_and_raw_bytes_go_out_as_they_are():
    server = Scripted(to_raw=())
    assert server.play([{"send_line": "{caf\u00e9"}, {"send_bytes": "7b ff 0a"}, {"request": {"method": "ping"}}]).ok
    assert server.sent[:2] == ["{caf\u00e9".encode(), b"{\xff"]


ERROR = {"id": None, "error": {"code": -32700, "message": "no"}}


@pytest.mark.parametrize(
    ("to_raw", "wanted", "right"),
    [
        ((), {"error": {"code": -32700}}, True),
        ((ERROR,), {"error": {"code": -32700}}, True),
        ((ERROR,), {"error": {"code": -32600}}, False),
    ],
)
def test_an_optional_reply_may_be_missing_and_has_to_fit(to_raw, wanted, right):
    steps = [{"send_line": "{"}, {"optional": wanted}, {"request": {"method": "ping"}}]
    assert Scripted(to_raw=to_raw).play(steps).ok is right


def test_optional_replies_may_overtake_each_other_and_the_barrier():
    def answer(name):
        return {"id": name, "result": {}}

    server = Scripted({"late": [answer("a"), answer("b"), {"here": True, "result": {}}]})
    wanted = [{"optional": {"id": name, "result": {}}} for name in "ab"]
    steps = [
        {"send_line": '{"jsonrpc":"2.0","id":"a"}'},
        wanted[0],
        {"request": {"method": "ping"}},
        {"send_line": '{"jsonrpc":"2.0","id":"b"}'},
        wanted[1],
        {"request": {"method": "late"}},
    ]
    assert server.play(steps).ok
    steps[4] = {"optional": {"id": "b", "error": {}}}
    assert not server.play(steps).ok


def test_a_late_reply_to_a_line_of_an_earlier_case_is_no_answer_to_this_one():
    talk = Conversation("2025-11-25")
    talk.begin("area::first")
    talk.raw(b'{"jsonrpc":"2.0","id":"first","method":5}\n')
    talk.begin("area::second")
    talk.raw(b'{"jsonrpc":"2.0","id":"second","method":5}\n')
    talk.feed(b'{"jsonrpc":"2.0","id":"first","error":{"code":-32600,"message":"no"}}')
    assert talk.inbox.tolerated == []
    talk.feed(b'{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}')
    assert len(talk.inbox.tolerated) == 1
    talk.end()
    assert talk.violations == []


@pytest.mark.parametrize(
    ("line", "unread"),
    [
        ("{", "silence shows nothing: after a malformed line the target exited with status 3"),
        ('{"jsonrpc":"2.0","method":"x"}', ""),
    ],
)
def test_silence_of_a_target_that_is_gone_shows_nothing_if_the_line_was_malformed(line, unread):
    server = Scripted(quiet=["ping"])
    server.events.extend([Closed(), Exited(3)])
    played = server.play([{"send_line": line}, {"silence": {}}])
    assert (played.ok, played.unread) == (False, unread)
    assert len(played.mismatches) == (0 if unread else 1)


def test_what_a_target_dies_of_is_told():
    for line, told in [
        ("{", "none after a malformed line: the target"),
        ('{"jsonrpc":"2.0","method":"x"}', "none: the"),
    ]:
        server = Scripted(quiet=["ping"])
        server.events.extend([Closed(), Exited(3)])
        played = server.play([{"send_line": line}, {"request": {"method": "ping"}}])
        assert played.mismatches[0].actual.startswith(told)


@pytest.mark.parametrize(("to_raw", "right"), [((), False), ((ERROR,), True)])
def test_a_reply_to_a_raw_line_has_to_come_and_its_absence_is_no_hang(to_raw, right):
    played = Scripted(to_raw=to_raw).play([{"send_line": "{"}, {"reply": {"error": {}}}])
    assert (played.ok, played.hung) == (right, False)


# -- silence, notifications, requests of the server


NAMED = {"id": "cut", "error": {"code": -32600, "message": "no"}}
NAMELESS = {"id": None, "error": {"code": -32700, "message": "no"}}


@pytest.mark.parametrize(
    ("to_raw", "earlier", "right"),
    [
        ([NAMELESS, NAMED], b"{\n", True),
        ([NAMELESS, NAMED], b"", False),
        ([NAMELESS], b"{\n", False),
        ([NAMED], b"{\n", True),
    ],
)
def test_a_reply_is_told_from_a_late_error_about_an_earlier_case(to_raw, earlier, right):
    steps = [{"send_line": '{"id":"cut",'}, {"reply": {"id": "cut"}}]
    assert Scripted(to_raw=to_raw).play(steps, earlier).ok is right


def test_an_optional_leaves_a_late_error_about_an_earlier_case_aside():
    steps = [{"send_line": '{"id":"cut",'}, {"optional": {"id": "cut"}}, {"request": {"method": "ping"}}]
    assert Scripted(to_raw=[NAMELESS]).play(steps, b"{\n").ok
    assert not Scripted(to_raw=[NAMELESS]).play(steps).ok


def test_silence_is_what_comes_before_the_barriers_reply():
    server = Scripted()
    assert server.play([{"notify": {"method": "notifications/x"}}, {"silence": {}}]).ok
    assert json.loads(server.sent[1])["method"] == "ping"


def test_a_reply_where_none_is_due_is_told_once():
    server = Scripted()
    server.say({"id": None, "error": {"code": -1, "message": "what"}})
    played = server.play([{"notify": {"method": "x"}}, {"silence": {}}])
    assert [each.expected for each in played.mismatches] == ["no reply"]
    assert server.talk.violations == []


def test_silence_can_name_what_may_not_come():
    server = Scripted()
    server.say({"method": "notifications/message"}, {"method": "notifications/other"})
    played = server.play([{"silence": {"no": ["notifications/message"]}}])
    assert [each.expected for each in played.mismatches] == ["no notifications/message"]


def test_a_barrier_that_is_not_answered_is_no_silence():
    played = Scripted(quiet={"ping"}).play([{"silence": {}}])
    assert "sent as a barrier" in played.mismatches[0].expected
    assert played.hung


def test_a_notification_counts_that_came_before_its_step():
    server = Scripted()
    server.say({"method": "notifications/a", "params": {"n": 1}}, {"method": "notifications/a", "params": {"n": 2}})
    steps = [{"request": {"method": "ping"}}, {"notification": {"method": "notifications/a", "params": {"n": 2}}}]
    assert server.play(steps).ok


def test_a_notification_is_found_behind_a_flood():
    server = Scripted({"x": [{"method": "notifications/a"}] * 5000 + [{"here": 1, "result": {}}]})
    server.answers["y"] = [{"here": 1, "result": {}}, {"method": "notifications/b"}]
    steps = [
        {"request": {"method": "x"}},
        {"request": {"method": "y"}},
        {"notification": {"method": "notifications/b"}},
    ]
    assert server.play(steps).ok


def test_a_notification_that_does_not_fit_is_shown_beside_the_wanted_one():
    server = Scripted()
    server.say({"method": "notifications/a", "params": {"n": 1}})
    played = server.play([{"notification": {"method": "notifications/a", "params": {"n": 2}}}])
    assert '"n":1' in played.mismatches[0].actual
    assert played.hung is False


def test_a_request_of_the_server_gets_the_answer_of_the_case():
    server = Scripted({"x": [{"id": 5, "method": "roots/list"}, {"here": 1, "result": {}}]})
    roots = {"result": {"roots": [{"uri": "file:///r"}]}}
    steps = [{"request": {"method": "x"}}, {"server_request": {"method": "roots/list"}, "answer": roots}]
    assert server.play(steps).ok
    assert json.loads(server.sent[1]) == {"jsonrpc": "2.0", "id": 5, **roots}


# -- together, the end, values


def test_together_is_one_write_and_its_replies_come_in_any_order():
    server = Scripted({"a": [], "b": [{"here": 1, "result": {"b": 1}}, {"id": 1, "result": {"a": 1}}]})
    steps = [
        {
            "together": [
                {"request": {"method": "a"}, "expect": {"result": {"a": 1}}},
                {"notify": {"method": "n"}},
                {"request": {"method": "b"}, "expect": {"result": {"b": 1}}},
            ]
        }
    ]
    assert server.play(steps).ok


@pytest.mark.parametrize(
    ("at_end", "code", "mismatches"),
    [
        ((Closed(), Exited(0)), 0, []),
        ((Closed(), Exited(1)), 0, [("/exit-status", "integer 0", "integer 1")]),
        ((Closed(), Exited(1)), {"$any": True}, []),
        ((Closed(),), {"$any": True}, [("", "the target to end by itself", "it still ran after 5 s")]),
    ],
)
def test_the_end_of_input_and_the_exit_are_steps(at_end, code, mismatches):
    played = Scripted(at_end=at_end).play([{"close_stdin": {}}, {"expect_exit": {"code": code}}])
    assert told(played) == mismatches
    assert played.hung is False


def test_what_was_saved_can_be_sent_and_expected():
    server = Scripted({"a": {"result": {"cursor": "c-1"}}, "b": {"result": {"seen": "c-1"}}})
    played = server.play(
        [
            {
                "request": {"method": "a"},
                "expect": {"result": {"cursor": {"$save": {"as": "cursor", "is": {"$type": "string"}}}}},
            },
            {
                "request": {"method": "b", "params": {"cursor": {"$var": "cursor"}}},
                "expect": {"result": {"seen": {"$var": "cursor"}}},
            },
        ]
    )
    assert played.ok
    assert json.loads(server.sent[1])["params"] == {"cursor": "c-1"}


def test_a_row_fills_in_values_and_leaves_out_what_it_lacks():
    server = Scripted()
    steps = [{"request": {"method": "ping", "params": {"a": {"$row": "a"}, "b": {"$row": "b"}}}}]
    assert server.play(steps, examples=[{"name": "r", "a": 1}, {"name": "s", "a": 1, "b": 2}]).ok
    assert json.loads(server.sent[0])["params"] == {"a": 1}


def test_the_names_of_chosen_alternatives_are_kept():
    choice = {"$one_of": [{"name": "refused", "is": {"error": {}}}, {"name": "served", "is": {"result": {}}}]}
    assert Scripted().play([{"request": {"method": "ping"}, "expect": choice}]).names == ["served"]
