"""What a target says of itself, held against a folder of snapshots: a change is a case that fails, with a diff.

Made cases, one a part: every page of each list, in its order, and the instructions. The order of an object's members is
no part of a snapshot, and what the rules of `volatile` name is left out. This module must never call a tool, and writes
nothing but snapshots, where that was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..model import Case, Location, Mismatch, Needs
from ..session import Played
from ..words import count
from . import volatile
from .explore import PAGES

if TYPE_CHECKING:
    from ..calling import Caller
    from ..values import Value
    from .snapshot_files import Folder

AREA: Final = "snapshot/catalogue"
PREFIX: Final = "snapshot/"
SESSION: Final = "snapshot"
"""A process of their own: what other cases do to a target changes what it lists."""

FIRST: Final = ("name", "uri", "uriTemplate", "title", "description")
"""Members that people look for first; the others follow by name."""

DIFF_LINES: Final = 200
_NOT_FOUND: Final = "-32601"


class Part(NamedTuple):
    """A list of the catalogue: the capability that declares it, how it is asked for, the member that holds it."""

    capability: str
    method: str
    member: str


PARTS: Final[Mapping[str, Part | None]] = {
    "tools": Part("tools", "tools/list", "tools"),
    "resources": Part("resources", "resources/list", "resources"),
    "templates": Part("resources", "resources/templates/list", "resourceTemplates"),
    "prompts": Part("prompts", "prompts/list", "prompts"),
    "instructions": None,
}


@dataclass(frozen=True, slots=True)
class Snapshots:
    """What was asked for: the folder as the user named it, and whether it is to be written."""

    folder: str
    update: bool = False


def ids() -> set[str]:
    """The ids of all cases that may be made."""
    return {each.id for each in kinds()}


def kinds() -> list[Case]:
    """The cases without what they do, for who wants to read of them."""
    return [_case(name) for name in PARTS]


def cases(asked: Snapshots, hide: Callable[[Any], Any]) -> Iterator[Case]:
    """A case for each part. `hide` takes out of plain data what nobody may see."""
    for name, part in PARTS.items():
        # A list that is on record, and is not declared any more, is a change like every other.
        kept = (Path(asked.folder) / f"{name}.yaml").exists()
        needs = Needs() if part is None or kept else Needs(capabilities=(part.capability,))
        yield replace(_case(name), needs=needs, session=SESSION, script=Script(asked, hide, name))


def _case(part: str) -> Case:
    at = Location("", 0, 0)
    return Case(f"{AREA}::{part}", "", at, f"the {part} of the target are the ones on record", AREA, (), ())


class Asked(NamedTuple):
    """What a target has of a part: the value, or that it has none; `lost` says why that cannot be told."""

    value: Value = None
    none: str = ""
    lost: str = ""


@dataclass(frozen=True, slots=True)
class Script:
    """Ask for a part, and compare or write."""

    asked: Snapshots
    hide: Callable[[Any], Any]
    part: str
    repeats: bool = True

    def __call__(self, caller: Caller) -> Played:
        """Play it."""
        from .snapshot_files import Folder  # brings pytest with it, which a run without snapshots can do without

        folder = Folder(self.asked.folder)
        came = self._ask(caller)
        try:
            kept = folder.read(self.part)
            played = self._write(folder, kept, came) if self.asked.update else self._compare(folder, kept, came)
        except (OSError, ValueError) as error:
            played = Played(errors=[f"the snapshot {folder.place(self.part)} cannot be used: {error}"])
        played.hung = caller.hung
        return played

    def _ask(self, caller: Caller) -> Asked:
        part = PARTS[self.part]
        if part is None:
            said = caller.facts.instructions
            return Asked(said) if said is not None else Asked(none="no instructions")
        if not caller.facts.has(part.capability):
            return Asked(none=f"the capability {part.capability} is not declared")
        return whole_list(caller, part)

    def _text(self, folder: Folder, came: Asked) -> str:
        # Hidden in the values, where no quoting of the file's stands between.
        value = volatile.named(came.value)
        hidden = _mapped(value, self.hide)
        return "" if came.none else folder.text({self.part: ordered(hidden)})

    def _compare(self, folder: Folder, kept: str | None, came: Asked) -> Played:
        place = folder.place(self.part)
        if kept is None:
            if came.none:
                return self._nothing(came)
            return Played(unread=came.lost or f"there is no snapshot {place}: run with --snapshots-update to write it")
        wanted = f"what {place} keeps"
        if came.lost:
            return Played([Mismatch(f"/{self.part}", wanted, came.lost)])
        diff = folder.diff(kept, self._text(folder, came))
        if not diff:
            return Played()
        gone, new = (sum(line.startswith(sign) for line in diff) for sign in "-+")
        told = came.none or f"another text: {count(gone, 'line')} gone, {count(new, 'line')} new"
        more = [f"… and {count(len(diff) - DIFF_LINES, 'line')} more"] if len(diff) > DIFF_LINES else []
        shown = [f"--- {place}", "+++ the target", *diff[:DIFF_LINES], *more]
        return Played([Mismatch(f"/{self.part}", wanted, told)], diff="\n".join(shown))

    def _write(self, folder: Folder, kept: str | None, came: Asked) -> Played:
        if came.lost:
            return Played(unread=f"nothing was written: {came.lost}")
        if not came.none:
            text = self._text(folder, came)
            if text != kept:
                folder.write(self.part, text)
        elif kept is not None:
            folder.remove(self.part)
        else:
            return self._nothing(came)
        return Played()

    def _nothing(self, came: Asked) -> Played:
        return Played(missing=Mismatch(f"/{self.part}", "something to keep", came.none))


def whole_list(caller: Caller, part: Part) -> Asked:
    """All elements of all pages; a method that a target does not have is a list that it does not have."""
    found: list[Value] = []
    params: dict[str, Value] = {}
    for _ in range(PAGES):
        reply = caller.request(part.method, params)
        if reply.code == _NOT_FOUND:
            return Asked(none=f"the error {_NOT_FOUND}")
        listed = reply.result.get(part.member)
        if not isinstance(listed, list):
            why = reply.lost or (f"the error {reply.code}" if reply.code else f"a result without {part.member}")
            return Asked(lost=f"{why}, for {part.method}")
        found += listed
        cursor = reply.result.get("nextCursor")
        if not isinstance(cursor, str):
            return Asked(found)
        params = {"cursor": cursor}
    return Asked(lost=f"more than {PAGES} pages, for {part.method}")


def ordered(value: Value) -> Value:
    """The value with the members of every object in one order, since theirs says nothing."""
    if isinstance(value, list):
        return [ordered(each) for each in value]
    if not isinstance(value, dict):
        return value
    rank = {name: place for place, name in enumerate(FIRST)}
    return {name: ordered(value[name]) for name in sorted(value, key=lambda name: (rank.get(name, len(FIRST)), name))}


def _mapped(value: Value, change: Callable[[Any], Any]) -> Value:
    """The value with every text of it changed, those of numbers left alone."""
    if isinstance(value, dict):
        return {name: _mapped(member, change) for name, member in value.items()}
    if isinstance(value, list):
        return [_mapped(each, change) for each in value]
    if isinstance(value, str):
        changed: str = change(value)
        return changed
    return value
