"""The stdio binding: a server as a child process, one JSON-RPC message a line (spec: basic/transports, stdio)."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from inspector.base.errors import Failed, Failure, fail
from inspector.base.programs import batch_line, find_program, is_batch
from inspector.base.text import bytes_size, clip, counted, decode, quoted
from inspector.protocol import jsonrpc
from inspector.protocol.jsonrpc import Id
from inspector.transports.base import NO_HEADERS, Closed, Listener, Observer, ProcessFacts, Silence
from inspector.transports.endings import CLOSED_STDIN, ITSELF, UNENDED, closed_note, ending
from inspector.transports.framing import LineSplitter, Oversized
from inspector.transports.process import EOF_GRACE, TERM_GRACE, ProcessTree, activity, signal_name
from inspector.transports.stderr import StderrTail
from inspector.transports.stdio_failures import spawn_failure
from inspector.transports.turns import Turns

_DRAIN = 0.3
"""Seconds that stdout and stderr get to end after the process did: a grandchild may hold them open for ever."""
_TOLD = 10.0
"""Seconds that the end of a process may take to be told."""
_TOGETHER = 32
"""Frames that are kept with one write."""


class StdioTransport:
    """Spawns the server, moves lines both ways, drains stderr from the start, ends the whole process tree.

    `environment` is complete: what the child gets. `env_added` only tells the Process view what we added.
    `active` is called at signs of life before the server is ready: its first stdout, any stderr.
    """

    kind = "stdio"

    def __init__(
        self,
        command: str,
        args: list[str],
        *,
        environment: Mapping[str, str],
        cwd: str | None,
        observer: Observer,
        listener: Listener,
        stderr: StderrTail,
        env_added: Mapping[str, str] | None = None,
        active: Callable[[], None] = lambda: None,
    ) -> None:
        self._environment = dict(environment)
        self._observer = observer
        self._listener = listener
        self.stderr = stderr
        self._active = active
        self.facts = ProcessFacts(
            command=(command, *args), cwd=cwd or os.getcwd(), env_added=dict(env_added or {})
        )  # fmt: skip
        self._splitter = LineSplitter()
        self._process: asyncio.SubprocessTransport | None = None
        self._tree: ProcessTree | None = None
        self._stdin: asyncio.WriteTransport | None = None
        self._exited = asyncio.Event()
        self._ends = {1: asyncio.Event(), 2: asyncio.Event()}
        self._closing = False
        self._lost = False
        self._ending: asyncio.Task[None] | None = None
        self._hung_up = ""
        self._turns = Turns()
        self._written = 0
        self._frame_ends: deque[int] = deque()
        """Where each message that could not be written at once ends, counted in bytes from the first one."""
        self.fragment = b""
        self.first_byte: float | None = None

    async def open(self) -> None:
        """Finds the program and starts it. Raises Failed: bad_cwd, not_found, not_executable, spawn."""
        facts = self.facts
        if not Path(facts.cwd).is_dir():
            what = "is not a directory" if Path(facts.cwd).exists() else "does not exist"
            raise fail("bad_cwd", f"the working directory {facts.cwd} {what}", "create it or correct cwd")
        program = find_program(facts.command[0], self._environment, facts.cwd)
        if isinstance(program, Failure):
            raise Failed(program)
        facts.program = program
        loop = asyncio.get_running_loop()
        facts.started = time.time()
        self.stderr.begin_run(f"started again at {time.strftime('%H:%M:%S')}")
        try:
            how = {"cwd": facts.cwd, "env": self._environment, **_own_group()}
            if is_batch(program):
                await loop.subprocess_shell(
                    lambda: _Pipes(self), batch_line(program, facts.command[1:]), **how
                )
            else:
                await loop.subprocess_exec(lambda: _Pipes(self), program, *facts.command[1:], **how)
        except (OSError, ValueError) as error:
            raise Failed(spawn_failure(program, error)) from error
        self._observer.system(f"started {program}, PID {facts.pid}")

    def started(self, process: asyncio.SubprocessTransport) -> None:
        """The process runs; told before anything else of it, its end in the same turn of the loop included."""
        self._process = process
        self.facts.pid = process.get_pid()
        self._tree = ProcessTree(self.facts.pid)
        stdin = process.get_pipe_transport(0)
        assert isinstance(stdin, asyncio.WriteTransport)
        self._stdin = stdin
        for fd in (1, 2):
            if isinstance(pipe := process.get_pipe_transport(fd), asyncio.ReadTransport):
                pipe.set_protocol(_Chunks(self, fd, pipe.get_protocol()))
                if fd == 1:
                    self._turns.pipe = pipe

    def send(
        self,
        raw: bytes,
        *,
        id: Id | None = None,
        method: str | None = None,
        headers: Mapping[str, str] = NO_HEADERS,
    ) -> int:
        if self._stdin is None or self._lost:
            raise Failed(self._gone())
        row = self._observer.sent(raw)
        # The transport buffers without limit: a server that does not read cannot block our reader.
        self._stdin.write(raw + b"\n")
        self._written += len(raw) + 1
        if self._stdin.get_write_buffer_size():
            self._frame_ends.append(self._written)
        else:
            self._frame_ends.clear()
        return row

    @property
    def unwritten(self) -> tuple[int, int]:
        """Messages and bytes that wait here because the process does not read; what the pipe itself holds is not among
        them."""
        size = self._stdin.get_write_buffer_size() if self._stdin is not None and not self._lost else 0
        while self._frame_ends and self._frame_ends[0] <= self._written - size:
            self._frame_ends.popleft()
        return (len(self._frame_ends), size) if size else (0, 0)

    def due_headers(self) -> Mapping[str, str]:
        return NO_HEADERS

    def abandon(self, id: Id) -> None:
        """Nothing to release: on stdio a request holds no resource of its own."""

    @property
    def legacy_only(self) -> bool:
        return False

    def describe(self) -> str:
        return f"PID {self.facts.pid}"

    def may_go_another_way(self, failure: Failure) -> bool:
        return False

    async def go_another_way(self, failure: Failure) -> str:
        raise Failed(failure)

    def negotiated(self, version: str) -> None:
        """Nothing changes on the wire: a line is a line in every version."""

    async def ready(self) -> str | None:
        return None

    def owner_of(self, exchange: int) -> Id | None:
        return None

    def status_of(self, exchange: int) -> int | None:
        return None

    def may_renew(self) -> bool:
        return False

    async def renew(self) -> None:
        """A pipe has no session apart from its process."""

    def explain_silence(self) -> Silence | None:
        """Whether the process lives and computes, whether it ever wrote on stdout, its last telling stderr line."""
        if self.facts.pid is None or self._exited.is_set():
            return None
        from inspector.transports.remedies import in_silence, of_unfinished

        doing = activity(self.facts.pid)
        lives = f"PID {self.facts.pid} is alive" + (f", {doing}," if doing else "")
        reason = self.stderr.reason()
        told = f"; stderr: {reason}" if reason else ""
        count, size = self.unwritten
        if count:
            said = (
                f"does not read: {counted(count, 'message')}, {bytes_size(size)}, could not be written to it"
            )
            return Silence(f"{lives} and {said}{told}")
        if rest := decode(self._splitter.peek()):
            said = f"wrote a line on stdout that does not end: {quoted(rest, 80)}"
            return Silence(f"{lives} and {said}{told}", of_unfinished(rest))
        said = (
            "wrote nothing on stdout" if self.first_byte is None else "wrote on stdout, but not this answer"
        )
        hint = "let it go on with kill -CONT" if doing and doing.startswith("stopped") else None
        return Silence(f"{lives} and {said}{told}", hint or in_silence(self.stderr.last()))

    def stderr_tail(self) -> tuple[str, ...]:
        return self.stderr.last()

    async def close(self, grace: float = EOF_GRACE) -> Closed:
        """Ends the process tree: stdin closed, `grace`, SIGTERM, 2 s, SIGKILL. Works in every state."""
        self._closing = True
        if self._process is None or self._tree is None:
            return Closed("never started")
        how = await self._end_tree(self._tree, grace)
        await self._settle()
        leftovers = tuple(sorted(self._tree.alive()))
        self._tree.close()
        self._process.close()
        self.facts.closed_by = how
        self._observer.system(closed_note(how, grace, self.facts))
        if leftovers:
            self._observer.system(f"still alive: {', '.join(map(str, leftovers))}")
        return Closed(how, self.facts.exit_code, self.facts.signal, leftovers)

    async def _end_tree(self, tree: ProcessTree, grace: float) -> str:
        tree.look()
        if self._exited.is_set() and not tree.alive():
            return ITSELF
        if self._stdin is not None:
            self._stdin.close()
        if await self._ended_within(tree, grace):
            return CLOSED_STDIN
        if os.name == "posix":
            tree.signal(signal.SIGTERM)
            if await self._ended_within(tree, TERM_GRACE):
                return "SIGTERM"
            tree.signal(signal.SIGKILL)
            await self._ended_within(tree, TERM_GRACE)
            return "SIGKILL"
        # Windows has no polite signal for a process without a console: the tree is terminated at once.
        tree.signal(signal.SIGTERM)
        await self._ended_within(tree, TERM_GRACE)
        return "termination"

    async def _ended_within(self, tree: ProcessTree, seconds: float) -> bool:
        start = time.monotonic()
        if not await _within(self._exited, seconds):
            return False
        return await tree.gone(max(0.0, seconds - (time.monotonic() - start)))

    async def _settle(self) -> None:
        """Lets the pipes deliver what is still in them."""
        self._turns.finish()
        for end in self._ends.values():
            await _within(end, _DRAIN)
        self._finish_lines()

    def kill_now(self) -> None:
        """For the very end of our process, when no loop runs any more."""
        if self._tree is not None and (not self._exited.is_set() or self._tree.alive()):
            self._tree.signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)

    def received(self, fd: int, data: bytes) -> None:
        """A chunk of stdout (1) or stderr (2), as the loop read it."""
        if fd == 2:
            self._active()
            if lines := self.stderr.feed(data):
                self._observer.stderr(lines)
            return
        if self.first_byte is None:
            self.first_byte = time.monotonic()
            self._active()
        self._lines(self._splitter.feed(data))

    def _lines(self, lines: list[bytes | Oversized]) -> None:
        plain: list[bytes] = []
        for line in lines:
            if isinstance(line, Oversized):
                self._queue(plain)
                self._turns.add(partial(self._oversized, line))
            else:
                plain.append(line)
                if len(plain) < _TOGETHER:
                    continue
                self._queue(plain)
            plain = []
        self._queue(plain)
        self._turns.go()

    def _queue(self, lines: list[bytes]) -> None:
        if lines:
            self._turns.add(partial(self._deliver, lines))

    def _deliver(self, lines: list[bytes]) -> None:
        row = self._observer.received(lines)
        frame = self._listener.frame
        for line in lines:
            frame(line, row, None)
            row += 1

    def _oversized(self, line: Oversized) -> None:
        self._observer.oversized(line.head, line.size)
        self._too_long(line)

    def _too_long(self, line: Oversized) -> None:
        from inspector.base.jsontext import leading_id

        id_ = leading_id(decode(line.head))
        if id_ is not None:
            message = f"the answer is {line.size} bytes long, over the limit for one frame"
            self._listener.undelivered(
                id_, Failure(kind="protocol", message=message, hint="ask for less at once")
            )

    def pipe_ended(self, fd: int) -> None:
        if fd in self._ends:
            self._ends[fd].set()
        if fd != 2 and self._ending is None and not self._closing:
            self._hung_up = "stdout" if fd == 1 else "stdin"
            self._begin_ending()

    def process_ended(self) -> None:
        assert self._process is not None
        code = self._process.get_returncode()
        self.facts.ended = time.time()
        if code is not None and code < 0:
            self.facts.signal = signal_name(-code)
        else:
            self.facts.exit_code = code
        self._exited.set()
        if self._ending is None:
            self._begin_ending()

    def _begin_ending(self) -> None:
        from inspector.base.tasks import spawn

        self._ending = spawn(self._tell_end(), f"end of PID {self.facts.pid}")

    async def _tell_end(self) -> None:
        """Composes the reason only after stderr was read to its end: the exit is often seen first."""
        if not await _within(self._exited, EOF_GRACE) and not self._runs():
            # It is dead, and a busy machine has not told the loop yet.
            await _within(self._exited, _TOLD)
        self._turns.finish()
        for end in self._ends.values():
            await _within(end, _DRAIN)
        self._finish_lines()
        self._lost = True
        if not self._closing:
            self._observer.system(ending(self.facts))
        self._listener.lost(self._gone())

    def _runs(self) -> bool:
        return self._tree is not None and self._tree.pid in self._tree.alive()

    def _finish_lines(self) -> None:
        self._turns.finish()
        rest = self._splitter.rest()
        if isinstance(rest, Oversized):
            self._observer.oversized(rest.head, rest.size)
        elif rest:
            if jsonrpc.read(rest).readable:
                self._deliver([rest])
            else:
                self.fragment = rest
                self._observer.received([rest])
            self._observer.system(UNENDED)
        if lines := self.stderr.finish():
            self._observer.stderr(lines)

    def _gone(self) -> Failure:
        facts = self.facts
        if self._process is None:
            return Failure(kind="spawn", message="the process was never started")
        if not self._exited.is_set():
            return Failure(
                kind="stream",
                message=f"the server closed its {self._hung_up} but still runs",
                hint="restart it; its stderr may say more",
                stderr=self.stderr.last(),
            )
        message = ending(facts)
        if self._closing:
            return Failure(kind="exited", message=message, exit_code=facts.exit_code, signal=facts.signal)
        from inspector.transports.remedies import after_death

        fragment = decode(self.fragment)
        if fragment:
            message += f", in the middle of a line ({clip(fragment, 80)})"
        reason = self.stderr.reason()
        if reason:
            message += f": {reason}"
        elif self.first_byte is None:
            message += ", without a word"
        # Errors are printed on stdout too; the half of a message says nothing.
        said = fragment if fragment[:1] not in ("{", "[") else ""
        words = self.stderr.last() or ((said,) if said else ())
        return Failure(
            kind="exited",
            message=message,
            hint=after_death(words, reason or said, facts.exit_code, facts.signal),
            exit_code=facts.exit_code,
            signal=facts.signal,
            stderr=self.stderr.last(),
        )


class _Pipes(asyncio.SubprocessProtocol):
    """Hands the loop's callbacks to the transport."""

    def __init__(self, owner: StdioTransport) -> None:
        self._owner = owner

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._owner.started(transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._owner.received(fd, data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._owner.pipe_ended(fd)

    def process_exited(self) -> None:
        self._owner.process_ended()


class _Chunks(asyncio.Protocol):
    """Reads one pipe without the detour that the loop takes for subprocesses: one turn of the loop less a frame.
    The end of the pipe is still told to the loop's own protocol, which counts the pipes of the process."""

    def __init__(self, owner: StdioTransport, fd: int, inner: asyncio.BaseProtocol) -> None:
        self._owner = owner
        self._fd = fd
        self._inner = inner

    def data_received(self, data: bytes) -> None:
        self._owner.received(self._fd, data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._inner.connection_lost(exc)


async def _within(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


def _own_group() -> dict[str, Any]:
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def merged_environment(
    base: Mapping[str, str], added: Mapping[str, str], removed: tuple[str, ...] | list[str] = ()
) -> dict[str, str]:
    """The environment of a child: ours, plus what the config adds, less what it unsets."""
    return {name: value for name, value in {**base, **added}.items() if name not in removed}
