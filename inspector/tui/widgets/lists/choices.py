"""A short list of things of which some are chosen, with marks that need no colour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList

from inspector.tui.registry import bindings
from inspector.tui.widgets.lists.moving import Options


class Choices(Options):
    """Space, enter or a click chooses an entry, or no longer; `Pointed` tells which one the cursor is on."""

    SCOPE = "choices"
    BINDINGS: ClassVar[list[BindingType]] = bindings("choices")

    class Pointed(Message):
        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    class Changed(Message):
        """An entry was chosen, or no longer."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False, compact=True)
        self._prompts: list[Content] = []
        self._chosen: set[int] = set()

    def show(self, prompts: Sequence[Content], chosen: set[int]) -> None:
        """Replaces all entries; `chosen` are the indices of those that are."""
        self._prompts, self._chosen = list(prompts), set(chosen)
        self.clear_options()
        self.add_options([self._marked(index) for index in range(len(self._prompts))])
        self.highlighted = 0 if prompts else None

    @property
    def chosen(self) -> list[int]:
        return sorted(self._chosen)

    def _marked(self, index: int) -> Content:
        mark = ("[x] ", "$text-success") if index in self._chosen else ("[ ] ", "$quiet")
        return Content.assemble(mark, self._prompts[index])

    @on(OptionList.OptionSelected)
    def _toggled(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._chosen ^= {event.option_index}
        self.replace_option_prompt_at_index(event.option_index, self._marked(event.option_index))
        self.post_message(self.Changed())

    @on(OptionList.OptionHighlighted)
    def _pointed(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self.post_message(self.Pointed(event.option_index))
