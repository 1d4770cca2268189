"""Copies text: to the clipboard of this machine where there is one, and through the terminal (OSC 52), which also
reaches the person's own machine over SSH."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from textual.app import App
from textual.message import Message

from inspector.base.text import visible_block

_PATIENCE = 1.0


class CopyRequested(Message):
    """Someone wants `text` on the clipboard; secrets are masked in it already. `what` names it for people."""

    def __init__(self, what: str, text: str) -> None:
        super().__init__()
        self.what = what
        self.text = text


async def copy(app: App[Any], text: str) -> str:
    """Copies, and says where to. A clipboard program that hangs is not waited for.

    What is invisible goes as `\\uXXXX`: pasted into a terminal, it would be obeyed.
    """
    shown = visible_block(text)
    app.copy_to_clipboard(shown)
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[bool] = loop.create_future()

    def settle(copied: bool) -> None:
        if not outcome.done():
            outcome.set_result(copied)

    def work() -> None:
        copied = _to_system(shown)
        try:
            loop.call_soon_threadsafe(settle, copied)
        except RuntimeError:
            pass  # the app has ended meanwhile

    threading.Thread(target=work, name="clipboard", daemon=True).start()
    try:
        copied = await asyncio.wait_for(outcome, _PATIENCE)
    except TimeoutError:
        copied = False
    where = "the clipboard" if copied else "the clipboard of the terminal (OSC 52)"
    as_it_was = shown == text.replace("\r\n", "\n")
    return where if as_it_was else f"{where}, with what is invisible as \\uXXXX"


def _to_system(text: str) -> bool:
    import pyperclip  # type: ignore[import-untyped]  # costs 20 ms, so only when it is needed

    try:
        pyperclip.copy(text)
    except (pyperclip.PyperclipException, OSError, ValueError):
        return False
    return True
