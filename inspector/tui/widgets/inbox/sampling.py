"""What a server wants a model to be asked, and the form in which a person answers in its place."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from inspector.base import numbers
from inspector.base.text import clip
from inspector.tui import guard
from inspector.tui.pieces import messages
from inspector.tui.widgets.answers.messages_view import MessageCard
from inspector.tui.widgets.text.facts import Part, facts, heading

_MOST = 100
_MOST_PROMPT = 4000
_STOPS = ["endTurn", "stopSequence", "maxTokens", "toolUse"]
_HANDLED = {
    "messages", "systemPrompt", "modelPreferences", "tools", "toolChoice", "maxTokens", "temperature", "stopSequences",
    "includeContext", "metadata",
}  # fmt: skip
MODEL = "mcp-inspect, by hand"


class Conversation(VerticalScroll):
    """The system prompt, what is asked of the model beside, and the messages as cards."""

    DEFAULT_CSS = """
    Conversation {
        height: 1fr; padding: 0 0 0 1;
        & > Static { height: auto; margin-bottom: 1; }
    }
    """

    def __init__(self, params: Mapping[str, Any], *, id: str | None = None) -> None:
        super().__init__(id=id, can_focus=False)
        self._params = params
        self._placed = False

    def compose(self) -> ComposeResult:
        found, whole = messages(self._params, lists=True)
        if isinstance(prompt := self._params.get("systemPrompt"), str):
            said = [heading("system prompt"), (guard.block(prompt)[:_MOST_PROMPT], "$foreground")]
            yield Static(Content.assemble(*said).rstrip(), markup=False)
        if whole:
            yield Static(Content.assemble(("▲ ", "$text-warning"), (whole, "$foreground")), markup=False)
        for message in found[:_MOST]:
            yield MessageCard(message, as_markdown=False)
        if len(found) > _MOST:
            yield Static(f"… the first {_MOST} of {len(found):,}; Request has all", markup=False)
        yield Static(Content.assemble(*wishes(self._params)).rstrip(), markup=False)

    def on_resize(self, event: events.Resize) -> None:
        if event.size.height and not self._placed:
            self._placed = True
            self.call_after_refresh(self._show_last)

    def _show_last(self) -> None:
        """The last message is what is to be answered."""
        if cards := self.query(MessageCard):
            self.scroll_to_widget(cards.last(), animate=False)

    def enter(self) -> bool:
        cards = self.query(MessageCard)
        if cards:
            cards.last().focus()
        return bool(cards)


def wishes(params: Mapping[str, Any]) -> list[Part]:
    """What is asked of the model beside the messages."""
    parts: list[Part] = [heading("asked of the model")]
    parts += facts(
        (
            ("max tokens", _short(params.get("maxTokens"))),
            ("temperature", _short(params.get("temperature"))),
            ("stop at", _listed(params.get("stopSequences"))),
            ("context", _short(params.get("includeContext"))),
            *_preferences(params.get("modelPreferences")),
            ("tool choice", _short(params.get("toolChoice"))),
            ("metadata", _short(params.get("metadata"))),
            *(
                (clip(guard.line(str(name)), 14), _short(value))
                for name, value in params.items()
                if name not in _HANDLED
            ),
        )
    )
    if (tools := params.get("tools")) is not None:
        parts.append(heading("tools that the model may use"))
        for tool in tools if isinstance(tools, list) else [tools]:
            given = tool if isinstance(tool, dict) else {}
            about = given.get("description")
            parts.append((f"  {_short(given.get('name')) or '(no name)'}", "bold $foreground"))
            parts.append((f"  {clip(guard.line(about), 200)}" if isinstance(about, str) else "", "$quiet"))
            parts.append(("\n", ""))
    return parts


def _preferences(value: Any) -> list[tuple[str, str]]:
    given = value if isinstance(value, dict) else {}
    hints = given.get("hints")
    names = (
        [hint.get("name") if isinstance(hint, dict) else hint for hint in hints]
        if isinstance(hints, list)
        else []
    )
    weights = [
        f"{word} {_short(given.get(member))}"
        for word, member in (("cost", "costPriority"), ("speed", "speedPriority"),
                             ("intelligence", "intelligencePriority"))
        if member in given
    ]  # fmt: skip
    return [("models", _listed(names)), ("weighs", " · ".join(weights))]


def _listed(value: Any) -> str:
    return ", ".join(_short(each) for each in value[:20]) if isinstance(value, list) else _short(value)


def _short(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return clip(guard.line(value), 200)
    try:
        return clip(guard.line(numbers.dumps(value)), 200)
    except (ValueError, RecursionError):
        return "(cannot be shown)"


def answer_schema(params: Mapping[str, Any]) -> dict[str, Any]:
    """The form of an answer by hand; with tools in the request, also of a model that wants to use one."""
    properties: dict[str, Any] = {
        "text": {"type": "string", "format": "textarea", "description": "What the model says."},
    }
    if names := _tool_names(params):
        properties["tool"] = {
            "type": "string",
            "enum": names,
            "description": "A tool that the model wants to use.",
        }
        properties["input"] = {"type": "object", "description": "The arguments for that tool."}
    properties |= {
        "model": {"type": "string", "default": MODEL, "description": "The name of the model that says it."},
        "stopReason": {"type": "string", "enum": _STOPS, "default": "endTurn"},
        "role": {"type": "string", "enum": ["assistant", "user"], "default": "assistant"},
        "delay": {
            "type": "number",
            "minimum": 0,
            "maximum": 3600,
            "default": 0,
            "description": "Seconds before it is sent, to see how the server waits.",
        },
    }
    return {"type": "object", "properties": properties, "required": ["model", "role"]}


def says_nothing(arguments: Mapping[str, Any]) -> bool:
    """Whether there is neither a text nor the wish for a tool in what was entered."""
    return not {"text", "tool", "content"} & arguments.keys()


def reply_of(arguments: Mapping[str, Any]) -> tuple[dict[str, Any], float]:
    """The result for what was entered, and the seconds to wait before it goes out. Members that the form does not have
    go out as they are; so does a `content` written as JSON."""
    reply = {
        name: value
        for name, value in arguments.items()
        if name not in ("text", "tool", "input", "delay", "role", "content")
    }
    delay = arguments.get("delay", 0)
    parts: list[Any] = []
    if "text" in arguments or "tool" not in arguments:
        parts.append({"type": "text", "text": arguments.get("text", "")})
    if "tool" in arguments:
        use = {"type": "tool_use", "id": f"call-{secrets.token_hex(4)}", "name": arguments["tool"]}
        parts.append({**use, "input": arguments.get("input", {})})
        reply["stopReason"] = "toolUse"
    content = arguments.get("content", parts[0] if len(parts) == 1 else parts)
    head = {"role": arguments.get("role", "assistant"), "content": content}
    return head | reply, float(delay) if isinstance(delay, int | float) else 0.0


def arguments_of(reply: Mapping[str, Any]) -> dict[str, Any]:
    """An earlier answer in the form again."""
    content = reply.get("content")
    rest = {name: value for name, value in reply.items() if name != "content"}
    if isinstance(content, dict) and content.get("type") == "text" and set(content) == {"type", "text"}:
        return {"text": content["text"]} | rest
    return rest | {"content": content}


def _tool_names(params: Mapping[str, Any]) -> list[str]:
    tools = params.get("tools")
    names = [tool.get("name") for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    return list(dict.fromkeys(name for name in names if isinstance(name, str)))[:500]
