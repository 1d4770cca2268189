"""The calls of one tool so far, newest first: when, how it went, how long it took, with what."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import ClassVar

from textual.binding import BindingType
from textual.message import Message

from inspector.base import numbers
from inspector.base.text import clip, duration
from inspector.tui import guard
from inspector.tui.calls import MARKS, Call
from inspector.tui.registry import bindings
from inspector.tui.widgets.lists.filter_list import FilterList, Item

_SHOWN = 300


class CallList(FilterList):
    """Posts what `FilterList` does, `Edit` for arguments to be taken up again, `Compare` for two answers."""

    DEFAULT_CSS = """
    CallList > OptionList { text-wrap: nowrap; text-overflow: ellipsis; }
    """
    HELP = (
        "The calls of this tool, newest first, kept over restarts of the server. `enter` opens an answer, `F5` repeats "
        "the call as it was, `e` takes its arguments up in the form. `D` compares the answer with the one before, or "
        "with the call that `m` has marked."
    )
    SCOPE = "history"
    BINDINGS: ClassVar[list[BindingType]] = bindings("history")

    class Edit(Message):
        """The arguments of a call are wanted in the form."""

        def __init__(self, call: Call) -> None:
            super().__init__()
            self.call = call

    class Compare(Message):
        """Two answers are to be compared, the older one first."""

        def __init__(self, older: Call, newer: Call) -> None:
            super().__init__()
            self.older = older
            self.newer = newer

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(placeholder="filter calls", empty="No calls yet. F5 makes one.", id=id)
        self._calls: dict[str, Call] = {}
        self._marked: Call | None = None

    def show_calls(self, calls: Iterable[Call]) -> None:
        """Newest first."""
        # The keys stay with their calls, so that the cursor does too when another one comes on top.
        self._calls = {str(id(call)): call for call in calls}
        if self._marked not in self._calls.values():
            self._marked = None
        self.show([self._item(key, call) for key, call in self._calls.items()])

    @property
    def call(self) -> Call | None:
        """The one under the cursor."""
        return self._calls.get(self.key or "")

    def by_key(self, key: str) -> Call | None:
        return self._calls.get(key)

    def _item(self, key: str, call: Call) -> Item:
        took = "" if call.running else duration(call.elapsed)
        marked = "◆" if call is self._marked else " "
        when = time.strftime("%H:%M:%S", time.localtime(call.at))
        text = f"{marked} {when} {took:>8}  {call.badge}  {arguments_line(call)}"
        return Item(key, clip(text, _SHOWN), mark=MARKS[call.badge])

    def action_edit_call(self) -> None:
        if (call := self.call) is not None:
            self.post_message(self.Edit(call))

    def action_mark_call(self) -> None:
        """Marks a call to compare others with, or takes the mark off."""
        call = self.call
        self._marked = None if call is self._marked else call
        self.show_calls(list(self._calls.values()))

    def action_compare_calls(self) -> None:
        """With the marked call, or with the one before it in time."""
        calls = [call for call in self._calls.values() if not call.running]
        call = self.call
        if call is None or call not in calls:
            return
        other = self._marked if self._marked is not None and self._marked is not call else None
        if other is None:
            later = calls[calls.index(call) + 1 :]
            other = later[0] if later else None
        if other is None:
            self.notify("There is no answer before this one to compare it with", markup=False)
            return
        older, newer = sorted((call, other), key=lambda each: each.at)
        self.post_message(self.Compare(older, newer))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("edit_call", "mark_call", "compare_calls"):
            return bool(self._calls) and not self._input.has_focus
        return True


def arguments_line(call: Call) -> str:
    """The arguments of a call on one line, safe and clipped."""
    given = call.params.get("arguments")
    try:
        text = str(given) if isinstance(given, str) else numbers.dumps(given)
    except ValueError:
        text = repr(given)
    return clip(guard.line(text[: 4 * _SHOWN], cut=True), _SHOWN)
