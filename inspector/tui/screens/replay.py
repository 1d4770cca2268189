"""A replay: the requests of then, sent to a server of now, and what is different."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from inspector.base import numbers
from inspector.base.errors import Failed
from inspector.base.jsondiff import Change, Inside
from inspector.base.jsonptr import escape
from inspector.base.text import clip, decode
from inspector.policy.approval import changing
from inspector.replay.report import Outcome
from inspector.tui import guard
from inspector.tui import replay_words as words
from inspector.tui.chosen_frames import Frames
from inspector.tui.clipboard import CopyRequested
from inspector.tui.registry import bindings, spoken
from inspector.tui.replay_model import PACES, ReplayModel
from inspector.tui.widgets.bars.key_bar import KeyBar
from inspector.tui.widgets.lists.line_view import LineView
from inspector.tui.widgets.replay.step_list import StepList, StepTitles
from inspector.tui.widgets.text.change_list import ChangeList

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection
    from inspector.workspace.workspace import Workspace

_TICK = 0.1
_NAMED = 12


class ReplayScreen(Screen[int | None]):
    """Dismissed with a row of the traffic to go to, or None. The model outlives it, and so does a run."""

    SCOPE = "replay"
    BINDINGS: ClassVar[list[BindingType]] = bindings("replay")
    DEFAULT_CSS = """
    ReplayScreen {
        background: $background;
        & > #replay-head { height: auto; max-height: 4; padding: 0 1; background: $surface; }
        & > StepList { height: 1fr; padding: 0 1; }
        & > #replay-step { height: auto; max-height: 4; padding: 0 1; background: $surface; }
        & > ChangeList { display: none; height: auto; max-height: 35%; padding: 0 1; }
        &.-changes > ChangeList { display: block; }
    }
    """

    def __init__(self, workspace: Workspace, model: ReplayModel, offered: list[Frames]) -> None:
        """`offered` are the frames of the traffic that can be chosen."""
        super().__init__()
        self._workspace, self.model, self._offered = workspace, model, offered
        self._head = Static(id="replay-head", markup=False)
        self._steps = StepList(model)
        self._about = Static(id="replay-step", markup=False)
        self._changes = ChangeList(id="replay-changes")
        self._stale = False
        self._asking = False
        self._ran = model.running

    def compose(self) -> ComposeResult:
        yield self._head
        yield StepTitles()
        yield self._steps
        yield self._about
        yield self._changes
        yield KeyBar()

    def on_mount(self) -> None:
        self.model.changed = self._moved_on
        self._steps.focus()
        self.set_interval(_TICK, self._tick)
        self._renew()
        if self.model.frames is None:
            self._read(self._offered[0])

    def on_unmount(self) -> None:
        if self.model.changed == self._moved_on:
            # Whoever opened this may listen by now.
            self.model.changed = lambda: None

    def on_resize(self) -> None:
        self._tell()

    def _moved_on(self) -> None:
        self._stale = True

    def _tick(self) -> None:
        if self._stale:
            self._stale = False
            run = self.model.run
            if run is not None and run.current is not None and self.model.pace != "fast":
                self._steps.cursor = run.current
            self._renew()
            if self._ran and not self.model.running and (wrong := self._wrong):
                self._steps.cursor = wrong[0]
            self._ran = self.model.running

    @work(group="read", exclusive=True)
    async def _read(self, frames: Frames) -> None:
        self._head.update(Content("reading …"))
        await self.model.load(frames)
        self._steps.cursor = 0
        self._renew()

    # What is seen

    def _renew(self) -> None:
        self._steps.renew()
        self._tell()
        self._point()
        self.refresh_bindings()

    def _tell(self) -> None:
        if self.model.frames is not None:
            self._head.update(words.head(self.model, max(20, self.size.width - 2)))

    def _point(self) -> None:
        """What there is to say of the request under the cursor."""
        step, outcome = self._steps.step, self._outcome
        changes = list(outcome.changes) if outcome is not None else []
        self._changes.load(changes, "")
        self.set_class(bool(changes), "-changes")
        self._about.update(Content("") if step is None else words.about(step, outcome))

    @property
    def _outcome(self) -> Outcome | None:
        return self.model.outcome(self._steps.cursor) if self._steps.step is not None else None

    @on(LineView.Moved)
    def _cursor_moved(self, event: LineView.Moved) -> None:
        event.stop()
        if event.view is self._steps:
            self._point()
            self.refresh_bindings()

    # What is sent, and where to

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if not self.is_mounted:
            return True
        running = self.model.running
        if action in ("start", "source", "label", "target", "pace", "all"):
            if action == "label":
                return not running and len(self.model.plans) > 1
            return not running
        if action == "stop":
            return running
        if action == "leave_out":
            return self.model.run is not None and self.model.run.waits
        if action == "compare":
            return self._outcome is not None and self._outcome.live is not None
        if action in ("save_report", "copy_report", "next"):
            return bool(self.model.run is not None and self.model.run.outcomes)
        if action == "live":
            return bool(self._outcome is not None and self._outcome.rows)
        if action == "ignore":
            return bool(self._outcome is not None and self._outcome.changes)
        return True

    def action_pick(self) -> None:
        """Chooses the request, or no longer; where one waits to be sent, sends it."""
        run = self.model.run
        if run is not None and run.waits:
            run.go()
            return
        step, place = self._steps.step, self._steps.cursor
        if step is None or self.model.running:
            return
        if step.skip:
            self.notify(guard.line(f"it is never sent: {step.skip}"), timeout=4, markup=False)
            return
        self.model.chosen ^= {place}
        self._steps.cursor += 1
        self._renew()

    def action_all(self) -> None:
        plan = self.model.plan
        steps = plan.steps if plan is not None else []
        every = {place for place, step in enumerate(steps) if not step.skip}
        self.model.chosen = set() if self.model.chosen >= every else every
        self._renew()

    def action_leave_out(self) -> None:
        if (run := self.model.run) is not None:
            run.go(send=False)

    def action_pace(self) -> None:
        self.model.pace = PACES[(PACES.index(self.model.pace) + 1) % len(PACES)]
        self._tell()

    def action_target(self) -> None:
        names = [name for name, each in self._workspace.connections.items() if each.is_ours]
        if names:
            at = names.index(self.model.target) + 1 if self.model.target in names else 0
            self.model.target = names[at % len(names)]
            if self.model.target in self.model.plans:
                self.model.choose_label(self.model.target)
            self._renew()

    def action_label(self) -> None:
        labels = list(self.model.plans)
        self.model.choose_label(labels[(labels.index(self.model.label) + 1) % len(labels)])
        self._steps.cursor = 0
        self._renew()

    @work(group="dialogs", exclusive=True)
    async def action_source(self) -> None:
        from inspector.tui.screens.source import SourceScreen

        frames = await self.app.push_screen_wait(SourceScreen("Requests to send again", self._offered))
        if frames is not None:
            self._read(frames)

    @work(group="dialogs", exclusive=True)
    async def action_rules(self) -> None:
        from inspector.tui.screens.rules import RulesScreen

        model = self.model
        if await self.app.push_screen_wait(RulesScreen(model.rules, model.exact, model.use)):
            self._renew()

    def action_ignore(self) -> None:
        """What differs at the place under the cursor may differ from now on."""
        if (change := self._changes.current) is not None:
            self.model.use(f"{self.model.rules.rstrip()}\n{_pointer(change)}".lstrip(), self.model.exact)
            self._renew()

    @work(group="dialogs", exclusive=True)
    async def action_start(self) -> None:
        model = self.model
        connection = self._workspace.connections.get(model.target)
        if self._asking or model.running or connection is None or model.plan is None:
            return
        if not model.chosen:
            self.notify(f"nothing is chosen; {spoken('replay.toggle')} chooses a request", markup=False)
            return
        if connection.state != "ready" or connection.session is None:
            self.notify(f"{guard.line(model.target)} is not connected.", severity="warning", markup=False)
            return
        self._asking = True
        try:
            denied = await self._denied(connection)
            if denied is not None:
                model.start(connection, denied)
                self._ran = True
        except Failed as failed:
            text = guard.message(f"{failed.failure.message}. {failed.failure.hint or ''}")
            self.notify(text, title="Not replayed", severity="error", markup=False)
        finally:
            self._asking = False
        self._renew()

    async def _denied(self, connection: Connection) -> set[str] | None:
        """Tools that must not be called; None where nothing is to be sent at all. Raises Failed."""
        from inspector.tui.screens.confirm import ConfirmScreen

        plan = self.model.plan
        if plan is None or connection.session is None:
            return None
        called = [plan.steps[place].tool for place in sorted(self.model.chosen)]
        tools = await changing(connection.session, filter(None, called))
        if not tools:
            return set()
        shown = ", ".join(guard.line(clip(tool, 40)) for tool in tools[:_NAMED])
        more = f" and {len(tools) - _NAMED} more" if len(tools) > _NAMED else ""
        text = Content.assemble(
            f"Tools of {guard.line(connection.name)} that are not marked as reading only will be called:\n",
            (f"{shown}{more}", "bold"),
        )
        agreed = await self.app.push_screen_wait(
            ConfirmScreen("Replay?", text, yes="Call them", no="Leave it")
        )
        return set() if agreed else None

    def action_stop(self) -> None:
        if self.model.run is not None:
            self.model.run.stop()

    # What came of it

    def action_next(self, direction: int) -> None:
        """To the next request that did not come out the same."""
        wrong, at = self._wrong, self._steps.cursor
        found = [place for place in wrong if (place - at) * direction > 0]
        if found:
            self._steps.cursor = found[0 if direction > 0 else -1]
        else:
            self.notify("no other difference that way" if wrong else "no difference", timeout=3, markup=False)

    @property
    def _wrong(self) -> list[int]:
        """Places of what did not come out the same."""
        outcomes = self.model.run.outcomes if self.model.run is not None else {}
        return sorted(place for place, each in outcomes.items() if each.verdict in ("different", "missing"))

    @on(StepList.Opened)
    def _step_opened(self, event: StepList.Opened) -> None:
        event.stop()
        if self.model.run is not None and self.model.run.waits:
            self.model.run.go()
        else:
            self.action_compare()

    @on(ChangeList.Opened)
    def _change_opened(self, event: ChangeList.Opened) -> None:
        event.stop()
        self.action_compare()

    def action_compare(self) -> None:
        """Both answers beside each other; the request of then where there is nothing to compare."""
        from inspector.tui.screens.diff import DiffScreen

        outcome, frames, step = self._outcome, self.model.frames, self._steps.step
        if outcome is None or outcome.live is None or step is None:
            self.action_recorded()
            return
        then, now = numbers.dumps(step.answer, 2), numbers.dumps(outcome.live, 2)
        old, new = f"{frames.title if frames is not None else ''} #{step.seq}", guard.line(self.model.target)
        row = outcome.rows[-1] if outcome.rows else None
        if row is not None:
            new = f"{new} #{row}"
            now = decode(self._workspace.traffic.raw(row)) if self._is_whole(outcome, row) else now
        self.app.push_screen(DiffScreen(old, then, new, now, frames=True))

    def _is_whole(self, outcome: Outcome, row: int) -> bool:
        """Whether the row is the answer itself, and nothing that only led to it."""
        try:
            return bool(numbers.same(numbers.spelled(decode(self._workspace.traffic.raw(row))), outcome.live))
        except (ValueError, IndexError):
            return False

    def action_recorded(self) -> None:
        """To the frame of then: in the traffic, or in the recording that it is from."""
        from inspector.tui.screens.frame import FrameScreen

        frames, step = self.model.frames, self._steps.step
        if frames is None or step is None:
            return
        if frames.file is None:
            self.dismiss(step.seq)
        else:
            self.app.push_screen(FrameScreen(frames.traffic, step.seq))

    def action_live(self) -> None:
        outcome = self._outcome
        if outcome is not None and outcome.rows:
            self.dismiss(outcome.rows[0])

    def action_save_report(self, form: str) -> None:
        from inspector.tui.screens.save import SaveScreen

        report = self.model.report
        name = self.model.frames.title if self.model.frames is not None else "replay"
        if form == "junit":
            text = report.as_junit(name, guard.masked)
        else:
            text = (
                json.dumps(report.as_json(numbers.plain, guard.masked), indent=1, ensure_ascii=False) + "\n"
            )
        suffix = "xml" if form == "junit" else "json"
        data = text.encode("utf-8", "backslashreplace")
        self.app.push_screen(SaveScreen("The report of the replay", f"replay.{suffix}", data))

    def action_copy_report(self) -> None:
        self.post_message(CopyRequested("The report", guard.masked(words.plain(self.model.report))))

    def action_close(self) -> None:
        if self._changes.has_focus:
            self._steps.focus()
        else:
            self.dismiss(None)


def _pointer(change: Change) -> str:
    """Where a change is, as rules are written: steps into a text that holds JSON are steps like others."""
    return "".join(f"/{escape(str(step))}" for step in change.path if not isinstance(step, Inside))
