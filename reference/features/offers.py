"""Resources, prompts and completion: what is listed, read and suggested, and how a change of a list is told.

A URI is looked up as it is, never taken for a path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..messages import INVALID_PARAMS, Params, RpcError
from ..probes import text
from ..protocol import ToolError, ToolHandler, ToolResult, ToolSpec

if TYPE_CHECKING:
    from ..build import Reference

Entry = dict[str, Any]
NO_RESOURCE = -32002
_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+M8AAAMBAQDJ/pLvAAAAAElFTkSuQmCC"


class Offers:
    """The lists of one server; `resources` and `prompts` are their entries, `contents` what a URI is read as."""

    def __init__(self, server: Reference) -> None:
        self._server = server
        self.subscribed: set[str] = set()
        self.contents: dict[str, Entry] = {
            "file:///story/notes.md": {"mimeType": "text/markdown", "text": "Mira keeps the key."},
            "file:///story/harbor.png": {"mimeType": "image/png", "blob": _PIXEL},
        }
        self.resources: list[Entry] = [
            {"uri": "file:///story/notes.md", "name": "notes", "mimeType": "text/markdown", "size": 19},
            {"uri": "file:///story/harbor.png", "name": "harbor", "title": "The harbor", "mimeType": "image/png"},
        ]
        self.templates: list[Entry] = [
            {"uriTemplate": "file:///story/{name}", "name": "page", "description": "A page."}
        ]
        self.prompts: list[Entry] = [
            {"name": "summary", "description": "Asks for a summary of the manuscript."},
            {
                "name": "portrait",
                "title": "Portrait",
                "arguments": [{"name": "entity", "description": "Whose portrait.", "required": True}],
            },
        ]
        server.capabilities |= {
            "tools": {"listChanged": True},
            "resources": {"listChanged": True, "subscribe": True},
            "prompts": {"listChanged": True},
            "completions": {},
        }
        for name, method in (
            ("resources/list", lambda params: self.page(params, "resources", self.resources)),
            ("resources/templates/list", lambda params: self.page(params, "resourceTemplates", self.templates)),
            ("resources/read", self.read),
            ("resources/subscribe", self.subscribe),
            ("resources/unsubscribe", self.unsubscribe),
            ("prompts/list", lambda params: self.page(params, "prompts", self.prompts)),
            ("prompts/get", self.get),
            ("completion/complete", self.complete),
        ):
            server.register_method(name, method)
        self._announce_tools()
        server.register_tool(
            ToolSpec("tck_change", "Adds an entry to a list.", _schema(list={"type": "string"})), self._change()
        )

    def page(self, params: Params, member: str, entries: list[Entry]) -> Params:
        """A list on one page; there is no other, so every cursor is an unknown one."""
        if "cursor" in params:
            raise RpcError(INVALID_PARAMS, "Invalid params: unknown cursor")
        return {member: [*entries]}

    def read(self, params: Params) -> Params:
        """The contents of one resource."""
        uri = _string(params, "uri")
        if uri not in self.contents:
            raise RpcError(NO_RESOURCE, "Resource not found", {"uri": uri})
        return {"contents": [{"uri": uri, **self.contents[uri]}]}

    def subscribe(self, params: Params) -> Params:
        """Notes that a client wants to hear of a resource."""
        uri = _string(params, "uri")
        if uri not in self.contents:
            raise RpcError(NO_RESOURCE, "Resource not found", {"uri": uri})
        self.subscribed.add(uri)
        return {}

    def unsubscribe(self, params: Params) -> Params:
        """Forgets it."""
        self.subscribed.discard(_string(params, "uri"))
        return {}

    def get(self, params: Params) -> Params:
        """The messages of one prompt."""
        name, given = _string(params, "name"), params.get("arguments", {})
        if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
            raise RpcError(INVALID_PARAMS, "Invalid params: arguments are strings by name")
        for prompt in self.prompts:
            if prompt["name"] == name:
                break
        else:
            raise RpcError(INVALID_PARAMS, f"Unknown prompt: {name}")
        for argument in prompt.get("arguments", []):
            if argument.get("required") and argument["name"] not in given:
                raise RpcError(INVALID_PARAMS, f"Missing argument: {argument['name']}")
        words = {"type": "text", "text": f"Write the {name} of {given.get('entity', 'the manuscript')}."}
        page = {"uri": "file:///story/notes.md", **self.contents["file:///story/notes.md"]}
        return {
            "messages": [
                {"role": "user", "content": words},
                {"role": "user", "content": {"type": "resource", "resource": page}},
            ]
        }

    def complete(self, params: Params) -> Params:
        """Names for the argument of a prompt."""
        ref, argument = params.get("ref"), params.get("argument")
        if not isinstance(ref, dict) or not isinstance(argument, dict):
            raise RpcError(INVALID_PARAMS, "Invalid params: ref and argument must be objects")
        known = {prompt["name"] for prompt in self.prompts}
        if ref.get("type") == "ref/prompt" and ref.get("name") not in known:
            raise RpcError(INVALID_PARAMS, "Unknown prompt")
        if ref.get("type") not in {"ref/prompt", "ref/resource"}:
            raise RpcError(INVALID_PARAMS, "Unknown kind of reference")
        begun = _string(argument, "value")
        values = [name for name in ("Mira", "Tomas") if name.lower().startswith(begun.lower())]
        return {"completion": {"values": values, "total": len(values), "hasMore": False}}

    def _announce_tools(self) -> None:
        right = self._server.register_tool

        def register(spec: ToolSpec, handler: ToolHandler) -> None:
            right(spec, handler)
            self._server.notify("notifications/tools/list_changed")

        # Instance over class: what the probes call from now on.
        vars(self._server)["register_tool"] = register

    def _change(self) -> ToolHandler:
        def change(args: dict[str, Any]) -> ToolResult:
            name = text(args, "list")
            if name == "resources":
                uri = f"file:///story/added-{len(self.resources)}.md"
                self.contents[uri] = {"mimeType": "text/markdown", "text": "Added."}
                self.resources.append({"uri": uri, "name": "added"})
            elif name == "prompts":
                self.prompts.append({"name": f"added-{len(self.prompts)}"})
            else:
                raise ToolError("**list** must be resources or prompts")
            self._server.notify(f"notifications/{name}/list_changed")
            return ToolResult(True, "**added**")

        return change


def _schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties]}


def _string(params: Params, name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise RpcError(INVALID_PARAMS, f"Invalid params: {name} must be a string")
    return value
