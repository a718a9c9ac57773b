"""A small server on the `fastmcp` package; lines 2, 3 and 4 all take it."""

from fastmcp import FastMCP

server = FastMCP("field-fastmcp")


@server.tool
def types(flag: bool, count: int, text: str, items: list[str]) -> str:
    """One argument of each common type, told back."""
    return f"{flag} {count} {text} {items}"


@server.tool
def total(numbers: list[float]) -> float:
    """The sum, which also gives the tool an output schema."""
    return sum(numbers)


@server.resource("field://greeting")
def greeting() -> str:
    return "hello"


@server.prompt
def review(text: str) -> str:
    return f"Review this: {text}"


server.run(show_banner=False)
