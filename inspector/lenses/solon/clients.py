"""The clients whose reading differs, and what each takes as the text of a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from inspector.protocol.solon import SKILL, TALENT

Profile = Literal["3.9", "4.0"]


@dataclass(frozen=True, slots=True)
class Client:
    """`first_only`: the first content counts and must be text, else the first text that is not empty. `empty_is_null`:
    no text stands for null where names of tools are wanted. `silent_once`: with an empty instruction it asks for the
    tools once, not twice."""

    name: str
    uri: str
    profile: Profile
    first_only: bool = False
    empty_is_null: bool = False
    silent_once: bool = False


CLIENTS = {
    client.name: client
    for client in (
        Client("3.9.0", SKILL, "3.9", first_only=True),
        Client("3.9.3", SKILL, "3.9"),
        Client("4.0", TALENT, "4.0", empty_is_null=True, silent_once=True),
    )
}


NO_CONTENT = "the result has no content, on which this client fails"
NO_TEXT = "its first content is no text, which this client refuses"


@dataclass(frozen=True, slots=True)
class Told:
    """The text that a client takes from a result, None where it takes none. `thrown` is why it raises instead."""

    text: str | None
    is_error: bool = False
    thrown: str = ""


def told_by(client: Client, result: Any) -> Told:
    """What a client takes from the result of `tools/call`, errors marked as it marks them. Never raises."""
    content = result.get("content") if isinstance(result, dict) else None
    is_error = isinstance(result, dict) and result.get("isError") is True
    parts = content if isinstance(content, list) else []
    texts = [_text(part) for part in parts]
    if client.first_only:
        if not texts:
            return Told(None, is_error, NO_CONTENT)
        if texts[0] is None:
            return Told(None, is_error, NO_TEXT)
        return Told(_marked(texts[0], is_error, "Error:"), is_error)
    # A text of an error is marked before it is looked at, so that it is never empty.
    marked = [_marked(text, is_error, "Error: ") for text in texts if text is not None]
    return Told(next(filter(None, marked), marked[-1] if marked else None), is_error)


def _text(part: Any) -> str | None:
    text = part.get("text") if isinstance(part, dict) and part.get("type") == "text" else None
    return text if isinstance(text, str) else None


def _marked(text: str, is_error: bool, mark: str) -> str:
    return f"Error: {text}" if is_error and not text.startswith(mark) else text
