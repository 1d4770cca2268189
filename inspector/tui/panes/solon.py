"""The remote skill of Solon AI that a server offers: prompts at the left, what the skill makes of one at the right."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import ContentSwitcher, Static
from textual.worker import Worker

from inspector.base.errors import Failed
from inspector.base.text import clip
from inspector.lenses.solon.activation import Activation
from inspector.lenses.solon.prompt import EDGES, Prompt, Said
from inspector.lenses.solon.verdicts import Exposure, exposure
from inspector.policy.audit import PERSON
from inspector.protocol.solon import MANAGEMENT, SUPPORTED
from inspector.tui import guard
from inspector.tui.panes.beside import Beside
from inspector.tui.registry import bindings, spoken
from inspector.tui.screens.confirm import ConfirmScreen
from inspector.tui.solon_model import Kept, SolonModel
from inspector.tui.undo import Undoable
from inspector.tui.widgets.bars.tab_strip import Tab, TabStrip
from inspector.tui.widgets.forms.picker import Picker
from inspector.tui.widgets.lists.filter_list import FilterList, Item
from inspector.tui.widgets.lists.line_view import LineView
from inspector.tui.widgets.lists.moving import Scroll
from inspector.tui.widgets.solon import words
from inspector.tui.widgets.solon.exposure_table import ExposureTable, ExposureTitles, lines_of
from inspector.tui.widgets.solon.prompt_form import PromptForm
from inspector.tui.widgets.text.reading_view import ReadingView

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

_VIEWS = ("prompt", "steps", "tools", "instruction", "skill", "all")
_TITLES = {"prompt": "Prompt", "steps": "Steps", "tools": "Tools", "instruction": "Instruction", "skill": "Skill",
           "all": "All prompts"}  # fmt: skip
_LOW = 14
"""Rows below which the room is given to the view alone."""


class SolonPane(Beside):
    """Nothing is asked before the person wants it, but for the metadata."""

    SCOPE = "solon"
    BINDINGS: ClassVar[list[BindingType]] = bindings("solon")
    HELP = (
        "What a skill of Solon AI answers to a prompt, asked as a client of that framework asks: whether it takes the"
        " prompt, what the model is told, which tools reach it. Prompts are kept by server; *All prompts* has them side"
        " by side. ✓ active, ○ inactive, ✗ an error, · not asked."
    )
    DEFAULT_CSS = """
    SolonPane {
        & > FilterList { width: 27%; min-width: 20; max-width: 40; }
        & > .chosen > Static { max-height: 4; }
        & > .chosen > Vertical, & > .chosen ContentSwitcher { height: 1fr; }
        & .page { padding: 0 1; height: 1fr; }
        & .page > Static { height: auto; }
        & .note { height: auto; max-height: 4; padding: 0 1; color: $text-warning; }
        & #solon-tools > Static { height: auto; max-height: 5; padding: 0 1; }
        & #solon-instruction > ReadingView { height: 1fr; padding: 0 1; }
        &.-narrow > FilterList { height: 4; border-bottom: solid $line; }
        &.-low > .chosen > Static { display: none; }
        &.-low PromptForm > ReadingView { display: none; }
        &.-low PromptForm > .said { max-height: 2; }
    }
    """

    def __init__(self, connection: Connection, *, id: str | None = None) -> None:
        self._connection = connection
        self._model = SolonModel(connection)
        self._strip = TabStrip([Tab(name, _TITLES[name]) for name in _VIEWS])
        self._form = PromptForm(id="solon-prompt")
        self._steps, self._card, self._matrix = (Static(markup=False) for _ in range(3))
        self._filter = Static(markup=False)
        self._table = ExposureTable()
        self._why = Static(markup=False)
        self._note = Static(classes="note", markup=False)
        self._text = ReadingView()
        self._shown: Kept | None = None
        self._told: tuple[Activation | None, str | None] = (None, None)
        self._session: object = None
        self._asking: Worker[None] | None = None
        self._trouble: Failed | None = None
        self._managed = True
        self._switcher = ContentSwitcher(
            self._form,
            Scroll(self._steps, classes="page", id="solon-steps"),
            Vertical(self._filter, ExposureTitles(self._table), self._table, self._why, id="solon-tools"),
            Vertical(self._note, self._text, id="solon-instruction"),
            Scroll(self._card, classes="page", id="solon-skill"),
            Scroll(self._matrix, classes="page", id="solon-all"),
            initial="solon-prompt",
        )
        choice = FilterList(placeholder="filter prompts", empty="")
        super().__init__(choice, Vertical(self._strip, self._switcher), id=id)

    def on_unmount(self) -> None:
        self._model.save()

    def on_resize(self, event: events.Resize) -> None:
        # What the class below does follows by itself.
        self.set_class(event.size.height < _LOW, "-low")
        self.call_after_refresh(self._show)

    # What is on show

    def refresh_state(self) -> None:
        """Looks at the connection again; the metadata of a new session is read anew."""
        connection = self._connection
        if (
            connection.state == "ready"
            and connection.session is not self._session
            and self._model.skill.offer
        ):
            self._session = connection.session
            self._read()
        self._list.show([self._item(kept) for kept in self._model.prompts])
        self.call_later(self._show)

    def _item(self, kept: Kept) -> Item:
        brief = words.brief(kept.activation, self._exposure(kept))
        return Item(
            kept.key,
            guard.line(clip(kept.prompt.name, 80)) or "(no name)",
            words.mark(kept.activation),
            "",
            (brief,),
        )

    def _exposure(self, kept: Kept) -> Exposure | None:
        if kept.activation is None or kept.activation.listed is None:
            return None
        return kept.activation.exposure(self._model.skill.tools)

    @property
    def _server(self) -> str:
        """What the server calls itself, else what it is called here."""
        handshake = self._connection.handshake
        info = handshake.server_info if handshake is not None else None
        name = info.get("name") if isinstance(info, dict) else None
        return name if isinstance(name, str) else self._connection.name

    @property
    def _kept(self) -> Kept:
        """The prompt under the cursor."""
        return self._model.find(self._list.key)

    async def _show(self) -> None:
        if not self.is_mounted:
            return
        kept, model = self._kept, self._model
        if kept is not self._shown:
            self._shown, self._trouble = kept, None
            await self._form.load(kept.prompt)
        found = self._exposure(kept)
        self._facts.update(Content.assemble(*words.verdict_parts(model, kept, found)).rstrip())
        self._show_view(kept, found)
        self.refresh_bindings()

    def _show_view(self, kept: Kept, found: Exposure | None) -> None:
        """What is not looked at is not made."""
        model, activation = self._model, kept.activation
        width = self._switcher.size.width - 4
        match self._strip.active:
            case "prompt":
                self._form.show(kept.prompt, model.client.profile, self._trouble)
            case "steps":
                self._steps.update(Content.assemble(*words.step_parts(activation)).rstrip())
            case "tools":
                shown = found or exposure(model.skill.tools, None)
                self._filter.update(Content.assemble(*words.filter_parts(activation, shown)).rstrip())
                self._table.show(lines_of(shown, with_management=self._managed))
                self.query_one(ExposureTitles).refresh()
                self._say_why()
            case "instruction":
                note = words.instruction_note(activation)
                self._note.update(note)
                self._note.display = bool(note)
                told = activation.instruction if activation is not None else None
                if (activation, told) != self._told:
                    self._told = (activation, told)
                    self._text.load((told or "").encode("utf-8", "surrogatepass"))
            case "skill":
                skill = model.skill
                card = words.card_parts(skill.offer, skill.opening, self._server, model.client, width)
                self._card.update(Content.assemble(*card).rstrip())
            case _:
                rows = [(each, self._exposure(each)) for each in model.prompts]
                self._matrix.update(words.matrix(rows, width))

    @on(LineView.Moved, "ExposureTable")
    def _say_why(self) -> None:
        """What there is to tell of the tool under the cursor."""
        line = self._table.line
        enter = "enter calls it anyway" if line is not None and line.is_tool and not line.exposed else ""
        told = " · ".join(filter(None, (guard.line(line.remark) if line is not None else "", enter)))
        self._why.update(Content.styled(told, "$quiet"))

    @on(FilterList.Pointed)
    async def _pointed(self, event: FilterList.Pointed) -> None:
        event.stop()
        await self._show()

    @on(FilterList.Opened)
    async def _opened(self, event: FilterList.Opened) -> None:
        event.stop()
        await self._show()
        await self._enter_view()

    @on(TabStrip.Chosen)
    async def _chosen(self, event: TabStrip.Chosen) -> None:
        if event.strip is self._strip:
            event.stop()
            self._open(event.tab)
            if not self._strip.has_focus:
                await self._enter_view()

    def _open(self, view: str) -> None:
        self._strip.active = view
        self._switcher.current = f"solon-{view}"
        self.call_later(self._show)

    async def _enter_view(self) -> None:
        view = self._strip.active
        if view == "prompt":
            await self._form.enter()
        elif view == "tools":
            self._table.focus()
        elif view == "instruction":
            self._text.focus()
        else:
            self.query_one(f"#solon-{view}").focus()

    # The prompt

    @on(PromptForm.Entered)
    def _entered(self, event: PromptForm.Entered) -> None:
        event.stop()
        kept = self._shown
        if kept is None:
            return
        try:
            self._model.change(kept, event.value)
            self._trouble = None
        except Failed as failed:
            self._trouble = failed
        self._list.show([self._item(each) for each in self._model.prompts])
        self.call_later(self._show)

    def action_new(self) -> None:
        """Another prompt: an empty one, this one again, or one of the texts at the limit."""
        now = self._kept.prompt
        choices = [Prompt([Said("user", "")], {}, name="a prompt"), now]
        choices += [Prompt(raw=text, name=name) for name, text in EDGES.items()]
        titles = ["an empty one", f"{now.name}, again", *(f"edge case: {name}" for name in EDGES)]

        async def picked(positions: list[int] | None) -> None:
            if not positions:
                return
            kept = self._model.add(choices[positions[0]])
            self._list.show([self._item(each) for each in self._model.prompts])
            self._list.select(kept.key)
            self._open("prompt")
            await self._show()
            await self._form.enter()

        self.app.push_screen(Picker("Another prompt", titles, []), picked)

    def action_remove(self) -> None:
        gone = self._kept
        self._model.remove(gone)
        self.refresh_state()

        def back() -> None:
            self._model.add(gone.prompt)
            self.refresh_state()

        self.post_message(Undoable(f"the prompt {guard.line(gone.prompt.name)} is back", back))

    async def action_edit_outside(self) -> None:
        await self._form.edit_outside()

    # Asking

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "stop":
            return self._asking is not None and self._asking.is_running
        return True

    def action_run(self) -> None:
        self._ask([self._kept])

    def action_run_all(self) -> None:
        self._open("all")
        self._ask(self._model.prompts)

    def action_stop(self) -> None:
        if self._asking is not None:
            self._asking.cancel()

    def _ask(self, some: list[Kept]) -> None:
        if self._asking is None or not self._asking.is_running:
            self._model.save()
            self._asking = self._asked(some)

    @work(group="solon")
    async def _asked(self, some: list[Kept]) -> None:
        if not await self._agreed(some):
            return
        client = self._model.client
        if self._strip.active == "prompt":
            self._open("steps")
        for kept in some:
            text = kept.prompt.text(client.profile)

            def stepped(activation: Activation, kept: Kept = kept) -> None:
                kept.activation = activation
                self.call_later(self.refresh_state)

            kept.activation = Activation(client, text)
            try:
                kept.activation = await self._model.skill.activate(client, text, stepped, approver=PERSON)
            except asyncio.CancelledError:
                kept.activation = None
                self.call_later(self.refresh_state)
                raise
            self.refresh_state()

    async def _agreed(self, some: list[Kept]) -> bool:
        """Whether the person takes the risk: of side effects once, of class names that nobody knows every time."""
        risks = self._model.risks(some)
        parts: list[tuple[str, str]] = []
        if not self._model.agreed:
            parts.append(
                (
                    "The chain calls onAttachMcp too, which may change something at the server.\n",
                    "$foreground",
                )
            )
        parts += [(f"{guard.line(clip(risk, 300))}\n", "$text-warning") for risk in risks[:10]]
        if not parts:
            return True
        text = Content.assemble(*parts).rstrip()
        screen = ConfirmScreen("Ask the skill", text, yes="Ask", no="Leave it")
        agreed = await self.app.push_screen_wait(screen)
        if agreed:
            self._model.agree()
        return bool(agreed)

    def action_ask_one(self) -> None:
        """One of the four calls by itself; what comes of it stands among the steps."""
        kept = self._kept

        def picked(positions: list[int] | None) -> None:
            if positions:
                self._one(kept, MANAGEMENT[positions[0]])

        notes = {"onAttachMcp": "has side effects; what it says is ignored"}
        titles = [f"{name}  {notes.get(name, '')}".rstrip() for name in MANAGEMENT]
        self.app.push_screen(Picker("Ask once", titles, []), picked)

    @work(group="solon")
    async def _one(self, kept: Kept, tool: str) -> None:
        if tool != SUPPORTED and not await self._agreed([kept]):
            return
        client = self._model.client
        kept.activation = await self._model.skill.ask_once(
            client, kept.prompt.text(client.profile), tool, approver="" if tool == SUPPORTED else PERSON
        )
        self._open("steps")
        self.refresh_state()

    @work(group="solon", exclusive=False)
    async def _read(self) -> None:
        await self._model.skill.open(self._model.chosen)
        self.refresh_state()

    def action_read(self) -> None:
        self._open("skill")
        self._read()

    def action_client(self) -> None:
        self._model.next_client()
        self._shown = None
        self.refresh_state()

    # Looking

    async def action_next_view(self) -> None:
        self._open(_VIEWS[(_VIEWS.index(self._strip.active) + 1) % len(_VIEWS)])
        if not self._list.has_focus_within:
            await self._enter_view()

    def action_management(self) -> None:
        self._managed = not self._managed
        self.call_later(self._show)

    def action_compare(self) -> None:
        """The instruction of this prompt beside that of the one above, or below where it is the first."""
        told = [
            kept
            for kept in self._model.prompts
            if kept.activation is not None and kept.activation.instruction
        ]
        here = self._kept
        if here not in told or len(told) < 2:
            self.notify(
                f"Two prompts with instructions are needed; {spoken('solon.run_all')} asks about all.",
                markup=False,
            )
            return
        from inspector.tui.screens.diff import DiffScreen

        at = told.index(here)
        other = told[at - 1] if at else told[1]
        sides = []
        for kept in (other, here):
            assert kept.activation is not None
            sides += [kept.prompt.name, kept.activation.instruction or ""]
        self.app.push_screen(DiffScreen(*sides))
