"""JSON Pointers (RFC 6901)."""

from __future__ import annotations

from collections.abc import Iterable


def escape(token: str | int) -> str:
    """One token as it stands in a pointer, without the slash."""
    return str(token).replace("~", "~0").replace("/", "~1")


def pointer(tokens: Iterable[str | int]) -> str:
    """The pointer to the value at this path; empty for the whole document."""
    return "".join(f"/{escape(token)}" for token in tokens)


def tokens(text: str) -> list[str]:
    """The path that a pointer names. What has no leading slash is taken as if it had one, a lone `~` as itself."""
    if not text:
        return []
    return [part.replace("~1", "/").replace("~0", "~") for part in text.removeprefix("/").split("/")]


def index_of(token: str) -> int | None:
    """The place in a list that a token names, as RFC 6901 spells it: no leading zeros."""
    spelled_so = token.isascii() and token.isdigit() and len(token) < 10 and (token == "0" or token[0] != "0")
    return int(token) if spelled_so else None
