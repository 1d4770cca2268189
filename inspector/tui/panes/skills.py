"""The skills of a server (SEP-2640): what is listed, each file compared with what the list says of it, its text."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.binding import BindingType
from textual.content import Content

from inspector.base import numbers
from inspector.base.text import bytes_size, clip, decode
from inspector.session.skills import body_of
from inspector.tui import guard
from inspector.tui.panes.beside import Beside
from inspector.tui.registry import bindings, spoken
from inspector.tui.widgets.lists.filter_list import FilterList, Item
from inspector.tui.widgets.text.facts import Part, facts
from inspector.tui.widgets.text.markdown_view import MarkdownView
from inspector.tui.widgets.text.reading_view import ReadingView
from inspector.workspace.skill_shelf import Checked, files_of

if TYPE_CHECKING:
    from inspector.session.skills import Skill
    from inspector.workspace.connection import Connection

_MOST = 2000
"""Files that are listed."""
Place = tuple["Skill", str]


class SkillsPane(Beside):
    """Skills and their files at the left, the chosen file at the right."""

    SCOPE = "skills"
    BINDINGS: ClassVar[list[BindingType]] = bindings("skills")
    HELP = (
        "Instructions that the server offers to models, each with its files. Enter reads one and compares it with what"
        " the list says of its size, its digest and its frontmatter: a client must not use a skill that differs."
    )
    DEFAULT_CSS = """
    SkillsPane {
        & > .chosen > ReadingView { height: 1fr; padding: 0 1; display: none; }
        & > .chosen > MarkdownView { border-top: solid $line; }
    }
    """

    def __init__(self, connection: Connection, *, id: str | None = None) -> None:
        self._text = ReadingView()
        choice = FilterList(placeholder="filter skills", empty="Reading skills/list …")
        super().__init__(choice, self._text, id=id)
        self._connection = connection
        self._shelf = connection.skills
        self._plain = False
        self._shown: tuple[Any, ...] = ()
        self._session: object = None

    def refresh_state(self) -> None:
        connection = self._connection
        if connection.state == "ready" and connection.session is not self._session:
            # The list of another session may be another one.
            self._session = connection.session
            self._do(self._shelf.list())
        self._list.show([self._item(skill, uri) for skill, uri in self._places()])
        self._list.say_empty(self._nothing())
        listed = self._shelf.listed
        warnings = listed.warnings if listed is not None else []
        told = f"▲ {len(warnings)} remark{'' if len(warnings) == 1 else 's'}"
        self._list.sum_up([f"{told}: see Overview", told] if warnings else [])
        self.call_later(self._show)

    def _nothing(self) -> str:
        if (failure := self._shelf.failure) is not None:
            return (
                f"skills/list failed: {guard.message(failure.message)}. {spoken('skills.list')} asks again."
            )
        return "Reading skills/list …" if self._shelf.listed is None else "This server lists no skills."

    def _places(self) -> Iterator[Place]:
        count = 0
        for skill in self._shelf.listed.skills if self._shelf.listed is not None else ():
            for uri in files_of(skill):
                if (count := count + 1) > _MOST:
                    return
                yield skill, uri

    def _item(self, skill: Skill, uri: str) -> Item:
        listed = skill.files.get(uri)
        size = bytes_size(listed.size) if listed is not None and listed.size is not None else ""
        mark = _mark(self._shelf.checked.get((skill.uri, uri)))
        key = f"{skill.uri}\0{uri}"
        if uri == skill.uri:
            told = skill.frontmatter.get("description")
            note = clip(guard.line(told), 120) if isinstance(told, str) else ""
            return Item(key, clip(guard.line(skill.name), 80), mark, note, (size,))
        folder = skill.uri.rpartition("/")[0] + "/"
        return Item(key, f"  {clip(guard.line(uri.removeprefix(folder)), 80)}", mark, "", (size,))

    @property
    def place(self) -> Place | None:
        """What is under the cursor."""
        key = self._list.key
        return next((place for place in self._places() if f"{place[0].uri}\0{place[1]}" == key), None)

    @on(FilterList.Pointed)
    async def _pointed(self, event: FilterList.Pointed) -> None:
        event.stop()
        await self._show()

    @on(FilterList.Opened)
    def _opened(self, event: FilterList.Opened) -> None:
        event.stop()
        self.action_read()

    async def _show(self) -> None:
        if not self.is_mounted:
            return
        place = self.place
        checked = self._shelf.checked.get((place[0].uri, place[1])) if place is not None else None
        state = (place, checked, self._plain, self._facts.size.width, guard.epoch())
        if state == self._shown:
            return
        self._shown = state
        parts = _facts(*place, checked, self._facts.size.width) if place is not None else []
        self._facts.update(Content.assemble(*parts).rstrip())
        data = checked.data if checked is not None else b""
        markdown = place is not None and place[1].lower().endswith(".md") and not self._plain and bool(data)
        inside = any(view.has_focus_within for view in self.query(MarkdownView)) or self._text.has_focus
        await self.query(MarkdownView).remove()
        self._text.display = bool(data) and not markdown
        self._text.load(b"" if markdown else data)
        if markdown:
            await self.query_one(".chosen").mount(MarkdownView(body_of(decode(data))))
        if inside:
            self._into_text()
        self.refresh_bindings()

    def _into_text(self) -> None:
        views = self.query(MarkdownView)
        (views.first() if views else self._text).focus()

    # What is done with them

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "read":
            return self.is_mounted and self.place is not None
        return True

    @work(group="skills", exclusive=True)
    async def action_read(self) -> None:
        """Reads what is under the cursor, and goes into it."""
        if (place := self.place) is None:
            return
        checked = await self._shelf.check(*place)
        await self._show()
        if checked.failure is None and self._list.has_focus_within:
            self._into_text()

    def action_check_all(self) -> None:
        self._do(self._shelf.check_all())

    def action_list(self) -> None:
        self._do(self._shelf.list())

    async def action_next_view(self) -> None:
        self._plain = not self._plain
        await self._show()

    @work(group="skills")
    async def _do(self, work: Coroutine[Any, Any, None]) -> None:
        await work


def _mark(checked: Checked | None) -> tuple[str, str]:
    if checked is None:
        return "·", "$quiet"
    if checked.failure is not None:
        return "⊘", "$text-error"
    return ("✓", "$text-success") if checked.fits else ("✗", "$text-error")


def _facts(skill: Skill, uri: str, checked: Checked | None, width: int) -> list[Part]:
    listed = skill.files.get(uri)
    name = guard.line(skill.name) if uri == skill.uri else guard.line(uri.rpartition("/")[2])
    parts: list[Part] = [(f"{clip(name, 100)}\n", "bold $foreground"), *_verdict(checked)]
    told = skill.frontmatter.get("description")
    others = {key: part for key, part in skill.frontmatter.items() if key not in ("name", "description")}
    is_main = uri == skill.uri
    return parts + facts(
        (
            ("about", clip(guard.line(told), 600) if is_main and isinstance(told, str) else ""),
            ("more", clip(guard.line(numbers.dumps(others)), 300) if others and is_main else ""),
            ("file", clip(guard.line(uri), 300)),
            (
                "size",
                f"{listed.size:,} bytes" if listed is not None and listed.size is not None else "not listed",
            ),
            (
                "digest",
                guard.line(listed.digest)[:100] if listed is not None and listed.digest else "not listed",
            ),
        ),
        indent=8,
        width=width,
    )


def _verdict(checked: Checked | None) -> list[Part]:
    """Whether it is what the list says."""
    if checked is None:
        return [(f"not read yet; {spoken('skills.read')} reads and compares it\n", "$quiet")]
    if checked.failure is not None:
        return [("⊘ ", "$text-error"), (f"{guard.message(checked.failure.message)[:600]}\n", "$foreground")]
    if checked.fits:
        return [("✓ ", "$text-success"), ("size and digest are as the list says\n", "$foreground")]
    parts: list[Part] = [("✗ ", "$text-error"), ("a client must not use this skill\n", "bold $text-error")]
    for misfit in checked.misfits[:20]:
        parts.append((f"  {guard.message(misfit)[:400]}\n", "$foreground"))
    return parts
