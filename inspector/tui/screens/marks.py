"""The marked rows: go to one, name it, take it off."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from inspector.base.text import clip
from inspector.traffic.show import ARROWS
from inspector.tui import guard
from inspector.tui.registry import bindings, label
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.lists.moving import Options
from inspector.tui.widgets.traffic.frame_list import FrameList

_LONGEST = 40


class MarksScreen(ModalScreen[int | None]):
    """Ends with the row to go to."""

    DEFAULT_CSS = """
    MarksScreen {
        & > Dialog {
            width: 84; max-width: 100%; height: auto; max-height: 100%;
            padding: 0 1;
        }
        OptionList { height: auto; max-height: 16; background: $surface; }
        Input { display: none; margin-top: 1; }
        &.-naming Input { display: block; }
        Static { height: 1; color: $quiet; margin-top: 1; }
    }
    """
    SCOPE = "marks"
    BINDINGS: ClassVar[list[BindingType]] = bindings("marks")

    def __init__(self, frames: FrameList) -> None:
        super().__init__()
        self._frames = frames
        self._list = Options(markup=False, compact=True)
        self._input = Input(placeholder="name of the mark", compact=True, max_length=_LONGEST)

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = Content("Marks")
            yield self._list
            yield self._input
            keys = (("go", "go there"), ("rename", "name"), ("remove", "take off"), ("close", "close"))
            yield Static(" · ".join(f"{label(f'marks.{key}')} {what}" for key, what in keys), markup=False)

    def on_mount(self) -> None:
        self._fill(0)
        self._list.focus()

    @property
    def _rows(self) -> list[int]:
        return sorted(self._frames.marks)

    @property
    def _current(self) -> int | None:
        at = self._list.highlighted
        return self._rows[at] if at is not None and at < len(self._rows) else None

    def _fill(self, at: int) -> None:
        self._list.clear_options()
        self._list.add_options([Option(self._prompt(number)) for number in self._rows])
        self._list.highlighted = min(at, len(self._rows) - 1) if self._rows else None

    def _prompt(self, number: int) -> Content:
        try:
            row = self._frames.traffic.row(number)
        except IndexError:
            return Content(f"#{number} is not held any more")
        told = guard.line(" ".join(row.summary.split()), cut=True)
        return Content.assemble(
            (f"{guard.line(self._frames.marks[number]):<6} ", "bold $text-warning"),
            (f"#{number:<6} {ARROWS[row.channel]} ", "$quiet"),
            (clip(told, 200), "$foreground"),
        )

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._list.highlighted = event.option_index
        self.action_go()

    def action_go(self) -> None:
        self.dismiss(self._current)

    def action_rename(self) -> None:
        if (number := self._current) is not None:
            self.add_class("-naming")
            self._input.value = self._frames.marks[number]
            self._input.focus()

    @on(Input.Submitted)
    def _named(self, event: Input.Submitted) -> None:
        event.stop()
        number = self._current
        if number is not None and event.value.strip():
            self._frames.marks[number] = event.value.strip()
            self._fill(self._list.highlighted or 0)
        self._end_naming()

    def _end_naming(self) -> None:
        self.remove_class("-naming")
        self._list.focus()

    def action_remove(self) -> None:
        if (number := self._current) is not None:
            self._frames.unmark(number)
            self._fill(self._list.highlighted or 0)
            if not self._frames.marks:
                self.dismiss(None)

    def action_close(self) -> None:
        if self.has_class("-naming"):
            self._end_naming()
        else:
            self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(None)
