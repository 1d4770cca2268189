"""A file of saved calls: made from here, with what is not as expected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

from inspector.base.errors import Failed
from inspector.base.saving import chosen_path
from inspector.base.text import clip
from inspector.policy.approval import changing
from inspector.tui import guard
from inspector.tui.clipboard import CopyRequested
from inspector.tui.registry import bindings, spoken
from inspector.tui.remembered import recall
from inspector.tui.saved_calls_model import SavedCallsModel
from inspector.tui.screens.dialog import Asks, Dialog
from inspector.tui.widgets.bars.key_bar import KeyBar
from inspector.tui.widgets.forms.path_input import PathInput
from inspector.tui.widgets.lists.line_view import LineView
from inspector.tui.widgets.replay.saved_list import SavedList, subject
from inspector.tui.widgets.text.facts import Part
from inspector.workspace.saved_calls import as_junit, document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.calls.saved import SavedCall
    from inspector.workspace.connection import Connection
    from inspector.workspace.workspace import Workspace

_TICK = 0.1


class SavedCallsScreen(Screen[int | None]):
    """Dismissed with a row of the traffic to go to, or None. The model outlives it, and so does a run."""

    SCOPE = "saved_calls"
    BINDINGS: ClassVar[list[BindingType]] = bindings("saved_calls")
    DEFAULT_CSS = """
    SavedCallsScreen {
        background: $background;
        & > #calls-head { height: 2; padding: 0 1; background: $surface; text-wrap: nowrap; text-overflow: ellipsis; }
        & > SavedList { height: 1fr; padding: 0 1; }
        & > #calls-about { height: auto; max-height: 40%; padding: 0 1; background: $surface; }
        & #calls-text { height: auto; }
    }
    """

    def __init__(self, workspace: Workspace, model: SavedCallsModel) -> None:
        super().__init__()
        self._workspace, self.model = workspace, model
        self._head = Static(id="calls-head", markup=False)
        self._list = SavedList(model)
        self._about = Static(id="calls-text", markup=False)
        self._stale = False

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._list
        with VerticalScroll(id="calls-about", can_focus=False):
            yield self._about
        yield KeyBar()

    def on_mount(self) -> None:
        self.model.changed = self._moved_on
        self._list.focus()
        self.set_interval(_TICK, self._tick)
        if self.model.file is None and (last := recall().calls) and Path(last).is_file():
            self._load(Path(last))
        self._renew()
        if self.model.file is None:
            self.action_open_file()

    def on_unmount(self) -> None:
        if self.model.changed == self._moved_on:
            # Whoever opened this may listen by now.
            self.model.changed = lambda: None

    def _moved_on(self) -> None:
        self._stale = True

    def _tick(self) -> None:
        if self._stale:
            self._stale = False
            self._renew()

    def _load(self, file: Path) -> None:
        try:
            self.model.load(file)
        except Failed as failed:
            said = guard.message(f"{failed.failure.message}; {failed.failure.hint or ''}")
            self.notify(said, title="Not read", severity="error", timeout=10, markup=False)

    # What is seen

    def _renew(self) -> None:
        self._list.renew()
        self._tell()
        self._point()
        self.refresh_bindings()

    def _tell(self) -> None:
        model = self.model
        where = guard.line(model.target) or "no server"
        parts: list[Part] = [
            (guard.line(model.file.name) if model.file is not None else "no file is open", "bold"),
            (" → ", "$text-accent"),
            (where, "bold"),
            (f"   {guard.line(str(model.file.parent))}" if model.file is not None else "", "$quiet"),
            ("\n", ""),
            ("1 call" if len(model.calls) == 1 else f"{len(model.calls):,} calls", ""),
        ]
        failed = sum(bool(outcome.failures) for outcome in model.report)
        if passed := len(model.report) - failed:
            parts.append((f"   ✓ {passed:,} as expected", "$text-success"))
        if failed:
            parts.append((f"   ✗ {failed:,} not as expected", "bold $text-error"))
        if model.running:
            parts.append(("   … running", "$text-warning"))
        self._head.update(Content.assemble(*parts))

    def _point(self) -> None:
        call = self._list.call
        if call is None:
            self._about.update(Content(""))
            return
        outcome = self.model.outcomes.get(call.name)
        server = call.server or self.model.target
        parts: list[Part] = [
            (guard.line(call.name), "bold"),
            (f"   {guard.line(server)}  {guard.line(subject(call), cut=True)}", "$quiet"),
        ]
        for line in call.expect.told:
            parts.append((f"\n  expects {guard.line(line, cut=True)}", "$quiet"))
        for failure in outcome.failures if outcome is not None else ():
            parts.append((f"\n✗ {guard.message(failure)}", "$text-error"))
        self._about.update(Content.assemble(*parts))

    @on(LineView.Moved)
    def _cursor_moved(self, event: LineView.Moved) -> None:
        event.stop()
        self._point()
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if not self.is_mounted:
            return True
        if action in ("start", "one", "open_file", "reload", "target"):
            return not self.model.running and (action == "open_file" or self.model.file is not None)
        if action == "stop":
            return self.model.running
        if action in ("save_report", "copy_report", "next"):
            return bool(self.model.report)
        if action == "live":
            return bool(self._rows)
        return True

    @property
    def _rows(self) -> tuple[int, ...]:
        call = self._list.call
        outcome = self.model.outcomes.get(call.name) if call is not None else None
        return outcome.rows if outcome is not None else ()

    # The file

    @work(group="dialogs", exclusive=True)
    async def action_open_file(self) -> None:
        last = self.model.file or recall().calls or ""
        path = await self.app.push_screen_wait(OpenCallsScreen(str(last), self.model))
        if path is not None:
            remembered = recall()
            remembered.calls = str(path)
            remembered.keep("calls")
            self._list.cursor = 0
            self._renew()

    def action_reload(self) -> None:
        if self.model.file is not None:
            self._load(self.model.file)
            self._renew()

    def action_target(self) -> None:
        names = list(self._workspace.connections)
        if names:
            at = names.index(self.model.target) + 1 if self.model.target in names else 0
            self.model.target = names[at % len(names)]
            self._renew()

    # The calls

    def action_start(self) -> None:
        self._make(self.model.calls)

    def action_one(self) -> None:
        if (call := self._list.call) is not None:
            self._make([call])

    @work(group="dialogs", exclusive=True)
    async def _make(self, calls: Sequence[SavedCall]) -> None:
        if self.model.running or not calls:
            return
        try:
            to = {call.name: self.model.connection_of(call, self._workspace.connections) for call in calls}
            down = next((each for each in to.values() if each.state != "ready"), None)
            if down is not None:
                said = f"{guard.line(down.name)} is not connected."
                self.notify(said, severity="warning", markup=False)
                return
            denied = await self._denied(calls, to)
        except Failed as failed:
            said = guard.message(f"{failed.failure.message}; {failed.failure.hint or ''}")
            self.notify(said, title="Not called", severity="error", timeout=8, markup=False)
            return
        if denied is not None:
            self.model.start(calls, to, denied)
        self._renew()

    async def _denied(self, calls: Sequence[SavedCall], to: dict[str, Connection]) -> set[str] | None:
        """Calls that must not be made; None where nothing is to be called at all. One call by itself was asked for by
        the person who reads it. Raises Failed."""
        from inspector.tui.screens.confirm import ConfirmScreen

        if len(calls) == 1:
            return set()
        named: list[str] = []
        for connection in dict.fromkeys(to.values()):
            tools = [call.tool for call in calls if call.tool and to[call.name] is connection]
            if connection.session is not None:
                named += await changing(connection.session, tools)
        if not named:
            return set()
        shown = ", ".join(guard.line(clip(tool, 40)) for tool in dict.fromkeys(named))
        text = Content.assemble(
            "Tools that are not marked as reading only will be called:\n", (clip(shown, 1000), "bold")
        )
        agreed = await self.app.push_screen_wait(
            ConfirmScreen("Make these calls?", text, yes="Call them", no="Leave it")
        )
        return set() if agreed else None

    def action_stop(self) -> None:
        if self.model.run is not None:
            self.model.run.stop()

    # What came of them

    def action_next(self, direction: int) -> None:
        at = self._list.cursor
        found = [
            place
            for place, call in enumerate(self.model.calls)
            if (place - at) * direction > 0
            and (outcome := self.model.outcomes.get(call.name)) is not None
            and outcome.failures
        ]
        if found:
            self._list.cursor = found[0 if direction > 0 else -1]
        else:
            self.notify("no other failure that way", timeout=3, markup=False)

    @on(SavedList.Opened)
    def _opened(self, event: SavedList.Opened) -> None:
        event.stop()
        if self._rows:
            self.action_live()
        else:
            said = f"it was not called yet; {spoken('saved_calls.one')} calls it"
            self.notify(said, timeout=3, markup=False)

    def action_live(self) -> None:
        if self._rows:
            self.dismiss(self._rows[-1])

    def action_save_report(self, form: str) -> None:
        from inspector.tui.screens.save import SaveScreen

        name = self.model.file.name if self.model.file is not None else "calls"
        if form == "junit":
            text = as_junit(self.model.report, name, guard.masked)
        else:
            written = document(self.model.report, guard.masked, lambda failure: failure.as_json())
            text = json.dumps(written, indent=1, ensure_ascii=False) + "\n"
        suffix = "xml" if form == "junit" else "json"
        data = text.encode("utf-8", "backslashreplace")
        self.app.push_screen(SaveScreen("The report of the calls", f"calls-report.{suffix}", data))

    def action_copy_report(self) -> None:
        lines = []
        for outcome in self.model.report:
            lines.append(f"{'✗' if outcome.failures else '✓'} {outcome.call.name}")
            lines += [f"    {line}" for line in outcome.failures]
        self.post_message(CopyRequested("The report", guard.masked("\n".join(lines))))

    def action_close(self) -> None:
        self.dismiss(None)


class OpenCallsScreen(Asks[Path | None]):
    """Dismissed with the file, which `model` has read then."""

    SCOPE = "dialog"
    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")
    DEFAULT_CSS = """
    OpenCallsScreen {
        & > Dialog { width: 84; padding: 0 1; }
        & .title { height: auto; color: $quiet; }
        & Input { background: $panel; }
    }
    """

    def __init__(self, last: str, model: SavedCallsModel) -> None:
        super().__init__()
        self._model = model
        self._input = PathInput(last, placeholder="calls.yaml")

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = Content("Open saved calls")
            how = f"A file of saved calls, YAML or JSON. {spoken('save_call')} over a tool puts a call into one."
            yield Static(how, classes="title", markup=False)
            yield self._input
            yield from self.buttons("Open")

    def on_mount(self) -> None:
        self._input.focus()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_accept()

    def action_accept(self) -> None:
        try:
            path = chosen_path(self._input.value, Path.cwd())
            self._model.load(path)
        except Failed as failed:
            self.complain(failed)
            return
        self.dismiss(path)
