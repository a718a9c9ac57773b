"""What differs from one run to the next, and what nobody else may see: values to expectations by rule.

Rules are tables. What a rule does not name stays as it is. This module must never let a secret through that a rule
names, and never change what a client sent but for a secret in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..values import Number

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..values import Value

REDACTED: Final = "REDACTED"
LONG: Final = 2000
"""Code points from which on a text is expected by its type alone: images, whole files."""

_DAY: Final = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MONTH: Final = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_DATE: Final = (
    rf"{_DAY},? (?:{_MONTH} +\d{{1,2}}|\d{{1,2}} {_MONTH})(?: \d{{4}})? \d{{2}}:\d{{2}}:\d{{2}}(?: \d{{4}})?"
    r"(?: (?:GMT|UTC)?(?:[+-]\d{4})?(?: \([^)\n]*\))?)?"
)
_TIME: Final = r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?"
VOLATILE: Final = (
    ("a time", _TIME, r"\d{4}-\d\d-\d\d[T ][\d:.,]+(?: ?(?:Z|UTC|[+-][\d:]+))?"),
    ("a date", _DATE, r"[A-Z][a-z]{2},? [\w :+()]+?"),
    ("a uuid", *[r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"] * 2),
    ("a digest", *[r"\b[0-9a-f]{32,128}\b"] * 2),
    ("a path", r"(?:/(?:home|Users|root|tmp|var/folders|private)/|[A-Z]:\\Users\\)[^\s\"'<>|:,;)\]}]*", r"\S+?"),
)
"""Parts of a text that are different every time: a name, what they look like, what takes their place in a pattern."""

SECRETS: Final = re.compile(
    r"\bsk-[\w-]{16,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bxox[abprs]-[\w-]{10,}|\bAKIA[0-9A-Z]{16}\b"
    r"|\bAIza[\w-]{30,}|\bglpat-[\w-]{16,}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|(?<=Bearer )[\w.~+/-]{8,}=*"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)"
    r"|(?<=://)[^\s/:@]+:[^\s/@]+(?=@)"
)
"""Texts that are secrets by their look: keys of well-known services, tokens, private keys, passwords in addresses."""

SECRET_KEYS: Final = re.compile(
    r"(?i)(?:^|[_-])(?:password|passwd|secret|token|credentials?|authorization|api[_-]?key|access[_-]?key|private[_-]?key)$"
    r"|(?:Password|Secret|ApiKey|AccessKey|PrivateKey|Credentials?)$|(?:access|auth|refresh|bearer|session|id)Token$"
)
"""Members that hold secrets by their name; MCP's own progressToken is none."""

NUMBER_KEYS: Final = re.compile(
    r"(?i)(?:^|[_-])(?:duration|elapsed|latency|uptime|pid|timestamp|time|mtime|ctime|atime|now)(?:[_-]?(?:ms|s|us|ns))?$"
    r"|(?:Ms|Millis|Seconds|Timestamp|At|Time)$"
)
"""Members whose numbers are different every time by their name."""

MADE_KEYS: Final = frozenset({"nextCursor", "taskId", "elicitationId", "subscriptionId"})
"""Members whose texts a server makes up."""


def is_secret(key: str, value: Value) -> bool:
    """Whether a member holds a secret by its name."""
    return isinstance(value, str) and bool(value) and SECRET_KEYS.search(key) is not None


def redact(value: Value, told: Callable[[str], None], key: str = "") -> Value:
    """What a client sent, without its secrets; `told` gets the name of each member that lost one."""
    if isinstance(value, dict):
        return {name: redact(member, told, name) for name, member in value.items()}
    if isinstance(value, list):
        return [redact(element, told, key) for element in value]
    if not isinstance(value, str):
        return value
    if is_secret(key, value):
        told(key)
        return REDACTED
    cleaned = SECRETS.sub(REDACTED, value)
    if cleaned != value:
        told(key or "a text")
    return cleaned


