"""The prompts of a server: what to choose from, and the chosen one with its messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import BindingType

from inspector.schema.takeover import take_over
from inspector.tui.panes.choosing import ChoosingPane
from inspector.tui.panes.chosen import Visit, form_of
from inspector.tui.panes.prompt import PromptView, schema_of
from inspector.tui.registry import bindings

if TYPE_CHECKING:
    from inspector.protocol.listing import ListKind


class PromptsPane(ChoosingPane[PromptView]):
    """Enter gets a prompt that needs nothing; otherwise its arguments are filled in first."""

    SCOPE = "prompts"
    KINDS: ClassVar[tuple[ListKind, ...]] = ("prompts",)
    TITLES = ("Prompts",)
    NOTHING = "This server lists no prompts."
    CHOOSE = "Choose a prompt: enter opens it, / filters."
    FLAT = True
    BINDINGS: ClassVar[list[BindingType]] = bindings("prompts")

    def note(self, entry: dict[str, Any]) -> str:
        listed = entry.get("arguments")
        count = len(listed) if isinstance(listed, list) else 0
        return "" if not count else "1 argument" if count == 1 else f"{count} arguments"

    def build(self, visit: Visit, id_: str) -> PromptView:
        return PromptView(self.connection, visit, id=id_)

    def asks_otherwise(self, visit: Visit, entry: dict[str, Any]) -> bool:
        schema, before = schema_of(entry), visit.model
        if schema == (before.schema if before is not None else None):
            return False
        visit.model = form_of(schema) if schema is not None else None
        if before is not None and visit.model is not None:
            take_over(before.root, visit.model.root)
        return True

    def action_get(self) -> None:
        self.ask()

    def action_copy_all(self) -> None:
        if (view := self.view) is not None:
            view.messages.copy_all()
