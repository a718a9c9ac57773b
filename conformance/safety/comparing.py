"""Replies held against each other: alike, alike but for the spelling that both repeat, and what a refusal tells.

Texts are searched for an argument's name and for the look of a refusal; the second only ever makes a verdict milder.
This module must never call anything.
"""

from __future__ import annotations

import re
from typing import Final

from ..calling import Reply
from ..values import Number, Value, dumps, same

MARK: Final = "\ue000"

_LOOKS_REFUSED: Final = re.compile(
    r"(?i)^\W*(?:error|invalid|failed|cannot|can't|could not|unknown|expected|missing|bad |not a valid|unable|illegal|"
    r"unsupported)|\b(?:must be|is invalid|is not valid|not a valid|is required|was rejected)\b"
)


def alike(one: Reply, other: Reply) -> bool:
    """Whether two replies say the same."""
    return same(one.essence, other.essence)


def alike_but_spelt(one: Reply, other: Reply, spellings: tuple[Value, ...]) -> bool:
    """Whether two replies say the same once every place that repeats one of these values is made equal."""
    forms = sorted({form for value in spellings for form in _forms(value)}, key=lambda form: -len(form))
    return same(_neutral(one.essence, forms, spellings), _neutral(other.essence, forms, spellings))


def names(reply: Reply, argument: str) -> bool:
    """Whether a refusal names the argument, in its own spelling or as words."""
    said = _plain(f"{reply.text} {dumps(reply.essence)}")
    return _plain(argument) in said


def looks_refused(reply: Reply) -> bool:
    """Whether an accepted reply reads like a refusal that forgot to say isError."""
    return bool(_LOOKS_REFUSED.search(reply.text[:500]))


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


def _forms(value: Value) -> list[str]:
    """How programs print a value inside of a text."""
    found = [dumps(value)]
    if isinstance(value, str):
        found += [value, value.strip(), repr(value)]
    elif isinstance(value, bool) or value is None:
        found += [str(value), str(value).lower()]
    elif isinstance(value, Number):
        plain = value.text.removesuffix(".0")
        found += [plain, f"{plain}.0"] if value.is_integer else []
    return [form for form in found if form]


def _neutral(value: Value, forms: list[str], spellings: tuple[Value, ...]) -> Value:
    if any(same(value, spelling) for spelling in spellings):
        return MARK
    if isinstance(value, str):
        for form in forms:
            value = value.replace(form, MARK)
        return value
    if isinstance(value, list):
        return [_neutral(each, forms, spellings) for each in value]
    if isinstance(value, dict):
        return {key: _neutral(each, forms, spellings) for key, each in value.items()}
    return value
