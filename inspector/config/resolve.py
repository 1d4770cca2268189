"""Expands an entry into a server, at connect time, with the environment as it is then."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from inspector.base.patterns import pattern
from inspector.base.secrets import MASK, names_a_place
from inspector.config import dotenv
from inspector.config.entry import Entry, Note
from inspector.config.interpolate import COMMON, Expansion, Profile, Surroundings, expand
from inspector.config.oauth import OAuth
from inspector.config.server import Launch, Server

_MOST_BYTES = 1 << 18
"""Of a file with variables, or with one value."""
_HANDED_ON = frozenset({
    "HOME", "LOGNAME", "PATH", "SHELL", "USER", "__CF_USER_TEXT_ENCODING", "LANG", "LC_ALL", "TERM", "TMPDIR", "TZ",
})  # fmt: skip
_HANDED_ON_WINDOWS = frozenset({
    "PATH", "PATHEXT", "SHELL", "COMSPEC", "SYSTEMROOT", "SYSTEMDRIVE", "USERNAME", "USERDOMAIN", "USERPROFILE",
    "HOMEDRIVE", "HOMEPATH", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "PROGRAMDATA", "LOCALAPPDATA",
    "APPDATA", "TEMP", "TMP", "POWERSHELL", "PWSH",
})  # fmt: skip
"""The variables that Codex gives to servers."""
_SECRET = pattern(r"(?i)TOKEN|SECRET|PASSWORD|PASSWD|KEY|AUTH|CREDENTIAL|CREDS|PRIVATE|CERT")
"""Names of variables that Gemini CLI keeps to itself."""


def resolve(
    entry: Entry, environment: Mapping[str, str], inputs: Mapping[str, str], *, files: bool = False
) -> Server:
    """Never raises: what stands in the way of a start is in the server's notes. `inputs` answers by id. `files`: also
    what it takes from other files is read, which happens at a connect only."""
    file = _FileReader(entry).read if files else None
    around = Surroundings(environment, entry.home, entry.project, entry.folder, inputs, file)
    expander = _Expander(entry, around)
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
    real.url, shown.url = expander.text("url", entry.url)
    _override(entry, expander, real, shown)
    real.cwd, shown.cwd = _folder(entry, expander)
    ca = _authorities(entry, expander)
    message_url = entry.overrides.message_url or expander.text("messageUrl", entry.message_url or "")[0]
    server = Server(
        entry=entry,
        transport=entry.transport,
        launch=real,
        shown=shown,
        env_unset=(*entry.env_unset, *expander.withheld(real.env)),
        enabled=entry.enabled,
        connect_timeout=entry.connect_timeout,
        request_timeout=entry.request_timeout,
        protocol=entry.protocol,
        insecure=entry.insecure or entry.overrides.insecure,
        ca=ca,
        message_url=message_url or None,
        oauth=expander.oauth(),
        secrets=expander.secrets,
        unresolved=list(dict.fromkeys(expander.unresolved)),
        inputs=[entry.inputs[id] for id in dict.fromkeys(expander.unanswered)],
        notes=[
            *entry.notes,
            *expander.finish(),
            *_unusable(real, unsupported=entry.transport.startswith("unsupported:")),
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


def _override(entry: Entry, expander: _Expander, real: Launch, shown: Launch) -> None:
    expander.texts("env", entry.overrides.env, real.env, shown.env, COMMON)
    headers = entry.overrides.headers
    for same in [name for name in real.headers if name.lower() in {given.lower() for given in headers}]:
        del real.headers[same], shown.headers[same]
    expander.texts("headers", headers, real.headers, shown.headers, COMMON)


def _folder(entry: Entry, expander: _Expander) -> tuple[str | None, str | None]:
    if entry.url and not entry.command:
        return None, None
    if entry.overrides.cwd is not None:
        given = os.path.abspath(entry.overrides.cwd)
        return given, given
    if entry.cwd is None:
        return entry.folder, entry.folder
    text, masked = expander.path("cwd", entry.cwd)
    return _absolute(entry.base, text), _absolute(entry.base, masked)


def _authorities(entry: Entry, expander: _Expander) -> str | None:
    """The file of our command line, which is relative to where we were started; else that of the config."""
    if entry.overrides.ca is not None or entry.ca is None:
        return entry.overrides.ca
    return _absolute(entry.base, expander.path("ca", entry.ca)[0])


def _absolute(base: str, path: str) -> str:
    return os.path.normpath(os.path.join(base, path))


class _FileReader:
    """Reads what an entry refers to: a text of a secret's size in a regular file."""

    def __init__(self, entry: Entry) -> None:
        self._entry = entry

    def path(self, name: str) -> str:
        home = self._entry.home + name[1:] if name == "~" or name.startswith(("~/", "~\\")) else name
        return _absolute(self._entry.base, home)

    def read(self, name: str) -> str:
        """Raises OSError, ValueError."""
        path = Path(self.path(name))
        if not path.is_file():
            raise ValueError("there is no such file" if not path.exists() else "it is no regular file")
        if path.stat().st_size > _MOST_BYTES:
            raise ValueError(f"it has more than {_MOST_BYTES} bytes")
        return path.read_text(encoding="utf-8-sig").strip()


