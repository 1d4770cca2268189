"""What VS Code's files ask the person for."""

from __future__ import annotations

from typing import Any

from inspector.config.entry import Input


def declared(value: Any) -> dict[str, Input]:
    """The declared inputs of a file by id; what is not well-formed is left out, so that a reference to it is an
    error."""
    inputs = value.get("inputs") if isinstance(value, dict) else None
    found = {}
    for item in inputs if isinstance(inputs, list) else []:
        if not isinstance(item, dict) or not isinstance(item.get("id"), str):
            continue
        default = item.get("default")
        found[item["id"]] = Input(
            id=item["id"],
            description=str(item.get("description") or ""),
            secret=item.get("password") is True,
            options=tuple(_options(item.get("options"))),
            default=default if isinstance(default, str) else None,
        )
    return found


def _options(options: Any) -> list[str]:
    """The values to choose from; some are objects of a label and a value."""
    values = [option.get("value") if isinstance(option, dict) else option for option in options or ()] if isinstance(
        options, list
    ) else []  # fmt: skip
    return [value for value in values if isinstance(value, str)]
