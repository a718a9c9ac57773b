"""The texts of all writers, pinned; and what no text may do, whatever the target wrote."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
from mcp_tck.conformance import matrix, report
from mcp_tck.conformance.report import badge, github, html, markdown, terminal, writers
from mcp_tck.conformance.report.again import Again
from mcp_tck.conformance.report.secrets import Secrets

SCHEMA = json.loads(Path(report.__file__).with_name("report.schema.json").read_text("utf-8"))


def closing(material, **more):
    return "\n".join(terminal.closing(material.document["cases"], material.document["target"], material.again, **more))


@pytest.mark.parametrize("verbosity", [-2, -1, 0, 1])
def test_the_end_of_a_run(records, material, snapshot, verbosity):
    assert closing(material(records), verbosity=verbosity) == snapshot


def test_warnings_with_one_cause_are_counted_by_causes(material, make):
    told = [make.mismatch("none after a malformed line: the target exited with status 1", "a reply to ping", "")]
    found = [make.record(f"say::rows[{row}]", "warned", level="should", mismatches=told) for row in "abc"]
    assert "3 warnings have 1 cause:\n  3 x expected a reply to ping, got none after" in closing(material(found))


@pytest.mark.parametrize("verbosity", [-2, -1, 0, 1])
def test_a_quiet_run_says_how_its_warnings_are_seen(records, material, make, verbosity):
    hint = "warnings are told one by one without -q"
    assert (hint in closing(material(records), verbosity=verbosity)) == (verbosity < 0)
    assert hint not in closing(material([make.record("say::hello", "passed")]), verbosity=verbosity)


def test_revisions_that_were_not_judged_are_named(records, material):
    assert "also speaks" not in closing(material(records))
    shown = closing(material(records), also=("2025-11-25",))
    assert "\nalso speaks 2025-11-25: --revision all judges it there too\n" in shown


def test_the_end_of_a_run_on_a_narrow_terminal(records, material, snapshot):
    assert closing(material(records), width=60) == snapshot


def test_the_end_of_a_run_in_which_all_is_well(material, make, snapshot):
    assert (
        closing(material([make.record("say::hello", "passed"), make.record("session/framing", "passed")])) == snapshot
    )


def test_the_blocks_of_each_cause(records, material, snapshot):
    given = material(records)
    told = terminal.notes(records, ("error", "failed", "warned", "expected"), given.again, given.source_line)
    assert "\n\n".join(told) == snapshot
    assert "\x1b" not in "".join(told)


def test_the_markdown_report(records, material, snapshot):
    assert writers.write(".md", material(records)) == snapshot


def test_the_page(records, material, snapshot):
    page = writers.write(".html", material(records))
    assert page[page.index("<body>") : page.index("<script>")] == snapshot


def test_the_page_tells_rows_that_came_out_alike_once(make):
    given = [make.record(f"say::rows[{row}]", "passed", duration=0.25) for row in ("a", "b", "c")]
    given += [make.record("say::rows[d]", "warned"), make.record("say::rows[e]", "passed", portrait=["in capitals"])]
    given += [make.record("say::alone", "passed"), make.record("say::rows[a]@2025-06-18", "passed")]
    found = html.rows(given, {"say::rows[d]": 7})
    assert [(each.id, each.rows, each.told) for each in found] == [
        ("say::rows", ["[a]", "[b]", "[c]"], None),
        ("say::rows", ["[d]"], 7),
        ("say::rows", ["[e]"], None),
        ("say::alone", [], None),
        ("say::rows@2025-06-18", ["[a]"], None),
    ]
    assert found[0].duration == 0.75
    assert sum(each.count for each in found) == len(given)


def test_the_page_of_a_clean_run_costs_less_than_a_hundred_bytes_a_row(make, material):
    def size(rows):
        given = [make.record(f"say::rows[{number}]", "passed") for number in range(rows)]
        return len(writers.write(".html", material(given)))

    assert (size(400) - size(200)) / 200 < 100


def test_the_badge(records, material, snapshot):
    assert writers.write(".svg", material(records)) == snapshot


@pytest.mark.parametrize(
    ("outcomes", "says"),
    [
        (["passed", "passed"], ("2 of 2 pass", "good")),
        (["passed", "warned"], ("1 of 2 pass", "some")),
        (["passed", "expected"], ("1 of 2 pass", "some")),
        (["passed", "failed"], ("1 of 2 failing", "bad")),
        (["error"], ("1 of 1 failing", "bad")),
        (["not_applicable"], ("nothing shown", "none")),
        ([], ("nothing shown", "none")),
    ],
)
def test_a_badge_is_green_for_what_was_shown_only(make, outcomes, says):
    assert badge.message([make.record(f"say::{n}", outcome) for n, outcome in enumerate(outcomes)]) == says


def test_the_json_report_keeps_to_its_schema(records, material):
    given = material(records)
    jsonschema.validate(json.loads(writers.write(".json", given)), SCHEMA)


# -- size, and what the target wrote


def test_a_long_markdown_report_stays_under_the_limit_and_loses_no_cause_without_saying_so(material, make):
    line = {"t": 0.0, "dir": "<", "line": "é" * 5000}
    found = [
        make.record(
            f"say::c{'x' * n}",
            "failed",
            mismatches=[make.mismatch("null", pointer="/" + "a" * n)],
            transcript=[line] * 30,
        )
        for n in range(400)
    ]
    text = markdown.write(material(found))
    assert len(text.encode()) <= markdown.LIMIT
    told = text.count("**FAILED**")
    left = int(re.search(r"(\d+) further cases do not fit", text)[1])
    assert told + left == 400
    assert "<details>" in text
    assert text.count("<details>") == text.count("</details>")
    assert text.count("```") % 2 == 0


@pytest.mark.parametrize(
    "text", ["```\n# x", "`a", "<script>alert(1)</script>", "a | b\n\nc", "</details>", "@org/team"]
)
def test_a_text_of_the_target_is_never_markdown(material, make, text):
    talk = [{"t": 0.0, "dir": "<", "line": text}]
    found = [make.record("say::loud", "failed", mismatches=[make.mismatch(text)], transcript=talk, stderr=text)]
    shown = markdown.write(material(found))
    outside = re.sub(r"^(`{3,})text\n.*?^\1$", "", shown, flags=re.DOTALL | re.MULTILINE)
    assert "<script>" not in outside.replace(r"\<script\>", "")
    assert outside.count("<details>") == outside.replace(r"\</details\>", "").count("</details>")
    assert "@org" not in outside


def test_a_text_of_the_target_is_never_html(material, make):
    text = "</code></script><script>alert(1)</script><img src=x onerror=alert(1)>"
    talk = [{"t": 0.0, "dir": "<", "line": text}]
    found = [
        make.record("say::loud", "failed", title=text, mismatches=[make.mismatch(text)], transcript=talk, stderr=text),
        make.record("say::left", "not_exercised", reason=text),
    ]
    page = writers.write(".html", material(found, server={"name": text}, command=[text]))
    assert page.count("<script>") == 1
    assert "<img" not in page


def test_the_page_asks_nothing_of_the_network(records, material):
    page = writers.write(".html", material(records))
    assert not re.findall(r"""(?:src|srcset|action|data)=["']?(?!-)""", page.replace("data-", ""))
    assert "@import" not in page
    assert "url(" not in page
    assert "default-src 'none'" in page


