"""The command `mcp-tck`: arguments in, calls out, nothing else.

This module must never judge, and imports what a command needs only when that command is called.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; answers the exit status."""
    given = list(sys.argv[1:] if argv is None else argv)
    words, command = _split(given)
    arguments = _parser(words).parse_args(words)
    handler = {"run": _run}.get(arguments.command)
    try:
        return handler(arguments, command) if handler else int(_module(arguments.command).main(arguments, command))
    except BrokenPipeError:
        # Nobody reads any more; what is still buffered must not be tried again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


PLUGIN: Final = f"{__package__}.plugin"
NEEDLESS: Final = (
    *("assertion", "cacheprovider", "capture", "doctest", "faulthandler", "legacypath", "logging", "monkeypatch"),
    *("pastebin", "recwarn", "setuponly", "setupplan", "skipping", "stepwise", "threadexception", "tmpdir"),
    *("unittest", "unraisableexception", "warnings"),
)
"""Plugins of pytest's own that a run has no use for."""

_MODULES = {
    "lint": "linting.lint_command",
    "new": "authoring.scaffold",
    "init": "authoring.init",
    "record": "authoring.recorder",
    "explain": "explain",
    "coverage": "proof.coverage_command",
    "matrix": "matrix",
    "freeze": "agreement.frozen",
}
"""Commands that live in a module of their own, each with `add(commands)` and `main(arguments, command)`."""


def _module(command: str) -> Any:
    return importlib.import_module(f".{_MODULES[command]}", __package__)


def _split(argv: list[str]) -> tuple[list[str], list[str] | None]:
    if "--" not in argv:
        return argv, None
    place = argv.index("--")
    return argv[:place], argv[place + 1 :]


class _Parser(argparse.ArgumentParser):
    """A parser whose usage errors have the status that pytest gives to them, 4."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        if message.startswith("unrecognized arguments"):
            message += " (a server's command stands behind --)"
        self.exit(4, f"{self.prog}: error: {message}\n")


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    parser = _Parser(prog="mcp-tck", description="conformance test kit for MCP servers over stdio")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="judge a server", usage="mcp-tck run [options] [PATH ...] -- CMD ...")
    run.add_argument("paths", nargs="*", metavar="PATH", help="case files or folders of your own, not the bundled ones")
    run.add_argument("--target", metavar="CMD", help="the server's command line, where it does not stand behind --")
    for name, metavar, words in (
        ("config", "FILE", "YAML configuration of the target"),
        ("mcp-config", "FILE", "take command, args and env from a client's mcpServers file"),
        ("server", "NAME", "which server of --mcp-config"),
        ("timeout", "S", "longest wait for one reply (5)"),
        ("startup-timeout", "S", "longest wait for the first reply (30)"),
        ("revision", "REV", "auto, all or a date"),
        ("seed", "N", "seed of the examples that properties are tried on (0)"),
        ("baseline", "FILE", "known failures of this target, with a reason each"),
        ("snapshots", "FOLDER", "hold catalogue and instructions against the snapshots in this folder"),
        ("junitxml", "PATH", "write a JUnit report, with pytest's own writer"),
        ("frozen", "VERSION", "the frozen set of cases that counts (the newest)"),
    ):
        run.add_argument(f"--{name}", metavar=metavar, help=words)
    for name, metavar, words in (
        ("profile", "NAME", "claim a profile for the target; repeatable"),
        ("case", "ID", "only this case; repeatable"),
        ("report", "PATH", "write a report, the format by suffix; repeatable"),
    ):
        run.add_argument(f"--{name}", metavar=metavar, action="append", default=[], help=words)
    run.add_argument("--strict", action="store_true", help="what a target should do counts as what it must do")
    run.add_argument("--baseline-update", action="store_true", help="bring the baseline up to date with this run")
    run.add_argument("--snapshots-update", action="store_true", help="write the snapshots instead of comparing")
    run.add_argument("--count-new", action="store_true", help="cases newer than the frozen set count as well")
    run.add_argument("--isolate", action="store_true", help="a fresh process for every case")
    run.add_argument(
        "--dry-run", action="store_true", help="list every tool call of the profile safety, and call nothing"
    )
    run.add_argument("-v", "--verbose", action="count", default=0, help="a line for each case, and every reason")
    run.add_argument("-q", "--quiet", action="count", default=0, help="failures and the table only")
    run.add_argument("-n", metavar="N", dest="workers", help="workers (needs pytest-xdist)")
    # The module of one command, where one is named; all of them only to list them, or to say what is wrong.
    named = given[0] if given else ""
    for command in () if named == "run" else (named,) if named in _MODULES else _MODULES:
        _module(command).add(commands)
    return parser


def _forgotten(paths: Sequence[str]) -> str:
    """What to say where the words of a server's command were taken for paths; or nothing."""
    import shlex

    for place, word in enumerate(paths):
        path = Path(word.partition("::")[0])
        if path.is_dir() or (path.is_file() and path.suffix in {".yaml", ".yml"}):
            continue
        why = "is no case file" if path.exists() else "does not exist"
        meant = shlex.join(["mcp-tck", "run", *paths[:place], "--", *paths[place:]])
        return f"{word} {why}; put -- before the server's command, as in: {meant}"
    return ""


