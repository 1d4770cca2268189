"""What clients of the Java SDK would make of a server, a few lines for each. Takes foreign names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from inspector.base.text import clip, counted
from inspector.lenses.java_sdk.clients import CLIENTS, JavaSdk, Seen, listing, notification, server
from inspector.tui import guard
from inspector.tui.widgets.text.facts import Part, fold, heading

if TYPE_CHECKING:
    from inspector.protocol.listing import ListKind
    from inspector.session.handshake import Handshake
    from inspector.session.listings import Listing
    from inspector.workspace.message_log import LogMessage

_MARKS = {"error": ("✗", "$text-error"), "warning": ("▲", "$text-warning"), "info": ("·", "$quiet")}
_LONGEST = 600


class JavaSdkBlock:
    """Lists are looked through once for as long as they stay."""

    def __init__(self) -> None:
        self._read: dict[tuple[str, ListKind], tuple[Listing, Sequence[Seen]]] = {}

    def parts(
        self,
        handshake: Handshake,
        transport: str,
        listings: Mapping[ListKind, Listing],
        logged: Iterable[LogMessage],
        width: int,
    ) -> list[Part]:
        """`logged` are messages of the server's log."""
        data = [message.data for message in logged if isinstance(message.data, dict | list)]
        parts: list[Part] = [heading("How the Java SDK would see it")]
        for client in CLIENTS:
            lists = [self._listed(client, kind, listed) for kind, listed in listings.items()]
            seen = server(client, handshake, transport, [*lists, _unread(client, data)])
            parts.append((f"  {client.name}\n", "bold $foreground"))
            for each in seen or [Seen("info", "connects, and reads all that was listed")]:
                mark, tone = _MARKS[each.severity]
                lines = fold(guard.line(clip(each.text, _LONGEST)), max(10, width - 6))
                parts += [(f"    {mark} ", tone), ("\n      ".join(lines) + "\n", "$foreground")]
        return parts

    def _listed(self, client: JavaSdk, kind: ListKind, listed: Listing) -> Sequence[Seen]:
        if listed.failure is not None:
            return ()
        of, seen = self._read.get((client.version, kind), (None, ()))
        if of is not listed:
            seen = listing(client, kind, listed.entries, listed.pages)
            self._read[client.version, kind] = listed, seen
        return seen


def _unread(client: JavaSdk, data: Sequence[object]) -> list[Seen]:
    if not data:
        return []
    refused = notification(client, "notifications/message", {"data": data[0]})
    return [each._replace(text=f"{counted(len(data), 'log message')}: {each.text}") for each in refused]
