"""What an HTTP request of 2026-07-28 says in its headers as well as in its body (spec: basic/transports, standard
headers, custom headers from tool parameters)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspector.base.patterns import pattern
from inspector.base.text import quoted

ANNOTATION = "x-mcp-header"
_NAMED_BY = {
    "tools/call": "name", "prompts/get": "name", "resources/read": "uri",
    "tasks/get": "taskId", "tasks/update": "taskId", "tasks/cancel": "taskId",
}  # fmt: skip
_TOKEN = pattern(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_PLAIN = pattern(r"[\x20-\x7e]*")
_PRIMITIVE = ("string", "integer", "boolean")
_DATA = frozenset({"const", "default", "enum", "example", "examples"})
"""Keywords whose values are data: what looks like an annotation in there is none."""
_MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
"""Keywords that hold schemas by name."""
_MOST = 20_000
"""Parts of a schema that are looked at."""
_LONGEST_INTEGER = 14_000
"""Bits of an integer that can be written in decimals."""

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mirrored:
    """The arguments of a tool that go into headers: by their path, the name behind `Mcp-Param-`. `problem` is why the
    tool must not be used over HTTP."""

    headers: Mapping[Path, str]
    problem: str | None = None

    def of(self, arguments: Any) -> dict[str, str]:
        """The headers for these arguments. What is absent, null, or of no type that a header can hold has none."""
        texts = {name: _text(value) for name, value in self.values(arguments).items()}
        return {name: encoded(text) for name, text in texts.items() if text is not None}

    def values(self, arguments: Any) -> dict[str, Any]:
        """What stands in these arguments for each header; None where nothing does."""
        found: dict[str, Any] = {}
        for path, name in self.headers.items():
            value = arguments
            for key in path:
                value = value.get(key) if isinstance(value, dict) else None
            found[f"Mcp-Param-{name}"] = value
        return found


NOTHING = Mirrored({})


def standard(method: str, params: Mapping[str, Any]) -> dict[str, str]:
    """`Mcp-Method`, and `Mcp-Name` for methods that are about one thing."""
    headers = {"Mcp-Method": method}
    name = params.get(_NAMED_BY.get(method, ""))
    if isinstance(name, str):
        headers["Mcp-Name"] = encoded(name)
    return headers


def encoded(text: str) -> str:
    """A value as a header carries it: itself where it is printable ASCII, without blanks at its ends, and does not look
    encoded; else its UTF-8 in base64 between marks."""
    plain = _PLAIN.fullmatch(text) is not None and text == text.strip(" ")
    if plain and not (text.startswith("=?base64?") and text.endswith("?=")):
        return text
    from base64 import b64encode

    return f"=?base64?{b64encode(text.encode('utf-8', 'surrogatepass')).decode()}?="


def decoded(text: str) -> str | None:
    """What `encoded` was given; None for what it would not have made."""
    if not _PLAIN.fullmatch(text):
        return None
    if not (text.startswith("=?base64?") and text.endswith("?=")):
        return text
    from base64 import b64decode

    try:
        return b64decode(text[9:-2], validate=True).decode("utf-8", "surrogatepass")
    except ValueError:
        return None


def mismatch(
    headers: Mapping[str, str], method: str, params: Mapping[str, Any], plan: Mirrored = NOTHING
) -> str | None:
    """How the headers of a request, whose names are in lower case, differ from what its body makes of them (spec:
    server validation); `plan` is that of the tool that is called. None where they do not."""
    meant: dict[str, Any] = {"Mcp-Method": method, **plan.values(params.get("arguments"))}
    if method in _NAMED_BY:
        meant["Mcp-Name"] = params.get(_NAMED_BY[method])
    for name, value in meant.items():
        told, text = headers.get(name.lower()), _text(value)
        if told is None and text is not None:
            return f"{name} is missing"
        if told is not None and not _same(told if name == "Mcp-Method" else decoded(told), value, text):
            return f"{name} is {quoted(told, 200)}, the body says {quoted(text, 200)}"
    return None


def _same(told: str | None, value: Any, text: str | None) -> bool:
    if told == text or told is None or type(value) is not int:
        return told == text and told is not None
    try:
        return float(told) == value
    except (ValueError, OverflowError):
        return False


def _text(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value)) if value.bit_length() <= _LONGEST_INTEGER else None
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else str(value)
    return value if isinstance(value, str) else None


def mirrored(schema: Any) -> Mirrored:
    """Reads the annotations of an input schema. Never raises; the first thing that is wrong is told."""
    headers: dict[Path, str] = {}
    seen: set[str] = set()
    # Each waiting schema with the properties that lead to it; None where something else does.
    waiting: list[tuple[Any, Path | None]] = [(schema, ())]
    for _ in range(_MOST):
        if not waiting:
            break
        part, path = waiting.pop()
        if isinstance(part, list):
            waiting += [(item, None) for item in part]
            continue
        if not isinstance(part, dict):
            continue
        if ANNOTATION in part:
            problem = _problem(part, path, seen)
            if problem is not None:
                return Mirrored({}, problem)
            assert path is not None
            headers[path] = part[ANNOTATION]
        for key, inner in part.items():
            if key == "properties" and path is not None and isinstance(inner, dict):
                waiting += [(each, (*path, name)) for name, each in inner.items()]
            elif key in _MAPS and isinstance(inner, dict):
                waiting += [(each, None) for each in inner.values()]
            elif key not in _DATA:
                waiting.append((inner, None))
    return Mirrored(headers)


def _problem(part: dict[str, Any], path: Path | None, seen: set[str]) -> str | None:
    name, kind = part[ANNOTATION], part.get("type")
    told = repr(name)[:80]
    if not path:
        return f"{ANNOTATION} {told} is not on a property that is reached through properties alone"
    where = f"{ANNOTATION} of {'.'.join(path)}"
    if not isinstance(name, str) or not _TOKEN.fullmatch(name):
        return f"{where} is {told}, which is no name of a header"
    if kind not in _PRIMITIVE:
        return f"{where} is on type {kind!r}; only string, integer and boolean can be headers"
    if name.lower() in seen:
        return f"{where} is {told}, a name that is given twice"
    seen.add(name.lower())
    return None
