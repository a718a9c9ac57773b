"""Tasks of 2025-11-25 (MCP-TASK), as far as a server has to answer that runs none: a list, which is empty.

No tool can be called as a task, so every task id is an unknown one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..messages import INVALID_PARAMS, METHOD_NOT_FOUND, RpcError

if TYPE_CHECKING:
    from ..messages import Params
    from .full import FullReference

REVISION: Final = "2025-11-25"
"""The one revision that has them."""


class Tasks:
    """The server's tasks."""

    def __init__(self, server: FullReference) -> None:
        self._server = server
        for name in ("tasks/get", "tasks/result", "tasks/cancel"):
            server.register_method(name, self.unknown)
        server.register_method("tasks/list", self.list_page)

    def list_page(self, params: Params) -> dict[str, Any]:
        """A page of the tasks (MCP-TASK-008)."""
        self._known()
        return self._server.pages.page("tasks", [], params)

    def unknown(self, _params: Params) -> dict[str, Any]:
        """The refusal of a task that is not there (MCP-TASK-004)."""
        self._known()
        raise RpcError(INVALID_PARAMS, "Invalid params: unknown task")

    def _known(self) -> None:
        if self._server.now.revision != REVISION:
            raise RpcError(METHOD_NOT_FOUND, "Method not found: there are no tasks in this revision")
