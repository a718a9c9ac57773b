"""What the assistant gets, and what it must not get."""

from mcp_tck.reference.agent import mcp_agent_system_prompt, mcp_agent_tools, read_only_mcp_tool_names
from mcp_tck.reference.build import build
from mcp_tck.reference.protocol import ToolResult, ToolSpec

READS = ["list_documents", "read_document", "search_documents", "read_entity", "read_map", "generate_name"]


def shown(server, allow_writes):
    return [tuple(tool) for tool in mcp_agent_tools(server, allow_writes)]


def test_with_writes_every_tool_is_bridged_in_order_and_untouched():
    server = build(probe=True)
    assert shown(server, True) == [(spec.name, spec.description, spec.input_schema) for spec in server.tools]


def test_without_writes_only_the_explicit_set_is_bridged():
    assert [name for name, _, _ in shown(build(probe=True), False)] == READS
    assert read_only_mcp_tool_names() == {*READS}


def test_a_tool_that_nobody_classified_needs_permission():
    server = build()
    server.register_tool(
        ToolSpec("read_everything", "", {}, {"readOnlyHint": True}), lambda _args: ToolResult(True, "")
    )
    assert [name for name, _, _ in shown(server, False)] == READS
    assert shown(server, True)[-1] == ("read_everything", "", {})


def test_the_two_prompts_are_there_and_differ():
    assert "" != mcp_agent_system_prompt(True) != mcp_agent_system_prompt(False) != ""


def test_the_hints_of_the_catalogue_agree_with_the_explicit_set():
    hinted = {spec.name for spec in build().tools if spec.annotations["readOnlyHint"]}
    assert hinted == read_only_mcp_tool_names()
