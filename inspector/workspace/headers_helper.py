"""Claude Code's `headersHelper`: a shell command that prints the headers of a connection.

It is run anew at each connect, as that client does: in the shell, with the name and the URL of the server in its
environment, for 10 s at most; what it prints is one JSON object of texts, and wins over `headers` of the entry.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Mapping
from contextlib import suppress

from inspector.base.errors import Failed, Failure
from inspector.base.secrets import MASK
from inspector.base.text import decode, first_line, quoted
from inspector.config.server import Server

_PATIENCE = 10.0
_CLOSING = 1.0
_MOST_BYTES = 1 << 18


async def add_headers(server: Server, command: str, environment: Mapping[str, str]) -> None:
    """Puts the headers into the server, their values among its secrets. Raises Failed (config)."""
    named = {"CLAUDE_CODE_MCP_SERVER_NAME": server.name, "CLAUDE_CODE_MCP_SERVER_URL": server.url}
    out, err, code = await _ran(command, server.entry.folder, {**environment, **named})
    if code:
        said = f": {quoted(first_line(decode(err)), 160)}" if err.strip() else ""
        raise _failed(f"exited with code {code}{said}", "run it by hand")
    try:
        headers = json.loads(out)
    except (ValueError, RecursionError):
        headers = None
    if not isinstance(headers, dict) or not all(isinstance(value, str) for value in headers.values()):
        raise _failed("did not print one JSON object of texts", 'as in {"Authorization": "Bearer ..."}')
    typed = {name.lower() for name in server.entry.overrides.headers}
    for name, value in headers.items():
        if name.lower() in typed:
            continue
        if (
            not name.isascii()
            or not name.replace("-", "").replace("_", "").isalnum()
            or not value.isprintable()
        ):
            raise _failed(
                f"printed what no header can be: {quoted(name, 60)}", "letters, digits and - make a name"
            )
        for kept in (server.launch.headers, server.shown.headers):
            for same in [each for each in kept if each.lower() == name.lower()]:
                del kept[same]
        server.launch.headers[name], server.shown.headers[name] = value, MASK
        server.secrets.append((value, f"headersHelper {name}"))


async def _ran(command: str, folder: str, environment: Mapping[str, str]) -> tuple[bytes, bytes, int]:
    pipe = asyncio.subprocess.PIPE
    try:
        process = await asyncio.create_subprocess_shell(
            command, stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe, cwd=folder, env=dict(environment),
            start_new_session=True,
        )  # fmt: skip
    except (OSError, ValueError) as error:
        raise _failed(f"could not be run: {error}", "correct it or its folder") from error
    assert process.stdout is not None and process.stderr is not None
    try:
        async with asyncio.timeout(_PATIENCE):
            out, err = await asyncio.gather(_read(process.stdout, process), _read(process.stderr, process))
            code = await process.wait()
    except TimeoutError:
        raise _failed(f"did not end within {_PATIENCE:g} s", "it has to print the headers and exit") from None
    finally:
        if process.returncode is None:
            _kill(process)
            with suppress(TimeoutError):
                async with asyncio.timeout(_CLOSING):
                    await process.wait()
    if max(len(out), len(err)) > _MOST_BYTES:
        raise _failed(f"printed more than {_MOST_BYTES} bytes", "it has to print the headers alone")
    return out, err, code


async def _read(stream: asyncio.StreamReader, process: asyncio.subprocess.Process) -> bytes:
    """All of it; of one that prints too much a byte more than that, and the process is ended. It is read to its end
    even then, since some versions of Python wait for that too."""
    read = b""
    while part := await stream.read(_MOST_BYTES):
        if len(read) + len(part) > _MOST_BYTES:
            _kill(process)
        read = (read + part)[: _MOST_BYTES + 1]
    return read


def _kill(process: asyncio.subprocess.Process) -> None:
    """With what it started."""
    try:
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except ProcessLookupError:
        pass


def _failed(what: str, hint: str) -> Failed:
    return Failed(Failure(kind="config", message=f"headersHelper {what}", hint=hint))
