"""Properties on the reference, right and wrong: what they find, how small, and that the case they print shows it."""

from __future__ import annotations

import shlex
import sys

import pytest
from mcp_tck.conformance import suite
from mcp_tck.conformance.casefile import cases
from mcp_tck.conformance.model import Verdict
from mcp_tck.conformance.proof import killing
from mcp_tck.conformance.properties import listing, oracle, search, spelling
from mcp_tck.conformance.runner import Runner, Settings
from mcp_tck.conformance.targets.inprocess import InProcess
from mcp_tck.conformance.values import ABSENT, Number

pytest_plugins = ["pytester"]

PORT = killing.port()
REQUIREMENTS, _ = suite.requirements()
REFERENCE = f"{shlex.quote(sys.executable)} -m mcp_tck.reference --probe"
IDS = sorted(listing.ids())


class Bench:
    """A runner on the reference with some faults in it; `starts` counts its processes."""

    def __init__(self, *faults, launch=None, **settings):
        self.starts = 0
        chosen = [PORT.faults[name] for name in faults]

        def start():
            self.starts += 1
            return InProcess(PORT.make(chosen).handler)

        players = dict.fromkeys(listing.ids(), listing.play)
        self.runner = Runner(launch or start, Settings(timeout=0.1, **settings), REQUIREMENTS, made=players)
        self.facts = self.runner.discover("2025-11-25")

    def play(self, identity):
        return self.runner.run(listing.PROPERTIES[f"properties/{identity}"].case, self.facts)

    def run_text(self, text):
        """The outcomes of the cases in a text."""
        found, problems = cases.loads(text.encode(), "found.yaml", "found")
        assert problems == []
        return [self.runner.run(case, self.facts) for case in found]


@pytest.fixture(autouse=True)
def no_home(tmp_path, monkeypatch):
    """Whatever is written into the folder of the user would be written here."""
    monkeypatch.chdir(tmp_path)
    yield
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".hypothesis")] == []


# -- on a right target


@pytest.mark.parametrize("identity", IDS)
def test_every_property_holds_of_the_reference(identity):
    outcome = Bench().play(identity.removeprefix("properties/"))
    assert (outcome.verdict, outcome.found) == (Verdict.PASSED, "")


@pytest.mark.parametrize("reset", [True, False])
def test_examples_of_a_reader_share_the_session_and_sequences_have_one_of_their_own(reset):
    bench = Bench(reset=reset)
    bench.play("readers::bool")
    assert bench.starts == 1
    bench.play("registry::sequence")
    assert bench.starts == 2


def test_sequences_share_the_process_that_is_reset():
    for reset, starts in ((True, 2), (False, 3)):
        bench = Bench(reset=reset)
        for identity in ("registry::sequence", "hook::sequence"):
            assert bench.play(identity).verdict is Verdict.PASSED
        assert bench.starts == starts


def test_a_reset_that_leaves_tools_behind_is_blamed_and_not_the_registry():
    bench = Bench("probe-reset-keeps-tools")
    outcome = bench.play("registry::sequence")
    assert (outcome.verdict, outcome.requirements) == (Verdict.FAILED, ("PROBE-17",))
    assert outcome.reason.startswith("only after tck_reset")
    assert outcome.found == ""  # alone, such a case passes
    assert bench.play("registry::sequence").verdict is Verdict.PASSED


def test_a_reset_that_keeps_the_hook_troubles_no_sequence_which_clears_its_own():
    assert Bench("probe-reset-keeps-hook").play("hook::sequence").verdict is Verdict.PASSED


def test_isolated_examples_share_a_process_of_their_property():
    bench = Bench(isolate=True)
    bench.play("readers::bool")
    assert bench.starts == 2


def test_another_seed_makes_other_examples_and_the_same_seed_the_same(monkeypatch):
    def examples(seed):
        bench = Bench(seed=seed)
        lines = []
        target = bench.runner.processes.kept["2025-11-25", "shared"].target
        handle = target._handle
        target._handle = lambda line: lines.append(line) or handle(line)
        bench.play("readers::string")
        return lines

    first = examples(0)
    assert len(first) > 50
    assert examples(0) == first
    assert examples(1) != first


