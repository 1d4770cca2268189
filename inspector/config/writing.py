"""Entries as the file of another client would hold them. What that client has no word for is said, one note each."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from inspector.base.secrets import is_secret_name, mask_args, mask_header, mask_named, mask_url
from inspector.config.check import is_literal
from inspector.config.dialects import Dialect
from inspector.config.entry import Entry, Input, Note
from inspector.config.forms import FORMS, Form
from inspector.config.spelling import ALIASES, NAMES_OF_TRANSPORTS
from inspector.config.translate import Translation

_CARRIED = frozenset({
    "command", "args", "env", "cwd", "url", "httpUrl", "serverUrl", "headers", "type", "transport", "transportType",
    "disabled", "enabled", "name", "envFile", "env_vars", "env_keys", "env_http_headers", "bearer_token_env_var",
    "apiKey", "requestOptions", "timeout", "startup_timeout_sec", "startup_timeout_ms", "connectionTimeout",
    "tool_timeout_sec", "enabled_tools", "includeTools", "allowedTools", "available_tools", "disabled_tools",
    "excludeTools", "disabledTools", "disallowedTools", "autoApprove", "alwaysAllow", "insecure", "ca", "verify",
    "protocol", "messageUrl", "headersHelper", *ALIASES,
})  # fmt: skip
"""Members of an entry whose meaning is looked after; of others it is said that they stay behind."""


class Written(NamedTuple):
    """`value` is the whole document as data. `notes` are of one entry each; an error means that it is left out."""

    value: dict[str, Any]
    notes: list[tuple[Entry, Note]]


def write(entries: Iterable[Entry], target: Dialect, *, reveal: bool = True) -> Written:
    """A document for `target`. Without `reveal` secrets that stand in plain text are `***`."""
    form = FORMS[target.id]
    written = Written(dict(form.beside), [])
    servers: dict[str, Any] = {}
    inputs: dict[str, Input] = {}
    left_out: list[str] = []
    for entry in entries:
        writer = _Writer(entry, target, form, reveal=reveal)
        raw = writer.entry()
        written.notes.extend((entry, note) for note in writer.notes)
        if raw is None:
            continue
        name, number = entry.name or "server", 2
        while name in servers:
            name, number = f"{entry.name}-{number}", number + 1
        servers[name] = {"name": name, **raw} if form.listed or target.id == "goose" else raw
        inputs |= entry.inputs
        if not entry.enabled and target.id in ("gemini", "qwen"):
            left_out.append(name)
    _put(written.value, form.root, list(servers.values()) if form.listed else servers)
    if left_out:
        written.value["mcp"] = {"excluded": left_out}
    if target.id == "vscode" and inputs:
        written.value["inputs"] = [_asked(each) for each in inputs.values()]
    return written


def _put(value: dict[str, Any], path: tuple[str, ...], member: Any) -> None:
    for key in path[:-1]:
        value = value.setdefault(key, {})
    value[path[-1]] = member


def _asked(asked: Input) -> dict[str, Any]:
    described: dict[str, Any] = {"id": asked.id, "description": asked.description}
    described |= (
        {"type": "pickString", "options": list(asked.options)} if asked.options else {"type": "promptString"}
    )
    described |= {"password": True} if asked.secret and not asked.options else {}
    return described | ({"default": asked.default} if asked.default is not None else {})


class _Writer:
    """Writes one entry."""

    def __init__(self, entry: Entry, target: Dialect, form: Form, *, reveal: bool) -> None:
        self._entry = entry
        self._target = target
        self._form = form
        self._reveal = reveal
        self._translation = Translation(entry, target)
        self._raw: dict[str, Any] = {}
        self._why: Note | None = None

    @property
    def notes(self) -> list[Note]:
        return [*([self._why] if self._why is not None else []), *self._translation.notes]

    def entry(self) -> dict[str, Any] | None:
        """The entry; None where this client has no way to say it."""
        entry, form = self._entry, self._form
        transport = self._transport()
        if transport is None:
            return None
        if form.types[transport]:
            self._raw["type"] = form.types[transport]
        if transport == "stdio":
            self._launch()
        else:
            self._address(transport)
        self._limits()
        self._rest()
        if not entry.enabled:
            if form.off is not None:
                self._raw[form.off[0]] = form.off[1]
            elif self._target.id not in ("gemini", "qwen"):
                self._say(
                    "warning", "disabled", f"{self._target.label} cannot switch an entry off: it is on there"
                )
        return {**form.always, **self._raw}

    def _transport(self) -> str | None:
        """The transport that is written, the nearest one there; None, with the reason, where there is none."""
        entry, types, label = self._entry, self._form.types, self._target.label
        transport = entry.transport
        if transport == "auto-sse":
            transport = "sse" if "sse" in types else "auto"
        broken = next((note for note in entry.notes if note.severity == "error" and not note.where), None)
        needed, given = ("command", entry.command) if transport == "stdio" else ("url", entry.url)
        if broken is None and not given:
            broken = next((note for note in entry.notes if note.where == needed), None)
        if broken is not None or transport.startswith("unsupported:") or not given:
            why = broken.message if broken is not None else f"nothing can be started: {transport}"
            self._why = Note("error", "", f"left out: {why}")
        elif transport in types:
            if transport in self._form.guessed and transport != "auto":
                self._say("info", "type", f"{label} finds out by itself which transport it is")
            return transport
        elif transport == "auto" and "http" in types:
            self._say("info", "type", f"{label} wants to be told; Streamable HTTP is written")
            return "http"
        else:
            self._why = Note(
                "error", "", f"left out: {label} has no way to say {NAMES_OF_TRANSPORTS[transport]}"
            )
        return None

    def _launch(self) -> None:
        entry, form, translate = self._entry, self._form, self._translation
        command = translate.path("command", entry.command)
        if os.sep in command and not os.path.isabs(command) and "$" not in command and "{" not in command:
            command = os.path.normpath(os.path.join(entry.cwd or entry.folder, command))
            self._say("info", "command", "the path is written out: clients start from different folders")
        args = [translate.argument(f"args[{number}]", arg) for number, arg in enumerate(self._args())]
        self._raw[form.command] = [command, *args] if form.command_list else command
        if not form.command_list:
            self._raw["args"] = args
        env = {name: self._value("env", name, value) for name, value in entry.env.items()}
        env |= {
            name: self._value("env", name, value, ours=True) for name, value in entry.overrides.env.items()
        }
        if self._target.id == "codex":
            self._names_of_variables(env)
        elif self._target.child == "no secrets":
            for name in (name for name in entry.passed if name not in env):
                if (reference := translate.variable("env", name)) is not None:
                    env[name] = reference
            if entry.dialect.child == "all":
                said = f"{self._target.label} keeps variables whose names look like secrets from servers"
                self._say("info", "env", said)
        for name in entry.env_unset:
            if self._target.id == "vscode":
                env[name] = None  # type: ignore[assignment]
            else:
                self._say("warning", f"env.{name}", f"{self._target.label} cannot take a variable away")
        if env:
            self._raw[form.env] = env
        self._folder()
        if entry.env_file is not None:
            path = translate.path("envFile", entry.env_file)
            if form.env_file is None:
                self._say("warning", "envFile", f"{self._target.label} reads no file of variables: {path}")
            else:
                self._raw[form.env_file] = path

    def _args(self) -> list[str]:
        return self._entry.args if self._reveal else mask_args(self._entry.args)

    def _folder(self) -> None:
        entry = self._entry
        given = entry.overrides.cwd or entry.cwd
        if given is None:
            return
        path = self._translation.path("cwd", given)
        if not os.path.isabs(path) and not path.startswith(("~", "$", "{")):
            path = os.path.normpath(os.path.join(entry.base, path))
            self._say("info", "cwd", "the path is written out: clients start from different folders")
        if self._form.cwd is None:
            self._say("warning", "cwd", f"{self._target.label} has no working directory: {path} is lost")
        else:
            self._raw[self._form.cwd] = path

    def _names_of_variables(self, env: dict[str, str]) -> None:
        """Codex expands nothing; it is told which variables to hand on."""
        entry = self._entry
        names = list(entry.passed)
        for name in list(env):
            if name in entry.env and entry.env[name] in _references(entry, name):
                del env[name]
                names.append(name)
                self._forget(f"env.{name}")
        if names:
            self._raw["env_vars"] = names
        if entry.dialect.child != "some":
            self._say(
                "info",
                "env",
                "Codex hands on few of its variables; those that the server needs go into env_vars",
            )

    def _forget(self, where: str) -> None:
        notes = self._translation.notes
        notes[:] = [note for note in notes if note.where != where]

    def _value(self, field: str, name: str, value: str, *, ours: bool = False) -> str:
        text = self._translation.text(f"{field}.{name}", value, ours=ours)
        if self._reveal or not is_literal(value) or not (field == "headers" or is_secret_name(name)):
            return text
        return mask_header(name, text) if field == "headers" else mask_named(name, text)

    def _address(self, transport: str) -> None:
        entry, form, translate = self._entry, self._form, self._translation
        url = translate.text("url", entry.url)
        self._raw[form.urls.get(transport, form.url)] = url if self._reveal else _masked_url(url)
        headers = {name: self._value("headers", name, value) for name, value in entry.headers.items()}
        headers |= {
            name: self._value("headers", name, value, ours=True)
            for name, value in entry.overrides.headers.items()
        }
        by_variable = dict(entry.header_variables)
        bearer = entry.bearer_variable
        if self._target.id == "codex":
            by_variable, bearer = self._as_codex(headers, by_variable, bearer)
        else:
            for name, variable in by_variable.items():
                headers[name] = self._reference(name, variable, "")
            if bearer is not None:
                headers["Authorization"] = self._reference("Authorization", bearer, "Bearer ")
            by_variable = {}
        if headers:
            _put(self._raw, form.headers, headers)
        if entry.headers_helper is not None and self._target.id == "claude-code":
            self._raw["headersHelper"] = entry.headers_helper
        elif entry.headers_helper is not None:
            self._say("warning", "headers", f"{self._target.label} runs no command for its headers")
        if by_variable:
            self._raw["env_http_headers"] = by_variable
        if bearer is not None and self._target.id == "codex":
            self._raw["bearer_token_env_var"] = bearer

    def _reference(self, header: str, variable: str, before: str) -> str:
        reference = self._translation.variable("headers", variable)
        if reference is None:
            where = f"headers.{header}"
            self._say(
                "warning", where, f"{self._target.label} expands nothing: put the value of {variable} there"
            )
            reference = f"${{{variable}}}"
        return before + reference

    def _as_codex(
        self, headers: dict[str, str], by_variable: dict[str, str], bearer: str | None
    ) -> tuple[dict[str, str], str | None]:
        """Headers that are one variable, or a token that is one, by the name of the variable."""
        entry = self._entry
        for name, value in entry.headers.items():
            for variable in _variables(entry, value):
                if value in _references(entry, variable):
                    by_variable[name] = variable
                elif name.lower() == "authorization" and value in _references(entry, variable, "Bearer "):
                    bearer = variable
                else:
                    continue
                del headers[name]
                self._forget(f"headers.{name}")
                break
        return by_variable, bearer

    def _limits(self) -> None:
        entry, form, label = self._entry, self._form, self._target.label
        for seconds, key, what in (
            (entry.request_timeout, form.request, "a request"),
            (entry.connect_timeout, form.startup, "the start"),
        ):
            if seconds is None:
                continue
            if key is None:
                self._say("warning", "timeout", f"{label} has no timeout of {what}: {seconds:g} s are lost")
            else:
                self._raw[key[0]] = _duration(seconds, key[1])
        if entry.shown_tools == []:
            self._say("warning", "tools", f"no tool is let in: {label} has no word for that")
        for names, word, what in (
            (entry.shown_tools, form.shown, "tools that are let in"),
            (entry.hidden_tools, form.hidden, "tools that are left out"),
            (entry.approved_tools, form.approved, "tools that need no approval"),
        ):
            if not names:
                continue
            if word is None:
                self._say("warning", "", f"{label} has no list of {what}: {', '.join(names)}")
            else:
                self._raw[word] = names
        for name, value in self._own().items():
            if form.ours:
                self._raw[name] = value
            else:
                self._say("warning", name, f"{label} has nothing like {name}")

    def _own(self) -> dict[str, Any]:
        """What only our own files say."""
        entry = self._entry
        given = {
            "insecure": entry.insecure or entry.overrides.insecure or None,
            "ca": entry.overrides.ca or entry.ca,
            "messageUrl": entry.overrides.message_url or entry.message_url,
            "protocol": entry.protocol,
        }
        return {name: value for name, value in given.items() if value is not None}

    def _rest(self) -> None:
        raw = self._entry.raw
        rest = [key for key in raw if key not in _CARRIED] if isinstance(raw, dict) else []
        if rest:
            self._say("info", "", f"not carried over: {', '.join(rest)}")

    def _say(self, severity: str, where: str, message: str) -> None:
        self._translation.say(severity, where, message)


def _masked_url(url: str) -> str:
    return url if "$" in url or "{" in url else mask_url(url)


def _duration(seconds: float, unit: float) -> Any:
    if unit == 0:
        return f"PT{seconds:g}S"
    value = round(seconds / unit, 6)
    return int(value) if value == int(value) else value


def _variables(entry: Entry, text: str) -> Iterator[str]:
    """The variables without a default that a text of this entry refers to."""
    from inspector.config.interpolate import Reference, parts

    for part in parts(text, entry.dialect.profile("headers")):
        if isinstance(part, Reference) and part.kind == "variable" and part.default is None:
            yield part.name


def _references(entry: Entry, name: str, before: str = "") -> tuple[str, ...]:
    """All ways to write this one variable in this entry."""
    forms = (f"${{{name}}}", f"${{env:{name}}}", f"${name}", f"{{env:{name}}}")
    from inspector.config.interpolate import Reference, parts

    profile = entry.dialect.variables
    return tuple(
        before + form
        for form in forms
        if [part.kind for part in parts(form, profile) if isinstance(part, Reference)] == ["variable"]
    )
