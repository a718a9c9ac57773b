"""The few shapes of which the case format is made: definitions use them, the loader and the schema go by them.

This module must never know a field, a step or an operator by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ..values import Value


@dataclass(frozen=True, slots=True)
class Text:
    """A string; `pattern` must match the whole of it where there is one, `said` names what it is.

    With `template` an operator of those that can be sent may stand in its place.
    """

    said: str = "a text"
    pattern: str = ""
    least: int = 1
    template: bool = False


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false; `only` leaves one of them."""

    only: bool | None = None


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number, not below `least`. With `template` a row's value may stand in its place."""

    least: int = 0
    template: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """One of these texts or numbers."""

    options: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class ListOf:
    """An array; every element has the same shape."""

    of: Shape
    least: int = 1


@dataclass(frozen=True, slots=True)
class Record:
    """An object with these members and no others."""

    fields: tuple[Field, ...] = ()
    by_name: Mapping[str, Field] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {each.name: each for each in self.fields})

    def field(self, name: str) -> Field | None:
        """The field of a name."""
        return self.by_name.get(name)


@dataclass(frozen=True, slots=True)
class Either:
    """One of several shapes; they differ by JSON type, or by being an operator."""

    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Data:
    """A value to send: JSON with the operators that can be sent in it. `object_only` asks for an object."""

    object_only: bool = False


@dataclass(frozen=True, slots=True)
class Expectation:
    """A value, or operators, that something received is held against. `object_only` asks for an object of members."""

    object_only: bool = False


@dataclass(frozen=True, slots=True)
class Choices:
    """The list of a `$one_of`: expectations, each as it is or as {name, is}."""


@dataclass(frozen=True, slots=True)
class Anything:
    """Any JSON, `$` keys and all; nothing in it is an operator. `object_only` asks for an object."""

    object_only: bool = False


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of `examples`: objects with a name and columns of any kind."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Steps, one after the other; `kinds` names those that are allowed, all of them where it is empty."""

    kinds: tuple[str, ...] = ()


Shape: TypeAlias = (
    "Text | Flag | Whole | Choice | ListOf | Record | Either | Data | Expectation | Choices | Anything | Rows | Steps"
)


@dataclass(frozen=True, slots=True)
class Field:
    """A member of a record: its name, its shape, what it means, and an example as a value."""

    name: str
    shape: Shape
    about: str
    example: Value
    required: bool = False
