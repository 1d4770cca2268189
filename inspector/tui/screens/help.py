"""Every key, from the table of actions; those that work in the focused part come first."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from inspector.tui.registry import ACTIONS, SCOPES
from inspector.tui.widgets.facts import fold

_MARKS = "● ready   … starting   ◌ queued   ✗ failed   ○ off"


class HelpScreen(ModalScreen[None]):
    """Closed by escape, ? or q."""

    DEFAULT_CSS = """
    HelpScreen {
        align: center middle;
        background: $background 60%;
        & > VerticalScroll {
            width: 92; max-width: 96%; height: auto; max-height: 92%;
            background: $surface; border: round $focus; border-title-color: $focus; border-title-style: bold;
            border-subtitle-color: $quiet;
            padding: 1 2;
        }
        Static { height: auto; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q,f1", "dismiss", "Close"),
        Binding("j", "scroll('down')", show=False),
        Binding("k", "scroll('up')", show=False),
    ]

    def __init__(self, here: set[str]) -> None:
        """`here` holds the ids of the actions that work where the focus was."""
        super().__init__()
        self._here = here

    def compose(self) -> ComposeResult:
        with VerticalScroll() as box:
            box.border_title = Content("Keys")
            box.border_subtitle = Content("esc closes · ctrl+p finds any action by its name")
            yield Static(self._text(), markup=False)

    def _text(self) -> Content:
        parts: list[Content | tuple[str, str]] = []
        room = max(20, min(92, self.app.size.width * 96 // 100) - 7 - 31)
        scopes = sorted(SCOPES, key=lambda scope: scope == "workspace" or not self._active(scope))
        for scope in scopes:
            actions = [action for action in ACTIONS if action.scope == scope]
            if not actions:
                continue
            parts.append((f"{SCOPES[scope]}\n", "bold $text-primary"))
            for action in actions:
                lines = fold(action.help, room)
                parts += [
                    (f"  {action.label:>5}  ", "bold $text-accent"),
                    (f"{action.title:<22}", "$foreground"),
                    (f"\n{' ' * 31}".join(lines) + "\n", "$quiet"),
                ]
            parts.append(("\n", ""))
        parts += [("Marks\n", "bold $text-primary"), (f"  {_MARKS}\n\n", "$foreground")]
        parts += [("Moving\n", "bold $text-primary")]
        parts.append(
            (
                "  tab and shift+tab go from part to part; arrows or h j k l move inside; enter opens.\n",
                "$foreground",
            )
        )
        parts.append(
            ("  The mouse works everywhere; hold shift to select text with the terminal.", "$foreground")
        )
        return Content.assemble(*parts)

    def _active(self, scope: str) -> bool:
        return any(action.id in self._here for action in ACTIONS if action.scope == scope)

    async def action_dismiss(self, result: None = None) -> None:
        self.dismiss(None)

    def action_scroll(self, where: str) -> None:
        box = self.query_one(VerticalScroll)
        box.scroll_relative(y=1 if where == "down" else -1, animate=False)
