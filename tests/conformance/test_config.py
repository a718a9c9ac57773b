"""The target's configuration: closed, every fault at its line, and nothing started."""

from __future__ import annotations

import pytest
from mcp_tck.conformance.config import ConfigError, from_mcp_config, load, seconds, split, whole


@pytest.fixture
def write(tmp_path):
    def write(text, name="tck.yaml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_everything_can_be_said(write, tmp_path):
    (tmp_path / "sub").mkdir()
    config = load(
        write(
            "command: node 'my server.js' --stdio\nenv: {A: b}\ncwd: sub\nrevision: '2025-06-18'\n"
            "profiles: [story]\nstartup_timeout: 60\ntimeout: 0.5\n"
        )
    )
    assert config.command == ("node", "my server.js", "--stdio")
    assert (config.env, config.cwd, config.revision) == ({"A": "b"}, str(tmp_path / "sub"), "2025-06-18")
    assert (config.profiles, config.startup_timeout, config.timeout) == (("story",), 60.0, 0.5)


def test_a_command_may_be_a_list(write):
    assert load(write("command: [a, 'b c']\n")).command == ("a", "b c")


def test_all_faults_are_told_at_once_each_at_its_line(write):
    with pytest.raises(ConfigError) as caught:
        load(write("comand: x\nenv: {A: 1}\ntimeout: -1\nstartup_timeout: soon\nprofiles: story\n"))
    lines = str(caught.value).splitlines()
    assert [line.rpartition("tck.yaml:")[2].split(":")[0] for line in lines] == ["1", "2", "3", "4", "5"]
    assert "did you mean command?" in lines[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- a\n",
        "x",
        "a: b: c\n",
        "command: a\ncommand: b\n",
        "command: ''\n",
        "command: []\n",
        b"\xff",
        "timeout: .inf\n",
        "timeout: 1e999\n",
        "timeout: 1e20\n",
        f"safety: {{calls: {'9' * 5000}}}\n",
        'command: "a\\0b"\n',
        'command: [a, "\\0"]\n',
        "command: ['', a]\n",
        'env: {A: "\\0"}\n',
        "env: {A=B: c}\n",
        "env: {'': c}\n",
        'modes: {m: {args: ["\\0"]}}\n',
        "cwd: no-such-folder\n",
        "cwd: tck.yaml\n",
        'cwd: "\\0"\n',
        "files: [a]\n",
        "files: {/etc/a: b}\n",
        "files: {a/../../b: c}\n",
        "files: {'': b}\n",
        "files: {.: b}\n",
        'files: {"a\\0": b}\n',
        "files: {a: b, a/c: d}\n",
        "command: 'a\n",
    ],
)
def test_what_is_no_configuration_is_refused(write, text):
    with pytest.raises(ConfigError, match=r"tck\.yaml"):
        load(write(text))


def test_what_a_process_cannot_be_given_is_told_at_its_place_and_not_taken_for_a_fault_of_the_target(write):
    with pytest.raises(ConfigError) as caught:
        load(write('command: [a, "\\0"]\nenv:\n  A: b\n  B=: c\nfiles:\n  a: ""\n  a/b: ""\ncwd: none\n'))
    assert [line.rpartition("tck.yaml:")[2].split(": ")[0] for line in str(caught.value).splitlines()] == [
        "1:14",
        "4:3",
        "7:3",
        "8:6",
    ]


def test_the_text_of_a_file_may_be_anything_and_a_folder_of_the_process_need_not_be_there(write):
    config = load(write('files: {a/b: "\\0", a/c: ""}\ncwd: "{folder}/a"\n'))
    assert (config.files, config.cwd) == ({"a/b": "\0", "a/c": ""}, "{folder}/a")


@pytest.mark.parametrize(("text", "value"), [("0", 0), ("007", 7), ("٣", None), ("²", None), ("-1", None), ("", None)])
def test_a_whole_number_is_one_in_ascii_digits(text, value):
    assert whole(text) == value
    assert whole("9" * 5000) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.5", 0.5), ("86400", 86400.0), ("86401", None), ("1e300", None), ("nan", None), ("٣", None), ("0", None)],
)
def test_seconds_are_few_enough_to_be_waited_for(text, value):
    assert seconds(text) == value


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"none\.yaml: cannot be read"):
        load(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    ("text", "words"), [("a 'b c' \"d\"", ("a", "b c", "d")), (" a ", ("a",)), ("a\\ b", ("a b",))]
)
def test_a_command_line_is_split_as_a_shell_would(text, words):
    assert split(text) == words


@pytest.mark.parametrize("text", ["", "  ", "a 'b"])
def test_an_empty_or_unfinished_command_line_is_refused(text):
    with pytest.raises(ConfigError):
        split(text)


def test_a_server_is_taken_from_a_clients_file(write):
    path = write('{"mcpServers":{"a":{"command":"node","args":["x y"],"env":{"K":"v"}}}}', "mcp.json")
    config = from_mcp_config(path, None)
    assert (config.command, config.env) == (("node", "x y"), {"K": "v"})
    assert from_mcp_config(path, "a") == config


@pytest.mark.parametrize(
    ("text", "server", "words"),
    [
        ("{", None, r"mcp\.json:1:2: no JSON"),
        ("[]", None, "no object"),
        ('{"mcpServers":{}}', None, "no object"),
        ('{"mcpServers":{"one":{"command":"x"},"two":{"command":"x"}}}', None, "name one with --server"),
        ('{"mcpServers":{"one":{"command":"x"}}}', "oen", "did you mean one"),
        ('{"mcpServers":{"one":{"url":"http://x"}}}', None, "none that speaks over stdio"),
        ('{"mcpServers":{"one":{"command":"x","args":"y"}}}', None, '"args"'),
        ('{"mcpServers":{"one":{"command":"x","env":{"A":1}}}}', None, '"env"'),
        ('{"mcpServers":{"one":7}}', None, "no command"),
        ('{"mcpServers":{"one":{"command":"x","cwd":5}}}', None, '"cwd"'),
        ('{"mcpServers":{"one":{"command":"x","cwd":"/no/such/folder"}}}', None, "no folder"),
        ('{"mcpServers":{"one":{"command":"x","args":["\\u0000"]}}}', None, '"args" .* NUL'),
        ('{"mcpServers":{"one":{"command":"x","env":{"A=":"b"}}}}', None, '"A=" is no variable'),
        ('{"mcpServers":{"one":{"command":"x","env":{"A":"\\ud800"}}}}', None, '"env" .* half'),
        ("[" * 100_000, None, "too deep"),
        ("9" * 5000, None, "too long"),
    ],
)
def test_what_a_clients_file_lacks_is_said(write, text, server, words):
    with pytest.raises(ConfigError, match=words):
        from_mcp_config(write(text, "mcp.json"), server)
