"""A case played on a conversation, step by step: actions out, events in. Sans I/O.

`play` is a generator. It yields what is to be done (Send, CloseStdin, Arm, Wait), and gets an event for each Wait; its
value is what came of the case. The driver owns the clock: Arm starts the time for the waits that follow.

This module must never read a clock, sleep, or know whether a target is a process.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from . import callview, words
from .casefile import cases
from .casefile import format as layout
from .matching import matching
from .model import Case, Location, Mismatch, Node, Step
from .protocol import eras, schemas, wire
from .protocol.conversation import Conversation
from .targets.target import Closed, Deadline, Event, Exited
from .values import ABSENT, Absent, Number, Value, dumps

LAST_WORD: Final = 0.25
"""How long an exit may come after the end of the output and still be told as the reason, in seconds."""


@dataclass(slots=True)
class Send:
    """Write these bytes to the target."""

    data: Final[bytes]


@dataclass(frozen=True, slots=True)
class CloseStdin:
    """End the target's input."""


@dataclass(frozen=True, slots=True)
class Arm:
    """From now on, the waits together may take this many seconds."""

    seconds: float


@dataclass(slots=True)
class Wait:
    """Give the next event, or Deadline when the armed time is over."""


Action: TypeAlias = Send | CloseStdin | Arm | Wait
Script: TypeAlias = Generator[Action, "Event | None", bool]


@dataclass(slots=True)
class Played:
    """What came of a case. `hung`: a reply did not come in time. `errors`: the case itself cannot be played.

    `unread`: why a reply that may be right cannot be judged. `missing`: what a `given` of the case builds on and the
    target lacks, so that the case shows nothing about it. `broken`: the requirements that the mismatches break, where
    those are not all that the case shows. `diff`: the mismatches line by line, as a unified diff. `answers`: it hung,
    and then the target still answered another request.
    """

    mismatches: list[Mismatch] = field(default_factory=list)
    hung: bool = False
    errors: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    unread: str = ""
    missing: Mismatch | None = None
    broken: tuple[str, ...] = ()
    diff: str = ""
    answers: bool = False

    @property
    def ok(self) -> bool:
        """Whether everything that the case expects was seen."""
        return not (self.mismatches or self.errors or self.unread)


def play(
    case: Case, talk: Conversation, timeout: float, barrier: str, folder: str | None = None
) -> Generator[Action, Event | None, Played]:
    """Play the steps of a case; a step that does not hold ends it. The steps behind them are played all the same.

    What those show counts only where nothing was amiss before. `folder` is the path of the process's own folder.
    """
    metadata = eras.with_metadata(talk.revision, None, talk.capabilities)
    shapes = functools.partial(schemas.named, talk.revision)
    scope = matching.Scope(row=case.row, schema=shapes, barrier=barrier, metadata=metadata, folder=folder)
    player = Player(talk, timeout, barrier, scope)
    for step in case.all_steps:
        if step.kind == "server_request" and (answer := step.args.get("answer")) is not None:
            built = matching.build(answer, player.scope)
            if isinstance(built, dict):
                talk.answers[str(matching.build(step.args.items["method"], player.scope))] = built
    yield from _through(player, (*case.before, *case.steps))
    played = player.played
    if case.after and not (played.hung or talk.ended):
        player.played = played if played.ok else Played()
        yield from _through(player, case.after)
        played.hung = played.hung or player.played.hung
    played.names = list(player.scope.names)
    return played


def _through(player: Player, steps: tuple[Step, ...]) -> Generator[Action, Event | None, None]:
    for step in steps:
        try:
            held = yield from player.step(step)
        except matching.CaseError as error:
            player.played.errors.append(str(error))
            held = False
        if not held:
            return
    player.check_optionals()


def last_word(talk: Conversation) -> Generator[Action, Event | None, None]:
    """After the end of the output: see for a moment whether the target ends as well, and how."""
    yield Arm(LAST_WORD)
    while talk.exit is None:
        event = yield Wait()
        if event is None or isinstance(event, Deadline):
            return
        for answer in talk.take(event):
            yield Send(answer)


