"""Case files to cases: every fault of a file at its line and column, all of them at once.

A file with a problem gives no cases: half a file would be a verdict on half of what its author meant.

This module must never run a case, and never know a target.
"""

from __future__ import annotations

import contextlib
import gc
import re
from typing import TYPE_CHECKING, Final

from ..model import Case, Location, Needs, Node, Problem, Step
from ..words import did_you_mean
from . import format as layout
from . import format_parts, yamlstrict
from .checking import Check, Use
from .shapes import Anything, Field, ListOf

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SNIFF: Final = tuple(
    re.compile(rb"^(\xef\xbb\xbf)?(\"?)" + name + rb"\2\s*:", re.MULTILINE) for name in (b"format", b"area", b"cases")
)
_ENDING: Final = frozenset({"close_stdin", "expect_exit"})
_ROUGH: Final = frozenset({"send_line", "send_bytes"})


def is_case_file(path: Path) -> bool:
    """Whether a file is meant as a case file: YAML that says two of `format:`, `area:` and `cases:` at its top level.

    Two are enough, so that a file which lacks the third is refused and not passed over.
    """
    if path.suffix not in {".yaml", ".yml"}:
        return False
    try:
        data = path.read_bytes()
    except OSError:
        return False
    return sum(pattern.search(data) is not None for pattern in _SNIFF) > 1


def find(folder: Path) -> list[Path]:
    """All case files below a folder, sorted; folders that begin with a dot or hold packages are not entered."""
    if folder.is_file():
        return [folder] if is_case_file(folder) else []
    found: list[Path] = []
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if not path.name.startswith(".") and path.name not in {"node_modules", "__pycache__"}:
                found += find(path)
        elif is_case_file(path):
            found.append(path)
    return found


