"""`mcp-tck init -- CMD`: a first folder of cases for a server, from what it says of itself, green from the start.

Only tools that say that they only read are called. This module must never write over a file of the user's.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from . import scaffold

if TYPE_CHECKING:
    import argparse

    from ..kit import Plan
    from ..values import Value
    from .explore import Explored, Object
    from .starter import Draft

_HEAD: Final = {
    "catalogue": (
        "What the server says of itself, as it was when this file was written. A change of it shows here:\n"
        "look at it, and put the new words in where the change was meant."
    ),
    "calls": "Calls of the tools that only read, with the shape of their answers. Say more where you know more.",
}


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the others."""
    words = "a first folder of cases for a server, from its own catalogue"
    parser = commands.add_parser(
        "init", help=words, description=words, usage="mcp-tck init [--folder DIR] [--config FILE] [-- CMD ...]"
    )
    parser.add_argument("--folder", default=scaffold.FOLDER, metavar="DIR", help="where to write (cases)")
    parser.add_argument("--config", metavar="FILE", help="YAML configuration of the target, instead of a command")


def main(arguments: argparse.Namespace, command: list[str] | None) -> int:
    """Do it; answers the exit status."""
    from ..config import ConfigError
    from ..runner import OpeningError
    from ..targets.target import StartError

    folder = Path(arguments.folder)
    there = [path for name in _HEAD if (path := folder / f"{name}.yaml").exists()]
    for path in there:
        print(f"mcp-tck init: {path} is there already; take it away, or name another --folder", file=sys.stderr)
    if there:
        return 4
    try:
        plan = _plan(arguments.config, command)
        drafts = draft(plan)
    except ConfigError as error:
        print(f"mcp-tck init: {error}", file=sys.stderr)
        return 4
    except StartError as error:
        print(f"mcp-tck init: the server does not start: {error}", file=sys.stderr)
        return 1
    except OpeningError as error:
        for mismatch in error.mismatches:
            said = f"{mismatch.expected} is wanted, and there came {mismatch.actual}"
            print(f"mcp-tck init: the server does not open: {said}", file=sys.stderr)
        print(error.stderr, file=sys.stderr)
        return 1
    place = scaffold.write_schema(folder)
    for each in drafts:
        path = folder / f"{each.area}.yaml"
        path.write_text(each.text(scaffold.reach(path, place), _HEAD[each.area]), encoding="utf-8")
        print(f"{path}: {len(each.cases)} case{'' if len(each.cases) == 1 else 's'}")
        for remark in each.remarks:
            print("  " + remark.partition("\n")[0])
    return 0


def _plan(config: str | None, command: list[str] | None) -> Plan:
    from ..config import ConfigError, load
    from ..kit import Plan

    if config is not None:
        given = load(Path(config))
        return Plan(command=tuple(command or given.command), env=given.env, cwd=given.cwd)
    if not command:
        raise ConfigError("no server: put its command behind --, or name a --config with one")
    return Plan(command=tuple(command))


def draft(plan: Plan) -> list[Draft]:
    """Ask the target, twice and on two processes, and draft the files; only cases that pass on it stay in them."""
    from ..protocol import eras
    from . import starter
    from .explore import explore

    settings = plan.settings
    first, second = (explore(plan.launch, eras.HANDSHAKE[0], settings.startup, settings.timeout) for _ in range(2))
    steady = frozenset(method for method, pages in first.lists.items() if second.lists.get(method) == pages)
    drafts = [starter.catalogue(first, steady)]
    calls = _calls(plan, first)
    if calls.cases or calls.remarks:
        drafts.append(calls)
    _keep_green(plan, first.revision, drafts)
    for empty in [each for each in drafts if not each.cases]:
        drafts.remove(empty)
        if drafts:
            drafts[0].remarks += empty.remarks
    return drafts


def _calls(plan: Plan, found: Explored) -> Draft:
    from . import starter

    made = starter.Draft("calls", found.revision)
    readers = [tool for tool in found.tools if starter.reads(tool)]
    others = [str(tool["name"]) for tool in found.tools if not starter.reads(tool)]
    open_ends: list[Object] = []
    for tool in readers:
        name = str(tool["name"])
        given, unknown = starter.arguments(tool)
        call: Object = {"tool": name, "arguments": given}
        seen = [_ask(plan, found.revision, call) for _ in range(2)]
        wanted = starter.answer(*seen) if all(seen) else None
        if unknown:
            open_ends.append({"tool": name, "arguments": {**given, **dict.fromkeys(unknown, "FILL-IN")}})
        if wanted is None or (unknown and wanted != {"refused": True}):
            continue
        title = f"{name} without {' and '.join(unknown)} is refused" if unknown else f"{name} answers"
        made.add(f"{name}-incomplete" if unknown else name, title, [{"call": call, "expect": wanted}])
    if open_ends:
        made.remarks.append(_to_complete(open_ends))
    if others:
        made.remarks.append(f"Not called, since they do not say that they only read: {', '.join(others)}.")
    return made


def _to_complete(calls: list[Object]) -> str:
    from ..casefile import yamlwrite
    from . import starter

    text = "To be completed: nobody can guess what stands for FILL-IN.\n"
    text += 'Take away the "# " at the beginning of each line of a case, so that its dash stands below the others,\n'
    text += "and fill it in.\n"
    for call in calls:
        steps: list[Value] = [{"call": call, "expect": {"ok": True}}]
        text += "\n" + yamlwrite.case(
            starter.slug(str(call["tool"])), {"title": f"{call['tool']} answers", "steps": steps}
        )
    return text


def _ask(plan: Plan, revision: str, call: Object) -> Object:
    """The reply to one call on a process of its own; nothing where none came."""
    from .. import opening
    from ..protocol.conversation import Conversation
    from ..runner import Session, drive

    talk = Conversation(revision)
    session = Session(plan.launch(), talk)
    settings = plan.settings
    try:
        drive(opening.open_session(talk, settings.startup), session, settings.startup + 1)
        talk.begin("init")
        params = {"name": call["tool"], "arguments": call["arguments"]}
        received = drive(opening.ask(talk, "tools/call", params, settings.timeout), session, settings.timeout + 1)
    finally:
        session.target.kill()
    return received.message.body if received is not None else {}


def _keep_green(plan: Plan, revision: str, drafts: list[Draft]) -> None:
    """Play what was drafted, and take out what does not pass."""
    from ..casefile import cases
    from ..model import Verdict
    from ..runner import Runner

    runner = Runner(plan.launch, plan.settings, {})
    try:
        facts = runner.discover(revision)
        for each in drafts:
            text = each.text("case.schema.json")
            found, problems = cases.loads(text.encode("utf-8", "surrogatepass"), each.area, each.area)
            wrong = _broken(each, problems)
            wrong |= {
                case.id.partition("::")[2].partition("[")[0]
                for case in found
                if runner.run(case, facts).verdict is not Verdict.PASSED
            }
            for identity in wrong & each.cases.keys():
                del each.cases[identity]
                each.remarks.append(f"Left out, since it did not pass here: {identity}.")
    finally:
        runner.close()


def _broken(each: Draft, problems: object) -> set[str]:
    """Cases that no case file can hold, for instance since a description has half a surrogate pair in it."""
    return set(each.cases) if problems else set()
