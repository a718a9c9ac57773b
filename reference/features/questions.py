"""What a server asks of its client: which question needs which capability, and how it is put."""

from __future__ import annotations

from typing import Any, NamedTuple

Declared = dict[str, Any]


class Question(NamedTuple):
    """A request to the client: its method, its params, and the capability that it needs, by path."""

    method: str
    params: dict[str, Any]
    needs: tuple[str, ...]


_MESSAGES = [{"role": "user", "content": {"type": "text", "text": "Name the keeper of the key."}}]
_FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
_TOOL = {"name": "look", "description": "Looks.", "inputSchema": {"type": "object"}}

QUESTIONS = {
    "roots": Question("roots/list", {}, ("roots",)),
    "sampling": Question("sampling/createMessage", {"messages": _MESSAGES, "maxTokens": 50}, ("sampling",)),
    "sampling-tools": Question(
        "sampling/createMessage", {"messages": _MESSAGES, "maxTokens": 50, "tools": [_TOOL]}, ("sampling", "tools")
    ),
    "elicitation": Question(
        "elicitation/create", {"message": "Who keeps the key?", "requestedSchema": _FORM}, ("elicitation", "form")
    ),
    "elicitation-url": Question(
        "elicitation/create",
        {"mode": "url", "message": "Sign in.", "url": "https://example.com/sign-in", "elicitationId": "sign-in-1"},
        ("elicitation", "url"),
    ),
}


def declared(capabilities: Declared, needs: tuple[str, ...]) -> bool:
    """Whether a client declared what a question needs; an elicitation that names no mode means forms."""
    place: Any = capabilities
    for depth, name in enumerate(needs):
        if not isinstance(place, dict) or name not in place:
            return depth == 1 and needs == ("elicitation", "form") and isinstance(place, dict) and "url" not in place
        place = place[name]
    return isinstance(place, dict)
