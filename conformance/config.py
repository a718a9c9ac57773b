"""The target's configuration: a YAML file of the user's, or a client's `mcpServers` JSON file. Closed, errors at lines.

This module must never start the target or look at its environment.
"""

from __future__ import annotations

import difflib
import json
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from .casefile import yamlstrict
from .model import Location, Node, Problem
from .targets.workspace import PLACEHOLDER, Mode, is_inside, unpassable
from .values import Number, Value, dumps


class ConfigError(Exception):
    """A configuration that cannot be used; the message holds every error, one a line, at its place."""


Call = tuple[str, dict[str, Value]]
"""A tool and the arguments of one call."""


@dataclass(frozen=True, slots=True)
class ReadOnly:
    """The target in read-only mode: how it is started, and what is tried on it.

    `args` go behind the target's own command, `command` takes its place. `refuse` are calls that must be refused and do
    no harm where they are not; `state` are calls that show the state; `watch` is a folder whose files must stay.
    """

    at: Location
    command: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    unclassified: tuple[str, ...] = ()
    refuse: tuple[Call, ...] = ()
    state: tuple[Call, ...] = ()
    watch: str | None = None


@dataclass(frozen=True, slots=True)
class TargetConfig:
    """How to start a target, how patient to be, what may be called. Empty members were not given; times are seconds.

    `call` are tools that may be called, each with good arguments; `most_calls` and `most_seconds` bound what is spent
    on such calls.
    """

    command: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    cwd: str | None = None
    revision: str | None = None
    profiles: tuple[str, ...] = ()
    startup_timeout: float | None = None
    timeout: float | None = None
    call: Mapping[str, tuple[dict[str, Value], ...]] = field(default_factory=dict)
    most_calls: int | None = None
    most_seconds: float | None = None
    read_only: ReadOnly | None = None
    files: dict[str, str] = field(default_factory=dict)
    modes: dict[str, Mode] = field(default_factory=dict)


_KEYS: Final = (
    "command",
    "env",
    "cwd",
    "revision",
    "profiles",
    "startup_timeout",
    "timeout",
    "call",
    "safety",
    "read_only",
    "files",
    "modes",
)
LONGEST: Final = 86_400
"""The longest time that can be asked for, in seconds: a day."""
_SECONDS: Final = f"a number of seconds above 0 and up to {LONGEST} is needed"
_READ_ONLY_KEYS: Final = ("command", "args", "env", "unclassified", "refuse", "state", "watch")
_MODE_KEYS: Final = ("command", "args", "env")


