"""The table of report formats by suffix. This module must never write a file."""

from __future__ import annotations

from typing import Final

from .material import Material

SUFFIXES: Final = (".json", ".md", ".html", ".svg")


def write(suffix: str, material: Material) -> str:
    """The report as text. `suffix` is one of SUFFIXES."""
    if suffix == ".md":
        from . import markdown

        return markdown.write(material)
    if suffix == ".html":
        from . import html

        return html.write(material)
    if suffix == ".svg":
        from . import badge

        return badge.write(material)
    from . import json_report

    return json_report.write(material.document)
