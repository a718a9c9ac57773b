"""Targets that run only once at a time: whichever of two processes gets the place, the target is judged."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the place is a lock of Linux")

TAKES_ITS_PLACE = """\
import fcntl, os, sys
folder, first, *command = sys.argv[1:]
place = open(folder + "/place", "w")
mine = folder + "/started"
try:
    os.close(os.open(mine, os.O_CREAT | os.O_EXCL))
    number = 1
except FileExistsError:
    number = 2
if number == 1 and first == "second":
    # The second process comes first: wait until it has the place.
    while not os.path.exists(folder + "/taken"):
        os.sched_yield()
fcntl.flock(place, fcntl.LOCK_EX | (fcntl.LOCK_NB if first == "leaves" else 0))
open(folder + "/taken", "w").close()
os.set_inheritable(place.fileno(), True)
os.execv(command[0], command)
"""


def run(folder, first, *server):
    stub = folder / "stub.py"
    stub.write_text(TAKES_ITS_PLACE)
    words = ["run", "-q", "--startup", "4", "--timeout", "2", "--case", "mcp/ping/replies::empty-result"]
    target = [sys.executable, str(stub), str(folder), first, *server]
    code = "import sys; from mcp_tck.conformance import cli; sys.exit(cli.main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, *words, "--", *target]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=90, check=False)


@pytest.mark.parametrize("first", ["first", "second", "leaves"])
def test_it_is_opened_whichever_process_gets_the_place(tmp_path, first):
    done = run(tmp_path, first, sys.executable, "-m", "mcp_tck.reference")
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout.splitlines()[-1]
