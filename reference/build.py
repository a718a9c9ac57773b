"""The reference put together from its parts, for the command line and for tests in the same process.

A fault or a variant is a function from a `Reference` to a `Reference`: it replaces parts, which are all attributes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .agent import Bridge
from .arguments import Readers
from .probes import Changes, probes, reset
from .project import FileStore, MemoryStore, Project, first_state
from .protocol import Server
from .story import add_story, other_writer

if TYPE_CHECKING:
    from pathlib import Path

NAME = "mcp-tck-reference"
VERSION = "1.0.0"

_INSTRUCTIONS = """\
A small story project: documents, a codex of entities with ordered fields, maps with regions.

- Everything is addressed by its **name**, spelt as `list_documents` and the reading tools spell it. There are no ids.
- """
_WRITES = "Every change is **one step**; `undo_last` takes the last one back as a whole."
_READS = "This server is **read-only**: tools that change the project, undo a change or write files are absent."


class Reference(Server):
    """The reference server and those of its parts that no request can reach: `readers`, `bridge`, `project`.

    Tools and probes look a part up when they are called, so what is replaced after `build` counts from then on.
    """

    def __init__(self, *, read_only: bool = False) -> None:
        super().__init__(NAME, VERSION, _INSTRUCTIONS + (_READS if read_only else _WRITES))
        self.readers = Readers()
        self.bridge = Bridge()
        self.project: Project | None = None

    def add_further_probes(self) -> None:
        """Registers probes of what an extended server can do beside; this one has none."""


def build(
    *,
    probe: bool = False,
    read_only: bool = False,
    project: Path | None = None,
    features: bool = False,
    era: str = "dual",
) -> Reference:
    """A server in its first state: with the probes, in read-only mode, over the project in a file, as asked.

    In read-only mode a tool outside of the explicit set does not exist, one that is registered later too; probes stay.
    With `features` it has the rest of MCP too, and speaks `era`: handshake, stateless or dual.
    """
    store = MemoryStore(first_state()) if project is None else FileStore(project, first_state())
    if features:
        from .features import FullReference  # the documented system works without

        server: Reference = FullReference(era=era, read_only=read_only)
    else:
        server = Reference(read_only=read_only)
    server.project = add_story(server, server.readers, store)
    own = frozenset(spec.name for spec in server.tools)
    if probe:
        changes = Changes(server)
        shown = probes(server, server.readers, server.bridge, ("documented", "story"), changes)
        again = reset(lambda: _start_again(server, changes))
        for tool in (*shown, other_writer(store), again):
            server.register_tool(tool.spec, tool.handler)
        server.add_further_probes()
    if read_only:
        stay = frozenset(spec.name for spec in server.tools) - own
        admits = server.catalogue.admits
        server.catalogue.admits = lambda name: (
            admits(name) and (name in stay or name in server.bridge.read_only_names())
        )
    return server


def _start_again(server: Reference, changes: Changes) -> None:
    changes.take_back()
    if server.project is not None:
        server.project.start_again()
