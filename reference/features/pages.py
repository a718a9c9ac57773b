"""Lists by pages (MCP-PAGE): a cursor names a place in one list, and only those that were handed out are taken.

A cursor holds all that it means, so that it works in another process and after other requests.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Any

from ..messages import INVALID_PARAMS, RpcError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..messages import Params


class Pages:
    """How long the pages of each list are, and how long a short page is.

    A session shows its tools on one page, as the documented system does, which lives in sessions.
    """

    def __init__(self) -> None:
        self.sizes = {"tools": 1000, "prompts": 2, "resources": 3, "resourceTemplates": 1, "tasks": 10}
        self.short = 12

    def page(
        self, name: str, items: Sequence[dict[str, Any]], params: Params, *, short: bool = False
    ) -> dict[str, Any]:
        """The page of the list `name` that the params ask for, with the cursor of the next one if there is any."""
        size = self.short if short else self.sizes[name]
        start = _place(name, params["cursor"], range(size, len(items), size)) if "cursor" in params else 0
        end = start + size
        result: dict[str, Any] = {name: list(items[start:end])}
        return result | {"nextCursor": _cursor(name, end)} if end < len(items) else result


def _place(name: str, cursor: object, places: range) -> int:
    # Only what the list would hand out is a cursor of it, so it is made again and compared.
    for place in places:
        if cursor == _cursor(name, place):
            return place
    raise RpcError(INVALID_PARAMS, "Invalid params: unknown cursor")


def _cursor(name: str, place: int) -> str:
    return urlsafe_b64encode(f"{name} {place}".encode()).decode()