@contextlib.contextmanager
def _without(*names: str) -> Iterator[None]:
    """Leave variables out of the environment for a while: what they ask of pytest may not be there."""
    kept = {name: os.environ.pop(name) for name in names if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(kept)


def _run(arguments: argparse.Namespace, command: list[str] | None) -> int:
    import shlex

    import pytest

    from .optionlist import RUN_INI

    target = shlex.join(command) if command is not None else arguments.target
    if command == [] or (command is not None and arguments.target is not None):
        print("mcp-tck run: say the target once, behind -- or with --target", file=sys.stderr)
        return 4
    if target is None and arguments.config is None and arguments.mcp_config is None:
        # A job that lost its command must not be green on somebody else's server.
        told = _forgotten(arguments.paths) or "no target: put the server's command behind --"
        print(f"mcp-tck run: {told}", file=sys.stderr)
        return 4
    # The user's own pytest set-up is none of a stranger's business: no ini file, conftest, plugin, cache.
    words = ["-c", str(RUN_INI), "--rootdir", str(Path.cwd()), "--noconftest"]
    words += ["--disable-plugin-autoload", "-p", PLUGIN, *(["-p", "xdist"] if arguments.workers else [])]
    # Nothing here prints, logs or asserts while a case is played; what looks after that costs a little in each of them.
    words += [word for name in NEEDLESS for word in ("-p", f"no:{name}")]
    words += ["--import-mode=importlib", "-rN"]
    if arguments.paths:
        words += list(arguments.paths)
    else:
        words += ["--pyargs", "mcp_tck.conformance"]
    if target is not None:
        words.append(f"--tck-target={target}")
    for name in (
        "config",
        "mcp_config",
        "server",
        "timeout",
        "startup_timeout",
        "revision",
        "seed",
        "baseline",
        "frozen",
        "snapshots",
    ):
        if (value := getattr(arguments, name)) is not None:
            words.append(f"--tck-{name.replace('_', '-')}={value}")
    for name in ("profile", "case", "report"):
        words += [f"--tck-{name}={value}" for value in getattr(arguments, name)]
    flags = ("strict", "isolate", "dry-run", "baseline-update", "count-new", "snapshots-update")
    words += [f"--tck-{name}" for name in flags if getattr(arguments, name.replace("-", "_"))]
    words += ["-v"] * arguments.verbose + ["-q"] * arguments.quiet
    if arguments.junitxml:
        words.append(f"--junitxml={arguments.junitxml}")
    if arguments.workers:
        words += ["-n", arguments.workers]
    with _without("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        status = int(pytest.main(words))
    if status == pytest.ExitCode.NO_TESTS_COLLECTED:
        print("mcp-tck run: no case was run: there is no case file, or none that was chosen", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
