"""The pytest plugin: options, collection, outcome words, the end of a run. The pytest column begins here.

In a repository that does not run the kit it stays asleep, and imports nothing of the kit. Files are read and the target
is opened in the controlling process before anything is collected, so that a usage error has one exit status.
This module must never judge anything.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from . import optionlist

if TYPE_CHECKING:
    from .kit import Kit
    from .run import Run

HOME = Path(__file__).resolve().parent
PACKAGE = "mcp_tck.conformance"
PROPERTIES = HOME / "properties"
SUFFIXES = {".yaml", ".yml"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options with the kit's own prefix."""
    optionlist.add(parser)


@pytest.hookimpl(trylast=True)
def pytest_load_initial_conftests(early_config: pytest.Config, parser: pytest.Parser) -> None:
    """`--target`, now that every other plugin has added its options."""
    optionlist.add_target(early_config, parser)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Wake up where the run is one of ours: read all files, open the target."""
    bundled = [arg for arg in config.args if _names_conformance(arg, config)]
    targeted = optionlist.names_target(config)
    if not bundled and not targeted:
        _refuse_cases_without_target(config)
        return
    optionlist.refuse_space(config)
    from .interpreter import settle_in

    settle_in(config)
    try:
        run = _prepare(config, bundled=bool(bundled))
    except pytest.UsageError as error:
        raise pytest.UsageError(optionlist.spelt(config, str(error))) from None
    if run is None:
        return
    from .authoring import snapshots
    from .items import RUN, make_cases
    from .properties import listing
    from .safety.allowed import AREAS

    config.stash[RUN] = run
    read = [case for found in run.suite.files.values() for case in found]
    areas = {case.area for case in (*listing.cases(), *read)} | {*AREAS, snapshots.AREA}
    for name in ["must", "should", "may", "open", *(part for area in sorted(areas) for part in area.split("/"))]:
        _register_marker(config, name.replace("-", "_"))
    if not config.option.collectonly:
        worker: dict[str, Any] | None = getattr(config, "workerinput", None)
        if worker is not None:
            run.kit.adopt(json.loads(worker["tck"]))
        else:
            run.kit.open()
            if _distributed(config):
                run.kit.close()
            elif not run.selected:  # they start while the cases are collected
                run.kit.foresee((case, facts) for facts in run.kit.facts for case in read)
        make_cases(config, run)
    else:
        run.kit.facts = [_unknown_facts(run)]


def _prepare(config: pytest.Config, *, bundled: bool) -> Run | None:
    """Read all files; meanwhile the target starts, where it will be needed. Raises UsageError, with nothing running."""
    from . import suite
    from .kit import Kit
    from .options import plan, reference

    if bundled and not any(Path(arg).resolve() == suite.FIXTURES for arg in config.args):
        config.args.insert(0, str(suite.FIXTURES))
    if not bundled and config.option.tck_case and config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args[:] = [str(suite.FIXTURES), str(PROPERTIES)]
    wrong = []
    kit = None
    requirements, problems = suite.requirements()
    try:
        kit = Kit(plan(config, default=reference() if bundled else None), requirements)
    except pytest.UsageError as error:
        wrong.append(str(error))
    wrong.extend(map(str, problems))
    try:
        if kit is not None and not wrong and not config.option.collectonly and not hasattr(config, "workerinput"):
            kit.begin()
        run = _read(config, kit, wrong)
    except BaseException:
        if kit is not None:
            kit.kill()
        raise
    if run is None and kit is not None:
        kit.kill()
    return run


def _read(config: pytest.Config, kit: Kit | None, wrong: list[str]) -> Run | None:
    from . import standing, suite
    from .casefile import cases
    from .options import again, agreed
    from .properties.listing import ids as property_ids
    from .run import Run

    paths = [Path(arg.partition("::")[0]) for arg in config.args]
    # A file that is named is meant as a case file, whatever is in it.
    named = {path for path in paths if path.is_file() and path.suffix in SUFFIXES}
    files = [found for path in paths if path.exists() for found in ([path] if path in named else cases.find(path))]
    read = suite.load(files)
    wrong.extend(map(str, read.problems))
    if wrong or kit is None:
        raise pytest.UsageError("\n".join(wrong))
    known = read.ids() | property_ids()
    asked = {name.partition("@")[0] for name in config.option.tck_case}
    unknown = sorted(asked - known - {name.partition("[")[0] for name in known} - standing.ids())
    unknown = [name for name in unknown if not name.startswith(("safety/", "snapshot/"))]  # known once the catalogue is
    if unknown:
        import difflib

        told = []
        for name in unknown:
            near = difflib.get_close_matches(name, known, 1)
            told.append(f"no case has the id {name}" + (f" (did you mean {near[0]}?)" if near else ""))
        raise pytest.UsageError("\n".join(told))
    if not read.files and kit.plan.snapshots is None:
        return None
    return Run(
        kit=kit,
        suite=read,
        reports=tuple(config.option.tck_report),
        selected=frozenset(config.option.tck_case),
        agreed=agreed(config, read, kit.requirements, several=kit.plan.revision == "all"),
        again=again(config, kit.plan),
    )


def _refuse_cases_without_target(config: pytest.Config) -> None:
    """Somebody's case files were named, and nothing to run them on."""
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        return
    for arg in config.args:
        path = Path(arg.partition("::")[0])
        if not ((path.suffix in SUFFIXES and path.is_file()) or (path.is_dir() and not _has_tests(path))):
            continue
        from .casefile import cases

        if cases.find(path):
            option = optionlist.target_option(config)
            raise pytest.UsageError(f"{arg} holds case files, and no target is named: say {option}='COMMAND'")


