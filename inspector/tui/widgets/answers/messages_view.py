"""The messages of a prompt, one below the other: who says what, and of what kind it is."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message as TextualMessage
from textual.widget import Widget
from textual.widgets import Markdown, Static

from inspector.base.text import bytes_size
from inspector.tui import guard
from inspector.tui.calls import Call
from inspector.tui.clipboard import CopyRequested
from inspector.tui.pieces import MOST_MARKDOWN, Message, Piece, plain
from inspector.tui.registry import bindings
from inspector.tui.widgets.answers.content_view import ContentView
from inspector.tui.widgets.text.facts import Part

_MOST = 200
"""Messages that are shown; Raw has all."""
_MOST_TEXT = 20_000
"""Characters of one part that are shown at once."""


class LinkWanted(TextualMessage):
    """The person wants to read a URI that a message points to."""

    def __init__(self, uri: str) -> None:
        super().__init__()
        self.uri = uri


class MessageCard(Vertical, can_focus=True):
    """One message. Enter follows the link in it, if it is one to a resource."""

    SCOPE = "message"
    BINDINGS: ClassVar[list[BindingType]] = bindings("message")
    DEFAULT_CSS = """
    MessageCard {
        height: auto; margin: 0 1 1 0; padding: 0 1;
        border-left: outer $quiet;
        &.-user { border-left: outer $text-primary; }
        &.-assistant { border-left: outer $text-success; margin-left: 4; }
        &:focus { background: $surface; }
        & Static { height: auto; }
        & Markdown { padding: 0; background: transparent; }
        & MarkdownH1, & MarkdownH2, & MarkdownH3 { content-align: left middle; color: $text-accent; margin: 0 0 1 0; }
    }
    """

    def __init__(self, message: Message, *, as_markdown: bool) -> None:
        super().__init__()
        self.message = message
        self._as_markdown = as_markdown
        if message.role in ("user", "assistant"):
            self.add_class(f"-{message.role}")

    def compose(self) -> ComposeResult:
        yield Static(self._title(), markup=False)
        for piece in self.message.pieces:
            if (
                self._as_markdown
                and piece.text is not None
                and len(piece.text) < MOST_MARKDOWN
                and not piece.problem
            ):
                if piece.kind != "text":
                    yield Static(Content.assemble(*_label(piece)), markup=False)
                yield Markdown(guard.block(piece.text), open_links=False)
            else:
                yield Static(Content.assemble(*_parts(piece)).rstrip(), markup=False)

    def _title(self) -> Content:
        tone = {"user": "$text-primary", "assistant": "$text-success"}.get(self.message.role, "$text-warning")
        role = guard.line(self.message.role)[:60] or "(no role)"
        kinds = " + ".join(piece.kind for piece in self.message.pieces[:5])
        if all(piece.kind == "text" for piece in self.message.pieces):
            # Of all else the size stands with it.
            kinds += f" · {bytes_size(sum(len(piece.bytes_) for piece in self.message.pieces))}"
        parts: list[Part] = [(role, f"bold {tone}"), (f"  {kinds}", "$quiet")]
        if self.message.problem:
            parts.append((f"\n▲ {self.message.problem}", "$text-warning"))
        return Content.assemble(*parts)

    @property
    def piece(self) -> Piece | None:
        """What is saved of it: the first part with bytes, otherwise the first."""
        pieces = self.message.pieces
        return next((piece for piece in pieces if piece.data is not None), pieces[0] if pieces else None)

    def copy_offer(self) -> tuple[str, str] | None:
        return "the message", guard.masked(self.message.text)

    def on_click(self, event: events.Click) -> None:
        self.focus()

    def action_step(self, by: int) -> None:
        """Scrolls over the rest of a long message, then goes to the next one."""
        scroll = self.parent
        if not isinstance(scroll, VerticalScroll):
            return
        beyond = self.region.bottom > scroll.region.bottom if by > 0 else self.region.y < scroll.region.y
        if beyond:
            scroll.scroll_relative(y=by, animate=False)
            return
        cards = list(scroll.query(MessageCard))
        at = cards.index(self) + by
        if 0 <= at < len(cards):
            scroll.screen.set_focus(cards[at], scroll_visible=False)
            scroll.scroll_to_widget(
                cards[at], animate=False, top=by > 0 and cards[at].size.height > scroll.size.height
            )

    def action_edge(self, at: int) -> None:
        """To the first message (0) or the last one (-1)."""
        scroll = self.parent
        if isinstance(scroll, VerticalScroll):
            card = list(scroll.query(MessageCard))[at]
            scroll.screen.set_focus(card, scroll_visible=False)
            scroll.scroll_to(y=0 if at == 0 else scroll.max_scroll_y, animate=False)

    def action_page(self, pages: float) -> None:
        """By the lines of a page: to the message that stands there then."""
        scroll = self.parent
        if not isinstance(scroll, VerticalScroll):
            return
        cards, step = list(scroll.query(MessageCard)), int(pages * max(2, scroll.size.height - 1))
        wanted = max(0, min(self.virtual_region.y + step, cards[-1].virtual_region.bottom - 1))
        card = next(each for each in cards if each.virtual_region.bottom > wanted)
        scroll.screen.set_focus(card, scroll_visible=False)
        scroll.scroll_relative(y=step, animate=False)

    @property
    def _link(self) -> str | None:
        return next(
            (piece.name for piece in self.message.pieces if piece.kind == "link" and piece.name), None
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._link is not None if action == "follow" else True

    def action_follow(self) -> None:
        if (uri := self._link) is not None:
            self.post_message(LinkWanted(uri))


class MessagesView(ContentView):
    """Views: the messages as plain text or with their Markdown set, and what every content has."""

    DEFAULT_CSS = """
    MessagesView .cards { padding: 1 0 0 1; }
    """

    def __init__(self, listing: str, *, id: str | None = None) -> None:
        super().__init__(listing, id=id)
        self._messages: list[Message] = []

    async def show_messages(self, call: Call, messages: list[Message], whole: str) -> None:
        self._messages = messages if call.why is None else []
        await self.show(call, [], whole)

    def content_views(self) -> list[str]:
        return ["messages", "markdown"] if self._messages else super().content_views()

    def summary(self) -> Content:
        count = len(self._messages)
        return Content("" if not count else "1 message" if count == 1 else f"{count:,} messages")

    def build(self, name: str, id_: str) -> Widget:
        if name not in ("messages", "markdown"):
            return super().build(name, id_)
        cards: list[Widget] = [
            MessageCard(message, as_markdown=name == "markdown") for message in self._messages[:_MOST]
        ]
        if len(self._messages) > _MOST:
            cards.append(Static(f"… the first {_MOST} of {len(self._messages):,}; Raw has all", markup=False))
        scroll = VerticalScroll(*cards, id=id_, classes="cards")
        scroll.can_focus = False
        return scroll

    def enter(self) -> None:
        current = self.shown
        cards = current.query(MessageCard) if current is not None else None
        if cards:
            cards.first().focus()
        else:
            super().enter()

    @on(Markdown.LinkClicked)
    def _link_clicked(self, event: Markdown.LinkClicked) -> None:
        event.stop()
        event.prevent_default()
        self.notify(guard.line(event.href)[:400], title="The link leads to", timeout=6, markup=False)

    # Copy and save

    @property
    def _card(self) -> MessageCard | None:
        focused = self.screen.focused if self.is_attached else None
        return focused if isinstance(focused, MessageCard) and self in focused.ancestors else None

    @property
    def piece(self) -> Piece | None:
        if (card := self._card) is not None:
            return card.piece
        pieces = [piece for message in self._messages for piece in message.pieces]
        return pieces[0] if len(pieces) == 1 else _all(self._messages) if pieces else None

    def copy_offer(self) -> tuple[str, str] | None:
        if self.view in ("messages", "markdown"):
            return "all messages", self._as_text()
        return super().copy_offer()

    def copy_all(self) -> None:
        """All messages as text, whichever has the focus."""
        self.post_message(CopyRequested("All messages", self._as_text()))

    def _as_text(self) -> str:
        return guard.masked("\n\n".join(f"{message.role}: {message.text}" for message in self._messages))


def _all(messages: list[Message]) -> Piece:
    text = "\n\n".join(f"{message.role}: {message.text}" for message in messages)
    return Piece("messages", "messages", "text/plain", None, text=text)


def _label(piece: Piece) -> list[Part]:
    facts = [fact for fact in (guard.line(piece.name)[:400], *piece.facts) if fact]
    return [(" · ".join([piece.kind, *facts]), "$quiet")]


def _parts(piece: Piece) -> list[Part]:
    parts: list[Part] = []
    if piece.problem:
        parts.append((f"▲ {piece.problem}\n", "$text-warning"))
    if piece.kind == "link":
        value = piece.value if isinstance(piece.value, dict) else {}
        title = value.get("title") or value.get("name")
        about = value.get("description")
        parts += [(f"{guard.line(title)[:200]}  " if isinstance(title, str) else "", "$foreground")]
        parts += [(guard.line(piece.name)[:2000] or "(no URI)", "$text-primary")]
        parts.append((f"  {guard.line(piece.mime)[:60]}" if piece.mime else "", "$quiet"))
        parts.append((f"\n{guard.block(about)[:2000]}" if isinstance(about, str) else "", "$quiet"))
        parts += [("\nenter", "bold $text-accent"), (" reads it", "$quiet")]
        return parts
    if piece.kind != "text":
        parts += [*_label(piece), ("\n", "")]
    if piece.data is not None and piece.text is None:
        parts += [("w", "bold $text-accent"), (" saves it to a file", "$quiet")]
        return parts
    text = plain(piece)
    # Masked well beyond the cut: no half of a secret may be left standing at the end.
    shown = guard.block(text[: _MOST_TEXT * 4])[:_MOST_TEXT]
    parts.append((shown, "$foreground") if shown.strip() else ("(empty text)", "$quiet"))
    if len(text) > _MOST_TEXT:
        parts.append(
            (f"\n… the first {_MOST_TEXT:,} of {len(text):,} characters; w saves all", "$text-warning")
        )
    return parts
