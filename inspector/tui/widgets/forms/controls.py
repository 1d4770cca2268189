"""The controls of a form: each shows one field and says what a person did; values live in the field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.document._document_navigator import DocumentNavigator
from textual.document._wrapped_document import WrappedDocument
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, TextArea

from inspector.base.text import cells
from inspector.tui import guard
from inspector.tui.registry import bindings


class FieldInput(Input):
    """One line of text; pasting several lines asks for a larger control."""

    class Outgrown(Message):
        """Text of several lines was pasted; `text` is all of it."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    grows = False
    edited: Callable[[str], None] | None = None
    """Told of what a person enters in the same breath: a message would come after the next key, and what is shown by
    it would undo that key."""
    _showing = False

    def show(self, text: str) -> None:
        """Shows what is held elsewhere; nobody is told."""
        if self.value != text:
            self._showing = True
            with self.prevent(Input.Changed):
                self.value = text
            self._showing = False

    def watch_value(self, value: str) -> None:
        if self.edited is not None and not self._showing:
            self.edited(value)

    def _on_paste(self, event: events.Paste) -> None:
        if self.grows and "\n" in event.text:
            event.prevent_default()
            event.stop()
            start, end = sorted((self.selection.start, self.selection.end))
            self.post_message(self.Outgrown(self.value[:start] + event.text + self.value[end:]))


class _Wrapped(WrappedDocument):
    """Knows its height without counting: it is asked for it for every line that is painted, and JSON may be long."""

    @property
    def height(self) -> int:
        return len(self._offset_to_line_info)


