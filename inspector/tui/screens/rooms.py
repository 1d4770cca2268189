"""How the parts of the screen share its room: zoom, sizes, and one part alone where there is room for no more."""

from __future__ import annotations

from typing import Literal

from textual import events
from textual.screen import Screen
from textual.widget import Widget

Part = Literal["servers", "connection", "traffic"]
PARTS: tuple[Part, ...] = ("servers", "connection", "traffic")

_LOW = 7
"""Rows of the traffic on a low screen, as the style sheet has them."""
_SPARED = 3
"""Rows of a form that may be out of sight: those that explain the field with the focus."""
_LEAST = (56, 15)
"""Columns and rows below which one part has the screen to itself."""


class Rooms(Screen[None]):
    """Parts are the widgets with the ids of `PARTS`; the style sheet goes by the classes that are set here."""

    def on_mount(self) -> None:
        self.watch(self, "focused", self._light)

    def _light(self) -> None:
        """Lets the frame of the part with the focus be seen, and gives a form that is filled in its room.

        With `:focus-within`, every step of the focus would style all that is in the part again: a fifth of a second
        where some tools were looked at.
        """
        # What came with the focus is laid out by then.
        self.call_after_refresh(self.give_room)
        focused = self._focused_part
        for part in self.query(", ".join(f"#{part}" for part in PARTS)):
            if part.has_class("-lit") != (part.id == focused):
                part.set_class(part.id == focused, "-lit", update=False)
                self.app.stylesheet.update_nodes([part])

    def give_room(self) -> None:
        """On a low screen the traffic makes way for a form that has more rows than there are, until it is left. To be
        called again now and then: rows come one by one."""
        nodes = self.focused.ancestors_with_self if self.focused is not None else ()
        form = next((node for node in nodes if getattr(node, "WANTS_ROOM", False)), None)
        filling, lacking = self.has_class("-filling"), False
        if isinstance(form, Widget) and form.size:
            lacking = getattr(form, "height_wanted", 0) > form.size.height + _SPARED - (
                _LOW if filling else 0
            )
        if lacking != filling:
            self.set_class(lacking, "-filling")

    def on_resize(self, event: events.Resize) -> None:
        tiny = event.size.width < _LEAST[0] or event.size.height < _LEAST[1]
        if tiny and not self.has_class("-tiny"):
            self.add_class("-tiny")
            if self.zoomed is None:
                self._zoom(self._focused_part or "servers")
        elif not tiny and self.has_class("-tiny"):
            self.remove_class("-tiny")
            self.unzoom()

    @property
    def zoomed(self) -> Part | None:
        """The part that has the screen to itself."""
        return next((part for part in PARTS if self.has_class(f"-zoom-{part}")), None)

    @property
    def _focused_part(self) -> Part | None:
        node = self.focused
        while node is not None:
            if node.id in PARTS:
                return node.id
            node = node.parent if isinstance(node.parent, Widget) else None
        return None

    def _zoom(self, part: Part) -> None:
        self.remove_class(*(f"-zoom-{other}" for other in PARTS))
        self.add_class(f"-zoom-{part}", "-zoomed")

    def action_zoom(self) -> None:
        if self.zoomed is None:
            self._zoom(self._focused_part or "connection")
        else:
            self.unzoom()

    def make_visible(self, part: Part) -> None:
        """Makes a part visible, whatever has the screen now."""
        if part != "traffic":
            self.remove_class("-reading")
        if self.has_class("-tiny"):
            self._zoom(part)
        elif self.zoomed != part:
            self.unzoom()

    def unzoom(self) -> None:
        """Gives the room back to all; on a tiny screen there is none to give."""
        if not self.has_class("-tiny"):
            self.remove_class(*(f"-zoom-{part}" for part in PARTS), "-zoomed")

    def _resize(self, part: Part, by: int) -> None:
        widget = self.query_one(f"#{part}")
        if part == "traffic":
            limit = self.query_one("#body").size.height - 8
            widget.styles.height = max(4, min(limit, widget.outer_size.height + by))
        else:
            widget.styles.width = max(18, min(self.size.width - 40, widget.outer_size.width + by))

    def action_grow(self) -> None:
        self._resize("traffic", 2)

    def action_shrink(self) -> None:
        self._resize("traffic", -2)

    def action_widen(self) -> None:
        self._resize("servers", 4)

    def action_narrow(self) -> None:
        self._resize("servers", -4)
