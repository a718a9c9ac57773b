"""What MCP has beside tools, for the same server: resources, prompts, completion, logging, open calls, the other era.

The documented system has none of it, so it is added from outside and only when asked. Nothing here is ever a fault.
"""

from __future__ import annotations

from .everything import Featured, add_features

__all__ = ["Featured", "add_features"]