class FieldArea(TextArea):
    """Text of several lines: JSON, or a long string. Tab goes to the next field."""

    DEFAULT_CSS = """
    FieldArea { height: 5; border: none; padding: 0 1; background: $surface; }
    FieldArea:focus { border: none; background: $panel; }
    """

    class Edge(Message):
        """The cursor stands on the first or the last line already, and was moved on."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    def __init__(self, text: str, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(
            text,
            tab_behavior="focus",
            show_line_numbers=False,
            soft_wrap=True,
            compact=True,
            id=id,
            classes=classes,
        )

    def _set_document(self, text: str, language: str | None) -> None:
        super()._set_document(text, language)
        self.wrapped_document = _Wrapped(self.document, tab_width=self.indent_width)
        self.navigator = DocumentNavigator(self.wrapped_document)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # Their keys, F6 and F7, go round the views of a tool.
        return action not in ("select_line", "select_all")

    def action_cursor_up(self, select: bool = False) -> None:
        before = self.cursor_location
        super().action_cursor_up(select)
        if before[0] == 0 and self.cursor_location[0] == 0 and self.cursor_location[1] in (0, before[1]):
            self.post_message(self.Edge(-1))

    def action_cursor_down(self, select: bool = False) -> None:
        before = self.cursor_location
        super().action_cursor_down(select)
        if before[0] == self.document.line_count - 1 and (
            before == self.cursor_location or self.cursor_at_end_of_text
        ):
            self.post_message(self.Edge(1))


class _Typed(Message):
    """A letter or digit where nothing is filled in by typing. It is no key of the app there either: whoever types means
    a value, and must not switch a server off with it."""

    def __init__(self, typed: str) -> None:
        super().__init__()
        self.typed = typed


def _is_typed(character: str | None) -> bool:
    return character is not None and character.isalnum()


class Segments(Widget, can_focus=True):
    """A few options side by side, one of them picked: arrows and space move, a letter or a click picks."""

    DEFAULT_CSS = """
    Segments { height: 1; width: 1fr; padding: 0 1; background: $surface; }
    Segments:focus { background: $panel; }
    """
    SCOPE = "segments"
    BINDINGS: ClassVar[list[BindingType]] = bindings("segments")

    class Picked(Message):
        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    class Typed(_Typed):
        """No option begins with it."""

    def __init__(self, titles: Sequence[str]) -> None:
        super().__init__()
        self._titles = [guard.line(title) for title in titles]
        self._picked: int | None = None

    def show(self, index: int | None) -> None:
        self._picked = index
        self.refresh()

    def render(self) -> Content:
        if self._cramped:
            return self._one()
        parts: list[tuple[str, str]] = []
        gap = " " * self._gap
        for index, title in enumerate(self._titles):
            picked = index == self._picked
            tone = "bold $accent" if picked and self.has_focus else "bold" if picked else "$quiet"
            parts += [("● " if picked else "○ ", tone), (title, tone), (gap, "")]
        return Content.assemble(*parts)

    def _one(self) -> Content:
        """What is picked, and which of how many it is, where there is no room for all."""
        at = self._picked
        tone = "$quiet" if at is None else "bold $accent" if self.has_focus else "bold"
        count = f" ‹{'–' if at is None else at + 1}/{len(self._titles)}›"
        title = Content.styled("○" if at is None else f"● {self._titles[at]}", tone)
        width = max(1, self.content_size.width - cells(count))
        return title.truncate(width, ellipsis=True, pad=True) + Content.styled(count, "$accent")

    @property
    def _taken(self) -> int:
        return sum(cells(title) + 2 for title in self._titles)

    @property
    def _cramped(self) -> bool:
        return self._taken + len(self._titles) - 1 > self.content_size.width > 0

    @property
    def _gap(self) -> int:
        """Blanks behind each option: one where there is no room for more."""
        return 3 if self._taken + 3 * (len(self._titles) - 1) <= self.content_size.width else 1

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return _is_typed(character)

    def on_key(self, event: events.Key) -> None:
        """A letter goes to the next option that begins with it."""
        if not event.character or not self.check_consume_key(event.key, event.character):
            return
        event.stop()
        count, start = len(self._titles), -1 if self._picked is None else self._picked
        for by in range(1, count + 1):
            at = (start + by) % count
            if self._titles[at].casefold().startswith(event.character.casefold()):
                if at != self._picked:
                    self.post_message(self.Picked(at))
                return
        self.post_message(self.Typed(event.character))

    def action_step(self, by: int) -> None:
        count = len(self._titles)
        start = -1 if by > 0 else count
        self.post_message(self.Picked(((start if self._picked is None else self._picked) + by) % count))

    def on_click(self, event: events.Click) -> None:
        if self._cramped:
            self.action_step(1)
            return
        at = event.x - 1
        for index, title in enumerate(self._titles):
            width = cells(title) + 2
            if at < width + self._gap:
                if 0 <= at < width:
                    self.post_message(self.Picked(index))
                return
            at -= width + self._gap


class Chooser(Widget, can_focus=True):
    """Shows what is chosen; enter, space, a click or typing opens the list to choose from."""

    DEFAULT_CSS = """
    Chooser { height: 1; width: 1fr; padding: 0 1; background: $surface; }
    Chooser:focus { background: $panel; }
    """
    SCOPE = "chooser"
    BINDINGS: ClassVar[list[BindingType]] = bindings("chooser")

    class Wanted(Message):
        """The list is wanted; `query` is what was typed already."""

        def __init__(self, query: str) -> None:
            super().__init__()
            self.query = query

    def __init__(self) -> None:
        super().__init__()
        self._text = Content()

    def show(self, text: str, hint: str) -> None:
        """What is chosen, or (where nothing is) a quiet hint."""
        self._text = Content(guard.line(text)) if text else Content.assemble((guard.line(hint), "$quiet"))
        self.refresh()

    def render(self) -> Content:
        width = max(1, self.content_size.width - 2)
        arrow = Content.assemble((" ▾", "$accent" if self.has_focus else "$quiet"))
        return self._text.truncate(width, ellipsis=True, pad=True) + arrow

    def action_open(self) -> None:
        self.post_message(self.Wanted(""))

    def on_click(self) -> None:
        self.action_open()

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character is not None and character.isprintable() and character != " "

    def on_key(self, event: events.Key) -> None:
        if event.character and self.check_consume_key(event.key, event.character):
            event.stop()
            self.post_message(self.Wanted(event.character))


class Fold(Widget, can_focus=True):
    """The head of a group or a list: says what is in it; enter, space or a click unfolds."""

    DEFAULT_CSS = """
    Fold { height: 1; width: 1fr; padding: 0 1; }
    Fold:focus { background: $panel; }
    """
    SCOPE = "fold"
    BINDINGS: ClassVar[list[BindingType]] = bindings("fold")

    class Toggled(Message):
        """Fold (False), unfold (True), or the other one (None)."""

        def __init__(self, wanted: bool | None) -> None:
            super().__init__()
            self.wanted = wanted

    class Typed(_Typed):
        pass

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self._open = False
        self._quiet = True

    def show(self, text: str, is_open: bool, quiet: bool) -> None:
        self._text, self._open, self._quiet = text, is_open, quiet
        self.refresh()

    def render(self) -> Content:
        tone = "$accent" if self.has_focus else "$quiet"
        return Content.assemble(
            ("▾ " if self._open else "▸ ", tone), (guard.line(self._text), "$quiet" if self._quiet else "")
        ).truncate(max(1, self.content_size.width), ellipsis=True)

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return _is_typed(character)

    def on_key(self, event: events.Key) -> None:
        if event.character and _is_typed(event.character):
            event.stop()
            self.post_message(self.Typed(event.character))

    def action_fold(self, wanted: bool | None = None) -> None:
        self.post_message(self.Toggled(wanted))

    def on_click(self) -> None:
        self.action_fold()


class Adder(Widget, can_focus=True):
    """The way to a new row."""

    DEFAULT_CSS = """
    Adder { height: 1; width: auto; min-width: 12; padding: 0 1; color: $quiet; }
    Adder:focus { background: $panel; color: $accent; }
    Adder:hover { color: $accent; }
    """
    SCOPE = "adder"
    BINDINGS: ClassVar[list[BindingType]] = bindings("adder")

    class Wanted(_Typed):
        """A row is wanted, beginning with what was typed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def render(self) -> Content:
        return Content(guard.line(self._text))

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return _is_typed(character)

    def on_key(self, event: events.Key) -> None:
        if event.character and _is_typed(event.character):
            event.stop()
            self.post_message(self.Wanted(event.character))

    def action_add(self) -> None:
        self.post_message(self.Wanted(""))

    def on_click(self) -> None:
        self.action_add()
