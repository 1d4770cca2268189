"""The frame that a call would send now, as it would be on the wire; it follows what is typed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from inspector.base.errors import Failed
from inspector.base.jsonptr import tokens
from inspector.base.secrets import MASK
from inspector.base.text import bytes_size, decode
from inspector.protocol import jsonrpc
from inspector.tui import guard
from inspector.tui.widgets.text.json_view import JsonView

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection


class FramePreview(Vertical):
    """Nothing that was typed is hidden, but for known secrets and what is in fields for passwords."""

    DEFAULT_CSS = """
    FramePreview {
        & > Static { height: 1; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; background: $surface; }
        & > JsonView { height: 1fr; padding: 0 1; }
        & > #headers { height: auto; max-height: 3; text-wrap: wrap; background: transparent; }
    }
    """
    HELP = (
        "The frame that a call would send now. `_meta.progressToken` is added to every request, so that the server may"
        " tell of its progress; it is the id of the request. Over HTTP, 2026-07-28 has some of it in headers as well."
    )

    def __init__(self, connection: Connection, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._connection = connection
        self._head = Static(markup=False)
        self._headers = Static(markup=False, id="headers")
        self._headers.display = False
        self._json = JsonView()

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._headers
        yield self._json

    def show(self, ask: str, params: dict[str, Any]) -> None:
        """What asking so would send."""
        try:
            raw, note = self._draft(ask, params)
        except ValueError as error:
            self._head.update(Content.styled("This cannot be written as JSON", "$text-error"))
            self._json.renew(guard.message(str(error)))
            return
        said = f"  {bytes_size(len(raw))} · {note}"
        self._head.update(Content.assemble(("Next frame", "bold"), (said, "$quiet")))
        self._json.renew(decode(raw))
        self._show_headers(ask, params)

    def _show_headers(self, ask: str, params: dict[str, Any]) -> None:
        session = self._connection.session
        try:
            headers = session.mirrored(ask, params) if session is not None else {}
            # What a tool alone has comes first: it is what differs most.
            text = " · ".join(guard.line(f"{name}: {value}") for name, value in reversed(headers.items()))
        except Failed as failed:
            text = guard.message(failed.failure.message)
        self._headers.display = bool(text)
        self._headers.update(Content.styled(text, "$quiet"))

    def bring_up(self) -> None:
        """Goes to what differs from call to call, where there is no room for all."""
        self._json.bring_up("params")

    def _draft(self, ask: str, params: dict[str, Any]) -> tuple[bytes, str]:
        session = self._connection.session
        if session is not None and self._connection.state == "ready":
            return session.dispatcher.draft(ask, params), "with a progress token added"
        meta = {"progressToken": 1}
        return jsonrpc.request(1, ask, {**params, "_meta": meta}), "not connected, so its id is made up"


def veiled(arguments: Any, secrets: Iterable[tuple[str, Any]]) -> Any:
    """The arguments with a mask in the place of each secret, given with its pointer; as they are once secrets are
    revealed."""
    hidden: dict[str, Any] = {}
    for pointer, _ in () if guard.revealed() else secrets:
        inside = hidden
        for token in tokens(pointer):
            inside = inside.setdefault(token, {})
    return _masked(arguments, hidden) if hidden else arguments


def _masked(value: Any, hidden: dict[str, Any]) -> Any:
    """`hidden` has what is to be masked below the value by its tokens; nothing more where that is the value itself."""
    if not hidden:
        return MASK
    if isinstance(value, dict):
        return {key: _masked(part, hidden[key]) if key in hidden else part for key, part in value.items()}
    if isinstance(value, list):
        return [
            _masked(part, hidden[str(at)]) if str(at) in hidden else part for at, part in enumerate(value)
        ]
    return value
