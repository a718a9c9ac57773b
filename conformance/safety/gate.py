"""A target that was started read-only: what it lists, what it refuses, and whether anything changed.

Nothing is called here but what the user's configuration names: calls that must be refused, and calls that show the
state. This module must never choose a tool itself, and never write to the folder that is watched.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..calling import Caller, Reply
from ..config import Call
from ..model import Mismatch
from ..session import Played
from ..values import Value, dumps
from ..words import count, cut
from .comparing import alike, looks_refused

if TYPE_CHECKING:
    from ..config import ReadOnly
    from ..opening import Facts

SUBSET: Final = "SAFE-GATE-1"
DECLARES: Final = "SAFE-GATE-2"
REFUSED: Final = "SAFE-GATE-3"
UNCLASSIFIED: Final = "SAFE-GATE-4"
CHANGED: Final = "SAFE-GATE-5"
ALL: Final = (SUBSET, DECLARES, REFUSED, UNCLASSIFIED, CHANGED)

FORMS: Final = ("plain", "upper", "padded", "notification")
"""How a tool is named that must not be had: as it is, in capitals, with blanks around it, and where no reply is due."""

FILES: Final = 20_000
LARGE: Final = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Restricted:
    """The two modes of a target: what it lists in full, what it lists restricted, and what the user asks for.

    `shut` says why the restricted target could not be opened.
    """

    asked: ReadOnly
    full: Facts
    facts: Facts
    shut: str = ""


@dataclass(slots=True)
class Listed:
    """The script of what is seen from the two lists alone."""

    gate: Restricted
    requirement: str
    tool: str = ""
    repeats: bool = True

    def __call__(self, caller: Caller) -> Played:  # noqa: ARG002 - every script has this shape
        """Play it."""
        if self.gate.shut:
            return Played(unread=self.gate.shut)
        played = Played(broken=(self.requirement,))
        full, restricted = self.gate.full, self.gate.facts
        if untold := full.untold or restricted.untold:
            return Played(unread=f"it is not known which tools there are: {untold}")
        if self.requirement == SUBSET:
            more = [name for name in restricted.tools if name not in full.tools]
            if more:
                told = f"{count(len(more), 'tool')} that it lacks: {', '.join(more)}"
                played.mismatches.append(Mismatch("/result/tools", "no tool that the unrestricted list lacks", told))
        elif self.requirement == DECLARES:
            played.mismatches.extend(self._declared())
        elif self.tool in restricted.tools:
            wanted = f"no {self.tool}, which nobody has classified"
            played.mismatches.append(Mismatch("/result/tools", wanted, f"{self.tool} is listed"))
        elif self.tool not in full.tools:
            played.unread = f"the unrestricted target does not list {self.tool} either"
        return played

    def foreseen(self) -> Iterator[Call]:
        """Nothing: the lists are known."""
        return iter(())

    def _declared(self) -> Iterator[Mismatch]:
        for name, tool in self.gate.facts.tools.items():
            hints = tool.get("annotations")
            if not isinstance(hints, dict):
                continue
            for hint, bad in (("readOnlyHint", False), ("destructiveHint", True)):
                if hints.get(hint) is bad and not (hint == "destructiveHint" and hints.get("readOnlyHint") is True):
                    pointer = f"/result/tools/{name}/annotations/{hint}"
                    yield Mismatch(pointer, "no tool that declares that it writes", f"{hint} is {str(bad).lower()}")


@dataclass(slots=True)
class Forbidden:
    """The script: a call that must not be had is refused, in each form of the name, and changes nothing."""

    gate: Restricted
    tool: str
    arguments: dict[str, Value]
    form: str
    repeats: bool = False

    @property
    def name(self) -> str:
        """The name as it is sent."""
        return {"upper": self.tool.upper(), "padded": f" {self.tool} "}.get(self.form, self.tool)

    def __call__(self, caller: Caller) -> Played:
        """Play it."""
        if self.gate.shut:
            return Played(unread=self.gate.shut)
        if self.tool not in self.gate.full.tools:
            return Played(unread=f"the unrestricted target does not list {self.tool}")
        if self.form == "notification" and not (self.gate.asked.state or self.gate.asked.watch):
            return Played(unread="nothing shows the state: name calls under read_only: state, or a folder to watch")
        before = self._state(caller)
        if isinstance(before, str):
            return Played(unread=before, hung=caller.hung)
        files = snapshot(self.gate.asked.watch)
        played = Played()
        self._call(caller, played)
        played.hung = caller.hung
        if not caller.hung and not caller.ended:
            after = self._state(caller)
            if isinstance(after, str):
                self._fault(played, CHANGED, "the state as before", after)
            elif not all(map(alike, before, after)):
                self._fault(played, CHANGED, "the state as before", "another state")
        if changed := differences(files, snapshot(self.gate.asked.watch)):
            self._fault(played, CHANGED, "the files as before", changed)
        return played

    def foreseen(self) -> Iterator[Call]:
        """Every call that it may make, on the restricted target."""
        yield from self.gate.asked.state
        yield self.name, self.arguments

    def _call(self, caller: Caller, played: Played) -> None:
        params: dict[str, Value] = {"name": self.name, "arguments": self.arguments}
        if self.form == "notification":
            caller.note("what must not be had, as a notification:")
            caller.notify("tools/call", params)
            return
        caller.note("what must not be had:")
        reply = caller.request("tools/call", params)
        if reply.lost:
            self._fault(played, REFUSED, "a refusal", reply.lost)
        elif not reply.refused:
            look = "a result that only reads like a refusal" if looks_refused(reply) else "a result, and no refusal"
            self._fault(played, REFUSED, "a refusal", look)

    def _state(self, caller: Caller) -> list[Reply] | str:
        """The replies to the calls that show the state; a text says why it cannot be seen."""
        found = []
        for tool, arguments in self.gate.asked.state:
            if tool not in self.gate.facts.tools:
                return f"the restricted target does not list {tool}, which is to show the state"
            caller.note("the state:")
            reply = caller.call(tool, arguments)
            if not reply.accepted:
                return f"{tool} does not show the state: {reply.lost or cut(reply.text, 80) or 'refused'}"
            found.append(reply)
        return found

    @staticmethod
    def _fault(played: Played, requirement: str, expected: str, actual: str) -> None:
        played.mismatches.append(Mismatch("", expected, actual))
        played.broken = (*played.broken, requirement)


def forbidden(gate: Restricted) -> Iterator[Forbidden]:
    """Every call that must not be had, in every form; where the tool is listed, its arguments are what is forbidden."""
    for tool, arguments in gate.asked.refuse:
        for form in FORMS if tool not in gate.facts.tools else FORMS[:1]:
            if form != "upper" or tool.upper() != tool:
                yield Forbidden(gate, tool, arguments, form)


def snapshot(folder: str | None) -> dict[str, str]:
    """What is in a folder: path to digest; nothing for no folder."""
    found: dict[str, str] = {}
    if folder is None:
        return found
    for path in sorted(Path(folder).rglob("*"))[:FILES]:
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        elif path.is_dir():
            found[name] = "folder"
        elif path.is_file():
            found[name] = _digest(path)
    return found


def _digest(path: Path) -> str:
    try:
        size = path.stat().st_size
        return f"{size} bytes" if size > LARGE else hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        return f"unreadable: {error.strerror}"


def differences(before: dict[str, str], after: dict[str, str]) -> str:
    """What changed between two snapshots, in words; empty where nothing did."""
    told = [f"{name} is new" for name in after if name not in before]
    told += [f"{name} is gone" for name in before if name not in after]
    told += [f"{name} has changed" for name in before if name in after and before[name] != after[name]]
    return cut(", ".join(told), 200)


def slug_of(call: Call, number: int) -> str:
    """What tells two calls of one tool apart in a case id."""
    return call[0] if number == 0 else f"{call[0]}-{number + 1}"


def title(script: Forbidden) -> str:
    """The case in one line."""
    how = {"plain": "", "upper": " in capitals", "padded": " with blanks around its name"}.get(
        script.form, " as a notification"
    )
    return f"{cut(dumps(script.tool), 40)}{how} is refused when the target is restricted"
