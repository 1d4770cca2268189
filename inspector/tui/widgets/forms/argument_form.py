"""Arguments that are all text: one line each, with what the server proposes as one types."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Label, OptionList, Static
from textual.worker import Worker

from inspector.tui import guard
from inspector.tui.registry import bindings
from inspector.tui.widgets.text.facts import Part, fit

_CALM = 0.12
"""Seconds without a key after which the server is asked for proposals."""
_MOST = 100
"""Proposals that are shown; a server may give no more by the specification."""
_LABEL = 22
"""Cells of the longest label, with its blanks."""


@dataclass(frozen=True, slots=True)
class Argument:
    """`name` and `about` are foreign text; `hint` is a word of ours that stands in the empty field."""

    name: str
    about: str = ""
    required: bool = False
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Proposals:
    """`values` as the server gave them; `more` says in safe text what is not among them, or what is wrong."""

    values: list[str] = field(default_factory=list)
    more: str = ""


Propose = Callable[[str, str, Mapping[str, str]], Awaitable[Proposals]]
"""What is proposed for an argument: its name, what is typed, the other values that are filled in."""


class _Entry(Input):
    """Keys that pick from the proposals while they are open, and do as ever while they are not."""

    SCOPE = "argument"
    BINDINGS: ClassVar[list[BindingType]] = bindings("argument")

    @property
    def row(self) -> ArgumentRow:
        row = self.query_ancestor(ArgumentRow)
        return row

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "take":
            return self.row.choice is not None
        if action == "close_proposals":
            return self.row.is_open or self.row.asking
        return super().check_action(action, parameters)

    def action_take(self) -> None:
        self.row.take()

    def action_propose(self, by: int) -> None:
        if self.row.is_open:
            self.row.move(by)
        elif by > 0 and self.row.may_propose:
            self.row.ask(at_once=True)
        else:
            self.query_ancestor(ArgumentForm).go(self.row, by)

    def action_close_proposals(self) -> None:
        self.row.close()

    async def action_submit(self) -> None:
        if self.row.choice is not None:
            self.row.take()
        else:
            await super().action_submit()


class ArgumentRow(Vertical):
    """One argument. The proposals lie over what stands below."""

    DEFAULT_CSS = """
    ArgumentRow {
        height: auto;
        & > Horizontal { height: 1; }
        & Label { padding: 0 1; }
        & Input { width: 1fr; }
        & .asking { display: none; color: $quiet; }
        &.-asking .asking { display: block; }
        & > .about { height: auto; max-height: 2; padding: 0 1; color: $quiet; }
        & > .wrong { display: none; height: auto; padding: 0 1; color: $text-error; }
        & > OptionList {
            display: none; overlay: screen; constrain: none inside; margin: 0 1; height: auto; max-height: 11;
        }
        &.-proposing > OptionList { display: block; }
    }
    """

    def __init__(self, argument: Argument, value: str, propose: Propose | None, indent: int) -> None:
        super().__init__()
        self._indent = indent
        self.argument = argument
        self._propose = propose
        self._input = _Entry(
            value=value, placeholder=_placeholder(argument, propose), compact=True, select_on_focus=False
        )
        self._options = OptionList(markup=False)
        self._options.can_focus = False
        self._wrong = Static(classes="wrong", markup=False)
        self._asking = Label("asking the server …", classes="asking", markup=False)
        self._values: list[str] = []
        self._calm: Timer | None = None
        self._fetching: Worker[None] | None = None
        self._taken: str | None = None

    def compose(self) -> ComposeResult:
        argument, indent = self.argument, self._indent
        star: Part = (" *", "bold $text-accent") if argument.required else ("", "")
        name = guard.line(argument.name)
        name = fit(name, indent - 4) if cell_len(name) > indent - 4 else name
        with Horizontal():
            label = Label(Content.assemble((name, "bold"), star))
            label.styles.width = indent
            yield label
            yield self._input
            yield self._asking
        self._options.styles.margin = (0, 1, 0, indent)
        yield self._options
        self._wrong.styles.padding = (0, 1, 0, indent + 1)
        yield self._wrong
        if argument.about:
            about = Static(Content(guard.line(argument.about)[:300]), classes="about", markup=False)
            about.styles.padding = (0, 1, 0, indent + 1)
            yield about

    @property
    def value(self) -> str:
        return self._input.value

    @value.setter
    def value(self, value: str) -> None:
        self._input.value = value

    def complain(self, text: str) -> None:
        """Says what is wrong with the value in safe text; nothing where it is empty."""
        self._wrong.display = bool(text)
        self._wrong.update(Content(f"✗ {text}" if text else ""))

    def focus_input(self) -> None:
        self._input.focus()

    # Proposals

    @property
    def is_open(self) -> bool:
        return self.has_class("-proposing")

    @property
    def choice(self) -> str | None:
        """The proposal that tab would take; None where there is none, or it is there already."""
        at = self._options.highlighted
        if not self.is_open or at is None or at >= len(self._values) or self._values[at] == self.value:
            return None
        return self._values[at]

    @property
    def may_propose(self) -> bool:
        return self._propose is not None

    def ask(self, *, at_once: bool = False) -> None:
        """Asks for proposals, when no key has come for a moment."""
        if self._calm is not None:
            self._calm.stop()
        if self._propose is not None and self._input.has_focus:
            self._calm = self.set_timer(0.001 if at_once else _CALM, lambda: self._asked(at_once))

    def _asked(self, wanted: bool) -> None:
        self._forget()
        self._fetching = self.run_worker(self._fetch(wanted), exit_on_error=False)

    async def _fetch(self, wanted: bool) -> None:
        """Asks; a question that is asked anew, or that nobody waits for any more, is cancelled."""
        assert self._propose is not None
        typed = self.value
        self.add_class("-asking")
        found = await self._propose(self.argument.name, typed, self.query_ancestor(ArgumentForm).values)
        self.remove_class("-asking")
        if typed == self.value and self._input.has_focus:
            if wanted and not found.values and not found.more:
                found = Proposals(more="The server proposes nothing for this.")
            self._show(found, typed)

    def _forget(self) -> None:
        """Nobody waits for what was asked."""
        if self._fetching is not None:
            self._fetching.cancel()
        self._fetching = None
        self.remove_class("-asking")

    @property
    def asking(self) -> bool:
        return self.has_class("-asking")

    def _show(self, found: Proposals, typed: str) -> None:
        self._values = found.values[:_MOST]
        if not self._values or self._values == [typed]:
            self.remove_class("-proposing")
            if found.more and not self._values:
                self.query_ancestor(ArgumentForm).tell(found.more, quiet=True)
            return
        self._options.clear_options()
        self._options.add_options([Content(guard.line(value)[:300]) for value in self._values])
        if found.more:
            self._options.add_option(Content.styled(found.more, "$quiet"))
            self._options.disable_option_at_index(len(self._values))
        self._options.highlighted = 0
        self.add_class("-proposing")

    def close(self) -> None:
        """Takes the proposals away, and gives up those that were asked for."""
        if self._calm is not None:
            self._calm.stop()
        self._forget()
        self.remove_class("-proposing")

    def move(self, by: int) -> None:
        at, count = self._options.highlighted, len(self._values)
        self._options.highlighted = (0 if by > 0 else count - 1) if at is None else (at + by) % count

    def take(self) -> None:
        if (choice := self.choice) is not None:
            self._taken = choice
            self.value = choice
            self._input.cursor_position = len(choice)
        self.close()

    @on(OptionList.OptionSelected)
    def _picked(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._options.highlighted = event.option_index
        self.take()
        self._input.focus()

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()

    @on(Input.Changed)
    def _changed(self) -> None:
        # The form hears of it as well.
        self.complain("")
        if self.value == self._taken:
            return
        self._taken = None
        if self.is_open:
            # What is open is narrowed at once, and asked for anew.
            fitting = [value for value in self._values if value.casefold().startswith(self.value.casefold())]
            self._show(Proposals(fitting), self.value)
        if self.value:
            self.ask()
        else:
            self.close()

    def on_descendant_blur(self) -> None:
        self.close()


def _placeholder(argument: Argument, propose: Propose | None) -> str:
    return " · ".join(part for part in (argument.hint, "↓ proposes" if propose is not None else "") if part)


class ArgumentForm(Vertical):
    """Posts `Changed` when a value is another one and `Submitted` on enter in a field."""

    DEFAULT_CSS = """
    ArgumentForm {
        height: auto; max-height: 50%; overflow-y: auto;
        & > .told { display: none; height: auto; padding: 0 1; color: $text-warning; }
        & > .told.-quiet { color: $quiet; }
    }
    """

    class Changed(Message):
        pass

    class Submitted(Message):
        pass

    def __init__(
        self,
        arguments: list[Argument],
        values: Mapping[str, str],
        propose: Propose | None,
        *,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        indent = min(
            _LABEL, max((cell_len(guard.line(argument.name)) + 4 for argument in arguments), default=0)
        )
        self._rows = [
            ArgumentRow(argument, values.get(argument.name, ""), propose, indent) for argument in arguments
        ]
        self._told = Static(classes="told", markup=False)

    def compose(self) -> ComposeResult:
        yield from self._rows
        yield self._told

    @property
    def values(self) -> dict[str, str]:
        """What is typed, by name; what is empty is left out."""
        return {row.argument.name: row.value for row in self._rows if row.value}

    @property
    def missing(self) -> list[str]:
        """Required arguments that are empty."""
        return [row.argument.name for row in self._rows if row.argument.required and not row.value]

    def fill(self, values: Mapping[str, str]) -> None:
        for row in self._rows:
            row.value = values.get(row.argument.name, "")

    def point_at_missing(self, what: str = "required") -> None:
        """Says at each required argument that is empty that it is, and goes to the first."""
        empty = [row for row in self._rows if row.argument.required and not row.value]
        for row in empty:
            row.complain(what)
        if empty:
            empty[0].focus_input()

    def go(self, row: ArgumentRow, by: int) -> None:
        """From a row to the one below or above."""
        at = self._rows.index(row) + by
        if 0 <= at < len(self._rows):
            self._rows[at].focus_input()

    def tell(self, text: str, *, quiet: bool = False) -> None:
        """Says something below the fields; safe text."""
        self._told.set_class(quiet, "-quiet")
        self._told.display = bool(text)
        self._told.update(Content(text))

    def enter(self) -> bool:
        """The focus goes to the first empty field, or the first; False where there is none."""
        rows = [row for row in self._rows if not row.value] or self._rows
        if rows:
            rows[0].focus_input()
        return bool(rows)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Changed())

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Submitted())
