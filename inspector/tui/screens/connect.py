"""The dialog that connects something new, or changes what is known of a server: paste, look, correct, connect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Button, Checkbox, Input, OptionList, Static, TextArea

from inspector.base.paths import paths
from inspector.base.secrets import is_secret_name, mask_args, secrets_of_args, secrets_of_url
from inspector.base.text import clip
from inspector.config.draft import Draft
from inspector.config.load import of_command_line
from inspector.config.pasted import Pasted, Trouble, understand
from inspector.config.starters import STARTERS, Starter
from inspector.tui import guard
from inspector.tui.registry import bindings, spoken, titled
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.lists.choices import Choices
from inspector.tui.widgets.lists.moving import Options
from inspector.tui.widgets.servers.pair_rows import PairRows
from inspector.tui.widgets.servers.paste_area import PasteArea, VeiledInput
from inspector.tui.widgets.text.facts import Part

_KEYS = "{} connects · {} shows or hides secrets · {} leaves"
_CALM = 0.12
"""Seconds after the last key in which a text is not looked at yet."""
_TROUBLES = 6
_MARKS = {"error": ("✗ ", "$text-error"), "warning": ("▲ ", "$text-warning"), "info": ("· ", "$quiet")}
_EXAMPLES = (
    "npx -y @modelcontextprotocol/server-everything",
    "http://127.0.0.1:3000/mcp",
    '{"mcpServers": {"notes": {"command": "uvx", "args": ["mcp-notes"]}}}',
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the person decided: servers to connect to, and whether they are to stand in our own file."""

    drafts: tuple[Draft, ...]
    keep: bool


class _Box(Checkbox):
    """One whose state can be told without colours."""

    def __init__(self, label: str, value: bool, *, id: str) -> None:
        super().__init__(Content(label), value=value, id=id, compact=True)
        self.BUTTON_INNER = "x" if value else " "

    def watch_value(self) -> None:
        self.BUTTON_INNER = "x" if self.value else " "
        super().watch_value()


