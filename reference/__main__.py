"""The reference as a program: `python -m mcp_tck.reference [--probe] [--read-only] [--project FILE]`.

Only this module touches the process: its arguments, its streams, its signals.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

from .build import build
from .protocol import respond
from .serve import serve


def main(arguments: list[str]) -> int:
    """Serves standard input until it ends; the status is 0 then, and also when nobody reads the answers any more."""
    # A broken line of arguments is seldom; argparse would cost every start some milliseconds.
    probe = read_only = False
    project = None
    rest = iter(arguments)
    for word in rest:
        if word == "--probe":
            probe = True
        elif word == "--read-only":
            read_only = True
        elif word == "--project" and (project := next(rest, None)):
            continue
        else:
            sys.stderr.write("usage: python -m mcp_tck.reference [--probe] [--read-only] [--project FILE]\n")
            return 2
    return run(probe=probe, read_only=read_only, project=project)


def run(*, probe: bool, read_only: bool, project: str | None) -> int:
    """Builds the server and serves the standard streams."""
    out = sys.stdout.buffer

    def write(line: bytes) -> None:
        out.write(line)
        out.flush()

    def leave(_signal: int, _frame: object) -> NoReturn:
        raise SystemExit(0)

    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGINT, leave)
    file = None
    if project is not None:
        from pathlib import Path  # a slow import that most starts do not need

        file = Path(project)
    server = build(probe=probe, read_only=read_only, project=file)
    try:
        serve(sys.stdin.buffer, write, respond(server))
    except BrokenPipeError:
        # Nobody reads any more; what is still buffered must not be tried again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
