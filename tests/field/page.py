"""The table of the field run: reports and explanations to `spec/field.md`.

    python tests/field/page.py FOLDER

reads FOLDER/reports/ and explained.yaml, writes the page, and names every failure that nothing explains, every
explanation that explains nothing, and every known violation that no case shows; with any of them its status is 1.
It never judges: what failed is what the reports say.
"""

from __future__ import annotations

import fnmatch
import json
import sys
from pathlib import Path
from typing import Any

import yaml
from mcp_tck.conformance.report import digest

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "spec" / "field.md"
BAD = ("failed", "error")
TOP = """# The field run

What the kit says of real servers that were not written for it: pinned versions, every revision that each speaks, the
bundled cases. `tests/field/run.py FOLDER` installs and judges them, `tests/field/page.py FOLDER` writes this page from
the reports. Every failure that remains was read again, against the text and against the lines of the server; none may
stand here that nobody explained. Warnings (a *should*, or what no text decides) are counted and not listed: first the
causes, which is how many things there are to look at, then the cases that show them, each at each revision.

"""


def stem(case: str) -> str:
    """A case id without its row and its revision."""
    return case.partition("@")[0].partition("[")[0]


def bad_of(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What failed, a case each: how often, at which revisions, showing what."""
    found: dict[str, dict[str, Any]] = {}
    for case in report["cases"]:
        if case["outcome"] in BAD:
            entry = found.setdefault(stem(case["id"]), {"times": 0, "revisions": set(), "spec": {}})
            entry["times"] += 1
            entry["revisions"].add(case["revision"])
            entry["spec"].update({line["id"]: line["source"] for line in case["spec"]})
    return found


def short(revisions: set[str], spoken: list[str]) -> str:
    return "all" if revisions == set(spoken) else ", ".join(sorted(revisions))


def cell(text: str) -> str:
    return text.strip().replace("|", "\\|").replace("\n", " ")


def outcome_of(cases: list[dict[str, Any]], portrait: str | None) -> str:
    """How a violation showed: as a failure, as a warning, or as what the portrait records; empty when it did not."""
    outcomes = {case["outcome"] for case in cases}
    if portrait is not None:
        return f"recorded: {portrait}" if any(portrait in case.get("portrait", []) for case in cases) else ""
    return "failed" if outcomes & set(BAD) else "warned" if "warned" in outcomes else ""


def _unseen(entries: list[dict[str, Any]]) -> list[str]:
    rows = [f"| {cell(each['what'])} | {', '.join(each['servers'])} | {cell(each['why'])} |" for each in entries]
    return ["| known violation | server | why not |", "|---|---|---|", *rows]


def main(words: list[str]) -> int:
    if len(words) != 1:
        print(__doc__)
        return 2
    servers = yaml.safe_load((HERE / "servers.yaml").read_text("utf-8"))["servers"]
    known = yaml.safe_load((HERE / "explained.yaml").read_text("utf-8"))
    reports = {}
    for server in servers:
        path = Path(words[0], "reports", f"{server['name']}.json")
        if path.exists():
            reports[server["name"]] = json.loads(path.read_text("utf-8"))
    wrong, used = [], set()
    counts = ["| name | package | made with | revisions | passed | failed | warned |", "|---|---|---|---|---|---|---|"]
    table = ["| server | case | at | breaks | seen |", "|---|---|---|---|---|"]
    for server in servers:
        name = server["name"]
        package = (server.get("npm") or server["pip"])[-1 if "pip" in server else 0]
        if name not in reports:
            counts.append(f"| {name} | {package} | {server['made with']} | not judged yet | | | |")
            continue
        report = reports[name]
        spoken = [each["revision"] for each in report["target"]["revisions"]]
        total = report["summary"]
        warnings = f"{len(digest.findings(report['cases'], ('warned',)))} ({total['warned']})"
        tail = f"{total['passed']} | {total['failed'] + total['error']} | {warnings} |"
        counts.append(f"| {name} | {package} | {server['made with']} | {', '.join(sorted(spoken))} | {tail}")
        for case, entry in bad_of(report).items():
            why = next(
                (
                    (number, cause)
                    for number, cause in enumerate(known["causes"])
                    if name in cause["servers"] and any(fnmatch.fnmatch(case, given) for given in cause["cases"])
                ),
                None,
            )
            breaks = ", ".join(f"{key} ({source})" for key, source in sorted(entry["spec"].items()))
            if why is None:
                wrong.append(f"unexplained: {name} {case}")
                table.append(f"| {name} | `{case}` | | {cell(breaks)} | **not explained** |")
                continue
            used.add((why[0], name))
            seen = why[1]["seen"] if isinstance(why[1]["seen"], str) else why[1]["seen"].get(name, "")
            at = short(entry["revisions"], spoken)
            table.append(f"| {name} | `{case}` | {at} | {cell(breaks)} | {cell(seen)} |")
    for number, cause in enumerate(known["causes"]):
        wrong += [
            f"explains nothing: {name} {cause['cases'][0]}"
            for name in cause["servers"]
            if name in reports and (number, name) not in used
        ]
    survey = ["| known violation | server | found by | outcome |", "|---|---|---|---|"]
    for entry in known["violations"]:
        for name in entry["servers"]:
            cases = [case for case in reports.get(name, {"cases": []})["cases"] if stem(case["id"]) == entry["case"]]
            shown = outcome_of(cases, entry.get("portrait"))
            if name in reports and not shown:
                wrong.append(f"not found: {entry['what']} of {name} by {entry['case']}")
            if shown:
                survey.append(f"| {cell(entry['what'])} | {name} | `{entry['case']}` | {shown} |")
    text = TOP + "## The servers\n\n" + "\n".join(counts) + "\n\n## What failed, and why that is right\n\n"
    text += known["note"].strip() + "\n\n" + "\n".join(table) + "\n\n## Violations that were known before\n\n"
    text += known["before"].strip() + "\n\n" + "\n".join(survey) + "\n\n"
    text += "What no case shows, and why:\n\n" + "\n".join(_unseen(known["unseen"])) + "\n"
    PAGE.write_text(text, "utf-8")
    print("\n".join(wrong) or "everything is explained")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
