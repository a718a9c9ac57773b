"""Asking the client for something while a tool runs: by a request in a session, by a result in the stateless era.

Nobody is asked for what was not declared (MCP-LIFE-015, MCP-CLI-002, -004, MCP-MRTR-004).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..messages import INVALID_PARAMS, Id, Params, RpcError, to_json
from ..protocol import ToolError
from .eras import MISSING_CAPABILITY
from .exchange import Exchange, Key, key

if TYPE_CHECKING:
    from .full import FullReference

KEY = "asked"
"""The name of the one question in a result that asks for input."""

_TEXT = {"type": "text", "text": "Name a character."}
_SAMPLE: dict[str, Any] = {"messages": [{"role": "user", "content": _TEXT}], "maxTokens": 20}
_TOOL = {"name": "look_up", "description": "Looks a name up.", "inputSchema": {"type": "object"}}
_FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


class Want(NamedTuple):
    """Something that a client may be asked for."""

    method: str
    params: Params
    capability: tuple[str, ...]
    since: str = "2024-11-05"


WANTS = {
    "roots": Want("roots/list", {}, ("roots",)),
    "sampling": Want("sampling/createMessage", _SAMPLE, ("sampling",)),
    "sampling-tools": Want("sampling/createMessage", _SAMPLE | {"tools": [_TOOL]}, ("sampling", "tools"), "2025-11-25"),
    "elicitation": Want(
        "elicitation/create",
        {"message": "Which name do you like?", "requestedSchema": _FORM},
        ("elicitation", "form"),
        "2025-06-18",
    ),
    "elicitation-url": Want(
        "elicitation/create",
        {"mode": "url", "message": "Please sign in.", "url": "https://example.com/sign-in", "elicitationId": ""},
        ("elicitation", "url"),
        "2025-11-25",
    ),
}


class Asking:
    """The questions that are open; each belongs to a call that waits for it. `wants` is what can be asked for."""

    def __init__(self, server: FullReference) -> None:
        self._server = server
        self.wants = {**WANTS}
        self._asked: dict[Key, Exchange] = {}
        self._count = 0

    def ask(self, name: str) -> None:
        """Asks for one thing on behalf of the present call, whose answer then is what comes back."""
        now, want = self._server.now, self.wants[name]
        if not self.declared(want, now):
            if now.stateless:
                needed = _nested(want.capability)
                now.instead = RpcError(MISSING_CAPABILITY, "The client lacks it", {"requiredCapabilities": needed})
                return
            raise ToolError(f"The client does not offer **{'.'.join(want.capability)}** in this session.")
        if now.stateless:
            now.instead = self._by_result(name, want, now.params)
        else:
            self._by_request(want, now)

    def declared(self, want: Want, now: Exchange) -> bool:
        """Whether the client can do it, and the revision knows it; an elicitation without a mode means forms."""
        if not want.capability:
            return True
        first, *rest = want.capability
        declared = now.client.get(first)
        if not isinstance(declared, dict) or now.revision < want.since:
            return False
        if rest == ["form"] and "url" not in declared:
            return True
        return all(part in declared for part in rest)

    def take(self, id_: Id, outcome: Params) -> None:
        """Takes the client's response: the call that waits for it is answered, be it good or bad (MCP-CLI-005)."""
        exchange = self._asked.pop(key(id_), None)
        if exchange is not None:
            self._server.finish(exchange, _shown(outcome))

    def _by_request(self, want: Want, now: Exchange) -> None:
        self._count += 1
        id_ = f"ask-{self._count}"
        params = want.params | ({"elicitationId": id_} if "elicitationId" in want.params else {})
        request = {"jsonrpc": "2.0", "id": id_, "method": want.method}
        self._server.outbox.append(to_json(request | {"params": params} if params else request))
        self._asked[key(id_)] = now
        now.later = True

    def _by_result(self, name: str, want: Want, params: Params) -> dict[str, Any] | RpcError:
        """The question, or what came of it, where the call comes with its answer (MCP-MRTR-006 to 011)."""
        answers = params.get("inputResponses", {})
        if not isinstance(answers, dict):
            return _bad("inputResponses must be an object")
        state = self.state(name)
        if KEY not in answers:
            asked = {name: value for name, value in want.params.items() if name != "elicitationId"}
            question = {"method": want.method, "params": asked}
            return {"resultType": "input_required", "inputRequests": {KEY: question}, "requestState": state}
        if not isinstance(answers[KEY], dict):
            return _bad(f"the answer to {KEY} must be an object")
        if params.get("requestState") != state:
            return _bad("requestState is not one that was given out")
        return _shown({"result": answers[KEY]})

    def state(self, name: str) -> str:
        """The mark of a question, by which its answer is known again in any process (MCP-MRTR-007, -012)."""
        from hashlib import blake2s

        # The key is no secret here, since nothing depends on it; where something does it must be one.
        return blake2s(name.encode(), key=b"mcp-tck-reference").hexdigest()[:24]


def _bad(what: str) -> RpcError:
    return RpcError(INVALID_PARAMS, f"Invalid params: {what}")


def _shown(outcome: Params) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": to_json(outcome)}], "isError": False}


def _nested(names: tuple[str, ...]) -> dict[str, Any]:
    first, *rest = names
    return {first: _nested(tuple(rest)) if rest else {}}
