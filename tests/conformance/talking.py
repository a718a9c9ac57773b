"""A conversation without a target: what is sent, what comes, and what was broken."""

from __future__ import annotations

from mcp_tck.conformance.protocol.conversation import Conversation
from mcp_tck.conformance.values import ABSENT, Number, lift


def reply(identity, **members):
    members = members or {"result": "{}"}
    inside = ",".join(f'"{key}":{text}' for key, text in members.items())
    return f'{{"jsonrpc":"2.0","id":{identity},{inside}}}'.encode()


OPENED = '{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}'
ERROR = {"error": '{"code":-32700,"message":"no"}'}


def opened():
    """A conversation in a case, after its opening."""
    talk = Conversation("2025-11-25")
    talk.begin("session/opening")
    first = ask(talk, "initialize")
    talk.feed(reply(first, result=OPENED))
    talk.begin("area::case")
    return talk


def ask(talk, method="ping"):
    """Send a request; answers its id as it is spelt."""
    identity = talk.fresh_id()
    opening = {"protocolVersion": talk.revision, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    talk.request(identity, method, lift(opening) if method == "initialize" else ABSENT)
    return identity.text


def broken(talk):
    """The standing checks that were broken so far, and by which requirement."""
    talk.end()
    return [(each.check, each.requirement) for each in talk.violations]


def came(talk, spelt):
    return talk.reply_to(lift(spelt) if isinstance(spelt, str) and not spelt.isdigit() else Number(spelt))
