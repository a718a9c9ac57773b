"""Snapshots of a target as files in a folder of the user's: one a part, text that people read, compared as text.

syrupy finds its snapshots by the place of a Python test, and a made case has none; so its extension for single files is
taken on its own, with a folder that is given. This module must never talk to a target, and never write unless told to.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from syrupy.data import Snapshot, SnapshotCollection
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from ..casefile import yamlwrite

SUFFIX: Final = "yaml"
_ELEMENT: Final = re.compile(r"  - (?:name|uri|uriTemplate): .*")


class TargetSnapshots(SingleFileSnapshotExtension):
    """syrupy's extension for one file a snapshot, with YAML as the text and a unified diff of it."""

    _write_mode = WriteMode.TEXT
    file_extension = SUFFIX

    def serialize(self, data: Any, **_: Any) -> str:
        """The text of a value; half a surrogate pair, which no file can hold, by its escape."""
        # A line for each scalar, however short: where lines were filled, a small change would show as a large one.
        text = "".join(f"{line}\n" for line in yamlwrite.block(data, 0))
        return text.encode("utf-8", "backslashreplace").decode("utf-8")

    def diff_lines(self, serialized_data: str | bytes, snapshot_data: str | bytes) -> Iterator[str]:
        """What changed, in the form of `diff -u`; each part is headed by the element in which it begins."""
        kept, came = str(snapshot_data).splitlines(), str(serialized_data).splitlines()
        for line in list(difflib.unified_diff(kept, came, lineterm=""))[2:]:
            place = re.match(r"@@ -(\d+)", line)
            # Three lines of context stand before what changed, but for a change that begins within the first lines.
            first = int(place[1]) if place else 0
            yield f"{line} {_element(kept, first + 2 if first > 1 else 0)}".rstrip() if place else line


def _element(lines: Sequence[str], number: int) -> str:
    """The element of the list in which a line stands, by the line that names it."""
    before = (line for line in reversed(lines[:number]) if _ELEMENT.fullmatch(line))
    return next(before, "").removeprefix("  - ")[:80]


class Folder:
    """The snapshots in a folder, by the name of the part. OSError and UnicodeDecodeError come through."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._files = TargetSnapshots()

    def text(self, value: Any) -> str:
        """What a file would hold for a value."""
        return self._files.serialize(value)

    def read(self, part: str) -> str | None:
        """What is kept of a part; None where nothing is."""
        found = self._files.read_snapshot_data_from_location(
            snapshot_location=str(self.place(part)), snapshot_name=part, session_id=""
        )
        return None if found is None else str(found)

    def write(self, part: str, text: str) -> None:
        """Keep this of a part."""
        self._path.mkdir(parents=True, exist_ok=True)
        collection = SnapshotCollection(location=str(self.place(part)))
        collection.add(Snapshot(name=part, data=text))
        self._files.write_snapshot_collection(snapshot_collection=collection)

    def remove(self, part: str) -> None:
        """Keep nothing of a part any more."""
        self._files.delete_snapshots(snapshot_location=str(self.place(part)), snapshot_names={part})

    def diff(self, kept: str, came: str) -> list[str]:
        """The lines of a unified diff; none where both are the same."""
        if self._files.matches(serialized_data=came, snapshot_data=kept):
            return []
        return list(self._files.diff_lines(came, kept))

    def place(self, part: str) -> Path:
        """The file of a part."""
        return self._path / f"{part}.{SUFFIX}"