def load(path: Path) -> TargetConfig:
    """Read the kit's own YAML configuration. A relative `cwd` counts from the file. Raises ConfigError."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None
    node, problems = yamlstrict.parse(text, str(path))
    if node is None or problems:
        raise ConfigError("\n".join(map(str, problems)) or f"{path}: is empty")
    reader = _Reader()
    config = reader.read(node, path.parent)
    if reader.problems:
        in_order = sorted(reader.problems, key=lambda problem: (problem.at.line, problem.at.column))
        raise ConfigError("\n".join(map(str, in_order)))
    return config


class _Reader:
    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def wrong(self, node: Node, message: str, hint: str = "") -> None:
        self.problems.append(Problem(node.at, "config", message, hint))

    def read(self, node: Node, folder: Path) -> TargetConfig:
        if not isinstance(node.value, dict):
            self.wrong(node, "the configuration is an object")
            return TargetConfig()
        self._closed(node, _KEYS)
        budget = node.get("safety")
        if budget is not None:
            self._object(budget, ("calls", "seconds"), "safety is an object with calls and seconds")
        call: dict[str, tuple[dict[str, Value], ...]] = {}
        for tool, arguments in self._calls(node.get("call")):
            call[tool] = (*call.get(tool, ()), arguments)
        return TargetConfig(
            command=self._command(node.get("command")),
            env=self._env(node.get("env")),
            cwd=self._cwd(node.get("cwd"), folder),
            revision=self._text(node.get("revision")),
            profiles=tuple(self._texts(node.get("profiles"))),
            startup_timeout=self._seconds(node.get("startup_timeout")),
            timeout=self._seconds(node.get("timeout")),
            call=call,
            most_calls=self._count(budget.get("calls") if budget is not None else None),
            most_seconds=self._seconds(budget.get("seconds") if budget is not None else None),
            read_only=self._read_only(node.get("read_only"), folder),
            files=self._files(node.get("files")),
            modes=self._modes(node.get("modes")),
        )

    def _closed(self, node: Node, known: tuple[str, ...]) -> None:
        for key, place in node.keys.items():
            if key not in known:
                near = difflib.get_close_matches(key, known, 1)
                hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
                self.problems.append(Problem(place, "unknown-key", f'unknown key "{key}"', hint))

    def _object(self, node: Node, known: tuple[str, ...], message: str) -> bool:
        if not isinstance(node.value, dict):
            self.wrong(node, message)
            return False
        self._closed(node, known)
        return True

    def _calls(self, node: Node | None) -> Iterator[Call]:
        """Calls as `{tool: [arguments, …]}` or as a list of `{tool, arguments}`."""
        if node is None:
            return
        if isinstance(node.value, tuple):
            for element in node.elements:
                if self._object(element, ("tool", "arguments"), "a call is an object with tool and arguments"):
                    yield from self._call(element)
        elif isinstance(node.value, dict):
            for tool, listed in node.items.items():
                if not isinstance(listed.value, tuple) or not listed.elements:
                    self.wrong(listed, "a list of arguments is needed here", "for example [{}], or [{limit: 3}]")
                    continue
                for element in listed.elements:
                    if isinstance(arguments := element.plain(), dict):
                        yield tool, arguments
                    else:
                        self.wrong(element, "the arguments of a call are an object")
        else:
            self.wrong(node, "calls are a map from tool to a list of arguments, or a list of {tool, arguments}")

    def _call(self, node: Node) -> Iterator[Call]:
        tool, arguments = node.get("tool"), node.get("arguments")
        name = self._text(tool)
        if tool is None:
            self.wrong(node, 'the key "tool" is missing')
        given = arguments.plain() if arguments is not None else {}
        if not isinstance(given, dict):
            self.wrong(arguments or node, "the arguments of a call are an object")
        elif name is not None:
            yield name, given

    def _read_only(self, node: Node | None, folder: Path) -> ReadOnly | None:
        if node is None or not self._object(node, _READ_ONLY_KEYS, "read_only is an object"):
            return None
        command, args, env = node.get("command"), node.get("args"), node.get("env")
        if command is None and args is None and env is None:
            self.wrong(node, "read_only says how the target is started restricted", "give args, env or command")
        if command is not None and args is not None:
            self.wrong(args, "command takes the place of the target's own, so that args belong into it")
        watch = self._word(node.get("watch"))
        return ReadOnly(
            at=node.at,
            command=self._command(command),
            args=tuple(self._words(args)),
            env=self._env(env),
            unclassified=tuple(self._texts(node.get("unclassified"))),
            refuse=tuple(self._calls(node.get("refuse"))),
            state=tuple(self._calls(node.get("state"))),
            watch=str((folder / watch).resolve()) if watch is not None else None,
        )

    def _count(self, node: Node | None) -> int | None:
        if node is None:
            return None
        if isinstance(node.value, Number) and (count := whole(node.value.text)):
            return count
        self.wrong(node, "a whole number above 0, of at most 18 digits, is needed here")
        return None

    def _files(self, node: Node | None) -> dict[str, str]:
        """Files of the process's folder; a path that leads out of it is refused."""
        found: dict[str, str] = {}
        members = list(self._members(node, "files is an object of strings: a path, and what is in the file"))
        names = {name for _, name, _ in members}
        for at, name, member in members:
            text = self._text(member)
            above = next((other for other in names if name.startswith(f"{other}/")), None)
            if not is_inside(name):
                self.problems.append(Problem(at, "config", f"{dumps(name)} names no file in the process's folder"))
            elif above is not None:
                message = f"{dumps(above)} is a file, and no folder for {dumps(name)}"
                self.problems.append(Problem(at, "config", message))
            elif text is not None:
                found[name] = text
        return found

    def _modes(self, node: Node | None) -> dict[str, Mode]:
        if node is not None and not isinstance(node.value, dict):
            self.wrong(node, "modes is an object: the name of a mode, and how to start it")
            return {}
        found = {}
        for name, member in node.items.items() if node is not None else ():
            if self._object(member, _MODE_KEYS, "a mode is an object with args, env or command"):
                args = tuple(self._words(member.get("args")))
                found[name] = Mode(self._command(member.get("command")), args, self._env(member.get("env")))
        return found

    def _text(self, node: Node | None) -> str | None:
        if node is None or isinstance(node.value, str):
            return node.value if node is not None and isinstance(node.value, str) else None
        self.wrong(node, "a string is needed here", "quote it")
        return None

    def _word(self, node: Node | None) -> str | None:
        """A text that a process can be given."""
        text = self._text(node)
        if node is not None and text is not None and (why := unpassable(text)):
            self.wrong(node, f"no process can be given this text: {why}")
            return None
        return text

    def _words(self, node: Node | None) -> list[str]:
        return self._texts(node, self._word)

    def _texts(self, node: Node | None, read: Callable[[Node], str | None] | None = None) -> list[str]:
        if node is None:
            return []
        if not isinstance(node.value, tuple):
            self.wrong(node, "a list of strings is needed here")
            return []
        return [text for text in map(read or self._text, node.elements) if text is not None]

    def _members(self, node: Node | None, wanted: str) -> Iterator[tuple[Location, str, Node]]:
        """The members of an object, each with the place of its key."""
        if node is None:
            return
        if not isinstance(node.value, dict):
            self.wrong(node, wanted)
        for name, member in node.items.items():
            yield node.keys[name], name, member

    def _command(self, node: Node | None) -> tuple[str, ...]:
        if node is None:
            return ()
        words: tuple[str, ...] = ()
        if isinstance(node.value, str):
            try:
                words = split(node.value) if self._word(node) is not None else ()
            except ConfigError as error:
                self.wrong(node, str(error))
        else:
            words = tuple(self._words(node))
            if node.value == () or words[:1] == ("",):
                self.wrong(node, "the target's command is empty")
        return words

    def _env(self, node: Node | None) -> dict[str, str]:
        found: dict[str, str] = {}
        for at, name, member in self._members(node, "env is an object of strings"):
            text = self._word(member)
            if why := unpassable(name, key=True):
                self.problems.append(Problem(at, "config", f"{dumps(name)} is no variable: {why}"))
            elif text is not None:
                found[name] = text
        return found

    def _cwd(self, node: Node | None, folder: Path) -> str | None:
        """The working folder, which is there unless it lies in the process's own."""
        cwd = self._word(node)
        if node is None or cwd is None or cwd.startswith(PLACEHOLDER):
            return cwd
        full = str((folder / cwd).resolve())
        if not Path(full).is_dir():
            self.wrong(node, f"there is no folder {full}")
        return full

    def _seconds(self, node: Node | None) -> float | None:
        if node is None:
            return None
        found = seconds(node.value.text) if isinstance(node.value, Number) else None
        if found is None:
            self.wrong(node, f"{_SECONDS} here")
        return found


