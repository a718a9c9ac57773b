"""The fenced blocks of a page, and what their first line asks of the tests.

    ```LANGUAGE file=PATH [append]      written to a file of the page's scratch folder
    ```console                          run there: lines that begin with `$ `, each followed by what it prints
    ```yaml steps [unplayed]            steps: made a case and played on the reference, or only loaded
    ```yaml cases [unplayed]            whole cases, likewise
    ```text, ```markdown                for reading only

`story=NAME` parts the files and commands of a page into stories of their own; `needs=TOOL` names what a command needs.

In what is printed, … stands for any text, and alone on its line for any lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=indent)``` *$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One block: its page, the line of its fence, its language, what else its fence says, and its text."""

    page: str
    line: int
    language: str
    words: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def file(self) -> str | None:
        return self.named("file")

    def named(self, key: str) -> str | None:
        """What stands behind `key=` in the first line."""
        return next((word.removeprefix(f"{key}=") for word in self.words if word.startswith(f"{key}=")), None)


def blocks(page: Path) -> list[Block]:
    text = page.read_text("utf-8")
    found = []
    for match in _FENCE.finditer(text):
        language, *words = match["info"].split() or [""]
        line = text.count("\n", 0, match.start()) + 1
        body = re.sub(f"^{match['indent']}", "", match["body"], flags=re.MULTILINE)
        found.append(Block(page.name, line, language, tuple(words), body))
    return found


def commands(block: Block) -> list[tuple[str, str]]:
    """The commands of a console block, each with what it prints. A command goes on over lines that end with \\."""
    found: list[tuple[str, str]] = []
    open_command = False
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif open_command:
            found[-1] = (f"{found[-1][0]}\n{line.removeprefix('> ')}", "")
        else:
            assert found, f"{block}: output before the first command"
            found[-1] = (found[-1][0], found[-1][1] + line + "\n")
            continue
        open_command = line.endswith("\\")
    return found


def fits(wanted: str, printed: str) -> bool:
    """Whether what was printed is what the page shows; a line of … stands for any lines, none among them."""
    wanted, printed = (re.sub(" {2,}", "  ", text) for text in (wanted, printed))  # columns are as wide as they are
    pattern = ""
    for line in wanted.rstrip().splitlines():
        if line.strip() == "…":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += "".join(".*?" if part == "…" else re.escape(part) for part in re.split("(…)", line.rstrip()))
            pattern += r"[ ]*\n"
    return re.fullmatch(pattern, printed.rstrip() + "\n") is not None or (not wanted.strip() and not printed.strip())
