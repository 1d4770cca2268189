"""Which columns the traffic has, and in which order."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from inspector.tui.registry import bindings, label
from inspector.tui.screens.dialog import Dialog
from inspector.tui.undo import Undoable
from inspector.tui.widgets.lists.moving import Options
from inspector.tui.widgets.traffic.frame_columns import CHOICES, TITLES, USUAL
from inspector.tui.widgets.traffic.frame_list import FrameList


class ColumnsScreen(ModalScreen[None]):
    """Changes `frames` at once."""

    DEFAULT_CSS = """
    ColumnsScreen {
        & > Dialog {
            width: 66; max-width: 100%; height: auto; max-height: 100%;
            padding: 0 1;
        }
        OptionList { height: auto; max-height: 100%; background: $surface; }
        Static { height: auto; color: $quiet; margin-top: 1; }
    }
    """
    SCOPE = "columns"
    BINDINGS: ClassVar[list[BindingType]] = bindings("columns")

    def __init__(self, frames: FrameList) -> None:
        super().__init__()
        self._frames = frames
        self._order = [*frames.names, *(name for name in CHOICES if name not in frames.names)]
        self._shown = set(frames.names) | {"told"}
        self._list = Options(markup=False, compact=True)

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = Content("Columns")
            yield self._list
            keys = (
                ("toggle", "shows or hides"),
                ("move_down", "and"),
                ("move_up", "move"),
                ("usual", "as they came"),
            )
            told = " · ".join(f"{label(f'columns.{key}')} {what}" for key, what in keys)
            told = told.replace(" and · ", " ")
            yield Static(f"{told}\nWhere there is no room, the least important ones go first.", markup=False)

    def on_mount(self) -> None:
        self._fill(0)
        self._list.focus()

    def _fill(self, at: int) -> None:
        self._list.clear_options()
        self._list.add_options([Option(self._prompt(name)) for name in self._order])
        self._list.highlighted = at

    def _prompt(self, name: str) -> Content:
        on = name in self._shown
        title = TITLES[name] or "→ ←"
        return Content.assemble(
            ("■ " if on else "□ ", "$text-accent" if on else "$quiet"),
            (f"{title:<16}", "bold" if on else "$quiet"),
            (CHOICES[name], "$quiet"),
        )

    def _apply(self) -> None:
        self._frames.choose_columns([name for name in self._order if name in self._shown])

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._list.highlighted = event.option_index
        self.action_show()

    def action_show(self) -> None:
        at = self._list.highlighted or 0
        name = self._order[at]
        if name == "told":
            self.notify("this column always stays: it says what the row is", timeout=3, markup=False)
            return
        self._shown ^= {name}
        self._list.replace_option_prompt_at_index(at, self._prompt(name))
        self._apply()

    def action_move(self, by: int) -> None:
        at = self._list.highlighted or 0
        if 0 <= at + by < len(self._order):
            self._order[at], self._order[at + by] = self._order[at + by], self._order[at]
            self._fill(at + by)
            self._apply()

    def action_usual(self) -> None:
        frames, before = self._frames, self._frames.names
        self.app.post_message(
            Undoable("the columns are those of before", lambda: frames.choose_columns(before))
        )
        self._order = [*USUAL, *(name for name in CHOICES if name not in USUAL)]
        self._shown = set(USUAL)
        self._fill(0)
        self._apply()

    def action_close(self) -> None:
        self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(None)
