"""A document of `writing` as text: JSON, TOML or YAML."""

from __future__ import annotations

import json
from typing import Any

from inspector.base.patterns import pattern
from inspector.config.plain_yaml import dump

_BARE = pattern(r"[A-Za-z0-9_-]+$")


def emit(value: dict[str, Any], language: str) -> str:
    """The text, with a line end at its end."""
    if language == "toml":
        return "\n".join(_tables(value, ())).strip() + "\n"
    if language == "yaml":
        return dump(value, 1000)
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _tables(table: dict[str, Any], path: tuple[str, ...]) -> list[str]:
    """The plain members of a table come before the tables in it."""
    plain = {key: member for key, member in table.items() if not isinstance(member, dict)}
    lines = [f"{_key(key)} = {_value(member)}" for key, member in plain.items()]
    inner = [(key, member) for key, member in table.items() if isinstance(member, dict)]
    if path and (lines or not inner):
        lines = ["", f"[{'.'.join(map(_key, path))}]", *lines]
    for key, member in inner:
        lines += _tables(member, (*path, key))
    return lines


def _key(name: str) -> str:
    return name if _BARE.match(name) else _text(name)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return _text(value) if isinstance(value, str) else str(value)


def _text(value: str) -> str:
    """A basic string; TOML escapes what JSON does, and DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
