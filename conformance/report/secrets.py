"""Values that the user gave the target in its environment, taken out of everything that is reported.

A target may write a key that it was given to standard error, or into a reply; reports go to strangers. This module must
never be asked what the values are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

SHORTEST: Final = 6
"""Shorter values are words of their own, such as `1` or `debug`, and would be found everywhere."""


class Secrets:
    """The given values, each with the name of its variable, which is shown in its place."""

    def __init__(self, env: Mapping[str, str]) -> None:
        found = {value: f"${name}" for name, value in env.items() if len(value) >= SHORTEST}
        self._shown = sorted(found.items(), key=lambda pair: -len(pair[0]))

    def hide(self, value: Any) -> Any:
        """The same plain data without the values; keys of objects stay."""
        if not self._shown:
            return value
        if isinstance(value, str):
            for secret, name in self._shown:
                value = value.replace(secret, name)
            return value
        if isinstance(value, list):
            return [self.hide(each) for each in value]
        if isinstance(value, dict):
            return {key: self.hide(each) for key, each in value.items()}
        return value
