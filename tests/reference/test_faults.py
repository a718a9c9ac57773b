"""Faults and variants as the program offers them; that the cases see them is shown by the kill matrix."""

import json
import subprocess
import sys

import pytest
from mcp_tck.reference.faults import FAULTS, UNSEEN, VARIANTS, make

PROGRAM = [sys.executable, "-m", "mcp_tck.reference"]
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def run(*options, given=b""):
    return subprocess.run([*PROGRAM, *options], input=given, capture_output=True, timeout=20, check=False)


def answer(handler, message):
    """What a server answers to one message."""
    return [json.loads(line) for line in handler(json.dumps(message))]


def read(handler, reader, value):
    arguments = {"reader": reader, "key": "v", "args": {"v": value}}
    (reply,) = answer(handler, {**PING, "method": "tools/call", "params": {"name": "tck_read", "arguments": arguments}})
    return json.loads(reply["result"]["content"][0]["text"])["value"]


def test_all_faults_and_variants_are_listed_with_what_they_break():
    done = run("--list-faults")
    listed = [line.split("\t") for line in done.stdout.decode().splitlines()]
    assert [line[0] for line in listed] == [*FAULTS, *VARIANTS]
    assert ["bool-two-words", "ARG-BOOL-4", "knows the words true and false, and no others"] in listed
    assert all(len(line) == 3 and all(line) for line in listed)


def test_the_program_starts_with_a_fault():
    done = run("--fault", "id-as-string", given=json.dumps(PING).encode() + b"\n")
    assert json.loads(done.stdout) == {"jsonrpc": "2.0", "id": "1", "result": {}}


def test_faults_and_variants_add_up():
    done = run("--fault", "id-as-string", "--variant", "crlf", given=json.dumps(PING).encode() + b"\n")
    assert done.stdout.endswith(b"}\r\n")
    assert json.loads(done.stdout)["id"] == "1"


def test_a_fault_that_is_not_there_is_a_usage_error():
    done = run("--fault", "no-such-fault", given=b"")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"no-such-fault" in done.stderr


def test_a_fault_does_not_outlive_its_server():
    wrong, right = make([FAULTS["bool-default-false"]]).handler, make().handler
    assert (read(wrong, "bool", "true"), read(right, "bool", "true")) == (False, True)


@pytest.mark.parametrize("name", [name for name, fault in FAULTS.items() if fault.features][:5])
def test_a_fault_of_what_mcp_has_beside_tools_brings_that_along(name):
    (reply,) = answer(make([FAULTS[name]]).handler, {**PING, "method": "resources/list"})
    assert "result" in reply


def test_what_no_case_can_see_has_a_reason():
    assert all(what and why for what, why in UNSEEN.items())


def test_no_name_is_both_a_fault_and_a_variant():
    assert not FAULTS.keys() & VARIANTS.keys()