class Player:
    """The state of a case while it is played."""

    def __init__(self, talk: Conversation, timeout: float, barrier: str, scope: matching.Scope) -> None:
        self.talk = talk
        self.timeout = timeout
        self.barrier = barrier
        self.scope = scope
        self.played = Played()
        self._optionals: list[Node] = []
        self._open: list[Node] = []
        self._strays = 0

    def step(self, step: Step) -> Script:
        """Play one step; the value says whether it held."""
        handler = _STEPS[step.kind]
        return self._blaming(step, handler(self, step))

    def _blaming(self, step: Step, script: Script) -> Script:
        """The script, with what it finds put down to the requirements of the step, where it names some."""
        covers = step.args.get("covers") if step.kind in layout.BLAMING else None
        return script if covers is None else self._put_down(covers, script)

    def _put_down(self, covers: Node, script: Script) -> Script:
        before = len(self.played.mismatches) - self._strays  # an optional step before it is not its own
        held = yield from script
        if len(self.played.mismatches) - self._strays > before:
            self.played.broken = tuple(str(name.value) for name in covers.elements)
        return held

    # -- steps

    def request(self, step: Step) -> Script:
        """A request, and its reply."""
        line, identity = self._request_line(step)
        yield Send(line)
        return (yield from self._reply(step, identity))

    def notify(self, step: Step) -> Script:
        """A notification; nothing is awaited."""
        yield Send(self._notify_line(step))
        return True

    def send_line(self, step: Step) -> Script:
        """Text as it is, and a line feed."""
        text = matching.build(step.args, self.scope)
        yield Send(self.talk.raw(str(text).encode("utf-8", "surrogatepass") + b"\n"))
        return True

    def send_bytes(self, step: Step) -> Script:
        """Bytes as they are, given in hex."""
        text = matching.build(step.args, self.scope)
        yield Send(self.talk.raw(bytes.fromhex(str(text))))
        return True

    def optional(self, step: Step) -> Script:
        """What may come without having been asked for; looked at when the next reply is there."""
        self._optionals.append(step.args)
        return True
        yield Wait()  # a generator, like every step

    def reply(self, step: Step) -> Script:
        """A reply to a line that the case wrote itself."""
        found: list[wire.Message] = []

        def came() -> bool:
            found[:] = self._unasked(step.args)
            return bool(found)

        if not (yield from self._until(came)):
            found = self._unasked(step.args) or self.talk.inbox.loose[:1]
        self.played.hung = False  # silence about such a line is no sign that the target hangs
        if not found:
            return self._nothing_came("a reply", step.at)
        self._drop(found[0])
        return self._compare(step.args, found[0].body)

    def silence(self, step: Step) -> Script:
        """No reply before that of a barrier request, and none of the methods that are named."""
        if not (yield from self._pass_barrier(step.at)):
            return False
        inbox = self.talk.inbox
        # A second reply to a request is told by session/one-reply, and not by each case that is silent after it.
        for message in [message for message in inbox.loose if not self.talk.was_answered(message.id)]:
            self._mismatch("", "no reply", f"the reply {_shorten(dumps(message.body))}", step.at)
            inbox.loose.remove(message)
        unwanted = step.args.get("no")
        names = [str(node.value) for node in unwanted.elements] if unwanted is not None else []
        for message in (*inbox.notifications, *inbox.requests):
            if message.method in names:
                self._mismatch("", f"no {message.method}", _shorten(dumps(message.body)), step.at)
        return self.played.ok

    def notification(self, step: Step) -> Script:
        """A notification of the server that came since the case began, or comes in time."""
        return (yield from self._from_server(step, "notification"))

    def server_request(self, step: Step) -> Script:
        """A request of the server, likewise."""
        return (yield from self._from_server(step, "request"))

    def together(self, step: Step) -> Script:
        """Several messages written at once; their replies come in any order."""
        lines = []
        awaited: list[tuple[Step, Value]] = []
        for inner in map(cases.as_step, step.args.elements):
            if inner.kind == "notify":
                lines.append(self._notify_line(inner))
            else:
                line, identity = self._request_line(inner)
                lines.append(line)
                awaited.append((inner, identity))
        yield Send(b"".join(lines))
        for inner, identity in awaited:
            if not (yield from self._blaming(inner, self._reply(inner, identity))):
                return False
        return True

    def close_stdin(self, step: Step) -> Script:  # noqa: ARG002 - every step has this shape
        """End of input."""
        self.talk.note("!", "the kit closed the target's standard input")
        self.talk.input_ended()
        yield CloseStdin()
        return True

    def expect_exit(self, step: Step) -> Script:
        """The process ends by itself."""
        if not (yield from self._until(lambda: self.talk.exit is not None, through_end=True)):
            return self._mismatch("", "the target to end by itself", f"it still ran after {self.timeout:g} s", step.at)
        code = step.args.get("code")
        return code is None or self._compare(code, Number(str(self.talk.exit)), pointer="/exit-status")

    # -- parts of steps

    def _request_line(self, step: Step) -> tuple[bytes, Value]:
        fields = step.args
        own = fields.get("id")
        given = ABSENT if own is None else matching.build(own, self.scope)
        identity = self.talk.fresh_id() if isinstance(given, Absent) else given
        method, params = self._method_and_params(step)
        if (
            method == "initialize"
            and isinstance(params, dict)
            and isinstance(declared := params.get("capabilities"), dict)
        ):
            self.talk.capabilities = declared
        return self.talk.request(identity, method, params, own_id=not isinstance(given, Absent)), identity

    def _method_and_params(self, step: Step) -> tuple[str, Value | Absent]:
        fields = step.args
        params: Value | Absent = ABSENT
        if step.kind == "call":
            method = "tools/call"
            members: dict[str, Value] = {}
            for key, name in (("tool", "name"), ("arguments", "arguments"), ("meta", "_meta")):
                node = fields.get(key)
                if node is not None and not (key == "meta" and node.value == "none"):
                    built = matching.build(node, self.scope)
                    if not isinstance(built, Absent):
                        members[name] = built
            params = members
        else:
            method_node, params_node = fields.items["method"], fields.get("params")
            method = str(matching.build(method_node, self.scope))
            if params_node is not None:
                params = matching.build(params_node, self.scope)
        meta = fields.get("meta")
        if (
            step.kind != "notify"
            and not (meta is not None and meta.value == "none")
            and isinstance(params, dict | Absent)
        ):
            given = None if isinstance(params, Absent) else params
            added = eras.with_metadata(self.talk.revision, given, self.talk.capabilities)
            params = ABSENT if added is None else added
        return method, params

    def _notify_line(self, step: Step) -> bytes:
        method, params = self._method_and_params(step)
        return self.talk.notification(method, params)

    def _reply(self, step: Step, identity: Value) -> Script:
        if not (yield from self._until(lambda: self.talk.reply_to(identity) is not None)):
            method = step.args.get("method")
            what = "the call" if method is None else str(matching.build(method, self.scope))
            self.talk.forget(identity)
            return self._nothing_came(f"a reply to {what} (id {_shorten(dumps(identity), 60)})", step.at)
        received = self.talk.reply_to(identity)
        assert received is not None
        self.check_optionals()
        if received.unread:
            self.played.unread = f"a reply cannot be judged: {received.garbled}"
            return False
        if received.garbled:
            return self._mismatch("", "a reply", f"a line that is no message: {received.garbled}", step.at)
        if received.id_differs and step.args.get("id") is not None:
            self._mismatch("/id", words.describe(identity), words.describe(received.message.id), step.at)
        given = step.args.get("given")
        if given is not None and self.played.ok:
            gaps = matching.match(given, received.message.body, self.scope)
            if gaps:
                self.played.missing = gaps[0]
                return False
        expect = step.args.get("expect")
        if expect is None:
            return self.played.ok
        view: Value = received.message.body if step.kind == "request" else callview.view(received.message.body, expect)
        return self._compare(callview.expectation(expect) if step.kind == "call" else expect, view) and self.played.ok

    def _pass_barrier(self, at: Location) -> Script:
        identity = self.talk.fresh_id()
        params = eras.with_metadata(self.talk.revision, None, self.talk.capabilities)
        yield Send(self.talk.request(identity, self.barrier, ABSENT if params is None else params))
        if not (yield from self._until(lambda: self.talk.reply_to(identity) is not None)):
            self.talk.forget(identity)
            if self.talk.wrote_malformed:  # whether a target lives on after that is asked by cases of their own
                how = self.talk.ended or "answered no more"
                self.played.unread = f"silence shows nothing: after a malformed line the target {how}"
                return False
            return self._nothing_came(
                f"a reply to {self.barrier} (id {dumps(identity)}), which was sent as a barrier", at
            )
        self.check_optionals()
        return self.played.ok

    def _from_server(self, step: Step, what: str) -> Script:
        inbox = self.talk.inbox
        box = inbox.notifications if what == "notification" else inbox.requests
        wanted = Node({key: node for key, node in step.args.items.items() if key != "answer"}, step.at, step.args.keys)
        tried = 0

        def came() -> bool:
            nonlocal tried
            total = inbox.notified if what == "notification" else inbox.requested
            fresh, tried = list(box)[max(0, len(box) - (total - tried)) :], total
            return any(not matching.match(wanted, message.body, self.scope) for message in fresh)

        if (yield from self._until(came)):
            return True
        method = step.args.items["method"].plain()
        alike = [_shorten(dumps(message.body)) for message in box if message.method == method]
        came_instead = f"; instead: {alike[0]}" if alike else ""
        self.played.hung = False
        if self.talk.ended:
            actual = f"none: the target {self.talk.ended}{came_instead}"
            return self._mismatch("", f"a {what} {method} that fits", actual, step.at)
        return self._mismatch(
            "", f"a {what} {method} that fits within {self.timeout:g} s", f"none{came_instead}", step.at
        )

    def check_optionals(self) -> None:
        """Hold what came unasked against the optional steps before it; none at all is as good as a fitting one.

        Replies may overtake each other, the barrier's too: what comes now may answer a line that had no answer before.
        """
        inbox = self.talk.inbox
        boxes = (inbox.tolerated, inbox.late, inbox.loose)
        without = [wanted for wanted in self._optionals if not self._take(wanted, self.scope, *boxes)]
        self._optionals.clear()
        self._open = [wanted for wanted in self._open if not self._take(wanted, self.scope.copy(), inbox.tolerated)]
        for wanted in without:
            if box := inbox.tolerated or inbox.loose:
                before = len(self.played.mismatches)
                self._compare(wanted, box.pop(0).body)
                self._strays += len(self.played.mismatches) - before
            else:
                self.scope.names.append("no answer")
                self._open.append(wanted)

    def _take(self, wanted: Node, scope: matching.Scope, *boxes: list[wire.Message]) -> bool:
        """Take the first of these replies that fits, if there is one."""
        for box in boxes:
            for message in box:
                if matching.holds(wanted, message.body, scope):
                    box.remove(message)
                    return True
        return False

    def _unasked(self, wanted: Node) -> list[wire.Message]:
        """The reply to a line of the case, if there is one; an error that may answer an earlier case's has to fit."""
        inbox, scope = self.talk.inbox, self.scope
        return inbox.tolerated[:1] or [e for e in inbox.late if not matching.match(wanted, e.body, scope.copy())][:1]

    def _drop(self, message: wire.Message) -> None:
        inbox = self.talk.inbox
        for box in (inbox.tolerated, inbox.late, inbox.loose):
            box[:] = [each for each in box if each is not message]

    def _until(self, done: Callable[[], bool], *, through_end: bool = False) -> Script:
        yield Arm(self.timeout)
        while not done():
            if self.talk.exit is not None:
                return False
            if self.talk.ended and not through_end:
                yield from last_word(self.talk)
                return False
            event = yield Wait()
            if event is None or isinstance(event, Deadline):
                if self.talk.make_do() and done():
                    return True
                self.talk.note("!", f"nothing more came within {self.timeout:g} s")
                self.played.hung = not through_end
                return False
            for answer in self.talk.take(event):
                yield Send(answer)
            if isinstance(event, Closed | Exited) and done():
                return True
        return True

    def _nothing_came(self, expected: str, at: Location) -> bool:
        after = " after a malformed line" if self.talk.wrote_malformed else ""
        if self.talk.ended:
            return self._mismatch("", expected, f"none{after}: the target {self.talk.ended}", at)
        if self.talk.refused:
            actual = "none: the target closed its standard input, and still ran"
            return self._mismatch("", expected, actual, at)
        came = f", though {words.count(self.talk.lines, 'other line')} came" if self.talk.lines else ""
        actual = f"none{after}{came}{self.talk.unended.words}, and the target still ran"
        return self._mismatch("", f"{expected} within {self.timeout:g} s", actual, at)

    def _compare(self, wanted: Node, value: Value | Absent, pointer: str = "") -> bool:
        found = matching.match(wanted, value, self.scope, pointer)
        self.played.mismatches.extend(found)
        return not found

    def _mismatch(self, pointer: str, expected: str, actual: str, at: Location) -> bool:
        self.played.mismatches.append(Mismatch(pointer, expected, actual, at))
        return False


def _shorten(text: str, most: int = 300) -> str:
    return text if len(text) <= most else f"{text[: most // 2]} …[{len(text)} characters]… {text[-most // 4 :]}"


_STEPS: Final[dict[str, Callable[[Player, Step], Script]]] = {
    "request": Player.request,
    "call": Player.request,
    "notify": Player.notify,
    "send_line": Player.send_line,
    "send_bytes": Player.send_bytes,
    "optional": Player.optional,
    "reply": Player.reply,
    "silence": Player.silence,
    "notification": Player.notification,
    "server_request": Player.server_request,
    "together": Player.together,
    "close_stdin": Player.close_stdin,
    "expect_exit": Player.expect_exit,
}
