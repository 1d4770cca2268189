"""A field of text that may be asked how it goes on: what is proposed lies over what stands below."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, OptionList
from textual.worker import Worker

from inspector.schema.field import Field
from inspector.tui import guard
from inspector.tui.registry import bindings
from inspector.tui.widgets.forms.controls import FieldInput

_CALM = 0.12
"""Seconds without a key after which it is asked for proposals."""
_MOST = 100
"""Proposals that are shown; a server may give no more by the specification."""


@dataclass(frozen=True, slots=True)
class Proposals:
    """`values` as they were given; `more` says in safe text what is not among them, or what is wrong."""

    values: list[str] = field(default_factory=list)
    more: str = ""


Propose = Callable[[Field, str], Awaitable[Proposals]]
"""What is proposed for a field with a text typed in it so far."""


class _Shown(OptionList):
    """The proposals, below the field; the field keeps the focus."""

    DEFAULT_CSS = """
    _Shown {
        overlay: screen; constrain: none inside; position: absolute;
        height: auto; max-height: 11; background: $panel;
    }
    """
    can_focus = False


class SuggestedInput(FieldInput):
    """Asks when no key has come for a moment, or `now`; what nobody waits for any more is cancelled.

    Keys pick from the proposals while they are open, and do as ever while they are not.
    """

    SCOPE = "argument"
    BINDINGS: ClassVar[list[BindingType]] = bindings("argument")

    class Waits(Message):
        """An answer is waited for, or no longer."""

    class Told(Message):
        """Something is to be said quietly, in safe text."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, propose: Callable[[str], Awaitable[Proposals]]) -> None:
        super().__init__(compact=True, select_on_focus=False)
        self._propose = propose
        self._shown: _Shown | None = None
        self._values: list[str] = []
        self._calm: Timer | None = None
        self._fetching: Worker[None] | None = None
        self._taken: str | None = None
        self.asking = False

    # Asking

    def now(self, earlier: list[str]) -> None:
        """Asks without waiting for a pause; what was entered `earlier` is offered too."""
        self._begin(earlier)

    @on(Input.Changed)
    def _typed(self) -> None:
        if self.value == self._taken:
            return
        self._taken = None
        if self.is_open:
            # What is open is narrowed at once, and asked for anew.
            fitting = [value for value in self._values if value.casefold().startswith(self.value.casefold())]
            self._show(Proposals(fitting))
        if not self.value:
            self.close()
        elif self.has_focus:
            self._rest()
            self._calm = self.set_timer(_CALM, self._begin)

    def _begin(self, earlier: list[str] | None = None) -> None:
        self._forget()
        self._fetching = self.run_worker(self._fetch(earlier), exit_on_error=False)

    async def _fetch(self, earlier: list[str] | None) -> None:
        typed = self.value
        self._wait(True)
        found = await self._propose(typed)
        self._wait(False)
        if typed != self.value or not self.has_focus:
            return
        values = [*found.values, *(value for value in earlier or () if value not in found.values)]
        if earlier is not None and not values and not found.more:
            found = Proposals(more="The server proposes nothing for this.")
        self._show(Proposals(values, found.more))

    def _wait(self, waits: bool) -> None:
        if waits != self.asking:
            self.asking = waits
            self.post_message(self.Waits())

    def _rest(self) -> None:
        if self._calm is not None:
            self._calm.stop()

    def _forget(self) -> None:
        """Nobody waits for what was asked."""
        if self._fetching is not None:
            self._fetching.cancel()
        self._fetching = None
        self._wait(False)

    # What is proposed

    @property
    def is_open(self) -> bool:
        return self._shown is not None and self._shown.display

    @property
    def choice(self) -> str | None:
        """The proposal that tab would take; None where there is none, or it is there already."""
        at = self._shown.highlighted if self._shown is not None and self.is_open else None
        if at is None or at >= len(self._values) or self._values[at] == self.value:
            return None
        return self._values[at]

    def _show(self, found: Proposals) -> None:
        self._values = found.values[:_MOST]
        rest = len(found.values) - len(self._values)
        more = found.more or (f"… {rest:,} more; type on" if rest else "")
        if not self._values or self._values == [self.value]:
            self._hide()
            if found.more and not self._values:
                self.post_message(self.Told(found.more))
            return
        shown = self._shown or self._make()
        shown.clear_options()
        shown.add_options([Content(guard.line(value)[:300]) for value in self._values])
        if more:
            shown.add_option(Content.styled(more, "$quiet"))
            shown.disable_option_at_index(len(self._values))
        shown.highlighted = 0
        row = self.parent
        if isinstance(row, Widget):
            # To the end of the row: the field is narrower while it says that it asks.
            left = self.region.x - row.region.x
            shown.styles.offset = (left, 1)
            shown.styles.width = max(self.size.width, row.size.width - left - 1)
        shown.display = True

    def _make(self) -> _Shown:
        """It is made when it is wanted first: a form has hundreds of rows."""
        self._shown = shown = _Shown(markup=False)
        if isinstance(row := self.parent, Widget):
            row.mount(shown, after=self)
        return shown

    def _hide(self) -> None:
        if self._shown is not None:
            self._shown.display = False

    def close(self) -> None:
        """Takes the proposals away, and gives up those that were asked for."""
        self._rest()
        self._forget()
        self._hide()

    def take(self) -> None:
        if (choice := self.choice) is not None:
            self._taken = choice
            self.value = choice
            self.cursor_position = len(choice)
        self.close()

    def pick(self, at: int) -> None:
        """Takes the proposal at a position."""
        if self._shown is not None:
            self._shown.highlighted = at
        self.take()
        self.focus()

    def on_blur(self) -> None:
        self.close()

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "take":
            return self.choice is not None
        if action == "propose":
            return self.is_open
        if action == "close_proposals":
            return self.is_open or self.asking
        return super().check_action(action, parameters)

    def action_take(self) -> None:
        self.take()

    def action_propose(self, by: int) -> None:
        if self._shown is not None and self._values:
            at, count = self._shown.highlighted, len(self._values)
            self._shown.highlighted = (0 if by > 0 else count - 1) if at is None else (at + by) % count

    def action_close_proposals(self) -> None:
        self.close()

    async def action_submit(self) -> None:
        if self.choice is not None:
            self.take()
        else:
            await super().action_submit()
