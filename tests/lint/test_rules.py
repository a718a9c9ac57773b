"""Each rule of lint and of the loader: a file that breaks it and nothing else, and one like it that is good.

`messages.txt` holds what is said of each bad file. `python tests/lint/test_rules.py` writes it anew.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from mcp_tck.conformance import cli, suite
from mcp_tck.conformance.linting import fixing, lint

HERE = Path(__file__).parent
FOLDERS = sorted(path for path in HERE.iterdir() if path.is_dir() and path.name != "__pycache__")
RECORD = HERE / "unknown-tool" / "catalogue.yaml"
MESSAGES = HERE / "messages.txt"
ELSEWHERE = {
    "covers-nothing": "tests/conformance/test_lint.py, since it is for bundled files",
    "duplicate-file-id": "here below, since it takes two files",
    "empty-file": "tests/conformance/test_yamlstrict.py",
    "line-break": "tests/conformance/test_yamlstrict.py",
    "not-utf-8": "tests/conformance/test_yamlstrict.py",
    "unreadable-file": "tests/conformance/test_cases.py",
}


def said(folder: Path) -> list[str]:
    requirements, _ = suite.requirements()
    found = lint.lint([folder / "bad.yaml"], requirements, RECORD)
    return [
        f"{each.rule} {each.at.line}:{each.at.column}: {each.message}" + (f" ({each.hint})" if each.hint else "")
        for each in found
    ]


def all_messages() -> str:
    return "".join(f"{line}\n" for folder in FOLDERS for line in said(folder))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_a_bad_file_breaks_the_rule_of_its_folder_alone_and_the_good_one_none(folder):
    requirements, _ = suite.requirements()
    assert [each.rule for each in lint.lint([folder / "bad.yaml"], requirements, RECORD)] == [folder.name]
    assert [str(each) for each in lint.lint([folder / "good.yaml"], requirements, RECORD)] == []


def test_what_is_said_of_the_bad_files_is_on_record():
    assert MESSAGES.read_text("utf-8") == all_messages(), "run python tests/lint/test_rules.py, and read the difference"


def test_every_rule_has_its_pair():
    assert {rule.id for rule in lint.RULES} <= {folder.name for folder in FOLDERS} | ELSEWHERE.keys()
    assert all(rule.__doc__ for rule in lint.RULES)


def test_every_rule_of_the_loader_has_its_pair():
    source = "".join(
        (suite.HOME / "casefile" / name).read_text("utf-8")
        for name in ("yamlstrict.py", "scalars.py", "checking.py", "cases.py")
    )
    ids = set(re.findall(r'"((?:[a-z]+-)+[a-z0-9]+|tab|tag|alias|anchor|directive)",\s', source))
    known = {folder.name for folder in FOLDERS} | ELSEWHERE.keys()
    assert {name for name in ids if not name.startswith("utf-")} - known == set()


def copy(folder: Path, tmp_path: Path) -> Path:
    path = tmp_path / folder.name / "bad.yaml"
    path.parent.mkdir()
    shutil.copy(folder / "bad.yaml", path)
    return path


@pytest.mark.parametrize("name", sorted(fixing.REMEDIES))
def test_a_remedy_mends_the_bad_file_or_leaves_it_as_it_is(name, tmp_path, monkeypatch, capsys):
    path = copy(HERE / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    before = path.read_text("utf-8")
    status = cli.main(["lint", "--fix", str(path)])
    if name in {"title-style", "wrong-type"}:  # these are such that only their author can put them otherwise
        assert (status, path.read_text("utf-8")) == (1, before)
    else:
        assert status == 0, capsys.readouterr().out
        assert path.read_text("utf-8") != before


def test_several_mistakes_on_one_line_are_all_mended(tmp_path, monkeypatch):
    path = tmp_path / "one.yaml"
    text = (HERE / "unquoted-boolean/bad.yaml").read_text("utf-8").replace("area: bad", "area: one")
    path.write_text(
        text.replace("{v: on}", "{v: on, w: [Off, 010], x: 2025-11-25, 12: ~}").replace("answered", "answered.")
    )
    monkeypatch.chdir(tmp_path)
    assert cli.main(["lint", "--fix", "one.yaml"]) == 0
    mended = path.read_text("utf-8")
    assert "{v: 'on', w: ['Off', '010'], x: '2025-11-25', '12': '~'}" in mended
    assert "title: a ping is answered\n" in mended


@pytest.mark.parametrize(("word", "meant"), [("yes", "true"), ("Off", "false"), ("'no'", "false"), ("TRUE", "true")])
def test_a_word_for_a_boolean_becomes_one_where_one_is_wanted(word, meant, tmp_path, monkeypatch):
    path = tmp_path / "one.yaml"
    path.write_text(
        "format: 1\narea: one\ncases:\n  - id: it\n    title: it is so\n"
        f"    steps: [{{call: {{tool: t}}, expect: {{ok: {word}}}}}]\n"
    )
    monkeypatch.chdir(tmp_path)
    assert [each.hint for each in lint.lint([path], {})] == [f"write {meant}"]
    assert cli.main(["lint", "--fix", "one.yaml"]) == 0
    assert f"expect: {{ok: {meant}}}" in path.read_text()


def test_nothing_is_mended_unasked(tmp_path, monkeypatch):
    path = copy(HERE / "unquoted-boolean", tmp_path)
    before = path.read_bytes()
    monkeypatch.chdir(tmp_path)
    assert cli.main(["lint", str(path)]) == 1
    assert path.read_bytes() == before


def test_two_files_with_the_same_ids_are_found(tmp_path):
    good = (HERE / "unknown-key/good.yaml").read_text("utf-8").replace("area: good", "area: x/one")
    for folder in ("a", "b"):
        (tmp_path / folder / "cases" / "x").mkdir(parents=True)
        (tmp_path / folder / "cases" / "x" / "one.yaml").write_text(good)
    assert [each.rule for each in lint.lint([tmp_path], {})] == ["duplicate-file-id"]


def test_a_catalogue_in_the_folder_is_used_by_itself(tmp_path):
    shutil.copytree(HERE / "unknown-tool", tmp_path / "unknown-tool")
    assert [each.rule for each in lint.lint([tmp_path / "unknown-tool"], {})] == ["unknown-tool"]
    assert lint.lint([tmp_path / "unknown-tool" / "bad.yaml"], {}) == []


def test_the_json_form_has_every_part(capsys):
    assert cli.main(["lint", "--format", "json", str(HERE / "unquoted-date/bad.yaml")]) == 1
    told = json.loads(capsys.readouterr().out)
    (problem,) = told["problems"]
    assert told["format"] == 1
    assert (problem["rule"], problem["line"], problem["column"], problem["length"]) == ("unquoted-date", 6, 45, 10)
    assert problem["file"].endswith("unquoted-date/bad.yaml")
    assert problem["hint"] == "quote it: '2025-11-25'"


def test_the_github_form_is_one_annotation_a_problem(capsys):
    assert cli.main(["lint", "--format", "github", str(HERE / "bad-regex/bad.yaml")]) == 1
    assert re.fullmatch(
        r"::error file=[^,:]*bad-regex/bad\.yaml,line=6,col=69,title=bad-regex::this is no regular .*\n",
        capsys.readouterr().out,
    )


def test_a_path_that_is_not_there_is_a_usage_error(capsys):
    assert cli.main(["lint", "no/such/path"]) == 4
    assert "no/such/path" in capsys.readouterr().err


if __name__ == "__main__":
    MESSAGES.write_text(all_messages(), encoding="utf-8")
    sys.exit()
