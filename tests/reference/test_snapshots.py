"""The words of the reference, pinned: no case judges prose, so a change of it is to be seen here."""

import pytest
from mcp_tck.reference.agent import mcp_agent_system_prompt
from mcp_tck.reference.build import build


def test_the_catalogue_is_as_it_was(snapshot):
    assert [spec._asdict() for spec in build(probe=True).tools] == snapshot


@pytest.mark.parametrize("read_only", [False, True])
def test_the_instructions_are_as_they_were(snapshot, read_only):
    assert build(read_only=read_only).instructions == snapshot


@pytest.mark.parametrize("allow_writes", [False, True])
def test_the_prompts_are_as_they_were(snapshot, allow_writes):
    assert mcp_agent_system_prompt(allow_writes) == snapshot
