"""The project as resources (MCP-RES): a guide, a picture, an index, and every document and entity by template.

The list is fixed, so that no call changes it; only the probe `tck_change`, in a session, adds to it. Nothing is read
from a file system: a `file:` URI is a name here, and no path (MCP-RES-018).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from ..messages import INVALID_PARAMS, RpcError, to_json

if TYPE_CHECKING:
    from ..messages import Params
    from .full import FullReference

MISSING = -32002
"""The code of a resource that does not exist, in the handshake era; the stateless one has -32602."""

GUIDE = "file:///story/guide.md"
COVER = "story://cover.png"
INDEX = "story://documents"
DOCUMENT = "story://documents/{document}"
ENTITY = "story://entities/{entity}"

_GUIDE_TEXT = "# The story project\n\nDocuments and entities are read by name; `story://documents` lists the former.\n"
_COVER_DATA = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="  # one pixel
)
_LISTED = (
    {"uri": GUIDE, "name": "guide", "title": "How to read this project", "mimeType": "text/markdown"},
    {"uri": COVER, "name": "cover", "mimeType": "image/png"},
    {"uri": INDEX, "name": "documents", "description": "The names of all documents.", "mimeType": "application/json"},
    {"uri": "story://documents/2024", "name": "2024", "mimeType": "text/markdown"},
)
_TEMPLATES = (
    {"uriTemplate": DOCUMENT, "name": "document", "mimeType": "text/markdown"},
    {"uriTemplate": ENTITY, "name": "entity", "mimeType": "application/json"},
)


class Resources:
    """What can be read of the server's project: `listed` and `templates` as shown, `fixed` what no project changes."""

    def __init__(self, server: FullReference) -> None:
        self._server = server
        self.listed: list[dict[str, Any]] = [{**each} for each in _LISTED]
        self.templates: list[dict[str, Any]] = [{**each} for each in _TEMPLATES]
        self.fixed: dict[str, dict[str, Any]] = {
            GUIDE: {"uri": GUIDE, "mimeType": "text/markdown", "text": _GUIDE_TEXT},
            COVER: {"uri": COVER, "mimeType": "image/png", "blob": _COVER_DATA},
        }
        server.register_method("resources/list", self.list_page)
        server.register_method("resources/templates/list", self.list_templates)
        server.register_method("resources/read", self.read_request)

    def list_page(self, params: Params) -> dict[str, Any]:
        """A page of the resources (MCP-RES-003)."""
        return self._server.pages.page("resources", self.listed, params)

    def list_templates(self, params: Params) -> dict[str, Any]:
        """A page of the templates (MCP-RES-004)."""
        return self._server.pages.page("resourceTemplates", self.templates, params)

    def read_request(self, params: Params) -> dict[str, Any]:
        """The contents under a URI; the code of the refusal is its era's (MCP-RES-009, -010, -011, -012)."""
        uri = self.uri(params)
        content = self.read(uri)
        if content is None:
            code = INVALID_PARAMS if self._server.now.stateless else MISSING
            raise RpcError(code, "Resource not found", {"uri": uri})
        return {"contents": [content]}

    def uri(self, params: Params) -> str:
        """The URI that a request names."""
        uri = params.get("uri")
        if not isinstance(uri, str):
            raise RpcError(INVALID_PARAMS, "Invalid params: uri must be a string")
        return uri

    def read(self, uri: str) -> dict[str, Any] | None:
        """One content: its text, or its bytes in base64 (MCP-RES-006, -007); None where there is nothing."""
        if uri in self.fixed:
            return self.fixed[uri]
        if uri == INDEX:
            names = [document["name"] for document in self._state()["documents"]]
            return {"uri": uri, "mimeType": "application/json", "text": to_json(names)}
        for document in self._state()["documents"]:
            if _is(uri, DOCUMENT, document["name"]):
                return {"uri": uri, "mimeType": "text/markdown", "text": document["text"]}
        for entity in self._state()["entities"]:
            if _is(uri, ENTITY, entity["name"]):
                return {"uri": uri, "mimeType": "application/json", "text": to_json(entity)}
        return None

    def names(self, variable: str) -> list[str]:
        """What the variable of a template can stand for."""
        kind = {"document": "documents", "entity": "entities"}.get(variable)
        return [] if kind is None else [each["name"] for each in self._state()[kind]]

    def add(self) -> None:
        """Adds one to the list."""
        number = len(self.listed) + 1
        uri = f"story://added/{number}"
        self.fixed[uri] = {"uri": uri, "mimeType": "text/plain", "text": "Added by a probe."}
        self.listed.append({"uri": uri, "name": f"added-{number}", "mimeType": "text/plain"})

    def _state(self) -> dict[str, Any]:
        project = self._server.project
        return {"documents": [], "entities": []} if project is None else project.state


def uri_of(document: str) -> str:
    """The URI of a document."""
    return DOCUMENT.replace("{document}", quote(document, safe="", errors="surrogatepass"))


def _is(uri: str, template: str, name: str) -> bool:
    before, _, _ = template.partition("{")
    return uri.startswith(before) and unquote(uri.removeprefix(before)) == name
