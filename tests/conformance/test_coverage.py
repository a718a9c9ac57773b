"""What the proof of the cases calls a hole."""

import json
from dataclasses import dataclass

import pytest
from mcp_tck.conformance import cli
from mcp_tck.conformance.model import Case, Level, Location, Requirement
from mcp_tck.conformance.proof import coverage, coverage_page, killing
from mcp_tck.conformance.proof.killing import Cases, Port, Shown

HERE = Location("spec/page.md", 1, 1)


@dataclass
class Fault:
    name: str = "wrong"
    breaks: tuple = ("A-1",)
    what: str = "is wrong"
    also: tuple = ()
    why: str = ""
    revision: str | None = None
    features: bool = False
    bare: bool = False
    needs_process: bool = False


def requirement(name, level=Level.MUST, untestable=None):
    return Requirement(name, level, "It is so.", "", HERE, untestable=untestable)


def case(name, *covers, **more):
    return Case(f"area/{name}", "f", HERE, "it is so", "area", covers, (), **more)


def table(*, fault=None, variant=None, red=None, played=1, errors=(), cases=None, requirements=None):
    """The judged table of one fault, or one variant, that turned some cases red."""
    fault = fault or Fault()
    known = Cases(
        {each.id: each for each in requirements or [requirement("A-1"), requirement("B-1", Level.SHOULD)]},
        cases or [case("one", "A-1"), case("two", "B-1")],
        frozenset(),
    )
    port = Port({} if variant else {fault.name: fault}, {variant.name: variant} if variant else {}, {}, None)
    name = (variant or fault).name
    return coverage.judge(known, port, {name: Shown(name, red or {}, played, {}, errors)})


def told(found):
    return [str(hole) for hole in found.holes]


def test_a_fault_that_turns_its_case_red_leaves_no_hole():
    found = table(red={"area/one": ("A-1",)})
    assert found.ok
    assert found.rows["A-1"].faults == {"wrong": ["area/one"]}


def test_a_fault_that_turns_nothing_red_survives():
    assert "fault wrong: survives: no case of A-1 turns red" in told(table())[0]


def test_a_fault_that_is_caught_only_by_cases_of_others_is_not_caught():
    found = table(red={"area/two": ("B-1",)}, fault=Fault(also=("B-",)))
    assert told(found) == [
        "fault wrong: no case of A-1 turns red, but others do: area/two (write a case, or mend the ids)"
    ]


def test_each_requirement_that_a_fault_breaks_needs_a_red_case():
    found = table(red={"area/one": ("A-1",)}, fault=Fault(breaks=("A-1", "B-1")))
    assert ["no case of B-1 turns red" in line for line in told(found)] == [True]


@pytest.mark.parametrize("also", [("B-",), ("B-1",), ("area/two",), ("area/*",), ("area/t*o",)])
def test_what_a_fault_declares_may_turn_red(also):
    red = {"area/one": ("A-1",), "area/two": ("B-1",)}
    assert told(table(red=red, fault=Fault(also=also))) == []


@pytest.mark.parametrize("also", [(), ("C-",), ("area/tw",), ("other/*",)])
def test_what_it_does_not_declare_may_not(also):
    red = {"area/one": ("A-1",), "area/two": ("B-1",)}
    assert "area/two turns red, which shows B-1" in told(table(red=red, fault=Fault(also=also)))[0]


def test_an_id_that_no_page_has_is_a_hole():
    assert "breaks C-9, which no page has" in told(table(fault=Fault(breaks=("C-9",))))[0]


def test_a_case_that_cannot_be_played_is_a_hole():
    found = told(table(red={"area/one": ("A-1",)}, errors=("area/two: no such row",)))
    assert "a case cannot be played: area/two: no such row" in found[0]


def test_a_variant_that_fails_a_case_is_a_hole():
    found = told(table(variant=Fault("odd", breaks=()), red={"area/one": ("A-1",)}))
    assert "variant odd: area/one turns red" in found[0]


def test_a_variant_on_which_nothing_was_played_proves_nothing():
    assert "variant odd: no case was played" in told(table(variant=Fault("odd", breaks=()), played=0))[0]


def test_a_variant_may_be_warned_for_what_it_says_itself_where_that_is_advised_only():
    variant = Fault("odd", breaks=(), also=("A-", "B-"))
    assert told(table(variant=variant, red={"area/two": ("B-1",)})) == []
    assert "area/one turns red" in told(table(variant=variant, red={"area/one": ("A-1",)}))[0]


@pytest.mark.parametrize(
    ("given", "cases", "hole"),
    [
        (requirement("A-1"), [], "A-1: no case names it"),
        (requirement("A-1", Level.OPEN), [], "A-1: no case names it"),
        (requirement("A-1"), ["A-1"], "A-1: no fault that breaks it is caught"),
        (requirement("A-1", Level.SHOULD), ["A-1"], ""),
        (requirement("A-1", untestable="prose"), [], ""),
    ],
)
def test_what_a_requirement_needs(given, cases, hole):
    known = [case(str(place), name) for place, name in enumerate(cases)] or [case("none")]
    found = coverage.of_requirements(table(requirements=[given], cases=known))
    assert [str(each).startswith(hole) for each in found] == ([True] if hole else [])


def test_smoke_has_a_case_of_many_files_and_is_the_same_each_time():
    known = killing.load()
    assert known.smoke == killing.smoke(known.all)
    files = {each.file for each in known.all if each.id in known.smoke}
    assert len(files) == len(known.smoke) >= 20


def test_cases_that_name_what_a_fault_breaks_are_played_first():
    known = Cases({}, [case("other", "B-1"), case("mine", "A-1")], frozenset({"area/other"}))
    assert [each.id for each in killing.chosen(Fault(), known)] == ["area/mine", "area/other"]


def test_the_command_tells_what_it_played(capsys):
    assert cli.main(["coverage", "--fault", "bool-two-*", "-v"]) == 0
    out = capsys.readouterr().out
    assert "bool-two-words: " in out
    assert "arguments/bool::text-forms[word-yes]: " in out
    assert "1 faults and 0 variants played" in out


def test_the_command_writes_json(capsys):
    assert cli.main(["coverage", "--fault", "bool-two-words", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (row,) = [each for each in found["requirements"] if each["id"] == "ARG-BOOL-4"]
    assert row["faults"]["bool-two-words"]
    assert found["holes"] == []


def test_the_command_refuses_a_fault_that_is_not_there(capsys):
    assert cli.main(["coverage", "--fault", "no-such-fault"]) == 4
    assert "no-such-fault" in capsys.readouterr().err


def test_the_page_names_a_requirement_its_cases_and_its_faults():
    known = Cases(
        {"A-1": requirement("A-1"), "A-2": requirement("A-2", untestable="prose")},
        [case("one[a]", "A-1"), case("one[b]", "A-1"), case("two", "A-1")],
        frozenset(),
    )
    port = Port({"wrong": Fault()}, {"odd": Fault("odd", (), "is odd")}, {"lies": "nobody sees it"}, None)
    page = coverage_page.page(coverage.claimed(known, port), port)
    assert "| A-1 | must | area/one (2), area/two | `wrong` |\n" in page
    assert "| A-2 | must | untestable: prose | |\n" in page
    assert "| `odd` | is odd |\n" in page
    assert "| lies | nobody sees it |\n" in page
