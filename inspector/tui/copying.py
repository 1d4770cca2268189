"""A call or its answer as text for other places: JSON, a line of curl, a line of our own command, a pipe.

Lines for the shell name secrets by variables, after what they came from, and never hold the values.
"""

from __future__ import annotations

import math
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inspector.base import jsontext, numbers
from inspector.base.errors import Failed
from inspector.base.jsontext import Verbatim
from inspector.base.secrets import MASK, Secrets, is_secret_name, mask_args
from inspector.base.text import decode, visible, visible_json
from inspector.lenses.paicli_answer import global_name, model_text
from inspector.protocol import jsonrpc
from inspector.protocol.revisions import LATEST_LEGACY, revision
from inspector.tui.widgets.answers.blocks import texts_of

if TYPE_CHECKING:
    from inspector.config.server import Server
    from inspector.session.answer import Answer
    from inspector.session.eras.modern import Modern
    from inspector.tui.calls import Call
    from inspector.workspace.connection import Connection

_QUERY = re.compile(r"[?&;]([^=&#\s]{1,200})=([^&#\s]+)")
_SCHEME = re.compile(r"(?i)^(?:bearer|basic|token|apikey|digest)\s+(\S.*)$")
_BOTH = "application/json, text/event-stream"


@dataclass(frozen=True, slots=True)
class Offer:
    """One way to copy: `key` is its letter, `text` what is copied, empty where `why_not` says in safe text why."""

    key: str
    title: str
    what: str
    text: str = ""
    why_not: str = ""


def offers(connection: Connection, call: Call, answer: Answer | None, sent: bytes | None) -> list[Offer]:
    """All ways, those too that are not possible, with the reason. `sent` is the frame of the request as it went out."""
    raw = decode(answer.raw) if answer is not None else ""
    result = jsontext.pick(raw, "result") or jsontext.pick(raw, "error")
    texts = texts_of(answer.result) if answer is not None else []
    none = "there is no answer yet" if call.running else "there is no answer to it"
    return [
        _offer("j", "Result as JSON", "The result", result or "", none if not raw else "it holds no result"),
        _offer(
            "t",
            "Result as text",
            "The text of the result",
            "\n".join(texts),
            none if not raw else "it has no text",
        ),
        _offer(
            "l",
            "Result as PaiCLI's model reads it",
            "What the model reads",
            model_text(answer.result).text if answer is not None else "",
            none if not raw else "the model reads nothing",
        ),
        Offer("n", "Name that models call it by", "The name", global_name(connection.name, call.subject)),
        Offer("a", "Arguments as JSON", "The arguments", arguments_text(call, indent=2)),
        Offer("f", "Request as frame", "The request", decode(sent) if sent else _frame(connection, call)),
        Offer("m", "mcp-inspect call …", "The command line", command_line(connection, call)),
        _curl(connection, call),
        _pipe(connection, call),
    ]


def _offer(key: str, title: str, what: str, text: str, why_not: str) -> Offer:
    return Offer(key, title, what, text, "" if text else why_not)


def arguments_text(call: Call, indent: int | None = None) -> str:
    given = call.params.get("arguments", {})
    try:
        if type(given) is Verbatim:
            given = numbers.loads(given)
        return visible_json(numbers.dumps(given, indent))
    except ValueError:
        return repr(given)


def _modern(connection: Connection) -> Modern | None:
    session = connection.session
    era = session.era if session is not None else None
    return None if era is None or era.name == "legacy" else era


def _frame(connection: Connection, call: Call, id_: int = 1) -> str:
    params = {name: value for name, value in call.params.items() if name != "_meta"}
    if (modern := _modern(connection)) is not None:
        params["_meta"] = dict(modern.meta)
    try:
        return visible_json(decode(jsonrpc.request(id_, call.ask, params)))
    except ValueError:
        return ""


# Our own command


def command_line(connection: Connection, call: Call) -> str:
    """`mcp-inspect call TARGET TOOL ...` for what opened this server."""
    entry, shell = connection.entry, Shell(connection.server)
    words = ["mcp-inspect", "call"]
    protocol = (connection.session or connection).options.protocol
    if protocol != "auto":
        words += ["--protocol", protocol]
    overrides = entry.overrides
    env = {**(entry.env if entry.adhoc else {}), **overrides.env}
    headers = {**(entry.headers if entry.adhoc else {}), **overrides.headers}
    words += [word for name, value in env.items() for word in ("--env", f"{name}={value}")]
    words += [word for name, value in headers.items() for word in ("--header", f"{name}: {value}")]
    for option, value in (
        ("--cwd", overrides.cwd),
        ("--ca", overrides.ca),
        ("--message-url", overrides.message_url),
        ("--transport", overrides.transport),
    ):
        words += [option, value] if value else []
    words += ["--insecure"] if overrides.insecure else []
    behind: list[str] = []
    if entry.adhoc and entry.command:
        behind = ["--", entry.command, *entry.args]
    elif entry.adhoc:
        words.append(entry.url)
    else:
        words += ["-s", entry.name, entry.source.path]
    line = [*words, call.subject, *_named(call), *behind]
    return shell.script([" ".join(shell.quote(word) for word in line)])


