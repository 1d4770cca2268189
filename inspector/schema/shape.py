"""Says what one schema asks for: which kind of field it is, whether null fits, which choices or branches it has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal

from inspector.base.text import clip
from inspector.schema.choices import CHOICES, Choice, constant_choices, kept_choices, spelled, title_of
from inspector.schema.resolve import Resolver

Kind = Literal[
    "text", "number", "integer", "boolean", "choice", "multi", "list", "group", "union", "any", "never"
]

BRANCHES = 200

_TYPES = ("string", "number", "integer", "boolean", "null", "object", "array")
_SCALARS: dict[str, Kind] = {"string": "text", "number": "number", "integer": "integer", "boolean": "boolean"}
_OBJECT_KEYWORDS = (
    "properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties",
    "maxProperties", "dependentRequired", "dependentSchemas", "dependencies",
)  # fmt: skip
_LIST_KEYWORDS = (
    "items",
    "prefixItems",
    "additionalItems",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
)
_TEXT_KEYWORDS = ("pattern", "minLength", "maxLength", "contentEncoding", "contentMediaType")
_TEXT_FORMATS = (
    "date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6", "uri",
    "uri-reference", "uri-template", "url", "iri", "iri-reference", "uuid", "regex", "json-pointer",
    "relative-json-pointer", "password",
)  # fmt: skip
_SAYS_WHAT = frozenset((
    "type", "enum", "const", "properties", "items", "prefixItems", "anyOf", "oneOf", "allOf", "$ref",
    "patternProperties", "additionalProperties", "format", "pattern",
))  # fmt: skip

_DESCRIBES = ("title", "description", "default", "examples", "deprecated", "readOnly", "nullable", "$schema", "$id",
              "id", "$comment", "$defs", "definitions", "discriminator")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Branch:
    """One way to fill in a union; `schema` is complete, with what stands beside the union merged in.

    `position` is its place among the branches as written, where null and impossible ones count too; those of a union
    that is itself a branch have the place of that. `trail` leads to it through each `anyOf` or `oneOf` on the way.
    `constants` are the values that members are restricted to, by name; None where the branch names no members.
    """

    title: str
    schema: Any
    position: int
    trail: tuple[int, ...] = ()
    constants: dict[str, list[Any]] | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """What a schema asks for. `schema` is resolved and without the null that `nullable` speaks of.

    Where only null stands beside one branch there is no union; `null_position` and `only_position` are then theirs.
    """

    kind: Kind
    schema: dict[str, Any]
    nullable: bool = False
    choices: tuple[Choice, ...] = ()
    branches: tuple[Branch, ...] = ()
    null_position: int | None = None
    only_position: int | None = None


def says_nothing(schema: Any) -> bool:
    """True where a schema allows anything, whatever it tells of it."""
    return schema is True or (isinstance(schema, dict) and _SAYS_WHAT.isdisjoint(schema))


_DEEPEST = 8
"""Most lone branches followed one into another, and how far the items of a list are looked into at all."""
_MEMBERS = 100
"""Most members of a branch that are asked for constants."""
_SPREAD = 2
"""How many levels of unions in unions become one."""


def shape(resolver: Resolver, schema: Any) -> Shape:
    """Never raises; whatever is not understood is of kind `any`."""
    resolved = resolver.resolve(schema)
    if isinstance(resolved, bool):
        return Shape("any" if resolved else "never", {})
    return _shape(resolver, resolved, False, 0)


def _shape(resolver: Resolver, schema: dict[str, Any], nullable: bool, depth: int) -> Shape:
    nullable = nullable or schema.get("nullable") is True
    if "const" in schema:
        return Shape(
            "choice", schema, nullable, (Choice(schema["const"], title_of(schema, schema["const"])),)
        )
    members = schema.get("enum")
    if isinstance(members, list) and 0 < len(members) <= CHOICES:
        choices = kept_choices(resolver, schema, members)
        return Shape("choice", schema, nullable or None in members, choices)
    if isinstance(members, list) and len(members) > CHOICES:
        resolver.problem(f"an enum of {len(members):,} values; one is typed, and checked before it is sent")
    for keyword in ("oneOf", "anyOf"):
        several = schema.get(keyword)
        if isinstance(several, list) and several:
            found = _alternatives(resolver, schema, keyword, several, nullable, depth)
            if found is not None:
                return found
    kinds, nullable = _types(resolver, schema, nullable)
    if len(kinds) > 1:
        outer = _for_branches(schema)
        named = schema["type"]
        branches = tuple(Branch(kind, {**outer, "type": kind}, named.index(kind)) for kind in kinds)
        at = named.index("null") if "null" in named else None
        return Shape("union", schema, nullable, branches=branches, null_position=at)
    found = _of_type(resolver, schema, kinds[0] if kinds else "", nullable, depth)
    named = schema.get("type")
    if isinstance(named, list) and "null" in named and kinds and kinds[0] in named:
        return replace(found, null_position=named.index("null"), only_position=named.index(kinds[0]))
    return found


def _types(resolver: Resolver, schema: dict[str, Any], nullable: bool) -> tuple[list[str], bool]:
    """The types without null, and whether null was among them; what is implied where none is named."""
    named = schema.get("type")
    kinds = [kind for kind in (named if isinstance(named, list) else [named]) if isinstance(kind, str)]
    unknown = [kind for kind in kinds if kind not in _TYPES]
    for kind in unknown:
        resolver.problem(f"unknown type {clip(kind, 40)}")
    if unknown:
        return [], nullable
    if "number" in kinds:
        kinds = [kind for kind in kinds if kind != "integer"]
    kinds = list(dict.fromkeys(kinds))
    if kinds == ["null"]:
        return kinds, True
    if "null" in kinds:
        nullable = True
        kinds.remove("null")
    if not kinds:
        if any(keyword in schema for keyword in _OBJECT_KEYWORDS):
            return ["object"], nullable
        if any(keyword in schema for keyword in _LIST_KEYWORDS):
            return ["array"], nullable
        if any(keyword in schema for keyword in _TEXT_KEYWORDS) or schema.get("format") in _TEXT_FORMATS:
            return ["string"], nullable
    return kinds, nullable


def _of_type(resolver: Resolver, schema: dict[str, Any], kind: str, nullable: bool, depth: int) -> Shape:
    if kind in _SCALARS:
        return Shape(_SCALARS[kind], schema, nullable)
    if kind == "null":
        return Shape("choice", schema, True, (Choice(None, "null"),))
    if kind == "object":
        return Shape("group", schema, nullable)
    if kind == "array":
        choices = _item_choices(resolver, schema) if depth < _DEEPEST else ()
        if choices:
            return Shape("multi", schema, nullable, choices)
        return Shape("list", schema, nullable)
    return Shape("any", schema, nullable)


def _item_choices(resolver: Resolver, schema: dict[str, Any]) -> tuple[Choice, ...]:
    """What the items of a list are chosen from; none where they are not."""
    items = schema.get("items")
    resolved = resolver.resolve(items) if isinstance(items, dict) and "prefixItems" not in schema else False
    if not isinstance(resolved, dict) or not any(word in resolved for word in ("enum", "anyOf", "oneOf")):
        return ()
    inner = _shape(resolver, resolved, False, _DEEPEST)
    return inner.choices if inner.kind == "choice" else ()


def _alternatives(
    resolver: Resolver, schema: dict[str, Any], keyword: str, several: list[Any], nullable: bool, depth: int
) -> Shape | None:
    """The shape of a schema with `anyOf` or `oneOf`; None where the branches only restrict and say no more."""
    outer = {key: value for key, value in schema.items() if key != keyword}
    own_type = outer.get("type")
    branches: list[tuple[dict[str, Any], Any, int]] = []
    constants: list[tuple[dict[str, Any], Any, int]] = []
    null_position: int | None = None
    null_title = "null"
    values = all(isinstance(part, dict) and ("const" in part or "enum" in part) for part in several)
    most = CHOICES if values else BRANCHES
    for position, part in enumerate(several[:most]):
        resolved = resolver.resolve(part)
        if resolved is False:
            continue
        branch = resolved if isinstance(resolved, dict) else {}
        if branch.get("type") == "null" or (
            "const" in branch and branch["const"] is None and len(several) > 1
        ):
            nullable = nullable or not isinstance(own_type, str | list) or "null" in own_type
            null_position = position
            if "const" in branch:
                constants.append((branch, part, position))
            null_title = title_of(branch, None)
        else:
            branches.append((branch, part, position))
            constants.append(branches[-1])
    if not branches:
        return None
    choices = constant_choices(constants)
    if choices is None:
        most = BRANCHES
        branches = branches[:most]
    if len(several) > most:
        rest = "any other value is entered as JSON" if choices else "the others are filled in as JSON"
        resolver.problem(f"a choice of {len(several):,} branches; the first {most:,} are shown, {rest}")
    if choices is not None:
        if nullable and not any(choice.value is None for choice in choices):
            choices = (*choices, Choice(None, null_title, null_position))
        return Shape("choice", {**outer, keyword: several}, nullable, choices, null_position=null_position)
    if all(_SAYS_WHAT.isdisjoint(branch) for branch, _, _ in branches):
        return None
    if len(branches) == 1 and depth < _DEEPEST:
        only = branches[0][2]
        merged = _beside(resolver, outer, branches[0][1])
        if merged is None:
            return None
        found = _shape(resolver, merged, nullable, depth + 1)
        if found.kind == "union":
            inner = tuple(_within(branch, only) for branch in found.branches)
            at = found.null_position if null_position is None else null_position
            return replace(found, branches=inner, null_position=at, only_position=only)
        if found.null_position is not None:
            return found
        return replace(found, null_position=null_position, only_position=only)
    shared = _for_branches(outer)
    marks = _marks(outer.get("discriminator"), branches)
    beside = _restricted(resolver, outer, {}) or {}
    parts: list[Branch] = []
    for branch, part, position in branches:
        inner_union = _inner_union(resolver, branch, BRANCHES // len(branches), depth)
        if inner_union is not None:
            nullable = nullable or inner_union.nullable
            parts += (_within(inner, position, shared) for inner in inner_union.branches)
            continue
        title = _branch_title(
            {**branch, **marks[position][0]} if position in marks else branch, part, position
        )
        around = _around([*([shared] if shared else ()), *marks.get(position, ())], part)
        parts.append(Branch(title, around, position, (position,), _restricted(resolver, branch, beside)))
    return Shape("union", outer, nullable, branches=tuple(parts), null_position=null_position)


def _restricted(
    resolver: Resolver, branch: dict[str, Any], beside: dict[str, list[Any]]
) -> dict[str, list[Any]] | None:
    """The values of the members of a branch that can have but some, those that stand beside the union included."""
    properties = branch.get("properties")
    if not isinstance(properties, dict):
        return None
    found = dict(beside)
    for name, part in islice(properties.items(), _MEMBERS):
        if not isinstance(part, dict):
            continue
        if "$ref" in part or "allOf" in part:
            part = resolver.resolve(part)
        if isinstance(part, dict) and "const" in part:
            found[name] = [part["const"]]
        elif isinstance(part, dict) and isinstance(members := part.get("enum"), list):
            found[name] = members
    return found


def _inner_union(resolver: Resolver, branch: dict[str, Any], most: int, depth: int) -> Shape | None:
    """The union that a branch is, where its branches can be shown among those around it."""
    lists = [branch[keyword] for keyword in ("oneOf", "anyOf") if isinstance(branch.get(keyword), list)]
    if depth >= _SPREAD or not lists or max(map(len, lists)) > most:
        return None
    found = _shape(resolver, branch, False, depth + 1)
    return found if found.kind == "union" and 0 < len(found.branches) <= most else None


def _within(branch: Branch, position: int, shared: dict[str, Any] | None = None) -> Branch:
    """A branch of a union that is the branch at `position` of another one, which has `shared` beside it."""
    schema = _around([shared] if shared else [], branch.schema)
    return replace(branch, schema=schema, position=position, trail=(position, *branch.trail))


def _around(others: list[dict[str, Any]], part: Any) -> Any:
    """A branch and what holds beside it. What tells recursion from nesting is the last part."""
    return {"allOf": [*others, part]} if others else part


def _marks(
    discriminator: Any, branches: list[tuple[dict[str, Any], Any, int]]
) -> dict[int, list[dict[str, Any]]]:
    """By position: what a discriminator says of its property in a branch that has no constant for it, by its mapping
    or else by the name that the branch refers to (OpenAPI 3.1, 4.8.25)."""
    name = discriminator.get("propertyName") if isinstance(discriminator, dict) else None
    if not isinstance(name, str):
        return {}
    mapping = discriminator.get("mapping")
    mapping = mapping if isinstance(mapping, dict) else {}
    marks = {}
    for branch, part, position in branches:
        properties = branch.get("properties")
        own = properties.get(name) if isinstance(properties, dict) else None
        reference = part.get("$ref") if isinstance(part, dict) else None
        if not isinstance(reference, str) or (isinstance(own, dict) and ("const" in own or "enum" in own)):
            continue
        last = reference.rpartition("/")[2]
        values = [value for value, target in mapping.items() if target in (reference, last)] or [last]
        says = {"const": values[0]} if len(values) == 1 else {"enum": values}
        marks[position] = [{"properties": {name: says}}]
    return marks


def _for_branches(outer: dict[str, Any]) -> dict[str, Any]:
    """What stands beside a union and holds for each branch; what describes the union stays with the union."""
    return {key: value for key, value in outer.items() if key not in _DESCRIBES}


def _beside(resolver: Resolver, outer: dict[str, Any], part: Any) -> dict[str, Any] | None:
    """A lone branch with what stands beside it: titles, descriptions and defaults outside win."""
    merged = resolver.resolve({"allOf": [outer, part]})
    return merged if isinstance(merged, dict) else None


def _branch_title(branch: dict[str, Any], part: Any, index: int) -> str:
    title = branch.get("title")
    if isinstance(title, str) and title:
        return title
    for name, schema in _pairs(branch.get("properties")):
        if isinstance(schema, dict) and "const" in schema:
            return f"{name} = {spelled(schema['const'])}"
    reference = part.get("$ref") if isinstance(part, dict) else None
    if isinstance(reference, str) and reference.rpartition("/")[2]:
        return reference.rpartition("/")[2]
    return type_name(branch) or f"variant {index + 1}"


def _pairs(value: Any) -> Iterable[tuple[str, Any]]:
    return value.items() if isinstance(value, dict) else ()


def type_name(schema: dict[str, Any]) -> str:
    """The type of a resolved schema in a word or two, for labels; empty where it says none."""
    kind = schema.get("type")
    if isinstance(kind, list):
        return " or ".join(item for item in kind if isinstance(item, str))
    if "const" in schema:
        return spelled(schema["const"])
    if kind == "array":
        items = schema.get("items")
        inner = type_name(items) if isinstance(items, dict) else ""
        return f"array of {inner}" if inner else "array"
    if kind == "object" or "properties" in schema:
        names = list(schema["properties"]) if isinstance(schema.get("properties"), dict) else []
        return "object" + (f" ({', '.join(clip(name, 20) for name in names[:3])})" if names else "")
    if isinstance(kind, str):
        return kind
    return "enum" if isinstance(schema.get("enum"), list) else ""
