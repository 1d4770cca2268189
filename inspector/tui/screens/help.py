"""Every action with its keys, by place, and what a single widget is: made from the table of actions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, Static

from inspector.base.text import clip
from inspector.tui.registry import ACTIONS, SCOPES, Action, Scope, bindings, key_label, keys_of, label
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.lists.moving import Scroll
from inspector.tui.widgets.text.facts import fold

_MARKS = "● ready   … starting   ◌ queued   ✗ failed   ○ off"
_KEY, _TITLE = 9, 26
_WIDEST = 116
_ROOM_FOR_IDS = 100
_EVERYWHERE: tuple[Scope, ...] = ("workspace", "app")
_DIALOGS: tuple[Scope, ...] = ("picker", "confirm", "save", "columns", "marks", "diff", "help")
Part = Content | tuple[str, str]


class HelpScreen(ModalScreen[None]):
    """What works where the focus was comes first. `/` searches; escape, ? and q close."""

    DEFAULT_CSS = """
    HelpScreen {
        & > Dialog {
            width: 120; max-width: 100%; height: auto; max-height: 100%;
            padding: 0 1;
        }
        Input { display: none; margin-bottom: 1; }
        &.-searching Input { display: block; }
        VerticalScroll { height: auto; background: $surface; }
        VerticalScroll:focus { background-tint: $foreground 0%; }
        Static { height: auto; }
    }
    """
    SCOPE = "help"
    BINDINGS: ClassVar[list[BindingType]] = bindings("help")

    def __init__(self, here: set[str], widget: Widget | None = None) -> None:
        """`here` holds the ids of the actions that work where the focus was; with a `widget` the help is on that."""
        super().__init__()
        self._here = here
        self._widget = widget
        self._query = ""

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = Content("What is this?" if self._widget is not None else "Keys")
            keys = f"{label('help.search')} searches · {label('help.close')} closes"
            box.border_subtitle = Content(f"{keys} · {label('command_palette')} runs any action by its name")
            yield Input(placeholder="a key, a word, an id", compact=True)
            with Scroll():
                yield Static(markup=False)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
        self._fill()

    def on_resize(self) -> None:
        self._fill()

    def _fill(self) -> None:
        text = self._text()
        self.query_one(Static).update(text)

    @property
    def _width(self) -> int:
        return max(30, min(_WIDEST, self.app.size.width - 6))

    def _text(self) -> Content:
        if self._query:
            return Content.assemble(*self._found())
        if self._widget is not None:
            return Content.assemble(*self._about(self._widget))
        return Content.assemble(*self._all())

    def _all(self) -> Iterator[Part]:
        for scope in sorted(SCOPES, key=self._rank):
            yield from self._section(SCOPES[scope], [action for action in ACTIONS if action.scope == scope])
        yield from (("Marks\n", "bold $text-primary"), (f"  {_MARKS}\n\n", "$foreground"))
        yield ("Mouse\n", "bold $text-primary")
        for line in fold(
            "Click selects, a second click opens, the wheel scrolls, a click on a key at the bottom presses it."
            " Hold shift to select text with the terminal.", self._width - 2,
        ):  # fmt: skip
            yield (f"  {line}\n", "$foreground")
        yield (
            "\nOther keys: keymap.json in the folder that `mcp-inspect paths` names, by the ids on this page.",
            "$quiet",
        )

    def _rank(self, scope: Scope) -> tuple[bool, bool, bool]:
        """Places where something works come first, those that are everywhere behind them, dialogs last."""
        works = any(action.id in self._here for action in ACTIONS if action.scope == scope)
        return not works, scope in _EVERYWHERE, scope in _DIALOGS

    def _found(self) -> Iterator[Part]:
        words = self._query.casefold().split()
        found = [action for action in ACTIONS if _matches(action, words)]
        found.sort(key=lambda action: action.id not in self._here)
        if not found:
            yield ("Nothing is called that. Try another word, or a key such as ctrl+p.", "$quiet")
        for scope in dict.fromkeys(action.scope for action in found):
            yield from self._section(SCOPES[scope], [action for action in found if action.scope == scope])

    def _about(self, widget: Widget) -> Iterator[Part]:
        node: Widget | None = widget
        scopes: list[str] = []
        told = False
        while node is not None and not told:
            scopes += [scope for scope in _scopes(node) if scope not in scopes]
            explain, text = getattr(node, "explain", None), getattr(type(node), "HELP", None)
            if callable(explain):
                yield from (explain(self._width), ("\n\n", ""))
                told = True
            elif isinstance(text, str) and type(node).__module__.startswith("inspector."):
                for line in fold(text, self._width):
                    yield (f"{line}\n", "$foreground")
                yield ("\n", "")
                told = True
            node = node.parent if isinstance(node.parent, Widget) else None
        for scope in scopes:
            actions = [one for one in ACTIONS if one.scope == scope and one.id in self._here]
            yield from self._section(SCOPES[scope], actions)  # type: ignore[index]
        yield (f"{label('help')} shows all keys of the app.", "$quiet")

    def _section(self, title: str, actions: list[Action]) -> Iterator[Part]:
        if not actions:
            return
        yield (f"{title}\n", "bold $text-primary")
        width = self._width
        ids = width >= _ROOM_FOR_IDS or bool(self._query)
        left = 2 + _KEY + 2 + _TITLE
        for action in actions:
            works = action.id in self._here
            told = f"{action.help}  {action.id}" if ids else action.help
            lines = fold(told, max(20, width - left))
            shown = _keys(action)
            yield (f"  {shown:>{_KEY}}  ", "bold $text-accent" if works else "$quiet")
            yield (f"{clip(action.title, _TITLE - 2):<{_TITLE}}", "$foreground" if works else "$quiet")
            yield (f"\n{' ' * left}".join(lines) + "\n", "$quiet")
        yield ("\n", "")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._query = event.value.strip()
        self._fill()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.query_one(VerticalScroll).focus()

    def action_search(self) -> None:
        self.add_class("-searching")
        self.query_one(Input).focus()

    async def action_dismiss(self, result: None = None) -> None:
        """Ends the search, then the help."""
        if self.has_class("-searching"):
            self.remove_class("-searching")
            self.query_one(Input).value = ""
            self.query_one(VerticalScroll).focus()
        else:
            self.dismiss(None)


def _keys(action: Action) -> str:
    """As many of the keys of an action as there is room for."""
    if action.numbered and keys_of(action) == action.keys:
        return action.label
    shown = [label(action), *map(key_label, keys_of(action)[1:])]
    while len(shown) > 1 and len(" ".join(shown)) > _KEY:
        shown.pop()
    return " ".join(shown) or "-"


def _matches(action: Action, words: list[str]) -> bool:
    keys = [*map(key_label, keys_of(action)), *keys_of(action)]
    text = " ".join((action.title, action.help, action.id, SCOPES[action.scope])).casefold()
    return all(word in text or word in (key.casefold() for key in keys) for word in words)


def _scopes(node: Widget) -> list[str]:
    """The scopes of a widget, also those of the classes it is made from."""
    return [scope for kind in type(node).__mro__ if (scope := kind.__dict__.get("SCOPE"))]
