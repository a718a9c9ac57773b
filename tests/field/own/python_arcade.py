"""A small server on the `arcade-mcp-server` package."""

from typing import Annotated

from arcade_mcp_server import MCPApp

app = MCPApp(name="field_arcade", version="1.0.0")


@app.tool
def types(flag: Annotated[bool, "a flag"], count: Annotated[int, "a count"], text: Annotated[str, "a text"]) -> str:
    """One argument of each common type, told back."""
    return f"{flag} {count} {text}"


app.run(transport="stdio")