def load(path: Path, display: str, prefix: str) -> tuple[list[Case], list[Problem]]:
    """Read a case file; ids are `PREFIX::slug[row]`, and places name the file as `display`.

    There are cases or problems, never both.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        return [], [Problem(Location(display, 1, 1), "unreadable-file", f"the file cannot be read: {error.strerror}")]
    return loads(data, display, prefix)


def loads(data: bytes, display: str, prefix: str) -> tuple[list[Case], list[Problem]]:
    """The same from the bytes of a file."""
    text, problems = yamlstrict.decode(data, display)
    if problems:
        return [], problems
    with no_collection():
        root, problems = yamlstrict.parse(text, display)
        if root is None:
            return [], problems
        frame = _File(root, display, prefix)
        # A word without quotes where true or false is wanted was not meant as a text.
        meant = {problem.at for problem in frame.problems if problem.hint in {"write true", "write false"}}
        problems = [problem for problem in problems if problem.at not in meant]
        known = {problem.at for problem in problems}
        problems += [problem for problem in frame.problems if problem.at not in known]
        problems.sort(key=lambda problem: (problem.at.line, problem.at.column))
        return ([], problems) if problems else (list(frame.cases()), [])


def as_step(node: Node) -> Step:
    """A step as it stands in a case or in `together`; what stands beside its fields becomes one of them.

    So a `request` has `method`, `params`, `id`, `meta` and `expect`, and a `server_request` has `answer`. Steps whose
    value is no set of fields (`send_line`, `optional`, …) have that value as their args.
    """
    kind = next(key for key in node.items if key in layout.STEPS)
    args = node.items[kind]
    beside = {key: member for key, member in node.items.items() if key != kind}
    if beside:
        keys = {**args.keys, **{key: node.keys[key] for key in beside}}
        args = Node({**args.items, **beside}, args.at, keys)
    return Step(kind, node.keys[kind], args)


def steps_of(step: Step) -> tuple[Step, ...]:
    """The steps inside a `together` step."""
    return tuple(map(as_step, step.args.elements))


@contextlib.contextmanager
def no_collection() -> Iterator[None]:
    """Nodes hold no cycles, and the collector would walk all of them again and again: half of the time of a load."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class _File:
    """One file: checked at once, turned into cases only when asked."""

    def __init__(self, root: Node, display: str, prefix: str) -> None:
        self.root = root
        self.display = display
        self.prefix = prefix
        self.problems: list[Problem] = []
        check = Check(self.problems)
        check.record(root, _FRAME, "format, area and cases")
        for use in check.uses:
            check.report(use.at, "unknown-column", "rows belong to a case, and this stands before all of them")
        self.saved = frozenset(check.saved)
        self.area = str(_value(root, "area"))
        self.check_area(check)
        self.since, self.until = self.window(root, check)
        cases = root.get("cases")
        if cases is not None and isinstance(cases.value, tuple):
            if not cases.elements:
                check.report(cases.at, "empty-list", "there are no cases in this file")
            seen: dict[str, Location] = {}
            for node in cases.elements:
                self.check_case(node, seen)

    def check_area(self, check: Check) -> None:
        """The area is what the ids of the cases begin with, as far as one knows where the folder of cases begins."""
        area = self.root.get("area")
        if area is None or not isinstance(area.value, str):
            return
        theirs, ours = area.value.split("/"), self.prefix.split("/")
        shared = min(len(theirs), len(ours))
        if theirs[-shared:] != ours[-shared:]:
            hint = "the area is the file's path below the case folder, without the suffix"
            check.report(area.at, "wrong-area", f"the area is {area.value}, the file is {self.prefix}", hint)

    def window(self, node: Node, check: Check) -> tuple[str | None, str | None]:
        """The revisions of a file or case, from the first to the last; None where there is no bound."""
        revisions = node.get("revisions")
        if revisions is None:
            return None, None
        since, until = (_value(revisions, key) for key in ("since", "until"))
        if not revisions.items:
            check.report(revisions.at, "empty-window", "neither since nor until is there")
        if since is not None and until is not None and since > until:
            check.report(revisions.at, "empty-window", f"no revision lies between {since} and {until}")
        return since, until

    def check_case(self, node: Node, seen: dict[str, Location]) -> None:
        """Hold one case against the format, and its references against what they refer to."""
        check = Check(self.problems, saved=set(self.saved))
        check.shape(node, layout.CASE)
        if not isinstance(node.value, dict):
            return
        name = node.get("id")
        if name is not None and isinstance(name.value, str):
            first = seen.setdefault(name.value, name.at)
            if first is not name.at:
                said = f'the id "{name.value}" is there twice; first on line {first.line}'
                check.report(name.at, "duplicate-id", said, "an id is unique in its file")
        before = len(check.problems)
        since, until = self.window(node, check)
        first_left, last_left = later(self.since, since), earlier(self.until, until)
        if len(check.problems) == before and first_left and last_left and first_left > last_left and (since or until):
            said = "no revision is left of those of the whole file"
            check.report(node.items["revisions"].at, "empty-window", said)
        self.check_rows(node, check)

    def check_rows(self, node: Node, check: Check) -> None:
        """Row names are unique slugs; every column that is used is there; what a column holds suits its uses."""
        examples = node.get("examples")
        rows = [row for row in (examples.elements if examples else ()) if isinstance(row.value, dict)]
        seen: dict[object, Location] = {}
        for row in rows:
            name = row.get("name")
            if name is None:
                continue
            before = len(check.problems)
            check.shape(name, format_parts.SLUG)
            first = seen.setdefault(name.value, name.at) if len(check.problems) == before else name.at
            if first is not name.at:
                said = f'the row "{name.value}" is there twice; first on line {first.line}'
                check.report(name.at, "duplicate-row", said, "a row's name is part of its test's id")
        done: set[tuple[str, bool]] = set()
        for use in check.uses:
            self.check_use(use, rows, check)
            if (use.column, use.sent) not in done:
                done.add((use.column, use.sent))
                for row in rows:
                    if use.column in row.items:
                        self.check_column(row.items[use.column], use, check)

    def check_use(self, use: Use, rows: list[Node], check: Check) -> None:
        """A `$row` names a column that some row has; where nothing can be left out, every row has it."""
        lacking = [row for row in rows if use.column not in row.items]
        if len(lacking) == len(rows):
            columns = {column for row in rows for column in row.items}
            hint = did_you_mean(use.column, columns) or ("" if rows else "this case has no examples")
            check.report(use.at, "unknown-column", f'no row has the column "{use.column}"', hint)
        elif not use.droppable:
            for row in lacking:
                said = f'this row has no column "{use.column}", and line {use.at.line} needs one'
                check.report(row.at, "missing-column", said)

    def check_column(self, node: Node, use: Use, check: Check) -> None:
        """A row's value is held against what it stands for: something to send, or an expectation."""
        inner = Check(saved=check.saved, in_rows=True)
        if use.sent:
            inner.sent(node, member=False)
        else:
            inner.expected(node, member=False)
        check.problems += [problem for problem in inner.problems if problem not in check.problems]

    def cases(self) -> Iterator[Case]:
        """The cases of a file without problems, one for each row where there are rows."""
        first, last, start_of_all = _steps(self.root, "before"), _steps(self.root, "after"), self.root.get("start")
        for node in self.root.items["cases"].elements:
            steps = _steps(node, "steps")
            before = (*first, *_steps(node, "before"))
            after = (*_steps(node, "after"), *last)
            start = node.get("start") or start_of_all
            revisions = node.get("revisions")
            since, until = (_value(revisions, key) for key in ("since", "until")) if revisions else (None, None)
            slug = _value(node, "id")
            case = Case(
                id=f"{self.prefix}::{slug}",
                file=self.display,
                at=node.at,
                title=str(_value(node, "title")),
                area=self.area,
                covers=_texts(node.get("covers")),
                steps=steps,
                needs=self.needs(node),
                since=later(self.since, since),
                until=earlier(self.until, until),
                session="fresh" if start is not None else _session(node, (*before, *steps, *after)),
                opening=node.get("opening"),
                before=before,
                after=after,
                start=start,
            )
            examples = node.get("examples")
            if examples is None:
                yield case
                continue
            for row in examples.elements:
                yield _with_row(case, row)

    def needs(self, node: Node) -> Needs:
        """What the file and the case ask of a target, together."""
        asked = [part for part in (self.root.get("requires"), node.get("requires")) if part is not None]
        if not asked:
            return _NOTHING

        def gather(key: str) -> tuple[str, ...]:
            return tuple(dict.fromkeys(name for part in asked for name in _texts(part.get(key))))

        return Needs(gather("capabilities"), gather("tools"), gather("profiles"))


