"""Records to text for a terminal: the block of a failure, and what stands at the end of a run. No colours of its own.

The reader has never seen the kit: verdict and requirement first, then wanted and got, the place in the case file with a
caret, the requirement in words, the lines that matter, the target's last words, and the command that runs it again.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from ..words import cut
from .record import Record, cause

LINE_LIMIT: Final = 400
SHOWN: Final = 12

WORDS: Final = {
    "failed": ("FAILED", "the target is wrong"),
    "warned": ("WARNED", "the target does not do what it should"),
    "error": ("ERROR", "the case or the kit is wrong"),
    "not_exercised": ("NOT EXERCISED", "could not be tried"),
    "not_applicable": ("NOT APPLICABLE", ""),
    "expected": ("EXPECTED", "a known failure"),
    "passed": ("PASSED", ""),
}

SourceLine = Callable[[str, int], str | None]


def block(record: Record, command: Sequence[str], source_line: SourceLine) -> str:
    """The failure block of one record. `source_line` gives a line of a case file by display name and number."""
    word, blame = WORDS[record["outcome"]]
    bound = ", ".join(record["requirements"]) or "no requirement named"
    lines = [f"{word} {record['id']}  {bound} ({record['level']})  {blame}", f"  {record['title']}"]
    for mismatch in record["mismatches"]:
        pointer = f"{mismatch['pointer']}: " if mismatch["pointer"] else ""
        lines.append(f"  {pointer}expected {mismatch['expected']}, got {mismatch['actual']}")
        lines.extend(_place(mismatch.get("at"), source_line))
    if record["reason"]:
        lines.append(f"  {'reason':<10} {record['reason']}")
    if record["id"].startswith("session/") and record.get("history"):
        lines.extend(_history("during", record["history"]))
    elif record.get("history"):
        lines.extend(_history("after", record["history"]))
    lines.extend(
        f"  {'spec' if number == 0 else '':<10} {each['text']} <{each['source']}>"
        for number, each in enumerate(record.get("spec", []))
    )
    lines.extend(_exchange(record["transcript"]))
    if record["transcript"] or record.get("stderr"):
        lines.extend(_stderr(record.get("stderr", "")))
    lines.append(f"  {'again':<10} {again(record, command)}")
    return "\n".join(lines)


def again(record: Record, command: Sequence[str]) -> str:
    """The command that runs the case of a record again; for a standing check, a case in which it was broken."""
    identity = record["id"]
    if identity.startswith("session/"):
        seen = [each for each in record.get("history", []) if not each.startswith("session/")]
        choice = f" --case {shlex.quote(seen[0])}" if seen else ""
    else:
        choice = f" --case {shlex.quote(identity.partition('@')[0])}"
    at = f" --revision {record['revision']}" if "@" in identity else ""
    return f"mcp-tck run{choice}{at} -- {shlex.join(command)}"


def same_cause(record: Record, first: str, command: Sequence[str]) -> str:
    """The short form of a failure whose cause was told in full already."""
    word, _ = WORDS[record["outcome"]]
    bound = ", ".join(record["requirements"]) or "no requirement named"
    return (
        f"{word} {record['id']}  {bound} ({record['level']})\n"
        f"  the same cause as {first}, told there in full\n"
        f"  {'again':<10} {again(record, command)}"
    )


class Causes:
    """Remembers which cause was told already, so that each is told once in full."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}

    def text(self, record: Record, command: Sequence[str], source_line: SourceLine) -> str:
        """The block of a record, or its short form."""
        first = self._told.setdefault(cause(record), record["id"])
        if first == record["id"]:
            return block(record, command, source_line)
        return same_cause(record, first, command)


def closing(records: Sequence[Record], target: dict[str, Any], *, verbose: bool = False) -> list[str]:
    """What stands at the end of a run: a table by area, how complete it was, the portrait, and the next step."""
    lines = [_target_line(target), "", *_table(records), "", *_completeness(records, verbose=verbose)]
    portrait = [(each["id"], ", ".join(each["portrait"])) for each in records if each.get("portrait")]
    if portrait and verbose:
        lines += ["", "portrait: how the target does what the text leaves open"]
        lines += [f"  {identity}: {names}" for identity, names in portrait]
    return lines


