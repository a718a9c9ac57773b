"""The documented server with all of MCP around it, in either era or in both.

The era is found for each request: one with metadata of 2026-07-28 is of the stateless era, `initialize` and what
follows it is of the other. It keeps what a session needs to keep, and answers some requests later, out of its outbox.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..build import Reference
from ..messages import METHOD_NOT_FOUND, Params, Request, RpcError, result_line
from . import eras, structured
from .asking import Asking
from .completion import Completion
from .exchange import Exchange, Key, key
from .logs import Logs
from .pages import Pages
from .prompts import Prompts
from .resources import Resources
from .subscriptions import Subscriptions
from .tasks import REVISION as TASKS_REVISION
from .tasks import Tasks
from .wire_probes import wire_probes

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..messages import Id
    from ..protocol import Method, ToolHandler, ToolSpec

LATER: dict[str, Any] = {}
"""What a method returns that is answered later: nobody sees it."""

_ONLY_WITH_A_SESSION = frozenset({"tck_register", "tck_change"})
"""Probes that change a list, which no call may do in the stateless era (MCP-TOOL-015, MCP-RES-017)."""


class FullReference(Reference):
    """The reference with all features, speaking `era`: handshake, stateless, or dual.

    Its further parts are attributes too: `pages`, `logs`, `resources`, `prompts`, `completion`, `subscriptions`,
    `asking`, `tasks`, `checked` (metadata, or its refusal); `now` is the request that is being answered, `waiting` are
    those without an answer yet, `stateless_methods` what the stateless era adds.
    """

    def __init__(self, *, era: str = "dual", read_only: bool = False) -> None:
        super().__init__(read_only=read_only)
        self.era = era
        self.now = Exchange()
        self.client: dict[str, Any] = {}
        self.waiting: dict[Key, Exchange] = {}
        self._stateless_seen = False
        self.catalogue.admits = lambda name: not (self.now.stateless and name in _ONLY_WITH_A_SESSION)
        self.capabilities = {
            "tools": {"listChanged": True},
            "resources": {"listChanged": True, "subscribe": True},
            "prompts": {"listChanged": True},
            "completions": {},
            "logging": {},
            "tasks": {"list": {}, "cancel": {}},
        }
        self.stateless_capabilities: dict[str, Any] = {
            "tools": {},
            "resources": {"subscribe": True},
            "prompts": {},
            "completions": {},
            "logging": {},
        }
        self.checked: Callable[[object], dict[str, Any]] = eras.checked
        self.stateless_methods: dict[str, Method] = {"server/discover": self.discover}
        self.pages = Pages()
        self.logs = Logs(self)
        self.resources = Resources(self)
        self.prompts = Prompts(self)
        self.completion = Completion(self)
        self.subscriptions = Subscriptions(self)
        self.asking = Asking(self)
        self.tasks = Tasks(self)

    def add_further_probes(self) -> None:
        """Registers the wire probes, through which a client sees what happens beside a call."""
        for probe in wire_probes(self):
            self.register_tool(probe.spec, probe.handler)

    def register_tool(self, spec: ToolSpec, handler: ToolHandler) -> None:
        """As before, and a client whose session is open is told (MCP-TOOL-032)."""
        super().register_tool(spec, handler)
        if self.revision is not None:
            self.subscriptions.list_changed("tools")

    def answer(self, message: Request) -> str | None:
        """As before; responses and cancels mean something here, but are not answered either."""
        if message.is_response:
            self.asking.take(message.id, message.outcome)
        elif message.is_notification and message.valid and message.method == "notifications/cancelled":
            self.cancel(message.params.get("requestId"))
        return super().answer(message)

    def serve(self, message: Request) -> dict[str, Any] | None:
        """The result of a request, in the form of its era; None where it comes later."""
        exchange = self.now = self._opened(message)
        result = self.method(message.method)(message.params)
        if not exchange.later:
            return eras.dressed(exchange, result, self.name, self.version)
        self.waiting[key(exchange.id)] = exchange
        return None

    def finish(self, exchange: Exchange, result: dict[str, Any]) -> None:
        """Answers a request that waits; one that was cancelled stays without an answer (MCP-CANC-004)."""
        if self.waiting.get(key(exchange.id)) is exchange:
            del self.waiting[key(exchange.id)]
            shown = eras.dressed(exchange, result, self.name, self.version)
            self.outbox.append(result_line(exchange.id, shown))

    def cancel(self, id_: Id) -> None:
        """Gives up the one request with that id, if it waits; anything else is let be (MCP-CANC-001 to 003, 006)."""
        if isinstance(id_, str | int) and not isinstance(id_, bool):
            self.waiting.pop(key(id_), None)
            self.subscriptions.end(id_)

    def method(self, name: str) -> Method:
        """The method of that name in the era of the request."""
        if self.now.stateless:
            if name in eras.GONE:
                raise RpcError(METHOD_NOT_FOUND, f"Method not found: {name} is not part of {eras.STATELESS}")
            if name in self.stateless_methods:
                return self.stateless_methods[name]
        return super().method(name)

    def initialize(self, params: Params) -> dict[str, Any]:
        """As before, and notes what the client can do."""
        result = super().initialize(params)
        self.client = params["capabilities"]
        absent = {"completions"} if self.revision == "2024-11-05" else set()  # the capability came a revision later
        if self.revision != TASKS_REVISION:
            absent.add("tasks")
        capabilities = {name: value for name, value in self.capabilities.items() if name not in absent}
        return result | {"capabilities": capabilities}

    def discover(self, _params: Params) -> dict[str, Any]:
        """What the stateless era has in place of a handshake (MCP-DISC)."""
        result = {"supportedVersions": [eras.STATELESS], "capabilities": self.stateless_capabilities}
        return result | {"instructions": self.instructions} if self.instructions else result

    def list_tools(self, params: Params) -> dict[str, Any]:
        """The catalogue by pages, with the schemas of structured results where the revision has them."""
        tools = super().list_tools({})["tools"]
        if self.now.stateless or self.now.revision >= structured.SINCE:
            tools = [structured.listed(tool) for tool in tools]
        return self.pages.page("tools", tools, params, short=self.now.stateless)

    def call_tool(self, params: Params) -> dict[str, Any]:
        """As before; a handler may have wished for another answer, or for a later one."""
        result = super().call_tool(params)
        self.subscriptions.look()
        wish = self.now.instead
        if isinstance(wish, RpcError):
            raise wish
        if wish is not None:
            return wish
        if self.now.later:
            return LATER
        if self.now.stateless or self.now.revision >= structured.SINCE:
            return structured.answered(params["name"], result)
        return result

    def _opened(self, message: Request) -> Exchange:
        """The request as an exchange of its era; raises the refusal of one that cannot be (MCP-META, MCP-VER-005)."""
        if self.era == "stateless" and message.method == "initialize" and not eras.names_an_era(message.params):
            raise eras.unsupported(message.params.get("protocolVersion"))
        exchange = Exchange(message.id, message.method, message.params, revision=self.revision or "")
        meta = message.params.get("_meta")
        if self._is_stateless(message):
            exchange.meta = self.checked(meta)
            exchange.client, exchange.revision, exchange.stateless = (
                exchange.meta[eras.CAPABILITIES],
                eras.STATELESS,
                True,
            )
            self._stateless_seen = True
        else:
            exchange.meta, exchange.client = meta if isinstance(meta, dict) else {}, self.client
        return exchange

    def _is_stateless(self, message: Request) -> bool:
        if self.era != "dual":
            return self.era == "stateless"
        if eras.names_an_era(message.params):
            return True
        # A bare line belongs to the session, where there is one; else to the era of the lines before it.
        return message.method != "initialize" and self.revision is None and self._stateless_seen