class _Expander:
    """Expands field after field and keeps account of what has to be said about them."""

    def __init__(self, entry: Entry, around: Surroundings) -> None:
        self._entry = entry
        self._around = around
        self._notes: list[Note] = []
        self._leftovers: dict[str, dict[str, list[str]]] = {"bare": {}, "malformed": {}, "foreign": {}}
        self.secrets: list[tuple[str, str]] = []
        self.unresolved: list[str] = []
        self.unanswered: list[str] = []

    def text(self, where: str, text: str, profile: Profile | None = None) -> tuple[str, str]:
        """The expanded text, and the same as it may be shown."""
        profile = profile or self._entry.dialect.profile(where.partition(".")[0])
        result = expand(text, profile, self._around)
        self.secrets += [used for used in result.used if not names_a_place(used[1])]
        self._name_unset(where, result, profile)
        self._name_blank(where, result, profile)
        self._name_inputs(where, result)
        for reference in result.refused:
            self._notes.append(
                Note("error", where, f"{reference} is not supported", "put the value in its place")
            )
        for why in result.unreadable:
            self._notes.append(Note("error", where, f"the file {why}", "create it or correct the path"))
        for name in result.postponed:
            self._notes.append(self._postponed(where, name))
        for kind, found in self._leftovers.items():
            if named := getattr(result, kind):
                found.setdefault(where, []).extend(named)
        return result.text, result.masked

    def _postponed(self, where: str, name: str) -> Note:
        path = _FileReader(self._entry).path(name)
        if not os.path.exists(path):
            return Note("error", where, f"the file {path} does not exist", "create it or correct the path")
        return Note("info", where, f"what {path} holds is read at a connect")

    def argument(self, where: str, text: str) -> tuple[str, str]:
        return self.path(where, text) if self._entry.dialect.tilde == "args" else self.text(where, text)

    def env_file(self, real: Launch, shown: Launch) -> None:
        """The variables of a file give way to those of the entry."""
        if self._entry.env_file is None:
            return
        name, _ = self.path("envFile", self._entry.env_file)
        if self._around.file is None:
            self._notes.append(self._postponed("envFile", name))
            return
        try:
            found = dotenv.parse(self._around.file(name))
        except (OSError, ValueError) as error:
            why = f"the file {name}: {getattr(error, 'strerror', None) or error}"
            self._notes.append(Note("error", "envFile", why, "create it or correct the path"))
            return
        for key, value in found.items():
            real.env[key], shown.env[key] = value, MASK if value else ""
            self.secrets.append((value, key))

    def oauth(self) -> OAuth | None:
        """What the entry says about logging in; the client's id may be a variable."""
        said = self._entry.oauth
        if said is None or said.client_id is None:
            return said
        return replace(said, client_id=self.text("oauth", said.client_id)[0])

    def headers_by_variable(self, real: Launch, shown: Launch) -> None:
        """Headers of which the entry names the variables: an unset one leaves a header out, but not a token."""
        given = {name: (variable, "") for name, variable in self._entry.header_variables.items()}
        if self._entry.bearer_variable is not None:
            given["Authorization"] = (self._entry.bearer_variable, "Bearer ")
        for name, (variable, before) in given.items():
            value = self._around.environment.get(variable, "")
            if value.strip():
                real.headers[name], shown.headers[name] = before + value, before + MASK
                self.secrets.append((value, variable))
                continue
            self.unresolved.append(variable)
            why = f"{variable} is {'blank' if variable in self._around.environment else 'not set'}"
            hint = f"set {variable} in the environment that mcp-inspect is started from"
            if before:
                where = "bearer_token_env_var"
                self._notes.append(Note("error", where, f"no token: the variable {why}", hint))
            else:
                where = f"env_http_headers.{name}"
                said = f"the header is left out: the variable {why}"
                self._notes.append(Note("warning", where, said, hint))

    def withheld(self, env: Mapping[str, str]) -> list[str]:
        """Names of variables around us that this client keeps from the process."""
        entry, environment = self._entry, self._around.environment
        passed = {*entry.passed, *env}
        if entry.url or entry.dialect.child == "all":
            return []
        for name in [name for name in entry.passed if name not in environment and name not in env]:
            self.unresolved.append(name)
            self._notes.append(
                Note("warning", "env_vars", f"{name} is not set, so the server does not get it")
            )
        if entry.dialect.child == "some":
            kept = _HANDED_ON_WINDOWS if os.name == "nt" else _HANDED_ON
            withheld = [name for name in environment if name not in kept and name not in passed]
            why = f"{entry.dialect.label} hands on {', '.join(sorted(kept))} and what env_vars names"
        else:
            withheld = [name for name in environment if _SECRET.search(name) and name not in passed]
            why = f"{entry.dialect.label} hands on none with a name like that"
        if withheld:
            self._notes.append(
                Note("info", "env", f"{len(withheld)} of our variables are kept from the server: {why}")
            )
        return withheld

    def path(self, where: str, text: str) -> tuple[str, str]:
        """Like `text`, with a leading `~/` expanded where the client does."""
        real, masked = self.text(where, text)
        if not (real == "~" or real.startswith(("~/", "~\\"))):
            return real, masked
        if self._entry.dialect.tilde:
            return self._entry.home + real[1:], self._entry.home + masked[1:]
        if not self._entry.adhoc:
            message = f"{self._entry.dialect.label} does not expand ~"
            self._notes.append(Note("warning", where, message, "write the path in full"))
        return real, masked

    def texts(
        self,
        where: str,
        given: Mapping[str, str],
        real: dict[str, str],
        shown: dict[str, str],
        profile: Profile | None = None,
    ) -> None:
        for name, value in given.items():
            real[name], shown[name] = self.text(f"{where}.{name}", value, profile)

    def finish(self) -> list[Note]:
        for kind, found in self._leftovers.items():
            for where, named in _one_place_for_args(found).items():
                self._notes.append(self._leftover(kind, where, ", ".join(named)))
        if self._entry.dialect.tilde != "args":
            self._notes += [
                _tilde_in(f"args[{i}]") for i, arg in enumerate(self._entry.args) if _is_tilde(arg)
            ]
        return self._notes

    def _name_unset(self, where: str, result: Expansion, profile: Profile) -> None:
        self.unresolved += result.unset
        for name in result.unset:
            value = self._around.environment.get(name)
            why = (
                "is not set" if value is None else "is blank" if value.strip() == "" and value else "is empty"
            )
            hint = f"set {name} in the environment that mcp-inspect is started from"
            if profile.unset == "error":
                self._notes.append(Note("error", where, f"variable {name} has no value: it {why}", hint))
            else:
                becomes = "stays as it is written" if profile.unset == "literal" else "becomes empty"
                label = self._entry.dialect.label
                message = f"variable {name} {why}; the reference {becomes}, as in {label}"
                self._notes.append(Note("warning", where, message, hint))

    def _name_blank(self, where: str, result: Expansion, profile: Profile) -> None:
        """A value that another client would not take for one."""
        for value, name in result.used:
            if not value.strip():
                becomes = "nothing" if not value else "blanks"
                said = f"variable {name} is {'blank' if value else 'empty'}: {becomes} is put in"
                self._notes.append(Note("info", where, f"{said}; PaiCLI and others take it for unset"))

    def _name_inputs(self, where: str, result: Expansion) -> None:
        self.unresolved += [f"input:{id}" for id in result.unanswered]
        for id in result.unanswered:
            if id in self._entry.inputs:
                self.unanswered.append(id)
            else:
                self._notes.append(Note("error", where, f"input {id} is not declared in inputs"))

    def _leftover(self, kind: str, where: str, named: str) -> Note:
        dialect = self._entry.dialect
        profile = dialect.profile(where.partition(".")[0])
        if kind == "malformed":
            return Note("warning", where, f"malformed reference {named} stays as it is written")
        knows = (
            f"{dialect.label} knows {profile.syntax}"
            if profile.reference
            else f"{dialect.label} expands nothing"
        )
        return Note("info" if kind == "bare" else "warning", where, f"{named} is not expanded: {knows}")


def _one_place_for_args(found: dict[str, list[str]]) -> dict[str, list[str]]:
    """The same remark about several arguments is made once, about `args`."""
    several = [where for where in found if where.startswith("args[")]
    if len(several) < 2:
        return found
    joined = {"args": [text for where in several for text in found[where]]}
    return joined | {where: named for where, named in found.items() if where not in several}


def _is_tilde(text: str) -> bool:
    return text == "~" or text.startswith("~/")


def _tilde_in(where: str) -> Note:
    return Note(
        "warning",
        where,
        "~ is not expanded in arguments: no shell reads them",
        "write ${HOME} or the full path",
    )


def _unusable(launch: Launch, *, unsupported: bool) -> list[Note]:
    """Values that neither a process nor an HTTP request can carry."""
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
    if launch.url and not unsupported and (why := _unreachable(launch.url)):
        notes.append(Note("error", "url", why, "write http://HOST... or https://HOST..."))
    return notes


def _unreachable(url: str) -> str | None:
    """Why no connection to this URL can even be tried."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        return f"no URL: {error}"
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