def _has_tests(folder: Path) -> bool:
    return any(folder.rglob("test_*.py")) or any(folder.rglob("*_test.py"))


def _names_conformance(arg: str, config: pytest.Config) -> bool:
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        return False
    name = arg.partition("::")[0]
    if name == PACKAGE and config.option.pyargs:
        return True
    path = Path(name)
    return path.exists() and path.resolve() == HOME


def _distributed(config: pytest.Config) -> bool:
    return bool(getattr(config.option, "numprocesses", None)) or getattr(config.option, "dist", "no") != "no"


def _unknown_facts(run: Run) -> Any:
    from .opening import Facts
    from .protocol.eras import HANDSHAKE

    wanted = run.kit.plan.revision
    return Facts(HANDSHAKE[0] if wanted in {"auto", "all"} else wanted)


def _register_marker(config: pytest.Config, name: str) -> None:
    line = f"{name}: cases of mcp-tck"
    if line not in config.getini("markers"):
        config.addinivalue_line("markers", line)


def _run(config: pytest.Config) -> Run | None:
    if "mcp_tck.conformance.items" not in sys.modules and f"{__package__}.items" not in sys.modules:
        return None
    from .items import RUN

    return config.stash.get(RUN, None)


# -- collection


@pytest.hookimpl(tryfirst=True)
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Dir | None:
    """The kit's own folder is a plain one: as a package, pytest would load its modules a second time."""
    if path not in {HOME, PROPERTIES} or _run(parent.config) is None:
        return None
    return pytest.Dir.from_parent(parent, path=path)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.File | None:
    """A collector for each case file that was read, and for each module of properties."""
    if file_path.suffix not in {*SUFFIXES, ".py"} or (run := _run(parent.config)) is None:
        return None
    if file_path.suffix == ".py":
        if file_path.parent != PROPERTIES:
            return None
        from .items import PropertyFile

        return PropertyFile.from_parent(parent, path=file_path)
    from . import suite

    if suite.resolved(file_path) not in run.suite.files:
        return None
    from .items import CaseFile

    return CaseFile.from_parent(parent, path=file_path)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep only the cases that `--tck-case` names, and put them in the order in which processes start best."""
    run = _run(config)
    if run is None:
        return
    from .items import CaseItem, put_in_order

    if run.selected:
        _keep_selected(config, items, run)
    put_in_order(items, run.kit.turn)
    if not hasattr(config, "workerinput") and not _distributed(config) and not config.option.collectonly:
        run.kit.foresee((item.case, item.facts) for item in items if isinstance(item, CaseItem))


def _keep_selected(config: pytest.Config, items: list[pytest.Item], run: Run) -> None:
    from .items import CaseItem

    def is_named(item: CaseItem) -> bool:
        names = (item.case_id, item.case_id.partition("[")[0])  # without a row all rows are meant
        after = ("", run.kit.suffix(item.facts), f"@{item.facts.revision}")
        return not run.selected.isdisjoint(name + revision for name in names for revision in after)

    chosen = [item for item in items if isinstance(item, CaseItem) and is_named(item)]
    if len(chosen) != len(items):
        kept = set(chosen)
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = chosen


# -- outcomes


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Put the record on the report of the call, where it travels over workers as well."""
    report = yield
    record = getattr(item, "tck_record", None)
    if record is not None and report.when == "call":
        report.tck = record  # type: ignore[attr-defined]
        if record["outcome"] in {"not_applicable", "not_exercised"}:
            # As pytest.skip() would have it, which costs an exception for each of a thousand cases.
            path, line, _ = item.reportinfo()
            report.outcome, report.longrepr = "skipped", (str(path), (line or 0) + 1, f"Skipped: {record['reason']}")
        elif record["outcome"] == "expected":
            report.outcome, report.wasxfail = "skipped", f"reason: {record['reason']}"
    return report


