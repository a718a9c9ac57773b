"""`mcp-tck explain ID`: a requirement with its words, level, source, cases and faults, or a case with what it shows.

Every id that a report names can be looked up. This module must never start a target.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .model import Case, Requirement
    from .suite import Suite

WIDTH = 100
SHOWN = 30
"""Most lines of a list, unless all are asked for."""


_PLACES: Final = {
    "fresh": "on a new process of its own",
    "last": "on a process that others may have used, and nobody will again",
    "rough": "on a process that gets malformed input",
}


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("explain", help="tell what a requirement or a case says")
    parser.add_argument("id", metavar="ID", help="the id of a requirement or of a case, as reports name it")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="case files or folders of your own to look in as well")
    parser.add_argument("--all", action="store_true", help="no list is shortened")


def main(arguments: argparse.Namespace, command: list[str] | None) -> int:  # noqa: ARG001 - one shape for all commands
    """Print it; status 4 where nothing has the id."""
    from . import standing, suite
    from .authoring import snapshots
    from .casefile import cases
    from .properties import listing
    from .safety import made

    requirements, problems = suite.requirements()
    missing = [path for path in arguments.paths if not Path(path).exists()]
    paths = [suite.FIXTURES, *(Path(path) for path in arguments.paths if path not in missing)]
    read = suite.load(found for path in paths for found in cases.find(path))
    for path in missing:
        print(f"mcp-tck explain: {path}: there is no such file or folder", file=sys.stderr)
    for problem in (*problems, *read.problems):
        print(problem, file=sys.stderr)
    if missing:
        return 4
    known = [case for found in read.files.values() for case in found]
    known += [*listing.cases(), *made.kinds(), *snapshots.kinds(), *(standing.case(check) for check in standing.CHECKS)]
    identity = arguments.id.strip()
    most = 10**6 if arguments.all else SHOWN
    if identity in requirements:
        lines = requirement(requirements[identity], known, most)
    elif named := named_by(identity, known):
        lines = case(named, read, requirements, most)
    else:
        names = {*requirements, *(name for each in known for name in _spellings(each.id))}
        near = alike(identity, names)
        hint = f" (did you mean {', '.join(near)}?)" if near else ""
        print(f"nothing has the id {identity}{hint}", file=sys.stderr)
        if "/" in identity and not arguments.paths:
            print(
                f"a case of your own is found where its file is named: mcp-tck explain {identity} PATH", file=sys.stderr
            )
        return 4
    print("\n".join(lines))
    return 0


def alike(identity: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known ids that a misspelt one may mean, the likeliest first; capitals and leading zeros do not count."""
    folded: dict[str, list[str]] = {}
    for name in sorted(name for name in known if "[" in identity or "[" not in name):
        folded.setdefault(_folded(name), []).append(name)
    wanted = _folded(identity)
    near = [wanted] if wanted in folded else difflib.get_close_matches(wanted, folded, most, 0.7)
    return [name for key in near for name in folded[key]][:most]


def _folded(name: str) -> str:
    return re.sub(r"(?<!\d)0+(?=\d)", "", name.casefold())


def named_by(identity: str, known: Iterable[Case]) -> list[Case]:
    """The case of an id, all rows of a case, or all cases of a file."""
    plain = identity.partition("@")[0].removeprefix("baseline::")
    if plain.startswith("safety/"):  # made from a catalogue: what is known without one is its kind
        plain = plain.partition("::")[0]
    return [each for each in known if plain in _spellings(each.id)]


def _spellings(identity: str) -> tuple[str, str, str]:
    return identity, identity.partition("[")[0], identity.partition("::")[0]


def requirement(each: Requirement, known: Iterable[Case], most: int) -> list[str]:
    """A requirement for a reader."""
    from .casefile.format_parts import REVISIONS
    from .report.links import link

    fields = [each.level.value]
    fields += [f"{word} {value}" for word, value in (("since", each.since), ("until", each.until)) if value]
    fields += [f"where the target declares {each.needs.replace('|', ' or ')}"] if each.needs else []
    fields += [f"profile {each.profile}"] if each.profile != "mcp" else []
    lines = [f"{each.id}  ({', '.join(fields)})", *_wrapped(each.text), ""]
    urls = [url for revision in REVISIONS if each.applies_at(revision) and (url := link(each.source, revision))]
    lines += _part("source", [each.source, *urls[-1:]])
    lines += _part("page", [str(each.at)])
    if each.untestable:
        lines += _part("untested", [each.untestable])
    showing = [case for case in known if each.id in case.covers]
    lines += _part("cases", _some([f"{case.id}  {case.title}" for case in _first_rows(showing)], most) or ["none"])
    lines += _part("faults", _some([f"{name}  {what}" for name, what in _faults(each.id)], most))
    return lines


