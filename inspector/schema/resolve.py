"""Follows local references and merges `allOf`, one schema at a time and only when asked.

Nothing is expanded ahead, so that cycles cost nothing. What cannot be followed is a problem on a list, never an
exception: the schema then counts as if the reference were not there.
"""

from __future__ import annotations

from typing import Any

from inspector.schema.merge import Resolved, merged
from inspector.schema.references import REFERENCES, References, references_of

PARTS = 20_000
"""Most schemas that one is merged from, and the longest chain of references."""
PROBLEMS = 50
_LEADING_ON = (*REFERENCES, "allOf")


class Resolver:
    """Reads the schemas of one root. `problems` collects what could not be followed, each thing once."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self.problems: list[str] = []
        self.kept: dict[tuple[int, int], tuple[Any, Any, Any]] = {}
        """What was made of parts of the schema that are used again and again; for whoever reads it with this."""
        self._references = References(root)
        self._resolved: dict[int, Resolved] = {}

    def problem(self, text: str) -> None:
        if text not in self.problems and len(self.problems) < PROBLEMS:
            self.problems.append(text)

    def resolve(self, schema: Any) -> Resolved:
        """The schema with its references followed, siblings of `$ref` kept, and `allOf` merged in; a new object.

        Anything that is no schema counts as one that allows everything.
        """
        if isinstance(schema, dict) and not any(keyword in schema for keyword in _LEADING_ON):
            return dict(schema) if schema else True
        target = self.followed(schema)
        if target is schema:
            return merged(self._parts(schema))
        # What is referred to is part of the root and stays, so that it need not be merged again for each reference.
        if id(target) not in self._resolved:
            self._resolved[id(target)] = merged(self._parts(target))
        known = self._resolved[id(target)]
        return dict(known) if isinstance(known, dict) else known

    def followed(self, schema: Any) -> Any:
        """Where references lead that have nothing beside them."""
        seen: set[int] = set()
        while isinstance(schema, dict) and len(schema) == 1 and id(schema) not in seen:
            seen.add(id(schema))
            for keyword, reference in references_of(schema):
                found, target = self.look_up(reference, schema, keyword)
                schema = target if found else schema
        return schema

    def target(self, schema: Any) -> Any:
        """Where the references of a schema end; the schema itself if it has none. Tells recursion from nesting."""
        seen: set[int] = set()
        while references := references_of(schema):
            keyword, reference = references[0]
            found, target = self.look_up(reference, schema, keyword)
            if not found or id(schema) in seen or len(seen) > PARTS:
                break
            seen.add(id(schema))
            schema = target
        return schema

    def look_up(self, reference: str, within: Any = None, keyword: str = "$ref") -> tuple[bool, Any]:
        """Whether a reference leads somewhere in this document, and where; `within` is the schema that has it."""
        return self._references.look_up(reference, within, keyword)

    def _parts(self, schema: Any) -> list[Resolved]:
        """Everything that holds where a schema holds: itself, what it refers to, its `allOf`; each once, in order."""
        parts: list[Resolved] = []
        around: set[int] = set()
        seen: set[int] = set()
        waiting: list[tuple[Any, bool]] = [(schema, False)]
        while waiting:
            part, done = waiting.pop()
            if done:
                around.discard(id(part))
            elif isinstance(part, bool):
                parts.append(part)
            elif not isinstance(part, dict):
                names = {list: "a list", str: "a text", type(None): "null"}
                self.problem(f"{names.get(type(part), 'a number')} where a schema was expected")
            elif id(part) in around:
                self.problem("a reference that leads back to itself without saying anything")
            elif id(part) not in seen:
                if len(seen) >= PARTS:
                    self.problem("references or allOf of too many parts; the rest is left out")
                    break
                seen.add(id(part))
                around.add(id(part))
                rest = {key: value for key, value in part.items() if key not in REFERENCES and key != "allOf"}
                if rest:
                    parts.append(rest)
                several = part.get("allOf")
                inner = [*self._targets(part), *(several if isinstance(several, list) else ())]
                waiting.append((part, True))
                waiting += [(one, False) for one in reversed(inner)]
        return parts

    def _targets(self, schema: dict[str, Any]) -> list[Any]:
        targets = []
        for keyword, reference in references_of(schema):
            found, target = self.look_up(reference, schema, keyword)
            if found:
                targets.append(target)
            else:
                here = reference.startswith("#")
                self.problem(
                    f"{reference} {'leads nowhere' if here else 'is not in this schema; not fetched'}"
                )
        return targets
