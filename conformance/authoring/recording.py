"""Lines that passed between a client and a server, to a case that plays the client's part again. No I/O.

Ids are left to the kit, but for those that a cancel names. Requests that were open at the same time become `together`.
This module must never take a line apart that the client sent as no message, and never leave a secret in.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from ..casefile import yamlwrite
from ..casefile.format import VERSION
from ..protocol import eras, wire
from ..protocol.owed import Key, key_of
from ..values import ABSENT, Absent, Number, Value, dumps
from . import volatile

LIMIT: Final = 400
"""Steps of one case; what comes after is left out, and the file says so."""

Object = dict[str, Value]

_RAW: Final = frozenset({"send_line", "send_bytes"})


@dataclass(frozen=True, slots=True)
class Passed:
    """One line that passed: `>` from the client, `<` from the server, without its line feed."""

    direction: str
    data: bytes


@dataclass(slots=True)
class Open:
    """A request of the client with its reply, and the step that it becomes."""

    body: Object
    reply: Object | None = None


@dataclass(slots=True)
class Group:
    """What the client sent while one of its requests was open, and what the server said of its own meanwhile."""

    sent: list[Open | Object | bytes] = field(default_factory=list)
    came: list[Object] = field(default_factory=list)


@dataclass(slots=True)
class Recording:
    """The lines of one session, put in order: groups of what was sent, and the client's answers by the server's ids."""

    groups: list[Group] = field(default_factory=list)
    answers: dict[Key, Object] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    revision: str = ""
    stateless: bool = False
    _open: dict[Key, Open] = field(default_factory=dict)
    _named: set[Key] = field(default_factory=set)
    _sent_later: list[str] = field(default_factory=list)
    _kept: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, lines: Iterable[Passed]) -> Recording:
        """Put lines in order."""
        recording = cls()
        for line in lines:
            if line.direction == ">":
                recording.client(line.data)
            else:
                recording.server(line.data)
        return recording

    # -- taking lines

    def client(self, data: bytes) -> None:
        """A line of the client's."""
        if not data.strip():
            return
        message = _message(data)
        if message is None:
            self._group().sent.append(data)
        elif message.kind == "reply":
            self.answers[key_of(message.id)] = message.body
        elif message.kind == "request":
            opened = Open(message.body)
            self._group().sent.append(opened)
            self._open[key_of(message.id)] = opened
            self._note_strings(message.body.get("params"))
        else:
            self._group().sent.append(message.body)
            params = message.body.get("params")
            if message.method == "notifications/cancelled" and isinstance(params, dict) and "requestId" in params:
                self._named.add(key_of(params["requestId"]))
                self._open.pop(key_of(params["requestId"]), None)

    def server(self, data: bytes) -> None:
        """A line of the server's."""
        message = _message(data)
        if message is None:
            return
        if message.kind == "reply":
            opened = self._open.pop(key_of(message.id), None)
            if opened is not None:
                opened.reply = message.body
                if opened.body["method"] == "initialize":
                    self._learn(message.body)
            elif self.groups:
                self.groups[-1].came.append(message.body)
        elif self.groups:
            self.groups[-1].came.append(message.body)

    def _group(self) -> Group:
        opening = any(one.body["method"] == "initialize" for one in self._open.values())
        if not self.groups or not self._open or opening:
            self.groups.append(Group())
        return self.groups[-1]

    def _learn(self, body: Object) -> None:
        result = body.get("result")
        version = result.get("protocolVersion") if isinstance(result, dict) else None
        self.revision = version if isinstance(version, str) else ""

    def _note_strings(self, value: Value | None) -> None:
        if isinstance(value, dict):
            for member in value.values():
                self._note_strings(member)
        elif isinstance(value, list):
            for element in value:
                self._note_strings(element)
        elif isinstance(value, str):
            self._sent_later.append(value)

    # -- giving a case

    def text(self, area: str, schema: str) -> str:
        """The case file; empty where the client sent nothing."""
        steps = self._steps()
        if not steps:
            return ""
        opens = any(isinstance(one, Open) and one.body["method"] == "initialize" for one in self._sent())
        case: Object = {"title": "the server answers as it did when this was recorded"}
        if opens:
            case["opening"] = "none"
        case["steps"] = list(steps)
        window = {"until": eras.HANDSHAKE[0]} if opens else {"since": eras.STATELESS[0]} if self.stateless else {}
        lines = [
            f"# yaml-language-server: $schema={schema}",
            "# Recorded by mcp-tck record. Read it before you keep it.",
        ]
        lines += [f"# {remark}" for remark in dict.fromkeys(self.remarks)]
        lines += [f"format: {VERSION}", f"area: {area}"]
        if window:
            lines.append(f"revisions: {yamlwrite.flow(dict(window))}")
        return "\n".join([*lines, "cases:", "", yamlwrite.case("recorded", case)])

    def _sent(self) -> Iterable[Open | Object | bytes]:
        return (one for group in self.groups for one in group.sent)

    def _steps(self) -> list[Value]:
        steps: list[Value] = []
        for group in self.groups:
            made = [step for one in group.sent if (step := self._step(one)) is not None]
            kinds = [next(iter(step)) for step in made if isinstance(step, dict)]
            raw = not _RAW.isdisjoint(kinds)
            if not raw and sum(kind != "notify" for kind in kinds) > 1:
                steps.append({"together": list[Value](made)})
            else:
                steps += made
            steps += self._said(group)
            if len(steps) > LIMIT:
                self.remarks.append(f"The session went on after {LIMIT} steps; the rest is left out.")
                return steps[:LIMIT]
        return steps

    def _step(self, one: Open | Object | bytes) -> Value:
        if isinstance(one, bytes):
            return self._raw(one)
        if isinstance(one, Open):
            return self._request(one)
        notify: Object = {"method": one["method"]}
        params = self._sending(one.get("params", ABSENT))
        if not isinstance(params, Absent):
            notify["params"] = params
        return {"notify": notify}

    def _raw(self, data: bytes) -> Value:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            return {"send_bytes": (data + b"\n").hex(" ")}
        return {"send_line": volatile.redact(text, self._redacted)}

    def _request(self, one: Open) -> Value:
        body = one.body
        method = body["method"]
        given = body.get("params", ABSENT)
        params = self._sending(given)
        step: Object
        own: Object = {"id": body["id"]} if key_of(body["id"]) in self._named else {}
        plain = isinstance(params, dict) and params.keys() <= {"name", "arguments", "_meta"} and not own
        if method == "tools/call" and plain and isinstance(params, dict) and isinstance(params.get("name"), str):
            call: Object = {"tool": params["name"]}
            call |= {
                key: params[name] for name, key in (("arguments", "arguments"), ("_meta", "meta")) if name in params
            }
            step = {"call": call}
            wanted = self._call_expectation(one.reply)
        else:
            request: Object = {"method": method}
            if not isinstance(params, Absent):
                request["params"] = params
            step = {"request": {**request, **own}}
            wanted = self._expectation(method, one.reply)
        if one.reply is None:
            if own:
                return self._unanswered(step)
            self.remarks.append(f"{method} was not answered while this was recorded, and is left out.")
            return None
        return {**step, "expect": wanted} if wanted else step

    def _unanswered(self, step: Object) -> Value:
        """A request that was cancelled, and rightly not answered, cannot be a step that awaits a reply."""
        request = step["request"]
        assert isinstance(request, dict)
        line: Object = {"jsonrpc": "2.0", "id": request["id"], "method": request["method"]}
        if "params" in request:
            line["params"] = request["params"]
        return {"send_line": dumps(line)}

    def _sending(self, params: Value | Absent) -> Value | Absent:
        """Params as they are sent again: fresh values for those that the server made up, and no secrets."""
        if isinstance(params, Absent):
            return params
        if isinstance(params, dict) and isinstance(meta := params.get("_meta"), dict):
            ours = {name for name in meta if name.startswith("io.modelcontextprotocol/")}
            self.stateless = self.stateless or bool(ours)
            left = {name: member for name, member in meta.items() if name not in ours}
            params = {name: member for name, member in params.items() if name != "_meta"} | (
                {"_meta": left} if left else {}
            )
            if not params:
                return ABSENT
        return self._template(volatile.redact(params, self._redacted))

    def _template(self, value: Value) -> Value:
        if isinstance(value, dict):
            if any(name.startswith("$") for name in value):
                return {"$literal": value}
            return {name: self._template(member) for name, member in value.items()}
        if isinstance(value, list):
            return [self._template(element) for element in value]
        if isinstance(value, str) and value in self._kept:
            return {"$var": self._kept[value]}
        return value

    def _redacted(self, name: str) -> None:
        self.remarks.append(
            f"A secret was taken out ({name}): put something harmless in its place, or the call may fail."
        )

    def _keep(self, value: str, key: str) -> str | None:
        if value in self._kept or not volatile.is_made_up(value, key) or value not in self._sent_later:
            return None
        self._kept[value] = f"{key or 'value'}-{len(self._kept) + 1}".replace(".", "-")
        return self._kept[value]

    # -- what came

    def _expectation(self, method: Value, reply: Object | None) -> Value:
        if reply is None:
            return None
        error, result = reply.get("error"), reply.get("result")
        if error is not None:
            return {"error": {"code": error["code"]}} if isinstance(error, dict) and "code" in error else {"error": {}}
        if method == "initialize" and isinstance(result, dict):
            server = result.get("serverInfo")
            kept: Object = {key: member for key, member in result.items() if key not in {"serverInfo", "_meta"}}
            if isinstance(server, dict) and "name" in server:
                kept["serverInfo"] = {"name": server["name"]}
            result = kept
        if method == "ping" or not result:
            return {"result": result if isinstance(result, dict) else {}}
        return {"result": volatile.Expecter(self._keep).value(result)}

    def _call_expectation(self, reply: Object | None) -> Value:
        if reply is None:
            return None
        error, result = reply.get("error"), reply.get("result")
        if isinstance(error, dict):
            return {"error": {"code": error.get("code", Number("0"))}}
        if not isinstance(result, dict):
            return None
        if result.get("isError") is True:
            return {"ok": False}
        expecter = volatile.Expecter(self._keep)
        wanted: Object = {"ok": True}
        if "structuredContent" in result:
            return {**wanted, "structured": expecter.value(result["structuredContent"])}
        content = result.get("content")
        if isinstance(content, list) and len(content) == 1 and isinstance(content[0], dict) and "text" in content[0]:
            text = content[0]["text"]
            if isinstance(text, str):
                parsed = _json(text)
                return {
                    **wanted,
                    **({"text": expecter.text(text)} if parsed is None else {"json": expecter.value(parsed)}),
                }
        return {**wanted, "content": expecter.value(content)} if content else wanted

    def _said(self, group: Group) -> list[Value]:
        """Steps for what the server said of its own: its requests with the client's answers, and its notifications."""
        steps: list[Value] = []
        for body in group.came:
            method = body.get("method")
            if not isinstance(method, str):
                if "error" in body and any(isinstance(one, bytes) for one in group.sent):
                    steps.append({"reply": self._expectation("", body)})
                continue
            wanted: Object = {"method": method}
            if "id" not in body:
                if "params" in body and method != "notifications/message":
                    wanted["params"] = volatile.Expecter(self._keep).value(body["params"])
                step: Object = {"notification": wanted}
            else:
                if "params" in body:
                    wanted["params"] = volatile.Expecter(self._keep).value(body["params"])
                step = {"server_request": wanted}
                answer = self.answers.get(key_of(body["id"]))
                if answer is not None and method != "ping":
                    members: Value = {key: answer[key] for key in ("result", "error") if key in answer}
                    step["answer"] = self._template(volatile.redact(members, self._redacted))
            if step not in steps:
                steps.append(step)
        return steps


def _message(data: bytes) -> wire.Message | None:
    """The one message of a line, of a kind that a session is made of."""
    found = wire.read(data).messages
    return found[0] if len(found) == 1 and found[0].kind in {"request", "notification", "reply"} else None


def _json(text: str) -> Value:
    """A text that is an object or array as JSON; else None."""
    try:
        value, _ = wire.parse(text)
    except wire.NotJsonError:
        return None
    return value if isinstance(value, dict | list) else None
