"""The process that records what a tap passes on: reads notes from its stdin to their end, reports on stdout."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from inspector.base.errors import Failed
from inspector.base.paths import paths, private_folder
from inspector.base.saving import proposed_name
from inspector.base.secrets import Secrets, is_secret_name, secrets_of_args, secrets_of_url
from inspector.config.adhoc import from_command, from_url
from inspector.config.settings import load_settings
from inspector.tap.book import Book
from inspector.tap.exchanges import Exchanges
from inspector.tap.listing import Listed
from inspector.tap.notes import Kind, Note, Unpacker
from inspector.tap.streams import Streams
from inspector.traffic.redact import patterns_of
from inspector.traffic.session_log import SessionLog

_PIECE = 1 << 20


class Order(TypedDict):
    """What a tap says to its recorder. `base` is the moment of its start, in seconds since the epoch; `facts` are
    those of the session, as `workspace.pipes.facts_of` names them. Without a `path` it is a file of our own, without a
    `label` the name of the command or host. `rest` is the descriptor of a file with what comes after stdin, `client`
    the process that started the tap."""

    path: str | None
    label: str | None
    facts: dict[str, Any]
    redact: bool
    base: float
    rest: int | None
    client: NotRequired[int]


def main(order: str) -> None:
    """Ends with the tap, never before it: signals for its group are not for the recorder."""
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    try:
        _report(**_record(json.loads(order)))
    except Failed as failed:
        _report(error=failed.failure.message)
    except Exception as error:
        _report(error=f"the recorder failed: {type(error).__name__}: {error}")


def _record(order: Order) -> dict[str, Any]:
    facts = order["facts"]
    label = order["label"] or _label(facts)
    secrets = known_secrets(facts, os.environ)
    book = Book(
        Path(order["path"]) if order["path"] else _unnamed(label, order["base"]),
        label,
        facts,
        base=order["base"],
        secrets=secrets,
        redact=order["redact"],
        patterns=patterns_of(load_settings().redact),
    )
    listed = Listed.begin(
        book.path, book.start, label, facts, began=order["base"], client=order.get("client")
    )
    _report(path=str(book.path))
    log = SessionLog(book, 1)
    streams, exchanges = Streams(log), Exchanges(log, secrets)
    done = False
    for note in _notes(order["rest"]):
        book.t = note.t
        done = note.kind == Kind.DONE
        if not done:
            (exchanges if note.kind >= Kind.REQUEST else streams).take(note)
    streams.finish()
    exchanges.finish()
    if not done:
        log.system("the tap was ended by force: what crossed last may be missing here")
    book.close()
    listed.end()
    failure = book.writer.failure
    return {"rows": book.writer.rows} | ({"error": failure.message} if failure is not None else {})


def _label(facts: Mapping[str, Any]) -> str:
    return (from_command(facts["command"]) if "command" in facts else from_url(facts["url"])).name


def _unnamed(label: str, base: float) -> Path:
    folder = paths().recordings
    try:
        private_folder(folder)
    except OSError:
        pass  # the file in it will tell
    began = time.strftime("%Y%m%d-%H%M%S", time.localtime(base))
    return folder / proposed_name(f"{began}-{os.getpid()}-{label}.mcprec")


def _notes(rest: int | None) -> Iterator[Note]:
    unpacker = Unpacker()
    while piece := os.read(0, _PIECE):
        yield from unpacker.feed(piece)
    if rest is not None:
        os.lseek(rest, 0, os.SEEK_SET)
        while piece := os.read(rest, _PIECE):
            yield from unpacker.feed(piece)


def known_secrets(facts: Mapping[str, Any], environment: Mapping[str, str]) -> Secrets:
    """What a client gave the server in secret, as far as a name tells: variables, options, the URL."""
    secrets = Secrets()
    for name, value in environment.items():
        if is_secret_name(name):
            secrets.add(value, name)
        for part in secrets_of_url(value):
            secrets.add(part)
    for value in (*secrets_of_args(facts.get("command") or ()), *secrets_of_url(facts.get("url") or "")):
        secrets.add(value)
    return secrets


def _report(**facts: Any) -> None:
    try:
        sys.stdout.write(json.dumps(facts) + "\n")
        sys.stdout.flush()
    except OSError:
        pass  # the tap did not wait for us