@dataclass(slots=True)
class Expecter:
    """Makes expectations of what came. `keep` answers the name under which a value is kept for later, or None."""

    keep: Callable[[str, str], str | None]

    def value(self, value: Value, key: str = "") -> Value:
        """An expectation of a value: itself, but for what is different every time, secret, or too long."""
        if isinstance(value, dict):
            if any(name.startswith("$") for name in value):
                return {"$literal": value} if not _is_sensitive(value) else {"$type": "object"}
            return {name: self.value(member, name) for name, member in value.items()}
        if isinstance(value, list):
            return [self.value(element, key) for element in value]
        if isinstance(value, str):
            return self.text(value, key)
        if isinstance(value, Number) and (NUMBER_KEYS.search(key) or _is_epoch(value)):
            return {"$type": "number"}
        return value

    def text(self, value: str, key: str = "") -> Value:
        """An expectation of a text."""
        name = self.keep(value, key)
        if name is not None:
            return {"$save": {"as": name, "is": {"$type": "string"}}}
        if key in MADE_KEYS or is_secret(key, value) or len(value) > LONG:
            return {"$type": "string"}
        return pattern(value)


def pattern(value: str) -> Value:
    """The text itself, or a pattern of it where parts of it are different every time or secret."""
    parts: list[str] = []
    place = 0
    for match in _ANY.finditer(value):
        parts += [re.escape(value[place : match.start()]), _stands_for(match)]
        place = match.end()
    if not parts:
        return value
    parts.append(re.escape(value[place:]))
    whole = "".join(parts).replace("\\\n", r"\n").replace("\\ ", " ").replace("\\-", "-")
    return {"$regex": f"^{whole}$"}


def named(value: Value, key: str = "") -> Value:
    """The value to be read and compared as it is, with a name such as `<a time>` for what is different every time.

    Long texts stay whole.
    """
    if isinstance(value, dict):
        return {name: named(member, name) for name, member in value.items()}
    if isinstance(value, list):
        return [named(element, key) for element in value]
    if isinstance(value, Number):
        return "<a number>" if NUMBER_KEYS.search(key) or _is_epoch(value) else value
    if not isinstance(value, str):
        return value
    if key in MADE_KEYS:
        return "<made up>"
    return REDACTED if is_secret(key, value) else _ANY.sub(_name, value)


def _name(match: re.Match[str]) -> str:
    if match["secret"] is not None:
        return REDACTED
    return next(f"<{name}>" for n, (name, _, _) in enumerate(VOLATILE) if match[f"v{n}"] is not None)


def is_made_up(value: str, key: str) -> bool:
    """Whether a server made a text up, so that a later request with it has to be given the new one."""
    return key in MADE_KEYS or (len(value) >= 8 and pattern(value) in _WHOLE)


_ANY: Final = re.compile(
    "|".join([f"(?P<secret>{SECRETS.pattern})", *(f"(?P<v{n}>{look})" for n, (_, look, _) in enumerate(VOLATILE))])
)
_WHOLE: Final[list[Value]] = [{"$regex": f"^{standing}$".replace("\\-", "-")} for _, _, standing in VOLATILE[2:4]]


def _stands_for(match: re.Match[str]) -> str:
    if match["secret"] is not None:
        return r"[\s\S]+"
    return next(standing for n, (_, _, standing) in enumerate(VOLATILE) if match[f"v{n}"] is not None)


def _is_epoch(value: Number) -> bool:
    """Whether a number looks like a time since 1970 between 2014 and 2040, in seconds or thousandths."""
    exact = value.exact
    if isinstance(exact, str):
        return False
    return 1_400_000_000 <= exact <= 2_210_000_000 or 1_400_000_000_000 <= exact <= 2_210_000_000_000


def _is_sensitive(value: Value) -> bool:
    found: list[str] = []
    redact(value, found.append)
    return bool(found)
