"""The list that a choice is made from: typing filters it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from inspector.base.text import clip
from inspector.tui import guard
from inspector.tui.registry import bindings

SHOWN = 500
"""Most options shown at once; more are found by typing."""


class _Query(Input):
    """Leaves a leading blank to the list, where it picks."""

    def check_consume_key(self, key: str, character: str | None) -> bool:
        if key == "space" and not self.value:
            return False
        return super().check_consume_key(key, character)


class Picker(ModalScreen[list[int] | None]):
    """Ends with the positions picked, or None where nothing was changed.

    With `several`, tab or space picks and enter ends.
    """

    DEFAULT_CSS = """
    Picker {
        align: center middle;
        background: $background 60%;
        & > Vertical {
            width: 70%; max-width: 80; min-width: 40; height: auto; max-height: 100%;
            background: $surface; border: round $line; border-title-color: $quiet; padding: 0 1;
        }
        & Input { margin: 0 0 1 0; }
        & OptionList { height: auto; background: $surface; }
        & Static { height: 1; color: $quiet; margin-top: 1; }
    }
    """
    SCOPE = "picker"
    BINDINGS: ClassVar[list[BindingType]] = bindings("picker")

    def __init__(
        self,
        title: str,
        titles: Sequence[str],
        picked: Iterable[int],
        *,
        several: bool = False,
        free: bool = False,
        query: str = "",
    ) -> None:
        """`free`: what is typed and matches nothing may be meant as a value itself."""
        super().__init__()
        self._title = title
        self._titles = [clip(guard.line(text), 200) for text in titles]
        self._folded = [text.casefold() for text in self._titles]
        self._picked = list(picked)
        self._several = several
        self._free = free
        self.typed = ""
        """The value that was typed in place of a choice."""
        self._shown: list[int] = []
        self.onward = False
        """Whether the choice was made with tab, so that the next field is wanted."""
        self._input = _Query(query, placeholder="type to filter", compact=True, select_on_focus=False)
        self._options = OptionList(markup=False, compact=True)
        self._options.can_focus = False
        self._note = Static(markup=False)

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = guard.safe(clip(self._title, 60))
            yield self._input
            yield self._options
            yield self._note

    def on_mount(self) -> None:
        # As high as all options together, so that it stands still while it is filtered.
        self._options.styles.height = min(len(self._titles), max(4, min(24, self.size.height - 8)))
        self._fill()
        self._input.focus()

    def _fill(self) -> None:
        words = self._input.value.casefold().split()
        hits = [number for number, text in enumerate(self._folded) if all(word in text for word in words)]
        if words:
            hits.sort(key=lambda number: not self._folded[number].startswith(words[0]))
        self._shown = hits[:SHOWN]
        self._options.clear_options()
        self._options.add_options([Option(self._prompt(number)) for number in self._shown])
        if self._shown:
            first = next((at for at, number in enumerate(self._shown) if number in self._picked), 0)
            self._options.highlighted = 0 if words else first
        how = "tab pick · enter done" if self._several else "enter choose · tab and go on"
        rest = f" · first {SHOWN} shown" if len(hits) > SHOWN else ""
        if not hits:
            instead = "enter takes it as the value · " if self._free else ""
            said = f"Nothing matches what is typed · {instead}esc leave"
            self._note.update(Content.styled(said, "$text-warning"))
            return
        self._note.update(Content(f"{len(hits)} of {len(self._titles)} · {how} · esc leave{rest}"))

    def _prompt(self, number: int) -> Content:
        picked = number in self._picked
        mark = ("✓ " if picked else "  ") if not self._several else ("■ " if picked else "□ ")
        return Content.assemble((mark, "$accent"), self._titles[number])

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._fill()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self._several:
            self.dismiss(self._picked)
        elif (number := self._current()) is not None:
            self.dismiss([number])
        elif self._free:
            self.typed = self._input.value
            self.dismiss([])

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._options.highlighted = event.option_index
        if self._several:
            self.action_pick()
        elif (number := self._current()) is not None:
            self.dismiss([number])

    def _current(self) -> int | None:
        at = self._options.highlighted
        return self._shown[at] if at is not None and at < len(self._shown) else None

    def action_move(self, by: int) -> None:
        at, last = self._options.highlighted or 0, len(self._shown) - 1
        if last >= 0:
            self._options.highlighted = (at + by) % (last + 1) if abs(by) == 1 else max(0, min(last, at + by))

    def action_pick(self, always: bool = False) -> None:
        number = self._current()
        if number is None:
            return
        if not self._several:
            self.onward = True
            self.dismiss([number])
            return
        if number in self._picked:
            self._picked.remove(number)
        else:
            self._picked.append(number)
        at = self._options.highlighted or 0
        self._options.replace_option_prompt_at_index(at, self._prompt(number))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "pick" or bool(parameters) or (self._several and not self._input.value)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(None)

    def action_leave(self) -> None:
        self.dismiss(None)
