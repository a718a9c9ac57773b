"""The opening of a process, and what is learnt from it: revision, capabilities, catalogue, profiles. Sans I/O.

A script here is driven like a case (see session.py). An opening that fails gives mismatches, never an exception.

This module must never call a tool but the probes `tck_profile` and `tck_read`, which change nothing, and `tck_reset`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import Final

from . import words
from .model import Mismatch
from .protocol import eras, wire
from .protocol.conversation import Conversation, Received, Violation
from .session import Action, Arm, Send, Wait, last_word
from .targets.target import Deadline, Event
from .values import ABSENT, Absent, Value, dumps, lift

RUBBISH_LIMIT: Final = 1000
PAGE_LIMIT: Final = 100
READERS: Final = ("bool", "int", "string", "string_set", "string_value")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a target said of itself at one revision.

    `tools` are the listed tools by name; `untold` says why some may be missing; `ping`: it answers ping, with a result;
    `lacking` are the readers that its `tck_read` does not have; `restricted`: it was started in read-only mode.
    """

    revision: str
    capabilities: dict[str, Value] = field(default_factory=dict)
    server: dict[str, Value] = field(default_factory=dict)
    tools: dict[str, dict[str, Value]] = field(default_factory=dict)
    profiles: tuple[str, ...] = ()
    ping: bool = True
    untold: str = ""
    lacking: tuple[str, ...] = ()
    restricted: bool = False
    instructions: Value = None

    @property
    def barrier(self) -> str:
        """The barrier request that this target answers."""
        return eras.barrier(self.revision, ping=self.ping, capabilities=self.capabilities)

    def has(self, capability: str) -> bool:
        """Whether a capability is declared: `tools`, `tools.listChanged`, `!prompts`, `a|b`; false declares nothing."""
        if "|" in capability:
            return any(map(self.has, capability.split("|")))
        if capability.startswith("!"):
            return not self.has(capability[1:])
        place: Value | Absent = self.capabilities
        for part in capability.split("."):
            place = place.get(part, ABSENT) if isinstance(place, dict) else ABSENT
        return not isinstance(place, Absent) and place is not False and place is not None


@dataclass(slots=True)
class Opened:
    """What came of an opening: the result of the first request, or why there is none; `refused`, an error came."""

    result: dict[str, Value] = field(default_factory=dict)
    revision: str = ""
    mismatches: list[Mismatch] = field(default_factory=list)
    refused: bool = False


Asking = Generator[Action, "Event | None", "Received | None"]


def ask(talk: Conversation, method: str, params: Value | Absent, seconds: float) -> Asking:
    """Send one request and await its reply; None where none came."""
    identity = talk.fresh_id()
    given = params if isinstance(params, dict) else None
    full = eras.with_metadata(talk.revision, given, talk.capabilities)
    yield Send(talk.request(identity, method, ABSENT if full is None else full))
    yield Arm(seconds)
    while (received := talk.reply_to(identity)) is None:
        if talk.ended:
            yield from last_word(talk)
            return None
        if talk.echoed or (talk.rubbish >= RUBBISH_LIMIT and not talk.seen):
            return None
        event = yield Wait()
        if event is None or isinstance(event, Deadline):
            talk.make_do()
            return talk.reply_to(identity)
        for answer in talk.take(event):
            yield Send(answer)
    return received


def open_session(
    talk: Conversation, seconds: float, override: dict[str, Value] | None = None
) -> Generator[Action, Event | None, Opened]:
    """Open a process at the conversation's revision; what the target counters with is in `revision` of the value."""
    opened = Opened()
    talk.begin("session/opening")
    method, params = eras.opening(talk.revision, override)
    capabilities = (params | (override or {})).get("capabilities")
    talk.capabilities = capabilities if isinstance(capabilities, dict) else {}
    received = yield from ask(talk, method, params, seconds)
    if received is None:
        opened.mismatches.append(_no_reply(talk, method, seconds))
        return opened
    body = received.message.body
    result = body.get("result")
    if received.garbled:
        actual = f"a line that is no message: {received.garbled}"
        opened.mismatches.append(Mismatch("", f"a reply to {method}", actual))
        return opened
    if not isinstance(result, dict):
        opened.refused = "error" in body
        shown = f"the error {words.cut(dumps(body['error']))}" if "error" in body else words.describe(result)
        opened.mismatches.append(Mismatch("/result", f"a result of {method}", shown))
        return opened
    opened.result = result
    if eras.is_stateless(talk.revision):
        opened.mismatches.extend(_discover_faults(result, talk.revision))
        opened.revision = talk.revision
    else:
        opened.mismatches.extend(_handshake_faults(result))
        version = result.get("protocolVersion")
        opened.revision = version if isinstance(version, str) else ""
    if not opened.mismatches and opened.revision not in eras.REVISIONS:
        known = ", ".join(eras.HANDSHAKE)
        offered = f"string {dumps(opened.revision)}"
        opened.mismatches.append(Mismatch("/result/protocolVersion", f"a published revision ({known})", offered))
    if not opened.mismatches:
        talk.revision = opened.revision
        if (note := eras.opened(talk.revision)) is not None:
            yield Send(talk.notification(note, ABSENT))
    talk.end()
    return opened


