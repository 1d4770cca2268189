"""What PaiCLI would make of a server, beside what stands at its tools. Takes foreign names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from inspector.base.text import clip
from inspector.lenses.paicli_resources import seen
from inspector.tui import guard
from inspector.tui.widgets.text.facts import Part, fold, heading

if TYPE_CHECKING:
    from inspector.protocol.listing import ListKind
    from inspector.session.handshake import Handshake
    from inspector.session.listings import Listing

_LONGEST = 600


def paicli_parts(
    name: str, handshake: Handshake, listings: Mapping[ListKind, Listing], width: int
) -> list[Part]:
    """`name` is that of the server. Empty where there is nothing to say."""
    tools, resources = listings.get("tools"), listings.get("resources")
    parts: list[Part] = []
    for said in seen(
        name, handshake.capabilities, tools.entries if tools else (), resources.pages if resources else 1
    ):
        lines = fold(guard.line(clip(said, _LONGEST)), max(10, width - 4))
        parts += [("  · ", "$quiet"), ("\n    ".join(lines) + "\n", "$foreground")]
    return [heading("How PaiCLI would see it"), *parts] if parts else []
