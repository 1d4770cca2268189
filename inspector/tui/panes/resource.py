"""One resource or template, or a URI written by hand: what is said of it, its variables, the reading, its content."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from inspector.base.text import bytes_size, clip
from inspector.protocol.uritemplate import BadTemplate, Expression, UriTemplate, Value, Variable, parse
from inspector.tui import guard
from inspector.tui.calls import Call
from inspector.tui.completion import proposer
from inspector.tui.pieces import contents
from inspector.tui.widgets.argument_form import Argument, ArgumentForm
from inspector.tui.widgets.call_bar import CallBar
from inspector.tui.widgets.content_view import ContentView, summary
from inspector.tui.widgets.facts import Part

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

_SHORT = 17
"""Rows below which what is listed gives its room to the content once there is some."""


@dataclass(eq=False)
class Visit:
    """What was looked at and what came of it. `listing` is the JSON text of the entry as served, `values` what was
    typed by name of the variable, `seen` how many updates there were when it was read last."""

    key: str
    kind: Literal["resource", "template", "free"]
    entry: dict[str, Any]
    listing: str
    reasons: list[str]
    values: dict[str, str] = field(default_factory=dict)
    call: Call | None = None
    seen: int = 0
    at: float = field(default_factory=time.monotonic)

    @property
    def address(self) -> str:
        """The URI or template as listed; empty where there is none."""
        value = self.entry.get("uriTemplate" if self.kind == "template" else "uri")
        return value if isinstance(value, str) else ""


class ResourceView(Vertical):
    """Shows a visit and changes it. Posts `Read` when an answer has come."""

    DEFAULT_CSS = """
    ResourceView {
        height: 1fr;
        & > .head { height: auto; max-height: 9; padding: 0 1; margin-bottom: 1; }
        & > .form { height: auto; max-height: 50%; }
        & > Input { margin: 0 1; }
        & > .preview { height: auto; max-height: 3; padding: 0 1; }
        & > CallBar { margin-bottom: 0; }
        & > ContentView { height: 1fr; margin-top: 1; }
        &.-short.-answered > .head { max-height: 1; }
        &.-short > ContentView { margin-top: 0; }
        &.-short > .head { margin-bottom: 0; }
        &.-short.-answered.-reading > ArgumentForm { display: none; }
        &.-unfolded > .head { max-height: 60%; overflow-y: auto; }
    }
    """

    class Answered(Message):
        """A reading is over."""

    class Watch(Message):
        """The person wants to hear of changes of this URI, or not any more."""

        def __init__(self, uri: str) -> None:
            super().__init__()
            self.uri = uri

    def __init__(self, connection: Connection, visit: Visit, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.visit = visit
        self._connection = connection
        self._template: UriTemplate | None = None
        self._bad: BadTemplate | None = None
        if visit.kind == "template":
            self._read_template()
        self._head = Static(classes="head", markup=False)
        self._preview = Static(classes="preview", markup=False)
        self._form = self._make_form()
        self._address = self._make_address()
        self._bar = CallBar(connection, "Read")
        self.content = ContentView(visit.listing)

    def _read_template(self) -> None:
        try:
            self._template = parse(self.visit.address)
        except BadTemplate as bad:
            self._bad = bad

    def _make_form(self) -> ArgumentForm | None:
        if self._template is None or not (variables := self._template.variables()):
            return None
        arguments = [Argument(name, hint=_hint(*place)) for name, place in variables.items()]
        propose = proposer(self._connection, {"type": "ref/resource", "uri": self.visit.address})
        return ArgumentForm(arguments, self.visit.values, propose)

    def _make_address(self) -> Input | None:
        """A line for the URI where it cannot be made of a template."""
        if self.visit.kind != "free" and self._bad is None:
            return None
        value = self.visit.values.get("", self.visit.address)
        return Input(value=value, placeholder="any URI, for example file:///notes.txt", compact=True)

    def compose(self) -> ComposeResult:
        yield self._head
        if self._form is not None:
            yield self._form
        if self._address is not None:
            yield self._address
        yield self._preview
        yield self._bar
        yield self.content

    async def on_mount(self) -> None:
        self._show_head()
        self._show_preview()
        if self.visit.call is not None and not self.visit.call.running:
            await self._show_answer(self.visit.call)

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(0 < event.size.height < _SHORT, "-short")

    @property
    def running(self) -> bool:
        return self._bar.running

    @property
    def uri(self) -> str:
        """What would be read now."""
        if self._address is not None:
            return self._address.value.strip()
        if self._template is not None:
            return self._template.expand(self._values())
        return self.visit.address

    def _values(self) -> dict[str, Value]:
        assert self._template is not None
        typed = self._form.values if self._form is not None else {}
        variables = self._template.variables()
        return {name: items(text) if variables[name][1].explode else text for name, text in typed.items()}

    async def renew(self, entry: dict[str, Any], listing: str, reasons: list[str]) -> None:
        """It is listed anew."""
        self.visit.entry, self.visit.reasons = entry, reasons
        if listing != self.visit.listing:
            self.visit.listing = listing
            await self.content.relist(listing)
        self._show_head()

    def show_state(self) -> None:
        """Its subscription or its updates are others now."""
        self._show_head()

    def _show_head(self) -> None:
        self._head.update(_head(self.visit, self._watching()))

    def _watching(self) -> list[Part]:
        uri, subscriptions = self.uri, self._connection.subscriptions
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
                (f"● changed{times} since; F5 reads it again", "bold $text-warning"),
            ]
        return parts

    def _show_preview(self) -> None:
        bad, parts = self._bad, list[Part]()
        if bad is not None:
            shown = guard.line(self.visit.address[: bad.column])
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
        self._show_preview()

    @on(Input.Changed)
    def _address_typed(self, event: Input.Changed) -> None:
        event.stop()
        self.visit.values[""] = event.value

    @on(ArgumentForm.Submitted)
    @on(CallBar.Wanted)
    @on(Input.Submitted)
    def _wanted(self, event: Message) -> None:
        event.stop()
        self.read()

    def read(self) -> None:
        """Reads what is chosen; does nothing while a reading runs."""
        if self.running:
            return
        uri = self.uri
        if not uri:
            self._bar.tell("there is no URI to read yet", "$text-warning")
            return
        call = Call("resources/read", {"uri": uri})
        self.visit.call = call
        # What changes from here on is not in the answer any more.
        self.visit.seen = self._connection.subscriptions.updates_of(uri)
        self._bar.begin(call)

    def read_uri(self, uri: str) -> None:
        """Reads this URI, written where one is written by hand."""
        if self._address is not None:
            self._address.value = uri
        self.read()

    def cancel(self) -> None:
        self._bar.cancel()

    @on(CallBar.Ended)
    async def _ended(self, event: CallBar.Ended) -> None:
        event.stop()
        inside = self.has_focus_within
        await self._show_answer(event.call)
        self._show_head()
        self.post_message(self.Answered())
        if inside and self.has_class("-short"):
            self.call_after_refresh(self.enter_content)

    async def _show_answer(self, call: Call) -> None:
        pieces, whole = contents(call.answer.result if call.answer is not None else None)
        self.add_class("-answered", "-reading")
        self._bar.tell(*summary(call))
        await self.content.show(call, pieces, whole)

    def enter(self) -> None:
        """The focus goes to where work begins: a field that is to be filled in, or the content."""
        self.remove_class("-reading")
        if self._form is not None and self._form.enter():
            return
        if self._address is not None:
            self._address.focus()
        else:
            self.enter_content()

    def enter_content(self) -> None:
        self.add_class("-reading")
        self.content.enter()

    @property
    def is_ready(self) -> bool:
        """Nothing is to be filled in before it is read."""
        return self._form is None and self._address is None

    def leave(self) -> bool:
        """Ends a search, or goes from the content back to the fields that gave it their room."""
        if self.content.leave():
            return True
        if (
            self.has_class("-short")
            and self.has_class("-reading")
            and self._form is not None
            and self.content.has_focus_within
        ):
            self.enter()
            return True
        return False

    def unfold(self) -> None:
        self.toggle_class("-unfolded")


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


def _head(visit: Visit, watching: list[Part]) -> Content:
    entry = visit.entry
    if visit.kind == "free":
        return Content.assemble(
            ("Read any URI\n", "bold $foreground"),
            ("Servers may know more than they list. The URI goes out as it is written.", "$quiet"),
        )
    name, title, about = entry.get("name"), entry.get("title"), entry.get("description")
    parts: list[Part] = [(guard.line(name) if isinstance(name, str) else "(no name)", "bold $foreground")]
    if isinstance(title, str) and title != name:
        parts.append((f"  {clip(guard.line(title), 200)}", "$foreground"))
    parts.append((f"  {' · '.join(_facts(entry))}" if _facts(entry) else "", "$quiet"))
    parts += [("\n", ""), (guard.line(visit.address) or "(no URI)", "$text-primary"), ("\n", "")]
    if watching:
        parts += [*watching, ("\n", "")]
    for reason in visit.reasons:
        parts += [("▲ ", "$text-warning"), (f"{guard.message(reason)}\n", "$text-warning")]
    if isinstance(about, str) and about.strip():
        parts.append((guard.block(about.strip())[:8000] + "\n", "$quiet"))
    if notes := _annotations(entry):
        parts.append((notes, "$quiet"))
    return Content.assemble(*parts).rstrip()


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
    if isinstance(meta := entry.get("_meta"), dict) and meta:
        facts.append("_meta " + clip(", ".join(guard.line(str(key)) for key in meta), 80))
    return " · ".join(facts)
