"""All that is known about the exchange with one process: what is owed, what came, what broke the wire.

Sans I/O: `feed` takes a line and gives the bytes to send back. Replies are matched by id, never by order. What breaks
the wire is noted as a violation of a standing check, with the lines before it, and told once, not in every case.

This module must never wait, read a clock, or decide whether a case passed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from .. import words
from ..model import Entry
from ..targets.target import Closed, Dropped, Event, Exited, Line, Overflow, Partial
from ..values import ABSENT, Absent, Number, Value, dumps
from . import eras, schemas, wire
from .owed import Due, Key, Owed, ids_in, key_of
from .pieces import Pieces, Unended
from .unasked import Unasked

KEPT_LINES: Final = 4000
KEPT_CHARACTERS: Final = 20_000
KEPT_MESSAGES: Final = 2000
KEPT_EXCERPTS: Final = 50
_ID_IS_WITHIN: Final = 2000


@dataclass(frozen=True, slots=True)
class Violation:
    """A standing check broken once: by what, seen while or after which case ran, and the lines around it."""

    check: str
    requirement: str
    pointer: str
    expected: str
    actual: str
    case: str
    excerpt: tuple[Entry, ...]


@dataclass(slots=True)
class Sent:
    """A request that awaits its reply.

    `own_id`: the case chose the id, and judges it itself. `shaped`: the revision says what a result looks like.
    """

    identity: Value
    method: str
    case: str
    own_id: bool = False
    shaped: bool = True


@dataclass(slots=True)
class Received:
    """A message that came, and how its id compares with the request that it was taken for.

    `garbled` says what is wrong with a line that is no message and can only have been meant as this reply; `unread`
    says that the line may be right, and is beyond what the kit reads.
    """

    message: wire.Message
    wanted_id: Value | Absent = ABSENT
    id_differs: bool = False
    garbled: str = ""
    unread: bool = False


@dataclass(slots=True)
class Inbox:
    """What came since the case began. `loose` are replies that answer nothing which was asked.

    `tolerated` are replies to lines that the case wrote itself; `late` are errors that may answer an earlier case.
    Of a flood of notifications or requests the last are kept; `notified` and `requested` count them all.
    """

    replies: dict[Key, Received] = field(default_factory=dict)
    loose: list[wire.Message] = field(default_factory=list)
    tolerated: list[wire.Message] = field(default_factory=list)
    late: list[wire.Message] = field(default_factory=list)
    notifications: deque[wire.Message] = field(default_factory=lambda: deque(maxlen=KEPT_MESSAGES))
    requests: deque[wire.Message] = field(default_factory=lambda: deque(maxlen=KEPT_MESSAGES))
    notified: int = 0
    requested: int = 0


class Conversation:
    """The exchange with one process at one revision."""

    def __init__(self, revision: str) -> None:
        self.revision = revision
        self.transcript: deque[Entry] = deque(maxlen=KEPT_LINES)
        self.violations: list[Violation] = []
        self.seen = 0
        self.rubbish = 0
        self.inbox = Inbox()
        self.now = 0.0
        self._case = ""
        self._next_id = 0
        self._pending: dict[Key, Sent] = {}
        self._answered: dict[Key, Sent] = {}
        self._owed = Owed()
        self._piece = b""
        self._pieces = Pieces()
        self.unended = Unended()
        self._first_line: bytes | None = None
        self.echoed = False
        self.refused = False
        self.lines = 0
        self._overflowed = False
        self.ended = ""
        self.exit: int | None = None
        self.answers: dict[str, dict[str, Value]] = {}
        self._noted = 0
        self._raw: list[bytes] = []
        self._only_one_asked = True
        self._changes_ids = False
        self._came: dict[int, tuple[Entry, ...]] = {}
        self._unasked = Unasked(revision)
        self.agreed = ""
        self._confirmed = self._served = False
        self._begun = 0

    @property
    def capabilities(self) -> dict[str, Value]:
        """What the client has declared on this process."""
        return self._unasked.client

    @capabilities.setter
    def capabilities(self, declared: dict[str, Value]) -> None:
        self._unasked.client = declared

    def begin(self, case: str) -> None:
        """A case starts: what came before, and nobody asked for, is judged now; the inbox is emptied."""
        self._settle()
        self._case = case
        self._begun = self._noted
        self._raw = []
        self._owed.next_case()
        self.lines = 0
        self.inbox = Inbox()
        self.answers = {}

    def end(self) -> None:
        """A case has ended: a reply that answers nothing and that no step looked at breaks a standing check."""
        self._settle()

    def since_begin(self) -> list[Entry]:
        """The transcript of the case that runs, or ran last; what was kept of it, where it is very long."""
        since = self._noted - self._begun
        return list(self.transcript)[-since:] if since else []

    # -- sending

    def fresh_id(self) -> Value:
        """An id that this process has not seen, from the kit or from a case."""
        self._next_id += 1
        while self.has_seen(identity := Number(str(self._next_id))):
            self._next_id += 1
        return identity

    def has_seen(self, identity: Value) -> bool:
        """Whether a request with this id was sent."""
        return key_of(identity) in self._pending or key_of(identity) in self._answered

    def request(self, identity: Value, method: str, params: Value | Absent, *, own_id: bool = False) -> bytes:
        """The line of a request, which from now on awaits a reply."""
        body: dict[str, Value] = {"jsonrpc": "2.0", "id": identity, "method": method}
        if not isinstance(params, Absent):
            body["params"] = params
        self._only_one_asked = self._only_one_asked and not self._pending and not self._answered
        shaped = eras.has_known_shape(self.revision, method, params)
        self._pending[key_of(identity)] = Sent(identity, method, self._case, own_id, shaped)
        self.inbox.replies.pop(key_of(identity), None)  # an id that is used again awaits a reply of its own
        self._unasked.revision = self.revision
        self._unasked.sent(key_of(identity), method, params)
        return self.line(dumps(body).encode("utf-8", "surrogatepass"))

    def notification(self, method: str, params: Value | Absent) -> bytes:
        """The line of a notification."""
        self._only_one_asked = False
        self._confirmed = self._confirmed or (method == "notifications/initialized" and bool(self.agreed))
        body: dict[str, Value] = {"jsonrpc": "2.0", "method": method}
        if not isinstance(params, Absent):
            body["params"] = params
        return self.line(dumps(body).encode("utf-8", "surrogatepass"))

    def raw(self, data: bytes) -> bytes:
        """Bytes that a case wrote itself; what a server may answer to them is worked out once a line is whole."""
        self._only_one_asked = False
        *lines, self._piece = (self._piece + data).split(b"\n")
        self._raw += lines or [self._piece]
        for line in lines:  # a blank one too: a server may call it unreadable
            self._owed.line(line)
        self.note(">", data[:-1] if data.endswith(b"\n") else data)
        return data

    @property
    def opened(self) -> str | None:
        """The revision at which the process is open; the empty text where it is not yet, None in the midst of it."""
        if self.agreed:
            return self.agreed if self._confirmed else None
        if not self._served:
            return ""
        return self.revision if eras.is_stateless(self.revision) else None

    @property
    def wrote_malformed(self) -> bool:
        """Whether the case that runs has sent a line that is no right message."""
        arrays = eras.allows_arrays(self.revision)
        return not all(wire.is_faultless(line, arrays=arrays) for line in self._raw)

    def input_ended(self) -> None:
        """Nothing more is sent: what has no line feed is a line as well."""
        if self._piece.strip():
            self._owed.line(self._piece)
        self._piece = b""

    def line(self, data: bytes) -> bytes:
        """A whole line that is sent."""
        self._first_line = self._first_line or data
        self.note(">", data)
        return data + b"\n"

    def is_pending(self, identity: Value) -> bool:
        """Whether a request still awaits its reply."""
        return key_of(identity) in self._pending

    def was_answered(self, identity: Value | Absent) -> bool:
        """Whether a request with this id has had its reply."""
        return key_of(identity) in self._answered

    def reply_to(self, identity: Value) -> Received | None:
        """The reply to a request of the case that runs, if it has come."""
        return self.inbox.replies.get(key_of(identity))

    def forget(self, identity: Value) -> None:
        """Await a request no longer; a reply may still come and is no violation (it was cancelled, or gave up on)."""
        sent = self._pending.pop(key_of(identity), None)
        if sent is not None:
            self._owed.given_up(key_of(identity))

    # -- receiving

    def take(self, event: Event) -> list[bytes]:
        """Note what the target did; answers the lines that the client owes for it."""
        if isinstance(event, Line):
            return self.feed(event.data)
        if isinstance(event, Partial):
            self.note("<", event.data)
            if event.cut:
                return []
            shown = f"the output ended with {len(event.data)} bytes without one"
            self._violate("framing", "MCP-STDIO-002", "", "a line feed after every message", shown)
        elif isinstance(event, Overflow):
            shown = f"{event.size} bytes without a line feed"
            self.note("!", f"a line of more than {event.size} bytes")
            self._violate("framing", "MCP-STDIO-002", "", "lines that end", shown)
            self.ended = f"wrote {shown}"
            self._overflowed = True
        elif isinstance(event, Closed):
            self.flush()
            self.note("!", "the target closed its standard output")
            self.ended = self.ended or "closed its standard output"
        elif isinstance(event, Dropped):
            self.note("!", f"{event.size} bytes that came while the target was being stopped were not read")
        elif isinstance(event, Exited):
            self.exit = event.code
            self.note("!", f"the target {words.how_it_ended(event.code)}")
            if not self._overflowed:  # then it was the kit that ended it
                self.ended = words.how_it_ended(event.code)
        return []

    def feed(self, data: bytes) -> list[bytes]:
        """Judge a line of the target; answers the lines that the client owes for it."""
        self.lines += 1
        if not data and self.rubbish >= KEPT_MESSAGES:
            self.rubbish += 1  # a flood of blank lines has been told of
            return []
        self.note("<", data)
        if not self.seen and data == self._first_line:
            self.echoed = True  # later a request of the server's own may well be spelt like one of ours
        reading = wire.read(data, arrays=eras.allows_arrays(self.revision))
        if not reading.messages and any(fault.check == "framing" for fault in reading.faults):
            reading = self._pieces.take(data, reading)
        else:
            self.flush()
        self._note_faults(reading.faults)
        if not reading.messages:
            self.rubbish += 1
            self._garbled(data, reading)
        answers = []
        for message in reading.messages:
            self.seen += 1
            self._note_faults(message.faults)
            if message.kind == "reply":
                self._reply(message)
            elif message.kind == "notification":
                self._judge_shape(message)
                self._note_faults(self._unasked.notification(message))
                self.inbox.notified += 1
                self.inbox.notifications.append(message)
            elif message.kind == "request":
                self._judge_shape(message)
                self.inbox.requested += 1
                self.inbox.requests.append(message)
                answers.append(self._answer(message))
        return answers

    def nothing_more(self, unfinished: bytes) -> None:
        """A wait is over, and these bytes stand behind the last line feed: what they hold was not ended in time."""
        if self.unended.take(unfinished):
            self.note("<", unfinished)
            self.note("!", "no line feed came behind that")
            self._note_faults(self.unended.faults)

    def note(self, direction: str, text: bytes | str) -> None:
        """Write a line to the transcript, cut in the middle where it is very long."""
        if isinstance(text, bytes):
            cut = text if len(text) <= KEPT_CHARACTERS else text[: KEPT_CHARACTERS // 2]
            shown = cut.decode("utf-8", "backslashreplace")
            if cut is not text:
                tail = text[-KEPT_CHARACTERS // 4 :].decode("utf-8", "backslashreplace")
                shown = f"{shown} …[{len(text)} bytes in all]… {tail}"
        else:
            shown = text
        self._noted += 1
        self.transcript.append(Entry(round(self.now, 6), direction, shown))

    # -- the wire's own rules

    def _reply(self, message: wire.Message) -> None:
        key = key_of(message.id)
        sent = self._pending.pop(key, None)
        self._served = self._served or not message.is_error
        if sent is not None:
            self._answered[key] = sent
            self.inbox.replies[key] = Received(message, sent.identity)
            self._unasked.answered(key, sent.method, message.body.get("result", ABSENT))
            self._judge_shape(message, sent)
            return
        due = self._owed.takes(message)
        if due is not None:
            if due is not Due.EARLIER:
                (self.inbox.tolerated if due is Due.NOW else self.inbox.late).append(message)
            return
        wanted = self._twin(message)
        if wanted is None and (self._only_one_asked or self._changes_ids):
            wanted = self._only_pending(message)
        if wanted is None:
            self._keep_loose(message)
        else:
            self._take_for(message, wanted)

    def make_do(self) -> bool:
        """Nothing more comes: take the one reply that answers nothing for the one request that has none.

        Only now, since as long as the right reply may come, such a reply may as well answer what must not be answered.
        """
        if len(self.inbox.loose) != 1:
            return False
        wanted = self._only_pending(self.inbox.loose[0])
        if wanted is None:
            return False
        self._take_for(self.inbox.loose.pop(), wanted)
        return True

    def _take_for(self, message: wire.Message, wanted: Sent) -> None:
        self._changes_ids = True  # seen once, it is not waited for again
        key = key_of(wanted.identity)
        del self._pending[key]
        self._answered[key] = wanted
        self.inbox.replies[key] = Received(message, wanted.identity, id_differs=True)
        if not wanted.own_id:
            expected, actual = words.describe(wanted.identity), words.describe(message.id)
            self._violate("reply-id", "MCP-BASE-002", "/id", expected, actual)
        self._unasked.answered(key, wanted.method, message.body.get("result", ABSENT))
        self._judge_shape(message, wanted)

    def _judge_shape(self, message: wire.Message, sent: Sent | None = None) -> None:
        """Hold a message against the schema of the revision that was agreed on; `sent` is the request of a reply."""
        method = "" if sent is None else sent.method
        result = message.body.get("result")
        if method == "initialize" and isinstance(result, dict) and result.get("protocolVersion") in eras.HANDSHAKE:
            self.agreed = str(result["protocolVersion"])
        if self.echoed or (sent is not None and not sent.shaped):
            return
        for fault in schemas.problems(self.agreed or self.revision, message, method):
            case = "" if sent is None else sent.case
            self._violate(fault.check, fault.requirement, fault.pointer, fault.expected, fault.actual, case=case)

    def _garbled(self, data: bytes, reading: wire.Reading) -> None:
        """See which request a line without a message was meant to answer, so that nobody waits for that in vain."""
        why = reading.unread or next((fault.actual for fault in reading.faults if fault.check == "framing"), "")
        ends = data if len(data) <= 2 * _ID_IS_WITHIN else data[:_ID_IS_WITHIN] + b" " + data[-_ID_IS_WITHIN:]
        if not why or not ends.lstrip().startswith(b"{") or not (b'"result"' in ends or b'"error"' in ends):
            return
        keys = {key for key in ids_in(ends.decode("utf-8", "replace")) if key in self._pending}
        if len(keys) == 1:
            key = keys.pop()
            sent = self._answered[key] = self._pending.pop(key)
            message = wire.Message("other", {}, sent.identity)
            self.inbox.replies[key] = Received(message, sent.identity, garbled=why, unread=bool(reading.unread))

    def _twin(self, message: wire.Message) -> Sent | None:
        """The request whose id is spelt like that of a reply and is of another type: 7 and "7"."""
        spelt = _spelling(message.id)
        if spelt is None or key_of(message.id) in self._answered:
            return None
        twins = [sent for sent in self._pending.values() if _spelling(sent.identity) == spelt]
        return twins[0] if len(twins) == 1 else None

    def _only_pending(self, message: wire.Message) -> Sent | None:
        if len(self._pending) != 1 or key_of(message.id) in self._answered:
            return None
        return next(iter(self._pending.values()))

    def _keep_loose(self, message: wire.Message) -> None:
        if len(self.inbox.loose) >= KEPT_MESSAGES:
            self.stray(message)
            return
        self.inbox.loose.append(message)
        if len(self._came) < KEPT_EXCERPTS:
            self._came[id(message)] = self._excerpt()

    def _stray_breaks(self) -> str:
        """Which requirement a stray reply breaks: that on unreadable lines where the case sent lines of its own."""
        return "MCP-BASE-013" if self._raw else "MCP-BASE-010"

    def _settle(self) -> None:
        for message in self.inbox.loose:
            self.stray(message)
        self.inbox.loose.clear()
        self._came.clear()

    def stray(self, message: wire.Message) -> None:
        """Note a reply that answers nothing."""
        twice = self._answered.get(key_of(message.id))
        if twice is not None:
            shown = f"a second reply to {twice.method} (id {dumps(twice.identity)})"
            expected = f"one reply to {twice.method}"
            self._violate("one-reply", "MCP-BASE-005", "", expected, shown, case=twice.case, about=message)
        else:
            shown = f"{'an error' if message.is_error else 'a result'} with id {words.describe(message.id)}"
            expected = "no reply that no request asked for"
            self._violate("stray-reply", self._stray_breaks(), "", expected, shown, about=message)

    def _answer(self, message: wire.Message) -> bytes:
        if not self.echoed:
            self._note_faults(self._unasked.request(message))
        identity = None if isinstance(message.id, Absent) else message.id
        members = self.answers.get(message.method) or eras.answer(message.method, self.capabilities)
        body: dict[str, Value] = {"jsonrpc": "2.0", "id": identity} | members
        return self.line(dumps(body).encode("utf-8", "surrogatepass"))

    def flush(self) -> None:
        """Lines that were held back since they might be one message together, and are not: judge the first."""
        self._note_faults(self._pieces.drop())

    def _note_faults(self, faults: Iterable[wire.Fault]) -> None:
        for fault in faults:
            self._violate(fault.check, fault.requirement, fault.pointer, fault.expected, fault.actual)

    def _violate(
        self,
        check: str,
        requirement: str,
        pointer: str,
        expected: str,
        actual: str,
        *,
        case: str = "",
        about: wire.Message | None = None,
    ) -> None:
        """Note a violation, with the lines up to the message it is about, or up to now."""
        if len(self.violations) < KEPT_MESSAGES:
            excerpt: tuple[Entry, ...] = ()
            if len(self.violations) < KEPT_EXCERPTS:
                excerpt = self._came.get(id(about)) or self._excerpt()
            broken = Violation(check, requirement, pointer, expected, actual, case or self._case, excerpt)
            self.violations.append(broken)

    def _excerpt(self) -> tuple[Entry, ...]:
        return tuple(self.transcript)[-8:]


def _spelling(identity: Value | Absent) -> str | None:
    if isinstance(identity, str):
        return identity.strip()
    return identity.text if isinstance(identity, Number) else None