# -- on a wrong one


@pytest.mark.parametrize(
    ("fault", "identity", "covers", "text"),
    [
        ("bool-default-false", "readers::bool", "ARG-BOOL-4", '{v: "true"}'),
        ("int-fraction-is-zero", "readers::int", "ARG-INT-3", "{v: 0."),
        ("string-drops-scalars", "readers::string", "ARG-STR-4", "{v: 0}"),
        ("set-flattens", "readers::string-set", "ARG-SET-4", "[["),
        ("value-trimmed", "readers::string-value", "ARG-VAL-1", '" "'),
        ("again-appends", "registry::sequence", "SRV-REG-3", "name: tck_zeta"),
        ("hook-adds-up", "hook::sequence", "SRV-HOOK-6", "label: "),
        ("id-as-string", "wire::requests", "MCP-BASE-002", "id: 0"),
        ("refuses-notifications", "wire::requests", "MCP-BASE-010", "notify"),
        ("reads-in-order-only", "wire::white-space", "MCP-STDIO-013", "send_line"),
    ],
)
def test_a_fault_is_found_and_told_as_a_small_case_that_shows_it_again(fault, identity, covers, text):
    bench = Bench(fault)
    outcome = bench.play(identity)
    assert outcome.verdict in {Verdict.FAILED, Verdict.WARNED}
    assert outcome.reason == ""
    assert covers in outcome.requirements
    assert outcome.mismatches
    assert text in outcome.found
    assert len(outcome.found.splitlines()) < 60
    (again,) = Bench(fault).run_text(outcome.found)
    assert [(each.pointer, each.expected) for each in again.mismatches] == [
        (each.pointer, each.expected) for each in outcome.mismatches
    ]
    (right,) = Bench().run_text(outcome.found)
    assert right.verdict is Verdict.PASSED


def test_what_fails_only_after_other_examples_is_told_as_that():
    outcome = Bench("every-seventh-lost").play("wire::requests")
    assert outcome.verdict is Verdict.FAILED
    assert outcome.reason.startswith("only after other examples: alone, on a fresh process, this one passes")
    assert outcome.found == ""


def test_a_target_that_answers_otherwise_each_time_is_told_of_without_a_word_of_hypothesis():
    answers = iter(range(10**6))

    def launch():
        handler = PORT.make([]).handler
        return InProcess(lambda line: None if "tck_read" in line and next(answers) % 11 == 10 else handler(line))

    outcome = Bench(launch=launch).play("readers::int")
    assert outcome.verdict is Verdict.FAILED
    assert "laky" not in outcome.reason


def test_a_target_that_dies_of_an_example_is_told_of_by_a_small_one():
    def launch():
        handler = PORT.make([]).handler

        def handle(line):
            if '"tck_read"' in line and '""' in line.partition('"args"')[2]:
                raise RuntimeError("out of luck")
            return handler(line)

        return InProcess(handle)

    outcome = Bench(launch=launch).play("readers::string-value")
    assert outcome.verdict is Verdict.FAILED
    assert "exited with status 1" in outcome.mismatches[0].actual
    assert "out of luck" in outcome.stderr
    assert '{v: ""}' in outcome.found


def test_the_tries_are_bounded(monkeypatch):
    monkeypatch.setattr(search, "SMALLER", {True: 3, False: 3})
    bench = Bench("hook-never")
    outcome = bench.play("hook::sequence")
    assert outcome.verdict is Verdict.FAILED
    assert bench.starts < 10


def test_what_breaks_the_kit_while_an_example_is_played_is_no_answer_of_the_target(monkeypatch):
    class Broken(BaseException):
        pass

    def attempt(*_, **__):
        raise Broken

    bench = Bench()
    monkeypatch.setattr(bench.runner, "attempt", attempt)
    with pytest.raises(Broken):
        bench.play("readers::bool")


# -- gating