def _target_line(target: dict[str, Any]) -> str:
    server = target.get("server") or {}
    name = f"{server.get('name', 'unknown')} {server.get('version', '')}".strip()
    revisions = ", ".join(each["revision"] for each in target["revisions"]) or "none"
    return f"target {name} at revision {revisions}, profiles {', '.join(target['profiles'])}"


_COLUMNS: Final = ("passed", "failed", "warned", "error", "expected", "not_exercised", "not_applicable")


def _table(records: Sequence[Record]) -> list[str]:
    areas: dict[str, dict[str, int]] = {}
    for each in records:
        counts = areas.setdefault(_top(each["area"]), dict.fromkeys(_COLUMNS, 0))
        counts[each["outcome"]] += 1
    columns = [name for name in _COLUMNS if any(counts[name] for counts in areas.values())]
    width = max((len(area) for area in areas), default=4)
    titles = [name.replace("_", " ") for name in columns]
    lines = ["  ".join(["area".ljust(width), *titles])]
    for area in sorted(areas):
        cells = [str(areas[area][name] or "·").rjust(len(title)) for name, title in zip(columns, titles, strict=True)]
        lines.append("  ".join([area.ljust(width), *cells]))
    return lines


def _top(area: str) -> str:
    parts = area.split("/")
    return "/".join(parts[:2]) if parts[0] == "mcp" else parts[0]


def _completeness(records: Sequence[Record], *, verbose: bool) -> list[str]:
    applied = [each for each in records if each["outcome"] != "not_applicable"]
    tried = [each for each in applied if each["outcome"] != "not_exercised"]
    lines = [f"{len(records)} cases, {len(applied)} apply to this target, {len(tried)} were exercised"]
    for outcome, words in (("not_exercised", "not exercised"), ("not_applicable", "not applicable")):
        reasons: dict[str, int] = {}
        for each in records:
            if each["outcome"] == outcome:
                reasons[each["reason"]] = reasons.get(each["reason"], 0) + 1
        ranked = sorted(reasons.items(), key=lambda pair: -pair[1])
        shown = ranked if verbose else ranked[:6]
        lines += [f"  {words}: {number} since {reason}" for reason, number in shown]
        if len(ranked) > len(shown):
            rest = sum(number for _, number in ranked[len(shown) :])
            lines.append(f"  {words}: {rest} for {len(ranked) - len(shown)} further reasons (all with -v)")
    return lines


def _place(at: dict[str, Any] | None, source_line: SourceLine) -> Iterable[str]:
    if not at:
        return []
    text = source_line(at["file"], at["line"])
    head = f"   --> {at['file']}:{at['line']}:{at['column']}"
    if text is None:
        return [head]
    number = str(at["line"])
    gutter = " " * len(number)
    shown = text.rstrip("\n").replace("\t", " ")
    column = at["column"]
    if len(shown) > 160 and column > 100:
        shown, column = "…" + shown[column - 60 : column + 90], 61
    caret = " " * (column - 1) + "^" * max(1, min(at["length"], len(shown) - column + 1))
    return [head, f"    {gutter}|", f"    {number}| {shown[:160]}", f"    {gutter}| {caret}"]


def _history(word: str, history: Sequence[str]) -> list[str]:
    shown = ", ".join(history[:5] if word == "during" else history[-5:])
    more = f" and {len(history) - 5} more" if len(history) > 5 else ""
    return [f"  {word:<10} {shown}{more}"]


def _exchange(transcript: Sequence[dict[str, Any]]) -> list[str]:
    names = {">": "sent", "<": "received", "!": "then"}
    lines = [f"  {names[entry['dir']]:<10} {cut(_clean(entry['line']), LINE_LIMIT)}" for entry in transcript[-SHOWN:]]
    if len(transcript) > SHOWN:
        lines.insert(0, f"  {'':<10} … {len(transcript) - SHOWN} lines before")
    return lines


def _stderr(text: str) -> list[str]:
    tail = [_clean(line) for line in text.splitlines() if line.strip()][-8:]
    if not tail:
        return [f"  {'stderr':<10} (empty)"]
    return [f"  {'stderr' if number == 0 else '':<10} {cut(line, 200)}" for number, line in enumerate(tail)]


def _clean(text: str) -> str:
    """The text with control characters made visible, so that no target can write to the reader's terminal."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text
    )
