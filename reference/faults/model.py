"""What a fault is: a name, the requirements that it breaks, and a way to make the right server wrong.

A fault replaces parts of the reference (`on_server`), wraps the function from a line to lines (`on_lines`), or wraps
the loop between the streams (`on_serve`) where it needs a process. The right code never asks whether there is a fault.
A variant has the same form and breaks nothing: it is a right server that is unusual.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ..build import Reference
    from ..features import FullReference

Handler: TypeAlias = Callable[[str], Iterable[str]]
Serve: TypeAlias = Callable[[Iterable[bytes], Callable[[bytes], object], Handler], None]
OnServer: TypeAlias = "Callable[[Reference], None]"
OnFeatures: TypeAlias = "Callable[[FullReference], None]"
OnLines: TypeAlias = Callable[[Handler], Handler]
OnServe: TypeAlias = Callable[[Serve], Serve]


@dataclass(frozen=True, slots=True)
class Fault:
    """One way to be wrong, or, where `breaks` is empty, one unusual way to be right."""

    name: str
    breaks: tuple[str, ...]
    """Ids of requirements; each of them has a case that turns red."""
    what: str
    """One sentence: what such a server does."""
    also: tuple[str, ...] = ()
    """What else may turn red: prefixes of requirement ids, or, with a slash in it, case ids with `*`."""
    why: str = ""
    """Why that may turn red."""
    revision: str | None = None
    """The revision at which it shows, where it does not show at the newest."""
    features: bool = False
    """Whether it needs a reference with resources, prompts and the like."""
    bare: bool = False
    """Whether it is shown without probes."""
    on_server: OnServer | None = None
    on_lines: OnLines | None = None
    on_serve: OnServe | None = None
    on_features: OnFeatures | None = None

    @property
    def needs_process(self) -> bool:
        """Whether it lives between the streams, and so cannot be shown without a process."""
        return self.on_serve is not None


@dataclass(slots=True)
class Book:
    """The faults of one theme, as they are written down; the other members hold for all of them."""

    also: str = ""
    why: str = ""
    features: bool = False
    bare: bool = False
    revision: str | None = None
    faults: list[Fault] = field(default_factory=list)

    def add(
        self,
        name: str,
        breaks: str,
        what: str,
        *,
        also: str = "",
        why: str = "",
        revision: str | None = None,
        on_server: OnServer | None = None,
        on_lines: OnLines | None = None,
        on_serve: OnServe | None = None,
        on_features: OnFeatures | None = None,
    ) -> None:
        """Write down one fault; lists of ids are given as words of one text."""
        reasons = "; ".join(filter(None, (self.why, why)))
        self.faults.append(
            Fault(
                name,
                tuple(breaks.split()),
                what,
                (*self.also.split(), *also.split()),
                reasons,
                revision or self.revision,
                self.features,
                self.bare,
                on_server,
                on_lines,
                on_serve,
                on_features,
            )
        )

    def server(
        self, name: str, breaks: str, what: str, *, also: str = "", why: str = "", revision: str | None = None
    ) -> Callable[[OnServer], OnServer]:
        """Write down a function that changes the server."""

        def noted(function: OnServer) -> OnServer:
            self.add(name, breaks, what, also=also, why=why, revision=revision, on_server=function)
            return function

        return noted

    def lines(
        self, name: str, breaks: str, what: str, *, also: str = "", why: str = "", revision: str | None = None
    ) -> Callable[[OnLines], OnLines]:
        """Write down a function that wraps what makes lines of a line."""

        def noted(function: OnLines) -> OnLines:
            self.add(name, breaks, what, also=also, why=why, revision=revision, on_lines=function)
            return function

        return noted

    def featured(
        self, name: str, breaks: str, what: str, *, also: str = "", why: str = "", revision: str | None = None
    ) -> Callable[[OnFeatures], OnFeatures]:
        """Write down a function that changes the features."""

        def noted(function: OnFeatures) -> OnFeatures:
            self.add(name, breaks, what, also=also, why=why, revision=revision, on_features=function)
            return function

        return noted

    def serve(
        self, name: str, breaks: str, what: str, *, also: str = "", why: str = "", revision: str | None = None
    ) -> Callable[[OnServe], OnServe]:
        """Write down a function that wraps the loop between the streams."""

        def noted(function: OnServe) -> OnServe:
            self.add(name, breaks, what, also=also, why=why, revision=revision, on_serve=function)
            return function

        return noted