def test_a_value_of_the_environment_is_shown_by_its_name(make):
    hidden = Secrets({"API_KEY": "sk-12345678", "MODE": "dev", "LONGER": "sk-12345678-more"}).hide(
        make.record(
            "a::b", "failed", stderr="key sk-12345678, sk-12345678-more dev", mismatches=[make.mismatch("sk-12345678")]
        )
    )
    assert hidden["stderr"] == "key $API_KEY, $LONGER dev"
    assert hidden["mismatches"][0]["actual"] == "$API_KEY"


# -- the command that runs it again


@pytest.mark.parametrize(
    ("identity", "more", "line"),
    [
        ("say::hello", {}, "mcp-tck run --strict --case say::hello -- ./s -x"),
        ("say::rows[a b]", {}, "mcp-tck run --strict --case 'say::rows[a b]' -- ./s -x"),
        ("say::hello@2025-06-18", {}, "mcp-tck run --strict --revision 2025-11-25 --case say::hello -- ./s -x"),
        ("session/framing", {"history": ["session/opening", "a::b"]}, "mcp-tck run --strict --case a::b -- ./s -x"),
        ("session/framing", {}, "mcp-tck run --strict -- ./s -x"),
        ("a::b", {"baseline": {"was": "passed"}}, "mcp-tck run --strict --baseline k.yaml --case a::b -- ./s -x"),
        ("baseline::A-1", {"baseline": {"was": "passed"}}, "mcp-tck run --strict --baseline k.yaml -- ./s -x"),
    ],
)
def test_the_line_that_runs_a_case_again(make, identity, more, line):
    assert Again(("./s", "-x"), ("--strict",), "k.yaml").of(make.record(identity, "failed", **more)) == line


