"""Suggestions for an argument of a prompt or the variable of a template (MCP-COMP)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..messages import INVALID_PARAMS, RpcError
from .resources import DOCUMENT, ENTITY

if TYPE_CHECKING:
    from ..messages import Params
    from .full import FullReference

_MOST = 100


class Completion:
    """What a beginning can go on to; where nothing fits, the list is empty."""

    def __init__(self, server: FullReference) -> None:
        self._server = server
        server.register_method("completion/complete", self.complete)

    def complete(self, params: Params) -> dict[str, Any]:
        """The values that begin with what was given, upper and lower case alike (MCP-COMP-002, -003, -004)."""
        name, begun = _argument(params)
        reference = params.get("ref")
        kind = reference.get("type") if isinstance(reference, dict) else None
        if isinstance(reference, dict) and kind == "ref/prompt":
            prompt = self._server.prompts.find(reference.get("name"))
            known = {argument["name"] for argument in prompt.get("arguments", ())}
            values = self._server.prompts.values(name) if name in known else []
        elif isinstance(reference, dict) and kind == "ref/resource":
            template = reference.get("uri")
            if template not in {DOCUMENT, ENTITY}:
                raise _bad("unknown template")
            values = self._server.resources.names(name) if f"{{{name}}}" in template else []
        else:
            raise _bad("ref must be a reference to a prompt or a resource template")
        fitting = [value for value in values if value.casefold().startswith(begun.casefold())]
        shown = {"values": fitting[:_MOST], "total": len(fitting), "hasMore": len(fitting) > _MOST}
        return {"completion": shown}


def _argument(params: Params) -> tuple[str, str]:
    argument = params.get("argument")
    if isinstance(argument, dict):
        name, value = argument.get("name"), argument.get("value")
        if isinstance(name, str) and isinstance(value, str):
            return name, value
    raise _bad("argument must have a name and a value, both strings")


def _bad(what: str) -> RpcError:
    return RpcError(INVALID_PARAMS, f"Invalid params: {what}")
