"""The cuts of the machine: who may import whom, who may use subprocess and pytest, and what a sleeping plugin loads."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import mcp_tck.conformance.plugin
import pytest

HOME = Path(mcp_tck.conformance.plugin.__file__).parent

# Lowest first; a module imports from the rows above its own, and from its own row. What is not named here is held to
# having no circle alone.
LAYERS = (
    ("values", "targets.target"),
    ("words", "protocol.eras", "model", "targets.process", "targets.inprocess", "casefile.scalars", "casefile.shapes"),
    ("casefile.format", "protocol.wire", "casefile.yamlstrict", "matching.templates", "outcomes", "protocol.compiled"),
    ("casefile.checking", "protocol.owed", "registry", "config", "protocol.schemas"),
    ("casefile.cases", "protocol.conversation", "matching.matching"),
    ("session", "standing", "suite"),
    ("opening", "linting.lint"),
    ("gating", "driving", "calling"),
    ("safety.allowed",),
    ("safety.schema_values", "safety.plan", "safety.comparing", "safety.danger", "safety.odd"),
    ("safety.bench",),
    ("safety.differential", "safety.gate", "safety.hints"),
    ("safety.errors", "safety.boundaries", "safety.fidelity", "safety.generated"),
    ("safety.made",),
    ("runner",),
    ("kit",),
    ("run",),
    ("optionlist", "options", "items", "interpreter"),
    ("plugin", "cli"),
)
PYTEST_COLUMN = {"plugin", "optionlist", "options", "items", "interpreter"}
NO_FOLDERS = {"spec", "fixtures", "reference"}


def modules():
    return {
        ".".join(path.relative_to(HOME).with_suffix("").parts): path
        for path in sorted(HOME.rglob("*.py"))
        if path.name != "__init__.py"
    }


def statements(tree):
    """Every import statement that runs, and whether it runs on import; those for type checkers alone do not."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        yield from statements(node)


def imports(name, path):
    """The modules of this package, and the others, that a module imports."""
    inner, outer = set(), set()
    package = name.split(".")[:-1]
    known = modules()
    for node in statements(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            outer.update(alias.name.split(".")[0] for alias in node.names)
        elif node.level == 0:
            outer.add(str(node.module).split(".")[0])
        else:
            base = package[: len(package) - node.level + 1]
            assert node.level <= len(package) + 1, f"{name} imports from outside of its package"
            for alias in node.names:
                module = ".".join([*base, *(node.module or "").split(".")]).strip(".")
                named = ".".join([module, alias.name]).strip(".")
                inner.add(named if named in known else module)
    return inner, outer


GRAPH = {name: imports(name, path) for name, path in modules().items()}
RANK = {name: rank for rank, row in enumerate(LAYERS) for name in row}


def test_every_module_of_the_table_exists():
    assert set(RANK) <= set(GRAPH)


@pytest.mark.parametrize("name", sorted(RANK))
def test_no_module_imports_upward(name):
    upward = {other for other in GRAPH[name][0] if RANK.get(other, -1) > RANK[name]}
    assert upward == set()


def test_modules_import_in_no_circle_while_they_are_loaded():
    loaded = {}
    for name, path in modules().items():
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                node.body = [ast.Pass()]
        loaded[name] = imports_of_tree(name, tree)
    done, under_way = set(), []

    def visit(name):
        if name in done or name not in loaded:
            return
        assert name not in under_way, " -> ".join([*under_way, name])
        under_way.append(name)
        for other in sorted(loaded[name]):
            visit(other)
        done.add(under_way.pop())

    for name in loaded:
        visit(name)


def imports_of_tree(name, tree):
    found = set()
    package = name.split(".")[:-1]
    for node in statements(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            module = ".".join([*package[: len(package) - node.level + 1], *(node.module or "").split(".")]).strip(".")
            found.update(
                each if (each := f"{module}.{alias.name}".strip(".")) in modules() else module for alias in node.names
            )
    return found - {name}


@pytest.mark.parametrize(("module", "may"), [("subprocess", {"targets.process"}), ("pytest", PYTEST_COLUMN | {"cli"})])
def test_what_is_heavy_or_depends_on_the_platform_has_one_place(module, may):
    assert {name for name, (_, outer) in GRAPH.items() if module in outer} <= may


@pytest.mark.parametrize("folder", ["conformance", "reference", "tests"])
def test_no_file_is_longer_than_can_be_read_at_once(folder):
    files = (HOME.parent / folder).rglob("*.py")
    lengths = {path.name: len(path.read_text("utf-8").splitlines()) for path in files}
    assert {name: length for name, length in lengths.items() if length > 500} == {}


def test_no_sdk_is_in_the_path_and_no_other_folder_of_ours():
    assert {name for name, (_, outer) in GRAPH.items() if {"mcp", "fastmcp", "anyio", "pydantic"} & outer} == set()


@pytest.mark.parametrize(
    "name",
    [
        "session",
        "protocol.conversation",
        "opening",
        "matching.matching",
        "protocol.wire",
        "protocol.owed",
        "casefile.cases",
        "gating",
    ],
)
def test_the_judges_know_no_clock_thread_or_file(name):
    assert not {"time", "threading", "asyncio", "socket", "select", "selectors", "os", "io"} & GRAPH[name][1]


def loaded(code, folder, *heavy):
    """What Python prints as the status of some code, and the modules that it has loaded by then, by how they begin."""
    told = f"import sys\n{code}\nprint(int(status), sorted(n for n in sys.modules if n.startswith({heavy!r})))\n"
    command = [sys.executable, "-c", told]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.splitlines()[-1]


def test_a_sleeping_plugin_loads_nothing_of_the_kit(tmp_path):
    (tmp_path / "test_something.py").write_text("def test_it(): pass\n")
    code = "import pytest\nstatus = pytest.main(['-q', '-p', 'no:cacheprovider', '.'])"
    assert loaded(code, tmp_path, "mcp_tck", "yaml", "jsonschema") == (
        "0 ['mcp_tck', 'mcp_tck.conformance', 'mcp_tck.conformance.optionlist', 'mcp_tck.conformance.plugin']"
    )


def test_a_run_that_asks_for_nothing_special_loads_neither_the_safety_profile_nor_the_heavy_libraries(tmp_path):
    code = (
        "from mcp_tck.conformance import cli\n"
        "words = ['run', '-q', '--case', 'mcp/tools/schemas::valid-input', '--']\n"
        "status = cli.main([*words, sys.executable, '-m', 'mcp_tck.reference'])"
    )
    found = loaded(code, tmp_path, "mcp_tck.conformance.safety.", "hypothesis", "jsonschema")
    assert found == "0 ['mcp_tck.conformance.safety.allowed']"