def _named(call: Call) -> list[str]:
    """The arguments as words: NAME=VALUE for text, NAME:=JSON for all else, or all of them at once where a name does
    not allow it."""
    given = call.params.get("arguments")
    if type(given) is Verbatim:
        given = numbers.loads(given)
    if not isinstance(given, dict):
        return []
    if any(not name or "=" in name or name.endswith(":") or name.startswith("-") for name in given):
        return ["--args", arguments_text(call)]
    try:
        return [
            f"{name}={value}" if isinstance(value, str) else f"{name}:={visible_json(numbers.dumps(value))}"
            for name, value in given.items()
        ]
    except ValueError:
        return ["--args", arguments_text(call)]


# curl


def _curl(connection: Connection, call: Call) -> Offer:
    title, what = "curl", "The lines of curl"
    server = connection.server
    if server is None or not server.url:
        return Offer("c", title, what, why_not="this server has no URL; take the pipe")
    session = connection.session
    if session is not None and session.transport.kind == "sse":
        why = "HTTP+SSE answers on a stream of its own; take mcp-inspect call"
        return Offer("c", title, what, why_not=why)
    frame = _frame(connection, call, 2)
    if not frame:
        return Offer("c", title, what, why_not="the arguments cannot be written as JSON")
    try:
        modern = _modern(connection)
        own = modern.headers(call.ask, call.params) if modern is not None else None
    except Failed as failed:
        return Offer("c", title, what, why_not=visible(failed.failure.message))
    return Offer("c", title, what, curl(connection, server, frame, own))


def curl(connection: Connection, server: Server, frame: str, modern: Mapping[str, str] | None = None) -> str:
    """A session of its own where the server keeps sessions: opened, told so, asked. Else the one request; `modern` are
    the headers that say what is in it, where the era has them."""
    shell = Shell(server)
    version, opening = _opening(connection)
    session = connection.session
    stateful = session is None or getattr(session.transport, "session_id", None) is not None
    start = [
        "curl",
        "-sS",
        *(["-k"] if server.insecure else []),
        *(["--cacert", server.ca] if server.ca else []),
    ]
    names = {name.lower() for name in server.headers}
    own = {"Content-Type": "application/json", "Accept": _BOTH}
    headers = {**{name: value for name, value in own.items() if name.lower() not in names}, **server.headers}
    if modern is not None:
        later = {name: value for name, value in modern.items() if name.lower() not in names}
    elif revision(version).version_header and "mcp-protocol-version" not in names:
        later = {"MCP-Protocol-Version": version}
    else:
        later = {}

    def request(
        body: str, *, options: tuple[str, ...] = (), more: Mapping[str, str] = {}, tail: str = ""
    ) -> str:
        given = [word for name, value in {**headers, **more}.items() for word in ("-H", f"{name}: {value}")]
        words = [*start, *options, server.url, *given]
        return " ".join(shell.quote(word) for word in words) + tail + f" -d {shell.quote(body)}"

    if not stateful:
        return shell.script([request(frame, options=("-N",), more=later)])
    held = ' -H "Mcp-Session-Id: $SESSION"'
    picked = "tr -d '\\r' | awk 'tolower($1) == \"mcp-session-id:\" { print $2 }'"
    opened = request(opening, options=("-o", os.devnull if os.name != "nt" else "/dev/null", "-D", "-"))
    return shell.script(
        [
            f"SESSION=$({opened} | {picked})",
            request(_INITIALIZED, more=later, tail=held),
            request(frame, options=("-N",), more=later, tail=held),
        ]
    )


_INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}'


def _opening(connection: Connection) -> tuple[str, str]:
    """The version that is spoken, and the request that opens a session."""
    from inspector import __version__

    session = connection.session
    handshake = session.handshake if session is not None else None
    params = handshake.sent if handshake is not None else None
    version = handshake.version if handshake is not None else LATEST_LEGACY
    params = params or {
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": {"name": "mcp-inspect", "version": __version__},
    }
    return version, visible_json(decode(jsonrpc.request(1, "initialize", params)))


# A pipe into the process


