"""Sending any request or notification by hand, known or not, and sending one of the traffic again."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widgets import Button, Input, Static, TextArea

from inspector.base import numbers
from inspector.base.errors import Failed, Failure
from inspector.base.text import clip, decode, duration
from inspector.protocol.methods import NOTIFICATIONS, REQUESTS, is_notification
from inspector.transports.base import Written
from inspector.tui import guard
from inspector.tui.registry import bindings, titled
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.text.json_view import JsonView
from inspector.workspace.written_headers import judged, read, usual

if TYPE_CHECKING:
    from inspector.session.answer import Answer
    from inspector.workspace.connection import Connection

_TICK = 0.2


class Pending(Protocol):
    """A request that waits, as the row that it is in the traffic."""

    @property
    def row(self) -> int: ...


class Addressee(Protocol):
    """Who can be sent something. Both raise Failed; `notify` gives the row of what was sent."""

    name: str

    def notify(self, method: str, params: dict[str, Any] | None) -> int: ...

    async def request(
        self, method: str, params: dict[str, Any] | None, *, started: Callable[[Any], None]
    ) -> Answer: ...


class ComposeScreen(ModalScreen[int | None]):
    """Sends to the addressee as often as one wants. Dismissed with the row of what was sent last; None where nothing
    was."""

    SCOPE = "dialog"
    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")
    DEFAULT_CSS = """
    ComposeScreen {
        & > Dialog { width: 96%; max-width: 120; height: 90%; padding: 0 1; }
        & .name { height: 1; color: $quiet; }
        & Input { background: $panel; }
        & TextArea { height: 1fr; min-height: 3; background: $panel; border: none; padding: 0 1; }
        & #headers { height: 2; min-height: 2; }
        & #usual { height: auto; max-height: 2; color: $quiet; }
        & #outcome { height: auto; max-height: 4; margin-top: 1; }
        & JsonView { display: none; height: 1fr; min-height: 3; background: $surface; }
        &.-answered JsonView { display: block; }
        & #buttons { height: auto; margin-top: 1; }
        & Button { margin-right: 2; }
    }
    """
    HELP = (
        "Any method with any parameters goes out as it is written here: its id and progress token are made by the"
        " session. What begins with notifications/ goes out without an id, and has no answer. Over HTTP its headers can"
        " be written: a wrong session id, or none, is sent as it is, and once; what comes back is said in words."
    )

    def __init__(
        self,
        addressee: Addressee,
        method: str = "",
        params: str = "",
        *,
        proposed: Sequence[str] = (*REQUESTS, *NOTIFICATIONS),
        remark: Callable[[], str] = lambda: "",
        connection: Connection | None = None,
    ) -> None:
        """`proposed` are methods; `remark` is asked what there is to say of what was just sent, in safe text. Where the
        addressee is a `connection` over HTTP, the headers of a request can be written too."""
        super().__init__()
        self._addressee = addressee
        self._remark = remark
        self._method = Input(
            method,
            placeholder="method, such as tools/call",
            suggester=SuggestFromList(proposed),
            compact=True,
            select_on_focus=False,
        )
        self._params = TextArea(params, tab_behavior="focus", compact=True)
        self._connection = connection
        self._headers = TextArea(id="headers", tab_behavior="focus", compact=True)
        self._usual = Static(id="usual", markup=False)
        self._written = Written()
        self._outcome = Static(id="outcome", markup=False)
        self._answer = JsonView()
        self._pending: Pending | None = None
        self._began = 0.0
        self._row: int | None = None

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = Content(f"Send to {guard.line(self._addressee.name)}")
            yield Static("Method", classes="name", markup=False)
            yield self._method
            yield Static("Parameters as JSON, or nothing", classes="name", markup=False)
            yield self._params
            if self._due() is not None:
                said = "HTTP headers for this one alone: Name: value in place of the usual one, Name: leaves it out"
                yield Static(said, classes="name", markup=False)
                yield self._usual
                yield self._headers
            yield self._outcome
            yield self._answer
            with Horizontal(id="buttons"):
                send = Content(titled("Send", "dialog.accept", "{} ({})"))
                yield Button(send, id="send", variant="primary", compact=True)
                yield Button(Content(titled("Close", "dialog.leave", "{} ({})")), id="leave", compact=True)

    def on_mount(self) -> None:
        (self._params if self._method.value else self._method).focus()
        self.set_interval(_TICK, self._tell_time)
        self._show_usual()

    def _due(self) -> Mapping[str, str] | None:
        """The headers that would go out by themselves; None without HTTP."""
        if self._connection is None:
            return None
        params = self._parameters()
        given = params if isinstance(params, dict) else {}
        return usual(self._connection, self._method.value.strip(), given)

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _show_usual(self) -> None:
        if due := self._due():
            told = "  ".join(f"{name}: {clip(value, 36)}" for name, value in due.items())
            self._usual.update(Content(guard.message(f"usual: {told}")))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "reveal"

    def action_reveal(self) -> None:
        """Nothing is hidden here."""

    def action_leave_dialog(self) -> None:
        self.dismiss(self._row)

    @on(Input.Submitted)
    def _method_given(self, event: Input.Submitted) -> None:
        event.stop()
        self._params.focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "send":
            self.action_accept()
        else:
            self.action_leave_dialog()

    def action_accept(self) -> None:
        method = self._method.value.strip()
        if not method:
            self._say("Write the method first.", "$text-error")
            self._method.focus()
            return
        params = self._parameters(move=True)
        try:
            self._written = read(self._headers.text)
        except Failed as failed:
            self._fail(failed.failure)
            self._headers.focus()
            return
        if isinstance(params, str):
            self._say(params, "$text-error")
            self._params.focus()
        elif is_notification(method):
            self._notify(method, params)
        else:
            self._send(method, params)

    def _parameters(self, *, move: bool = False) -> dict[str, Any] | str | None:
        """The parameters, None for none; or why they are none, in safe text, with the cursor there where it may
        `move`."""
        text = self._params.text
        if not text.strip():
            return None
        try:
            value = numbers.loads(text)
        except ValueError as error:
            place = getattr(error, "position", None)
            where = ""
            if isinstance(place, int):
                line, column = numbers.place(text, place)
                if move:
                    self._params.move_cursor((line - 1, column - 1))
                where = f"line {line}, column {column}: "
            return guard.message(f"The parameters are no JSON: {where}{error}")
        if not isinstance(value, dict):
            return "The parameters must be an object: MCP has no positional ones."
        return {name: numbers.verbatim(member) for name, member in value.items()}

    def _notify(self, method: str, params: dict[str, Any] | None) -> None:
        try:
            if self._connection is not None:
                self._row = self._connection.notify(method, params, self._written)
            else:
                self._row = self._addressee.notify(method, params)
        except Failed as failed:
            self._fail(failed.failure)
            return
        self._show("")
        status = "; its HTTP status is in the traffic" if self._written else ""
        self._say(
            f"✓ sent as #{self._row}; a notification has no answer{status}{self._more()}", "$text-success"
        )

    @work(group="send", exclusive=True)
    async def _send(self, method: str, params: dict[str, Any] | None) -> None:
        def started(pending: Pending) -> None:
            self._pending, self._row = pending, pending.row

        self._began = time.monotonic()
        self._show("")
        self._say("… sending", "$text-warning")
        due = self._due() or {}
        try:
            if self._connection is not None:
                ask = self._connection.request(method, params, started=started, written=self._written)
            else:
                ask = self._addressee.request(method, params, started=started)
            answer = await ask
        except Failed as failed:
            self._fail(failed.failure, self._told(due, failed.failure.http_status))
            return
        finally:
            self._pending = None
        self._show(decode(answer.raw))
        self._judge(answer, self._told(due, answer.http_status))

    def _told(self, due: Mapping[str, str], status: int | None) -> str:
        """What came of headers that were written."""
        return f"\n{judged(self._written, due, status)}" if self._written else ""

    def _judge(self, answer: Answer, told: str) -> None:
        head = f"#{answer.sent_row} → #{answer.row}  {duration(answer.seconds)}"
        if (failure := answer.failure) is not None:
            self._say(f"✗ {head}  {guard.message(failure.message)}{told}", "$text-error")
        else:
            self._say(f"✓ {head}{told}", "$text-success")

    def _fail(self, failure: Failure, told: str = "") -> None:
        hint = f"\n→ {guard.message(failure.hint)}" if failure.hint and not told else ""
        self._say(f"✗ {guard.message(failure.message)}{told or hint}", "$text-error")

    def _tell_time(self) -> None:
        if self._pending is not None:
            waited = duration(time.monotonic() - self._began)
            self._say(f"… #{self._pending.row} waits for its answer, {waited}{self._more()}", "$text-warning")

    def _more(self) -> str:
        remark = self._remark()
        return f"\n{remark}" if remark else ""

    def _show(self, text: str) -> None:
        self.set_class(bool(text), "-answered")
        self._answer.load(text)

    def _say(self, text: str, tone: str) -> None:
        self._outcome.update(Content.styled(text, tone))
