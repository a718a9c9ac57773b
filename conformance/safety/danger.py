"""Argument names that say danger, and what a misreading of such an argument would do.

The words are for the reader of a report; no verdict depends on them. This module must never judge.
"""

from __future__ import annotations

import re
from typing import Final

_DANGERS: Final = (
    (r"dry_?run|preview|simulate|what_?if", "a preview that was asked for would become the change itself"),
    (r"confirm(?:ed|ation)?|approved?|yes", "what nobody has confirmed would be done"),
    (r"delete(?:_?all)?|remove|purge|erase|drop|wipe|clear", "what was to be kept would be deleted"),
    (r"force|skip_?checks|ignore_?(?:errors|warnings)", "a safeguard that was left on would be skipped"),
    (r"overwrite|replace|clobber", "what was to be kept would be overwritten"),
    (r"reveal(?:ed)?|public|expose|share|include_?secrets|show_?hidden", "what was to stay hidden would be shown"),
    (r"recursive|recurse|cascade|all", "more than what was named would be touched"),
)
_PATTERNS: Final = tuple((re.compile(rf"(?:^|_)(?:{words})(?:$|_)"), told) for words, told in _DANGERS)


def consequence(argument: str) -> str:
    """What misreading an argument of this name would do; empty for a name that says no danger."""
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", argument).lower().replace("-", "_")
    return next((told for pattern, told in _PATTERNS if pattern.search(plain)), "")
