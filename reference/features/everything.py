"""A server with all features, and the function from a line to lines that goes with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..protocol import respond
from .logging import Logging
from .offers import Offers
from .open_calls import OpenCalls
from .stateless import Stateless

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..build import Reference


class Featured:
    """The features of one server, each a part that can be replaced."""

    def __init__(self, server: Reference) -> None:
        self.offers = Offers(server)
        self.logging = Logging(server)
        self.open_calls = OpenCalls(server)
        self.stateless = Stateless(server, self)

    def handler(self, right: Callable[[str], Iterable[str]]) -> Callable[[str], Iterable[str]]:
        """What answers a line: the other era, then calls that stay open, then the server as it was."""
        return self.stateless.wrap(self.open_calls.wrap(right))


def add_features(server: Reference) -> tuple[Featured, Callable[[str], Iterable[str]]]:
    """Gives `server` every feature; answers them and what handles a line from now on."""
    featured = Featured(server)
    server.outbox.clear()  # nobody was there when the tools were registered
    return featured, featured.handler(respond(server))
