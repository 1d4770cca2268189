"""Markdown as set text. Its links are told, never followed."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.widgets import Markdown, Static

from inspector.tui import guard
from inspector.tui.pieces import MOST_MARKDOWN
from inspector.tui.widgets.lists.moving import Scroll

_MOST_LINES = 600


class MarkdownView(Scroll):
    """Shows foreign Markdown. Of a long text only the beginning, since every paragraph is a widget of its own."""

    DEFAULT_CSS = """
    MarkdownView {
        height: 1fr;
        & > Markdown { padding: 0 1; background: $background; }
        & > .rest { height: auto; padding: 0 1; color: $text-warning; }
        & MarkdownH1, & MarkdownH2, & MarkdownH3 { content-align: left middle; color: $text-accent; margin: 0 0 1 0; }
        & MarkdownFence { max-height: 100; }
    }
    """

    def __init__(self, text: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._text = text

    def compose(self) -> ComposeResult:
        shown = _beginning(guard.masked(self._text[: 2 * MOST_MARKDOWN]))
        yield Markdown(guard.block(shown), open_links=False)
        if len(shown) < len(self._text):
            said = f"… the first {len(shown):,} of {len(self._text):,} characters; Text has all of it"
            yield Static(said, classes="rest", markup=False)

    @on(Markdown.LinkClicked)
    def _link(self, event: Markdown.LinkClicked) -> None:
        event.stop()
        event.prevent_default()
        self.notify(guard.line(event.href)[:400], title="The link leads to", timeout=6, markup=False)

    def copy_offer(self) -> tuple[str, str] | None:
        return "the text", guard.masked(self._text)


def _beginning(text: str) -> str:
    cut = text[:MOST_MARKDOWN]
    lines = cut.split("\n", _MOST_LINES)
    return "\n".join(lines[:_MOST_LINES]) if len(lines) > _MOST_LINES else cut
