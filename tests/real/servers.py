"""The pinned real servers that the tests judge, and how each is started."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOME = Path(os.environ.get("MCP_TCK_REAL", ROOT / ".ci" / "cache" / "real"))


@dataclass(frozen=True)
class Server:
    """A server: its name in the field table, its package, and its command; `{tmp}` is a fresh folder."""

    name: str
    package: str
    program: str
    arguments: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        return HOME / self.program

    def command(self, folder: Path) -> list[str]:
        return [str(self.path), *(argument.replace("{tmp}", str(folder)) for argument in self.arguments)]


_NPM = "node_modules/.bin/mcp-server-"

SERVERS = (
    Server("everything", "@modelcontextprotocol/server-everything", f"{_NPM}everything"),
    Server("filesystem", "@modelcontextprotocol/server-filesystem", f"{_NPM}filesystem", ("{tmp}",)),
    Server("memory", "@modelcontextprotocol/server-memory", f"{_NPM}memory"),
    Server("sequential-thinking", "@modelcontextprotocol/server-sequential-thinking", f"{_NPM}sequential-thinking"),
    Server("time", "mcp-server-time", "venv/bin/mcp-server-time"),
    Server("git", "mcp-server-git", "venv/bin/mcp-server-git"),
)
