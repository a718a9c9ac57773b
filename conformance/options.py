"""pytest's options of the kit, and from them the plan of a run. Part of the pytest column.

Every option carries the prefix `--tck-`, since other plugins own the short names; `--target` is added beside
`--tck-target` unless somebody else has it. This module must never start the target.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from . import eras
from .config import ConfigError, TargetConfig, from_mcp_config, load, split
from .kit import Plan
from .runner import Settings

REPORT_SUFFIXES: Final = (".json",)
_TARGET_HELP: Final = "command line of the MCP server to judge, split like a shell splits words, run without a shell"


def add(parser: pytest.Parser) -> None:
    """Add the options that no other plugin can have."""
    group = parser.getgroup("mcp-tck", "mcp-tck: conformance of an MCP server over stdio")
    group.addoption("--tck-target", metavar="CMD", default=None, help=_TARGET_HELP)
    group.addoption("--tck-config", metavar="FILE", help="YAML configuration of the target")
    group.addoption(
        "--tck-mcp-config", metavar="FILE", help="take command, args and env from a client's mcpServers file"
    )
    group.addoption("--tck-server", metavar="NAME", help="which server of --tck-mcp-config")
    group.addoption("--tck-timeout", metavar="S", help="longest wait for one reply, in seconds (5)")
    group.addoption("--tck-startup-timeout", metavar="S", help="longest wait for the first reply, in seconds (30)")
    group.addoption("--tck-revision", metavar="REV", help="auto (the newest that the target speaks), all, or a date")
    group.addoption(
        "--tck-profile", metavar="NAME", action="append", default=[], help="claim a profile for the target; repeatable"
    )
    group.addoption(
        "--tck-case", metavar="ID", action="append", default=[], help="run only this case, by its case id; repeatable"
    )
    group.addoption("--tck-strict", action="store_true", help="what a target should do counts as what it must do")
    group.addoption("--tck-isolate", action="store_true", help="a fresh process for every case")
    group.addoption(
        "--tck-report", metavar="PATH", action="append", default=[], help="write a report (.json); repeatable"
    )


def add_target(parser: pytest.Parser) -> bool:
    """Add `--target` unless another plugin has it; answers whether it was added."""
    groups = [*getattr(parser, "_groups", []), getattr(parser, "_anonymous", None)]
    taken = {name for group in groups if group is not None for option in group.options for name in option.names()}
    if "--target" in taken:
        return False
    parser.getgroup("mcp-tck").addoption("--target", metavar="CMD", dest="tck_target", default=None, help=_TARGET_HELP)
    return True


def names_target(config: pytest.Config) -> bool:
    """Whether any option says what to start."""
    option = config.option
    return any(getattr(option, name, None) is not None for name in ("tck_target", "tck_config", "tck_mcp_config"))


def plan(config: pytest.Config, *, default: tuple[str, ...] | None) -> Plan:
    """The plan that the options and the configuration ask for. Raises UsageError with every fault it finds."""
    option = config.option
    wrong: list[str] = []
    given = TargetConfig()
    try:
        if option.tck_config is not None:
            given = load(Path(option.tck_config))
        if option.tck_mcp_config is not None:
            server = from_mcp_config(Path(option.tck_mcp_config), option.tck_server)
            given = replace(given, command=server.command, env=server.env, cwd=server.cwd)
        elif option.tck_server is not None:
            wrong.append("--tck-server names a server of --tck-mcp-config, which is missing")
        command = given.command
        if option.tck_target is not None:
            command = split(option.tck_target)
    except ConfigError as error:
        raise pytest.UsageError(str(error)) from None
    if not command:
        if default is None or option.tck_config is not None:
            wrong.append("no target: say --target='COMMAND', or `command:` in the configuration")
        else:
            command = default
    revision = option.tck_revision or given.revision or "auto"
    if revision not in {"auto", "all", *eras.REVISIONS}:
        wrong.append(f"--tck-revision {revision}: known are auto, all, {', '.join(eras.REVISIONS)}")
    profiles = (*given.profiles, *option.tck_profile)
    wrong.extend(
        f"--tck-profile {name}: known are documented, story (mcp is always on)"
        for name in profiles
        if name not in {"mcp", "documented", "story"}
    )
    for path in option.tck_report:
        if Path(path).suffix not in REPORT_SUFFIXES:
            wrong.append(f"--tck-report {path}: the suffix says the format, known are {', '.join(REPORT_SUFFIXES)}")
        elif not Path(path).resolve().parent.is_dir():
            wrong.append(f"--tck-report {path}: there is no folder {Path(path).resolve().parent}")
    timeout = _seconds("--tck-timeout", option.tck_timeout, given.timeout or 5.0, wrong)
    startup = _seconds("--tck-startup-timeout", option.tck_startup_timeout, given.startup_timeout or 30.0, wrong)
    if wrong:
        raise pytest.UsageError("\n".join(wrong))
    return Plan(
        command=command,
        env=given.env,
        cwd=given.cwd,
        revision=revision,
        settings=Settings(
            timeout=timeout,
            startup=startup,
            case=max(60.0, 12 * timeout),
            isolate=option.tck_isolate,
            strict=option.tck_strict,
            profiles=profiles,
        ),
    )


def reference() -> tuple[str, ...]:
    """The command of the bundled reference, with its probes."""
    return (sys.executable, "-m", "mcp_tck.reference", "--probe")


def _seconds(name: str, text: str | None, default: float, wrong: list[str]) -> float:
    if text is None:
        return default
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        wrong.append(f"{name} {text}: a number of seconds above 0 is needed")
        return default
    return value
