"""Why there is no answer: cause, next step, and what else is known, as a card."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from inspector.base import numbers
from inspector.base.errors import Failure
from inspector.protocol.jsonrpc import code_name
from inspector.tui import guard
from inspector.tui.registry import label
from inspector.tui.widgets.lists.moving import Scroll
from inspector.tui.widgets.text.facts import Part

_MOST = 20_000
_CLOCKS = ("--timeout", "--max-time")


class FailureCard(Scroll):
    """Shows one failure."""

    DEFAULT_CSS = """
    FailureCard {
        height: 1fr; padding: 0 1;
        & > Static { height: auto; padding: 0 1; border-left: outer $text-error; }
    }
    """

    def __init__(self, failure: Failure, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._content = Content.assemble(*failure_parts(failure))

    def compose(self) -> ComposeResult:
        yield Static(self._content, markup=False)

    def copy_offer(self) -> tuple[str, str] | None:
        return "the failure", self._content.plain


def failure_parts(failure: Failure, *, data: bool = True) -> list[Part]:
    """What went wrong, what to do about it, and what is known; `data` is left out where it is shown in another way."""
    parts: list[Part] = [(guard.message(failure.message) + "\n", "bold $foreground")]
    if failure.hint:
        hint = guard.message(failure.hint)
        if failure.hint.endswith(_CLOCKS):
            hint += f"; in the app {label('extend_call')} while it runs, or {label('clocks')} for both clocks"
        if failure.kind == "auth" and "mcp-inspect auth" in failure.hint:
            hint += f"; in the app {label('log_in')}"
        parts += [("→ ", "bold $text-accent"), (f"{hint}\n", "$foreground")]
    if failure.code is not None:
        name = code_name(failure.code)
        parts += [("code  ", "$quiet"), (f"{failure.code}", "$foreground"), (f"  {name}\n", "$quiet")]
    if failure.http_status is not None:
        parts += [("HTTP  ", "$quiet"), (f"{failure.http_status}\n", "$foreground")]
    if failure.data is not None and data:
        parts += [("data  ", "$quiet"), (_json(failure.data) + "\n", "$foreground")]
    if failure.stderr:
        parts.append(("\nlast lines of stderr\n", "$quiet"))
        parts += [(guard.message(line) + "\n", "$foreground") for line in failure.stderr[-8:]]
    return parts


def _json(value: object) -> str:
    try:
        return guard.block(numbers.dumps(value, indent=2))[:_MOST]
    except (ValueError, RecursionError):
        return "too deep to show here; see Raw"
