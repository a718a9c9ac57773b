"""A small server in this process, made of functions, and a run of the made cases on it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

import pytest
from mcp_tck.conformance import suite
from mcp_tck.conformance.kit import Kit, Plan
from mcp_tck.conformance.runner import Settings
from mcp_tck.conformance.safety.allowed import Allowed
from mcp_tck.conformance.targets.inprocess import InProcess
from mcp_tck.conformance.values import lift

READS = {"readOnlyHint": True}


class Refusal(Exception):
    """What a tool raises to refuse a call."""


@dataclass
class Small:
    """A server whose tools are functions of their arguments; `calls` are those that came."""

    tools: dict = field(default_factory=dict)
    calls: list = field(default_factory=list)

    def tool(self, name, properties, function, *, required=(), annotations=READS, **rest):
        schema = {"type": "object", "properties": properties, "required": list(required), **rest}
        spec = {"name": name, "inputSchema": schema}
        if annotations is not None:
            spec["annotations"] = annotations
        self.tools[name] = (spec, function)
        return self

    def handle(self, line):
        message = json.loads(line)
        if "id" not in message:
            return None
        answer = {"jsonrpc": "2.0", "id": message["id"]}
        found = self.reply(message["method"], message.get("params", {}))
        return None if found is None else json.dumps(answer | found)

    def reply(self, method, params):
        if method == "initialize":
            result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}
            return {"result": result | {"serverInfo": {"name": "small", "version": "1"}}}
        if method == "ping":
            return {"result": {}}
        if method == "tools/list":
            return {"result": {"tools": [spec for spec, _ in self.tools.values()]}}
        if method != "tools/call":
            return {"error": {"code": -32601, "message": "no such method"}}
        arguments = params.get("arguments", {})
        self.calls.append((params["name"], arguments))
        if params["name"] not in self.tools:
            return {"error": {"code": -32602, "message": f"no such tool: {params['name']}"}}
        try:
            text, failed = self.tools[params["name"]][1](arguments), False
        except Refusal as refusal:
            text, failed = str(refusal), True
        if text is None:
            return None
        if isinstance(text, dict):
            return text
        return {"result": {"content": [{"type": "text", "text": str(text)}], "isError": failed}}


class _Plan(Plan):
    made = None
    restricted_made = None

    def launch(self):
        return InProcess(self.made.handle)

    def launch_restricted(self):
        return InProcess(self.restricted_made.handle)


@dataclass
class Played:
    """What came of a run: the records by case id without the folder, and the kit."""

    records: dict
    kit: Kit

    def __getitem__(self, name):
        return self.records[name]

    def outcomes(self, *outcomes):
        wanted = outcomes or ("failed", "warned", "error")
        return {name: each["outcome"] for name, each in self.records.items() if each["outcome"] in wanted}

    def wrong(self):
        """By case: the first requirement, and what came."""
        return {
            name: (each["requirements"][0], each["mismatches"][0]["actual"])
            for name, each in self.records.items()
            if each["outcome"] in {"failed", "warned", "error"}
        }


@pytest.fixture(scope="session")
def requirements():
    return suite.requirements()[0]


@pytest.fixture
def play(requirements):
    """Play the made cases of a small server whose ids hold `only`."""

    def played(server, only="", restricted=None, **allowed):
        call = {name: tuple(map(lift, listed)) for name, listed in allowed.pop("call", {}).items()}
        plan = _Plan(("small",), revision="2025-11-25", settings=Settings(profiles=("safety",), timeout=0.1))
        plan = replace(plan, allowed=Allowed(call, **allowed))
        object.__setattr__(plan, "made", server)
        object.__setattr__(plan, "restricted_made", restricted)
        kit = Kit(plan, requirements)
        kit.open()
        try:
            records = [kit.run(case, facts) for case, facts in kit.made() if only in case.id]
        finally:
            kit.close()
        return Played({each["id"].removeprefix("safety/"): each for each in records}, kit)

    return played