class ConnectScreen(ModalScreen[Wanted | None]):
    """Dismissed with what is wanted, or None. With `draft` it edits that server, whose name stays; `kept` tells that
    it stands in our own file."""

    SCOPE = "dialog"
    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")
    AUTO_FOCUS = None
    DEFAULT_CSS = """
    ConnectScreen {
        & > Dialog {
            width: 100; max-width: 96%; height: auto; max-height: 96%;
            padding: 0 1;
        }
        & #body { height: auto; max-height: 100%; padding: 1 1 0 1; }
        & Static { height: auto; }
        & .said { margin: 1 0 0 0; }
        & #starters { height: auto; border: none; background: $surface; padding: 0 0 0 2; }
        & #which { height: auto; max-height: 6; border: none; background: $surface; padding: 0; margin-top: 1; }
        & #rows { height: auto; margin-top: 1; }
        & .row { height: 1; }
        & .label { width: 14; color: $quiet; }
        & .row > Input { width: 1fr; }
        & .heading { color: $text-primary; text-style: bold; margin-top: 1; }
        & #keep { background: $surface; border: none; padding: 0; margin-top: 1; width: 100%; height: auto; }
        & .quiet { color: $quiet; }
        & #buttons { dock: bottom; height: 3; padding: 1 1; background: $surface; }
        & Button { margin-right: 2; }
        & #problem { color: $text-error; }
    }
    """

    def __init__(
        self, environment: Mapping[str, str], draft: Draft | None = None, *, kept: bool = False
    ) -> None:
        super().__init__()
        self._environment = environment
        self._edits = draft is not None
        self._kept = kept
        self._drafts: list[Draft] = [draft] if draft is not None else []
        self._at = 0
        self._length = 0
        self._revealed = guard.revealed()
        self._timer: Timer | None = None
        self._pasted = Pasted()

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            if self._edits:
                box.border_title = Content.assemble("Edit ", (guard.line(self._drafts[0].name), ""))
            else:
                box.border_title = Content("Connect something new")
            box.border_subtitle = Content(
                _KEYS.format(*map(spoken, ("dialog.accept", "dialog.reveal", "dialog.leave")))
            )
            with VerticalScroll(id="body", can_focus=False):
                if not self._edits:
                    yield Static(
                        Content("A URL, a command line, or a piece of any client's config:"), markup=False
                    )
                    yield PasteArea(id="paste")
                    yield Static(classes="said", id="said", markup=False)
                    yield Options(*map(_offer, STARTERS), id="starters", compact=True, markup=False)
                    yield Choices(id="which")
                with Vertical(id="rows"):
                    yield from self._rows()
                yield Static(id="problem", markup=False)
            with Horizontal(id="buttons"):
                go = titled("Restart with this" if self._edits else "Connect", "dialog.accept", "{} ({})")
                yield Button(Content(go), id="connect", variant="primary", compact=True)
                yield Button(Content(titled("Cancel", "dialog.leave", "{} ({})")), id="cancel", compact=True)

    def _rows(self) -> Iterator[Horizontal | Static | PairRows | Checkbox]:
        labels = (("name", "Name"), ("command", "Command line"), ("url", "URL"), ("cwd", "Folder"))
        for field, label in labels:
            yield Horizontal(
                Static(label, classes="label", markup=False),
                VeiledInput(id=field, disabled=self._edits and field == "name"),
                classes="row", id=f"row-{field}",
            )  # fmt: skip
        yield Static("Environment, added to ours", classes="heading", id="env-head", markup=False)
        yield PairRows("NAME", id="env")
        yield Static("Headers", classes="heading", id="headers-head", markup=False)
        yield PairRows("Header-Name", id="headers")
        yield _Box(f"keep {'the change' if self._edits else 'it'} in our own file", self._kept, id="keep")
        where = guard.line(str(paths().servers))
        yield Static(f"    {where}, read where no target is named", classes="quiet", markup=False)

    async def on_mount(self) -> None:
        await self._show_draft()
        if self._edits:
            self._say_troubles([])
            (
                self.query_one("#url", Input)
                if self._drafts[0].is_http
                else self.query_one("#command", Input)
            ).focus()
        else:
            self._say(Pasted(), [])
            self.query_one("#which").display = False
            self.query_one(PasteArea).focus()

    # What was pasted

    @on(TextArea.Changed)
    async def _changed(self, event: TextArea.Changed) -> None:
        event.stop()
        if self._timer is not None:
            self._timer.stop()
        length, self._length = self._length, len(event.text_area.text)
        if self._length - length > 1:
            # Pasted: what is secret in it is hidden before it is painted.
            await self._understand()
        else:
            self._timer = self.set_timer(_CALM, self._understand)

    async def _understand(self) -> None:
        self._timer = None
        pasted = understand(self.query_one(PasteArea).text, self._environment)
        self._pasted = pasted
        self._drafts = [Draft.of(entry) for entry in pasted.entries]
        self._at = 0
        self.query_one(PasteArea).hide(value for draft in self._drafts for value in _secret_values(draft))
        which = self.query_one(Choices)
        which.display = len(self._drafts) > 1
        sound = {number for number, draft in enumerate(self._drafts) if draft.problem() is None}
        which.show([_summary(draft) for draft in self._drafts], sound)
        self._say(pasted, [*pasted.troubles, *self._looked_at(pasted)])
        await self._show_draft()

    @on(OptionList.OptionSelected, "#starters")
    def _begun(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        area = self.query_one(PasteArea)
        area.text = STARTERS[event.option_index].text
        area.focus()

    def _looked_at(self, pasted: Pasted) -> list[Trouble]:
        """What can be said of a command or URL before it is tried; of a config it is said already."""
        if pasted.kind == "config":
            return []
        problems = of_command_line(pasted.entries, self._environment).problems
        return [
            Trouble(problem.severity, problem.message) for problem in problems if problem.severity != "info"
        ]

    def _say(self, pasted: Pasted, troubles: list[Trouble]) -> None:
        parts: list[Part] = []
        count = len(pasted.entries)
        if pasted.kind == "nothing":
            parts.append(("Nothing yet. For example\n", "$quiet"))
            parts += [(f"  {example}\n", "$quiet") for example in _EXAMPLES]
            parts.append(
                ("Or begin with one of these: tab, then enter puts it here to be changed\n", "$quiet")
            )
        elif count == 1:
            what = {"url": "a URL", "command": "a command line"}.get(pasted.kind, "one server of a config")
            parts += [
                ("✓ ", "$text-success"),
                (f"{what}: {_does(Draft.of(pasted.entries[0]))}\n", "$foreground"),
            ]
        elif count:
            parts += [
                ("✓ ", "$text-success"),
                (f"{count} servers of a config; space chooses\n", "$foreground"),
            ]
        wanted = [one for one in troubles if one.severity != "info" or pasted.kind == "command"]
        for trouble in wanted[:_TROUBLES]:
            mark, tone = _MARKS[trouble.severity]
            place = f"line {trouble.line}, column {trouble.column}: " if trouble.line is not None else ""
            server = f"{guard.line(trouble.server)}: " if trouble.server and count > 1 else ""
            parts += [
                (mark, tone),
                (f"{place}{server}{clip(guard.message(trouble.message), 400)}\n", "$foreground"),
            ]
        if len(wanted) > _TROUBLES:
            parts.append((f"  and {len(wanted) - _TROUBLES} more\n", "$quiet"))
        self.query_one("#starters").display = pasted.kind == "nothing"
        content = Content.assemble(*parts)
        self.query_one("#said", Static).update(content[: len(content.plain.rstrip("\n"))])

    # The server that is looked at

    async def _show_draft(self) -> None:
        there = bool(self._drafts)
        self.query_one("#rows").display = there
        self._say_troubles([])
        if not there:
            return
        draft = self._drafts[self._at]
        http = draft.is_http
        for field, value in (
            ("name", draft.name),
            ("command", draft.command),
            ("url", draft.url),
            ("cwd", draft.cwd),
        ):
            line = self.query_one(f"#{field}", VeiledInput)
            line.hide(_secret_values(draft))
            line.value = value
        for part in ("#row-command", "#row-cwd", "#env-head", "#env"):
            self.query_one(part).display = not http
        for part in ("#row-url", "#headers-head", "#headers"):
            self.query_one(part).display = http or bool(draft.url)
        self.query_one("#cwd", Input).placeholder = guard.line(draft.origin.folder)
        await self.query_one("#env", PairRows).show(draft.env)
        await self.query_one("#headers", PairRows).show(draft.headers)
        self._reveal()

    def _store(self) -> None:
        """Takes what stands in the rows into the draft."""
        if not self._drafts:
            return
        draft = self._drafts[self._at]
        draft.name, draft.command, draft.url, draft.cwd = (
            self.query_one(f"#{field}", Input).value for field in ("name", "command", "url", "cwd")
        )
        draft.env = self.query_one("#env", PairRows).pairs
        draft.headers = self.query_one("#headers", PairRows).pairs

    @on(Choices.Pointed)
    async def _pointed(self, event: Choices.Pointed) -> None:
        event.stop()
        if event.index != self._at and event.index < len(self._drafts):
            self._store()
            self._at = event.index
            await self._show_draft()

    @on(Input.Changed)
    def _typed(self) -> None:
        self._say_troubles([])

    def _say_troubles(self, lines: list[str]) -> None:
        problem = self.query_one("#problem", Static)
        problem.display = bool(lines)
        problem.update(Content("\n".join(lines)))

    # The end

    @on(PasteArea.Done)
    async def _done(self, event: PasteArea.Done) -> None:
        """Enter behind a URL or command: what was understood is looked at once more before it is tried."""
        event.stop()
        if self._timer is not None:
            self._timer.stop()
        await self._understand()
        if self._drafts:
            self.query_one("#connect").focus()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.focus_next()

    @on(Button.Pressed)
    async def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "connect":
            await self.action_accept()
        else:
            self.dismiss(None)

    async def action_accept(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            await self._understand()
        self._store()
        chosen = self._drafts
        if len(self._drafts) > 1:
            chosen = [self._drafts[number] for number in self.query_one(Choices).chosen]
        problems = [(draft, problem) for draft in chosen if (problem := draft.problem()) is not None]
        if problems:
            several = len(chosen) > 1
            said = [
                f"{guard.line(draft.name)}: {problem}" if several else problem for draft, problem in problems
            ]
            self._say_troubles([f"✗ {text}" for text in said])
        elif not chosen:
            empty = "nothing is chosen" if self._drafts else "there is nothing to connect to yet"
            self._say_troubles([f"✗ {empty}"])
        else:
            self.dismiss(Wanted(tuple(chosen), self.query_one("#keep", Checkbox).value))

    def action_reveal(self) -> None:
        self._revealed = not self._revealed
        self._reveal()

    def _reveal(self) -> None:
        for rows in self.query(PairRows):
            rows.reveal(self._revealed)
        for area in self.query(PasteArea):
            area.reveal(self._revealed)
        for line in self.query(VeiledInput):
            line.reveal(self._revealed)

    def action_leave_dialog(self) -> None:
        self.dismiss(None)


def _offer(starter: Starter) -> Content:
    needs = f"  needs {starter.needs}" if starter.needs else ""
    return Content.assemble(
        (f"{starter.name:<8}", "bold"), (starter.about, "$foreground"), (needs, "$text-warning")
    )


def _does(draft: Draft) -> str:
    """What connecting to it means, secrets masked."""
    if draft.is_http:
        return f"connects to {guard.message(draft.url)}"
    words = draft.entry().args if draft.problem() is None else []
    shown = " ".join([draft.entry().command, *mask_args(words)]) if draft.problem() is None else draft.command
    return f"starts {clip(guard.message(shown), 300)}"


def _summary(draft: Draft) -> Content:
    name = (guard.line(draft.name) or "?", "bold")
    if (problem := draft.problem()) is not None:
        return Content.assemble(
            name, ("  cannot be connected: ", "$text-error"), (clip(problem, 120), "$quiet")
        )
    return Content.assemble(name, ("  " + clip(_does(draft), 120), "$quiet"))


def _secret_values(draft: Draft) -> Iterator[str]:
    """What is not to be painted of a pasted text. Variables are no secrets, only their values are."""
    for name, value in (*draft.env, *draft.headers):
        if is_secret_name(name) and not value.startswith("${"):
            yield value
    yield from secrets_of_url(draft.url)
    if draft.problem() is None:
        yield from secrets_of_args(draft.entry().args)
