"""Every example of every document does what the document says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mcp_tck.conformance import standing, suite
from mcp_tck.conformance.casefile import cases, format_page, yamlstrict
from mcp_tck.conformance.casefile import format as layout
from mcp_tck.conformance.casefile.format_examples import STEPS, UNPLAYED, VALUES
from mcp_tck.conformance.matching import matching
from mcp_tck.conformance.matching.matching import Scope
from mcp_tck.conformance.model import Case, Node, Verdict
from mcp_tck.conformance.runner import Runner, Settings
from mcp_tck.conformance.targets.inprocess import InProcess
from mcp_tck.conformance.values import Value, dumps
from mcp_tck.reference.build import build
from mcp_tck.reference.protocol import respond

from .blocks import Block, blocks, commands, fits

SPEC = suite.SPEC
OURS = ("README", "outcomes", "interpreting", "writing-cases", "how-to", "steps-and-operators", "implementing-probes")
PAGES = [page for name in OURS if (page := SPEC / f"{name}.md").exists()]


def stories() -> list[tuple[Path, str | None]]:
    """The pages with a console, each as often as it has stories."""
    return [
        (page, story)
        for page in PAGES
        for story in dict.fromkeys(block.named("story") for block in blocks(page) if block.language == "console")
    ]


def missing(need: str) -> bool:
    """Whether a machine lacks what a story needs."""
    if need == "qt":
        asked = shutil.which("g++") and shutil.which("pkg-config")
        return not asked or subprocess.run(["pkg-config", "--exists", "Qt6Core"], check=False).returncode != 0
    return shutil.which(need) is None


def fragments() -> list[Block]:
    return [block for page in PAGES for block in blocks(page) if {"steps", "cases"} & set(block.words)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_is_put_to_the_test(page):
    for block in blocks(page):
        tested = block.language == "console" or block.file or {"steps", "cases"} & set(block.words)
        assert tested or block.language in {"text", "markdown"}, f"{block}: nothing is done with this block"


@pytest.mark.parametrize(("page", "story"), stories(), ids=lambda part: part.stem if isinstance(part, Path) else part)
@pytest.mark.timeout(300)
def test_what_a_page_shows_on_the_console_is_what_happens(page, story, tmp_path):
    told = [block for block in blocks(page) if block.named("story") == story]
    for need in {need for block in told if (need := block.named("needs"))}:
        if missing(need):
            pytest.skip(f"{need} is not installed")
    assert shutil.which("bash"), "the pages show a shell"
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "COLUMNS": "200", "NO_COLOR": "1"}
    for block in told:
        if block.file:
            place = tmp_path / block.file
            place.parent.mkdir(parents=True, exist_ok=True)
            before = place.read_text("utf-8") if "append" in block.words else ""
            place.write_text(before + block.text, encoding="utf-8")
        elif block.language == "console":
            shown = commands(block)
            script = "\n".join(f"{command}\n__status=$?; printf '\\n\\036'; (exit $__status)" for command, _ in shown)
            ran = subprocess.run(
                ["bash", "-c", script], cwd=tmp_path, env=environment, text=True, stdout=-1, stderr=-2, check=False
            )
            printed = ran.stdout.split("\n\036")
            for (command, wanted), got in zip(shown, printed, strict=False):
                assert fits(wanted, got), f"{block}: $ {command}\nthe page says\n{wanted}\nand there came\n{got}"


@pytest.mark.parametrize("block", fragments(), ids=str)
def test_an_example_of_cases_or_steps_passes_on_the_reference(block):
    found = load(block)
    if "unplayed" not in block.words:
        play(found)


def load(block: Block) -> list[Case]:
    if "steps" in block.words:
        body = "  - id: it\n    title: it is so\n    session: fresh\n    steps:\n" + shifted(block.text, 6)
    else:
        body = shifted(block.text, 2)
    text = f"format: 1\narea: it\ncases:\n{body}"
    found, problems = cases.loads(text.encode(), str(block), "it")
    assert [str(problem) for problem in problems] == [], text
    return found


def shifted(text: str, by: int) -> str:
    depth = min(len(line) - len(line.lstrip()) for line in text.splitlines() if line.strip())
    return "".join(" " * by + line[depth:] + "\n" if line.strip() else "\n" for line in text.splitlines())


def play(found: list[Case]) -> None:
    requirements, _ = suite.requirements()
    runner = Runner(lambda: InProcess(respond(build(probe=True))), Settings(), requirements)
    try:
        facts = runner.discover("2025-11-25")
        for case in found:
            outcome = runner.run(case, facts)
            said = "\n".join(f"{each.pointer} {each.expected}, got {each.actual}" for each in outcome.mismatches)
            assert outcome.verdict is Verdict.PASSED, f"{case.id} {outcome.verdict}: {outcome.reason} {said}"
    finally:
        runner.close()


def test_the_page_of_steps_and_operators_is_current():
    assert format_page.FILE.read_text("utf-8") == format_page.text(), (
        "run python -m mcp_tck.conformance.casefile.format_page"
    )


def test_every_step_has_an_example():
    assert STEPS.keys() == layout.STEPS.keys()


@pytest.mark.parametrize("kind", [kind for kind in STEPS if kind not in UNPLAYED])
def test_the_example_of_a_step_passes_on_the_reference(kind):
    play(load(Block(f"the example of {kind}", 1, "yaml", ("steps",), STEPS[kind])))


@pytest.mark.parametrize("name", sorted(UNPLAYED))
def test_the_example_of_a_step_that_the_reference_cannot_play_loads(name):
    assert load(Block(f"the example of {name}", 1, "yaml", ("steps",), STEPS[name]))


@pytest.mark.parametrize("name", VALUES)
def test_values_match_an_operator_as_its_example_says(name):
    expectation = node(layout.OPERATORS[name].example)
    matching_values, other_values = VALUES[name]
    for value in matching_values:
        assert matching.match(expectation, value, Scope()) == [], dumps(value)
    for value in other_values:
        assert matching.match(expectation, value, Scope()) != [], dumps(value)


def node(value: Value) -> Node:
    found, problems = yamlstrict.parse(dumps(value), "example")
    assert found is not None
    assert problems == []
    return found


def test_every_link_between_the_pages_leads_somewhere():
    for page in SPEC.rglob("*.md"):
        text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if "://" in target:
                continue
            path, _, anchor = target.partition("#")
            other = (page.parent / path).resolve() if path else page
            assert other.exists(), f"{page.relative_to(SPEC)} links to {target}"
            if anchor and other.suffix == ".md":
                assert anchor in anchors(other), f"{page.relative_to(SPEC)} links to {target}"


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_standing_check_is_explained():
    told = set(re.findall(r"^\| `(session/[a-z-]+)` \|", (SPEC / "outcomes.md").read_text("utf-8"), flags=re.MULTILINE))
    assert told == {f"session/{check}" for check in standing.CHECKS}


def test_every_page_is_named_by_the_first_one():
    named = set(re.findall(r"\]\(([^)#\s]+)\)", (SPEC / "README.md").read_text("utf-8")))
    pages = {page.relative_to(SPEC).as_posix() for page in SPEC.rglob("*.md")} - {"README.md"}
    assert pages - named == set()
