"""The command that runs one case again, as the run was started.

This module must never put an environment value in it.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from ..outcomes import Record


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
        else:
            choice = [identity.partition("@")[0]]
        if self.baseline and record.get("baseline", {}).get("was") == "passed":
            options += ["--baseline", self.baseline]
        if "@" in identity:
            if "--revision" in options:
                place = options.index("--revision")
                del options[place : place + 2]
            options += ["--revision", record["revision"]]
        name = record["file"] or "."
        holding = [given for given, shown in self.paths if f"{name}/".startswith(f"{shown}/")]
        paths = holding if choice == [identity.partition("@")[0]] else [given for given, _ in self.paths]
        words = ["mcp-tck", "run", *paths, *options, *(word for name in choice for word in ("--case", name))]
        return shlex.join([*words, "--", *self.command] if self.command else words)
