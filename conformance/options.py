"""From pytest's options the plan of a run, with every fault of them at once. Part of the pytest column.

This module must never start the target.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from . import standing, suite
from .agreement import baseline, frozen
from .agreement.agreed import Agreed
from .authoring import snapshots
from .casefile import cases
from .config import LONGEST, ConfigError, TargetConfig, from_mcp_config, load, seconds, split, whole
from .kit import Plan
from .model import Requirement
from .optionlist import target_option
from .protocol import eras
from .report.again import Again
from .report.writers import SUFFIXES
from .runner import Settings
from .safety.allowed import MOST_CALLS, MOST_SECONDS, Allowed


def plan(config: pytest.Config, *, default: tuple[str, ...] | None) -> Plan:
    """The plan that the options and the configuration ask for. Raises UsageError with every fault it finds."""
    option = config.option
    wrong: list[str] = []
    given = _configured(config, wrong)
    command = given.command
    if option.tck_target is not None:
        try:
            command = split(option.tck_target)
        except ConfigError as error:
            wrong.append(str(error))
    elif not command and not wrong:
        if default is None or option.tck_config is not None:
            wrong.append(f"no target: say {target_option(config)}='COMMAND', or `command:` in the configuration")
        else:
            command = default
    revision = option.tck_revision or given.revision or "auto"
    if revision not in {"auto", "all", *eras.REVISIONS}:
        wrong.append(f"--tck-revision {revision}: known are auto, all, {', '.join(eras.REVISIONS)}")
    profiles = (*given.profiles, *option.tck_profile)
    wrong.extend(
        f"--tck-profile {name}: known are documented, story, safety (mcp is always on)"
        for name in profiles
        if name not in {"mcp", "documented", "story", "safety"}
    )
    for path in option.tck_report:
        if Path(path).suffix not in SUFFIXES:
            wrong.append(f"--tck-report {path}: the suffix says the format, known are {', '.join(SUFFIXES)}")
        elif not Path(path).resolve().parent.is_dir():
            wrong.append(f"--tck-report {path}: there is no folder {Path(path).resolve().parent}")
    kept = _snapshots(config, wrong)
    timeout = _seconds("--tck-timeout", option.tck_timeout, given.timeout or 5.0, wrong)
    startup = _seconds("--tck-startup-timeout", option.tck_startup_timeout, given.startup_timeout or 30.0, wrong)
    if (seed := whole(option.tck_seed)) is None:
        wrong.append(f"--tck-seed {option.tck_seed}: a whole number from 0 on is needed, of at most 18 digits 0 to 9")
    if wrong:
        raise pytest.UsageError("\n".join(wrong))
    return Plan(
        command=command,
        env=given.env,
        cwd=given.cwd,
        files=given.files,
        modes=given.modes,
        snapshots=kept,
        revision=revision,
        settings=Settings(
            timeout=timeout,
            startup=startup,
            case=max(60.0, 12 * timeout),
            isolate=option.tck_isolate,
            strict=option.tck_strict,
            profiles=profiles,
            modes=frozenset(given.modes),
            seed=seed or 0,
        ),
        allowed=Allowed(
            given.call, given.most_calls or MOST_CALLS, given.most_seconds or MOST_SECONDS, given.read_only
        ),
    )


def _snapshots(config: pytest.Config, wrong: list[str]) -> snapshots.Snapshots | None:
    """The snapshots that are asked for; faults are added to `wrong`."""
    option = config.option
    if option.tck_snapshots is None:
        if option.tck_snapshots_update:
            wrong.append("--tck-snapshots-update needs --tck-snapshots FOLDER")
        return None
    if not option.tck_snapshots or (Path(option.tck_snapshots).exists() and not Path(option.tck_snapshots).is_dir()):
        wrong.append(f"--tck-snapshots {option.tck_snapshots}: a folder is needed")
    # Whoever updates the snapshots of Python tests with syrupy's own option means these as well.
    update = option.tck_snapshots_update or bool(getattr(option, "update_snapshots", False))
    return snapshots.Snapshots(option.tck_snapshots, update)


def _configured(config: pytest.Config, wrong: list[str]) -> TargetConfig:
    """What the files say that configure the target; their faults are added to `wrong`."""
    option = config.option
    given = TargetConfig()
    try:
        if option.tck_config is not None:
            given = load(Path(option.tck_config))
    except ConfigError as error:
        wrong.append(str(error))
    try:
        if option.tck_mcp_config is not None:
            server = from_mcp_config(Path(option.tck_mcp_config), option.tck_server)
            given = replace(given, command=server.command, env=server.env, cwd=server.cwd)
        elif option.tck_server is not None:
            wrong.append("--tck-server names a server of --tck-mcp-config, which is missing")
    except ConfigError as error:
        wrong.append(str(error))
    return given


def agreed(
    config: pytest.Config, read: suite.Suite, requirements: Mapping[str, Requirement], *, several: bool
) -> Agreed:
    """What was agreed on beforehand: the baseline, and the frozen set. Raises UsageError with every fault it finds."""
    option = config.option
    wrong: list[str] = []
    known = None
    if option.tck_baseline is not None:
        try:
            known = baseline.load(Path(option.tck_baseline), updating=option.tck_baseline_update)
            found = baseline.unknown(known, lambda: _all_ids(read), requirements)
            wrong.extend(map(str, found))
        except baseline.BaselineError as error:
            wrong.append(str(error))
    elif option.tck_baseline_update:
        wrong.append("--tck-baseline-update needs --tck-baseline FILE")
    versions = frozen.versions(suite.RELEASED)
    version: str | None = option.tck_frozen or (versions[-1] if versions else None)
    if option.tck_frozen is not None and option.tck_frozen not in versions:
        wrong.append(f"--tck-frozen {version}: there is no such set; known are {', '.join(versions) or 'none'}")
    if wrong:
        raise pytest.UsageError("\n".join(wrong))
    return Agreed(
        baseline=known,
        updating=option.tck_baseline_update,
        frozen=None if option.tck_count_new or version is None else frozen.read(suite.RELEASED, version),
        bundled=suite.is_bundled,
        several=several,
    )


def _all_ids(read: suite.Suite) -> set[str]:
    return read.ids() | suite.bundled_ids() | standing.ids() | snapshots.ids()


def again(config: pytest.Config, made: Plan) -> Again:
    """The options of `mcp-tck run` that start the same target on the same cases again."""
    option = config.option
    words: list[str] = []
    for name in ("config", "mcp_config", "server", "timeout", "startup_timeout", "revision", "snapshots"):
        if (value := getattr(option, f"tck_{name}")) is not None:
            words += [f"--{name.replace('_', '-')}", str(value)]
    words += [word for name in option.tck_profile for word in ("--profile", name)]
    words += ["--seed", option.tck_seed] if option.tck_seed != "0" else []
    words += [f"--{name}" for name in ("strict", "isolate") if getattr(option, f"tck_{name}")]
    configured = option.tck_target is None and (option.tck_config or option.tck_mcp_config) is not None
    return Again(
        command=() if configured else made.command,
        options=tuple(words),
        baseline=option.tck_baseline or "",
        paths=tuple(_own(config)),
    )


def _own(config: pytest.Config) -> Iterator[tuple[str, str]]:
    """The user's own case files and folders among the arguments, each with its display name."""
    for arg in config.args:
        path = Path(arg.partition("::")[0]).resolve()
        if not _is_bundled(arg) and path.exists() and cases.find(path):
            here = Path.cwd()
            inside = path.is_relative_to(here)
            shown = path.relative_to(here).as_posix() if inside else str(path)
            named = config.args_source is pytest.Config.ArgsSource.ARGS
            yield arg.partition("::")[0] if named else shown, shown


def _is_bundled(arg: str) -> bool:
    name = arg.partition("::")[0]
    if name == "mcp_tck.conformance":
        return True
    path = Path(name).resolve()
    return path == suite.HOME or path.is_relative_to(suite.FIXTURES)


def reference() -> tuple[str, ...]:
    """The command of the bundled reference: with its probes, and all of MCP that can be judged with them."""
    return (sys.executable, "-m", "mcp_tck.reference", "--probe", "--era", "handshake")


def _seconds(name: str, text: str | None, default: float, wrong: list[str]) -> float:
    if text is None:
        return default
    found = seconds(text)
    if found is None:
        wrong.append(f"{name} {text}: a number of seconds above 0 and up to {LONGEST} is needed")
    return found or default
