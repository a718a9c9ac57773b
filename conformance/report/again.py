"""The command that runs one case again, as the run was started.

This module must never put an environment value in it.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..outcomes import Record

COMPANY: Final = 8
"""Most cases that are named before one that fails only after them; where more ran, all of the run is played."""

_IN_COMPANY: Final = "only after other cases"


@dataclass(frozen=True, slots=True)
class Again:
    """How a run was started: options of `mcp-tck run`, and the command, empty where an option names it.

    `paths` are the user's own case files and folders, as they were given, each with the display name of what is in it.
    """

    command: tuple[str, ...]
    options: tuple[str, ...] = ()
    baseline: str = ""
    paths: tuple[tuple[str, str], ...] = ()

    def with_file(self, path: str) -> str:
        """The command line for a case file of one's own."""
        words = ["mcp-tck", "run", *self._settings(), path]
        return shlex.join([*words, "--", *self.command] if self.command else words)

    def _settings(self) -> list[str]:
        """The options without the paths, which stand first."""
        first = next((place for place, word in enumerate(self.options) if word.startswith("--")), len(self.options))
        return list(self.options[first:])

    def of(self, record: Record) -> str:
        """The command line for a record; for a standing check, with a case in which it was broken."""
        identity: str = record["id"]
        options = list(self.options)
        if identity.startswith("session/"):
            seen = [each for each in record.get("history", []) if not each.startswith("session/")]
            choice = seen[:1]
        elif identity.startswith("baseline::"):
            choice = []
        elif fails_in_company(record):
            before = [each for each in dict.fromkeys(record.get("history", [])) if not each.startswith("session/")]
            choice = [*before, identity.partition("@")[0]] if len(before) <= COMPANY else []
        else:
            choice = [identity.partition("@")[0]]
        if self.baseline and record.get("baseline", {}).get("was") == "passed":
            options += ["--baseline", self.baseline]
        if "@" in identity:
            if "--revision" in options:
                place = options.index("--revision")
                del options[place : place + 2]
            options += ["--revision", record["revision"]]
        alone = choice == [identity.partition("@")[0]]
        paths = self.holding(record) if alone else [given for given, _ in self.paths]
        words = ["mcp-tck", "run", *paths, *options, *(word for name in choice for word in ("--case", name))]
        return shlex.join([*words, "--", *self.command] if self.command else words)

    def holding(self, record: Record) -> list[str]:
        """The paths, as given, in which a record's own case file is; none for a bundled case."""
        name = record["file"] or "."
        return [given for given, shown in self.paths if _is_in(name, shown)]

    def hint(self, record: Record) -> str:
        """What the author of a case can do about a failure that is the case's own; or nothing."""
        if fails_in_company(record) and self.holding(record):
            return "give the case `session: fresh`, if it means to find the server as it starts"
        return ""


def fails_in_company(record: Record) -> bool:
    """Whether a case failed after others and passed alone."""
    return _IN_COMPANY in record["reason"]


def _is_in(name: str, shown: str) -> bool:
    if shown == ".":  # bundled files are shown as if they stood here
        return not name.startswith("/") and (not name.startswith("fixtures/") or Path(name).is_file())
    return f"{name}/".startswith(f"{shown}/")
