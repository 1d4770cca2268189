"""`log`: prints the frames of a recording, all or those that a filter finds."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory

from inspector.base.errors import Exit
from inspector.base.secrets import Secrets
from inspector.base.text import counted, duration, visible_json
from inspector.cli.arguments import Arguments
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.judging import judge
from inspector.cli.output import Output
from inspector.cli.progress import SLICE, Progress
from inspector.cli.tables import Told
from inspector.traffic import query, show
from inspector.traffic.stats import calls, together
from inspector.traffic.store import Traffic
from inspector.traffic.views import View

_AT_ONCE = 500
_STDIN = "-"


def run(arguments: Arguments) -> int:
    """Text lines, or with `--json` the recorded lines as they are, but for the escapes of all that `visible_json` hides
    from a terminal; on stdout while the recording is still read. `-` stands for a recording on stdin.
    A crashed recording is printed as far as it goes, with a note on stderr. Raises Failed: io, unsupported, config (a
    filter that cannot be read)."""
    file, *words = arguments.operands
    wanted = query.compile(" ".join(words))
    diagnostics = Diagnostics(None if arguments.reveal else Secrets())
    output = Output(arguments.output, None)
    progress = Progress(aside=not output.on_terminal)
    with _opened(file) as traffic:
        view = View(traffic, wanted)
        printing = _Printing(traffic, view, progress, at_once=not (wanted.volatile or output.to_file))
        judge(traffic, wanted)
        mask = None if arguments.reveal else diagnostics.mask
        try:
            with output.stream() as write:
                for rows in printing.rows(as_text=not arguments.json):
                    if arguments.json:
                        found = show.json_lines(traffic, rows, printing.late)
                        lines = b"".join(line + b"\n" for line in found)
                        if not output.to_file:
                            lines = visible_json(lines.decode("utf-8", "replace")).encode()
                    else:
                        told = show.text_lines(traffic, rows, mask, printing.late, plainly=Told.plainly)
                        lines = "".join(line + "\n" for line in told).encode()
                    if not write(lines):
                        return Exit.OK
        finally:
            progress.end()
        if words and not len(view) and len(traffic):
            every = View(traffic)
            every.extend()
            diagnostics.say(f"note: none of the {len(every)} frames fits the filter")
        if not words and output.on_terminal and (summary := _summary(traffic)):
            diagnostics.say(summary)
        for note in show.notes(traffic):
            diagnostics.say(f"note: {note}")
    return Exit.OK


def _summary(traffic: Traffic) -> str:
    """What a person who reads on would look for next; empty where nothing was answered."""
    whole = together(calls(traffic))
    if whole.slowest is None:
        return ""
    failed = f", {whole.errors:,} failed" if whole.errors else ""
    asked = traffic.row(whole.slowest)
    subject = " ".join(filter(None, (asked.method, asked.target)))
    return (
        f"{counted(whole.count, 'request')}{failed}; the slowest answer took {duration(whole.longest)}:"
        f" frame {whole.slowest}, {subject}"
    )


class _Printing:
    """The rows of a view, in their order. `late` are those that got their note after they were printed; they are told
    by the end."""

    def __init__(self, traffic: Traffic, view: View, progress: Progress, *, at_once: bool) -> None:
        """`at_once`: what is found is printed before all is read."""
        self._traffic, self._view, self._progress, self._at_once = traffic, view, progress, at_once
        self.late: list[int] = []

    def rows(self, *, as_text: bool) -> Iterator[list[int]]:
        """Some at a time, as soon as nothing that comes later changes what is told of them: the text of a request says
        whether it was answered. The last of them come with all of `late`."""
        traffic, view = self._traffic, self._view
        at, early, noted, more = 0, 0, set[int](), True
        while more:
            more = traffic.advance(SLICE)
            self._progress.say(f"reading: {traffic.described - traffic.first:,} frames …")
            if more and not self._at_once:
                continue
            view.extend()
            while at < len(view):
                rows = [view[place] for place in range(at, min(at + _AT_ONCE, len(view)))]
                if more:
                    rows = [*takewhile(self._is_settled, rows)] if as_text else rows
                    early = at + len(rows)
                    noted.update(number for number in rows if number in traffic.remarks)
                if not rows:
                    break
                at += len(rows)
                yield rows
                self._progress.say(f"{at:,} of {len(view):,} frames written …")
        for number in sorted(traffic.remarks.keys() - noted):
            place = view.place_of(number)
            if place < early and view[place] == number:
                self.late.append(number)
        if self.late:
            yield []

    def _is_settled(self, number: int) -> bool:
        row = self._traffic.row(number)
        return row.state != "pending" and row.kind not in ("http", "part")


@contextmanager
def _opened(file: str) -> Iterator[Traffic]:
    """A recording; what stdin holds of one is put into a file, as it is read here and there."""
    with TemporaryDirectory() if file == _STDIN else nullcontext() as folder:
        path = Path(file)
        if folder is not None:
            path = Path(folder, "stdin")
            with path.open("wb") as copy:
                shutil.copyfileobj(sys.stdin.buffer, copy)
        traffic = Traffic.open_recording(path)
        try:
            yield traffic
        finally:
            traffic.close()
