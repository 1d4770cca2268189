"""The last lines of a server's stderr, bounded in lines and bytes, kept over restarts."""

from __future__ import annotations

from collections import deque

from inspector.base.patterns import pattern
from inspector.base.text import decode

KEEP_LINES = 200
_LINE_CAP = 16 * 1024
_USAGE = 150
"""Lines that are looked through: some print all their options behind what is wrong."""
_TELLING = pattern(
    r"(?i)error|exception|fatal|panic|not set|required|missing|must be|cannot|can't|could not|unable|fail|denied|"
    r"invalid|no such|not found|unexpected|refused|usage:|no matching|(?:not|n't) exist|expired|unbound|already in use|"
    r"unknown|recognized"
)
_POINTER_ELSEWHERE = pattern(
    r"(?i)complete log of this run|this is related to npm|for (?:more|further) information|\btrace-\w+|^note: run with|"
    r"^npm (?:error|ERR!) \w+\s*$|^npm warn|panicked at \S+:\d+:\d+:$|unable to find image .* locally|^\W+$|"
    r"^(?:→|⇒|➜|↳|[-=]>)\s|^(?:hint|help|tip)s?:|"
    r"^caused by: .*\(os error|^code: '|^see ['`\"]|\btry .{0,60}--help|^-{1,2}[\w-]+(?:[ ,=]|$)|"
    r"^npm (?:error|ERR!) \d+ (?:tarball|note|in this)|"
    r"^(?:usage|(?:global )?flags|options|(?:available )?commands|arguments):$"
)
_FRAME_OF_TRACE = pattern(r"^\s+(at |File \"|\^|~)")
_SGR = pattern(r"\x1b\[[0-9;:]*m")


def without_colours(line: str) -> str:
    """A line without the sequences that colour it."""
    return _SGR.sub("", line)


class StderrTail:
    """Takes chunks, gives lines. A line longer than 16 KiB is cut and marked, also if its end never comes.

    `count` is the number of lines ever seen. Lines are text as the server wrote it, undecodable bytes replaced;
    whoever shows them escapes them. `lines` are those of all runs, what else is told is of the latest one.
    """

    def __init__(self, keep: int = KEEP_LINES) -> None:
        self.lines: deque[str] = deque(maxlen=keep)
        self.count = 0
        self._of_this_run = 0
        self._open = b""
        self._skipping = False

    def feed(self, chunk: bytes) -> list[bytes]:
        """Takes what was read and returns the lines it completed, as bytes."""
        *ended, rest = chunk.split(b"\n")
        done: list[bytes] = []
        for piece in ended:
            if self._skipping:
                self._skipping, self._open = False, b""
                continue
            done.append(self._cut(self._open + piece))
            self._open = b""
        if not self._skipping:
            self._open += rest
            if len(self._open) > _LINE_CAP:
                done.append(self._cut(self._open))
                self._open, self._skipping = b"", True
        self._add(done)
        return done

    def finish(self) -> list[bytes]:
        """The process is gone: an unfinished line counts as a line."""
        done = [self._cut(self._open)] if self._open and not self._skipping else []
        self._open, self._skipping = b"", False
        self._add(done)
        return done

    def begin_run(self, text: str) -> None:
        """Another process writes from here on; `text` marks the border to what is there of an earlier one."""
        self._of_this_run = 0
        if self.lines:
            self.lines.append(f"── {text} ──")

    def last(self, count: int = 20) -> tuple[str, ...]:
        """The last lines of this run, oldest first."""
        count = min(count, self._of_this_run)
        return tuple(self.lines)[-count:] if count else ()

    def reason(self) -> str | None:
        """The line of this run that most likely says why the server failed: the last telling one, else the last. What
        stands indented below a telling line goes on from it."""
        lines: list[str] = []
        head = ""
        for line in map(without_colours, self.last(_USAGE)):
            if _FRAME_OF_TRACE.match(line) or not line.strip():
                continue
            is_below = line[0].isspace()
            if not (is_below and _TELLING.search(head)):
                lines.append(line.strip())
            head = head if is_below else line
        own = [line for line in lines if not _POINTER_ELSEWHERE.search(line)] or lines
        return next((line for line in reversed(own) if _TELLING.search(line)), own[-1] if own else None)

    def _add(self, done: list[bytes]) -> None:
        self.count += len(done)
        self._of_this_run += len(done)
        for line in done[-(self.lines.maxlen or 0) :]:
            self.lines.append(decode(line.removesuffix(b"\r")))

    @staticmethod
    def _cut(line: bytes) -> bytes:
        return line if len(line) <= _LINE_CAP else line[:_LINE_CAP] + b" ... (cut)"
