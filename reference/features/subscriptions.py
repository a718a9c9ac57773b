"""What a client is told without asking again: changes of lists and of resources it subscribed to.

In a session that is by `resources/subscribe`, and for lists by itself; in the stateless era by `subscriptions/listen`,
a request that stays without an answer, and whose id all that it causes carries (MCP-SUBS).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..messages import INVALID_PARAMS, Id, Params, RpcError
from .eras import SUBSCRIPTION
from .exchange import Key, key

if TYPE_CHECKING:
    from .full import FullReference

_LISTS = {"toolsListChanged": "tools", "promptsListChanged": "prompts", "resourcesListChanged": "resources"}


class Stream(NamedTuple):
    """A subscription of the stateless era: the id of its request, and the resources that it is about."""

    id: Id
    uris: frozenset[str]


class Subscriptions:
    """Who wants to hear of what."""

    def __init__(self, server: FullReference) -> None:
        self._server = server
        self.uris: set[str] = set()
        self.streams: dict[Key, Stream] = {}
        self._seen: dict[str, object] = {}
        server.register_method("resources/subscribe", self.subscribe)
        server.register_method("resources/unsubscribe", self.unsubscribe)
        server.stateless_methods["subscriptions/listen"] = self.listen

    def subscribe(self, params: Params) -> dict[str, Any]:
        """Tells of a resource's changes from now on (MCP-RES-013)."""
        self._server.resources.read_request(params)
        uri = self._server.resources.uri(params)
        self.uris.add(uri)
        self._note(uri)
        return {}

    def unsubscribe(self, params: Params) -> dict[str, Any]:
        """Tells of them no more."""
        self.uris.discard(self._server.resources.uri(params))
        return {}

    def listen(self, params: Params) -> dict[str, Any]:
        """Opens a subscription and acknowledges what it will be told of (MCP-SUBS-001 to 004)."""
        asked = params.get("notifications")
        if not isinstance(asked, dict):
            raise RpcError(INVALID_PARAMS, "Invalid params: notifications must be an object")
        capabilities = self._server.stateless_capabilities
        granted: dict[str, Any] = {
            name: True
            for name, what in _LISTS.items()
            if asked.get(name) is True and capabilities.get(what, {}).get("listChanged")
        }
        uris = asked.get("resourceSubscriptions", [])
        if not isinstance(uris, list) or not all(isinstance(uri, str) for uri in uris):
            raise RpcError(INVALID_PARAMS, "Invalid params: resourceSubscriptions must be an array of strings")
        known = [uri for uri in uris if self._server.resources.read(uri) is not None]
        if known:
            granted["resourceSubscriptions"] = known
        now = self._server.now
        self.streams[key(now.id)] = Stream(now.id, frozenset(known))
        for uri in known:
            self._note(uri)
        shown = {"_meta": {SUBSCRIPTION: now.id}, "notifications": granted}
        self._server.notify("notifications/subscriptions/acknowledged", shown)
        now.later = True
        return {}

    def end(self, id_: Id) -> None:
        """Ends the subscription whose request has that id, if there is one (MCP-SUBS-008)."""
        self.streams.pop(key(id_), None)

    def list_changed(self, name: str) -> None:
        """Tells a session that a list is another one now; without a session no list changes."""
        self._server.notify(f"notifications/{name}/list_changed")

    def look(self) -> None:
        """Tells of every resource that is not as it was (MCP-RES-015, MCP-SUBS-005, -006)."""
        for uri in list(self._seen):
            before = self._seen[uri]
            if self._note(uri) == before:
                continue
            if uri in self.uris:
                self._server.notify("notifications/resources/updated", {"uri": uri})
            for stream in self.streams.values():
                if uri in stream.uris:
                    told = {"uri": uri, "_meta": {SUBSCRIPTION: stream.id}}
                    self._server.notify("notifications/resources/updated", told)

    def _note(self, uri: str) -> object:
        self._seen[uri] = self._server.resources.read(uri)
        return self._seen[uri]
