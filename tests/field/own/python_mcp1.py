"""A small server on the `mcp` package, line 1."""

from mcp.server.fastmcp import FastMCP

server = FastMCP("field-mcp1")


@server.tool()
def types(flag: bool, count: int, text: str, items: list[str]) -> str:
    """One argument of each common type, told back."""
    return f"{flag} {count} {text} {items}"


@server.tool()
def total(numbers: list[float]) -> float:
    """The sum, which also gives the tool an output schema."""
    return sum(numbers)


@server.resource("field://greeting")
def greeting() -> str:
    return "hello"


@server.prompt()
def review(text: str) -> str:
    return f"Review this: {text}"


server.run()
