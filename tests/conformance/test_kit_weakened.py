"""A kit that looks less closely lets a fault pass that it catches otherwise; so each look is needed."""

import pytest
from mcp_tck.conformance.matching import matching
from mcp_tck.conformance.proof import killing
from mcp_tck.conformance.protocol import conversation, owed, wire
from mcp_tck.conformance.protocol.conversation import Conversation
from mcp_tck.conformance.protocol.owed import key_of
from mcp_tck.conformance.targets.inprocess import InProcess
from mcp_tck.conformance.targets.process import Process
from mcp_tck.conformance.values import lower

KNOWN = killing.load()
REFERENCE = killing.port()


def accepts_any_id(patch):
    """Takes a reply under an unknown id for that of a request that waits."""
    right = Conversation._reply

    def reply(self, message):
        if self._pending and key_of(message.id) not in self._pending:
            waits = next(iter(self._pending.values())).identity
            message = wire.Message(message.kind, {**message.body, "id": waits}, waits)
        return right(self, message)

    patch.setattr(Conversation, "_reply", reply)


def takes_digits_for_numbers(patch):
    def key(identity):
        return (
            "id",
            str(lower(identity)) if isinstance(identity, str) or hasattr(identity, "text") else repr(identity),
        )

    patch.setattr(owed, "key_of", key)
    patch.setattr(conversation, "key_of", key)


def matches_by_order(patch):
    """Gives each reply to the request that has waited longest."""
    right = Conversation._reply

    def reply(self, message):
        if self._pending:
            first = next(iter(self._pending.values()))
            message = wire.Message(message.kind, {**message.body, "id": first.identity}, first.identity)
        return right(self, message)

    patch.setattr(Conversation, "_reply", reply)


def ignores_extra_messages(patch):
    patch.setattr(Conversation, "stray", lambda _self, _message: None)
    patch.setattr(Conversation, "_keep_loose", lambda _self, _message: None)


def takes_one_for_true(patch):
    def same(left, right):
        return lower(left) == lower(right)

    patch.setattr(matching, "same", same)


def skips_the_drain(patch):
    """Kills a process instead of hearing what it still says."""
    for kind in (Process, InProcess):
        patch.setattr(kind, "close_stdin", kind.kill)


def ignores_what_is_no_message(patch):
    right = wire.read

    def read(line, **more):
        reading = right(line, **more)
        return reading if reading.messages else wire.Reading()

    patch.setattr(wire, "read", read)


def judges_no_envelope(patch):
    right = wire.judge

    def judge(body):
        message = right(body)
        return wire.Message(message.kind, message.body, message.id, message.method)

    patch.setattr(wire, "judge", judge)


def ignores_surplus_elements(patch):
    """Holds an array against its beginning."""
    right = matching._array

    def array(expect, wanted, value, scope, pointer):
        cut = value[: len(wanted)] if isinstance(value, list) else value
        return right(expect, wanted, cut, scope, pointer)

    patch.setattr(matching, "_array", array)
    patch.setattr(matching, "_literal", lambda *_: [])


def skips_the_barrier(patch):
    from mcp_tck.conformance.session import Player

    def silence(_self, _step):
        return True
        yield

    patch.setattr(Player, "silence", silence)
    patch.setitem(__import__("mcp_tck.conformance.session", fromlist=["_STEPS"])._STEPS, "silence", silence)
    ignores_extra_messages(patch)


@pytest.mark.parametrize(
    ("weaken", "fault", "lost"),
    [
        (accepts_any_id, "id-one-off", "MCP-BASE-002"),
        (takes_digits_for_numbers, "id-as-string", "session/reply-id"),
        (matches_by_order, "id-one-off", "MCP-BASE-002"),
        (ignores_extra_messages, "replies-twice", "MCP-BASE-005"),
        (skips_the_barrier, "answers-notifications", "MCP-BASE-010"),
        (takes_one_for_true, "bool-says-one", "ARG-BOOL-2"),
        (skips_the_drain, "answers-notifications-at-end", "MCP-BASE-010"),
        (ignores_what_is_no_message, "noise-in-calls", "MCP-STDIO-001"),
        (judges_no_envelope, "version-missing", "session/envelope"),
        (ignores_surplus_elements, "set-from-scalar", "ARG-SET-5"),
    ],
)
def test_a_kit_that_is_weakened_lets_a_fault_pass(weaken, fault, lost, monkeypatch):
    wrong = REFERENCE.faults[fault]

    def seen():
        red = killing.play(wrong, KNOWN, REFERENCE).red
        return {*red, *(name for names in red.values() for name in names)}

    assert lost in seen()
    weaken(monkeypatch)
    assert lost not in seen()
