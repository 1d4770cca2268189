"""Frames written to files from inside the app."""

from __future__ import annotations

import asyncio
import errno
import json
import re
from pathlib import Path
from typing import Any

import pytest
from app import Until, opened, painted
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static

from inspector.base import saving
from inspector.traffic.store import Traffic
from inspector.tui.app import InspectorApp
from inspector.tui.screens.export import ExportScreen


async def _with_calls(app: InspectorApp, pilot: Pilot[Any], until: Until) -> None:
    await until(pilot, lambda: app.main.traffic_pane is not None)
    await until(pilot, lambda: app.workspace.connections["bakery"].count("prompts") is not None)
    connection = app.workspace.connections["bakery"]
    for item in ("rye", "hunter2-hunter2"):
        await connection.request("tools/call", {"name": "price_of", "arguments": {"item": item}})


async def _open(app: InspectorApp, pilot: Pilot[Any], until: Until, form: str, path: Path) -> None:
    await pilot.press("alt+e")
    await until(pilot, lambda: isinstance(app.screen, ExportScreen) and app.screen.query_one(Input).value)
    forms = app.screen.query_one("#form", OptionList)
    forms.highlighted = [str(option.prompt).split()[0] for option in forms.options].index(form)
    await pilot.pause()
    app.screen.query_one(Input).value = str(path)


def _told(app: InspectorApp) -> str:
    return str(app.screen.query_one("#problem", Static).render())


@pytest.mark.parametrize("form", ["html", "har", "text", "jsonl", "otlp"])
async def test_every_format_is_written_without_secrets(until: Until, tmp_path: Path, form: str) -> None:
    async with opened("bakery", size=(80, 24)) as (app, pilot):
        await _with_calls(app, pilot, until)
        app.workspace.secrets.add("hunter2-hunter2", "KEY")
        path = tmp_path / "out"
        await _open(app, pilot, until, form, path)
        await pilot.press("f5")
        await until(pilot, lambda: app.screen is app.main and path.exists())
        text = path.read_text()
        assert "price_of" in text and "hunter2" not in text
        assert path.stat().st_mode & 0o077 == 0
        if form == "jsonl":
            traffic = Traffic.open_recording(path)
            traffic.advance()
            assert len(traffic) >= 4
            traffic.close()
        elif form in ("har", "otlp"):
            json.loads(text.splitlines()[0] if form == "otlp" else text)


async def test_only_what_is_marked_and_never_over_another_file(until: Until, tmp_path: Path) -> None:
    async with opened("bakery") as (app, pilot):
        await _with_calls(app, pilot, until)
        pane = app.main.traffic_pane
        assert pane is not None
        await pilot.press("f")
        pane.filter_by("tool:price_of kind:request")
        await until(pilot, lambda: pane.frames.shown == 2)
        pane.frames.focus()
        await pilot.press("home", "m")
        await until(pilot, lambda: len(pane.frames.marks) == 1)
        path = tmp_path / "out.txt"
        path.write_text("mine")
        await _open(app, pilot, until, "text", path)
        assert "the marked rows" in painted(app) and "tool:price_of kind:request" in painted(app)
        await pilot.press("f5")
        await until(pilot, lambda: "Enter again, or F5, replaces it." in _told(app))
        assert path.read_text() == "mine"
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is app.main)
        text = path.read_text()
        assert "rye" in text and "hunter2" not in text and text.count("price_of") >= 1


async def test_secrets_stay_only_where_that_is_said_loudly(until: Until, tmp_path: Path) -> None:
    async with opened("bakery") as (app, pilot):
        await _with_calls(app, pilot, until)
        app.workspace.secrets.add("hunter2-hunter2", "KEY")
        path = tmp_path / "out.txt"
        await _open(app, pilot, until, "text", path)
        app.screen.query_one("#mask").focus()
        await pilot.press("space")
        await until(pilot, lambda: "SECRETS STAY IN THE FILE" in painted(app))
        await pilot.press("f5")
        await until(pilot, lambda: app.screen is app.main and path.exists())
        assert "hunter2-hunter2" in path.read_text()
        assert [one.severity for one in app._notifications if one.title == "Exported with secrets"] == [
            "error"
        ]


async def test_a_file_that_cannot_be_written_is_told(
    until: Until, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened("bakery") as (app, pilot):
        await _with_calls(app, pilot, until)
        await _open(app, pilot, until, "html", tmp_path / "none" / "out.html")
        await pilot.press("f5")
        await until(pilot, lambda: "there is no folder" in painted(app))
        app.screen.query_one(Input).value = str(tmp_path / "out.html")

        def refuses(*_: object, **__: object) -> int:
            raise OSError(errno.EROFS, "Read-only file system")

        with monkeypatch.context() as read_only:
            read_only.setattr(saving, "_created", refuses)
            read_only.setattr(Path, "unlink", refuses)
            await pilot.press("f5")
            await until(pilot, lambda: "not be written to" in _told(app))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.main)
        assert not (tmp_path / "none").exists()


async def test_spans_go_to_a_collector_and_one_that_is_not_there_is_told(until: Until) -> None:
    bodies: list[bytes] = []

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(re.search(rb"(?i)content-length: (\d+)", head)[1])  # type: ignore[index]
        bodies.append(head + await reader.readexactly(length))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
        await writer.drain()
        writer.close()

    async with opened("bakery") as (app, pilot), await asyncio.start_server(take, "127.0.0.1", 0) as server:
        await _with_calls(app, pilot, until)
        app.workspace.secrets.add("hunter2-hunter2", "KEY")
        await _open(app, pilot, until, "otlp", Path("unused"))
        app.screen.query_one(Input).value = "http://127.0.0.1:1"
        await pilot.press("f5")
        await until(pilot, lambda: "nobody listens on 127.0.0.1:1" in painted(app))
        port = server.sockets[0].getsockname()[1]
        app.screen.query_one(Input).value = f"http://127.0.0.1:{port}"
        await pilot.press("f5")
        await until(pilot, lambda: app.screen is app.main)
        assert bodies and bodies[0].startswith(b"POST /v1/traces ")
        assert b"price_of" in b"".join(bodies) and b"hunter2" not in b"".join(bodies)