def seconds(text: str) -> float | None:
    """The number of seconds that a text names, above 0 and at most LONGEST; None where it is none."""
    try:
        value = float(text) if text.isascii() else 0.0
    except ValueError:
        return None
    return value if 0 < value <= LONGEST else None


def whole(text: str) -> int | None:
    """The whole number from 0 on that a text names in ASCII digits, at most 18; None where it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def split(command: str) -> tuple[str, ...]:
    """Split a command line as a shell splits words; no shell runs it. Raises ConfigError."""
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise ConfigError(f"the command cannot be split into words: {error}") from None
    if not words:
        raise ConfigError("the target's command is empty")
    return words


def from_mcp_config(path: Path, server: str | None) -> TargetConfig:
    """Take one server from a client's `mcpServers` file; `server` may be left out where there is just one."""
    try:
        data: Any = json.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None
    except json.JSONDecodeError as error:
        raise ConfigError(f"{path}:{error.lineno}:{error.colno}: no JSON: {error.msg}") from None
    except (RecursionError, ValueError) as error:
        raise ConfigError(f"{path}: is nested too deep, or has a number that is too long: {error}") from None
    servers = data.get("mcpServers", data.get("servers")) if isinstance(data, dict) else None
    if not isinstance(servers, dict) or not servers:
        raise ConfigError(f'{path}: has no object "mcpServers" with servers in it')
    if server is None:
        if len(servers) > 1:
            raise ConfigError(f"{path}: has {len(servers)} servers ({', '.join(servers)}); name one with --server")
        server = next(iter(servers))
    if server not in servers:
        near = difflib.get_close_matches(server, servers, 1)
        hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(servers)}"
        raise ConfigError(f'{path}: has no server "{server}" ({hint})')
    entry = servers[server]
    command = entry.get("command") if isinstance(entry, dict) else None
    if not isinstance(command, str) or not command:
        raise ConfigError(f'{path}: server "{server}" has no command, so it is none that speaks over stdio')
    args, env = entry.get("args", []), entry.get("env", {})
    if not (isinstance(args, list) and all(isinstance(arg, str) for arg in args)):
        raise ConfigError(f'{path}: "args" of server "{server}" is no list of strings')
    if not (isinstance(env, dict) and all(isinstance(value, str) for value in env.values())):
        raise ConfigError(f'{path}: "env" of server "{server}" is no object of strings')
    cwd = entry.get("cwd")
    if not (cwd is None or isinstance(cwd, str)):
        raise ConfigError(f'{path}: "cwd" of server "{server}" is no string')
    if cwd is not None and not cwd.startswith(PLACEHOLDER) and not Path(cwd).is_dir():
        raise ConfigError(f'{path}: "cwd" of server "{server}" is no folder: {dumps(cwd)}')
    given = [("command", command), *(("args", arg) for arg in args), *(("env", value) for value in env.values())]
    faults = [
        f'its "{where}" cannot be given to a process: {why}' for where, text in given if (why := unpassable(text))
    ]
    faults += [f"{dumps(name)} is no variable: {why}" for name in env if (why := unpassable(name, key=True))]
    if faults:
        raise ConfigError("\n".join(f'{path}: server "{server}": {fault}' for fault in faults))
    return TargetConfig(command=(command, *args), env=env, cwd=cwd)