def learn(talk: Conversation, opened: Opened, seconds: float) -> Generator[Action, Event | None, Facts]:
    """Ask an opened target for its catalogue and profiles, and whether it answers ping."""
    talk.begin("session/opening")
    capabilities = opened.result.get("capabilities")
    capabilities = capabilities if isinstance(capabilities, dict) else {}
    server = opened.result.get("serverInfo", _server_in_metadata(opened.result))
    ping = True
    if not eras.is_stateless(talk.revision):
        asked = yield from ask(talk, "ping", ABSENT, seconds)
        ping = asked is not None and "error" not in asked.message.body
    tools: dict[str, dict[str, Value]] = {}
    untold = ""
    if "tools" in capabilities:
        tools, untold = yield from _walk_tools(talk, seconds)
    profiles: tuple[str, ...] = ()
    if "tck_profile" in tools:
        asked = yield from ask(talk, "tools/call", {"name": "tck_profile", "arguments": {}}, seconds)
        profiles = _profiles(asked)
    lacking: tuple[str, ...] = ()
    if "tck_read" in tools:
        lacking = yield from _lacking_readers(talk, seconds)
    talk.end()
    return Facts(
        revision=talk.revision,
        capabilities=capabilities,
        server=server if isinstance(server, dict) else {},
        tools=tools,
        profiles=profiles,
        ping=ping,
        untold=untold,
        lacking=lacking,
        instructions=opened.result.get("instructions"),
    )


def reset(talk: Conversation, seconds: float) -> Generator[Action, Event | None, bool]:
    """Call the probe `tck_reset`; whether it said that it did so."""
    talk.begin("session/opening")
    received = yield from ask(talk, "tools/call", {"name": "tck_reset", "arguments": {}}, seconds)
    text, failed = _first_text(received)
    talk.end()
    return bool(text) and not failed


def _server_in_metadata(result: dict[str, Value]) -> Value:
    meta = result.get("_meta")
    return meta.get("io.modelcontextprotocol/serverInfo") if isinstance(meta, dict) else None


def _walk_tools(
    talk: Conversation, seconds: float
) -> Generator[Action, Event | None, tuple[dict[str, dict[str, Value]], str]]:
    """The listed tools, and why there may be more."""
    tools: dict[str, dict[str, Value]] = {}
    params: dict[str, Value] | Absent = ABSENT
    for _ in range(PAGE_LIMIT):
        received = yield from ask(talk, "tools/list", params, seconds)
        if received is None:
            return tools, "tools/list got no reply"
        result = received.message.body.get("result")
        if not isinstance(result, dict):
            return tools, "the reply to tools/list " + ("cannot be read" if received.garbled else "has no result")
        listed = result.get("tools")
        for tool in listed if isinstance(listed, list) else []:
            if isinstance(tool, dict) and isinstance(name := tool.get("name"), str):
                tools.setdefault(name, tool)
        cursor = result.get("nextCursor")
        if not isinstance(cursor, str):
            return tools, ""
        params = {"cursor": cursor}
    return tools, f"tools/list has more than {PAGE_LIMIT} pages"


def _first_text(asked: Received | None) -> tuple[str, bool]:
    """The text of a result's first block, and whether the result is an error; a broken probe gives no text."""
    result = asked.message.body.get("result") if asked is not None else None
    content = result.get("content") if isinstance(result, dict) else None
    block = content[0] if isinstance(content, list) and content else None
    text = block.get("text") if isinstance(block, dict) else None
    failed = isinstance(result, dict) and result.get("isError") is True
    return text if isinstance(text, str) else "", failed


def _profiles(asked: Received | None) -> tuple[str, ...]:
    """The profiles that `tck_profile` names; a broken probe claims none."""
    try:
        answer = wire.parse(_first_text(asked)[0])[0]
    except wire.NotJsonError:
        return ()
    names = answer.get("profiles") if isinstance(answer, dict) else None
    return tuple(name for name in names if isinstance(name, str)) if isinstance(names, list) else ()


