"""From the pieces of three streams to the rows of a recording."""

from __future__ import annotations

import json

from inspector.base.text import bytes_size
from inspector.tap.handshake import Handshake
from inspector.tap.notes import Kind, Note
from inspector.traffic.lines import C2S, ERR, S2C, TRUNCATED
from inspector.traffic.session_log import SessionLog
from inspector.transports.endings import UNENDED
from inspector.transports.framing import LineSplitter, Oversized

_CHANNEL = {Kind.SENT: C2S, Kind.RECEIVED: S2C, Kind.STDERR: ERR}
_NAMED = {
    Kind.SENT: "what the client sent",
    Kind.RECEIVED: "what the server sent",
    Kind.STDERR: "the server's stderr",
    Kind.REQUEST_BODY: "what the client sent",
    Kind.RESPONSE_BODY: "what the server sent",
}
_STDERR_LINE = 16 * 1024


class Streams:
    """Takes notes in their order."""

    def __init__(self, log: SessionLog) -> None:
        self._log = log
        self._splitters = {kind: LineSplitter() for kind in (Kind.SENT, Kind.RECEIVED)}
        self._splitters[Kind.STDERR] = LineSplitter(_STDERR_LINE)
        self._handshake = Handshake(log)

    def take(self, note: Note) -> None:
        if note.kind in _CHANNEL:
            self._lines(note.kind, self._splitters[note.kind].feed(note.data))
        elif note.kind == Kind.GAP:
            self._gap(json.loads(note.data))
        elif note.kind == Kind.SYSTEM:
            self._log.system(note.data.decode("utf-8", "replace"))
        elif note.kind == Kind.FACTS:
            self._log.facts(**json.loads(note.data))

    def finish(self) -> None:
        """The streams are over: what is left of them are their last lines."""
        for kind, splitter in self._splitters.items():
            if rest := splitter.rest():
                self._lines(kind, [rest])
                if kind == Kind.RECEIVED:
                    self._log.system(UNENDED)

    def _lines(self, kind: Kind, lines: list[bytes | Oversized]) -> None:
        plain: list[bytes] = []
        for line in lines:
            if isinstance(line, Oversized):
                self._rows(kind, plain)
                plain = []
                self._log.append(self._log.number, _CHANNEL[kind], (line.head,), 0, TRUNCATED, line.size)
            else:
                plain.append(line)
        self._rows(kind, plain)

    def _rows(self, kind: Kind, lines: list[bytes]) -> None:
        if not lines:
            return
        self._log.append(self._log.number, _CHANNEL[kind], lines)
        if not self._handshake.done and kind != Kind.STDERR:
            for line in lines:
                self._handshake.look(kind == Kind.SENT, line)

    def _gap(self, gap: dict[str, int]) -> None:
        """See `feed.Missing`. A line whose end is missing too is told as it stands, with its true size."""
        kind = Kind(gap["kind"])
        if (splitter := self._splitters.get(kind)) is not None:
            splitter.skip(gap["first"])
            if gap["lines"]:
                if rest := splitter.rest():
                    self._lines(kind, [rest])
                splitter.skip(gap["last"])
        self._log.system(
            f"{bytes_size(gap['size'])} of {_NAMED.get(kind, 'HTTP')} are missing here: "
            "the recorder could not keep up"
        )
