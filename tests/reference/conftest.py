"""A server in this process, and short ways to call its tools."""

import json
from types import SimpleNamespace

import pytest
from mcp_tck.reference.build import build


class Client:
    """Calls tools of `server` by lines, as a stranger would."""

    def __init__(self, server):
        self.server = server

    def ask(self, method, **params):
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return SimpleNamespace(
            **({"error": None, "result": None} | json.loads(self.server.handle_line(json.dumps(message))))
        )

    def call(self, tool, **arguments):
        """Whether the tool was ok, and its text."""
        result = self.ask("tools/call", name=tool, arguments=arguments).result
        return not result["isError"], result["content"][0]["text"]

    def read(self, tool, **arguments):
        """The JSON that a reading tool answers."""
        ok, text = self.call(tool, **arguments)
        assert ok, text
        assert "\n" not in text
        return json.loads(text)

    def tools(self):
        return [tool["name"] for tool in self.ask("tools/list").result["tools"]]


@pytest.fixture
def client():
    return Client(build(probe=True))


@pytest.fixture
def client_of():
    return lambda **options: Client(build(**options))
