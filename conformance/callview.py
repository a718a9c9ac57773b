"""The short form of a call's expectation: what it implies, and the view of a reply that it is held against.

This module must never judge: it puts what came into the words of the format.
"""

from __future__ import annotations

from .model import Node
from .protocol import wire
from .values import Value, lift


def expectation(expect: Node) -> Node:
    """Make explicit what the short form of a call's expectation implies."""
    members = dict(expect.items)
    implied = {"text", "json", "structured", "content"} & members.keys()
    if implied and "ok" not in members:
        members["ok"] = Node(True, expect.at)
    return Node(members, expect.at, {"ok": expect.at, **expect.keys})


def view(body: dict[str, Value], expect: Node) -> Value:
    """What the short form of a call's expectation speaks of: ok, text, json, structured, content, error, refused."""
    error = body.get("error")
    if error is not None:
        return {"error": error, "refused": True}
    result = body.get("result")
    if not isinstance(result, dict):
        return {"refused": False}
    failed = result.get("isError") is True
    content = result.get("content", [])
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    texts = [block["text"] for block in blocks if block.get("type") == "text" and isinstance(block.get("text"), str)]
    text = "\n".join(str(part) for part in texts)
    seen: dict[str, Value] = {"ok": not failed, "refused": failed, "content": content, "text": text}
    if "json" in expect.items:
        try:
            seen["json"] = wire.parse(text)[0]
        except wire.NotJsonError:
            seen["json"] = lift(text)
    if "structuredContent" in result:
        seen["structured"] = result["structuredContent"]
    return seen
