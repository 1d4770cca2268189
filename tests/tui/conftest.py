"""A small app to put one widget on, with the guard and the colours of the real one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.filter import LineFilter
from textual.pilot import Pilot
from textual.widget import Widget

from inspector.base.secrets import Secrets
from inspector.tui import guard, themes
from inspector.tui.clipboard import CopyRequested


class Stage(App[None]):
    """`copied` holds what was asked to be copied, as (what, text)."""

    CSS = "Screen { layout: vertical; } Screen > * { height: 1fr; }"

    def __init__(self, *widgets: Widget) -> None:
        super().__init__()
        self._widgets = widgets
        self._line_filter = guard.HostileTextFilter()
        self.copied: list[tuple[str, str]] = []

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), self._line_filter]

    def get_css_variables(self) -> dict[str, str]:
        variables = super().get_css_variables()
        return {**variables, **themes.derived(variables)}

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return {"quiet": "ansi_default", "line": "ansi_default", "focus": "ansi_default"}

    def compose(self) -> ComposeResult:
        yield from self._widgets

    def on_copy_requested(self, event: CopyRequested) -> None:
        self.copied.append((event.what, event.text))


@pytest.fixture
def stage() -> type[Stage]:
    return Stage


@pytest.fixture
def until() -> Callable[[Pilot[Any], Callable[[], object]], Any]:
    """Waits for a condition, for a bounded time."""

    async def wait(pilot: Pilot[Any], condition: Callable[[], object]) -> None:
        for _ in range(3000):
            if condition():
                return
            await pilot.pause(0.01)
        raise AssertionError("it did not come about")

    return wait


@pytest.fixture
def lines() -> Callable[[Widget], list[str]]:
    """What a widget that paints lines shows now, without blanks at the right."""

    def read(widget: Widget) -> list[str]:
        return [widget.render_line(y).text.rstrip() for y in range(widget.size.height)]

    return read


@pytest.fixture(autouse=True)
def _no_secrets() -> Iterator[None]:
    yield
    guard.keep(Secrets())
    guard.reveal(False)
