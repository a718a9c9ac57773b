"""A right server in this process, and a runner with all that it started."""

from __future__ import annotations

import json

from mcp_tck.conformance.casefile import cases
from mcp_tck.conformance.model import Level, Location, Requirement
from mcp_tck.conformance.runner import Runner, Settings
from mcp_tck.conformance.standing_outcomes import standing_outcomes
from mcp_tck.conformance.targets.inprocess import InProcess

HERE = Location("spec", 1, 1)
RULES = {
    "R-MUST": Requirement("R-MUST", Level.MUST, "", "", HERE),
    "R-SHOULD": Requirement("R-SHOULD", Level.SHOULD, "", "", HERE),
    "R-OPEN": Requirement("R-OPEN", Level.OPEN, "", "", HERE),
    "R-STORY": Requirement("R-STORY", Level.MUST, "", "", HERE, profile="documented"),
    "MCP-LIFE-001": Requirement("MCP-LIFE-001", Level.MUST, "", "", HERE),
    "MCP-BASE-010": Requirement("MCP-BASE-010", Level.MUST, "", "", HERE),
}
READS = {"name": "reads", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
WRITES = {"name": "writes", "inputSchema": {"type": "object"}}


class Server:
    """A right server, one for each process; `hook` may answer a request in its place, or say None for silence."""

    def __init__(self, hook=None, *, number=1):
        self.hook, self.number = hook, number
        self.methods = []

    def handle(self, line):
        try:
            message = json.loads(line)
        except ValueError:
            if line == "{die":
                raise SystemExit(4) from None
            return None
        if "id" not in message:
            return None
        method = message["method"]
        self.methods.append(method)
        if self.hook is not None and (answer := self.hook(self, method, message)) is not Ellipsis:
            return answer
        return said(message, result=self.result(method, message))

    @staticmethod
    def result(method, message):
        if method == "initialize":
            return {
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "s", "version": "1"},
            }
        if method == "tools/list":
            return {"tools": [READS, WRITES]}
        if method == "tools/call":
            return {"content": [{"type": "text", "text": "done"}]}
        return {}


def said(message, **members):
    return json.dumps({"jsonrpc": "2.0", "id": message["id"], **members})


class Bench:
    """A runner, the servers that it started, and the facts of the first."""

    def __init__(self, hook=None, *, launch=None, **settings):
        settings.setdefault("profiles", ("documented",))
        self.hook, self.servers, self.launches, self.targets = hook, [], 0, []
        self.runner = Runner(launch or self.launch, Settings(timeout=0.05, **settings), RULES)
        self.facts = self.runner.discover("2025-11-25")

    def launch(self):
        self.launches += 1
        server = Server(self.hook, number=self.launches)
        self.servers.append(server)
        self.targets.append(InProcess(server.handle))
        return self.targets[-1]

    def run(self, *steps, slug="one", covers=("R-MUST",), **more):
        inside = [{"id": slug, "title": "a title", "steps": list(steps), **more}]
        if covers:
            inside[0]["covers"] = list(covers)
        text = json.dumps({"format": 1, "area": "area", "cases": inside})
        found, problems = cases.loads(text.encode(), "area.yaml", "area")
        assert problems == []
        return self.runner.run(found[0], self.facts)

    def standing(self, check):
        self.runner.close()
        tally = self.runner.processes.tallies["2025-11-25"]
        found = standing_outcomes(tally, RULES, "2025-11-25", self.runner.settings)
        return next(each for each in found if each.case.id == f"session/{check}")
