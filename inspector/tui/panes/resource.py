"""One resource or template, or a URI written by hand: what is said of it, its variables, the reading, its content."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from textual import on
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from inspector.base.text import bytes_size, clip
from inspector.lenses.paicli_resources import mention_text
from inspector.protocol.apps import is_app, needs_of, page_of
from inspector.protocol.caching import freshness
from inspector.protocol.uritemplate import BadTemplate, Expression, UriTemplate, Value, Variable, parse
from inspector.schema.field import json_text
from inspector.tui import guard
from inspector.tui.calls import Call
from inspector.tui.panes.chosen import ChosenView, Visit, head_parts
from inspector.tui.pieces import contents
from inspector.tui.registry import spoken
from inspector.tui.widgets.answers.app_page import page_parts
from inspector.tui.widgets.answers.content_view import ContentView
from inspector.tui.widgets.text.facts import Part

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection


_OPTIONAL = ("?", "&", "#")
"""Operators whose part of a URI may well be left out."""
_TEXT = {"type": "string"}
_SEVERAL = {
    "anyOf": [
        {"title": "text", **_TEXT},
        {"title": "list", "type": "array", "items": _TEXT},
        {"title": "map", "type": "object", "additionalProperties": _TEXT},
    ]
}


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
        self._template: UriTemplate | None = None
        self._bad: BadTemplate | None = None
        listed = _listed(visit)
        if visit.kind == "templates":
            try:
                self._template = parse(listed)
            except BadTemplate as bad:
                self._bad = bad
        super().__init__(
            connection,
            visit,
            ContentView(visit.listing),
            schema=schema_of(self._template) if self._template is not None else None,
            ref={"type": "ref/resource", "uri": listed},
            id=id,
        )
        self._preview = Static(classes="preview", markup=False)
        self._address = self._make_address()

    @property
    def listed(self) -> str:
        """The URI or template as it is listed; empty where there is none."""
        return _listed(self.visit)

    def _make_address(self) -> Input | None:
        """A line for the URI where it cannot be made of a template."""
        if self.visit.kind is not None and self._bad is None:
            return None
        value = self.visit.address
        return Input(
            value=self.listed if value is None else value,
            placeholder="any URI, for example file:///notes.txt",
            compact=True,
        )

    def below_form(self) -> list[Widget]:
        return [*([self._address] if self._address is not None else []), self._preview]

    @property
    def uri(self) -> str:
        """What would be read now."""
        if self._address is not None:
            return self._address.value.strip()
        if self._template is not None:
            entered = self.form.model.collect().arguments if self.form is not None else {}
            return self._expanded(entered)
        return self.listed

    def _expanded(self, entered: dict[str, Any]) -> str:
        assert self._template is not None
        return expanded(self._template, entered)

    def show_state(self) -> None:
        visit = self.visit
        if visit.kind is None:
            self.head.update(Content.assemble(_BY_HAND, "\n", *self._watching()).rstrip())
        else:
            parts = head_parts(visit, self.listed, _facts(visit.entry), self._watching())
            answer = visit.call.answer if visit.call is not None else None
            kept = freshness(answer.result) if answer is not None else ""
            notes = " · ".join(filter(None, (_annotations(visit.entry), kept)))
            self.head.update(Content.assemble(*parts, *self._page(), (notes, "$quiet")).rstrip())
        self._show_preview()

    def _page(self) -> list[Part]:
        """What it says of itself where it is a page that belongs to tools: as read, or else as listed."""
        piece = self.content.piece
        read = piece.value.get("_meta") if piece is not None and isinstance(piece.value, dict) else None
        entry, catalog = self.visit.entry, self.connection.catalog
        mime = piece.mime if piece is not None and piece.mime else entry.get("mimeType")
        tools = catalog.listings.get("tools") if catalog is not None and is_app(mime) else None
        names = [
            str(tool.get("name"))
            for tool in (tools.entries if tools is not None else [])
            if isinstance(tool, dict) and (page := page_of(tool)) is not None and page.uri == self.listed
        ]
        return page_parts(mime, needs_of(read, entry.get("_meta")), names)

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
        rereading = self.connection.rereading
        if uri in rereading.wanted:
            parts.append((f"{' and ' if parts else '◌ '}read again on every change", "$quiet"))
        if (failure := rereading.failures.get(uri)) is not None:
            parts += [("  ▲ that failed: ", "$text-warning"), (guard.message(failure.message), "$foreground")]
        news = subscriptions.updates_of(uri) - self.visit.seen
        if news > 0 and (self.visit.call is not None or uri in subscriptions.wanted):
            parts += [("\n" if parts else "", ""), (f"● {self._news(news)}", "bold $text-warning")]
        return parts

    def _news(self, count: int) -> str:
        """What is said of so many changes that the person did not look at yet."""
        times = "" if count == 1 else f" {count} times"
        readings = self.connection.rereading.readings(self.uri)
        if not readings or not readings[-1].by_itself:
            return f"changed{times} since; {spoken('read')} reads it again"
        when = time.strftime("%H:%M:%S", time.localtime(readings[-1].at))
        if len(readings) < 2 or readings[-1].same:
            return f"changed{times}, says the server; read again at {when}, it is the same"
        return f"changed{times}, read again at {when}; {spoken('compare_readings')} shows what"

    def adopt(self) -> None:
        """Shows what was read by itself since the answer on show came."""
        readings, shown = self.connection.rereading.readings(self.uri), self.visit.call
        if not readings or not readings[-1].by_itself or (shown is not None and shown.running):
            return
        reading = readings[-1]
        if shown is None or (shown.answer is not reading.answer and shown.at < reading.at):
            call = Call("resources/read", {"uri": self.uri}, at=reading.at, answer=reading.answer)
            call.seconds = reading.answer.seconds
            call.settle()
            self.visit.call = call
            self.call_later(self._show_again, call)

    async def _show_again(self, call: Call) -> None:
        inside = self.content.has_focus_within
        await self.show_answer(call)
        if inside:
            self.enter_content()

    def texts(self) -> list[tuple[str, str]]:
        """The last two readings, the older one first: when, and its text where that is all there is, else the answer
        as JSON; foreign."""
        readings = self.connection.rereading.readings(self.uri)
        answers = [contents(reading.answer.result)[0] for reading in readings]
        plain = all(len(pieces) == 1 and pieces[0].text is not None for pieces in answers)
        return [
            (
                f"{self.uri} {time.strftime('%H:%M:%S', time.localtime(reading.at))}",
                pieces[0].shown if plain else reading.text,
            )
            for reading, pieces in zip(readings, answers, strict=True)
        ]

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
        elif self.form is not None:
            parts = [("→ ", "$text-accent"), (guard.line(self.uri), "$text-primary")]
        self._preview.display = bool(parts)
        self._preview.update(Content.assemble(*parts))

    def follow_form(self) -> None:
        self._show_preview()
        super().follow_form()

    @on(Input.Changed)
    def _address_typed(self, event: Input.Changed) -> None:
        event.stop()
        self.visit.address = event.value
        self.show_state()
        self.follow_form()

    @on(Input.Submitted)
    def _address_entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.ask()

    def drafted(self, arguments: dict[str, Any]) -> Call:
        uri = self._expanded(arguments) if self.form is not None else self.uri
        return Call("resources/read", {"uri": uri})

    def send(self, arguments: dict[str, Any]) -> None:
        uri = self.drafted(arguments).params["uri"]
        if not uri:
            self.bar.tell("there is no URI to read yet", "$text-warning")
            return
        # What changes from here on is not in the answer any more.
        self.visit.seen = self.connection.subscriptions.updates_of(uri)
        super().send(arguments)

    def take(self, uri: str) -> None:
        """A URI for the line that takes any."""
        self.visit.address = uri
        if self._address is not None:
            self._address.value = uri

    async def fill(self, call: Call) -> None:
        result = call.answer.result if call.answer is not None else None
        pieces, whole = contents(result)
        mention = partial(mention_text, self.connection.name, call.params["uri"], result)
        await self.content.show(call, pieces, whole, mention)

    @property
    def is_ready(self) -> bool:
        return super().is_ready and self._address is None

    def enter(self) -> None:
        super().enter()
        if self._address is not None:
            self._address.focus()


_BY_HAND = Content.assemble(
    ("Read any URI\n", "bold $foreground"),
    ("Servers may know more than they list. The URI goes out as it is written.", "$quiet"),
)


def schema_of(template: UriTemplate) -> dict[str, Any] | None:
    """A schema for the variables of a template; None where it has none. One that explodes takes a list or a map too."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, (expression, variable) in template.variables().items():
        properties[name] = {
            **(_SEVERAL if variable.explode else _TEXT),
            "description": _about(expression, variable),
        }
        if expression.operator not in _OPTIONAL:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required} if properties else None


def expanded(template: UriTemplate, entered: dict[str, Any]) -> str:
    """The URI that a template becomes with what was entered for its variables."""
    return template.expand({name: _value(value) for name, value in entered.items()})


def _about(expression: Expression, variable: Variable) -> str:
    if variable.prefix is not None:
        return f"only the first {variable.prefix} characters are used"
    return "may hold / and other signs" if expression.operator in ("+", "#") else ""


def _value(value: Any) -> Value:
    """What was entered, as the template takes it."""
    if isinstance(value, list):
        return [_text(item) for item in value]
    if isinstance(value, dict):
        return {key: _text(item) for key, item in value.items()}
    return None if value is None else _text(value)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json_text(value)


def _listed(visit: Visit) -> str:
    value = visit.entry.get("uriTemplate" if visit.kind == "templates" else "uri")
    return value if isinstance(value, str) else ""


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
