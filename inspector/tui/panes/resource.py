"""One resource or template, or a URI written by hand: what is said of it, its variables, the reading, its content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from inspector.base.text import bytes_size, clip
from inspector.protocol.uritemplate import BadTemplate, Expression, UriTemplate, Value, Variable, parse
from inspector.tui import guard
from inspector.tui.calls import Call
from inspector.tui.completion import proposer
from inspector.tui.panes.chosen import ChosenView, Visit, head_parts
from inspector.tui.pieces import contents
from inspector.tui.registry import spoken
from inspector.tui.widgets.answers.content_view import ContentView
from inspector.tui.widgets.forms.argument_form import Argument, ArgumentForm
from inspector.tui.widgets.text.facts import Part

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection


_OPTIONAL = ("?", "&", "#")
"""Operators whose part of a URI may well be left out."""


class ResourceView(ChosenView):
    """Fields for the variables of a template, a line for a URI by hand; of a plain resource neither."""

    VERB, GO, CANCEL = "Read", "read", "resources.cancel_call"
    DEFAULT_CSS = """
    ResourceView {
        & > Input { margin: 0 1; }
        & > .preview { height: auto; max-height: 3; padding: 0 1; }
    }
    """

    def __init__(self, connection: Connection, visit: Visit, *, id: str | None = None) -> None:
        super().__init__(connection, visit, ContentView(visit.listing), id=id)
        self._template: UriTemplate | None = None
        self._bad: BadTemplate | None = None
        if visit.kind == "templates":
            self._read_template()
        self._preview = Static(classes="preview", markup=False)
        self._form = self._make_form()
        self._insist = False
        self._address = self._make_address()

    @property
    def listed(self) -> str:
        """The URI or template as it is listed; empty where there is none."""
        value = self.visit.entry.get("uriTemplate" if self.visit.kind == "templates" else "uri")
        return value if isinstance(value, str) else ""

    def _read_template(self) -> None:
        try:
            self._template = parse(self.listed)
        except BadTemplate as bad:
            self._bad = bad

    def _make_form(self) -> ArgumentForm | None:
        if self._template is None or not (variables := self._template.variables()):
            return None
        arguments = [
            Argument(name, required=expression.operator not in _OPTIONAL, hint=_hint(expression, variable))
            for name, (expression, variable) in variables.items()
        ]
        propose = proposer(self.connection, {"type": "ref/resource", "uri": self.listed})
        return ArgumentForm(arguments, self.visit.values, propose)

    def _make_address(self) -> Input | None:
        """A line for the URI where it cannot be made of a template."""
        if self.visit.kind is not None and self._bad is None:
            return None
        value = self.visit.values.get("", self.listed)
        return Input(value=value, placeholder="any URI, for example file:///notes.txt", compact=True)

    def compose(self) -> ComposeResult:
        yield self.head
        if self._form is not None:
            yield self._form
        if self._address is not None:
            yield self._address
        yield self._preview
        yield self.bar
        yield self.content

    @property
    def uri(self) -> str:
        """What would be read now."""
        if self._address is not None:
            return self._address.value.strip()
        if self._template is not None:
            return self._template.expand(self._values())
        return self.listed

    def _values(self) -> dict[str, Value]:
        assert self._template is not None
        typed = self._form.values if self._form is not None else {}
        variables = self._template.variables()
        return {name: items(text) if variables[name][1].explode else text for name, text in typed.items()}

    def show_state(self) -> None:
        visit = self.visit
        if visit.kind is None:
            self.head.update(_BY_HAND)
        else:
            parts = head_parts(visit, self.listed, _facts(visit.entry), self._watching())
            notes = _annotations(visit.entry)
            self.head.update(Content.assemble(*parts, (notes, "$quiet")).rstrip())
        self._show_preview()

    def _watching(self) -> list[Part]:
        uri, subscriptions = self.uri, self.connection.subscriptions
        parts: list[Part] = []
        if uri in subscriptions.active:
            parts = [("◉ subscribed", "$text-success")]
        elif (failure := subscriptions.refused.get(uri)) is not None:
            parts = [
                ("◌ not subscribed any more: ", "$text-warning"),
                (guard.message(failure.message), "$foreground"),
            ]
        elif uri in subscriptions.wanted:
            parts = [("◌ subscribed as soon as it is connected", "$quiet")]
        news = subscriptions.updates_of(uri) - self.visit.seen
        if news > 0 and (self.visit.call is not None or uri in subscriptions.wanted):
            times = "" if news == 1 else f" {news} times"
            parts += [
                ("  " if parts else "", ""),
                (f"● changed{times} since; {spoken('read')} reads it again", "bold $text-warning"),
            ]
        return parts

    def _show_preview(self) -> None:
        bad, parts = self._bad, list[Part]()
        if bad is not None:
            shown = guard.line(self.listed[: bad.column])
            parts = [
                ("▲ This is no URI template: ", "$text-warning"),
                (f"{guard.line(bad.message)} at character {bad.column + 1}, ", "$foreground"),
                (f"after {shown[-30:]}" if shown else "its first", "$foreground"),
                (". Write the URI yourself.", "$quiet"),
            ]
        elif self._form is not None:
            parts = [("→ ", "$text-accent"), (guard.line(self.uri), "$text-primary")]
            self.visit.values = self._form.values
        self._preview.display = bool(parts)
        self._preview.update(Content.assemble(*parts))

    @on(ArgumentForm.Changed)
    def _typed(self, event: ArgumentForm.Changed) -> None:
        event.stop()
        self._insist = False
        if self._form is not None:
            self._form.tell("")
        self._show_preview()

    @on(Input.Changed)
    def _address_typed(self, event: Input.Changed) -> None:
        event.stop()
        self.visit.values[""] = event.value

    @on(ArgumentForm.Submitted)
    @on(Input.Submitted)
    def _submitted(self, event: Message) -> None:
        event.stop()
        self.ask()

    def ask(self) -> None:
        if self.running:
            return
        uri = self.uri
        if not uri:
            self.bar.tell("there is no URI to read yet", "$text-warning")
            return
        form = self._form
        if form is not None and form.missing and not self._insist:
            self._insist = True
            self.remove_class("-reading")
            form.point_at_missing("empty")
            form.tell(f"▲ A variable of the URI is empty. {spoken('read')} again sends it all the same.")
            return
        self._insist = False
        if form is not None:
            form.tell("")
        # What changes from here on is not in the answer any more.
        self.visit.seen = self.connection.subscriptions.updates_of(uri)
        self.begin(Call("resources/read", {"uri": uri}))

    def take(self, uri: str) -> None:
        """A URI for the line that takes any."""
        self.visit.values[""] = uri
        if self._address is not None:
            self._address.value = uri

    async def fill(self, call: Call) -> None:
        pieces, whole = contents(call.answer.result if call.answer is not None else None)
        await self.content.show(call, pieces, whole)

    @property
    def is_ready(self) -> bool:
        return self._form is None and self._address is None

    def enter(self) -> None:
        self.remove_class("-reading")
        if self._form is not None and self._form.enter():
            return
        if self._address is not None:
            self._address.focus()
        else:
            self.enter_content()


_BY_HAND = Content.assemble(
    ("Read any URI\n", "bold $foreground"),
    ("Servers may know more than they list. The URI goes out as it is written.", "$quiet"),
)


def items(text: str) -> list[str]:
    """The values of a list as typed: parted by commas; `\\,` is a comma in a value."""
    found, value, escaped = list[str](), "", False
    for char in text:
        if escaped:
            value += char if char in ",\\" else "\\" + char
            escaped = False
        elif char == "\\":
            escaped = True
        elif char == ",":
            found.append(value.strip())
            value = ""
        else:
            value += char
    return [*found, (value + "\\" * escaped).strip()]


def _hint(expression: Expression, variable: Variable) -> str:
    if variable.explode:
        return "one value, or several with commas between"
    if variable.prefix is not None:
        return f"only the first {variable.prefix} characters are used"
    return {"?": "left out where empty", "&": "left out where empty", "+": "may hold / and other signs"}.get(
        expression.operator, ""
    )


def _facts(entry: dict[str, Any]) -> list[str]:
    facts: list[str] = []
    if isinstance(mime := entry.get("mimeType"), str):
        facts.append(clip(guard.line(mime), 80))
    if type(size := entry.get("size")) is int and size >= 0:
        facts.append(bytes_size(size))
    return facts


def _annotations(entry: dict[str, Any]) -> str:
    given = entry.get("annotations")
    given = given if isinstance(given, dict) else {}
    facts: list[str] = []
    audience = given.get("audience")
    if isinstance(audience, list) and audience:
        facts.append("for " + " and ".join(clip(guard.line(str(who)), 40) for who in audience[:5]))
    if isinstance(priority := given.get("priority"), int | float) and not isinstance(priority, bool):
        facts.append(f"priority {priority}")
    if isinstance(when := given.get("lastModified"), str):
        facts.append(f"modified {clip(guard.line(when), 40)}")
    return " · ".join(facts)
