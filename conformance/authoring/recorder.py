"""`mcp-tck record -o FILE -- CMD`: between a client and a server, bytes unchanged; what passed becomes a case file.

The client sees the server's own standard output, standard error and exit status. This module must never hold a byte
back, change one, or write over a file.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import argparse

    from .recording import Passed

KEPT_BYTES: Final = 64 * 1024 * 1024
"""Bytes of a session that are kept for the file; what passes after is not recorded."""

_CHUNK: Final = 65536


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the others."""
    words = "stand between a client and a server, and write what passed as a case file"
    parser = commands.add_parser("record", help=words, description=words, usage="mcp-tck record -o FILE -- CMD ...")
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="the case file; a number is added if it is there"
    )


def main(arguments: argparse.Namespace, command: list[str] | None) -> int:
    """Do it; answers the server's exit status, 1 where there was nothing to record, or 4."""
    from ..casefile.format_parts import PATH
    from .starter import slug

    if not command:
        print("mcp-tck record: no server: put its command behind --", file=sys.stderr)
        return 4
    path = Path(arguments.output)
    if path.suffix not in {".yaml", ".yml"}:
        print(f"mcp-tck record: {path}: a case file ends with .yaml", file=sys.stderr)
        return 4
    if not re.fullmatch(PATH.pattern, path.stem):
        better = path.with_stem(slug(path.stem))
        print(f"mcp-tck record: {path.name} is no name of a case file: write -o {better}", file=sys.stderr)
        return 4
    tape = Tape()
    try:
        status = asyncio.run(_relay(command, tape))
    except OSError as error:
        print(f"mcp-tck record: the server does not start: {error}", file=sys.stderr)
        return 1
    written = write(tape.lines(), path)
    if written is None:
        print("mcp-tck record: the client sent nothing, so nothing is written", file=sys.stderr)
        return status or 1
    print(f"mcp-tck record: written to {written}", file=sys.stderr)
    return status


class Tape:
    """The bytes of both directions, cut into lines in the order in which the lines ended."""

    def __init__(self) -> None:
        self._lines: list[Passed] = []
        self._rest = {">": b"", "<": b""}
        self._kept = 0

    def take(self, direction: str, data: bytes) -> None:
        """Note bytes that passed."""
        from .recording import Passed

        if self._kept > KEPT_BYTES:
            return
        self._kept += len(data)
        *lines, self._rest[direction] = (self._rest[direction] + data).split(b"\n")
        self._lines += [Passed(direction, line) for line in lines]

    def lines(self) -> list[Passed]:
        """The lines so far, and what followed the last line feed of the client."""
        from .recording import Passed

        return [*self._lines, *([Passed(">", self._rest[">"])] if self._rest[">"].strip() else [])]


def write(lines: list[Passed], path: Path) -> Path | None:
    """Write a recording to a file that is not there yet, with a number where it is; None where there is nothing."""
    from . import scaffold
    from .recording import Recording

    recording = Recording.of(lines)
    place, number = path, 2
    while place.exists():
        place, number = path.with_stem(f"{path.stem}-{number}"), number + 1
    text = recording.text(place.stem, f"./{scaffold.SCHEMA}")
    if not text:
        return None
    scaffold.write_schema(place.parent)
    place.write_text(text, encoding="utf-8")
    return place


async def _relay(command: list[str], tape: Tape) -> int:
    """Start the server and pass bytes until it ends."""
    server = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, start_new_session=True
    )
    assert server.stdin is not None
    assert server.stdout is not None
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, _end, server, number)
    threading.Thread(target=_up, args=(server.stdin, tape, loop), daemon=True).start()
    try:
        while chunk := await server.stdout.read(_CHUNK):
            tape.take("<", chunk)
            _give(chunk)
        await server.wait()
    finally:
        _end(server, signal.SIGKILL)
    code = server.returncode or 0
    return code if code >= 0 else 128 - code


def _up(server: asyncio.StreamWriter, tape: Tape, loop: asyncio.AbstractEventLoop) -> None:
    """Pass the client's bytes on until its end. A thread: standard input may be a file, and must not be set up anew."""

    async def give(chunk: bytes) -> None:
        with contextlib.suppress(ConnectionError):
            if chunk:
                tape.take(">", chunk)
                server.write(chunk)
                await server.drain()
            else:
                server.close()

    with contextlib.suppress(RuntimeError):  # the loop has ended: so has the server
        chunk = b"x"
        while chunk:
            chunk = os.read(sys.stdin.fileno(), _CHUNK)
            asyncio.run_coroutine_threadsafe(give(chunk), loop).result()


def _give(chunk: bytes) -> None:
    """All of it to the client; one that is gone gets nothing more."""
    left = memoryview(chunk)
    while left:
        try:
            left = left[os.write(sys.stdout.fileno(), left) :]
        except BlockingIOError:
            continue
        except OSError:
            return


def _end(server: asyncio.subprocess.Process, number: int) -> None:
    """Signal the server and all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(server.pid, number)
