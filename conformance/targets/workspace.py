"""A folder of a process's own: made before the start, handed over in command and environment, gone with the process.

`{folder}` in a configured command, environment or working folder stands for it. This module must never write outside
of the folder that it made, and never leave it behind.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from .target import StartError

if TYPE_CHECKING:
    from .target import Event, Target

PLACEHOLDER: Final = "{folder}"


@dataclass(frozen=True, slots=True)
class Start:
    """How a process is started otherwise than the plan says, before its folder is known.

    `args` stand behind the command, `env` over the environment, `files` (path to text) in the folder; `mode`
    names a way of starting that the configuration has.
    """

    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    mode: str | None = None


@dataclass(frozen=True, slots=True)
class Mode:
    """A way of starting that the configuration names: further arguments, or another command, and an environment."""

    command: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)


Launch = Callable[[Sequence[str], Mapping[str, str], str | None], "Target"]


class Furnished:
    """A target with a folder of its own, which is taken away when the target is ended; else the target itself."""

    def __init__(self, target: Target, folder: tempfile.TemporaryDirectory[str]) -> None:
        self._target = target
        self._folder = folder
        self.folder = str(Path(folder.name).resolve())

    @property
    def command(self) -> str:
        """As the target's."""
        return self._target.command

    @property
    def started(self) -> float:
        """As the target's."""
        return self._target.started

    @property
    def alive(self) -> bool:
        """As the target's."""
        return self._target.alive

    @property
    def stdin_broken(self) -> bool:
        """As the target's."""
        return self._target.stdin_broken

    @property
    def stderr_tail(self) -> str:
        """As the target's."""
        return self._target.stderr_tail

    @property
    def unfinished(self) -> bytes:
        """As the target's."""
        return self._target.unfinished

    @property
    def how_ended(self) -> str:
        """As the target's."""
        return self._target.how_ended

    def send(self, data: bytes) -> None:
        """As the target's."""
        self._target.send(data)

    def close_stdin(self) -> None:
        """As the target's."""
        self._target.close_stdin()

    def receive(self, seconds: float) -> Event:
        """As the target's."""
        return self._target.receive(seconds)

    def stop(self, *, patient: bool = True) -> list[Event]:
        """As the target's; then the folder is gone."""
        late = self._target.stop(patient=patient)
        self._folder.cleanup()
        return late

    def kill(self) -> None:
        """As the target's; then the folder is gone."""
        self._target.kill()
        self._folder.cleanup()


def is_inside(name: str) -> bool:
    """Whether a path leads to something in the folder, and not out of it."""
    parts = PurePosixPath(name).parts
    return bool(parts) and not name.startswith("/") and ".." not in parts and not unpassable(name)


def unpassable(text: str, *, key: bool = False) -> str:
    """Why no process can be given a text, as a word, a path or (`key`) the name of a variable; or nothing."""
    if "\0" in text:
        return "it holds a NUL character, which ends a text for the system"
    if key and (not text or "=" in text):
        return "the name of a variable is not empty and holds no ="
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return "it holds half a surrogate pair, which has no bytes"
    return ""


def needs_folder(command: Sequence[str], env: Mapping[str, str], cwd: str | None) -> bool:
    """Whether a folder is named anywhere."""
    return any(PLACEHOLDER in text for text in (*command, *env.values(), cwd or ""))


def furnish(
    launch: Launch, command: Sequence[str], env: Mapping[str, str], cwd: str | None, files: Mapping[str, str]
) -> Target:
    """Make a folder with these files, start a target that knows it, and bind the one to the other."""
    holder = tempfile.TemporaryDirectory(prefix="mcp-tck-", ignore_cleanup_errors=True)
    folder = str(Path(holder.name).resolve())
    try:
        for name, text in files.items():
            _write(Path(folder, name), text)

        def put(text: str) -> str:
            return text.replace(PLACEHOLDER, folder)

        target = launch(
            [put(word) for word in command],
            {key: put(value) for key, value in env.items()},
            None if cwd is None else put(cwd),
        )
    except BaseException:
        holder.cleanup()
        raise
    return Furnished(target, holder)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise StartError(f"the file {path.name!r} cannot be put into the process's folder: {error.strerror}") from error
