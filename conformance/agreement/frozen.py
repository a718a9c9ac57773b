"""Frozen sets: which ids of the bundled cases count, as a release wrote them down in spec/released/VERSION.txt.

A case that is in no frozen set is new: where it fails, that is reported and does not count, so that a newer kit never
turns anybody's CI red unannounced. Without any such file all cases count, and cases of the user's own always do.
This module must never forget a case: `write` refuses a version that is there already.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

_HEAD = "# The case ids that count since mcp-tck {version}, one a line. Written by `mcp-tck freeze`; never edited.\n"


def versions(folder: Path) -> list[str]:
    """The versions with a frozen set, oldest first."""
    found = [path.stem for path in folder.glob("*.txt")] if folder.is_dir() else []
    return sorted(found, key=_order)


def read(folder: Path, version: str) -> frozenset[str]:
    """The ids of one frozen set."""
    lines = (folder / f"{version}.txt").read_text("utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def write(folder: Path, version: str, ids: Iterable[str]) -> Path:
    """Freeze a set. Raises FileExistsError: what was released stays as it was."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{version}.txt"
    with path.open("x", encoding="utf-8") as file:
        file.write(_HEAD.format(version=version) + "".join(f"{name}\n" for name in sorted(set(ids))))
    return path


def _order(version: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in version.split("."))


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command `mcp-tck freeze`, for whoever makes a release of the kit."""
    parser = commands.add_parser("freeze", help="write down which bundled cases count (for a release of the kit)")
    parser.add_argument("version", nargs="?", metavar="VERSION", help="the version of the set (the kit's own)")


def main(arguments: argparse.Namespace, command: list[str] | None) -> int:  # noqa: ARG001 - one shape for all commands
    """Freeze the bundled cases as they are; status 4 where the version has a set already."""
    from .. import kit, standing, suite

    version = arguments.version or kit.KIT["version"]
    ids = suite.bundled_ids() | standing.ids()
    try:
        path = write(suite.RELEASED, version, ids)
    except FileExistsError:
        print(f"mcp-tck freeze: {version} is frozen already, and stays as it was released", file=sys.stderr)
        return 4
    print(f"{len(ids)} case ids written to {path}")
    return 0
