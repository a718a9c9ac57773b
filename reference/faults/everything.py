"""All faults and variants by name, and what is known to be out of sight."""

from __future__ import annotations

from . import (
    answers,
    asking,
    bridge,
    catalogue,
    envelope,
    framing,
    gate,
    hook,
    ids,
    keys,
    lifecycle,
    listed,
    modern,
    modern_lists,
    modern_requests,
    offering,
    probing,
    readers_bool_int,
    readers_sets,
    readers_text,
    replies,
    seldom,
    shape,
    story,
    story_project,
    streams,
    survival,
    typed_arguments,
    typed_texts,
    unasked,
    variant_readers,
    variants,
)
from .model import Fault

_BOOKS = (
    readers_bool_int,
    readers_sets,
    readers_text,
    keys,
    catalogue,
    hook,
    bridge,
    ids,
    envelope,
    answers,
    framing,
    gate,
    streams,
    survival,
    replies,
    probing,
    story,
    story_project,
    lifecycle,
    unasked,
    listed,
    shape,
    offering,
    asking,
    modern,
    modern_lists,
    modern_requests,
    typed_arguments,
    typed_texts,
    seldom,
)


def _by_name(faults: list[Fault]) -> dict[str, Fault]:
    found: dict[str, Fault] = {}
    for fault in faults:
        if fault.name in found:
            raise ValueError(f"two faults are named {fault.name}")
        found[fault.name] = fault
    return found


FAULTS = _by_name([fault for module in _BOOKS for fault in module.BOOK.faults])
VARIANTS = _by_name(
    [
        typed_arguments.RIGHT,
        *(
            variant
            for book in (variants.BOOK, variants.BARE, variants.FEATURED, variants.MODERN, variant_readers.BOOK)
            for variant in book.faults
        ),
    ]
)
UNSEEN: dict[str, str] = {
    "trims the text of a tool's result": "a probe may read its arguments with the string reader, so no case puts white "
    "space at the ends of a text",
    "bridges a tool of the read-only set that the server lacks, with a made-up description and schema": "no case can "
    "compare two lists as sets; an empty description or schema is seen",
    "derives the read-only set from hints that happen to be right": "a tool that is registered by a probe has no hints",
    "reads its tools' arguments with other readers than the probe shows": "the probe is the target's own word; the "
    "story's tools are judged by what they do",
    "runs the hook while the tool executes and not before": "only the order of their effects shows",
    "crosses the replies of two requests that are answered alike": "nothing in the replies tells them apart",
    "answers a cancelled request since the answer was on its way": "it is allowed",
}
"""Faults that no case can see from outside, each with the reason."""
