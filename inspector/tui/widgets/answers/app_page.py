"""A page that belongs to tools (MCP Apps): what it says that it needs, and its way into a browser after a yes."""

from __future__ import annotations

import asyncio
import webbrowser
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

from textual.content import Content

from inspector.base.text import bytes_size, clip
from inspector.protocol.apps import SCHEME, Needs, ToolPage, is_app, is_source, needs_of, policy
from inspector.tui import guard
from inspector.tui.registry import spoken
from inspector.tui.widgets.text.facts import Part, facts

if TYPE_CHECKING:
    from textual.app import App

    from inspector.tui.pieces import Piece
    from inspector.workspace.pages import Pages

_NETWORK = (
    ("connectDomains", "connects to"),
    ("resourceDomains", "loads from"),
    ("frameDomains", "frames"),
    ("baseUriDomains", "base of links"),
)
_MOST = 8


def tool_page_parts(page: ToolPage) -> list[Part]:
    """What a tool says of its page, in two lines at the most."""
    parts: list[Part] = []
    if page.uri is not None:
        parts += [("▣ page ", "$text-accent"), (clip(guard.line(page.uri), 200), "$text-primary")]
        parts.append((f"  {spoken('app_page')} reads it", "$quiet"))
        parts.append(("  named as before 2026\n" if page.older else "\n", "$quiet"))
        if not page.uri.startswith(SCHEME):
            parts.append((f"▲ a page lies at {SCHEME}…; a host will not show this one\n", "$text-warning"))
    if page.visibility and "model" not in page.visibility:
        parts += [("▣ ", "$text-accent"), ("only pages may call it: models do not see it\n", "$foreground")]
    elif page.visibility and "app" not in page.visibility:
        parts += [("▣ ", "$text-accent"), ("only models may call it, pages may not\n", "$foreground")]
    return parts


def page_parts(mime: Any, needs: Needs | None, tools: Sequence[str]) -> list[Part]:
    """What is known of a resource that is a page: whose, and what it needs. Nothing for what is none."""
    if not is_app(mime):
        return []
    whose = f"page of {_named(tools)}" if tools else "page that no listed tool names"
    parts: list[Part] = [("▣ ", "$text-accent"), (whose, "$foreground")]
    parts += [("  ", ""), (f"{spoken('browse')} opens it in a browser\n", "$quiet")]
    told = _network(needs)
    if needs is not None:
        told += [
            ("asks for", _named(needs.permissions)),
            ("origin", clip(guard.line(needs.domain), 120)),
            ("border", {True: "yes", False: "no", None: ""}[needs.border]),
        ]
    return parts + facts(told)


def _network(needs: Needs | None, *, usable: bool = False) -> list[tuple[str, str]]:
    """What it would like to reach; where `usable` is set without what can be in no policy."""
    wanted = [
        (word, [each for each in needs.domains[member] if not usable or is_source(each)])
        for member, word in _NETWORK
    ] if needs is not None else []  # fmt: skip
    return [(word, _named(domains)) for word, domains in wanted if domains] or [("network", "none")]


def _named(words: Sequence[str]) -> str:
    more = f" and {len(words) - _MOST} more" if len(words) > _MOST else ""
    return ", ".join(clip(guard.line(word), 80) for word in words[:_MOST]) + more


def can_browse(piece: Piece | None) -> TypeGuard[Piece]:
    """Whether a part of an answer is a page for a browser."""
    return piece is not None and piece.text is not None and _is_html(piece.mime)


def _is_html(mime: str | None) -> bool:
    return (mime or "").partition(";")[0].strip().lower() == "text/html"


async def browse(app: App[Any], pages: Pages, piece: Piece, listed: Any) -> bool:
    """Asks, and shows a page to the browser of the person. `listed` is the `_meta` of the resource in its list. False
    where it was not opened."""
    from inspector.tui.screens.confirm import ConfirmScreen

    needs = needs_of(piece.value.get("_meta") if isinstance(piece.value, dict) else None, listed)
    if not await app.push_screen_wait(
        ConfirmScreen("Open this page in your browser?", _question(piece, needs), yes="Open", no="No")
    ):
        return False
    try:
        url = await pages.show(guard.masked_bytes(piece.bytes_), policy(needs))
    except OSError as error:
        said = f"it could not be served from this machine: {error.strerror or error}"
        app.notify(guard.message(said), title="Not opened", severity="error", markup=False)
        return False
    if not await asyncio.to_thread(webbrowser.open, url):
        app.notify(
            f"No browser was found here; {spoken('resources.save')} saves the page to a file.",
            severity="warning", markup=False,
        )  # fmt: skip
        return False
    app.notify("Opened. Its address is good until you quit.", timeout=4, markup=False)
    return True


def _question(piece: Piece, needs: Needs | None) -> Content:
    size = bytes_size(len(piece.bytes_))
    parts: list[Part] = [
        (clip(guard.line(piece.name), 300), "bold $text-primary"),
        (f"\n{clip(guard.line(piece.mime or ''), 80)} · {size}\n\n", "$quiet"),
        ("Its scripts will run: they are code of the server.\n", "bold $foreground"),
        ("Your browser gets it from this machine, at an address that nobody can guess, and keeps it in a box: no "
         "rights of a site, no files, and of the network only what it declares.\n\n", "$foreground"),
        *facts(_network(needs, usable=True)),
    ]  # fmt: skip
    asked = needs.permissions if needs is not None else ()
    domains = [each for listed in needs.domains.values() for each in listed] if needs is not None else []
    for why, words in (
        ("left out, since it is no origin", [each for each in domains if not is_source(each)]),
        ("not given to it", asked),
    ):
        if words:
            parts += [("▲ ", "$text-warning"), (f"{why}: {_named(words)}\n", "$foreground")]
    parts += [
        ("▲ ", "$text-warning"),
        ("no host stands behind it: no answer of a tool reaches it, and it can call none, so it may stay empty",
         "$foreground"),
    ]  # fmt: skip
    return Content.assemble(*parts)
