"""A small app to put one widget on, with the guard and the colours of the real one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from app import painted
from textual import constants
from textual.app import App, ComposeResult
from textual.filter import LineFilter
from textual.pilot import Pilot
from textual.widget import Widget

from inspector.base.secrets import Secrets
from inspector.tui import guard, themes
from inspector.tui.clipboard import CopyRequested

_QUEUES = 2


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
    """Waits for a condition, for a bounded time, and for what is under way when it holds, so that the next key finds
    everything in its place; what goes wrong in the app meanwhile is raised."""

    async def wait(pilot: Pilot[Any], condition: Callable[[], object]) -> None:
        for _ in range(3000):
            if condition():
                await pilot._wait_for_screen()
                pilot.app.screen._on_timer_update()
                return
            if pilot.app._exception is not None:
                raise pilot.app._exception
            await asyncio.sleep(0.015)
        raise AssertionError(f"it did not come about; the screen:\n{painted(pilot.app)}")

    return wait


@pytest.fixture(autouse=True)
def _keys_come_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key goes from the app to the widget with the focus, and what it does there to others, each through a queue of
    its own. The pilot looks at the time for that, which a busy machine does not keep."""
    press = Pilot.press

    async def come_through(pilot: Pilot[Any], *keys: str) -> None:
        for key in keys:
            await press(pilot, key)
            for _ in range(_QUEUES):
                await pilot._wait_for_screen()

    monkeypatch.setattr(Pilot, "press", come_through)


@pytest.fixture
def lines() -> Callable[[Widget], list[str]]:
    """What a widget that paints lines shows now, without blanks at the right."""

    def read(widget: Widget) -> list[str]:
        return [widget.render_line(y).text.rstrip() for y in range(widget.size.height)]

    return read


@pytest.fixture(autouse=True)
def home(own_folders: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the app keeps what it keeps. Nothing glides to its place: Textual reads its environment only once."""
    monkeypatch.setattr(constants, "TEXTUAL_ANIMATIONS", "none")
    return own_folders


@pytest.fixture(autouse=True)
def _no_secrets() -> Iterator[None]:
    yield
    guard.keep(Secrets())
    guard.reveal(False)
