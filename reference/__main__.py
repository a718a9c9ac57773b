"""The reference as a program: `python -m mcp_tck.reference [--probe] [--read-only] [--project FILE]`.

`--features` adds what MCP has beside tools, in both eras; `--era`, which implies it, pins the server to one.
`--fault NAME` and `--variant NAME`, repeatable, make it wrong or unusual; `--list-faults` names them. Only this module
touches the process: its arguments, its streams, its signals.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

from .build import build
from .protocol import respond
from .serve import serve

USAGE = """\
usage: python -m mcp_tck.reference [--probe] [--read-only] [--project FILE]
                                   [--features] [--era handshake|stateless|dual]
                                   [--fault NAME]... [--variant NAME]... [--list-faults]
"""


def main(arguments: list[str]) -> int:
    """Serves standard input until it ends; the status is 0 then, and also when nobody reads the answers any more."""
    # A broken line of arguments is seldom; argparse would cost every start some milliseconds.
    switches = {"--probe": False, "--read-only": False, "--features": False, "--list-faults": False}
    project = era = None
    faults: list[str] = []
    rest = iter(arguments)
    for word in rest:
        if word in switches:
            switches[word] = True
        elif word == "--project" and (project := next(rest, None)):
            continue
        elif word == "--era" and (era := next(rest, None)) in {"handshake", "stateless", "dual"}:
            switches["--features"] = True
        elif word in {"--fault", "--variant"} and (name := next(rest, None)):
            faults.append(name)
        else:
            sys.stderr.write(USAGE)
            return 2
    if switches["--list-faults"]:
        return _list_faults()
    return run(
        probe=switches["--probe"],
        read_only=switches["--read-only"],
        features=switches["--features"],
        era=era or "dual",
        project=project,
        faults=faults,
    )


def run(
    *,
    probe: bool,
    read_only: bool,
    project: str | None,
    features: bool = False,
    era: str = "dual",
    faults: list[str],
) -> int:
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
    if faults:
        from .faults import FAULTS, VARIANTS, make

        unknown = [name for name in faults if name not in FAULTS and name not in VARIANTS]
        if unknown:
            sys.stderr.write(f"there is no fault or variant {unknown[0]}; --list-faults names them\n")
            return 2
        chosen = [FAULTS[name] if name in FAULTS else VARIANTS[name] for name in faults]
        made = make(chosen, probe=probe, read_only=read_only, features=features, era=era, project=file)
        handler, loop = made.handler, made.serve
    else:
        handler, loop = (
            respond(build(probe=probe, read_only=read_only, project=file, features=features, era=era)),
            serve,
        )
    try:
        loop(sys.stdin.buffer, write, handler)
    except BrokenPipeError:
        # Nobody reads any more; what is still buffered must not be tried again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
    return 0


def _list_faults() -> int:
    from .faults import FAULTS, VARIANTS

    for fault in FAULTS.values():
        sys.stdout.write(f"{fault.name}\t{' '.join(fault.breaks)}\t{fault.what}\n")
    for variant in VARIANTS.values():
        sys.stdout.write(f"{variant.name}\t(variant)\t{variant.what}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
