"""A web address that a server wants to have opened: shown whole, taken apart, opened only after a yes."""

from __future__ import annotations

import asyncio
import webbrowser
from typing import Any

from textual.app import App
from textual.content import Content

from inspector.base.weblinks import examine
from inspector.tui import guard
from inspector.tui.widgets.text.facts import Part, facts

_MOST = 4000


def link_parts(url: Any, *, width: int = 0) -> list[Part]:
    """What is known of an address before anybody goes there."""
    if not isinstance(url, str):
        return [("▲ The server sent no address: its url is no text.\n", "$text-warning")]
    link = examine(url)
    shown = guard.message(url)
    parts: list[Part] = [(shown[:_MOST], "bold $text-primary"), ("\n", "")]
    if len(shown) > _MOST:
        parts.append((f"… the first {_MOST:,} of {len(shown):,} characters; y copies all\n", "$text-warning"))
    parts.append(("\n", ""))
    parts += facts(
        (
            ("scheme", guard.line(link.scheme)),
            ("host", guard.line(link.host)),
            ("reads", guard.line(link.decoded)),
        ),
        width=width,
    )
    if link.why:
        parts += [("\n✗ ", "$text-error"), (f"It is not opened: {guard.message(link.why)}.\n", "$foreground")]
    if link.remarks:
        parts.append(("\n", ""))
    for remark in link.remarks:
        parts += [("▲ ", "$text-warning"), (f"{guard.message(remark)}\n", "$foreground")]
    return parts


def openable(url: Any) -> bool:
    """Whether it is an address that a browser is given, after a yes."""
    return isinstance(url, str) and examine(url).openable


async def open_link(app: App[Any], url: Any, *, no: str = "No") -> bool:
    """Asks, and opens an `openable` address in the browser of the person. False where it was not opened; `no` is what
    the button for that says."""
    from inspector.tui.screens.confirm import ConfirmScreen

    text = Content.assemble(
        ("The server wants this to be opened in your browser:\n\n", "$foreground"), *link_parts(url)
    )
    if not await app.push_screen_wait(
        ConfirmScreen(f"Go to {guard.line(examine(url).host)}?", text.rstrip(), yes="Open", no=no)
    ):
        return False
    if not await asyncio.to_thread(webbrowser.open, url):
        app.notify("No browser was found here. y copies the address.", severity="warning", markup=False)
        return False
    return True
