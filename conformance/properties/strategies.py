"""JSON values for Hypothesis. Only this module and `search.py` load it, and only when an example is wanted.

Characters come from ranges of code points: Hypothesis's own alphabets write tables into the user's folder. Numbers stay
where every double is exact to fifteen digits, for beyond that the spec leaves every answer open. This module must never
know a target or a requirement.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from hypothesis import strategies as st

from ..values import Number, Value
from .spelling import WHITE

Strategy = st.SearchStrategy

OTHER_WHITE: Final = "\x1c\x1f\x85\xa0\u2003\u2028\u3000\ufeff"
ODD: Final = "\0\x07\x7f\u00df\u0130\u017f\u0301\u0661\u2212\u20ac\u3042\ufb00\uff10\uff11\uff4e\ufffd\U0001f30a"
_SAFE_DIGITS: Final = 10**15 - 1

character: Final[Strategy[str]] = st.one_of(
    st.sampled_from("ab01 -._,:/\\\"'{}[]#$%&<>~\t\n\r"),
    st.integers(0x20, 0x7E).map(chr),
    st.sampled_from(OTHER_WHITE + ODD),
    st.one_of(st.integers(0xA1, 0xD7FF), st.integers(0xE000, 0x10FFFF)).map(chr),
)
"""Any character but half of a surrogate pair; those that trouble readers more often than others."""


def text(least: int = 0, most: int = 12, of: Strategy[str] = character) -> Strategy[str]:
    """A string of such characters."""
    return st.lists(of, min_size=least, max_size=most).map("".join)


small: Final = st.integers(-20, 20)
safe: Final = st.integers(-_SAFE_DIGITS, _SAFE_DIGITS)
integer: Final[Strategy[int]] = st.one_of(
    small, safe, st.sampled_from([2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**32, 2**32 + 3, 2**53 - 1, 2**53 + 1])
)
any_integer: Final[Strategy[int]] = st.one_of(integer, st.integers(-(2**70), 2**70))
_mantissa: Final = st.one_of(small, st.integers(-99999, 99999), safe)


def _plain(mantissa: int, places: int) -> str:
    return f"{Decimal(mantissa).scaleb(-places):f}"


def _scientific(mantissa: int, places: int, power: int, form: str) -> str:
    return _plain(mantissa, places) + form.format(power)


number: Final[Strategy[Number]] = st.one_of(
    any_integer.map(str),
    st.builds(_plain, _mantissa, st.integers(0, 4)),
    st.builds(_scientific, _mantissa, st.integers(0, 2), st.integers(-4, 4), st.sampled_from(["e{}", "E{:+d}"])),
    st.builds(_scientific, _mantissa, st.just(0), st.integers(-280, 280), st.just("e{}")),
    st.sampled_from(["-0", "0.0", "-0.0", "0e5", "1.0", "3.00", "1e21", "0.0000001"]),
).map(Number)

scalar: Final[Strategy[Value]] = st.one_of(st.none(), st.booleans(), number, text())


def _inside(value: Strategy[Value]) -> Strategy[Value]:
    lists: Strategy[Value] = st.lists(value, max_size=4)
    objects: Strategy[Value] = st.dictionaries(text(most=4), value, max_size=3)
    return st.one_of(lists, objects)


anything: Final[Strategy[Value]] = st.recursive(scalar, _inside, max_leaves=6)
"""Any JSON value, a few levels deep."""

other: Final[Strategy[Value]] = st.one_of(
    st.sampled_from([None, True, False, ""]),
    st.lists(scalar, max_size=2),
    st.sampled_from([[True], ["true"], [""], [" a "], {}, {"v": "a"}, {"v": True}]),
)
"""Small values of every type, which readers take for each other."""

padding: Final = text(most=3, of=st.one_of(st.sampled_from(WHITE), st.sampled_from(WHITE + OTHER_WHITE)))


def padded(inner: Strategy[str]) -> Strategy[str]:
    """With white space around it, of which not all is ASCII."""
    return st.builds(lambda before, word, behind: before + word + behind, padding, inner, padding)


def in_any_case(word: str) -> Strategy[str]:
    """The word with its letters in lower or upper case, each by itself."""
    return st.lists(st.booleans(), min_size=len(word), max_size=len(word)).map(
        lambda ups: "".join(each.upper() if up else each for each, up in zip(word, ups, strict=True))
    )


_words: Final = st.sampled_from(["true", "false", "yes", "no", "on", "off", "1", "0"]).flatmap(in_any_case)
_like_digits: Final = st.sampled_from("0123456789" * 2 + "+-.,_'eExXb \u0663\u2212\uff17")
_digits: Final = st.one_of(any_integer.map(str), number.map(lambda each: each.text), text(most=6, of=_like_digits))
_phrases: Final = st.lists(
    st.one_of(
        st.sampled_from(["null", "true", "a", '"', "[1]", "\\n", "e\u0301", "\r\n", "  ", "<b>", "Z"]), text(most=2)
    ),
    max_size=4,
).map("".join)
_any_text: Final = st.one_of(padded(text()), padded(_phrases), number)

near: Final[dict[str, Strategy[Value]]] = {
    "bool": st.one_of(padded(_words), number, text(most=5, of=st.sampled_from("truefalsyenof10 ")), padding),
    "int": st.one_of(_digits, number, padded(_digits)),
    "string": _any_text,
    "string_set": st.lists(
        st.one_of(
            padded(text(most=2)),
            padded(st.sampled_from("aA1")),
            small.map(lambda each: Number(str(each))),
            scalar,
            other,
        ),
        max_size=6,
    ),
    "string_value": _any_text,
}
"""By reader, values of the kind that it is there for."""