_NOTHING: Final = Needs()
_FRAME: Final = {**layout.FILE.by_name, "cases": Field("cases", ListOf(Anything(), least=0), "", [], required=True)}
"""The fields of a file; its cases are held against theirs one by one."""


def later(one: str | None, other: str | None) -> str | None:
    """The later of two revisions, of which each may be missing."""
    return max(one or "", other or "") or None


def earlier(one: str | None, other: str | None) -> str | None:
    """The earlier of two revisions, of which each may be missing."""
    return min(filter(None, (one, other)), default=None)


def _with_row(case: Case, row: Node) -> Case:
    # dataclasses.replace goes through every field by name, and there are thousands of rows.
    return Case(
        f"{case.id}[{_value(row, 'name')}]",
        case.file,
        row.at,
        case.title,
        case.area,
        case.covers,
        case.steps,
        case.needs,
        case.since,
        case.until,
        case.session,
        case.opening,
        row.items,
        None,
        case.before,
        case.after,
        case.start,
    )


def _steps(node: Node, key: str) -> tuple[Step, ...]:
    member = node.get(key)
    return tuple(map(as_step, member.elements)) if member is not None else ()


def _session(node: Node, steps: tuple[Step, ...]) -> str:
    """Which process a case runs on: its own, the last of one that others had, or one that it shares with its like."""
    kinds = {step.kind for step in steps}
    said, opening = _value(node, "session"), node.get("opening")
    if said == "fresh" or (opening is not None and not (said == "last" and opening.value == "none")):
        return "fresh"
    if said == "last" or kinds & _ENDING:
        return "last"
    return "rough" if kinds & _ROUGH and said != "shared" else "shared"


def _value(node: Node, key: str) -> str | None:
    member = node.get(key)
    return member.value if member is not None and isinstance(member.value, str) else None


def _texts(node: Node | None) -> tuple[str, ...]:
    return tuple(str(element.value) for element in node.elements) if node is not None else ()
