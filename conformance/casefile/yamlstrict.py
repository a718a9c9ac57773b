"""Text of a YAML file to a node with places: JSON's scalars only, every other reading of a plain scalar a problem.

PyYAML scans and composes, with libyaml where it is installed; scalars are resolved here. The verdict on a text never
depends on which scanner read it: what the two read differently is refused before either sees it, and a text that
libyaml refuses is judged by the other one.

This module must never guess a type, never know what a case is, and never construct a Python object from a tag.
"""

from __future__ import annotations

import contextlib
import re
from typing import Any, Final

import yaml

from ..model import Location, Node, NodeValue, Problem
from .scalars import NotPlainError, read_key, read_plain

MAX_DEPTH: Final = 64
"""Nesting that is read; nobody writes deeper by hand, and both composers recurse."""
KEY: Final = 0
"""In the place of a depth: a scalar that is a key."""

_UNREADABLE: Final = re.compile("[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""What the two scanners do not both take for a character, or not for the same one."""
_SECOND_LOOK: Final = tuple(
    map(re.compile, (r"[&*!%]", r"\n(?:---|\.\.\.| {100})", r"(?:[\[{]\s*){20}", r"(?:[-?:] +){20}"))
)
"""Where anchors, aliases, tags, directives, further documents and depth can hide; one by one, which is fastest."""
_DIFFERENT: Final = re.compile(r"[|>][-+0-9]*#")
"""What only PyYAML's own scanner reads as we want it: `|#` as an error. Halves of a pair are an error to libyaml."""
_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONE: Final = re.compile("[\ud800-\udfff]")

_NAMED: Final = {
    "\t": ("tab", "a tab", r'indent with spaces; a tab in a text is "\t" in double quotes'),
    "\r": ("line-break", "a carriage return that ends no line", r'in a text it is "\r" in double quotes'),
    "\ufeff": ("invisible-character", "a byte order mark", r'in a text it is "\ufeff" in double quotes'),
}
_NO_KEYS: Final[dict[str, Location]] = {}

_SYNTAX_HINTS: Final = (
    ("cannot start any token", "quote a text that begins so"),
    ("mapping values are not allowed", "quote a text that has a colon and a space in it, or look at the indentation"),
    ("but found ','", "between commas something has to stand; write null or ''"),
    ("unexpected end of stream", "a quote is not closed"),
    ("expected <block end>", "look at the indentation, and for text behind a closing quote or bracket"),
    ("expected ',' or", "a bracket is not closed, or a comma is missing"),
)


_IN_EVENTS: Final = {
    "second-document": ("a file holds one document", "make it a file of its own"),
    "directive": ("directives (%YAML, %TAG) are not used here", "remove the line"),
    "alias": ("aliases are not used here", "repeat the value, or quote a text that begins so"),
    "anchor": ("anchors are not used here", "repeat the value where it is needed"),
    "tag": ("tags are not used here", "remove it, or quote a text that begins so"),
}
"""What only events tell: by its rule, what is said of it, and what to do."""


def _resolving(base: type) -> type:
    """A PyYAML loader that does not resolve scalars by itself: plain ones get the tag `plain`, all others none."""

    class Loader(base):  # type: ignore[misc]
        def resolve(self, kind: type, _value: object, implicit: object) -> str:
            return "plain" if kind is yaml.ScalarNode and isinstance(implicit, tuple) and implicit[0] else ""

        def descend_resolver(self, *_: object) -> None:
            """No resolver looks at a path here."""

        def ascend_resolver(self) -> None:
            """No resolver looks at a path here."""

    return Loader


_SLOW: Final[Any] = _resolving(yaml.SafeLoader)
_FAST: Final[Any] = _resolving(yaml.CSafeLoader) if hasattr(yaml, "CSafeLoader") else _SLOW


def decode(data: bytes, file: str) -> tuple[str, list[Problem]]:
    """Bytes of a file to text; a byte order mark at the start is dropped, CR LF counts as a line feed."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        problem = Problem(Location(file, line, column), "not-utf-8", "this byte is no UTF-8", "save the file as UTF-8")
        return "", [problem]
    return text.replace("\r\n", "\n"), []


def parse(text: str, file: str, *, fast: bool = True) -> tuple[Node | None, list[Problem]]:
    """Read the one document of a text.

    The node is None when nothing can be said about the rest: bad characters, bad syntax, no document. Otherwise the
    node is whole, as far as it was understood, and the problems are all that were found, in the order of the text.
    `fast` allows libyaml.
    """
    if not text.replace("\n", "").isprintable():
        problems = [_bad_character(text, file, found) for found in _UNREADABLE.finditer(text)]
        if problems:
            return None, problems
    if fast and _FAST is not _SLOW and not _DIFFERENT.search(text):
        reader = _Reader(text, file)
        with contextlib.suppress(yaml.YAMLError):
            node = _parse(reader, _FAST)
            if node is not None and not reader.problems and not reader.doubtful:
                return node, []
    # Words and places of problems are those of one scanner.
    reader = _Reader(text, file)
    node = _parse(reader, _SLOW)
    return node, sorted(reader.problems, key=lambda problem: (problem.at.line, problem.at.column))


def _parse(reader: _Reader, loader: Any) -> Node | None:
    text, file = reader.text, reader.file
    try:
        lines = f"\n{text}"
        if any(pattern.search(lines) for pattern in _SECOND_LOOK):
            reader.look_at_events(loader)
            if reader.problems:
                return None
        document = yaml.compose(text, loader)
    except yaml.MarkedYAMLError as error:
        if loader is not _SLOW:
            raise
        reader.problems = [reader.syntax(error)]
        return None
    except RecursionError:
        reader.report(Location(file, 1, 1), "too-deep", f"more than {MAX_DEPTH} levels", "")
        return None
    if document is None:
        reader.report(Location(file, 1, 1), "empty-file", "there is nothing in this file", "")
        return None
    return reader.node(document, 1)


class _Reader:
    """PyYAML's nodes of one text to ours, gathering problems on the way.

    `names` are keys that were read before, and read as themselves however they are written.
    """

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.problems: list[Problem] = []
        self.doubtful = False
        self.names: set[str] = set()

    def report(self, at: Location, rule: str, message: str, hint: str) -> None:
        self.problems.append(Problem(at, rule, message, hint))

    def look_at_events(self, loader: Any) -> None:
        """Find what composed nodes do not tell: anchors, aliases, tags, directives, further documents, the depth."""
        depth = documents = 0
        for event in yaml.parse(self.text, loader):
            found = []
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                found += ["second-document"] if documents == 2 else []
                found += ["directive"] if event.version or event.tags else []
            elif isinstance(event, yaml.AliasEvent):
                found.append("alias")
            elif isinstance(event, yaml.NodeEvent):
                found += ["anchor"] if event.anchor is not None else []
                found += ["tag"] if getattr(event, "tag", None) is not None else []
            for rule in found:
                self.report(self.span(event), rule, *_IN_EVENTS[rule])
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > MAX_DEPTH:
                    self.report(self.span(event), "too-deep", f"more than {MAX_DEPTH} levels", "")
                    return
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1

    def node(self, source: Any, depth: int) -> Node:
        """One node of PyYAML's, with all below it. Files are read at every start: this is kept lean."""
        kind = type(source)
        at = self.span(source)
        if kind is yaml.ScalarNode:
            value: str = source.value
            if source.tag != "plain":
                return Node(self.paired(value, at) if not value.isascii() else value, at, _NO_KEYS)
            return Node(self.plain(value, at, depth == KEY), at, _NO_KEYS)
        if depth > MAX_DEPTH:
            self.report(at, "too-deep", f"more than {MAX_DEPTH} levels", "")
            return Node(None, at)
        if kind is yaml.SequenceNode:
            elements = tuple([self.node(element, depth + 1) for element in source.value])
            if not source.flow_style and elements:
                at = elements[0].at  # as for a map below
            return Node(elements, at, _NO_KEYS)
        members: dict[str, Node] = {}
        keys: dict[str, Location] = {}
        for key_source, member_source in source.value:
            member = self.node(member_source, depth + 1)
            name = key_source.value
            if type(key_source) is yaml.ScalarNode and name in self.names:
                at_key = self.span(key_source)
            else:
                key = self.node(key_source, KEY if type(key_source) is yaml.ScalarNode else depth + 1)
                if not isinstance(key.value, str):
                    self.bad_key(key_source, key)
                    continue
                name, at_key = key.value, key.at
                if name == key_source.value and key_source.tag == "plain":
                    self.names.add(name)
            if name in members:
                said = f'the key "{name}" is there twice; first on line {keys[name].line}'
                self.report(at_key, "duplicate-key", said, "remove one of the two")
                continue
            members[name] = member
            keys[name] = at_key
        if not source.flow_style and keys:
            # The scanners disagree about where a block ends, and a caret belongs under its first key.
            at = next(iter(keys.values()))
        return Node(members, at, keys)

    def bad_key(self, source: Any, key: Node) -> None:
        if not isinstance(source, yaml.ScalarNode):
            self.report(key.at, "key-no-text", "a key is a text", "")
        elif not any(problem.at == key.at for problem in self.problems):
            self.report(
                key.at, "key-no-text", f"a key is a text, and {source.value} is none", f"write '{source.value}'"
            )

    def plain(self, value: str, at: Location, is_key: bool) -> NodeValue:  # noqa: FBT001 - called once, for every scalar
        if "?" in value:
            self.doubtful = True  # in [a?b] libyaml reads a text, PyYAML's own scanner an error
        try:
            return read_key(value) if is_key else read_plain(value)
        except NotPlainError as error:
            self.report(at, error.rule, str(error), error.hint)
            return value

    def paired(self, value: str, at: Location) -> str:
        """Join the two halves of a character beyond U+FFFF that was written as JSON escapes it."""
        if not _LONE.search(value):
            return value
        joined = _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), value)
        if _LONE.search(joined):
            hint = "in a `send_line` step JSON's own escape is plain text"
            self.report(at, "lone-surrogate", "half of a surrogate pair is no character", hint)
        return joined

    def span(self, source: Any) -> Location:
        """The place of a node or event; its length is 1 where it goes on over several lines, or is a block."""
        start, end = source.start_mark, source.end_mark
        line, column = start.line, start.column
        if end.line != line or getattr(source, "flow_style", None) is False:
            return Location(self.file, line + 1, column + 1)
        return Location(self.file, line + 1, column + 1, end.column - column or 1)

    def syntax(self, error: yaml.MarkedYAMLError) -> Problem:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line, mark.column) if mark else (0, 0)
        said = f"{error.context}: {error.problem}" if error.context else str(error.problem)
        hint = next((hint for words, hint in _SYNTAX_HINTS if words in said), "")
        return Problem(Location(self.file, line + 1, column + 1), "yaml-syntax", said, hint)


def _bad_character(text: str, file: str, found: re.Match[str]) -> Problem:
    line = text.count("\n", 0, found.start()) + 1
    column = found.start() - text.rfind("\n", 0, found.start())
    code = ord(found[0])
    escape = f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    usual = ("invisible-character", f"the character U+{code:04X}", f'in a text it is "{escape}" in double quotes')
    rule, name, hint = _NAMED.get(found[0], usual)
    return Problem(Location(file, line, column), rule, f"{name} cannot stand here", hint)
