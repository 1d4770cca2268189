"""Variables in saved calls: by the common profile of configs, when a call is made."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from inspector.base.errors import fail
from inspector.config.interpolate import COMMON, Surroundings, expand

ESCAPED = "$${"
"""Stands for `${` that is meant as it is."""


def filled(value: Any, environment: Mapping[str, str], used: list[tuple[str, str]], name: str) -> Any:
    """The value with variables put into all of its texts, names of members left alone; what was put in is added to
    `used`, as (value, variable). `name` is that of the call. Raises Failed (config) for a variable that is not set."""
    around = Surroundings(environment, str(Path.home()), os.getcwd(), os.getcwd())
    return _filled(value, around, used, name)


def _filled(value: Any, around: Surroundings, used: list[tuple[str, str]], name: str) -> Any:
    if isinstance(value, str):
        return _text(value, around, used, name) if "${" in value else value
    if isinstance(value, dict):
        return {key: _filled(member, around, used, name) for key, member in value.items()}
    if isinstance(value, list):
        return [_filled(item, around, used, name) for item in value]
    return value


def _text(text: str, around: Surroundings, used: list[tuple[str, str]], name: str) -> str:
    parts = []
    for part in text.split(ESCAPED):
        found = expand(part, COMMON, around)
        if found.unset:
            raise fail(
                "config",
                f"{name}: the variable {found.unset[0]} is not set",
                f"set it, or write ${{NAME:-default}}; {ESCAPED}NAME}} is the text ${{NAME}}",
            )
        used += found.used
        parts.append(found.text)
    return "${".join(parts)


def escaped(value: Any) -> Any:
    """What was sent, as it is written to be sent again."""
    if isinstance(value, str):
        return value.replace("${", ESCAPED)
    if isinstance(value, dict):
        return {key: escaped(member) for key, member in value.items()}
    return [escaped(item) for item in value] if isinstance(value, list) else value
