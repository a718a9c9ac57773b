"""Spec pages: which lines are requirements, what they say, and that no stray mark loses one."""
# ruff: noqa: E501 - tables are read by their columns

from __future__ import annotations

from pathlib import Path

import pytest
from mcp_tck.conformance import registry
from mcp_tck.conformance.model import Level, Location, Problem, Requirement
from mcp_tck.conformance.registry import Registry

PAGE = """# Tools

Prose tells why, *MCP-TOOL-1* or **MCP-TOOL-1** in a sentence is no line, and neither is **this**.

- **MCP-TOOL-1** (must, since 2025-06-18, needs tools) A result fits
  the schema <of its tool>,
    always. <server/tools output-schema>
- an item of another list
- **ARG-BOOL-4** (open, until 2025-11-25, profile documented) Other space is open. <not said>

* *emphasis*
- **MCP-STDIO-9** (should, untestable: nobody sees it from outside) Nothing leaks. <basic/transports#stdio>

```markdown
- **MCP-TOOL-1** (must) An example, not a line. <x>
```
"""


def read(text: str) -> tuple[dict[str, Requirement], list[Problem]]:
    found = Registry()
    problems = registry.read_page(text, "spec/p.md", found)
    return found.requirements, problems


def test_lines_are_read_where_they_stand():
    found, problems = read(PAGE)
    assert problems == []
    assert list(found) == ["MCP-TOOL-1", "ARG-BOOL-4", "MCP-STDIO-9"]
    assert found["MCP-TOOL-1"] == Requirement(
        id="MCP-TOOL-1",
        level=Level.MUST,
        text="A result fits the schema <of its tool>, always.",
        source="server/tools output-schema",
        at=Location("spec/p.md", 5, 5, 10),
        since="2025-06-18",
        needs="tools",
    )
    assert (found["ARG-BOOL-4"].level, found["ARG-BOOL-4"].until, found["ARG-BOOL-4"].profile) == (
        Level.OPEN, "2025-11-25", "documented",
    )  # fmt: skip
    assert found["MCP-STDIO-9"].untestable == "nobody sees it from outside"


WRONG = [
    ("no level", "- **MCP-X-1** A text. <s>", ("stray-requirement", 1, 5)),
    ("no space before the level", "- **MCP-X-1**(must) A text. <s>", ("stray-requirement", 1, 5)),
    ("colon", "- **MCP-X-1:** (must) A text. <s>", ("bad-requirement-id", 1, 5)),
    ("colon behind", "- **MCP-X-1**: (must) A text. <s>", ("stray-requirement", 1, 5)),
    ("star", "* **MCP-X-1** (must) A text. <s>", ("stray-requirement", 1, 5)),
    ("number", "1. **MCP-X-1** (must) A text. <s>", ("stray-requirement", 1, 6)),
    ("indented", "  - **MCP-X-1** (must) A text. <s>", ("stray-requirement", 1, 7)),
    ("two spaces", "-  **MCP-X-1** (must) A text. <s>", ("stray-requirement", 1, 6)),
    ("underscores", "- __MCP-X-1__ (must) A text. <s>", ("stray-requirement", 1, 5)),
    ("no list", "**MCP-X-1** (must) A text. <s>", ("stray-requirement", 1, 3)),
    (
        "parentheses in a field",
        "- **MCP-X-1** (must, untestable: so (they say)) A text. <s>",
        ("stray-requirement", 1, 5),
    ),
    ("a word in capitals", "- **NOTE** that this is one", ("stray-requirement", 1, 5)),
    ("an id without a number", "- **MCP-X** (must) A text. <s>", ("bad-requirement-id", 1, 5)),
    ("unknown level", "- **MCP-X-1** (shall) A text. <s>", ("unknown-level", 1, 16)),
    ("level in capitals", "- **MCP-X-1** (MUST) A text. <s>", ("unknown-level", 1, 16)),
    ("unknown field", "- **MCP-X-1** (must, form 2025-06-18) A text. <s>", ("unknown-field", 1, 22)),
    ("field without a value", "- **MCP-X-1** (must, since) A text. <s>", ("unknown-field", 1, 22)),
    ("field twice", "- **MCP-X-1** (must, needs a, needs b) A text. <s>", ("duplicate-field", 1, 31)),
    ("unknown revision", "- **MCP-X-1** (must, since 2025-06-19) A text. <s>", ("unknown-revision", 1, 22)),
    ("unknown profile", "- **MCP-X-1** (must, profile stories) A text. <s>", ("unknown-profile", 1, 22)),
    ("bad capability", "- **MCP-X-1** (must, needs tools and prompts) A text. <s>", ("bad-field", 1, 22)),
    ("empty window", "- **MCP-X-1** (must, since 2025-11-25, until 2024-11-05) A text. <s>", ("empty-window", 1, 16)),
    ("no source", "- **MCP-X-1** (must) A text.", ("missing-source", 1, 28)),
    ("source before the end", "- **MCP-X-1** (must) A text <s>.", ("missing-source", 1, 32)),
    ("no text", "- **MCP-X-1** (must) <s>", ("missing-text", 1, 5)),
    ("wrong on its second line", "- **MCP-X-1** (must,\n  sense 2025-06-18) A text. <s>", ("unknown-field", 2, 3)),
    ("no source on its last line", "- **MCP-X-1** (must)\n  A text", ("missing-source", 2, 8)),
]


@pytest.mark.parametrize(("text", "found"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_a_line_that_does_not_fit_is_an_error_at_its_place(text, found):
    requirements, problems = read(text + "\n\nprose\n")
    assert requirements == {}
    assert [(problem.rule, problem.at.line, problem.at.column) for problem in problems] == [found]


@pytest.mark.parametrize(
    "text",
    [
        "- **bold** words",
        "- see **MCP-X-1** (must)",
        "**MCP-X-1** says so.",
        "- **Note** (must)",
        "| **MCP-X-1** | must |",
    ],
)
def test_prose_may_speak_of_requirements(text):
    assert read(text) == ({}, [])


@pytest.mark.parametrize(
    "needs", ["tools", "resources.subscribe", "!resources", "tools|prompts", "tasks.requests.tools.call"]
)
def test_a_need_is_a_capability(needs):
    found, problems = read(f"- **MCP-X-1** (must, needs {needs}) A text. <s>")
    assert problems == []
    assert found["MCP-X-1"].needs == needs


def test_an_id_stands_once_on_all_pages(tmp_path: Path):
    spec = tmp_path / "spec"
    (spec / "mcp").mkdir(parents=True)
    (spec / "a.md").write_text("- **MCP-X-1** (must) One. <s>\n", encoding="utf-8")
    (spec / "mcp" / "b.md").write_text(
        "\n- **MCP-X-1** (must) Two. <s>\n- **MCP-X-2** (may) Three. <s>\n", encoding="utf-8"
    )
    found, problems = registry.read(spec)
    assert [str(problem) for problem in problems] == [
        "spec/mcp/b.md:2:5: duplicate-requirement: MCP-X-1 is there twice; first at spec/a.md:1:5 (numbers are never reused)"
    ]
    assert found.requirements["MCP-X-1"].text == "One."
    assert (found.page("MCP-X-1"), found.page("MCP-X-2")) == ("spec/a.md", "spec/mcp/b.md")


def test_the_bundled_pages_hold_the_grammar():
    found, problems = registry.read(Path(registry.__file__).parent.parent / "spec")
    assert problems == []
    assert found.requirements
