"""One argument of one tool on the bench: a call that works, a value that matters, and the calls to compare it with.

An argument is exercised only where its value shows in the reply: the call with a good value differs from the call
without the argument, or from the call with another good value. What is found out is remembered as a choice of
arguments; the replies are asked for again in every case. This module must never send an odd value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from ..calling import Caller, Reply
from ..config import Call
from ..session import Played
from ..values import ABSENT, Absent, Value, dumps, same
from ..words import cut
from .comparing import alike
from .plan import Permit, bases
from .schema_values import Schema, Tool

TRIED_BASES: Final = 3
TRIED_VALUES: Final = 5


Suits = Callable[[Value], bool]


def _any(_value: Value) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Settled:
    """What to call: the arguments without the one in question, its good value, and another value where one matters."""

    rest: dict[str, Value]
    good: Value
    other: Value | Absent = ABSENT


@dataclass(slots=True)
class Memory:
    """What one process of the kit has learnt of a target: tools that gave no reply to a good call, by name."""

    silent: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Bench:
    """An argument, and what was found out about it."""

    permit: Permit
    tool: Tool
    name: str
    schema: Schema
    memory: Memory
    _settled: dict[str, Settled | str] = field(default_factory=dict)
    _works: dict[str, Value] | str | None = None

    @property
    def place(self) -> str:
        """The argument as people name it."""
        return f"{self.permit.tool}.{self.name}"

    @property
    def required(self) -> bool:
        """Whether the schema asks for the argument."""
        return self.name in self.tool.required

    def call(self, caller: Caller, what: str, rest: dict[str, Value], value: Value | Absent = ABSENT) -> Reply:
        """Call the tool, with a remark in the transcript that says what for."""
        arguments = dict(rest)
        if not isinstance(value, Absent):
            arguments[self.name] = value
        caller.note(f"{what}:")
        return caller.call(self.permit.tool, arguments)

    def settle(self, caller: Caller, of: Value | Absent = ABSENT, suits: Suits = _any) -> Settled | str:
        """What to call for a good value (`of`, or any that suits); a text says why there is nothing to compare."""
        if why := self.memory.silent.get(self.permit.tool):
            return why
        fitting = [dumps(value) for value in self.offered() if suits(value)]
        key = " ".join(fitting) if isinstance(of, Absent) else dumps(of)
        if key not in self._settled:
            self._settled[key] = self._find(caller, of, suits)
        return self._settled[key]

    def others(self, caller: Caller) -> dict[str, Value] | Played:
        """The other arguments of a good call that was just accepted, or what comes of a case where there is none."""
        works = self._accepted(caller)
        if isinstance(works, str):
            return Played(unread=works, hung=caller.hung)
        return self._without(works)

    def _without(self, arguments: dict[str, Value]) -> dict[str, Value]:
        return {key: value for key, value in arguments.items() if key != self.name}

    def _accepted(self, caller: Caller) -> dict[str, Value] | str:
        """Good arguments, this one among them, with which a call was just accepted; a text says why there are none."""
        if why := self.memory.silent.get(self.permit.tool):
            return why
        if isinstance(self._works, dict):
            reply = self.call(caller, "a good call", self._works)
            return self._works if reply.accepted else f"{self.permit.tool}: a good call is no longer accepted"
        if self._works is None:
            self._works = self._first_that_works(caller)
        return self._works

    def _first_that_works(self, caller: Caller) -> dict[str, Value] | str:
        known = bases(self.permit, self.tool)
        for base in known[:TRIED_BASES]:
            known_name = self.name in self.tool.arguments
            values = list(self._offered(base, ABSENT))[:2] if known_name else [ABSENT]
            for value in values:
                arguments = base if isinstance(value, Absent) else {**base, self.name: value}
                reply = self.call(caller, "a good call", arguments)
                if reply.lost:
                    return self._silence(reply)
                if reply.accepted:
                    return arguments
        if not known:
            return f"{self.permit.tool}: no arguments could be made from its schema (give good ones under call:)"
        return f"{self.place}: every call with a good value is refused (give good arguments under call:)"

    def _find(self, caller: Caller, of: Value | Absent, suits: Suits) -> Settled | str:
        known = bases(self.permit, self.tool)
        if not known:
            return f"{self.permit.tool}: no arguments could be made from its schema (give good ones under call:)"
        why = ""
        for base in known[:TRIED_BASES]:
            found = self._with(caller, base, self._without(base), of, suits)
            if isinstance(found, Settled):
                return found
            why = why or found
            if self.permit.tool in self.memory.silent:
                break
        return why

    def _with(
        self, caller: Caller, base: dict[str, Value], rest: dict[str, Value], of: Value | Absent, suits: Suits
    ) -> Settled | str:
        replies: list[tuple[Value, Reply]] = []
        for value in self._offered(base, of):
            reply = self.call(caller, "a good value", rest, value)
            if reply.lost:
                return self._silence(reply)
            replies.append((value, reply))
            if not isinstance(of, Absent) and len(replies) == 1 and not reply.accepted:
                return f"{self.place}: the call with the good value {cut(dumps(value), 60)} is refused"
        if not replies:
            return f"{self.place}: its schema gives no good value (give one under call:)"
        without = self.call(caller, "without the argument", rest)
        if without.lost:
            return f"{self.place}: the call without it got {without.lost}"
        accepted = [pair for pair in replies if pair[1].accepted and suits(pair[0])]
        if not accepted:
            return f"{self.place}: every call with a good value is refused (give good arguments under call:)"
        if not isinstance(of, Absent):
            accepted = accepted[:1]
        # A value whose reply is not that to the call without it shows the most: dropped is then no default.
        accepted.sort(key=lambda pair: alike(pair[1], without))
        for good, answer in accepted:
            other = next((pair for pair in replies if not alike(pair[1], answer)), None)
            if other is not None:
                return Settled(rest, good, other[0])
            if without.accepted and not alike(without, answer):
                return Settled(rest, good)
        return f"{self.place}: its value does not show in the reply"

    def foreseen(self, of: Value | Absent = ABSENT) -> Iterator[tuple[dict[str, Value], Value]]:
        """Every way to begin: the other arguments, and a good value."""
        for base in bases(self.permit, self.tool)[:TRIED_BASES]:
            for value in self._offered(base, of):
                yield self._without(base), value

    def begin(self, of: Value | Absent = ABSENT) -> Iterator[Call]:
        """The calls that find out which way to begin works."""
        for base in bases(self.permit, self.tool)[:TRIED_BASES]:
            yield self.permit.tool, base
        for rest, value in self.foreseen(of):
            yield self.permit.tool, rest
            yield self.permit.tool, {**rest, self.name: value}

    def foreseen_with(self, values: Sequence[Value]) -> Iterator[Call]:
        """The calls of a case that sends these values once it knows how to begin."""
        yield from self.begin()
        for rest, _ in self.foreseen():
            for value in values:
                yield self.permit.tool, {**rest, self.name: value}

    def kinds(self) -> frozenset[str]:
        """The JSON types of the argument."""
        return self.tool.kinds(self.schema)

    def offered(self) -> list[Value]:
        """The good values, those of the user first."""
        return list(self._offered({}, ABSENT))

    def _offered(self, base: dict[str, Value], of: Value | Absent) -> Iterator[Value]:
        given: list[Value] = [] if isinstance(of, Absent) else [of]
        given += [base[self.name]] if self.name in base else []
        given += [good[self.name] for good in self.permit.good if self.name in good]
        given += self.tool.values(self.schema)
        seen: list[Value] = []
        for value in given:
            if not any(same(value, known) for known in seen) and len(seen) < TRIED_VALUES:
                seen.append(value)
                yield value

    def _silence(self, reply: Reply) -> str:
        why = f"{self.permit.tool}: a good call got {reply.lost}"
        self.memory.silent[self.permit.tool] = why
        return why
