"""A small server with a catalogue that can be changed, and a run of the snapshot cases on it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest
from mcp_tck.conformance.authoring.snapshots import Snapshots
from mcp_tck.conformance.kit import Kit, Plan
from mcp_tck.conformance.runner import Settings
from mcp_tck.conformance.targets.inprocess import InProcess


def tool(name, **rest):
    schema = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    return {"name": name, "description": f"What {name} does.", "inputSchema": schema, **rest}


@dataclass
class Catalogue:
    """What the server lists; `pages`: so many tools a page; `errors`: codes by method."""

    tools: list = field(default_factory=lambda: [tool("find"), tool("read"), tool("write")])
    prompts: list = field(default_factory=lambda: [{"name": "greet", "description": "Says hello."}])
    instructions: str | None = "Begin with find."
    capabilities: tuple = ("tools", "prompts", "resources")
    pages: int = 2
    errors: dict = field(default_factory=lambda: {"resources/templates/list": -32601})
    calls: list = field(default_factory=list)

    def handle(self, line):
        message = json.loads(line)
        if "id" not in message:
            return None
        reply = self.reply(message["method"], message.get("params", {}))
        return json.dumps({"jsonrpc": "2.0", "id": message["id"]} | reply)

    def reply(self, method, params):
        self.calls.append(method)
        if method in self.errors:
            return {"error": {"code": self.errors[method], "message": "no"}}
        if method == "initialize":
            result = {"protocolVersion": "2025-11-25", "capabilities": {name: {} for name in self.capabilities}}
            said = {} if self.instructions is None else {"instructions": self.instructions}
            return {"result": result | said | {"serverInfo": {"name": "small", "version": "1"}}}
        if method == "tools/list":
            first = int(params.get("cursor", "0"))
            more = first + self.pages < len(self.tools)
            listed = {"tools": self.tools[first : first + self.pages]}
            return {"result": listed | ({"nextCursor": str(first + self.pages)} if more else {})}
        lists = {"prompts/list": {"prompts": self.prompts}, "resources/list": {"resources": []}}
        return {"result": lists.get(method, {})}


class _Plan(Plan):
    made = None

    def launch(self):
        return InProcess(self.made.handle)


@pytest.fixture
def play(tmp_path):
    """Play the snapshot cases of a catalogue; the records by part."""

    def played(catalogue, *, update=False, env=None):
        asked = Snapshots(str(tmp_path / "snaps"), update)
        plan = _Plan(("small",), env=env or {}, revision="2025-11-25", settings=Settings(timeout=0.5), snapshots=asked)
        object.__setattr__(plan, "made", catalogue)
        kit = Kit(plan, {})
        kit.open()
        try:
            records = [kit.run(case, facts) for case, facts in kit.made()]
        finally:
            kit.close()
        return {each["id"].removeprefix("snapshot/catalogue::"): each for each in records}

    return played


@pytest.fixture
def catalogue():
    """The server whose catalogue is kept."""
    return Catalogue()
