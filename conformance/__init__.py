"""The machine: a pytest plugin that runs case files against any MCP server over stdio."""