def test_a_run_at_all_revisions_is_repeated_at_the_one_that_failed(make):
    again = Again(("./s",), ("--revision", "all", "--strict"))
    line = again.of(make.record("say::hello@2025-06-18", "failed", revision="2025-06-18"))
    assert line == "mcp-tck run --strict --revision 2025-06-18 --case say::hello -- ./s"


def test_only_the_folder_that_holds_the_case_is_named_again(make):
    again = Again(("./s",), paths=(("tests", "tests"), ("./cases", "cases")))
    assert again.of(make.record("say::hello", "failed")) == "mcp-tck run ./cases --case say::hello -- ./s"
    bundled = make.record("mcp/ping/replies::a", "failed", file="fixtures/mcp/ping/replies.yaml")
    assert again.of(bundled) == "mcp-tck run --case mcp/ping/replies::a -- ./s"


def test_a_folder_that_was_named_as_here_is_named_so_again(make):
    again = Again(("./s",), paths=((".", "."),))
    assert again.of(make.record("say::hello", "failed")) == "mcp-tck run . --case say::hello -- ./s"
    bundled = make.record("mcp/ping/replies::a", "failed", file="fixtures/mcp/ping/nowhere.yaml")
    assert again.of(bundled) == "mcp-tck run --case mcp/ping/replies::a -- ./s"


def test_what_fails_only_after_others_is_run_after_them(make):
    again = Again(("./s",), paths=(("a", "a"), ("cases", "cases")))
    company = {
        "reason": "only after other cases: alone it passes",
        "history": ["session/opening", "x::a", "x::b", "x::a"],
    }
    failed = make.record("say::hello", "failed", **company)
    assert again.of(failed) == "mcp-tck run a cases --case x::a --case x::b --case say::hello -- ./s"
    many = {**failed, "history": [f"x::{n}" for n in range(30)]}
    assert again.of(many) == "mcp-tck run a cases -- ./s"
    assert "session: fresh" in again.hint(failed)
    assert "session: fresh" in terminal.block(failed, again, lambda *_: None)
    assert again.hint({**failed, "file": "fixtures/a/b.yaml"}) == ""
    assert again.hint(make.record("say::hello", "failed")) == ""


# -- GitHub


def test_a_note_stands_at_the_case_in_the_repository(records, material, tmp_path, snapshot):
    given = material(records)
    lines = github.commands(records, given.again, {"cases/say.yaml": tmp_path / "cases/say.yaml"}.get, tmp_path)
    assert "\n".join(lines) == snapshot
    assert not [
        line for line in lines if not re.match(r"::(error|warning) (file=[^:,]+,line=\d+,)?title=[^:,]+::[^\n]*$", line)
    ]


def test_a_target_cannot_write_a_command(make):
    found = [make.record("a::b", "failed", mismatches=[make.mismatch("x\n::add-mask::y\r%0A")])]
    (line,) = github.commands(found, Again(("s",)), lambda _: None, None)
    assert "\n" not in line
    assert "x%0A::add-mask::y%0D%250A" in line


def test_one_kind_of_note_is_told_ten_times_at_most(make):
    found = [
        make.record(f"a::{n}", "failed", mismatches=[make.mismatch("x", pointer="/" + "p" * n)]) for n in range(30)
    ]
    assert len(github.commands(found, Again(("s",)), lambda _: None, None)) == 10


# -- matrix


@pytest.fixture
def side_by_side(make, material):
    def document(name, version, *found):
        return f"{name}.json", material(list(found), server={"name": name, "version": version}).document

    both = {"requirements": ["MCP-BASE-002", "MCP-BASE-005"]}
    return [
        document("old", "1", make.record("a::b", "passed"), make.record("a::c", "failed", **both)),
        document("new", "2", make.record("a::b", "passed"), make.record("a::c", "passed", **both)),
        document("new", "2", make.record("a::b", "passed", revision="2025-06-18"), make.record("a::c", "warned")),
    ]


@pytest.mark.parametrize("everything", [False, True])
def test_the_matrix_as_text(side_by_side, snapshot, everything):
    assert matrix.text(matrix.build(side_by_side, everything=everything)) == snapshot


def test_a_matrix_leaves_out_what_is_well_everywhere(side_by_side):
    built = matrix.build(side_by_side[1:2], everything=False)
    assert not built.rows
    assert built.left_out == 2
