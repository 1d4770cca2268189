"""Expands an entry into a server, at connect time, with the environment as it is then."""

from __future__ import annotations

import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from inspector.config import handed_on
from inspector.config.entry import Entry, Note
from inspector.config.expander import Expander, FileReader, absolute
from inspector.config.interpolate import COMMON, Surroundings, expand
from inspector.config.server import Launch, Server


def resolve(
    entry: Entry, environment: Mapping[str, str], inputs: Mapping[str, str], *, files: bool = False
) -> Server:
    """Never raises: what stands in the way of a start is in the server's notes. `inputs` answers by id. `files`: also
    what it takes from other files is read, which happens at a connect only."""
    file = FileReader(entry).read if files else None
    around = Surroundings(environment, entry.home, entry.project, entry.folder, inputs, file)
    expander = Expander(entry, around)
    real, shown = Launch(), Launch()
    real.command, shown.command = expander.path("command", entry.command)
    for index, arg in enumerate(entry.args):
        text, masked = expander.argument(f"args[{index}]", arg)
        real.args.append(text)
        shown.args.append(masked)
    expander.env_file(real, shown)
    expander.texts("env", entry.env, real.env, shown.env)
    expander.texts("headers", entry.headers, real.headers, shown.headers)
    expander.headers_by_variable(real, shown)
    asked = len(expander.unanswered)
    real.url, shown.url = expander.text("url", entry.url)
    waits = len(expander.unanswered) > asked
    _override(entry, expander, real, shown)
    real.cwd, shown.cwd = _folder(entry, expander)
    ca = _authorities(entry, expander)
    message_url = entry.overrides.message_url or expander.text("messageUrl", entry.message_url or "")[0]
    withheld = handed_on.withheld(entry, environment, real.env)
    lacking = handed_on.missing(entry, environment, real.env)
    notes = [
        *entry.notes,
        *handed_on.notes_on(entry, withheld, lacking),
        *expander.finish(),
        *_emptied(entry, real),
    ]
    whole = not waits and not any(note.where == "url" and note.severity == "error" for note in notes)
    server = Server(
        entry=entry,
        transport=entry.transport,
        launch=real,
        shown=shown,
        env_unset=(*entry.env_unset, *withheld),
        enabled=entry.enabled,
        connect_timeout=entry.connect_timeout,
        request_timeout=entry.request_timeout,
        protocol=entry.protocol,
        insecure=entry.insecure or entry.overrides.insecure,
        ca=ca,
        message_url=message_url or None,
        oauth=expander.oauth(),
        secrets=expander.secrets,
        unresolved=list(dict.fromkeys([*expander.unresolved, *lacking])),
        inputs=[entry.inputs[id] for id in dict.fromkeys(expander.unanswered)],
        notes=[
            *notes,
            *_unusable(real, judge_url=whole and not entry.transport.startswith("unsupported:")),
        ],
    )
    return server if server.enabled else _leniently(server)


def asked_by(entry: Entry) -> list[str]:
    """The ids of the inputs that an entry refers to."""
    nowhere = Surroundings({}, entry.home, entry.project, entry.folder)
    texts = (
        entry.command,
        entry.url,
        entry.cwd or "",
        *entry.args,
        *entry.env.values(),
        *entry.headers.values(),
    )
    found = [id for text in texts for id in expand(text, entry.dialect.variables, nowhere).unanswered]
    return list(dict.fromkeys(found))


def _leniently(server: Server) -> Server:
    """What would stop a server that is switched off is worth a warning only."""
    for index, note in enumerate(server.notes):
        if note.severity == "error":
            server.notes[index] = Note("warning", note.where, note.message, note.hint)
    return server


def _override(entry: Entry, expander: Expander, real: Launch, shown: Launch) -> None:
    expander.texts("env", entry.overrides.env, real.env, shown.env, COMMON)
    headers = entry.overrides.headers
    for same in [name for name in real.headers if name.lower() in {given.lower() for given in headers}]:
        del real.headers[same], shown.headers[same]
    expander.texts("headers", headers, real.headers, shown.headers, COMMON)


def _folder(entry: Entry, expander: Expander) -> tuple[str | None, str | None]:
    if entry.url and not entry.command:
        return None, None
    if entry.overrides.cwd is not None:
        given = os.path.abspath(entry.overrides.cwd)
        return given, given
    if entry.cwd is None:
        return entry.folder, entry.folder
    text, masked = expander.path("cwd", entry.cwd)
    return absolute(entry.base, text), absolute(entry.base, masked)


def _authorities(entry: Entry, expander: Expander) -> str | None:
    """The file of our command line, which is relative to where we were started; else that of the config."""
    if entry.overrides.ca is not None or entry.ca is None:
        return entry.overrides.ca
    return absolute(entry.base, expander.path("ca", entry.ca)[0])


def _emptied(entry: Entry, launch: Launch) -> list[Note]:
    """What a variable that counts as nothing has left nothing of."""
    given = {"command": (entry.command, launch.command), "url": (entry.url, launch.url)}
    return [
        Note(
            "error",
            where,
            "nothing is left of it once its variables are expanded",
            f"write the {where} in full",
        )
        for where, (written, expanded) in given.items()
        if written and not expanded.strip()
    ]


def _unusable(launch: Launch, *, judge_url: bool) -> list[Note]:
    """Values that neither a process nor an HTTP request can carry. A URL that something is still to be filled in of is
    not judged."""
    texts = {"command": launch.command, "cwd": launch.cwd or ""}
    texts |= {f"args[{index}]": arg for index, arg in enumerate(launch.args)}
    texts |= {f"env.{name}": value for name, value in launch.env.items()}
    notes = [Note("error", where, why) for where, text in texts.items() if (why := _unpassable(text))]
    for name, value in launch.headers.items():
        if any((char < " " and char != "\t") or char == "\x7f" for char in value):
            notes.append(
                Note(
                    "error",
                    f"headers.{name}",
                    "a header cannot hold a line break or another control character",
                )
            )
        if not name or not all("!" <= char <= "~" and char != ":" for char in name):
            notes.append(Note("error", f"headers.{name}", "no name for a header"))
        if name.lower() in ("content-length", "transfer-encoding"):
            notes.append(
                Note("error", f"headers.{name}", "this header belongs to each message and cannot be set")
            )
    if launch.url and judge_url and (why := _unreachable(launch.url)):
        notes.append(Note("error", "url", why, "write http://HOST... or https://HOST..."))
    return notes


def _unreachable(url: str) -> str | None:
    """Why no connection to this URL can even be tried."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        said = str(error)
        if "integer value as" in said:
            said = f"the port {said.rpartition(' as ')[2]} is no number"
        return f"no URL: {said}"
    if parts.scheme not in ("http", "https"):
        what = f"the scheme {parts.scheme}" if parts.scheme else "a URL without http:// or https://"
        return f"{what} is not supported"
    return None if host else "the URL names no host"


def _unpassable(text: str) -> str | None:
    if "\0" in text:
        return "a NUL character cannot be passed to a program"
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return "characters that cannot be passed to a program"
    return None
