"""Asks a person whether a tool may be called, and for how long that holds."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from inspector.base import numbers
from inspector.base.errors import fail
from inspector.policy.approval import SERVER, TOOL
from inspector.policy.audit import PERSON
from inspector.tui import guard
from inspector.tui.registry import bindings, label
from inspector.tui.screens.dialog import Dialog
from inspector.tui.screens.line import LineScreen
from inspector.tui.widgets.lists.moving import Options
from inspector.tui.widgets.text.facts import Part
from inspector.workspace.tool_calls import listed

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

_BRIEF = 120
"""Characters of a text in the arguments; a longer one is told by its length."""
_LINES = 200
_WIDEST = 84
_FRAME = 8
_CHOICES = (
    ("once", "Call it, this once"),
    ("tool", "Call it, and do not ask again about this tool"),
    ("server", "Call it, and do not ask again about this server"),
    ("edit", "Change the arguments"),
    ("reject", "Reject"),
    ("because", "Reject, with a reason"),
)
"""What is allowed holds until the app is left."""
_APPROVERS = {"once": PERSON, "tool": TOOL, "server": SERVER}

Word = Literal["once", "tool", "server", "edit", "reject"]


@dataclass(frozen=True, slots=True)
class Decision:
    """`reason` is what the person gave for a rejection; it may be empty."""

    word: Word
    reason: str = ""


class ApproveScreen(ModalScreen[Decision]):
    """Escape rejects. `about` is safe content."""

    SCOPE = "approve"
    BINDINGS: ClassVar[list[BindingType]] = bindings("approve")
    DEFAULT_CSS = """
    ApproveScreen {
        & > Dialog { width: auto; min-width: 60; max-width: 96%; height: auto; max-height: 92%; padding: 1 2; }
        & #text { width: auto; height: auto; max-height: 100%; }
        & Static { width: auto; height: auto; }
        & OptionList { dock: bottom; width: 100%; height: 6; background: $surface; }
        & OptionList > .option-list--option-highlighted { background: $cursor; }
    }
    """

    def __init__(self, title: str, about: Content) -> None:
        super().__init__()
        self._title_text, self._about = title, about
        self._list = Options(
            *(
                Option(Content.assemble((f"{label(f'approve.{word}'):>3}", "$focus"), f"  {text}"), word)
                for word, text in _CHOICES
            ),
            compact=True,
        )

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = Content(self._title_text)
            with VerticalScroll(id="text", can_focus=False):
                yield Static(self._about, markup=False)
            yield self._list

    def on_resize(self, event: events.Resize) -> None:
        self.query_one("#text Static").styles.max_width = min(_WIDEST, event.size.width * 96 // 100 - _FRAME)

    def on_mount(self) -> None:
        self._list.highlighted = 0
        self._list.focus()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option_id == "because":
            self.action_because()
        else:
            self.action_decide(event.option_id or "reject")

    def action_decide(self, word: str) -> None:
        self.dismiss(Decision(word))  # type: ignore[arg-type]

    def action_because(self) -> None:
        """Rejects with a reason, which the audit trail and the history of calls keep."""

        def given(reason: str | None) -> None:
            if reason is not None:
                self.dismiss(Decision("reject", reason))

        about = "Why not? It is kept in the audit trail and with the call."
        self.app.push_screen(LineScreen("Reject the call", about), given)

    def action_scroll(self, by: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)


def question(connection: Connection, params: dict[str, Any]) -> Content:
    """What would be called with what, and what the server says of it."""
    entry = listed(connection, params.get("name"))
    server, tool = guard.line(connection.name), guard.line(str(params.get("name", "")))
    parts: list[Part] = [(tool, "bold"), (" of ", "$quiet"), (f"{server}\n", "bold")]
    if entry is None:
        parts.append(("The server lists no tool of this name.\n", "$text-warning"))
    else:
        parts += [(f"{word}\n", tone) for word, tone in hints(entry)]
    arguments = params.get("arguments")
    parts.append(("\nwith\n" if arguments else "\nwithout arguments\n", "$quiet"))
    if arguments:
        lines = guard.block(numbers.dumps(_brief(numbers.plain(arguments)), 2)).splitlines()
        parts.append(("\n".join(lines[:_LINES]) + "\n", ""))
        if len(lines) > _LINES:
            parts.append((f"… {len(lines) - _LINES} more lines\n", "$quiet"))
    return Content.assemble(*parts)


def hints(entry: dict[str, Any]) -> list[tuple[str, str]]:
    """What the server says that the tool does, in its own and the specification's words (spec: tools, annotations)."""
    said = entry.get("annotations")
    said = said if isinstance(said, dict) else {}
    if said.get("readOnlyHint") is True:
        what = ("The server says that it only reads.", "$text-success")
    elif said.get("destructiveHint") is False:
        what = ("It may change something; the server says that it destroys nothing.", "$text-warning")
    elif said.get("destructiveHint") is True:
        what = ("It may destroy something, the server says.", "bold $text-error")
    else:
        what = ("It may change or destroy something: the server says nothing else.", "$text-warning")
    told = [what]
    if said.get("openWorldHint") is not False:
        told.append(("It may reach beyond this machine.", "$quiet"))
    if said.get("idempotentHint") is True:
        told.append(("A second call changes nothing more, the server says.", "$quiet"))
    return [*told, ("These are the server's words: nothing vouches for them.", "$quiet")]


def _brief(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _BRIEF:
        return f"{value[:_BRIEF]}… ({len(value):,} characters)"
    if isinstance(value, dict):
        return {name: _brief(member) for name, member in value.items()}
    return [_brief(member) for member in value] if isinstance(value, list) else value


async def approve(app: App[Any], connection: Connection, params: dict[str, Any]) -> str:
    """Asks the person at the app, and keeps what they say for later calls. The gate of `workspace.tool_calls`."""
    decided: asyncio.Future[Decision | None] = asyncio.get_running_loop().create_future()
    screen = ApproveScreen("Call this tool?", question(connection, params))

    def told(decision: Decision | None) -> None:
        if not decided.done():
            decided.set_result(decision)

    with app._context():
        app.push_screen(screen, told)
    try:
        decision = await decided or Decision("reject")
    except asyncio.CancelledError:
        if screen.is_attached:
            screen.dismiss(Decision("reject"))
        raise
    if decision.word == "edit":
        raise fail("consent", "the arguments are to be changed first", "call when they are as they should be")
    if decision.word == "reject":
        why = f": {decision.reason}" if decision.reason else ""
        raise fail("consent", f"the call was rejected{why}", "nothing was sent")
    approvals = connection.tool_calls.approvals if connection.tool_calls is not None else None
    if approvals is not None and decision.word == "server":
        approvals.allow_server(connection.name, connection.entry)
    elif approvals is not None and decision.word == "tool":
        tool = str(params.get("name", ""))
        approvals.allow_tool(connection.name, connection.entry, tool, listed(connection, tool))
    return _APPROVERS[decision.word]