_CATEGORIES = {
    "passed": ("passed", ".", "PASSED"),
    "failed": ("failed", "F", "FAILED"),
    "warned": ("warned", "w", "WARNED"),
    "error": ("failed", "E", "ERROR"),
    "expected": ("expected", "x", "EXPECTED"),
    "new": ("new", "+", "NEW"),
    "not_applicable": ("not applicable", "-", "NOT APPLICABLE"),
    "not_exercised": ("not exercised", "n", "NOT EXERCISED"),
}


def _is_closing(record: dict[str, Any]) -> bool:
    """Whether a record was made at the end of the run, and is no item's."""
    return str(record["id"]).startswith(("session/", "baseline::"))


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: Any) -> tuple[str, str, Any] | None:
    """The kit's own outcome words."""
    record = getattr(report, "tck", None)
    if record is None:
        return None
    category, letter, word = _CATEGORIES[
        "new" if record.get("new") and record["outcome"] == "warned" else record["outcome"]
    ]
    if _is_closing(record):
        return category, "", ""
    markup = {"yellow": True} if record["outcome"] in {"warned", "not_exercised"} else {}
    return category, letter, (word, markup) if markup else word


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Gather the records in the process that reports."""
    record = getattr(report, "tck", None)
    if record is None or _COLLECTOR is None or _is_closing(record):
        return
    _COLLECTOR.records.append(record)


_COLLECTOR: Run | None = None


def pytest_sessionstart(session: pytest.Session) -> None:
    """Remember the run whose records are gathered here."""
    global _COLLECTOR  # noqa: PLW0603 - logreport is given no config
    _COLLECTOR = _run(session.config)


def pytest_report_header(config: pytest.Config) -> list[str]:
    """What is judged, at the head of the run."""
    run = _run(config)
    if run is None or not run.kit.facts:
        return []
    import shlex

    facts = run.kit.facts[0]
    name = " ".join(str(facts.server[key]) for key in ("name", "version") if key in facts.server)
    at = ", ".join(each.revision for each in run.kit.facts)
    safety = run.kit.maker.head(facts) if run.kit.asks_for_safety else []
    return [
        f"mcp-tck: target {shlex.join(run.kit.plan.command)}",
        f"mcp-tck: {name or 'unknown'} at revision {at}",
        *safety,
    ]


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """End the processes, report the standing checks, decide the exit status, write the reports."""
    run = _run(session.config)
    if run is None:
        return
    if int(exitstatus) not in {0, 1, 5}:
        run.kit.kill()
    if hasattr(session.config, "workerinput"):
        run.kit.close()
        session.config.workeroutput["tck"] = run.tally()  # type: ignore[attr-defined]
        return
    if session.config.option.collectonly:
        return
    if session.config.option.tck_dry_run:
        run.kit.close()
        return
    for record in run.finish():
        for report in _closing_reports(run, record):
            session.config.hook.pytest_runtest_logreport(report=report)
    _tell_causes_once(session.config, run)
    status, why = run.status(int(exitstatus))
    session.exitstatus = status
    session.config.stash[_WHY] = why
    session.config.stash[_TOLD] = list(run.write_reports())


def _tell_causes_once(config: pytest.Config, run: Run) -> None:
    """Show one failure of each cause, with the count of the others; all of them are counted, and stay in JUnit."""
    from .items import Block
    from .report import terminal

    reporter = config.pluginmanager.getplugin("terminalreporter")
    if reporter is None:
        return
    reports = {report.tck["id"]: report for report in reporter.stats.get("failed", []) if hasattr(report, "tck")}
    for ids, text in run.causes():
        shown = [reports[identity] for identity in ids if identity in reports]
        for report in shown:
            report.longrepr = Block(text, terminal.short(report.tck))
        for report in shown[1:]:
            report._pdbshown = True  # noqa: SLF001 - how the terminal knows what was shown already


_WHY = pytest.StashKey[str]()
_TOLD = pytest.StashKey["list[str]"]()


def _closing_reports(run: Run, record: dict[str, Any]) -> tuple[pytest.TestReport, pytest.TestReport]:
    """The reports of what is no item: of its call, and of its end, which is where JUnit takes the properties from."""
    from .items import properties

    failed = record["outcome"] in {"failed", "error"}
    skipped = record["outcome"] in {"not_applicable", "not_exercised", "expected"}
    report = pytest.TestReport(
        nodeid=record["id"],
        location=("session", 0, record["id"]),
        keywords={},
        outcome="failed" if failed else "skipped" if skipped else "passed",
        longrepr=run.text(record) if failed else ("session", 0, record["reason"]) if skipped else None,
        when="call",
        user_properties=properties(record, run.kit.plan.command),
    )
    report.tck = record  # type: ignore[attr-defined]
    end = pytest.TestReport(
        nodeid=report.nodeid,
        location=report.location,
        keywords={},
        outcome="passed",
        longrepr=None,
        when="teardown",
        user_properties=report.user_properties,
    )
    return report, end


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Warnings in full, then the table, how complete the run was, and what was written."""
    run = _run(config)
    if run is None or not run.finished:
        return
    write = terminalreporter.write_line
    verbosity = config.option.verbose
    for outcome, title, least in (
        ("warned", "what the target should do and does not (warnings; --strict makes them failures)", 0),
        ("expected", "known failures", 1),
    ):
        told = run.notes(outcome) if verbosity >= least else []
        if told:
            terminalreporter.write_sep("=", title)
            write("\n\n".join(told) + "\n")
    terminalreporter.write_sep("=", "mcp-tck")
    told = run.summary(verbosity=verbosity, width=terminalreporter._tw.fullwidth)  # noqa: SLF001 - has no public name
    for line in (*told, *config.stash.get(_TOLD, [])):
        write(line)
    if os.environ.get("GITHUB_ACTIONS") == "true":
        workspace = os.environ.get("GITHUB_WORKSPACE")
        for line in run.annotations(Path(workspace).resolve() if workspace else None):
            write(line)
    if why := config.stash.get(_WHY, ""):
        write(why, red=True)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Whatever happened, nothing is left running."""
    run = _run(config)
    if run is not None:
        run.kit.kill()


# -- xdist


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Hand a worker what the controlling process has learnt."""
    run = _run(node.config)
    if run is not None:
        node.workerinput["tck"] = json.dumps(run.kit.handover())


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a worker's standing checks saw."""
    run = _run(node.config)
    output = getattr(node, "workeroutput", None)
    if run is not None and output and "tck" in output:
        run.take_tally(output["tck"])
