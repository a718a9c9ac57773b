"""The templates of the reports, and what they may call. HTML and SVG escape by themselves; Markdown has its filters.

This module must never load anything but the templates beside it.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any, Final

import jinja2

_FOLDER: Final = Path(__file__).resolve().parent / "templates"
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|~])")

_CALL: Final = re.compile(r"@(?=[A-Za-z])")


@functools.cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=jinja2.select_autoescape(("html.j2", "svg.j2")),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"code": code, "fence": fence, "md": escaped, "plain": visible, "spaced": spaced}
    return environment


def render(template: str, **given: Any) -> str:
    """A template of the folder, filled."""
    return _environment().get_template(template).render(**given)


def visible(text: str) -> str:
    """The text with control characters made visible, but for line feeds."""
    return "".join(
        one if one.isprintable() or one == "\n" else one.encode("unicode_escape", "surrogatepass").decode("ascii")
        for one in text
    )


def spaced(name: str) -> str:
    """An outcome's name as words."""
    return name.replace("_", " ")


def escaped(text: str) -> str:
    """Text for Markdown, in which nothing means more than itself, and nobody is called by an @."""
    return _CALL.sub("@<!-- -->", _SPECIAL.sub(r"\\\1", visible(text).replace("\n", " ")))


def code(text: str) -> str:
    """Text as a code span of Markdown, whatever backticks it holds."""
    shown = visible(text).replace("\n", " ")
    ticks = "`" * (_longest_run(shown) + 1)
    space = " " if shown[:1] in {"`", " ", ""} or shown[-1:] in {"`", " "} else ""
    return f"{ticks}{space}{shown}{space}{ticks}"


def fence(text: str, language: str = "text") -> str:
    """Text as a code block of Markdown, whatever backticks it holds."""
    shown = visible(text)
    ticks = "`" * max(3, _longest_run(shown) + 1)
    return f"{ticks}{language}\n{shown}\n{ticks}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
