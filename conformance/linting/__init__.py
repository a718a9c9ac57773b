"""Lint: one small class a rule, over case files and spec pages."""
