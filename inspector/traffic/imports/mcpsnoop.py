"""Session logs of mcpsnoop (github.com/kerlenton/mcpsnoop): one envelope a line, with `session_id`, `server_label`,
`seq`, `ts`, `direction` (c2s, s2c, stderr, meta), `transport`, and the message in `raw` or, where it is no JSON, in
`text`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from inspector.base.jsontext import pick
from inspector.traffic.exchanges import request_part
from inspector.traffic.imports.book import Book, Line, entry_of, lines, members, moment_of, number_of, text_of
from inspector.traffic.imports.web import pairs
from inspector.traffic.lines import REDACTED, TRUNCATED

NAME = "mcpsnoop"

_HEADERS = {
    "mcp_method": "Mcp-Method",
    "mcp_name": "Mcp-Name",
    "mcp_protocol_version": "MCP-Protocol-Version",
}


def read(source: BinaryIO, book: Book) -> Iterator[None]:
    return _Log(book).read(source)


class _Log:
    def __init__(self, book: Book) -> None:
        self._book = book
        self._sessions: dict[str, int] = {}
        self._seq: dict[int, int] = {}
        self._last = 0
        self._moment = 0.0

    def read(self, source: BinaryIO) -> Iterator[None]:
        for line in lines(source):
            envelope = entry_of(line.text)
            if not (line.whole and self._take(envelope, line)):
                session = self._last or self._book.session(self._book.title)
                self._last = session
                self._book.unread(session, self._moment, f"line {line.number}", line.text)
            yield

    def _take(self, envelope: dict[str, Any], line: Line) -> bool:
        direction = envelope.get("direction")
        if direction not in ("c2s", "s2c", "stderr", "meta"):
            return False
        found = moment_of(envelope.get("ts"))
        self._moment = moment = found if found is not None else self._moment
        session = self._last = self._session(envelope)
        raw = pick(line.text, "raw")
        text = text_of(envelope.get("text"))
        if direction == "meta":
            about = members(envelope.get("raw"))
            known = {"command": about.get("command"), "cwd": about.get("cwd")}
            self._book.facts(session, **{key: value for key, value in known.items() if value})
            return True
        self._tell_gap(session, envelope)
        if direction == "stderr":
            self._book.stderr(session, moment, text)
            return True
        self._tell_status(session, envelope)
        flags = (TRUNCATED if envelope.get("truncated") else 0) | (
            REDACTED if envelope.get("redacted") else 0
        )
        frame = (raw if raw not in (None, "null") else text) or ""
        encoded = frame.encode("utf-8", "surrogatepass")
        exchange = self._request(session, envelope) if direction == "c2s" else 0
        self._book.frame(session, moment, encoded, sent=direction == "c2s", exchange=exchange, flags=flags)
        return True

    def _request(self, session: int, envelope: dict[str, Any]) -> int:
        """The headers that a message was posted with; all else of its exchange is not in the log."""
        headers = [(name, text) for key, name in _HEADERS.items() if (text := text_of(envelope.get(key)))]
        given = envelope.get("mcp_param_headers")
        headers += pairs(given) if isinstance(given, list) else []
        if not headers:
            return 0
        exchange = self._book.new_exchange()
        self._book.part(session, self._moment, exchange, request_part("POST", "", headers))
        return exchange

    def _session(self, envelope: dict[str, Any]) -> int:
        id_ = text_of(envelope.get("session_id"))
        if id_ not in self._sessions:
            label = text_of(envelope.get("server_label")) or id_ or self._book.title
            self._sessions[id_] = self._book.session(label, transport=text_of(envelope.get("transport")))
        return self._sessions[id_]

    def _tell_gap(self, session: int, envelope: dict[str, Any]) -> None:
        seq = int(number_of(envelope.get("seq")))
        missing = seq - self._seq.get(session, seq) - 1
        if missing > 0:
            self._book.note(session, self._moment, f"{missing} frames before this one were not recorded")
        self._seq[session] = seq

    def _tell_status(self, session: int, envelope: dict[str, Any]) -> None:
        status, challenge = int(number_of(envelope.get("status"))), text_of(envelope.get("auth_challenge"))
        if status >= 300 or challenge:
            told = f"HTTP {status}" + (f", WWW-Authenticate: {challenge}" if challenge else "")
            self._book.note(session, self._moment, told)
