"""The reference as a program over its standard streams."""

import json
import signal
import subprocess
import sys

import pytest

PROGRAM = [sys.executable, "-m", "mcp_tck.reference"]
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
PONG = b'{"jsonrpc":"2.0","id":1,"result":{}}\n'


def run(*options, given=b""):
    return subprocess.run([*PROGRAM, *options], input=given, capture_output=True, timeout=20, check=False)


@pytest.mark.parametrize("given", [b"", PING, PING + b"\n \r\n", PING.replace(b"\n", b"\r\n"), PING.rstrip()])
def test_the_end_of_input_ends_it_quietly(given):
    done = run(given=given)
    assert (done.returncode, done.stdout, done.stderr) == (0, PONG if given else b"", b"")


def test_bytes_that_are_no_utf8_are_an_unreadable_line_and_no_more():
    done = run(given=b'{"jsonrpc":"2.0","id":"\xff","method":"ping"}\n' + PING)
    first, second = done.stdout.splitlines(keepends=True)
    assert json.loads(first)["error"] == {"code": -32700, "message": "Parse error: the line is not valid UTF-8"}
    assert second == PONG


def test_a_long_line_is_a_line_like_others():
    request = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "tck_fail", "arguments": {"text": "é" * 2**20}},
    }
    done = run("--probe", given=json.dumps(request, ensure_ascii=False).encode() + b"\n")
    assert json.loads(done.stdout)["result"]["content"][0]["text"] == "é" * 2**20


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_quietly(number):
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(PING)
        process.stdin.flush()
        assert process.stdout.readline() == PONG
        process.send_signal(number)
        assert process.wait(20) == 0
        assert process.stderr.read() == b""


def test_a_reader_that_went_away_ends_it_quietly():
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        process.stdin.write(PING)
        process.stdin.flush()
        assert process.wait(20) == 0
        assert process.stderr.read() == b""


@pytest.mark.parametrize("options", [("--prob",), ("--project",), ("x",)])
def test_an_option_that_is_none_is_a_usage_error(options):
    done = run(*options, given=PING)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"usage: ")


def test_the_options_reach_the_server(tmp_path):
    done = run(
        "--probe",
        "--read-only",
        "--project",
        str(tmp_path / "p.json"),
        given=b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n',
    )
    names = [tool["name"] for tool in json.loads(done.stdout)["result"]["tools"]]
    assert "find_replace" not in names
    assert {"list_documents", "tck_read"} < {*names}
    assert (tmp_path / "p.json").exists()
