"""The fields of a form, one below the other; rows are mounted as they come into view."""

from __future__ import annotations

from collections.abc import Callable

from textual import events, on
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from inspector.schema.field import Field, Issue, Report, State
from inspector.schema.finding import is_shown, show
from inspector.schema.form import FormModel, Outcome
from inspector.schema.validate import is_large
from inspector.tui.registry import spoken
from inspector.tui.undo import Undoable
from inspector.tui.widgets.forms import fitting, placing, row_messages
from inspector.tui.widgets.forms.column import BATCH, Column, tall
from inspector.tui.widgets.forms.lines import MOST, lines
from inspector.tui.widgets.forms.options import is_settled
from inspector.tui.widgets.forms.places import Removed, is_within
from inspector.tui.widgets.forms.row import FieldRow
from inspector.tui.widgets.forms.suggestions import Propose

_UNFOLDED = 50
"""Most things that are wrong whose surroundings are unfolded."""


class Fields(Column):
    """Shows a model and keeps it; `Changed` follows each entry."""

    DEFAULT_CSS = """
    Fields {
        height: 1fr;
        background: $background;
        scrollbar-gutter: stable;
        overflow-x: hidden;
        & > .nothing { padding: 0 1; color: $quiet; height: auto; display: none; }
    }
    """
    can_focus = False

    class Changed(Message):
        pass

    class Reshaped(Message):
        """The lines take another height than before."""

    class Pointed(Message):
        """The focus came to a row, or left all (None)."""

        def __init__(self, row: FieldRow | None) -> None:
            super().__init__()
            self.row = row

    def __init__(self, model: FormModel, propose: Propose | None = None) -> None:
        super().__init__(propose)
        self._model = model
        self._outcome, self._strict = Outcome({}, [], []), False
        self._errors: dict[str, str] = {}
        self._warnings: dict[str, str] = {}
        self._nothing = Static(classes="nothing", markup=False)
        self._wanted = 0
        self._last: Widget | None = None
        self.removed: list[Removed] = []
        """Rows that were taken away and can come back, the last one last."""
        self.note = ""
        """What is said of the last change, in safe text."""
        self.unveiled: set[str] = set()
        """Pointers of fields for secrets that are shown."""
        self.recalls: Callable[[], bool] = bool
        """Whether earlier calls offer values for the fields."""

    async def on_mount(self) -> None:
        await self._put([self._nothing, self._above, self._rest])
        await self.lay_out()

    def on_resize(self) -> None:
        self.call_after_refresh(self._keep_in_view)

    # Layout

    async def lay_out(self, focus: Field | None = None, inside: bool = False, named: bool = False) -> None:
        """Brings the rows in line with the model: those that stay keep their widgets and their focus, unless it goes
        to a field, `inside` of it to the first, or to its key (`named`)."""
        self._lines = lines(self._model, self._unfolded)
        if focus is not None and self._is_other_page():
            await self._show_page(focus)
            self.call_after_refresh(self.focus_field, focus, inside, named)
            return
        await self._settle(BATCH if focus is not None else 0)
        self._show_issues()
        self._measure()
        self._say_what_is_missing()
        if focus is not None:
            self.call_after_refresh(self.focus_field, focus, inside, named)

    def _say_what_is_missing(self) -> None:
        said = ""
        if not any(line.holds for line in self._lines):
            free = "declares no arguments; you can add your own." if self._lines else "takes no arguments."
            said = f"This tool {free}"
        elif len(self._lines) >= MOST:
            said = f"{MOST:,} lines are on show and the form goes on: fold what is not needed, or go on in the JSON."
        self._nothing.display = bool(said)
        self._nothing.update(Content(said))

    def _measure(self) -> None:
        if self._wanted != (wanted := self.height_wanted):
            self._wanted = wanted
            self.post_message(self.Reshaped())

    def _is_other_page(self) -> bool:
        """Whether few of the rows that are mounted stay."""
        mounted = {row.line.key for row in self._rows}
        return sum(line.key in mounted for line in self._lines) < len(mounted) // 2

    # Errors

    def show_issues(self, outcome: Outcome, strict: bool) -> tuple[list[str], list[str]]:
        """Puts each error and warning at its field, or at the nearest line above it; those without one are returned.

        What nobody has entered anything in is told of once sending was tried (`strict`).
        """
        self._outcome, self._strict = outcome, strict
        lost, advice = self._place_issues()
        self._show_issues()
        self._measure()
        return lost, advice

    def _place_issues(self) -> tuple[list[str], list[str]]:
        errors = self._outcome.errors
        if not self._strict:
            edited = {row.field.pointer for row in self._rows if row.entered}
            errors = placing.entered(errors, self._lines, edited)
        self._errors, lost = placing.placed(errors, self._lines)
        self._warnings, advice = placing.placed(self._outcome.warnings, self._lines)
        return lost, advice

    def _mounted(self) -> None:
        self._show_issues()

    def _show_issues(self) -> None:
        seen: set[str] = set()
        for row in reversed(self._rows):
            if not row.line.holds:
                continue
            pointer = row.field.pointer
            fresh = pointer not in seen
            row.show_issue(
                self._errors.get(pointer, "") if fresh else "",
                self._warnings.get(pointer, "") if fresh else "",
            )
            seen.add(pointer)

    def in_order(self, issues: list[Issue]) -> list[Issue]:
        """What is wrong in the order of the lines; what belongs to none comes last."""
        return placing.in_order(issues, self._lines)

    async def unfold_to(self, issues: list[Issue]) -> None:
        """Opens what is folded around the fields that are wrong, so that each has what is said of it at its place. A
        page is turned where nothing that is wrong is on those on show."""
        paths = [path for path, _ in issues[:_UNFOLDED]]
        shown = [path for path in paths if is_shown(self._model.root, path)]
        if paths and not shown:
            show(self._model.root, paths[0])
        opened = False
        for path in shown or paths[:1]:
            around = self._model.root.pointer
            for token in path.split("/")[1:-1]:
                around += f"/{token}"
                part = self._model.at(around)
                if part is not None and not self._unfolded.is_open(part):
                    self._unfolded.folds[around] = opened = True
        if paths and not shown:
            await self._show_page(self._model.at(paths[0]))
        elif opened:
            await self.lay_out()

    async def _show_page(self, field: Field | None, above: int = 0) -> None:
        """Brings the rows in line after a page was turned: few stay, so only those round a field are mounted. The focus
        goes to it, or to the line so many above it."""
        self._lines = lines(self._model, self._unfolded)
        self._place_issues()
        at = max(0, next((at for at, line in enumerate(self._lines) if line.field is field), above) - above)
        await self._jump(at)
        self._say_what_is_missing()
        self._fit_labels()
        self._show_issues()
        self._measure()
        self._go_to(self._rows[at - self._first])

    async def focus_error(self) -> bool:
        """Goes to the first field that is wrong; to a line above it only where none has one of its own."""
        wrong = [line.field for line in self._lines if line.holds and line.field.pointer in self._errors]
        paths = {path for path, _ in self._outcome.errors}
        if wrong:
            await self.focus_field(next((field for field in wrong if field.pointer in paths), wrong[0]))
        return bool(wrong)

    # Focus

    async def focus_field(self, field: Field, inside: bool = False, named: bool = False) -> None:
        """Goes to the control of a field, or `inside` of it to the first, mounting what lies above it."""
        at = next((number for number, line in enumerate(self._lines) if line.field is field), None)
        if at is None:
            return
        while (
            inside and self._lines[at].kind == "fold" and is_within(self._lines[at + 1].field, field)
            if at + 1 < len(self._lines)
            else False
        ):
            at += 1
        row = await self._reach(at)
        self._show_issues()
        self._go_to(row, named)

    def _go_to(self, row: FieldRow, named: bool = False) -> None:
        # What else is to be mounted is seen when it stands where it belongs.
        self._busy = True
        if named:
            row.enter_key()
        else:
            row.entry_point.focus()
        self.call_after_refresh(self._arrived, row)

    async def _arrived(self, row: FieldRow) -> None:
        if row.is_attached:
            self.scroll_to_widget(row, animate=False, immediate=True)
        self._busy = False
        # What is said below it may make it taller.
        self.call_after_refresh(self._keep_in_view)
        await self._mount_more()

    @property
    def place(self) -> str | None:
        """The pointer of the field with the focus; None where none has it."""
        row = self.row
        return row.field.pointer if row is not None and row.line.holds else None

    async def focus_place(self, pointer: str) -> None:
        """Goes to the field at a pointer, or to the nearest one around it, when the screen has settled."""
        parts = {line.field.pointer: line.field for line in reversed(self._lines) if line.holds}
        while pointer and pointer not in parts:
            pointer = pointer.rpartition("/")[0]
        if pointer in parts:
            self.call_after_refresh(self.focus_field, parts[pointer])
        else:
            await self.focus_first()

    async def focus_first(self) -> None:
        if self._first:
            await self._jump(0)
        for row in self._rows:
            if row.entry_point.focusable:
                row.entry_point.focus()
                return

    async def focus_last(self) -> None:
        """Goes back to the field that had the focus last, or to the first."""
        last = self._last
        if last is None or not last.is_attached or self not in last.ancestors:
            await self.focus_first()
            return
        last.focus()
        self.call_after_refresh(self._keep_in_view)

    def _keep_in_view(self) -> None:
        """The row with the focus stays on the screen, whatever the size."""
        row = self.row
        if row is not None and not self.window_region.contains_region(row.virtual_region):
            self.scroll_to_widget(row, animate=False)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        row = next((node for node in event.widget.ancestors_with_self if isinstance(node, FieldRow)), None)
        if row is None:
            return
        self._last = event.widget
        row.refresh()
        self.post_message(self.Pointed(row))
        if row in self._rows[-4:] or (self._first and row in self._rows[:4]):
            self.call_later(self._mount_more)

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        for node in event.widget.ancestors_with_self:
            if isinstance(node, FieldRow):
                node.refresh()

    # What rows say

    @on(row_messages.Changed)
    async def _row_changed(self, event: row_messages.Changed) -> None:
        event.stop()
        self.note = ""
        if event.removed is not None:
            self.removed.append(event.removed)
            self.post_message(Undoable("the row is back", self._bring_back))
            self.note = f"removed [{event.removed.place.at}] · {spoken('field.bring_back')} brings it back"
        if event.layout:
            await self.lay_out(event.focus, event.inside, event.named)
        else:
            self._sync_heads()
            # Somebody may have looked elsewhere with the wheel before typing on.
            self._keep_in_view()
            if (row := self.row) is not None and row.line.keyed:
                # Its pointer may be another one.
                self.post_message(self.Pointed(row))
        self.post_message(self.Changed())

    @on(row_messages.BringBack)
    async def _back_wanted(self, event: row_messages.BringBack) -> None:
        event.stop()
        await self._bring_back()

    async def _bring_back(self) -> None:
        if self.removed and self.is_attached:
            self.note = ""
            await self.lay_out(self.removed.pop().bring_back())
            self.post_message(self.Changed())

    @on(row_messages.Unveiled)
    def _unveiled(self, event: row_messages.Unveiled) -> None:
        event.stop()
        pointer = event.row.field.pointer
        (self.unveiled.discard if event.row.is_veiled else self.unveiled.add)(pointer)
        self.post_message(self.Pointed(event.row))
        self.post_message(self.Changed())

    def forget(self) -> None:
        """Other values were taken: what was removed or shown before belongs to none of them."""
        self.removed, self.note = [], ""
        self.unveiled.clear()

    def _sync_heads(self) -> None:
        for row in self._rows:
            if row.line.kind in ("fold", "union"):
                fitting.show(row)

    @on(row_messages.Asked)
    async def _row_asked(self, event: row_messages.Asked) -> None:
        event.stop()
        field, pointer = event.row.field, event.row.field.pointer
        if event.what == "fold":
            was = self._unfolded.is_open(field)
            wanted = not was if event.wanted is None else event.wanted
            if wanted != was:
                self._unfolded.folds[pointer] = wanted
                await self.lay_out()
        elif (
            event.what == "json"
            and pointer not in self._unfolded.as_json
            and is_large(field.emit("", Report()))
        ):
            said = f"This is much to edit here; {spoken('edit_outside')} opens all that is entered in your editor."
            self.notify(said, markup=False)
        elif event.what == "json" and not field.raw:
            if pointer in self._unfolded.as_json and field.state is not State.JSON:
                self._unfolded.as_json.discard(pointer)
            else:
                self._unfolded.as_json.add(pointer)
            await self.lay_out(field)

    @on(row_messages.Paged)
    async def _page_wanted(self, event: row_messages.Paged) -> None:
        event.stop()
        rows = event.owner.rows
        if event.at is not None:
            rows.show(event.at)
        elif not rows.turn(event.by):
            return
        staying = self.row is not None and self.row.line.kind == "page" and event.at is None
        await self._show_page(rows[rows.first if event.at is None else event.at], above=int(staying))

    @on(row_messages.Onward)
    async def _row_left(self, event: row_messages.Onward) -> None:
        event.stop()
        if not event.by:
            self.screen.focus_next()
            return
        at = self._rows.index(event.row) + event.by
        if at >= len(self._rows) and self._end < len(self._lines):
            await self._mount_to(self._end + BATCH)
        elif at < 0 < self._first:
            before = self._first
            await self._mount_from(self._first - BATCH)
            at += before - self._first
        while 0 <= at < len(self._rows):
            if (target := self._rows[at].entry_point).focusable:
                target.focus()
                return
            at += event.by

    @on(row_messages.Leap)
    async def _leapt(self, event: row_messages.Leap) -> None:
        event.stop()
        here = self._first + self._rows.index(event.row)
        screen = max(1, self.size.height - 2)
        at = here
        while 0 <= at + event.by < len(self._lines) and (event.whole or screen > 0):
            at += event.by
            screen -= tall(self._lines[at])
        # Not every line takes the focus.
        while at != here and not (self._lines[at].holds and not is_settled(self._lines[at])):
            at -= event.by
        await self.focus_field(self._lines[at].field)
