"""A server with faults and variants, put together: what handles a line, and what serves the streams.

Each call makes a fresh server, as each process would be. Faults of the server come first, then filters on its lines in
the order in which they are given, so that a later one sees what an earlier one wrote.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ..build import build
from ..protocol import respond
from ..serve import serve as right_serve
from .model import Fault, Handler, Serve

if TYPE_CHECKING:
    from pathlib import Path


class Made(NamedTuple):
    """What answers a line, and the loop that stands between the streams and it."""

    handler: Handler
    serve: Serve


def make(
    given: Iterable[Fault] = (),
    *,
    probe: bool = True,
    read_only: bool = False,
    features: bool = False,
    era: str = "dual",
    project: Path | None = None,
) -> Made:
    """A fresh server in its first state, with everything that is given; what changes features needs some."""
    chosen = list(given)
    features = features or any(fault.features for fault in chosen)
    server = build(probe=probe, read_only=read_only, project=project, features=features, era=era)
    for fault in chosen:
        if fault.on_server is not None:
            fault.on_server(server)
        if fault.on_features is not None:
            from ..features import FullReference  # most faults do without

            if isinstance(server, FullReference):
                fault.on_features(server)
    handler: Handler = respond(server)
    serve: Serve = right_serve
    for fault in chosen:
        if fault.on_lines is not None:
            handler = fault.on_lines(handler)
        if fault.on_serve is not None:
            serve = fault.on_serve(serve)
    return Made(handler, serve)
