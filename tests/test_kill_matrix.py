"""Every fault of the reference is caught by the cases that name what it breaks; every variant passes all of them."""

import os

import pytest
from mcp_tck.conformance import suite
from mcp_tck.conformance.proof import coverage, coverage_page, killing

KNOWN = killing.load()
REFERENCE = killing.port()
EVERY = {**REFERENCE.faults, **REFERENCE.variants}
MANY = 40


@pytest.fixture(scope="module")
def shown(request):
    """What each fault and variant turned red; played in two processes where this run is one, and wants many."""
    here = [
        item.callspec.params["name"]
        for item in request.session.items
        if item.module is request.module and hasattr(item, "callspec")
    ]
    alone = "PYTEST_XDIST_WORKER" not in os.environ
    found = {}
    if alone and len(here) > MANY:
        found = killing.play_all([EVERY[name] for name in here], KNOWN, REFERENCE)

    def get(name):
        return found.get(name) or killing.play(EVERY[name], KNOWN, REFERENCE)

    return get


@pytest.mark.parametrize("name", REFERENCE.faults)
def test_a_fault_turns_the_cases_red_that_name_what_it_breaks_and_no_others(name, shown):
    table = coverage.judge(KNOWN, REFERENCE, {name: shown(name)})
    assert list(map(str, table.holes)) == []


@pytest.mark.parametrize("name", REFERENCE.variants)
def test_a_variant_passes_every_case(name, shown):
    table = coverage.judge(KNOWN, REFERENCE, {name: shown(name)})
    assert list(map(str, table.holes)) == []


def test_every_testable_requirement_has_a_case_and_every_must_a_fault():
    table = coverage.claimed(KNOWN, REFERENCE)
    assert list(map(str, coverage.of_requirements(table))) == []


def test_every_fault_says_what_it_does_and_why_more_may_turn_red():
    for fault in REFERENCE.faults.values():
        assert fault.what, fault.name
        assert fault.breaks, fault.name
        assert bool(fault.also) <= bool(fault.why), fault.name
    for variant in REFERENCE.variants.values():
        assert variant.what, variant.name
        assert bool(variant.also) <= bool(variant.why), variant.name


def test_the_page_of_coverage_is_current():
    page = coverage_page.page(coverage.claimed(KNOWN, REFERENCE), REFERENCE)
    assert (suite.SPEC / "coverage.md").read_text(encoding="utf-8") == page, "run mcp-tck coverage --page"
