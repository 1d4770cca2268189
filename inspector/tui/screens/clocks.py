"""Both clocks of a call under way, to be set while it runs."""

from __future__ import annotations

import math
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from inspector.tui import calls
from inspector.tui.calls import Call
from inspector.tui.registry import bindings, titled
from inspector.tui.screens.dialog import Dialog

_LONGEST = 7 * 24 * 3600.0
_FIELDS = (
    ("idle", "Without a sign of life", "progress begins it anew"),
    ("total", "In all", "nothing begins it anew"),
)


class ClocksScreen(ModalScreen[None]):
    """Sets how long `call` may still go on; one that is over meanwhile is left alone."""

    SCOPE = "dialog"
    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")
    DEFAULT_CSS = """
    ClocksScreen {
        & > Dialog { width: 60; padding: 1 2 0 2; }
        & Static { height: auto; }
        & Input { margin-bottom: 1; background: $panel; }
        & #problem { color: $text-error; }
        & Horizontal { height: auto; margin-top: 1; padding-bottom: 1; }
        & Button { margin-right: 2; }
    }
    """

    def __init__(self, call: Call) -> None:
        super().__init__()
        self._call = call
        clocks = call.clocks()
        limits = (clocks.idle_limit, clocks.total_limit) if clocks is not None else (0.0, 0.0)
        self._inputs = [
            Input("" if limit == math.inf else f"{limit:g}", placeholder="no limit", compact=True, id=name)
            for (name, _, _), limit in zip(_FIELDS, limits, strict=True)
        ]
        self._problem = Static(id="problem", markup=False)

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = "Clocks of the running call, in seconds"
            for (_, title, about), field in zip(_FIELDS, self._inputs, strict=True):
                yield Static(Content.assemble((title, "bold"), (f"  {about}", "$quiet")), markup=False)
                yield field
            yield self._problem
            with Horizontal():
                set_it = Content(titled("Set", "dialog.accept", "{} ({})"))
                yield Button(set_it, id="set", variant="primary", compact=True)
                yield Button(Content(titled("Cancel", "dialog.leave", "{} ({})")), id="leave", compact=True)

    def on_mount(self) -> None:
        self._inputs[0].focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "reveal"

    def action_reveal(self) -> None:
        """There are no secrets here."""

    @on(Input.Submitted)
    def _next(self, event: Input.Submitted) -> None:
        event.stop()
        if event.input is self._inputs[0]:
            self._inputs[1].focus()
        else:
            self.action_accept()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "set":
            self.action_accept()
        else:
            self.dismiss(None)

    def action_accept(self) -> None:
        limits = [_seconds(field.value) for field in self._inputs]
        for field, limit in zip(self._inputs, limits, strict=True):
            if limit is None:
                self._problem.update(Content("Write seconds, up to a week, or nothing for no limit."))
                field.focus()
                return
        idle, total = (limit for limit in limits if limit is not None)
        calls.set_clocks(self._call, idle, total)
        self.dismiss(None)

    def action_leave_dialog(self) -> None:
        self.dismiss(None)


def _seconds(text: str) -> float | None:
    if not text.strip():
        return math.inf
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 < value <= _LONGEST else None
