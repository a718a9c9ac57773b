"""Made cases: what every server owes its callers' arguments, tried on the tools that a target lists."""