@pytest.mark.parametrize("identity", [name for name in IDS if "wire" not in name])
def test_a_target_without_probes_is_judged_on_its_wire_only(identity):
    from mcp_tck.reference.build import build

    bench = Bench(launch=lambda: InProcess(build().handle_line))
    outcome = bench.play(identity.removeprefix("properties/"))
    assert outcome.verdict is Verdict.NOT_APPLICABLE
    assert "does not claim the profile documented" in outcome.reason


def test_every_requirement_that_a_property_names_is_on_a_page():
    assert {name for case in listing.cases() for name in case.covers} <= REQUIREMENTS.keys()


# -- the oracle


@pytest.mark.parametrize(
    ("reader", "value", "reading"),
    [
        ("bool", ABSENT, None),
        ("bool", " oFF\n", False),
        ("bool", "\u00a0true", {"$one_of": [True, None]}),
        ("bool", "tr ue", None),
        ("bool", Number("-0.0"), False),
        ("bool", Number("1e-9"), True),
        ("bool", [True], None),
        ("int", Number("15E+2"), Number("1500")),
        ("int", Number("2.5"), None),
        ("int", Number("2147483648"), {"$one_of": [Number("2147483648"), None]}),
        ("int", "-3", Number("-3")),
        ("int", "007", {"$one_of": [Number("7"), None]}),
        ("int", "1,000", {"$one_of": [Number("1000"), None]}),
        ("int", "0x10", {"$one_of": [Number("16"), None]}),
        ("int", "\u2212\u0663", {"$one_of": [Number("-3"), None]}),
        ("int", "2,5", None),
        ("int", "12px", None),
        ("int", True, None),
        ("string", "\u00a0x ", {"$one_of": ["\u00a0x", "x"]}),
        ("string", Number("2.5"), "2.5"),
        ("string", True, "true"),
        ("string", [], ""),
        ("string_set", [Number("1"), "1", None, " a ", ["b"], ""], {"$unordered": ["1", "a"]}),
        ("string_set", "a", []),
        ("string_value", " x\n", " x\n"),
    ],
)
def test_the_oracle_takes_every_harmless_answer_and_no_other(reader, value, reading):
    assert oracle.said(reader, value).reading == reading


@pytest.mark.parametrize(
    ("number", "texts", "others"),
    [
        ("2024.0", ["2024", "2024.0", "2.024e3", "2.024E+03"], ["2024.5", "202", "20240"]),
        ("1e21", ["1e21", "1E+21", "1" + "0" * 21, "1.0e21"], ["1e22", "1"]),
        ("0.0000001", ["1e-7", "1E-07", "0.0000001"], ["0", "1e7"]),
        ("-0", ["0", "-0", "0.0"], ["1", ""]),
        ("9007199254740993", ["9007199254740993", "9007199254740992", "9.007199254740992e+15"], ["9007199254740994"]),
    ],
)
def test_a_number_whose_spelling_is_open_reads_as_any_text_of_it(number, texts, others):
    import re

    pattern = spelling.number_pattern(Number(number))
    assert [text for text in texts if not re.search(pattern, text)] == []
    assert [text for text in others if re.search(pattern, text)] == []


# -- as a user runs them


def test_a_found_case_file_is_printed_to_be_copied_and_shows_the_fault_again(user):
    target = f"{REFERENCE} --fault int-cuts"
    result = user.run("--tck-case=properties/readers::int", target=target, paths=("--pyargs", "mcp_tck.conformance"))
    assert result.ret == 1
    lines = result.outlines
    first, last = (place for place, line in enumerate(lines) if line.startswith("# ---"))
    user.file("found.yaml", "\n".join(lines[first + 1 : last]) + "\n")
    assert lines[first - 1].startswith("  found      mcp-tck run found.yaml -- ")
    assert user.run(target=target, paths=("found.yaml",)).ret == 1
    assert user.run(target=REFERENCE, paths=("found.yaml",)).ret == 0
    assert not (user.path / ".hypothesis").exists()


def test_a_seed_is_a_number(user):
    result = user.pytest("cases", f"--target={user.right}", "--tck-seed=x")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--tck-seed x: a whole number from 0 on is needed*"])
