"""What is asked before a server starts: a yes to somebody else's command, and the values that its entry refers to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, OptionList, Static

from inspector.base.errors import Failure
from inspector.config.entry import Entry
from inspector.config.entry import Input as Question
from inspector.tui import guard
from inspector.tui.registry import bindings, spoken, titled
from inspector.tui.screens.confirm import ConfirmScreen
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.lists.moving import Options
from inspector.tui.widgets.text.facts import fact, fold

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

_KEYS = "{} starts · {} shows secrets · {} leaves"
_WIDTH = 80


async def may_start(app: App[Any], connection: Connection) -> bool:
    """False where somebody else's command waits for a yes and the person said no. To be called from a worker."""
    if connection.error is not None and connection.error.kind == "redirect":
        await _may_leave(app, connection, connection.error)
    if connection.error is None or connection.error.kind != "consent":
        return True
    from inspector.policy import consent

    entry = connection.entry
    width = max(30, min(_WIDTH, app.size.width - 12))
    text = what_would_happen(entry, connection.name, width)
    answer = await app.push_screen_wait(ConfirmScreen("Start this server?", text, yes="Start", no="Leave it"))
    if answer:
        try:
            consent.approve(entry)
        except OSError as error:
            said = f"The answer could not be kept, so it will be asked again: {error.strerror}"
            app.notify(guard.line(said), severity="warning", markup=False)
    return bool(answer)


async def _may_leave(app: App[Any], connection: Connection, failure: Failure) -> None:
    """Asks whether a server may be gone on with at the other origin that it has named."""
    there = failure.data.get("origin") if isinstance(failure.data, dict) else None
    if not isinstance(there, str) or there in connection.elsewhere:
        return
    text = Content.assemble(
        (f"{guard.message(failure.message)}\n\n", "$foreground"),
        (f"Follow goes on at {guard.line(there)} until you quit. ", "bold $foreground"),
        (
            "What is asked and answered goes there; the headers of its entry, its cookies and its login do not.",
            "$quiet",
        ),
    )
    if await app.push_screen_wait(
        ConfirmScreen("Follow it to another origin?", text, yes="Follow", no="Leave it")
    ):
        connection.elsewhere.add(there)


def what_would_happen(entry: Entry, name: str, width: int) -> Content:
    """All of what a yes means, as it stands in the file: every word of the command is shown, not even secrets among
    the arguments are masked by their names, since anything could hide there."""
    remote = bool(entry.url) and not entry.command
    intro = "This server stands in a file that was found in the folder; you did not name the file yourself."
    parts: list[Any] = [(line + "\n", "$foreground") for line in fold(intro, width)]
    parts.append(("\n", ""))

    def row(label: str, value: str, tone: str = "$foreground") -> None:
        parts.extend(fact(label, value, tone, indent=12, width=width))

    row("server", guard.line(name))
    row("file", guard.line(entry.source.path))
    if remote:
        row("connects to", guard.line(entry.url), "bold $foreground")
        row("headers", guard.line(", ".join(entry.headers)) or "none")
    else:
        words = " ".join(_word(word) for word in (entry.command, *entry.args))
        row("runs", guard.line(words), "bold $foreground")
        row("in folder", guard.line(entry.cwd or entry.folder))
        row("environment", guard.line(", ".join(entry.env)) or "nothing is added to yours")
    what = (
        "Start connects to this address and sends it the headers."
        if remote
        else "Start runs this program with your rights: what you may read, change or delete, it may too."
    )
    rest = f"{what} The yes is remembered for exactly this content. Leave it, and it stays off; d asks again."
    parts.append(("\n", ""))
    parts += [(line + "\n", "$quiet") for line in fold(rest, width)]
    return Content.assemble(*parts)


def _word(word: str) -> str:
    plain = word and not any(char in word for char in " \t\n\"'\\$`|&;<>()*?[]{}!#~")
    return word if plain else json.dumps(word, ensure_ascii=False)