def _lacking_readers(talk: Conversation, seconds: float) -> Generator[Action, Event | None, tuple[str, ...]]:
    """The readers that `tck_read` says the implementation does not have."""
    lacking = []
    for reader in READERS:
        arguments: dict[str, Value] = {"reader": reader, "args": {}, "key": "none"}
        asked = yield from ask(talk, "tools/call", {"name": "tck_read", "arguments": arguments}, seconds)
        text, failed = _first_text(asked)
        if failed and text.strip() == "no such reader":
            lacking.append(reader)
    return tuple(lacking)


def _handshake_faults(result: dict[str, Value]) -> list[Mismatch]:
    faults = []

    def need(pointer: str, value: Value | Absent, kinds: type, wanted: str) -> None:
        if not isinstance(value, kinds):
            faults.append(Mismatch(f"/result{pointer}", wanted, words.describe(value)))

    need("/protocolVersion", result.get("protocolVersion", ABSENT), str, "a string")
    need("/capabilities", result.get("capabilities", ABSENT), dict, "an object")
    server = result.get("serverInfo", ABSENT)
    need("/serverInfo", server, dict, "an object")
    if isinstance(server, dict):
        need("/serverInfo/name", server.get("name", ABSENT), str, "a string")
        need("/serverInfo/version", server.get("version", ABSENT), str, "a string")
    return faults


def _discover_faults(result: dict[str, Value], revision: str) -> list[Mismatch]:
    """Why a result of server/discover does not say that the target speaks the revision."""
    versions = result.get("supportedVersions", ABSENT)
    if not isinstance(versions, list) or revision not in versions:
        shown = words.describe(versions)
        return [Mismatch("/result/supportedVersions", f'an array with string "{revision}"', shown)]
    if not isinstance(capabilities := result.get("capabilities", ABSENT), dict):
        return [Mismatch("/result/capabilities", "an object", words.describe(capabilities))]
    return []


def _no_reply(talk: Conversation, method: str, seconds: float) -> Mismatch:
    expected = f"a reply to {method} within {seconds:g} s"
    if talk.echoed:
        return Mismatch("", expected, "the very line that the kit had sent: the target repeats its input")
    if talk.rubbish >= RUBBISH_LIMIT and not talk.seen:
        return Mismatch("", expected, f"{talk.rubbish} lines on standard output, none of them a message")
    if talk.ended:
        return Mismatch("", expected, f"none: the target {talk.ended}")
    came = f", and {words.count(talk.rubbish, 'line')} without a message" if talk.rubbish else ""
    if talk.refused:
        return Mismatch("", expected, f"none{came}: the target closed its standard input, and still ran")
    return Mismatch("", expected, f"none{came}{talk.unended.words}; the target still ran")


def said_nothing(talk: Conversation) -> bool:
    """Whether a target that still runs has not written a single line."""
    return not (talk.seen or talk.rubbish or talk.ended or talk.unended.words)


def late_words(talk: Conversation) -> Iterator[Violation]:
    """What is wrong with a target that had said nothing and, once its input had ended, answered after all."""
    if talk.inbox.replies:
        got = "the reply only when the input had ended: is it flushed behind each line?"
        shown = tuple(talk.transcript)[-8:]
        yield Violation("framing", "MCP-STDIO-002", "", "each message as soon as it is complete", got, "", shown)


def plain(facts: Facts) -> object:
    """The facts as JSON's plain data, to hand to a worker process."""
    return {
        "revision": facts.revision,
        "capabilities": dumps(facts.capabilities),
        "server": dumps(facts.server),
        "tools": dumps(lift(facts.tools)),
        "profiles": list(facts.profiles),
        "ping": facts.ping,
        "untold": facts.untold,
        "lacking": list(facts.lacking),
        "restricted": facts.restricted,
        "instructions": dumps(facts.instructions),
    }


def from_plain(data: dict[str, object]) -> Facts:
    """The facts that `plain` wrote."""

    def members(text: object) -> dict[str, Value]:
        value, _ = wire.parse(str(text))
        return value if isinstance(value, dict) else {}

    tools = {name: tool for name, tool in members(data["tools"]).items() if isinstance(tool, dict)}
    profiles = data["profiles"]
    return Facts(
        revision=str(data["revision"]),
        capabilities=members(data["capabilities"]),
        server=members(data["server"]),
        tools=tools,
        profiles=tuple(profiles) if isinstance(profiles, list | tuple) else (),
        ping=bool(data["ping"]),
        untold=str(data["untold"]),
        lacking=tuple(map(str, lacking)) if isinstance(lacking := data["lacking"], list | tuple) else (),
        restricted=bool(data["restricted"]),
        instructions=wire.parse(str(data["instructions"]))[0],
    )
