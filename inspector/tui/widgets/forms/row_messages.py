"""What the row of a form says to the form it stands in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from inspector.schema.field import Field
from inspector.schema.pages import Growing
from inspector.tui.widgets.forms import places

if TYPE_CHECKING:
    from inspector.tui.widgets.forms.row import FieldRow


class Changed(Message):
    """Something was entered; `layout` is True where other lines come or go, `focus` names where to go then, with
    `inside` to the first field in it, with `named` to its key."""

    def __init__(
        self,
        layout: bool = False,
        focus: Field | None = None,
        inside: bool = False,
        removed: places.Removed | None = None,
        named: bool = False,
    ) -> None:
        super().__init__()
        self.layout = layout
        self.focus = focus
        self.inside = inside
        self.removed = removed
        self.named = named


class BringBack(Message):
    """The row that was taken away last is wanted again."""


class Unveiled(Message):
    """What is in a field for secrets is shown now, or hidden again."""

    def __init__(self, row: FieldRow) -> None:
        super().__init__()
        self.row = row


class Asked(Message):
    """The layout is asked to change: unfold (or fold), or show as JSON."""

    def __init__(self, row: FieldRow, what: str, wanted: bool | None = None) -> None:
        super().__init__()
        self.row = row
        self.what = what
        self.wanted = wanted


class Recall(Message):
    """Values that the field had in earlier calls are wanted."""

    def __init__(self, row: FieldRow) -> None:
        super().__init__()
        self.row = row


class Paged(Message):
    """Other rows of a list are wanted: so many pages further on, or the page with the row at a place."""

    def __init__(self, owner: Growing, by: int = 0, at: int | None = None) -> None:
        super().__init__()
        self.owner = owner
        self.by = by
        self.at = at


class Leap(Message):
    """A screen of fields up (-1) or down (1), or the `whole` way."""

    def __init__(self, row: FieldRow, by: int, *, whole: bool) -> None:
        super().__init__()
        self.row = row
        self.by = by
        self.whole = whole


class Onward(Message):
    """On to the row below or above; with 0 to whatever comes next."""

    def __init__(self, row: FieldRow, by: int = 0) -> None:
        super().__init__()
        self.row = row
        self.by = by