async def ask_inputs(
    app: App[Any], connection: Connection, others: Sequence[Connection], environment: Mapping[str, str]
) -> None:
    """Asks for the inputs that a server refers to and that nobody has given yet, for this session; those of a start
    that failed are asked for once more. What is not given is missed by the server, which says so. To be called from a
    worker."""
    entry = connection.entry
    if not entry.inputs:
        return
    known = {
        id: value for other in others if other.entry.source.path == entry.source.path
        for id, value in other.entry.answers.items() if entry.source.path
    }  # fmt: skip
    failed = (
        connection.state == "error" and connection.session is not None and connection.session.ready_at is None
    )
    given = {**known, **entry.answers}
    questions = entry.resolve(environment, given).inputs
    if failed and not questions and entry.answers:
        asked = Entry.resolve(_unanswered(entry), environment).inputs
        questions = [question for question in asked if question.id in entry.answers]
    if questions:
        answers = await app.push_screen_wait(InputsScreen(connection.name, questions, given))
        given |= answers or {}
    entry.answers = given


def _unanswered(entry: Entry) -> Entry:
    from dataclasses import replace

    return replace(entry, answers={})


class InputsScreen(ModalScreen[dict[str, str] | None]):
    """Dismissed with the answers by id, or None. `given` fills in what was answered before."""

    SCOPE = "dialog"
    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")
    DEFAULT_CSS = """
    InputsScreen {
        & > Dialog {
            width: 80; max-width: 96%; height: auto; max-height: 92%;
            padding: 1 2 0 2;
        }
        & #body { height: auto; max-height: 100%; }
        & Static { height: auto; width: 1fr; margin-top: 1; }
        & .first { margin-top: 0; color: $quiet; }
        & OptionList { height: auto; max-height: 6; }
        & #buttons { dock: bottom; width: 100%; height: 3; padding: 1 0; background: $surface; }
        Button { margin-right: 2; }
    }
    """

    def __init__(self, server: str, questions: Sequence[Question], given: Mapping[str, str]) -> None:
        super().__init__()
        self._server = server
        self._questions = questions
        self._given = given
        self._revealed = guard.revealed()

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = Content.assemble("Before ", (guard.line(self._server), ""), " starts")
            box.border_subtitle = Content(
                _KEYS.format(*map(spoken, ("dialog.accept", "dialog.reveal", "dialog.leave")))
            )
            with VerticalScroll(id="body", can_focus=False):
                yield Static(
                    "Its config asks for these values. They are kept until you quit and never written down.",
                    classes="first", markup=False,
                )  # fmt: skip
                for number, question in enumerate(self._questions):
                    yield from self._field(number, question)
            with Horizontal(id="buttons"):
                yield Button(
                    Content(titled("Start", "dialog.accept", "{} ({})")),
                    id="start",
                    variant="primary",
                    compact=True,
                )
                yield Button(Content(titled("Cancel", "dialog.leave", "{} ({})")), id="cancel", compact=True)

    def _field(self, number: int, question: Question) -> ComposeResult:
        said = guard.line(question.description or question.id)
        name = f"  {guard.line(question.id)}" if question.description else ""
        yield Static(Content.assemble((said, "bold"), (name, "$quiet")), markup=False)
        value = self._given.get(question.id, question.default or "")
        if question.options:
            options = Options(*map(guard.safe, question.options), markup=False, compact=True, id=f"q{number}")
            options.highlighted = question.options.index(value) if value in question.options else 0
            yield options
        else:
            yield Input(value, password=question.secret, compact=True, select_on_focus=False, id=f"q{number}")

    @on(Input.Submitted)
    @on(OptionList.OptionSelected)
    def _next(self, event: Input.Submitted | OptionList.OptionSelected) -> None:
        event.stop()
        if event.control.id == f"q{len(self._questions) - 1}":
            self.action_accept()
        else:
            self.focus_next()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "start":
            self.action_accept()
        else:
            self.dismiss(None)

    def action_accept(self) -> None:
        self.dismiss(
            {question.id: self._answer(number, question) for number, question in enumerate(self._questions)}
        )

    def _answer(self, number: int, question: Question) -> str:
        if not question.options:
            return self.query_one(f"#q{number}", Input).value or question.default or ""
        index = self.query_one(f"#q{number}", OptionList).highlighted
        return question.options[index] if index is not None else question.default or ""

    def action_reveal(self) -> None:
        self._revealed = not self._revealed
        for number, question in enumerate(self._questions):
            if question.secret and not question.options:
                self.query_one(f"#q{number}", Input).password = not self._revealed

    def action_leave_dialog(self) -> None:
        self.dismiss(None)
