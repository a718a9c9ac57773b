"""A command that cannot be started is told in plain words, and leaves nothing."""

from __future__ import annotations

import os
import stat
import sys

import pytest
from mcp_tck.conformance.targets.process import Process
from mcp_tck.conformance.targets.target import StartError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="targets are started on POSIX systems only")


def descriptors():
    return set(os.listdir("/proc/self/fd")) if sys.platform == "linux" else set()


def test_what_cannot_be_started_says_why(tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("hello\n")
    strange = tmp_path / "strange"
    strange.write_text("#!/nowhere/interpreter\n")
    nothing = tmp_path / "nothing"
    nothing.write_bytes(b"\1\2\3")
    for file in (strange, nothing):
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
    before = descriptors()
    for argv, cwd, words in (
        (["no-such-command-here"], None, "'no-such-command-here' was not found"),
        ([str(plain)], None, "is not executable"),
        ([str(strange)], None, "the interpreter that its first line names does not"),
        ([str(nothing)], None, "Exec format error"),
        (["./plain2"], str(tmp_path), "was not found"),
        ([sys.executable], str(tmp_path / "gone"), "gone' is not a directory"),
        ([sys.executable], str(plain), "is not a directory"),
        ([], None, "the command is empty"),
        ([""], None, "the command is empty"),
        ([sys.executable, "a\0b"], None, "null byte"),
    ):
        with pytest.raises(StartError, match=words):
            Process(argv, cwd=cwd)
    assert descriptors() == before