def _pipe(connection: Connection, call: Call) -> Offer:
    title, what = "printf … | command", "The pipe"
    server = connection.server
    if server is None or not server.command:
        return Offer(
            "p", title, what, why_not="this server is reached by a URL, there is no process; take curl"
        )
    frame = _frame(connection, call, 2)
    if not frame:
        return Offer("p", title, what, why_not="the arguments cannot be written as JSON")
    return Offer("p", title, what, pipe(connection, server, frame, call.seconds))


def pipe(connection: Connection, server: Server, frame: str, took: float | None) -> str:
    """Frames into a process of its own. Input stays open a while: many servers end with it, answered or not."""
    shell = Shell(server)
    _, opening = _opening(connection)
    patience = min(600, math.ceil(took if took is not None else 3) + 2)
    env = [f"{name}={value}" for name, value in server.env.items()]
    unset = [word for name in server.env_unset for word in ("-u", name)]
    command = [*(["env", *unset, *env] if env or unset else []), server.command, *server.args]
    line = " ".join(shell.quote(word) for word in command)
    if server.cwd and os.path.realpath(server.cwd) != os.path.realpath(os.getcwd()):
        line = f"(cd {shell.quote(server.cwd)} && {line})"
    if _modern(connection) is not None:
        return shell.script([f"{{ printf '%s\\n' {shell.quote(frame)}; sleep {patience}; }} | {line}"])
    said = f"printf '%s\\n' {shell.quote(opening)}; sleep 1; printf '%s\\n' {shell.quote(_INITIALIZED)}"
    return shell.script([f"{{ {said} {shell.quote(frame)}; sleep {patience}; }} | {line}"])


# Quoting


class Shell:
    """Quotes words for a POSIX shell (bash, zsh, ksh), secrets of a server as variables."""

    def __init__(self, server: Server | None) -> None:
        self._names: dict[str, str] = {}
        self._used: dict[str, None] = {}
        for value, name in _secrets(server) if server is not None else ():
            probe = Secrets()
            probe.add(value, name)
            if probe.mask(value) != value:
                self._names.setdefault(value, _variable(name))
        values = sorted(self._names, key=len, reverse=True)
        self._pattern = re.compile("|".join(f"({re.escape(value)})" for value in values)) if values else None

    def quote(self, text: str) -> str:
        """One word. Secrets in it are written as variables."""
        if self._pattern is None:
            return _quote(text)
        parts: list[str] = []
        at = 0
        for match in self._pattern.finditer(text):
            name = self._names[match.group()]
            self._used[name] = None
            parts += [_quote(text[at : match.start()]) if match.start() > at else "", f'"${{{name}}}"']
            at = match.end()
        if at < len(text) or not text:
            parts.append(_quote(text[at:]))
        return "".join(parts)

    def script(self, lines: list[str]) -> str:
        """The lines, after one that asks for the variables that they need."""
        needed = " ".join(f'"${{{name}:?is not set}}"' for name in self._used)
        return "\n".join([f": {needed}", *lines] if needed else lines)


def _quote(text: str) -> str:
    """With escapes where a terminal could take something in the word for more than text, or the line would break."""
    if visible(text) == text:
        return shlex.quote(text)
    written = []
    for char in text:
        if char in "'\\":
            written.append("\\" + char)
        elif char == "\n":
            written.append("\\n")
        elif visible(char) == char:
            written.append(char)
        else:
            written += [f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogatepass")]
    return "$'" + "".join(written) + "'"


def _secrets(server: Server) -> Iterator[tuple[str, str]]:
    """Values that must not be copied, each with what its variable shall be called after."""
    yield from server.secrets
    known = [value for value, _ in server.secrets if value]
    for name, value in [*server.env.items(), *server.headers.items()]:
        scheme = _SCHEME.match(value)
        credentials = scheme.group(1) if scheme else value
        if is_secret_name(name) and not any(each in credentials for each in known):
            yield credentials, name
    for name, value in _QUERY.findall(server.url):
        if is_secret_name(name):
            yield value, name.upper()
    before = ""
    for arg, masked in zip(server.args, mask_args(server.args), strict=True):
        if arg != masked and "://" not in arg:
            value = arg.removeprefix(masked.removesuffix(MASK))
            yield value, arg.removesuffix(value).rstrip("=: ").rpartition("=")[2] or before
        before = arg


def _variable(name: str) -> str:
    cleaned = re.sub(r"[^A-Za-z0-9_]+", "_", name.removeprefix("input:")).strip("_")
    if name.isidentifier():
        return name
    return (cleaned if not cleaned[:1].isdigit() else f"_{cleaned}").upper() or "SECRET"
