"""Examples that are kept as data: they are what Hypothesis drew, and spare a run that finds nothing from loading it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from mcp_tck.conformance.properties import keeping, listing, search
from mcp_tck.conformance.values import ABSENT, Number

PROPERTY = "properties/readers::int"


@pytest.mark.parametrize(
    "raw",
    [
        "text",
        None,
        True,
        Number("1e-7"),
        ABSENT,
        ("v", Number("2.5"), {"a": [None, {}], "": ()}),
        [("set", "a"), ("call", "x")],
        {"list": ["number", "1"]},
    ],
    ids=repr,
)
def test_an_example_is_read_as_it_was_written(raw):
    again = keeping.read_one(json.loads(json.dumps(keeping.as_json(raw))))
    assert repr(again) == repr(raw)


@pytest.mark.parametrize("identity", sorted(listing.PROPERTIES))
def test_each_property_has_examples_of_its_own_and_none_twice(identity):
    kept = list(map(repr, keeping.read(identity)))
    assert len(set(kept)) == len(kept) > 20
    assert len(kept) <= listing.PROPERTIES[identity].most


def test_drawing_gives_the_same_examples_each_time_and_others_for_another_seed():
    made = listing.PROPERTIES[PROPERTY]
    first, again, other = (list(map(repr, search.draw(made, number))) for number in (0, 0, 1))
    assert first == again != other


RUN = """
import sys
from mcp_tck.conformance.cli import main
status = main(["run", "-q", *sys.argv[1:4], "--", sys.executable, "-m", "mcp_tck.reference", "--probe", *sys.argv[4:]])
print("loaded" if "hypothesis" in sys.modules else "not loaded", status)
"""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seed", "0"], "not loaded 0"),
        (["--seed", "1"], "loaded 0"),
        (["--seed", "0", "--fault", "int-cuts"], "loaded 1"),
    ],
    ids=["green", "another-seed", "a-failure-is-made-smaller"],
)
def test_hypothesis_is_loaded_only_where_it_is_needed(words, told):
    command = [sys.executable, "-c", RUN, f"--case={PROPERTY}", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == told
