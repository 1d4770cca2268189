"""One server in full: its tabs, each built when it is first looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import ContentSwitcher

from inspector.protocol.extensions import SKILLS, TASKS
from inspector.tui import guard, wording
from inspector.tui.widgets.bars.tab_strip import Tab, TabStrip

if TYPE_CHECKING:
    from inspector.protocol.listing import ListKind
    from inspector.session.handshake import Handshake
    from inspector.session.inbox import Question
    from inspector.tui.widgets.answers.messages_view import LinkWanted
    from inspector.tui.widgets.solon.exposure_table import ToolWanted
    from inspector.workspace.connection import Connection
    from inspector.workspace.solon_skill import SolonSkill
    from inspector.workspace.workspace import Workspace


class ConnectionPane(Vertical):
    """Shows the tab that is wanted where this server has it, otherwise the overview."""

    DEFAULT_CSS = """
    ConnectionPane { height: 1fr; width: 1fr; }
    ConnectionPane > ContentSwitcher { height: 1fr; width: 1fr; }
    """

    def __init__(self, connection: Connection, workspace: Workspace, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.connection = connection
        self._workspace = workspace
        self._wanted = "overview"
        self._strip = TabStrip(self._tabs())
        self._switcher = ContentSwitcher()

    @cached_property
    def _solon(self) -> SolonSkill:
        from inspector.workspace.solon_skill import SolonSkill

        return SolonSkill(self.connection)

    def compose(self) -> ComposeResult:
        yield self._strip
        yield self._switcher

    def _tabs(self) -> list[Tab]:
        connection = self.connection
        if connection.is_served:
            return [Tab("clients", "Clients", str(connection.guests or "")), *self._findings()]
        # The order of all: overview, tools, resources, prompts, inbox, process, skill.
        tabs = [Tab("overview", "Overview")]
        kinds: tuple[tuple[ListKind, str], ...] = (
            ("tools", "Tools"),
            ("resources", "Resources"),
            ("prompts", "Prompts"),
        )
        for kind, label in kinds:
            count = connection.count(kind)
            if kind == "resources" and (templates := connection.count("templates")):
                count = (count or 0) + templates
            if count is not None or self._declares(kind):
                tabs.append(Tab(kind, label, "" if count is None else str(count)))
        if self._offers(SKILLS):
            listed = connection.skills.listed
            tabs.append(Tab("skills", "Skills", str(len(listed.skills)) if listed is not None else ""))
        if connection.catalog is not None and (offer := self._solon.offer) is not None:
            tabs.append(Tab("solon", "Solon skill", "" if offer.complete else "incomplete"))
        waiting = len(connection.inbox.open)
        if not connection.is_tapped:
            tabs.append(Tab("inbox", "Inbox", f"? {waiting}" if waiting else "", urgent=waiting > 0))
        logged = connection.messages.count
        if logged or connection.offers("logging"):
            tabs.append(Tab("log", "Log", str(logged) if logged else ""))
        made = len(connection.long_tasks.tasks)
        if made or self._has("tasks") or self._offers(TASKS):
            tabs.append(Tab("tasks", "Tasks", str(made) if made else ""))
        if connection.entry.transport == "stdio" or connection.facts is not None:
            tabs.append(Tab("process", "Process"))
        return [*tabs, *self._findings()]

    def _findings(self) -> list[Tab]:
        """The tab of what breaks a rule, where something does."""
        findings = self._workspace.judged
        found = findings.of(self.connection) if findings is not None else []
        if findings is None or not (found or findings.muted_of(self.connection)):
            return []
        grave = any(each.level == "error" for each in found)
        return [Tab("findings", "Findings", f"{len(found):,}", urgent=grave)]

    @property
    def _own_handshake(self) -> Handshake | None:
        """That of a session of ours: what others agreed on behind a tap can be asked for by nobody here."""
        return self.connection.handshake if self.connection.session is not None else None

    def _has(self, capability: str) -> bool:
        handshake = self._own_handshake
        return handshake is not None and capability in handshake.capabilities

    def _offers(self, extension: str) -> bool:
        session = self.connection.session
        handshake = session.handshake if session is not None else None
        return handshake is not None and any(
            each.theirs and each.name == extension for each in handshake.extensions
        )

    def _declares(self, kind: ListKind) -> bool:
        handshake = self._own_handshake
        return handshake is not None and (self.connection.ungated or handshake.declares(kind))

    def want(self, tab: str | None) -> None:
        """The tab to show from now on, as soon as there is one of that name."""
        if tab is not None:
            self._wanted = tab
        self._settle()

    def _settle(self) -> None:
        tabs = self._tabs()
        self._strip.show(tabs)
        names = [tab.id for tab in tabs]
        tab = self._wanted if self._wanted in names else names[0]
        self._strip.active = tab
        if self._switcher.current != f"tab-{tab}" and self._switcher.is_mounted:
            self._open(tab)

    def _open(self, tab: str) -> None:
        focused = self._switcher.has_focus_within
        if not self._switcher.query(f"#tab-{tab}"):
            self._switcher.mount(_build(tab, self.connection, self._workspace, self.tab_number))
        if not self._switcher.query(f"#tab-{tab}"):
            # The app is closing: nothing is mounted any more.
            return
        self._switcher.current = f"tab-{tab}"
        if focused:
            self.call_after_refresh(self.enter)

    @property
    def tab(self) -> Any:
        """The widget of the tab on show; None before there is one."""
        current = self._switcher.current
        found = self._switcher.query(f"#{current}") if current is not None else None
        return found.first() if found else None

    @property
    def tab_id(self) -> str:
        """The name of the tab on show."""
        return self._strip.active

    def on_mount(self) -> None:
        self.call_after_refresh(self.refresh_state)

    def refresh_state(self) -> None:
        """Looks at the connection again."""
        if not self.is_mounted:
            return
        self._settle()
        frame = self.parent.parent if self.parent is not None else None
        if isinstance(frame, Widget) and self.display and (title := self._title()) != frame.border_title:
            # Setting it paints all that is inside again.
            frame.border_title = title
        if (tab := self.tab) is not None and tab.is_mounted:
            tab.refresh_state()

    def _title(self) -> Content:
        connection = self.connection
        facts = [wording.transport(connection)]
        if connection.state == "ready" and connection.uptime is not None:
            if connection.handshake is not None:
                facts.append(guard.line(connection.handshake.version))
            if connection.facts is not None and connection.facts.pid is not None:
                facts.append(f"PID {connection.facts.pid}")
            facts.append(f"up {wording.clock(connection.uptime or 0)}")
        else:
            facts.append(wording.brief(connection))
        look = wording.looks(connection)
        mark = (wording.MARKS[look], wording.TONES[look])
        name = guard.line(connection.name)
        return Content.assemble(mark, " ", (name, "bold"), (" · " + " · ".join(facts), "$quiet"))

    @on(TabStrip.Chosen)
    def _tab_chosen(self, event: TabStrip.Chosen) -> None:
        if event.strip is self._strip:
            event.stop()
            self._choose(event.tab)

    def _choose(self, tab: str) -> None:
        self.screen.tab_wanted(tab)  # type: ignore[attr-defined]
        self.want(tab)

    def show_tab(self, number: int) -> None:
        """The tab of that number, from 1; nothing happens where there is none."""
        self._settle()
        tabs = self._strip.tabs
        if number <= len(tabs):
            self._choose(tabs[number - 1].id)
            self.enter()

    def tab_number(self, tab: str) -> int | None:
        """The number that `show_tab` takes for a tab; None where there is none."""
        names = [each.id for each in self._strip.tabs]
        return names.index(tab) + 1 if tab in names else None

    def step_tab(self, by: int) -> None:
        self._strip.action_step(by)

    def owners(self) -> Iterator[Widget]:
        """The widgets inside that own scopes of actions."""
        tab = self.tab
        if tab is not None:
            yield tab
            yield from getattr(tab, "owners", list)()

    def enter(self) -> None:
        """Puts the focus where work begins, as soon as the tab is there."""
        tab = self.tab
        if tab is not None and tab.is_mounted:
            tab.enter()
        elif self.is_attached:
            self.call_after_refresh(self.enter)

    def leave(self) -> bool:
        """One step back inside; False where there is none."""
        tab = self.tab
        return tab is not None and bool(tab.leave())

    def open_filter(self) -> None:
        if (opener := getattr(self.tab, "open_filter", None)) is not None:
            opener()

    def open_question(self, question: Question) -> None:
        """Shows what the server asks, with the focus where it is answered."""
        self._choose("inbox")
        self._answer_when_there(question)

    def _answer_when_there(self, question: Question) -> None:
        tab = self.tab
        if tab is not None and tab.is_mounted and hasattr(tab, "open_question"):
            tab.call_later(tab.open_question, question)
        elif self.is_attached and self._wanted == "inbox":
            self.call_after_refresh(self._answer_when_there, question)

    def open_tool(self, name: str) -> None:
        """Shows a tool by its name."""
        self._choose("tools")
        self.call_after_refresh(lambda: self.tab.open_tool(name) if hasattr(self.tab, "open_tool") else None)

    def open_resource(self, uri: str) -> None:
        """Reads a resource by its URI, listed or not."""
        if "resources" not in [tab.id for tab in self._strip.tabs]:
            said = "This server has no resources that can be read. Try: mcp-inspect read TARGET"
            self.notify(f"{said} {guard.line(uri)[:200]}", markup=False)
            return
        self._choose("resources")
        self._read_when_there(uri)

    def _read_when_there(self, uri: str) -> None:
        tab = self.tab
        if tab is not None and tab.is_mounted and hasattr(tab, "open_uri"):
            tab.call_later(tab.open_uri, uri)
        elif self.is_attached and self._wanted == "resources":
            self.call_after_refresh(self._read_when_there, uri)

    def on_link_wanted(self, event: LinkWanted) -> None:
        event.stop()
        self.open_resource(event.uri)

    def on_tool_wanted(self, event: ToolWanted) -> None:
        event.stop()
        self.open_tool(event.name)


def _build(
    tab: str, connection: Connection, workspace: Workspace, tab_number: Callable[[str], int | None]
) -> Widget:
    if tab == "tools":
        from inspector.tui.panes.tools import ToolsPane

        return ToolsPane(connection, id="tab-tools")
    if tab == "resources":
        from inspector.tui.panes.resources import ResourcesPane

        return ResourcesPane(connection, id="tab-resources")
    if tab == "prompts":
        from inspector.tui.panes.prompts import PromptsPane

        return PromptsPane(connection, id="tab-prompts")
    if tab == "inbox":
        from inspector.tui.panes.inbox import InboxPane

        return InboxPane(connection, id="tab-inbox")
    if tab == "log":
        from inspector.tui.panes.messages import MessagesPane

        return MessagesPane(connection, id="tab-log")
    if tab == "solon":
        from inspector.tui.panes.solon import SolonPane

        return SolonPane(connection, id="tab-solon")
    if tab == "skills":
        from inspector.tui.panes.skills import SkillsPane

        return SkillsPane(connection, id="tab-skills")
    if tab == "tasks":
        from inspector.tui.panes.long_tasks import TasksPane

        return TasksPane(connection, id="tab-tasks")
    if tab == "findings":
        from inspector.tui.widgets.findings.findings_view import FindingsView

        return FindingsView(workspace, connection, id="tab-findings")
    if tab == "clients":
        from inspector.tui.panes.served import ServedPane
        from inspector.workspace.serving import Served

        assert isinstance(connection, Served)
        return ServedPane(connection, id="tab-clients")
    if tab == "process":
        from inspector.tui.panes.process import ProcessPane

        return ProcessPane(connection, id="tab-process")
    from inspector.tui.panes.overview import OverviewPane

    return OverviewPane(connection, workspace, tab_number, id="tab-overview")
