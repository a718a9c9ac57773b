"""A small story project: what it holds, where it is stored, and how it changes (story page).

It never parses arguments and knows no tool. A project lives in a store that others may write, too: `refresh` takes up
what they wrote, and nothing else looks at the store before writing to it.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from .messages import to_json
from .protocol import ToolError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from tempfile import TemporaryDirectory

State: TypeAlias = dict[str, Any]
"""`documents` of name, text and word_count_target (or null); `entities` of name, tags and ordered fields (field,
value); `maps` of name and ordered regions (region, revealed). All in the order in which they are shown."""

_HISTORY = 100
"""So many changes can be taken back."""


def first_state() -> State:
    """The project that a process starts with when nobody gives it another (STORY-2)."""
    return {
        "documents": [
            _document("Chapter One", "The harbor was quiet. Mira waited at the harbor gate.", 1500),
            _document("2024", "The year the lighthouse burned."),
            _document("Notes", "Mira keeps the key."),
        ],
        "entities": [
            {
                "name": "Mira",
                "tags": [],
                "fields": [
                    {"field": "age", "value": "31"},
                    {"field": "home", "value": "the harbor"},
                    {"field": "role", "value": "keeper"},
                    {"field": "fear", "value": "deep water"},
                ],
            }
        ],
        "maps": [
            {
                "name": "Harbor",
                "regions": [{"region": "docks", "revealed": True}, {"region": "crypt", "revealed": False}],
            }
        ],
    }


class Store(Protocol):
    """Where a project is kept as one JSON text."""

    def read(self) -> str:
        """The text as it stands; raises OSError."""

    def write(self, text: str) -> None:
        """Replaces the text as a whole; raises OSError."""

    def folder(self) -> Path:
        """An existing directory for what is written beside the project."""

    def start_again(self) -> None:
        """Goes back to what a new process finds."""


class MemoryStore:
    """A store that ends with the process; its folder is a temporary one, made when it is first asked for."""

    def __init__(self, state: State) -> None:
        self._first = self._text = to_json(state)
        self._folder: TemporaryDirectory[str] | None = None

    def read(self) -> str:
        """The text as it stands."""
        return self._text

    def write(self, text: str) -> None:
        """Replaces the text."""
        self._text = text

    def folder(self) -> Path:
        """The temporary directory, removed when the process ends."""
        if self._folder is None:
            from tempfile import TemporaryDirectory  # a slow import that few sessions need

            self._folder = TemporaryDirectory(prefix="story-")
        from pathlib import Path  # likewise

        return Path(self._folder.name)

    def start_again(self) -> None:
        """The first state again, and no directory."""
        self._text = self._first
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


class FileStore:
    """A store in a file, which is begun with `state` if it is not there; its folder stands beside the file."""

    def __init__(self, path: Path, state: State) -> None:
        self._path = path
        if not path.exists():
            self.write(to_json(state))

    def read(self) -> str:
        """The text as it stands; raises OSError."""
        return self._path.read_text(encoding="utf-8")

    def write(self, text: str) -> None:
        """Replaces the file in one step, so that no reader sees half of it; raises OSError."""
        part = self._path.with_name(f"{self._path.name}.{os.getpid()}.part")
        part.write_text(text, encoding="utf-8")
        part.replace(self._path)

    def folder(self) -> Path:
        """The directory named after the file."""
        folder = self._path.with_name(f"{self._path.stem}-files")
        folder.mkdir(exist_ok=True)
        return folder

    def start_again(self) -> None:
        """A file outlives the process: a new one finds it as it stands."""


class Project:
    """A project as this process sees it, with the changes that it can take back."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.state: State = {}
        self._seen = ""
        self._history: list[str] = []
        self.refresh()

    def refresh(self, _tool: str = "") -> None:
        """Takes up what another writer stored; made to be the hook before each call (STORY-50, STORY-51).

        What this process changed before that cannot be taken back any more: the other's change would go with it.
        """
        try:
            text = self.store.read()
            if text != self._seen:
                self.state, self._seen = json.loads(text), text
                self._history.clear()
        except (OSError, ValueError) as error:
            raise ToolError(f"The project cannot be read: {type(error).__name__}") from error

    def start_again(self) -> None:
        """Begins as a new process would: with what the store then holds, and nothing to take back."""
        self.store.start_again()
        self._seen = ""
        self.refresh()

    def change(self, edit: Callable[[State], None]) -> bool:
        """Makes one change, all of it or (when `edit` raises) nothing; says whether anything is different now."""
        state = json.loads(self._seen)
        edit(state)
        text = to_json(state)
        if text == self._seen:
            return False
        self.store.write(text)
        self._history = [*self._history[1 - _HISTORY :], self._seen]
        self.state, self._seen = state, text
        return True

    def undo(self) -> bool:
        """Takes back the last change that `change` made; says whether there was one (STORY-5)."""
        if not self._history:
            return False
        text = self._history[-1]
        self.store.write(text)
        self._history.pop()
        self.state, self._seen = json.loads(text), text
        return True


def write_from_outside(store: Store, name: str, text: str) -> None:
    """Sets a document's text the way another program would: in the store alone, past every `Project` that is open."""
    state = json.loads(store.read())
    for document in state["documents"]:
        if document["name"] == name:
            document["text"] = text
            break
    else:
        state["documents"].append(_document(name, text))
    store.write(to_json(state))


def _document(name: str, text: str, target: int | None = None) -> dict[str, Any]:
    return {"name": name, "text": text, "word_count_target": target}
