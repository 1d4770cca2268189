"""Ways to copy a call or its answer, each with what would be copied."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from inspector.base.text import clip
from inspector.tui import guard
from inspector.tui.calls import Call, restored
from inspector.tui.clipboard import CopyRequested
from inspector.tui.copying import Offer, offers
from inspector.tui.registry import bindings
from inspector.tui.screens.dialog import Dialog

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

_PREVIEW = 3000


class CopyAsScreen(ModalScreen[None]):
    """Enter, a letter or a click copies and closes. A call that was not made yet is what the form would send."""

    DEFAULT_CSS = """
    CopyAsScreen {
        & > Dialog {
            width: 100; max-width: 96%; height: auto; max-height: 94%;
            padding: 0 1;
        }
        OptionList { height: auto; max-height: 12; background: $surface; }
        VerticalScroll { height: auto; min-height: 4; max-height: 14; border-top: solid $line; padding: 0 1; }
        VerticalScroll > Static { height: auto; }
    }
    """
    SCOPE = "copy_as"
    BINDINGS: ClassVar[list[BindingType]] = bindings("copy_as")

    def __init__(self, connection: Connection, call: Call) -> None:
        super().__init__()
        self._connection = connection
        self._call = call
        self._offers: list[Offer] = []
        self._options = OptionList(markup=False, compact=True)
        self._preview = Static(markup=False)

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            call = self._call
            made = call.pending is not None or not call.running
            when = (
                f"the call of {time.strftime('%H:%M:%S', time.localtime(call.at))}"
                if made
                else "what is entered now"
            )
            box.border_title = Content(f"Copy {clip(guard.line(call.subject), 40)} as … ({when})")
            box.border_subtitle = "enter or the letter copies · esc closes"
            yield self._options
            with VerticalScroll(can_focus=False):
                yield self._preview

    def on_mount(self) -> None:
        raw_of = self.app.workspace.traffic.raw  # type: ignore[attr-defined]
        answer = restored(self._call, raw_of)
        sent: bytes | None = None
        if self._call.sent_row is not None and self._call.sent_row >= 0:
            try:
                sent = raw_of(self._call.sent_row)
            except IndexError:
                pass  # the traffic has let go of it: it is written anew
        self._offers = offers(self._connection, self._call, answer, sent)
        self._options.add_options([Option(_prompt(offer), disabled=not offer.text) for offer in self._offers])
        first = next((at for at, offer in enumerate(self._offers) if offer.text), 0)
        self._options.highlighted = first
        self._options.focus()

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        text = guard.masked(self._offers[event.option_index].text)
        self._preview.update(Content(clip(guard.block(text[: 4 * _PREVIEW]), _PREVIEW)))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._copy(self._offers[event.option_index])

    def action_copy(self, letter: str) -> None:
        for offer in self._offers:
            if offer.key == letter and offer.text:
                self._copy(offer)

    def _copy(self, offer: Offer) -> None:
        self.app.post_message(CopyRequested(offer.what, guard.masked(offer.text)))
        self.dismiss(None)

    async def action_dismiss(self, result: None = None) -> None:
        self.dismiss(None)


def _prompt(offer: Offer) -> Content:
    if not offer.text:
        return Content.assemble(
            (f"  {offer.key}  {offer.title}", "$quiet"), (f"   {offer.why_not}", "$quiet")
        )
    return Content.assemble((f"  {offer.key}  ", "bold $text-accent"), offer.title)
