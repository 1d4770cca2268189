"""The list of findings with its filter, and the one under the cursor explained: beside it, or below where it is
narrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Label, Static

from inspector.base.errors import Failed
from inspector.check.rules import Finding
from inspector.tui import guard
from inspector.tui.clipboard import CopyRequested
from inspector.tui.registry import bindings, label
from inspector.tui.screens.confirm import ConfirmScreen
from inspector.tui.undo import Undoable
from inspector.tui.widgets.findings.explained import explained
from inspector.tui.widgets.findings.finding_list import ORDERS, FindingList, line_of
from inspector.tui.widgets.findings.summary import levels
from inspector.tui.widgets.lists.line_view import LineView
from inspector.tui.widgets.lists.moving import Scroll
from inspector.tui.widgets.text.facts import Part

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection
    from inspector.workspace.workspace import Workspace

_BESIDE, _WIDEST, _AROUND = 110, 80, 5
"""Cells of width from which the explanation stands beside the list, its most then, and what is around its text."""
_MOST_LINES = 14
"""Requests of probes that are told one by one."""


class FindingsView(Vertical):
    """Of one connection, or of all traffic where that is None. Posts `Wanted` with a finding that is to be gone to."""

    SCOPE = "findings"
    BINDINGS: ClassVar[list[BindingType]] = bindings("findings")
    DEFAULT_CSS = """
    FindingsView {
        height: 1fr; width: 1fr;
        & > #findings-head { height: 1; padding: 0 1; width: 1fr; text-wrap: nowrap; text-overflow: ellipsis; }
        & > Input { display: none; margin: 0 1; }
        &.-filtering > Input { display: block; }
        & > #findings-body { height: 1fr; layout: vertical; }
        & FindingList { height: 1fr; width: 1fr; }
        & #finding { height: auto; max-height: 50%; padding: 0 1; background: $surface; border-top: solid $line; }
        & #finding-text { height: auto; }
        &.-beside > #findings-body { layout: horizontal; }
        &.-beside #finding { height: 1fr; max-height: 100%; width: 40%; max-width: 80; border-left: solid $line; }
        &.-beside #finding { border-top: none; }
    }
    """

    class Wanted(Message):
        """A finding is to be gone to: at its frame, or (`tool`) in the list of tools."""

        def __init__(self, view: FindingsView, finding: Finding, *, tool: bool = False) -> None:
            super().__init__()
            self.view = view
            self.finding = finding
            self.tool = tool

    def __init__(
        self,
        workspace: Workspace,
        connection: Connection | None = None,
        *,
        near: Connection | None = None,
        id: str | None = None,
    ) -> None:
        """`near` is the one that is probed where no finding says which."""
        super().__init__(id=id)
        self._workspace, self._connection, self._near = workspace, connection, near
        self._head = Label(id="findings-head", markup=False)
        self._filter = Input(
            placeholder="filter: words of rule, level, message, place; -word is not",
            compact=True,
            select_on_focus=False,
        )
        self._list = FindingList()
        self._text = Static(id="finding-text", markup=False)
        self._silent = False
        self._told: object = None
        self._waited = 0
        self._explained: object = None

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._filter
        with Horizontal(id="findings-body"):
            yield self._list
            with Scroll(id="finding"):
                yield self._text

    def on_mount(self) -> None:
        self.refresh_state()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= _BESIDE, "-beside")
        self._explained = None
        self.call_after_refresh(self._explain)

    # What is shown

    def refresh_state(self) -> None:
        """Looks at what was found again."""
        findings = self._workspace.findings
        if self._waited != findings.waiting:
            self._waited = findings.waiting
            self._tell()
        state = findings.revision, self._silent, findings.waiting > 0, guard.epoch()
        if state == self._told:
            return
        self._told = state
        self._list.load(self._found(), self._empty())
        self._tell()
        self._explain()
        self.refresh_bindings()

    def _found(self) -> list[Finding]:
        findings = self._workspace.findings
        if self._silent:
            mine = findings.muted_of(self._connection)
        else:
            mine = list(findings.told) if self._connection is None else findings.of(self._connection)
        return mine

    def _empty(self) -> str:
        findings = self._workspace.findings
        if self._silent:
            return "no finding is muted"
        if muted := len(findings.muted_of(self._connection)):
            return f"nothing but what is muted: {label('findings.muted')} shows {muted:,}"
        return "not looked at yet …" if findings.waiting else "nothing breaks a rule, as far as was seen"

    def _tell(self) -> None:
        findings, found = self._workspace.findings, self._found()
        parts: list[Part] = [("Findings  ", "bold $text-primary")] if self._connection is None else []
        if self._silent:
            parts.append((f"muted: {', '.join(sorted(findings.muted)) or 'no rule'}  ", "bold $text-warning"))
        parts += levels(found) or [("none  ", "$quiet")]
        order = "by rule" if self._list.by_rule else ORDERS[self._list.order][0]
        parts.append((order, "$quiet"))
        if len(self._list.shown) != len(found) and not self._list.by_rule:
            parts.append((f"  {len(self._list.shown):,} of {len(found):,}", "bold $foreground"))
        if not self._silent and (muted := len(findings.muted_of(self._connection))):
            parts.append((f"  {muted:,} muted", "$quiet"))
        if findings.waiting:
            parts.append((f"  {findings.waiting:,} rows are not looked at yet", "$text-warning"))
        if findings.broken:
            parts.append((f"  failed themselves: {', '.join(findings.broken)}", "$text-warning"))
        self._head.update(Content.assemble(*parts))

    def _explain(self) -> None:
        """What is under the cursor, in full."""
        each = self._list.current
        width = min(_WIDEST, self.size.width * 2 // 5) if self.has_class("-beside") else self.size.width
        width -= _AROUND
        state = (id(each), len(each.frames) if each is not None else 0, width, guard.epoch())
        if width <= 0 or state == self._explained:
            return
        self._explained = state
        self.query_one("#finding").display = each is not None
        if each is not None:
            parts = explained(each, width, server=self._connection is None)
            self._text.update(Content.assemble(*parts).rstrip())

    @on(LineView.Moved)
    def _moved(self, event: LineView.Moved) -> None:
        event.stop()
        self.query_one("#finding").scroll_to(y=0, animate=False)
        self.call_after_refresh(self._explain)
        self.refresh_bindings()

    # Where the focus is

    def enter(self, at: Finding | None = None) -> None:
        """Puts the focus on the list, and its cursor on a finding."""
        self._list.focus()
        if at is not None:
            self._list.go_to(at)

    def leave(self) -> bool:
        """One step back: the filter, the muted ones; False where there is none."""
        if self.has_class("-filtering"):
            self._filter.value = ""
            self.remove_class("-filtering")
        elif self._silent:
            self.action_muted()
        elif not self._list.has_focus:
            pass
        else:
            return False
        self._list.focus()
        return True

    def open_filter(self) -> None:
        self.add_class("-filtering")
        self._filter.focus()

    def filter_by(self, source: str) -> None:
        """Sets the filter as if it had been typed."""
        self.add_class("-filtering")
        self._filter.value = source

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._list.filter_by(event.value)
        self._tell()
        self.call_after_refresh(self._explain)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._list.focus()

    # What is done

    @on(FindingList.Opened)
    def _opened(self, event: FindingList.Opened) -> None:
        event.stop()
        each = self._list.current
        if each is None:
            return
        if self._list.by_rule:
            self._list.show_as(self._list.order, by_rule=False)
            self.filter_by(each.rule.lower())
            self._list.focus()
        else:
            self.post_message(self.Wanted(self, each))

    def action_tool(self) -> None:
        if (each := self._list.current) is not None:
            self.post_message(self.Wanted(self, each, tool=True))

    def action_sort(self) -> None:
        self._list.show_as(self._list.order + 1, self._list.by_rule)
        self._tell()

    def action_rules(self) -> None:
        """A line for each rule, or for each finding again."""
        self._list.show_as(self._list.order, not self._list.by_rule)
        self._tell()
        self._explain()

    def action_muted(self) -> None:
        """The findings of muted rules, or the others again."""
        self._silent = not self._silent
        self.refresh_state()

    def action_mute(self) -> None:
        """Mutes the rule under the cursor; among the muted ones, tells of it again."""
        each = self._list.current
        if each is None:
            return
        muted = not self._silent
        try:
            self._workspace.findings.mute(each.rule, muted)
        except Failed as failed:
            said = guard.message(f"{failed.failure.message}. {failed.failure.hint or ''}")
            self.notify(said, title="Not muted", severity="error", timeout=10, markup=False)
            return
        self.post_message(
            Undoable(
                f"{each.rule} is {'told of' if muted else 'muted'} again, in the settings too",
                lambda: self._workspace.findings.mute(each.rule, not muted),
            )
        )
        way = f"{label('findings.muted')} shows what is muted" if not self._silent else "it is told of again"
        self.notify(f"{each.rule}: {way}; kept in the settings", timeout=4, markup=False)
        self.refresh_state()

    def copy_offer(self) -> tuple[str, str] | None:
        """The finding under the cursor."""
        return self._list.copy_offer()

    def action_copy_all(self) -> None:
        shown = self._list.shown
        text = "\n".join(line_of(each) for each in shown)
        self.post_message(CopyRequested(f"{len(shown):,} findings", text))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "probe":
            return self._probed is not None
        if action in ("mute", "tool", "copy_all"):
            return bool(self._list.shown)
        return True

    @property
    def _probed(self) -> Connection | None:
        """The server that can be asked."""
        each = self._list.current
        connection = self._connection or self._near
        if self._connection is None and each is not None:
            connection = self._workspace.connections.get(each.server)
        ready = connection is not None and connection.is_ours and connection.state == "ready"
        return connection if ready else None

    @work(group="probe", exclusive=True)
    async def action_probe(self) -> None:
        """Sends requests that the server has to refuse, after a yes to them."""
        if (connection := self._probed) is None:
            return
        findings, name = self._workspace.findings, guard.line(connection.name)
        told = await findings.planned(connection)
        shown = [guard.line(line, cut=True)[:300] for line in told[:_MOST_LINES]]
        more = [f"and {len(told) - _MOST_LINES} more"] if len(told) > _MOST_LINES else []
        text = Content.assemble(
            (
                f"These {len(told)} requests are sent to {name}, to see whether it refuses what it has to refuse.\n",
                "",
            ),
            (
                "No tool is called but one that there is not, or one that says that it only reads.\n\n",
                "$quiet",
            ),
            *((f"→ {line}\n", "$foreground") for line in [*shown, *more]),
        )
        question = ConfirmScreen("Probe the server?", text, yes="Send", no="Leave it")
        if not await self.app.push_screen_wait(question):
            return
        before = len(findings.of(connection))
        await findings.probe(connection)
        await findings.caught_up()
        self.refresh_state()
        count = len(findings.of(connection)) - before
        said = "nothing new was found" if not count else f"{count} more finding{'' if count == 1 else 's'}"
        self.notify(f"{name}: {said}", title="Probed", timeout=6, markup=False)
