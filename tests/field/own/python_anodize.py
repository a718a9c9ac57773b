"""A small server on the `anodize-mcp` package."""

from anodize_mcp import AnodizeMCP

server = AnodizeMCP("field-anodize")


@server.tool
def types(flag: bool, count: int, text: str, items: list[str]) -> str:
    """One argument of each common type, told back."""
    return f"{flag} {count} {text} {items}"


server.run()
