"""Records to text for a terminal: the block of a failure, and what stands at the end of a run. No colours of its own.

The reader has never seen the kit: verdict and requirement first, then wanted and got, the place in the case file with a
caret, the requirement in words, the lines that matter, the target's last words, and the command that runs it again.
This module must never let a target write to the reader's terminal: control characters are made visible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ..outcomes import Record
from ..words import cut
from . import digest
from .again import Again

LINE_LIMIT: Final = 400
DIFF_LIMIT: Final = 2000
SHOWN: Final = 12
LEAST_WIDTH: Final = 40
RULE: Final = "# " + "-" * 58

SourceLine = Callable[[str, int], "str | None"]


def block(record: Record, again: Again, source_line: SourceLine) -> str:
    """The failure block of one record. `source_line` gives a line of a case file by display name and number."""
    lines = [heading(record), f"  {record['title']}"]
    for mismatch in record["mismatches"]:
        pointer = f"{mismatch['pointer']}: " if mismatch["pointer"] else ""
        lines.append(f"  {pointer}expected {mismatch['expected']}, got {mismatch['actual']}")
        lines.extend(place(mismatch, source_line))
    lines.extend(_diff(record.get("diff", "")))
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
    lines.append(f"  {'again':<10} {again.of(record)}")
    if hint := again.hint(record):
        lines.append(f"  {'hint':<10} {hint}")
    if record.get("found"):
        lines.append(
            f"  {'found':<10} {again.with_file('found.yaml')}, where found.yaml is what stands between the lines"
        )
        # Without an indent, to be copied as it is; what writes case files leaves no control characters in them.
        lines += [RULE, record["found"].rstrip(), RULE]
    return "\n".join(lines)


def heading(record: Record) -> str:
    """The verdict, the case, what binds, and who is to blame."""
    word, blame = digest.words(record)
    bound = ", ".join(record["requirements"]) or "no requirement named"
    return f"{word} {record['id']}  {bound} ({record['level']})  {blame}".rstrip()


def short(record: Record) -> str:
    """What a record says is wrong, in one line."""
    return cut(_clean(digest.sentence(record)), 160)


def notes(records: Sequence[Record], outcomes: Sequence[str], again: Again, source_line: SourceLine) -> list[str]:
    """A block for each cause of these outcomes, with the ids of the other cases that show it."""
    return [told(finding, again, source_line) for finding in digest.findings(records, outcomes)]


def told(finding: digest.Finding, again: Again, source_line: SourceLine) -> str:
    """The block of a cause: its first case in full, the other cases by their ids."""
    text = block(finding.first, again, source_line)
    if not finding.others:
        return text
    ids = [each["id"] for each in finding.others]
    more = f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else ""
    return f"{text}\n  {'also':<10} the same in {len(ids)} more: {', '.join(ids[:SHOWN])}{more}"


def closing(
    records: Sequence[Record],
    target: dict[str, Any],
    again: Again,
    *,
    verbosity: int = 0,
    width: int = 80,
    also: Sequence[str] = (),
) -> list[str]:
    """What stands at the end of a run: the table by area, how complete it was, causes, portrait, the next step.

    `verbosity` is pytest's: -1 leaves out the reasons, -2 the table as well, 1 tells all. `width` is the terminal's;
    `also` are revisions that the target speaks and was not judged at.
    """
    lines = [f"target {digest.target_line(target)}"]
    if also:
        lines.append(f"also speaks {', '.join(also)}: --revision all judges it there too")
    if verbosity >= -1:
        lines += ["", *_table(records, max(width, LEAST_WIDTH)), ""]
    lines += _completeness(records, verbosity)
    lines += _causes(records)
    if verbosity < 0 and any(each["outcome"] == "warned" for each in records):
        lines += ["", "warnings are told one by one without -q"]
    portrait = digest.portrait(records)
    if portrait and verbosity > 0:
        lines += ["", "portrait: how the target does what the text leaves open"]
        lines += [f"  {identity}: {names}" for identity, names in portrait]
    if verbosity >= 0 and (slow := digest.slowest(records)):
        lines += ["", "slowest: " + ", ".join(f"{identity} {duration:.1f} s" for duration, identity in slow)]
    if step := _next_step(records, again, portrait=bool(portrait) and verbosity == 0):
        lines += ["", *step]
    return lines


def _table(records: Sequence[Record], width: int) -> list[str]:
    """The table by area, long titles in two lines; where it does not fit, one line an area with counts in words."""
    table = digest.table(records)
    room = max((len(area) for area in (*table.rows, "all")), default=4)
    titles = [name.rpartition("_") for name in table.columns]
    widths = [max(len(first), len(last)) for first, _, last in titles]
    if room + sum(widths) + 2 * len(widths) > width:
        return [f"{area}: {_counts(row)}" for area, row in (*table.rows.items(), ("all", table.total))]
    rows = [["", *(first for first, _, _ in titles)], ["area", *(last for _, _, last in titles)]]
    rows += [[area, *(str(row[name] or "·") for name in table.columns)] for area, row in table.rows.items()]
    rows.append(["all", *(str(table.total[name]) for name in table.columns)])
    shown = [
        "  ".join(
            [row[0].ljust(room), *(cell.rjust(size) for cell, size in zip(row[1:], widths, strict=True))]
        ).rstrip()
        for row in rows
    ]
    return [line for line in shown if line]


def _counts(row: Any) -> str:
    return ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in row.items() if number)


def _completeness(records: Sequence[Record], verbosity: int) -> list[str]:
    found = digest.completeness(records)
    lines = [found.line]
    if verbosity < 0:
        return lines
    shown = found.reasons if verbosity else found.reasons[:6]
    lines += [f"  {outcome}: {number} since {reason}" for outcome, reason, number in shown]
    if len(found.reasons) > len(shown):
        rest = found.reasons[len(shown) :]
        lines.append(f"  further: {sum(number for _, _, number in rest)} for {len(rest)} more reasons (all with -v)")
    return lines


def _causes(records: Sequence[Record]) -> list[str]:
    """Where several failures, or several warnings, have one cause, how many causes there are."""
    lines = []
    for word, outcomes in (("failures", ("error", "failed")), ("warnings", ("warned",))):
        found = digest.findings(records, outcomes)
        if len(found) == (number := sum(each.count for each in found)):
            continue
        lines += ["", f"{number} {word} have {len(found)} cause{'' if len(found) == 1 else 's'}:"]
        lines += [f"  {each.count} x {short(each.first)} ({each.first['id']})" for each in found[:10]]
        if len(found) > 10:
            lines.append(f"  and {len(found) - 10} more")
    return lines


def _next_step(records: Sequence[Record], again: Again, *, portrait: bool) -> list[str]:
    """What to do now."""
    found = digest.findings(records, ("failed", "error"))
    if found:
        first = found[0].first
        lines = [f"next: {again.of(first)}"]
        if first["requirements"]:
            lines.append(f"      mcp-tck explain {first['requirements'][0]}")
        return lines
    if portrait:
        return ["next: -v tells how the target does what the text leaves open"]
    return []


def place(mismatch: Record, source_line: SourceLine) -> list[str]:
    """Where the expectation of a mismatch stands in its case file, with a caret; no lines where it stands nowhere."""
    at = mismatch.get("at")
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


def _diff(text: str) -> list[str]:
    lines = [cut(_clean(line), DIFF_LIMIT) for line in text.split("\n") if text]
    shown = [f"  {'diff' if number == 0 else '':<10} {line}".rstrip() for number, line in enumerate(lines)]
    return [*shown, f"  {'keep':<10} with --snapshots-update, where the change is meant"] if shown else []


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
