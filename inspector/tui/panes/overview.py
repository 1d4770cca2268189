"""What became of the connection: its steps, what the server declared and what works, the handshake, why it failed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from inspector.base.errors import Failed
from inspector.base.text import clip, duration
from inspector.protocol.listing import ListKind
from inspector.protocol.revisions import PREFIX
from inspector.tui import guard, wording
from inspector.tui.registry import bindings, label
from inspector.tui.widgets.findings.summary import summary
from inspector.tui.widgets.forms.picker import Picker
from inspector.tui.widgets.lists.moving import Scroll
from inspector.tui.widgets.servers.capabilities import extension_rows, is_gated, matrix, undeclared
from inspector.tui.widgets.servers.changes import change_lines, told
from inspector.tui.widgets.servers.eras import both_eras
from inspector.tui.widgets.servers.handshake import half
from inspector.tui.widgets.servers.introduction import introduction
from inspector.tui.widgets.servers.java_sdk import JavaSdkBlock
from inspector.tui.widgets.servers.login import comes_first, exchanges, login_parts, pathed
from inspector.tui.widgets.servers.paicli import paicli_parts
from inspector.tui.widgets.text.facts import Part, fit, fold, heading

if TYPE_CHECKING:
    from inspector.base.errors import Failure
    from inspector.session.catalog import Catalog
    from inspector.session.eras.by_hand import Stage
    from inspector.session.eras.verdict import Verdict
    from inspector.session.handshake import Handshake
    from inspector.session.session import Session
    from inspector.session.steps import Step
    from inspector.workspace.connection import Connection
    from inspector.workspace.other_era import OtherEra
    from inspector.workspace.workspace import Workspace
from inspector.workspace.status import oddities

WIDE = 104
"""Cells of width from which steps and capabilities stand side by side."""
PAIR = 72
"""Cells of width from which the halves of the handshake do."""
_DIGITS = 9
"""Tabs that have a key."""
_ROOMY = 56
"""Cells of width from which steps are indented."""


class OverviewPane(Scroll):
    """`refresh_state` repaints where something changed. With room the parts stand side by side."""

    SCOPE = "overview"
    BINDINGS: ClassVar[list[BindingType]] = bindings("overview")
    DEFAULT_CSS = """
    OverviewPane {
        padding: 1 1 0 1;
        height: 1fr;
        & Static { height: auto; width: 1fr; }
        & > #failure {
            border-left: outer $text-error; background: $surface; padding: 0 1; margin-bottom: 1; display: none;
            &.-calm { border-left: outer $quiet; }
        }
        & > Container { height: auto; layout: vertical; }
        &.-wide > #state, &.-pair > #handshake { layout: horizontal; }
    }
    """

    def __init__(
        self,
        connection: Connection,
        workspace: Workspace,
        tab_number: Callable[[str], int | None],
        *,
        id: str | None = None,
    ) -> None:
        """`tab_number` tells the key that opens a tab beside this one; None where there is no such tab."""
        super().__init__(id=id)
        self._connection = connection
        self._workspace = workspace
        self._tab_number = tab_number
        self._failure = Static(id="failure", markup=False)
        self._who = Static(id="who", markup=False)
        self._found = Static(id="found", markup=False)
        self._steps = Static(id="steps", markup=False)
        self._matrix = Static(id="capabilities", markup=False)
        self._odd_text = Static(id="odd", markup=False)
        self._sent = Static(id="sent", markup=False)
        self._answered = Static(id="answered", markup=False)
        self._instructions = Static(id="instructions", markup=False)
        self._other_text = Static(id="other-era", markup=False)
        self._changes = Static(id="list-changes", markup=False)
        self._java_sdk = Static(id="java-sdk", markup=False)
        self._java_block = JavaSdkBlock()
        self._login = Static(id="login", markup=False)
        self._login_first = False
        self._other: OtherEra | None = None
        self._other_than: Session | None = None
        self._looking = False
        self._shown: list[Content] = []
        self._asking: set[ListKind] = set()

    def compose(self) -> ComposeResult:
        yield self._failure
        yield self._who
        yield self._found
        with Container(id="state"):
            yield self._steps
            yield self._matrix
        yield self._login
        yield self._changes
        yield self._odd_text
        yield self._other_text
        with Container(id="handshake"):
            yield self._sent
            yield self._answered
        yield self._instructions
        yield self._java_sdk

    def on_mount(self) -> None:
        self.refresh_state()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= WIDE, "-wide")
        self.set_class(event.size.width >= PAIR, "-pair")
        self.refresh_state()

    def refresh_state(self) -> None:
        width = self.scrollable_content_region.width
        if width <= 0:
            # Not seen: it is painted when it gets its size again.
            return
        error = self._connection.error
        state = width // 2 - 1 if self.has_class("-wide") else width
        pair = width // 2 - 1 if self.has_class("-pair") else width
        handshake = self._handshake
        shown = [
            self._why(error, width - 4) if error is not None else Content(),
            Content.assemble(
                *introduction(handshake, self._verdict, width), *_old_transport(self._connection, width)
            )
            if handshake is not None
            else Content(),
            Content.assemble(*self._findings(width)),
            self._progress(state),
            Content.assemble(*login_parts(self._connection, width)),
            Content.assemble(*change_lines(self._connection.list_changes.changes, width)),
            *((Content(),) * 7 if handshake is None else self._conversation(handshake, width, state, pair)),
        ]
        if shown == self._shown:
            return
        self._shown = shown
        self._failure.set_class(wording.ended_well(self._connection), "-calm")
        first = comes_first(self._connection)
        if first != self._login_first:
            self._login_first = first
            if first:
                self.move_child(self._login, before=self._failure)
            else:
                self.move_child(self._login, after=self.query_one("#state"))
            if first:
                self.scroll_home(animate=False)
        widgets = (
            self._failure, self._who, self._found, self._steps, self._login, self._changes, self._matrix,
            self._odd_text, self._other_text, self._sent, self._answered, self._instructions, self._java_sdk,
        )  # fmt: skip
        for widget, content in zip(widgets, shown, strict=True):
            widget.display = bool(content.plain)
            widget.update(content)

    @property
    def _verdict(self) -> Verdict | None:
        session = self._connection.session
        return session.verdict if session is not None else None

    @property
    def _handshake(self) -> Handshake | None:
        return self._connection.handshake

    class StepWanted(Message):
        """The exchange of a step of the login is to be shown."""

        def __init__(self, exchange: int) -> None:
            super().__init__()
            self.exchange = exchange

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "login_step":
            return bool(exchanges(self._connection))
        if action == "list_changes":
            return bool(self._connection.list_changes.changes)
        return self._can_ask() if action == "ask_anyway" else True

    @work(group="dialogs", exclusive=True)
    async def action_login_step(self) -> None:
        steps = exchanges(self._connection)
        room = max(30, self.app.size.width * 7 // 10 - 12)
        titles = [
            clip(f"{'✓' if step.ok else '✗'} {pathed(step.step)}  {step.outcome}", room) for step in steps
        ]
        picked = await self.app.push_screen_wait(Picker("Steps of the login", titles, ()))
        if picked and (exchange := steps[picked[0]].exchange) is not None:
            self.post_message(self.StepWanted(exchange))

    @work(group="dialogs", exclusive=True)
    async def action_list_changes(self) -> None:
        """A list before and after it changed; of several changes the person picks one, the latest first."""
        from inspector.tui.compared_sides import of_change
        from inspector.tui.screens.compared import ComparedScreen

        changes = list(self._connection.list_changes.changes)[::-1]
        at = 0
        if len(changes) > 1:
            room = max(30, self.app.size.width * 7 // 10 - 12)
            titles = [clip(told(change), room) for change in changes]
            picked = await self.app.push_screen_wait(Picker("What changed in the lists", titles, ()))
            if not picked:
                return
            at = picked[0]
        before, after = of_change(self._workspace, self._connection, changes[at])
        self.app.push_screen(ComparedScreen(self._workspace, before, after))

    def _can_ask(self) -> bool:
        handshake = self._handshake
        if handshake is None or self._connection.session is None:
            return False
        if self._connection.state != "ready" or self._asking:
            return False
        return not self._connection.ungated and is_gated(handshake)

    @work(group="ask")
    async def action_ask_anyway(self) -> None:
        handshake, catalog = self._handshake, self._connection.catalog
        if handshake is None or catalog is None or not self._can_ask():
            return
        self._connection.ungated = True
        self._asking = set(undeclared(handshake))
        self.refresh_state()
        try:
            await asyncio.gather(*(self._ask(catalog, kind) for kind in tuple(self._asking)))
        finally:
            self._asking.clear()
        self.refresh_state()
        self.refresh_bindings()

    @work(group="other era", exclusive=True)
    async def show_other_era(self) -> None:
        """Opens a session in the other era, and shows how the server differs there."""
        from inspector.workspace.other_era import other_era

        self._looking, self._other_than = True, self._connection.session
        self.refresh_state()
        try:
            self._other = await other_era(self._connection)
        except Failed as failed:
            self.notify(guard.message(failed.failure.message), severity="error")
        finally:
            self._looking = False
        self.refresh_state()
        self.call_after_refresh(self._other_text.scroll_visible, top=True, animate=False)

    async def _ask(self, catalog: Catalog, kind: ListKind) -> None:
        await catalog.ask(kind)
        self._asking.discard(kind)

    def enter(self) -> None:
        self.focus()

    def leave(self) -> bool:
        return False

    def copy_offer(self) -> tuple[str, str] | None:
        error = self._connection.error
        why = [_failure(error, 10_000, [])] if error is not None else []
        text = "\n".join(part.plain for part in (*why, *self._shown[1:]) if part.plain)
        return ("The overview", text) if text else None

    def _why(self, error: Failure, width: int) -> Content:
        """The failure, and the keys that help with it."""
        keys = [("r", "restart")]
        if error.kind == "auth" and self._connection.entry.url:
            keys.insert(0, (label("log_in"), "log in"))
        if (process := self._tab_number("process")) is not None:
            keys.append((str(process), "all of stderr"))
        keys += [("f", "traffic"), ("y", "copy")]
        if not self._connection.is_ours:
            keys = [("f", "traffic"), ("y", "copy"), (label("remove_server"), "take it off the list")]
        elif self._connection.state == "disabled":
            keys = [("d", "start")]
        return _failure(error, width, keys, calm=wording.ended_well(self._connection))

    def _progress(self, width: int) -> Content:
        connection = self._connection
        parts: list[Part] = []
        if connection.state == "disabled" and connection.is_ours:
            parts += [("This server is off. Press ", "$quiet"), ("d", "bold $text-accent")]
            parts += [(" to turn it on and start it.\n\n", "$quiet")]
        elif connection.state == "disabled" and connection.is_tapped and connection.error is None:
            parts += [("This tap is not looked at now. Press ", "$quiet"), ("d", "bold $text-accent")]
            parts += [(" to look on; it goes on by itself.\n\n", "$quiet")]
        elif connection.state == "queued":
            parts.append(("Waiting for a free place: only some servers start at once.\n\n", "$quiet"))
        elif connection.state == "open":
            parts += _by_hand(connection.stage)
        if connection.steps.steps:
            parts += [heading("Connection"), *_steps(connection.steps.steps, width)]
            if connection.session is not None and connection.session.states.entered:
                lines = fold(f"session: {connection.session.states}", max(20, width - 4))
                parts.append(("  " + "\n    ".join(lines) + "\n", "$quiet"))
        return Content.assemble(*parts)

    def _conversation(self, handshake: Handshake, width: int, state: int, pair: int) -> list[Content]:
        """Capabilities, oddities, the other era, both halves of the handshake and the instructions."""
        catalog = self._connection.catalog
        listings = catalog.listings if catalog is not None else None if self._connection.is_tapped else {}
        capabilities = matrix(handshake, listings, self._asking, state, ungated=self._connection.ungated)
        if self._can_ask():
            capabilities += [("  A", "bold $text-accent"), (" asks for what was not declared\n", "$quiet")]
        capabilities += extension_rows(handshake.extensions, state)
        ours = self._connection.is_ours
        who = "We" if ours else "The client"
        if handshake.era == "modern":
            told = ("supportedVersions", "capabilities", "_meta")
            members = (f"{PREFIX}{name}" for name in ("protocolVersion", "clientCapabilities", "clientInfo"))
            sent = half(
                "We say in _meta of every request" if ours else "The client says in _meta",
                handshake.sent["_meta"],
                members,
                pair,
            )
        else:
            told = ("protocolVersion", "capabilities", "serverInfo")
            sent = half(
                f"{who} sent", handshake.sent, ("protocolVersion", "capabilities", "clientInfo"), pair
            )
        below = "instructions" if handshake.instructions else None
        result = {name: value for name, value in handshake.result.items() if name != below}
        title = "The server answered"
        answered = half(title, result, told, pair)
        instructions: list[Part] = []
        if handshake.instructions:
            instructions = [
                heading("Instructions"),
                (guard.block(handshake.instructions) + "\n", "$foreground"),
            ]
        odd = self._oddities(width)
        others = paicli_parts(
            self._connection.name, handshake, listings or {}, width
        ) + self._java_block.parts(
            handshake, self._connection.transport, listings or {}, self._connection.messages.messages, width
        )
        parts = (
            capabilities,
            odd,
            self._other_parts(handshake, width),
            sent,
            answered,
            instructions,
            others,
        )
        return [Content.assemble(*part) for part in parts]

    def _other_parts(self, handshake: Handshake, width: int) -> list[Part]:
        """How the server is in the era that is not in use here; how to find out, until that was asked."""
        era = "legacy" if handshake.era == "modern" else "modern"
        if self._looking:
            return [(f"Looking how it is in the {era} era …\n", "$quiet")]
        if self._other is None or self._other_than is not self._connection.session:
            if self._connection.state != "ready" or self._connection.session is None:
                return []
            return [("E", "bold $text-accent"), (f" shows how it is in the {era} era\n", "$quiet")]
        other = self._other
        if other.failure is not None:
            said = f"It is not spoken to there: {guard.message(other.failure.message)}"
            return [
                heading(f"In the {other.era} era"),
                *_hang("✗", "$text-error", said, "$foreground", width),
            ]
        return both_eras(other, width)

    def _findings(self, width: int) -> list[Part]:
        """How many of each level, and the worst rules that are broken."""
        judged = self._workspace.judged
        found = judged.of(self._connection) if judged is not None else []
        tab = self._tab_number("findings")
        key = str(tab) if tab is not None and tab <= _DIGITS else label("findings")
        return summary(found, width, key) if found else []

    def _oddities(self, width: int) -> list[Part]:
        warnings = oddities(self._connection)
        return [heading("Odd, but usable"), *_bullets(warnings, width)] if warnings else []


def _failure(error: Failure, width: int, keys: list[tuple[str, str]], *, calm: bool = False) -> Content:
    """`calm` where it is no more than the end of something that was over."""
    mark, tone = ("○", "$quiet") if calm else ("✗", "bold $text-error")
    parts: list[Part] = [*_hang(mark, tone, guard.message(error.message), "bold $foreground", width)]
    if error.hint:
        parts += _hang("→", "bold $text-accent", guard.message(error.hint), "$foreground", width)
    facts_: list[str] = [f"kind {error.kind}"]
    if error.exit_code is not None:
        facts_.append(f"exit code {error.exit_code}")
    if error.http_status is not None:
        facts_.append(f"HTTP {error.http_status}")
    if error.code is not None:
        facts_.append(f"code {error.code}")
    parts.append(("  " + " · ".join(facts_), "$quiet"))
    beside = sum(cell_len(f"{key} {does}") + 3 for key, does in keys) <= width
    for number, (key, does) in enumerate(keys):
        gap = "\n  " if number == 0 or not beside else "   "
        parts += [(gap, ""), (key, "bold $text-accent"), (f" {does}", "$quiet")]
    if error.stderr:
        parts.append(("\n\n  last lines of stderr\n", "$quiet"))
        for line in error.stderr[-6:]:
            parts += _hang(" ", "", clip(guard.message(line), 400), "$foreground", width)
    return Content.assemble(*parts)


def _old_transport(connection: Connection, width: int) -> list[Part]:
    if connection.transport != "sse":
        return []
    said = "HTTP+SSE of 2024-11-05, deprecated since 2025-03-26: Streamable HTTP took its place"
    return [
        ("transport", "$quiet"),
        (" " + f"\n{' ' * 10}".join(fold(said, max(20, width - 10))) + "\n", "$text-warning"),
    ]


def _by_hand(stage: Stage) -> list[Part]:
    """What a person can send next."""
    said = {
        "new": " sends initialize, or anything before it, to see what the server makes of that.",
        "initializing": " sends notifications/initialized, once initialize is answered, or anything else without it.",
        "initialized": " sends anything.",
    }
    head = "Opened by hand: nothing goes out but what you send.\n"
    return [
        (head, "$text-warning"), (label("compose"), "bold $text-accent"), (said[stage] + "\n", "$quiet"),
        ("r", "bold $text-accent"), (" starts it as usual.\n\n", "$quiet"),
    ]  # fmt: skip


def _hang(mark: str, mark_tone: str, text: str, tone: str, width: int) -> list[Part]:
    lines = fold(text, width - 2)
    return [(f"{mark} ", mark_tone), ("\n  ".join(lines) + "\n", tone)]


def _steps(steps: list[Step], width: int) -> list[Part]:
    parts: list[Part] = []
    now = time.monotonic()
    name = min(26, max(cell_len(step.step) for step in steps) + 1)
    indent = "  " if width >= _ROOMY else ""
    room = max(8, width - name - 12 - len(indent))
    for step in steps:
        running = step.ms is None
        mark, tone = (
            ("…", "$text-warning") if running else ("✓", "$text-success") if step.ok else ("✗", "$text-error")
        )
        took = f"{int(now - step.started)}s" if running else duration((step.ms or 0) / 1000)
        outcome = "" if step.outcome == "ok" else clip(guard.message(step.outcome), room)
        parts += [
            (f"{indent}{mark} ", tone),
            (fit(step.step, name), "$foreground"),
            (f"{took:>7}  ", "$text-warning" if running else "$quiet"),
            (f"{outcome}\n", "$quiet" if step.ok else "$text-error"),
        ]
    return parts


def _bullets(lines: list[str], width: int) -> list[Part]:
    parts: list[Part] = []
    for line in lines[:40]:
        parts += [("  ", ""), *_hang("▲", "$text-warning", guard.message(line), "$foreground", width - 2)]
    return parts
