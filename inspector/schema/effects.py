"""What the members of an object mean for each other, in words: `if`/`then`/`else`, dependencies, what must not meet.

A validator decides what is right; this says beforehand what it will ask for, and under which condition. Members that
only a condition speaks of get a field through `Effects.schemas`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from inspector.base.text import clip
from inspector.schema import hints
from inspector.schema.choices import spelled
from inspector.schema.resolve import Resolver
from inspector.schema.shape import says_nothing

DEPTH = 4
"""How far conditions inside of conditions are followed."""
_KINDS = {"string": "a text", "number": "a number", "integer": "a whole number", "boolean": "true or false",
          "null": "null", "array": "a list", "object": "an object"}  # fmt: skip
STEPS = 2_000
"""Most schemas that are looked into for one object."""
MOST = 60
"""Most sentences about one object."""


@dataclass(slots=True)
class Effects:
    """`sentences` are about the object, `notes` about a member, by name; `schemas` are those that conditions have for
    members."""

    sentences: list[str] = field(default_factory=list)
    notes: dict[str, list[str]] = field(default_factory=dict)
    schemas: dict[str, list[Any]] = field(default_factory=dict)

    def schema_of(self, name: str) -> Any:
        """The schema of a member that conditions speak of: theirs, one of them where they differ."""
        several = self.schemas[name]
        return {"anyOf": several} if len(several) > 1 else several[0] if several else True


def effects_of(resolver: Resolver, schema: dict[str, Any]) -> Effects:
    """The effects in a schema that `resolver` has merged. Never raises."""
    properties = schema.get("properties")
    declared = properties.items() if isinstance(properties, dict) else ()
    reader = _Reader(resolver, {name for name, part in declared if not says_nothing(part)})
    reader.read(schema, "", 0)
    return reader.found


class _Reader:
    def __init__(self, resolver: Resolver, declared: set[str]) -> None:
        self._resolver = resolver
        self._declared = declared
        self._steps = 0
        self.found = Effects()

    def read(self, schema: dict[str, Any], when: str, depth: int) -> None:
        several = schema.get("allOf")
        parts = [
            schema,
            *(part for part in (several if isinstance(several, list) else ()) if isinstance(part, dict)),
        ]
        for part in parts:
            self._steps += 1
            if self._steps > STEPS:
                return
            if "if" in part:
                self._branches(part, when, depth)
            self._dependencies(part, when, depth)
            self._restrictions(part, when)

    def _branches(self, part: dict[str, Any], when: str, depth: int) -> None:
        condition = self._resolver.resolve(part["if"])
        if isinstance(condition, bool):
            return
        yes, no = _condition(self._resolver, condition)
        for keyword, words in (("then", yes), ("else", no)):
            if keyword in part:
                self._then(part[keyword], f"{when} and {words}" if when else words, depth)

    def _dependencies(self, part: dict[str, Any], when: str, depth: int) -> None:
        for keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
            several = part.get(keyword)
            for name, needs in several.items() if isinstance(several, dict) else ():
                words = f"{_name(name)} is given"
                then = {"required": needs} if isinstance(needs, list) else needs
                self._then(then, f"{when} and {words}" if when else words, depth)

    def _restrictions(self, part: dict[str, Any], when: str) -> None:
        refused = part.get("not")
        if isinstance(refused, dict) and set(refused) <= {"required", "type"}:
            names = _names(refused.get("required"))
            if names:
                together = "not together: " if len(names) > 1 else "not allowed: "
                words = together + ", ".join(map(_name, names))
                self._say(when, words)
                for name in names:
                    self._note(name, f"if {when}: {words}" if when else words)
        for keyword, words in (("anyOf", "at least one of"), ("oneOf", "exactly one of")):
            several = part.get(keyword)
            if isinstance(several, list) and several and all(_only_requires(one) for one in several):
                ways = [" with ".join(map(_name, _names(one["required"]))) for one in several]
                said = f"needs {words}: {', '.join(ways)}"
                self._say(when, said)
                for name in dict.fromkeys(name for one in several for name in _names(one["required"])):
                    self._note(name, f"if {when}: {said}" if when else said)

    def _then(self, schema: Any, when: str, depth: int) -> None:
        self._steps += 1
        if self._steps > STEPS or depth >= DEPTH or len(self.found.sentences) >= MOST:
            return
        then = self._resolver.resolve(schema)
        if isinstance(then, bool):
            if not then:
                self._say(when, "nothing is allowed")
            return
        said = []
        for name in _names(then.get("required")):
            said.append(f"{_name(name)} is required")
            self.found.schemas.setdefault(name, [])
            self._note(name, f"required if {when}")
        properties = then.get("properties")
        for name, part in properties.items() if isinstance(properties, dict) else ():
            words = self._member(name, part, when)
            if words:
                said.append(words)
        if said:
            self._say(when, "; ".join(said))
        self.read(then, when, depth + 1)

    def _member(self, name: str, part: Any, when: str) -> str:
        resolved = self._resolver.resolve(part)
        if resolved is False:
            self._note(name, f"not allowed if {when}")
            return f"{_name(name)} is not allowed"
        if resolved is True:
            return ""
        self.found.schemas.setdefault(name, []).append(part)
        words = _value(resolved)
        if name in self._declared:
            self._note(name, f"if {when}: {words}" if words else "")
        elif f"required if {when}" not in self.found.notes.get(name, ()):
            self._note(name, f"for the case: {when}")
        return f"{_name(name)} {words}" if words else ""

    def _say(self, when: str, what: str) -> None:
        sentence = f"if {when}: {what}" if when else what
        if len(self.found.sentences) < MOST and sentence not in self.found.sentences:
            self.found.sentences.append(clip(sentence, 400))

    def _note(self, name: str, text: str) -> None:
        notes = self.found.notes.setdefault(name, [])
        if text and len(notes) < 8 and text not in notes:
            notes.append(clip(text, 200))


def _condition(resolver: Resolver, schema: dict[str, Any]) -> tuple[str, str]:
    """When a schema fits, in words, and when it does not."""
    parts = list(_conditions(resolver, schema, 0))
    if not parts:
        return "a condition holds", "a condition does not hold"
    if len(parts) == 1:
        return parts[0]
    yes = " and ".join(part for part, _ in parts)
    return yes, f"not ({yes})"


def _conditions(resolver: Resolver, schema: dict[str, Any], depth: int) -> Iterator[tuple[str, str]]:
    properties = schema.get("properties")
    members = properties if isinstance(properties, dict) else {}
    for name, part in list(members.items())[:10]:
        resolved = resolver.resolve(part)
        if isinstance(resolved, dict):
            yield _compared(_name(name), resolved)
        elif not resolved:
            yield f"{_name(name)} is not given", f"{_name(name)} is given"
    for name in _names(schema.get("required"))[:10]:
        if name not in members or members[name] is True or members[name] == {}:
            yield f"{_name(name)} is given", f"{_name(name)} is not given"
    for keyword, joint in (("anyOf", " or "), ("oneOf", " or "), ("allOf", " and ")):
        several = schema.get(keyword)
        if not isinstance(several, list) or depth >= DEPTH:
            continue
        ways = []
        for one in several[:10]:
            inner = resolver.resolve(one)
            parts = list(_conditions(resolver, inner, depth + 1)) if isinstance(inner, dict) else []
            ways.append(" and ".join(part for part, _ in parts) or "a condition holds")
        if ways:
            yes = f"({joint.join(ways)})" if len(ways) > 1 else ways[0]
            yield yes, f"not {yes}"
    refused = schema.get("not")
    if isinstance(refused, dict) and depth < DEPTH:
        inner = resolver.resolve(refused)
        parts = list(_conditions(resolver, inner, depth + 1)) if isinstance(inner, dict) else []
        if len(parts) == 1:
            yield parts[0][1], parts[0][0]
        elif parts:
            yes = " and ".join(part for part, _ in parts)
            yield f"not ({yes})", f"({yes})"


def _compared(name: str, schema: dict[str, Any]) -> tuple[str, str]:
    if "const" in schema:
        value = _value_of(schema["const"])
        return f"{name} is {value}", f"{name} is not {value}"
    members = schema.get("enum")
    if isinstance(members, list) and members:
        values = _listed(members)
        word = "is" if len(members) == 1 else "is one of"
        return f"{name} {word} {values}", f"{name} {word.replace('is', 'is not', 1)} {values}"
    refused = schema.get("not")
    if isinstance(refused, dict) and ("const" in refused or "enum" in refused):
        yes, no = _compared(name, refused)
        return no, yes
    words = _value(schema)
    return (f"{name} {words}", f"{name} does not fit ({words})") if words else (
        f"{name} fits", f"{name} does not fit"
    )  # fmt: skip


def _value(schema: dict[str, Any]) -> str:
    """What a schema says of a value, as the end of a sentence that begins with its name."""
    if "const" in schema:
        return f"is {_value_of(schema['const'])}"
    members = schema.get("enum")
    if isinstance(members, list) and members:
        return f"is one of {_listed(members)}"
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    named = [_KINDS[one] for one in kinds if isinstance(one, str) and one in _KINDS]
    words = f"is {' or '.join(named)}" if named else ""
    limits = hints.limits(schema)
    return (
        f"{words} ({limits})"
        if words and limits
        else words or (limits if limits.startswith("matches ") else f"fits {limits}" if limits else "")
    )


def _value_of(value: Any) -> str:
    return clip(f'"{value}"' if isinstance(value, str) else spelled(value), 60)


def _listed(members: list[Any]) -> str:
    shown = ", ".join(map(_value_of, members[:6]))
    return shown + (f" and {len(members) - 6} more" if len(members) > 6 else "")


def _name(name: Any) -> str:
    text = str(name)
    return clip(text, 60) if text.strip() else f'"{text}"'


def _names(value: Any) -> list[str]:
    return [name for name in value if isinstance(name, str)][:50] if isinstance(value, list) else []


def _only_requires(schema: Any) -> bool:
    return (
        isinstance(schema, dict)
        and set(schema) <= {"required", "type"}
        and bool(_names(schema.get("required")))
    )
