"""Prompts about the project (MCP-PROMPT): one that needs nothing, one with arguments, one with a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..messages import INVALID_PARAMS, RpcError
from .resources import COVER, GUIDE, uri_of

if TYPE_CHECKING:
    from ..messages import Params
    from .full import FullReference

_LISTED = (
    {"name": "get_started", "title": "Get started", "description": "What there is to read, and how."},
    {
        "name": "continue_document",
        "description": "Goes on where a document ends.",
        "arguments": [
            {"name": "document", "description": "The document's name.", "required": True},
            {"name": "tone", "description": "How it should sound.", "required": False},
        ],
    },
    {"name": "describe_cover", "description": "Puts the cover into words."},
)
_TONES = ("calm", "dark", "funny", "tense")


class Prompts:
    """What the server has to say to a model, made from a name and a few strings; `listed` as shown."""

    def __init__(self, server: FullReference) -> None:
        self._server = server
        self.listed: list[dict[str, Any]] = [{**each} for each in _LISTED]
        server.register_method("prompts/list", self.list_page)
        server.register_method("prompts/get", self.get)

    def list_page(self, params: Params) -> dict[str, Any]:
        """A page of the prompts (MCP-PROMPT-003)."""
        return self._server.pages.page("prompts", self.listed, params)

    def get(self, params: Params) -> dict[str, Any]:
        """One prompt's messages; what is unknown, missing or no string is refused (MCP-PROMPT-007 to 009)."""
        prompt = self.find(params.get("name"))
        given = params.get("arguments", {})
        if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
            raise RpcError(INVALID_PARAMS, "Invalid params: arguments must be an object of strings")
        for argument in prompt.get("arguments", ()):
            if argument["required"] and argument["name"] not in given:
                raise RpcError(INVALID_PARAMS, f"Invalid params: the argument {argument['name']} is missing")
        contents = self._contents(prompt["name"], given)
        return {
            "description": prompt.get("description", ""),
            "messages": [{"role": "user", "content": content} for content in contents],
        }

    def find(self, name: object) -> dict[str, Any]:
        """The prompt of that name; raises the refusal of any other."""
        for prompt in self.listed:
            if prompt["name"] == name:
                return prompt
        raise RpcError(INVALID_PARAMS, "Invalid params: unknown prompt")

    def values(self, argument: str) -> list[str]:
        """What an argument of a prompt can be."""
        return [*_TONES] if argument == "tone" else self._server.resources.names(argument)

    def add(self) -> None:
        """Adds one to the list."""
        self.listed.append({"name": f"added_{len(self.listed) + 1}", "description": "Added by a probe."})

    def _contents(self, name: str, given: dict[str, str]) -> list[dict[str, Any]]:
        if name == "get_started":
            return [_text("Read this first, then list the documents."), self._resource(GUIDE)]
        if name == "describe_cover":
            cover = self._server.resources.read(COVER) or {}
            return [_text("Describe it."), {"type": "image", "data": cover["blob"], "mimeType": cover["mimeType"]}]
        if name == "continue_document":
            tone = f" It should sound {given['tone']}." if "tone" in given else ""
            return [_text(f"Write the next paragraph.{tone}"), self._resource(uri_of(given["document"]))]
        return [_text("A prompt that a probe added.")]

    def _resource(self, uri: str) -> dict[str, Any]:
        content = self._server.resources.read(uri)
        if content is None:
            raise RpcError(INVALID_PARAMS, "Invalid params: there is no document of that name")
        return {"type": "resource", "resource": content}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
