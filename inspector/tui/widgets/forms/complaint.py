"""The line that says why what is filled in was not sent."""

from __future__ import annotations

from collections.abc import Sequence

from textual.widgets import Static

from inspector.base.text import clip
from inspector.schema.field import Issue
from inspector.tui import guard
from inspector.tui.registry import spoken


class Complaint(Static):
    """While `insist` is set, asking again sends it all the same."""

    DEFAULT_CSS = """
    Complaint { height: auto; max-height: 3; padding: 0 1; color: $text-warning; display: none; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self.insist = False

    def say(self, text: str, *, insist: bool = False) -> None:
        """Says a thing, or with an empty text nothing any more."""
        self.insist = insist
        self.display = bool(text)
        self.update(guard.safe_block(text))

    def refuse(
        self,
        errors: Sequence[Issue],
        whole: str,
        action: str,
        does: str = "sends it",
        unread: Sequence[str] = (),
    ) -> None:
        """Says what does not fit, and what `action` `does` when it is asked for again. `whole` names all that is
        filled in; what is entered at the pointers `unread` cannot be sent."""
        path, what = errors[0]
        others = len(errors) - 1
        more = f" (+{others} more)" if others else ""
        said = f"{clip(path, 60) or whole}: {clip(what, 120)}{more}."
        others = len(unread) - 1
        without = f", without {clip(unread[0], 60)}" if unread else ""
        without += f" and {others} more" if others > 0 else ""
        self.say(f"{said}\n{spoken(action)} again {does} all the same{without}.", insist=True)
