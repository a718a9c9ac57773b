"""pytest's options of the kit. Part of the pytest column, and all of the kit that a run which is not ours ever loads.

Every option carries the prefix `--tck-`, since other plugins own the short names; `--target` is added beside
`--tck-target` unless somebody else has it. This module must never import the rest of the kit, or look at a value.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

RUN_INI: Final = Path(__file__).resolve().with_name("run.ini")
"""pytest's ini file of `mcp-tck run`."""

_TAKEN: Final = pytest.StashKey[bool]()
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
    group.addoption(
        "--tck-seed", metavar="N", default="0", help="seed of the examples that properties are tried on (0)"
    )
    group.addoption("--tck-strict", action="store_true", help="what a target should do counts as what it must do")
    group.addoption(
        "--tck-dry-run", action="store_true", help="list every tool call of the profile safety, and call nothing"
    )
    group.addoption("--tck-isolate", action="store_true", help="a fresh process for every case")
    group.addoption(
        "--tck-report",
        metavar="PATH",
        action="append",
        default=[],
        help="write a report, the format by suffix (.json, .md, .html, .svg); repeatable",
    )
    group.addoption("--tck-baseline", metavar="FILE", help="known failures of this target, with a reason each")
    group.addoption("--tck-baseline-update", action="store_true", help="bring the baseline up to date with this run")
    group.addoption(
        "--tck-snapshots", metavar="FOLDER", help="hold catalogue and instructions against the snapshots in this folder"
    )
    group.addoption(
        "--tck-snapshots-update",
        action="store_true",
        help="write these snapshots instead, as syrupy's --snapshot-update does too",
    )
    group.addoption(
        "--tck-count-new", action="store_true", help="cases that are newer than the frozen set count as well"
    )
    group.addoption(
        "--tck-frozen", metavar="VERSION", help="the frozen set that counts (the newest; see spec/released)"
    )


def add_target(config: pytest.Config, parser: pytest.Parser) -> None:
    """Add `--target` unless another plugin has it."""
    groups = [*getattr(parser, "_groups", []), getattr(parser, "_anonymous", None)]
    taken = {name for group in groups if group is not None for option in group.options for name in option.names()}
    if "--target" in taken:
        config.stash[_TAKEN] = True
        return
    parser.getgroup("mcp-tck").addoption("--target", metavar="CMD", dest="tck_target", default=None, help=_TARGET_HELP)


def target_option(config: pytest.Config) -> str:
    """The shortest option that names the target."""
    return "--tck-target" if config.stash.get(_TAKEN, False) else "--target"


def spelt(config: pytest.Config, text: str) -> str:
    """A text with the options as the user writes them: short for `mcp-tck run`, which brings its own ini file."""
    return text.replace("--tck-", "--") if config.inipath == RUN_INI else text


def names_target(config: pytest.Config) -> bool:
    """Whether any option says what to start."""
    option = config.option
    return any(getattr(option, name, None) is not None for name in ("tck_target", "tck_config", "tck_mcp_config"))


def refuse_space(config: pytest.Config) -> None:
    """Refuse a target behind a space: pytest takes it for a path before plugins load, and may start elsewhere."""
    for name in dict.fromkeys(("--tck-target", target_option(config))):
        if name in config.invocation_params.args:
            raise pytest.UsageError(f"{name} and its command are one word: write {name}='COMMAND' with an equals sign")
