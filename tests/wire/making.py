"""Messages made from our schemas: good ones, least and fullest, and spoiled ones, each wrong in one place."""

from __future__ import annotations

import copy
import random

PATHS_AT_MOST = 400
SPOILERS = (None, True, 0, -1, 1.5, 1000, "", "word", [], ["word"], [1], [None], {}, {"type": "string"}, {"a": 1})
WORDS = ("object", "array", "string", "url", "form", "complete", "input_required", "other", "resource", "audio", "low")


class Maker:
    """Makes values that a schema of one document allows. `more` is how likely an optional member is."""

    def __init__(self, definitions, seed):
        self.definitions = definitions
        self.random = random.Random(seed)
        self.more = 0.0

    def make(self, schema):
        """A value for a schema, in Python's own JSON types."""
        flat = self.flat(schema)
        if "const" in flat:
            return flat["const"]
        if "enum" in flat:
            return self.random.choice(flat["enum"])
        kind = flat.get("type", "object" if flat.keys() & {"properties", "required", "additionalProperties"} else "any")
        if isinstance(kind, list):
            kind = self.random.choice(kind)
        return getattr(self, f"_{kind}")(flat)

    def flat(self, schema):
        """A schema without references and choices: one way through it."""
        flat = {}
        self._lay(schema, flat)
        return flat

    def _lay(self, schema, flat):
        if "$ref" in schema:
            self._lay(self.definitions[schema["$ref"].removeprefix("#/$defs/")], flat)
        for part in schema.get("allOf", ()):
            self._lay(part, flat)
        for key, value in schema.items():
            if key == "required":
                flat[key] = [*flat.get(key, ()), *value]
            elif key == "properties":
                known = flat.setdefault(key, {})
                for name, inner in value.items():
                    known[name] = {"allOf": [known[name], inner]} if name in known else inner
            elif key not in {"$ref", "allOf", "anyOf", "if", "then", "else", "not", "x-requirement", "description"}:
                flat[key] = value
        if "anyOf" in schema:
            possible = [each for each in schema["anyOf"] if "not" not in self._resolved(each)]
            self._lay(self.random.choice(possible), flat)
        if "if" in schema:
            if self.random.random() < 0.5 and "not" not in schema["if"]:
                self._lay(schema["if"], flat)
                self._lay(schema.get("then", {}), flat)
            else:
                self._lay(schema.get("else", {}), flat)

    def _resolved(self, schema):
        return self.definitions[schema["$ref"].removeprefix("#/$defs/")] if schema.keys() == {"$ref"} else schema

    def _any(self, flat):
        return {"text": "any"}

    def _null(self, flat):
        return None

    def _boolean(self, flat):
        return self.random.random() < 0.5

    def _string(self, flat):
        return self.random.choice(("word", "zwölf", "https://example.org/a"))

    def _integer(self, flat):
        return self.random.choice((0, 1, 100))

    def _number(self, flat):
        return self.random.choice((0, 1, 0.25))

    def _array(self, flat):
        size = self.random.choice((0, 1, 1, 2)) if self.more < 1 else 1
        return [self.make(flat.get("items", {"type": "string"})) for _ in range(size)]

    def _object(self, flat):
        owed = flat.get("required", ())
        made = {}
        for name, inner in flat.get("properties", {}).items():
            if name in owed or self.random.random() < self.more:
                made[name] = self.make(inner)
        for name in owed:
            made.setdefault(name, {"text": "any"})
        if "additionalProperties" in flat and self.random.random() < max(self.more, 0.3):
            made["one"] = self.make(flat["additionalProperties"])
        return made


def places(value, below=()):
    """The way to every value inside of a value."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield (*below, name)
            yield from places(member, (*below, name))
    elif isinstance(value, list):
        for place, element in enumerate(value):
            yield (*below, place)
            yield from places(element, (*below, place))


def spoiled(value, seed, most):
    """Values that differ from this one in one place, each with the way to it; at most so many."""
    chance = random.Random(seed)
    jobs = [(path, None) for path in list(places(value))[:PATHS_AT_MOST]]
    jobs = [(path, how) for path, _ in jobs for how in ("gone", "extra", *range(len(SPOILERS)), *WORDS)]
    chance.shuffle(jobs)
    for path, how in jobs[:most]:
        changed = copy.deepcopy(value)
        holder = changed
        for step in path[:-1]:
            holder = holder[step]
        if how == "gone":
            del holder[path[-1]]
        elif how == "extra":
            if not isinstance(holder, dict):
                continue
            holder["tck-extra"] = chance.choice(SPOILERS)
        else:
            holder[path[-1]] = SPOILERS[how] if isinstance(how, int) else how
        yield path, changed


def pointer(path):
    """A way as text, with a star for every element of an array."""
    return "".join("/*" if isinstance(step, int) else f"/{step}" for step in path)
