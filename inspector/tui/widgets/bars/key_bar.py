"""The line at the bottom: the keys that do something here, from the bindings that are active now."""

from __future__ import annotations

from rich.cells import cell_len
from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.widget import Widget

from inspector.tui.registry import UNBOUND, key_label, keys_of, label


class KeyBar(Widget):
    """Shows as many keys as fit, those of the focused part first; a click runs what is written there."""

    DEFAULT_CSS = """
    KeyBar { dock: bottom; height: 1; width: 100%; background: $surface; color: $foreground; padding: 0 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._spots: list[tuple[int, int, str]] = []

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self.refresh())

    def offered(self) -> list[tuple[str, str, str]]:
        """Key as shown, title and key name, in the order of the bar."""
        found: dict[str, tuple[str, str, str]] = {}
        system: dict[str, tuple[str, str, str]] = {}
        for key, active in self.screen.active_bindings.items():
            binding = active.binding
            if not binding.show or not active.enabled or binding.action in found or key == UNBOUND:
                continue
            # An action may do something else first where the focus is.
            retitle = getattr(active.node, "title_here", None)
            title = (retitle(binding.action) if retitle is not None else "") or binding.description
            entry = (binding.key_display or key_label(key), title, key)
            if self._typed(entry[0]):
                continue
            (system if active.node is self.screen else found).setdefault(binding.action, entry)
        return [*found.values(), *system.values()]

    def _typed(self, shown: str) -> bool:
        """The key is a character, and what has the focus takes it as text."""
        focused = self.screen.focused
        return len(shown) == 1 and focused is not None and focused.check_consume_key(shown, shown)

    def render(self) -> RenderResult:
        width = self.content_size.width
        parts: list[Content | tuple[str, str]] = []
        spots: list[tuple[int, int, str]] = []
        left = 0
        palette = keys_of("command_palette")
        wanted = [*self.offered(), *((label("command_palette"), "Palette", key) for key in palette[:1])]
        for shown, title, key in wanted:
            size = cell_len(shown) + 1 + cell_len(title)
            if left + size > width:
                break
            parts += [(shown, "bold $text-accent"), (f" {title}", "$foreground"), ("   ", "")]
            spots.append((left, left + size, key))
            left += size + 3
        self._spots = spots
        return Content.assemble(*parts)

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        for left, right, key in self._spots:
            if at is not None and left <= at.x < right:
                self.app.simulate_key(key)
                return
