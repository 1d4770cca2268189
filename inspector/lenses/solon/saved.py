"""Prompts by name, as they are kept: in a file of a person's own, and by the app."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from inspector.base.errors import Failed, fail
from inspector.base.fifo import read_whole
from inspector.config.plain_yaml import load
from inspector.lenses.solon.prompt import ROLES, Prompt, Said
from inspector.protocol.listing import json_type

_MOST_BYTES = 5_000_000
_MEMBERS = {"name", "text", "messages", "attrs", "raw"}


def read(path: Path) -> list[Prompt]:
    """The prompts of a file, YAML or JSON: `prompts: [{name, text or messages or raw, attrs}]`. Raises Failed: io where
    it cannot be read, config naming the place of what is wrong."""
    data = read_whole(path, _MOST_BYTES, "name a file of prompts")
    value = load(path, data)
    listed = value.get("prompts") if isinstance(value, dict) else None
    if not isinstance(listed, list) or not listed:
        raise fail("config", f"{path}: /prompts is no list of prompts", "see docs/how-to/skills.md")
    return [prompt_of(each, f"{path}: /prompts/{at}", f"prompt {at + 1}") for at, each in enumerate(listed)]


def prompt_of(value: Any, where: str, otherwise: str = "") -> Prompt:
    """One of them; `where` is told with what is wrong, `otherwise` the name of one that has none. Raises Failed
    (config)."""
    if not isinstance(value, dict):
        raise _wrong(where, f"is {json_type(value)}, not an object")
    if unknown := [str(name) for name in value if name not in _MEMBERS]:
        raise _wrong(f"{where}/{unknown[0]}", f"is not known; there are: {', '.join(sorted(_MEMBERS))}")
    attrs, raw = value.get("attrs", {}), value.get("raw")
    if not isinstance(attrs, dict):
        raise _wrong(f"{where}/attrs", "is no object of names and values")
    if raw is not None and not isinstance(raw, str):
        raise _wrong(f"{where}/raw", "is no text")
    messages = value.get("messages", [{"content": value["text"]}] if "text" in value else [])
    if not isinstance(messages, list):
        raise _wrong(f"{where}/messages", "is no list")
    said = [_said(each, f"{where}/messages/{at}") for at, each in enumerate(messages)]
    return Prompt(
        said, {str(name): each for name, each in attrs.items()}, raw, str(value.get("name", otherwise))
    )


def _said(value: Any, where: str) -> Said:
    role = value.get("role", "user") if isinstance(value, dict) else None
    content = value.get("content") if isinstance(value, dict) else None
    if role not in ROLES or not isinstance(content, str):
        raise _wrong(where, f"is no message: {{role: {'|'.join(ROLES)}, content: TEXT}}")
    return Said(role, content)


def _wrong(where: str, what: str) -> Failed:
    return fail("config", f"{where} {what}", "see docs/how-to/skills.md")


def as_json(prompt: Prompt) -> dict[str, Any]:
    """What `prompt_of` reads as the same prompt."""
    messages = [{"role": said.role, "content": said.content} for said in prompt.messages]
    kept: dict[str, Any] = {"name": prompt.name, "messages": messages, "attrs": dict(prompt.attrs)}
    return kept if prompt.raw is None else {**kept, "raw": prompt.raw}


def kept_of(kept: Mapping[str, Any], server: str) -> list[Prompt]:
    """Those of a server in what the app keeps, by server; what cannot be read is passed over."""
    listed = kept.get(server)
    found: list[Prompt] = []
    for each in listed if isinstance(listed, list) else ():
        try:
            found.append(prompt_of(each, server))
        except Failed:
            continue
    return found


def keep(kept: dict[str, Any], server: str, prompts: Iterable[Prompt]) -> None:
    """Puts the prompts of a server in place of those that were kept."""
    kept[server] = [as_json(prompt) for prompt in prompts]
