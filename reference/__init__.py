"""The answer: a small MCP server that is right, built from the three seed pages.

It must never import the machine that judges it, and never hold a fault: a fault wraps what is here from a place of
its own.
"""
