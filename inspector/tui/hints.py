"""What somebody who is here for the first time may want to know, one short line at a time.

A hint is about the part with the focus. It is gone for good once it was followed, or put away; what is gone is kept
with what the app remembers (`remembered.Remembered.hints`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from textual.dom import DOMNode
from textual.widget import Widget

from inspector.tui.registry import BY_ID, key_label, keys_of, spoken

if TYPE_CHECKING:
    from inspector.tui.screens.workspace import WorkspaceScreen

ALL = "*"
"""Stands for all hints among those that are gone."""


def _always(screen: WorkspaceScreen) -> bool:
    return True


def _is(*states: str) -> Callable[[WorkspaceScreen], bool]:
    return lambda screen: screen.connection is not None and screen.connection.state in states


def _view(screen: WorkspaceScreen) -> Any:
    """What is open in the tab on show: a tool, a prompt, a resource, a question."""
    return getattr(screen.pane.tab, "view", None) if screen.pane is not None else None


def _opened(screen: WorkspaceScreen) -> bool:
    return _view(screen) is not None


def _called(screen: WorkspaceScreen) -> bool:
    """A tool was called, and its answer is there to be looked at."""
    return bool(getattr(_view(screen), "calls", None))


class Hint(NamedTuple):
    """`text` names actions in braces; one of `done` has to be run for it to be gone. `place` is a scope round the
    focus, empty for all of the screen."""

    id: str
    place: str
    text: str
    done: tuple[str, ...]
    when: Callable[[WorkspaceScreen], bool] = _always


HINTS: tuple[Hint, ...] = (
    Hint("failed", "servers", "{restart} starts it again; {servers.open} goes in, Process has what it wrote",
         ("restart", "servers.open"), _is("error")),
    Hint("tools", "servers", "{focus_tools} goes to the tools of this server, {servers.open} to all that it has",
         ("focus_tools", "servers.open"), _is("ready")),
    Hint("open", "tools", "{servers.open} opens the form of a tool; {filter} finds one by its name",
         ("call", "filter"), lambda screen: not _opened(screen)),
    Hint("result", "tools", "{zoom_result} goes into the answer; {focus_traffic} shows what was said on the wire",
         ("zoom_result", "focus_traffic"), _called),
    Hint("call", "tools", "{call} calls the tool with what is filled in; {preview} shows the frame for it",
         ("call",), lambda screen: not _called(screen)),
    Hint("resource", "resources", "{lines.open} reads what is under the cursor; {resources.next_view} shows it as JSON",
         ("read", "resources.next_view")),
    Hint("question", "inbox", "{inbox.answer} answers, {inbox.decline} says no; the call waits meanwhile",
         ("inbox.answer", "inbox.decline")),
    Hint("value", "detail", "{json.open} and {json.close} open and close values; {traffic.peer} goes to the other side",
         ("json.open", "json.close", "traffic.peer")),
    Hint("frame", "frames", "{frames.open} opens a frame; {traffic.filter} finds some, as kind:error does",
         ("frames.open", "traffic.filter")),
    Hint("jump", "", "{jumps} shows a letter at every place; the letter goes there", ("jump",)),
    Hint("palette", "", "{command_palette} finds everything by its name; {help} lists the keys that count here",
         ("command_palette", "help")),
)  # fmt: skip


class Hints:
    """`gone` are the ids of hints that are not shown any more. Where there is no terminal nobody has to be shown
    anything: there is none until `shown` is set."""

    def __init__(self, gone: Sequence[str]) -> None:
        self.gone = set(gone)
        self.shown = False

    def here(self, screen: WorkspaceScreen) -> Hint | None:
        """The hint for where the focus is."""
        if not self.shown or ALL in self.gone or screen.reads_recording:
            return None
        scopes = {"", *_scopes(screen.focused)}
        return next(
            (
                hint
                for hint in HINTS
                if hint.id not in self.gone and hint.place in scopes and hint.when(screen)
            ),
            None,
        )

    def followed(self, owner: object, action: str) -> bool:
        """An action was run; True where that ends a hint."""
        if not self.shown or ALL in self.gone:
            return False
        scopes = set(_own_scopes(owner))
        ended = {
            hint.id
            for hint in HINTS
            if hint.id not in self.gone
            and any(BY_ID[id_].scope in scopes and BY_ID[id_].call == action for id_ in hint.done)
        }
        self.gone |= ended
        return bool(ended)


def told(hint: Hint) -> str:
    """Its text with the keys that the person has."""
    text = hint.text
    for id_ in BY_ID:
        text = text.replace("{" + id_ + "}", spoken(id_))
    # Where one types the first key of a jump is a letter.
    return text.replace("{jumps}", " or ".join(map(key_label, keys_of("jump"))) or spoken("jump"))


def _own_scopes(owner: object) -> list[str]:
    """The scopes of a widget, also those of the classes it is made from."""
    return [scope for kind in type(owner).__mro__ if (scope := kind.__dict__.get("SCOPE"))]


def _scopes(widget: Widget | None) -> list[Any]:
    nodes: list[DOMNode] = list(widget.ancestors_with_self) if widget is not None else []
    return [scope for node in nodes for scope in _own_scopes(node)]
