"""Names and values to be edited, one pair a row: environment variables, headers."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, Static

from inspector.base.secrets import is_secret_name

Pairs = list[tuple[str, str]]


class PairRow(Horizontal):
    """The value is hidden where the name is that of a secret, until it is revealed."""

    def __init__(self, name: str, value: str, placeholder: str, *, revealed: bool) -> None:
        super().__init__()
        self._revealed = revealed
        self.name_input = Input(
            name, placeholder=placeholder, compact=True, classes="name", select_on_focus=False
        )
        self.value_input = Input(
            value, placeholder="value or ${VARIABLE}", compact=True, classes="value", select_on_focus=False
        )
        self._hide()

    def compose(self) -> ComposeResult:
        yield self.name_input
        yield Static("=", classes="equals", markup=False)
        yield self.value_input

    @property
    def pair(self) -> tuple[str, str]:
        return self.name_input.value, self.value_input.value

    def reveal(self, revealed: bool) -> None:
        self._revealed = revealed
        self._hide()

    def _hide(self) -> None:
        self.value_input.password = is_secret_name(self.name_input.value) and not self._revealed

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input is self.name_input:
            self._hide()


class PairRows(Vertical):
    """There is always an empty row at the end; a row without a name counts for nothing. The values are the person's
    own: they go nowhere but into the inputs."""

    DEFAULT_CSS = """
    PairRows {
        height: auto;
        & > PairRow { height: 1; }
        & .name { width: 30%; min-width: 16; }
        & .equals { width: 3; content-align: center middle; color: $quiet; }
        & .value { width: 1fr; }
    }
    """

    def __init__(self, placeholder: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._placeholder = placeholder
        self._revealed = False

    async def show(self, pairs: Pairs) -> None:
        """Replaces all rows."""
        async with self.batch():
            await self.remove_children()
            await self.mount(*(self._row(name, value) for name, value in [*pairs, ("", "")]))

    @property
    def pairs(self) -> Pairs:
        return [row.pair for row in self.query(PairRow) if row.pair[0].strip()]

    def reveal(self, revealed: bool) -> None:
        self._revealed = revealed
        for row in self.query(PairRow):
            row.reveal(revealed)

    def _row(self, name: str, value: str) -> PairRow:
        return PairRow(name, value, self._placeholder, revealed=self._revealed)

    @on(Input.Changed)
    def _typed(self) -> None:
        last = self.query(PairRow).last()
        if any(text for text in last.pair):
            self.mount(self._row("", ""))
