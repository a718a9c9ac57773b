"""The full server as a program: which words of the command line make it so."""

import json
import subprocess
import sys

import pytest

P = "io.modelcontextprotocol/"
LIST = {"jsonrpc": "2.0", "id": 1, "method": "resources/list"}
DISCOVER = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "server/discover",
    "params": {"_meta": {f"{P}protocolVersion": "2026-07-28", f"{P}clientCapabilities": {}}},
}


def ask(message, *options):
    given = json.dumps(message).encode() + b"\n"
    command = [sys.executable, "-m", "mcp_tck.reference", *options]
    done = subprocess.run(command, input=given, capture_output=True, timeout=20, check=False)
    assert done.stderr == b""
    return json.loads(done.stdout)


def test_the_plain_program_has_no_resources_and_no_second_era():
    assert ask(LIST)["error"]["code"] == ask(DISCOVER)["error"]["code"] == -32601


@pytest.mark.parametrize("options", [["--features"], ["--era", "dual"], ["--features", "--era", "dual"]])
def test_the_full_program_has_resources_and_both_eras(options):
    assert ask(LIST, *options)["result"]["resources"]
    assert ask(DISCOVER, *options)["result"]["supportedVersions"] == ["2026-07-28"]


def test_an_era_can_be_pinned():
    assert ask(DISCOVER, "--era", "handshake")["error"]["code"] == -32601
    assert ask(LIST, "--era", "stateless")["error"]["code"] == -32602


def test_a_fault_of_a_feature_shows_in_the_full_program():
    meta = {f"{P}protocolVersion": "1900-01-01", f"{P}clientCapabilities": {}}
    error = ask(DISCOVER | {"params": {"_meta": meta}}, "--features", "--fault", "version-refused-bare")["error"]
    assert (error["code"], error.get("data")) == (-32022, None)


@pytest.mark.parametrize("words", [["--era"], ["--era", "modern"]])
def test_an_era_that_there_is_not_is_a_usage_error(words):
    command = [sys.executable, "-m", "mcp_tck.reference", *words]
    assert subprocess.run(command, input=b"", capture_output=True, timeout=20, check=False).returncode == 2
