"""The revision without a handshake, beside the others: every request says for itself what it speaks.

A line with a version in its metadata is one of this era; once there was one, so is every other line. Nothing that a
request says of its client is remembered.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from ..messages import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    Id,
    Params,
    Request,
    RpcError,
    error_line,
    notification_line,
    parse,
    result_line,
    to_json,
)
from .logging import LEVELS
from .open_calls import answer, same
from .questions import QUESTIONS, declared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..build import Reference
    from .everything import Featured

REVISION = "2026-07-28"
PREFIX = "io.modelcontextprotocol/"
UNSUPPORTED, LACKING = -32022, -32021
PAGE = 12
"""So many tools stand on one page."""
CACHED = (
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
)
METHODS = (*CACHED, "tools/call", "prompts/get", "completion/complete", "subscriptions/listen")
CHANGING = ("tck_register", "tck_hook", "tck_change", "tck_other_writer", "tck_agent")
"""Probes that belong to a session; this era has none."""
_STATE = "asked-once"
_LISTS = ("toolsListChanged", "promptsListChanged", "resourcesListChanged")


class Stateless:
    """What one server answers in this era. `listening` are the ids of open subscriptions."""

    def __init__(self, server: Reference, featured: Featured) -> None:
        self._server = server
        self._featured = featured
        self.seen = False
        self.listening: list[Id] = []
        self.methods: dict[str, Callable[[Params], Params]] = {
            "server/discover": self.discover,
            "tools/list": self.list_tools,
            "tools/call": self.call_tool,
            "resources/read": self.read_resource,
        }

    def wrap(self, right: Callable[[str], Iterable[str]]) -> Callable[[str], Iterable[str]]:
        """What handles a line."""

        def lines(line: str) -> Iterable[str]:
            message = parse(line)
            if isinstance(message, list) or not message.valid or message.is_response:
                return right(line)
            if message.is_notification:
                self.cancel(message)
                return right(line)
            meta = message.params.get("_meta")
            if not self.seen and not (isinstance(meta, dict) and PREFIX + "protocolVersion" in meta):
                return right(line)
            self.seen = True
            return self.answer(message)

        return lines

    def answer(self, message: Request) -> list[str]:
        """What leaves for one request."""
        self._featured.logging.level = None
        try:
            meta = self.checked(message.params.get("_meta"))
            self.known(message.method)
            if message.method == "subscriptions/listen":
                return [self.listen(message)]
            if message.method == "tools/call" and message.params.get("name") in ("tck_hold", "tck_release"):
                held = self._featured.open_calls.call(message)
                if held is not None:
                    return [self.dressed(line) for line in held]
            self._featured.logging.level = meta.get(PREFIX + "logLevel")
            method = self.methods.get(message.method) or self._server.method(message.method)
            shown = self.result(message.method, method(message.params))
        except RpcError as error:
            return [*self.outbox(), error_line(message.id, error)]
        return [*self.outbox(), result_line(message.id, shown)]

    def known(self, method: str) -> None:
        """Raises the error for a method that this era does not have."""
        if method not in METHODS:
            raise RpcError(METHOD_NOT_FOUND, f"Method not found: {method}")

    def outbox(self) -> list[str]:
        """What the server has to tell before its answer."""
        leaving = [*self._server.outbox]
        self._server.outbox.clear()
        return leaving

    def checked(self, meta: object) -> Params:
        """The metadata of a request, if it is all there; raises the error for what is not."""
        if not isinstance(meta, dict):
            raise RpcError(INVALID_PARAMS, "Invalid params: _meta is missing")
        version, info = (
            meta.get(PREFIX + "protocolVersion"),
            meta.get(PREFIX + "clientInfo", {"name": "", "version": ""}),
        )
        if not isinstance(version, str):
            raise RpcError(INVALID_PARAMS, "Invalid params: protocolVersion must be a string")
        if version != REVISION:
            supported = [REVISION, *reversed(self._server.revisions)]
            raise RpcError(UNSUPPORTED, "Unsupported version", {"supported": supported, "requested": version})
        if not isinstance(meta.get(PREFIX + "clientCapabilities"), dict):
            raise RpcError(INVALID_PARAMS, "Invalid params: clientCapabilities must be an object")
        if not isinstance(info, dict) or not all(isinstance(info.get(key), str) for key in ("name", "version")):
            raise RpcError(INVALID_PARAMS, "Invalid params: clientInfo must have a name and a version")
        level = meta.get(PREFIX + "logLevel", LEVELS[0])
        if level not in LEVELS:
            raise RpcError(INVALID_PARAMS, "Invalid params: logLevel must be one of the eight")
        return meta

    def result(self, method: str, found: Params) -> Params:
        """A result with what this era adds to it."""
        server = {"name": self._server.name, "version": self._server.version}
        shown = {"resultType": "complete", "_meta": {PREFIX + "serverInfo": server}} | found
        return shown | {"ttlMs": 60000, "cacheScope": "private"} if method in CACHED else shown

    def dressed(self, line: str) -> str:
        """A reply that was written for the other era, with what this one adds."""
        return line.replace('"result":{', f'"result":{to_json(self.result("tools/call", {}))[:-1]},', 1)

    def discover(self, _params: Params) -> Params:
        """Which versions are spoken, and what is offered."""
        capabilities = copy.deepcopy(self._server.capabilities)
        return {
            "supportedVersions": [REVISION, *reversed(self._server.revisions)],
            "capabilities": capabilities,
            "instructions": self._server.instructions,
        }

    def list_tools(self, params: Params) -> Params:
        """One page of the tools that need no session."""
        cursor = params.get("cursor", "0")
        every = [tool for tool in self._server.list_tools({})["tools"] if tool["name"] not in CHANGING]
        if not isinstance(cursor, str) or cursor not in map(str, range(0, len(every), PAGE)):
            raise RpcError(INVALID_PARAMS, "Invalid params: unknown cursor")
        begin = int(cursor)
        page: Params = {"tools": every[begin : begin + PAGE]}
        return page | {"nextCursor": str(begin + PAGE)} if begin + PAGE < len(every) else page

    def call_tool(self, params: Params) -> Params:
        """A call, or the question that comes before its result."""
        if params.get("name") in CHANGING:
            raise RpcError(INVALID_PARAMS, f"Unknown tool: {params['name']}")
        arguments = params.get("arguments")
        want = arguments.get("want") if isinstance(arguments, dict) else None
        if params.get("name") == "tck_ask" and isinstance(want, str) and want in QUESTIONS:
            return self.ask(params, want)
        return self._server.method("tools/call")(params)

    def ask(self, params: Params, want: str) -> Params:
        """What is asked of the client, or, when it answered, the result."""
        question = QUESTIONS[want]
        needs = question.needs[:1] if question.needs[-1] == "form" else question.needs
        if not declared(params["_meta"][PREFIX + "clientCapabilities"], question.needs):
            lacking: dict[str, Any] = {}
            for name in reversed(needs):
                lacking = {name: lacking}
            raise RpcError(LACKING, "The client lacks a capability", {"requiredCapabilities": lacking})
        given = params.get("inputResponses", {})
        if not isinstance(given, dict) or not isinstance(given.get("asked", {}), dict):
            raise RpcError(INVALID_PARAMS, "Invalid params: inputResponses are objects by name")
        if "asked" in given and params.get("requestState") == _STATE:
            return answer(to_json({"result": given["asked"]}))
        asked = {"method": question.method, "params": question.params}
        return {"resultType": "input_required", "inputRequests": {"asked": asked}, "requestState": _STATE}

    def read_resource(self, params: Params) -> Params:
        """The contents of a resource; one that is not there is an invalid param in this era."""
        try:
            return self._server.method("resources/read")(params)
        except RpcError as error:
            raise RpcError(INVALID_PARAMS, error.message, error.data) from None

    def listen(self, message: Request) -> str:
        """Opens a subscription: its acknowledgement takes the place of a reply."""
        asked = message.params.get("notifications")
        if not isinstance(asked, dict):
            raise RpcError(INVALID_PARAMS, "Invalid params: notifications must be an object")
        granted: Params = {name: True for name in _LISTS if asked.get(name) is True}
        uris = asked.get("resourceSubscriptions", [])
        if isinstance(uris, list) and uris:
            granted["resourceSubscriptions"] = [uri for uri in uris if uri in self._featured.offers.contents]
        self.listening.append(message.id)
        meta = {PREFIX + "subscriptionId": message.id}
        return notification_line("notifications/subscriptions/acknowledged", {"notifications": granted, "_meta": meta})

    def cancel(self, message: Request) -> None:
        """Ends a subscription."""
        if message.method == "notifications/cancelled":
            ended = message.params.get("requestId")
            self.listening = [id_ for id_ in self.listening if not same(id_, ended)]
