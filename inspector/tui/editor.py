"""A text in the person's own editor, `$VISUAL` or `$EDITOR`, while the app keeps out of the terminal.

Servers go on being read meanwhile. The text lies in a file that nobody else can read, and that is gone afterwards.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

from inspector.base.errors import Failed, Failure
from inspector.transports.process import signal_name

_AT_ONCE = 1.0
"""Seconds in which nobody has edited anything."""

_GRACE = 1.0
"""Seconds in which an editor can keep what it holds."""


async def edit(app: App[Any], text: str, name: str) -> str:
    """The text as it came back; the same where nothing was changed. `name` is what the file is called. Raises Failed
    where there is no editor, or it failed; then nothing was changed."""
    words = _command(os.environ)
    folder = Path(tempfile.mkdtemp(prefix="mcp-inspect-"))
    try:
        file = folder / name
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as out:
            out.write(text.encode("utf-8", "surrogatepass"))
        began = time.monotonic()
        code = await _run(app, [*words, str(file)])
        if code:
            how = f"was ended by {signal_name(-code)}" if code < 0 else f"ended with exit code {code}"
            raise _failed(f"{words[0]} {how}", "nothing was taken over; see what it said")
        changed = file.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise _failed(
            f"the file for {words[0]} could not be used: {error.strerror}", "nothing was taken over"
        ) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if changed.endswith("\n") and not text.endswith("\n"):
        changed = changed.removesuffix("\n").removesuffix("\r")
    if changed == text and time.monotonic() - began < _AT_ONCE:
        raise _failed(
            f"{words[0]} came back at once, and nothing was changed",
            "an editor with a window of its own has to be told to wait, as in EDITOR='code --wait'",
        )
    return changed


def _command(environment: Mapping[str, str]) -> list[str]:
    for variable in ("VISUAL", "EDITOR"):
        given = environment.get(variable, "").strip()
        if not given:
            continue
        try:
            words = shlex.split(given, posix=os.name != "nt")
        except ValueError as error:
            raise _failed(f"{variable} cannot be read: {error}", f"it is {given}") from error
        words = [word.strip('"') for word in words] if os.name == "nt" else words
        if (program := shutil.which(words[0])) is None:
            raise _failed(f"{variable} names {words[0]}, which was not found", "check its spelling, or PATH")
        return [program, *words[1:]]
    raise _failed("no editor is set", "set VISUAL or EDITOR, for example EDITOR=nano, and start again")


async def _run(app: App[Any], words: list[str]) -> int:
    try:
        # Nothing may be painted over the editor; a batch holds all painting back.
        with app.batch_update(), app.suspend(), _interrupts_ignored():
            process = await asyncio.to_thread(subprocess.Popen, words)
            try:
                code = await asyncio.to_thread(process.wait)
            finally:
                # Its app ends, and with it what it was opened for; editors keep what they hold when they are ended.
                await _end(process)
    except SuspendNotSupported:
        raise _failed("this terminal cannot be handed over to an editor", "edit the JSON here") from None
    except OSError as error:
        raise _failed(
            f"{words[0]} could not be started: {error.strerror}", "check VISUAL and EDITOR"
        ) from error
    app.refresh(layout=True)
    return code


async def _end(process: subprocess.Popen[bytes]) -> None:
    for end in (process.terminate, process.kill):
        if process.poll() is None:
            end()
            try:
                await asyncio.to_thread(process.wait, _GRACE)
            except subprocess.TimeoutExpired:
                continue


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """ctrl+c in the editor is the editor's, though the terminal tells us too. A handler of ours, unlike ignoring, is
    not handed down to the editor."""
    if threading.current_thread() is not threading.main_thread() or sys.platform == "win32":
        yield
        return
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _failed(message: str, hint: str) -> Failed:
    return Failed(Failure(kind="io", message=message, hint=hint))
