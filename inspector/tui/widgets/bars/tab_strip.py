"""A row of tabs on one line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from inspector.tui.registry import bindings

_BEFORE, _AFTER = "‹", "›"
"""Stand where there are more tabs than there is room for; a click brings the next one."""


@dataclass(frozen=True, slots=True)
class Tab:
    """`note` stands behind the label in a quieter tone: a count, a mark; where it is `urgent`, in one that is seen.
    Both are texts of ours."""

    id: str
    label: str
    note: str = ""
    urgent: bool = False

    @property
    def width(self) -> int:
        return cell_len(self.label) + (cell_len(self.note) + 1 if self.note else 0) + 2


class TabStrip(Widget, can_focus=True):
    """Shows tabs side by side and posts `Chosen` when another one is wanted; whoever listens sets `active`."""

    DEFAULT_CSS = """
    TabStrip { height: 1; width: 1fr; }
    """
    HELP = "Tabs. Left and right choose one; so do [ and ] from anywhere in the part, and a click."
    SCOPE = "tabs"
    BINDINGS: ClassVar[list[BindingType]] = bindings("tabs")

    active: reactive[str] = reactive("")

    class Chosen(Message):
        """A tab was chosen by mouse or key."""

        def __init__(self, strip: TabStrip, tab: str) -> None:
            super().__init__()
            self.strip = strip
            self.tab = tab

        @property
        def control(self) -> TabStrip:
            return self.strip

    def __init__(self, tabs: list[Tab], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._tabs = tabs
        if tabs:
            self.set_reactive(TabStrip.active, tabs[0].id)

    @property
    def tabs(self) -> list[Tab]:
        return self._tabs

    @property
    def title(self) -> str:
        """The label of the active tab; empty where none is."""
        return next((tab.label for tab in self._tabs if tab.id == self.active), "")

    def show(self, tabs: list[Tab]) -> None:
        """Replaces the tabs; does nothing where they are the same."""
        if tabs != self._tabs:
            self._tabs = tabs
            self.refresh()

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """What all tabs want; what is painted may be less."""
        return sum(tab.width for tab in self._tabs)

    def render(self) -> Content:
        parts: list[Content | tuple[str, str]] = []
        before, tabs, after = self._fitting()
        if before:
            parts.append((_BEFORE, _tone(before)))
        for tab in tabs:
            on = tab.id == self.active
            style = "$block-cursor-foreground on $block-cursor-background" if on and self.has_focus else ""
            if on:
                parts.append((f" {tab.label}", style or "bold $text-accent underline"))
            else:
                parts.append((f" {tab.label}", "$quiet"))
            if tab.note:
                parts.append((f" {tab.note}", style or ("bold $text-warning" if tab.urgent else "$quiet")))
            parts.append((" ", style if on else ""))
        if after:
            parts.append((_AFTER, _tone(after)))
        return Content.assemble(*parts)

    def _fitting(self) -> tuple[list[Tab], list[Tab], list[Tab]]:
        """The tabs that are seen, and those before and after them that have no room; the active one is seen. Where room
        is scarce, quiet notes are left out."""
        width, tabs = self.size.width, self._tabs
        if sum(tab.width for tab in tabs) > width > 0:
            tabs = [tab if tab.urgent else replace(tab, note="") for tab in tabs]
        if sum(tab.width for tab in tabs) <= width or width <= 0:
            return [], tabs, []
        at = next((number for number, tab in enumerate(tabs) if tab.id == self.active), 0)
        first = 0
        while True:
            room = width - (cell_len(_BEFORE) if first else 0)
            last, taken = first, 0
            while last < len(tabs):
                mark = cell_len(_AFTER) if last + 1 < len(tabs) else 0
                if last > first and taken + tabs[last].width + mark > room:
                    break
                taken += tabs[last].width
                last += 1
            if at < last:
                return tabs[:first], tabs[first:last], tabs[last:]
            first += 1

    def action_step(self, by: int) -> None:
        ids = [tab.id for tab in self._tabs]
        if self.active in ids:
            self.choose(ids[(ids.index(self.active) + by) % len(ids)])

    def choose(self, tab: str) -> None:
        """As if a person had chosen it."""
        if any(tab == each.id for each in self._tabs):
            self.post_message(self.Chosen(self, tab))

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        spots = list(self.spots()) if at is not None else []
        if at is not None and spots:
            self.choose(next((tab for left, tab in reversed(spots) if left <= at.x), spots[0][1]))

    def spots(self) -> Iterator[tuple[int, str]]:
        """Where each tab begins that can be reached by the mouse, and its id: those that are seen, and the next one
        behind each mark of hidden ones."""
        before, tabs, after = self._fitting()
        left = 0
        if before:
            yield left, before[-1].id
            left = cell_len(_BEFORE)
        for tab in tabs:
            yield left, tab.id
            left += tab.width
        if after:
            yield left, after[0].id


def _tone(hidden: list[Tab]) -> str:
    """Of the mark that stands for tabs without room: one that is urgent among them is seen by it."""
    return "bold $text-warning" if any(tab.urgent for tab in hidden) else "$text-accent"
