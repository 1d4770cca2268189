"""Arguments that fit a schema, made up from a seed: for tests and measurements of forms. Not for hostile schemas."""

from __future__ import annotations

import random
from typing import Any

from inspector.base import numbers
from inspector.schema.resolve import Resolver
from inspector.schema.validate import Checker

TRIES = 60
_FORMATS = {
    "date": "2026-02-28", "date-time": "2026-02-28T12:00:00Z", "time": "12:00:00Z", "email": "a@example.com",
    "uri": "https://example.com/a?b=c", "url": "https://example.com", "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "ipv4": "127.0.0.1", "hostname": "example.com",
}  # fmt: skip
_TEXTS = ["", "x", "5", "1.0", "null", "true", " a\n", "é 名", "{", "[1]", '"quoted"', "a/b~c"]
_REALS = ["0", "1.5", "1.50", "1e3", "-0.0", "0.1000000000000000055", "12345678901234567890", "100.0", "-7"]
_WHOLES = ["0", "-3", "1", "7", "1234567890123456789", "42", "1.0", "2e1"]


class Sampler:
    """Makes arguments for one schema. The same seed makes the same ones."""

    def __init__(self, schema: Any, seed: int | str) -> None:
        self._schema = schema
        self._resolver = Resolver(schema)
        self._checker = Checker(schema)
        self._dice = random.Random(seed)

    def arguments(self) -> dict[str, Any] | None:
        """Arguments that the schema takes; None where luck did not find any."""
        for attempt in range(TRIES):
            made = self._value(self._schema, 0, rich=attempt < TRIES // 2)
            if isinstance(made, dict) and not self._checker.check(made).errors:
                return made
        return None

    def _value(self, schema: Any, depth: int, rich: bool) -> Any:
        dice = self._dice
        found = self._resolver.resolve(schema)
        if isinstance(found, bool) or depth > 7:
            return dice.choice(["any", 1, True, None, numbers.loads("2.50"), ["x"], {"k": "v"}])
        if "const" in found:
            return found["const"]
        if isinstance(members := found.get("enum"), list) and members:
            return dice.choice(members)
        for keyword in ("oneOf", "anyOf"):
            if isinstance(several := found.get(keyword), list) and several:
                outer = {key: value for key, value in found.items() if key not in (keyword, "default")}
                return self._value({"allOf": [outer, dice.choice(several)]}, depth + 1, rich)
        kind = found.get("type")
        kind = dice.choice(kind) if isinstance(kind, list) and kind else kind
        if kind == "object" or (kind is None and "properties" in found):
            return self._object(found, depth, rich)
        if kind == "array" or (kind is None and "items" in found):
            return self._list(found, depth, rich)
        if kind == "string":
            return self._text(found)
        if kind in ("integer", "number"):
            return self._number(found, str(kind))
        return {"boolean": dice.random() < 0.5, "null": None}.get(str(kind), dice.choice(["any", 7, None]))

    def _object(self, found: dict[str, Any], depth: int, rich: bool) -> dict[str, Any]:
        properties = found.get("properties")
        properties = properties if isinstance(properties, dict) else {}
        required = found.get("required")
        required = required if isinstance(required, list) else []
        chance = (0.6 if rich else 0.1) / (1 + depth / 2)
        made = {
            name: self._value(part, depth + 1, rich)
            for name, part in properties.items()
            if part is not False and (name in required or self._dice.random() < chance)
        }
        for name in required:
            if name not in made:
                made[name] = self._value(found.get("additionalProperties", True), depth + 1, rich)
        extra = found.get("additionalProperties", True)
        if extra is not False and not properties and self._dice.random() < chance * 2:
            for name in self._dice.sample(["own key", "", "a/b"], self._dice.randint(1, 2)):
                made[name] = self._value(extra, depth + 1, rich)
        return made

    def _list(self, found: dict[str, Any], depth: int, rich: bool) -> list[Any]:
        least, most = found.get("minItems", 0), found.get("maxItems", 4)
        least = least if isinstance(least, int) else 0
        most = most if isinstance(most, int) else 4
        count = self._dice.randint(
            min(least, 20), max(min(least, 20), min(most, least + 2 if rich else least))
        )
        several = found.get("prefixItems", found.get("items"))
        leading = several if isinstance(several, list) else []
        rest = (
            found.get("items", True)
            if not isinstance(found.get("items"), list)
            else found.get("additionalItems", True)
        )
        return [
            self._value(leading[at] if at < len(leading) else rest, depth + 1, rich) for at in range(count)
        ]

    def _text(self, found: dict[str, Any]) -> str:
        dice = self._dice
        kind = found.get("format")
        if isinstance(kind, str) and kind in _FORMATS and dice.random() < 0.8:
            return _FORMATS[kind]
        for keyword in ("examples", "default"):
            given = found.get(keyword)
            given = given[0] if keyword == "examples" and isinstance(given, list) and given else given
            if isinstance(given, str) and dice.random() < (0.8 if "pattern" in found else 0.2):
                return given
        text = dice.choice(_TEXTS)
        if "pattern" in found:
            text = dice.choice(
                [
                    text,
                    "abc",
                    "ABC",
                    "a-b_c",
                    "2026-01-01",
                    "123",
                    "1h",
                    "#a0b0c0",
                    "a.b",
                    "now-1h",
                    "7-123e4567-e89b-12d3-a456-426614174000",
                    "/a",
                ]
            )
        least, most = found.get("minLength"), found.get("maxLength")
        if isinstance(least, int) and len(text) < least:
            text = text.ljust(least, "y")
        return text[:most] if isinstance(most, int) else text

    def _number(self, found: dict[str, Any], kind: str) -> int | float:
        spellings = list(_WHOLES if kind == "integer" else _REALS)
        low, high = (
            found.get("minimum", found.get("exclusiveMinimum")),
            found.get("maximum", found.get("exclusiveMaximum")),
        )
        bounds = [
            bound for bound in (low, high) if isinstance(bound, int | float) and not isinstance(bound, bool)
        ]
        if bounds:
            middle = sum(bounds) / len(bounds)
            spellings = [numbers.dumps(bound) for bound in bounds] + [str(int(bound) + 1) for bound in bounds]
            spellings += [str(int(middle))] + ([f"{middle:.2f}"] if kind == "number" else [])
        step = found.get("multipleOf")
        if isinstance(step, int | float) and not isinstance(step, bool):
            spellings += [numbers.dumps(step), numbers.dumps(step * 2)]
        return numbers.number(self._dice.choice(spellings))


def canonical(value: Any) -> str:
    """JSON text in which the order of members does not count, and the spelling of numbers does."""
    return numbers.dumps(_sorted(value))


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value
