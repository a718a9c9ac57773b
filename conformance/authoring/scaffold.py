"""`mcp-tck new AREA/NAME`: a case file to start from, right from the beginning, and the schema for editors beside it.

This module must never write over a file of the user's.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..casefile import schema
from ..casefile.format import VERSION
from ..casefile.format_parts import PATH

if TYPE_CHECKING:
    import argparse

FOLDER: Final = "cases"
SCHEMA: Final = schema.FILE.name

_TEXT: Final = """\
# yaml-language-server: $schema={schema}
format: {version}
area: {area}
cases:

  - id: ping-is-answered
    title: a ping is answered with an empty result
    steps:
      - request: {{method: ping}}
        expect: {{result: {{}}}}

# A case that calls a tool looks like this. Take away the "# " at the beginning of each of the next lines, so that the
# dash stands below the one of the case above, and put in your own names.

#   - id: says-hello
#     title: the tool greets whom it is told to greet
#     steps:
#       - call: {{tool: greet, arguments: {{name: Ada}}}}
#         expect: {{ok: true, text: {{$contains: Ada}}}}

# Check this file:   mcp-tck lint {path}
# Run it:            mcp-tck run {path} -- YOUR SERVER'S COMMAND
"""


class ExistsError(Exception):
    """A file that would be written is there already."""


def new(area: str, folder: Path) -> Path:
    """Write the file of an area below a folder of cases; raises ExistsError."""
    path = folder / f"{area}.yaml"
    if path.exists():
        raise ExistsError(f"{path} is there already")
    path.parent.mkdir(parents=True, exist_ok=True)
    place = write_schema(folder)
    text = _TEXT.format(schema=reach(path, place), version=VERSION, area=area, path=path.as_posix())
    path.write_text(text, encoding="utf-8")
    return path


def write_schema(folder: Path) -> Path:
    """Put the schema for editors into a folder of cases, or bring it up to date; answers its path."""
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / SCHEMA
    place.write_text(schema.text(), encoding="utf-8")
    return place


def reach(path: Path, place: Path) -> str:
    """The way from a case file to the schema of its folder, as the first line of the file names it."""
    depth = len(path.relative_to(place.parent).parts) - 1
    return "../" * depth + place.name if depth else f"./{place.name}"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the others."""
    words = "a case file to start from"
    parser = commands.add_parser("new", help=words, description=words)
    parser.add_argument("area", metavar="AREA/NAME", help="the file's path below the folder of cases, without suffix")
    parser.add_argument("--folder", default=FOLDER, metavar="DIR", help=f"the folder of cases ({FOLDER})")


def main(arguments: argparse.Namespace, command: list[str] | None) -> int:  # noqa: ARG001 - one shape for all commands
    """Do it; answers the exit status."""
    import re

    area = arguments.area.removesuffix(".yaml").removesuffix(".yml").strip("/")
    if not re.fullmatch(PATH.pattern, area) or ".." in area.split("/"):
        print(f"mcp-tck new: {area} is no path of a case file: {PATH.said}", file=sys.stderr)
        return 4
    try:
        path = new(area, Path(arguments.folder))
    except (ExistsError, OSError) as error:
        print(f"mcp-tck new: {error}", file=sys.stderr)
        return 4
    print(f"{path} is written; run it with\n  mcp-tck run {path} -- YOUR SERVER'S COMMAND")
    return 0
