"""What MCP has and the documented system has not: resources, prompts, logging and the like, and the stateless era.

`FullReference` is the documented server with all of it. Nothing here changes how the documented system works; who reads
that system needs none of this.
"""

from __future__ import annotations

from .full import FullReference

__all__ = ["FullReference"]