def case(named: list[Case], read: Suite, requirements: dict[str, Requirement], most: int) -> list[str]:
    """A case for a reader; of several, what they have in common and their ids."""
    first = named[0]
    if len({each.id.partition("[")[0] for each in named}) > 1:
        shown = _some([f"{each.id}  {each.title}" for each in _first_rows(named)], most)
        return [f"{first.id.partition('::')[0]}  {first.file}", *(f"  {line}" for line in shown)]
    from .properties import listing

    lines = [f"{first.id if len(named) == 1 else first.id.partition('[')[0]}", *_wrapped(first.title), ""]
    lines += _part(
        "file",
        [f"{first.file}:{first.at.line}"] if first.file else [_without_file(first)],
    )
    shows = [
        f"{name} ({requirements[name].level}) {requirements[name].text}"
        for name in first.covers
        if name in requirements
    ]
    lines += _part("shows", shows or ["no requirement: a case of its owner's"])
    lines += _part("applies", list(_conditions(first)))
    if len(named) > 1:
        lines += _part("rows", _some([each.id for each in named], most))
    if first.id in listing.ids():
        lines += _part("examples", ["made anew in every run, the same for the same --seed"])
    lines += _part("text", _source(first, read), wrap=False)
    if first.file:
        lines += _part("run it", [f"mcp-tck run --case '{named[0].id}' -- COMMAND"], wrap=False)
    return lines


def _without_file(each: Case) -> str:
    if each.area.startswith("safety/"):
        return "made from the catalogue of the target: --profile safety plays it, --dry-run lists its calls"
    if each.area == "snapshot/catalogue":
        return "made for each part of the catalogue: --snapshots FOLDER plays it"
    return "a standing check: judged on every message of a run"


def _conditions(each: Case) -> Iterator[str]:
    if each.since or each.until:
        yield "at revisions " + " ".join(
            f"{word} {value}" for word, value in (("since", each.since), ("until", each.until)) if value
        )
    for kind in ("capabilities", "tools", "profiles"):
        if names := getattr(each.needs, kind):
            yield f"needs the {kind} {', '.join(names)}"
    if each.session != "shared":
        yield _PLACES[each.session]


def _source(each: Case, read: Suite) -> list[str]:
    """The case as it stands in its file, rows and all: from its list item to the next one of its depth."""
    slug = each.id.partition("::")[2].partition("[")[0]
    number = each.at.line
    while number > 0 and not re.match(
        rf"\s*- id: *['\"]?{re.escape(slug)}\b", read.source_line(each.file, number) or ""
    ):
        number -= 1
    lines: list[str] = []
    depth = 0
    while number > 0 and (text := read.source_line(each.file, number)) is not None:
        indent = len(text) - len(text.lstrip())
        if not lines:
            depth = indent
        elif text.strip() and indent <= depth:
            break
        lines.append(text[depth:].rstrip())
        number += 1
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def _first_rows(found: Iterable[Case]) -> list[Case]:
    first: dict[str, Case] = {}
    for each in found:
        first.setdefault(each.id.partition("[")[0], each)
    return list(first.values())


def _faults(identity: str) -> list[tuple[str, str]]:
    """The faults of the reference that break a requirement, where the reference is installed."""
    try:
        from .proof.killing import port
    except ImportError:
        return []
    return [(fault.name, fault.what) for fault in port().faults.values() if identity in fault.breaks]


def _some(lines: list[str], most: int) -> list[str]:
    return lines if len(lines) <= most else [*lines[:most], f"and {len(lines) - most} more (--all)"]


def _part(name: str, texts: list[str], *, wrap: bool = True) -> list[str]:
    lines = [line for text in texts for line in (_wrapped(text, "") if wrap else [text])]
    return [f"{name if number == 0 else '':<9} {line}".rstrip() for number, line in enumerate(lines)]


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
