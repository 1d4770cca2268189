"""Reads a raw server entry: all spellings of all clients become one vocabulary.

What is odd becomes a note, never an exception, and costs this entry only.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from inspector.base.text import quoted
from inspector.config import oauth
from inspector.config.dialects import Dialect
from inspector.config.entry import Entry
from inspector.config.jsonc import Number
from inspector.config.limits import (
    FILTERS,
    SWITCHES,
    TIMEOUTS,
    flag,
    read_filters,
    read_switch,
    read_timeouts,
)
from inspector.config.shapes import kind_of
from inspector.config.spelling import opened, transport_of
from inspector.protocol.revisions import PROTOCOLS

_URL_KEYS = ("httpUrl", "serverUrl", "url")
_TYPE_KEYS = ("type", "transport", "transportType")
_READ = frozenset({
    *_URL_KEYS, *_TYPE_KEYS, *SWITCHES, *TIMEOUTS, *FILTERS, "command", "args", "env", "cwd", "headers", "name",
    "insecure", "ca", "verify", "protocol", "messageUrl", "envFile", "env_vars", "env_keys", "env_http_headers",
    "bearer_token", "bearer_token_env_var", "apiKey", "tcp", "settings", "oauth", "auth", "uses", "with",
})  # fmt: skip
_HARMLESS = frozenset({
    "description", "alwaysLoad", "dev", "gallery", "version", "metadata", "remoteConfigured", "source", "icon",
    "title", "$comment", "_comment", "comment", "required", "scopes", "path", "bundled", "display_name",
    "default_tools_approval_mode", "supports_parallel_tool_calls", "experimental_environment", "oauth_resource",
    "authProviderType", "sandbox", "sandboxEnabled", "sampling", "fromGalleryId", "remote_configured",
})  # fmt: skip
_OF_GOOSE = ("builtin", "platform", "frontend", "inline_python")
_NOT_YET = {"headersHelper": "only Claude Code runs a command for its headers, in files of its own"}
_NEVER_WITH = {
    "command": ("bearer_token_env_var", "http_headers", "env_http_headers", "oauth"),
    "url": ("args", "env", "env_vars", "cwd"),
}
"""Members that make Codex refuse an entry of that kind."""


def read(entry: Entry) -> Entry:
    """Fills the entry from its `raw` value."""
    raw = entry.raw
    if not isinstance(raw, dict):
        entry.declared = f"unsupported:{kind_of(raw)}"
        hint = (
            "PaiCLI starts no server at all with a null here" if raw is None and _of_paicli(entry) else None
        )
        entry.note("error", "", f"a server must be an object, not {kind_of(raw)}", hint)
        return entry
    fields, origin = opened(raw)
    if entry.dialect.only is not None:
        fields = _only_known(entry, fields)
    entry.origin = origin
    _read_command(entry, fields)
    _read_env(entry, fields)
    _read_remote(entry, fields)
    _read_by_variable(entry, fields)
    _read_trust(entry, fields)
    _read_protocol(entry, fields)
    _read_transport(entry, fields)
    _read_cwd(entry, fields)
    read_switch(entry, fields)
    read_timeouts(entry, fields)
    read_filters(entry, fields)
    _name_the_rest(entry, fields)
    return entry


def _of_paicli(entry: Entry) -> bool:
    return entry.dialect.id in ("paicli", "common")


def _only_known(entry: Entry, fields: dict[str, Any]) -> dict[str, Any]:
    """Drops what the client ignores, and says so; a `type` of SSE is still honoured for old servers."""
    only, label = entry.dialect.only or frozenset(), entry.dialect.label
    kept = {key: value for key, value in fields.items() if key in only}
    for key in fields.keys() - kept.keys():
        if key == "type" and isinstance(fields[key], str) and transport_of(fields[key]) == "sse":
            kept[key] = fields[key]
            entry.note(
                "warning", key, f"type is ignored by {label}, which speaks Streamable HTTP; SSE is used here"
            )
    for key in sorted(fields.keys() - kept.keys(), key=list(fields).index):
        entry.note("warning", key, f"{key} is ignored by {label}")
    return kept


def _read_command(entry: Entry, fields: dict[str, Any]) -> None:
    command, args = fields.get("command"), fields.get("args")
    if isinstance(command, list):
        words = _texts(entry, "command", command)
        entry.command, extra = (words[0], words[1:]) if words else ("", [])
        entry.args = extra + _arguments(entry, args)
        return
    if command is not None and not isinstance(command, str):
        entry.note("error", "command", f"command must be a string, not {kind_of(command)}")
    entry.command = _trimmed(entry, "command", command)
    entry.args = _arguments(entry, args)


def _trimmed(entry: Entry, where: str, value: Any) -> str:
    if not isinstance(value, str):
        return ""
    if value != value.strip() and value.strip():
        entry.note("warning", where, f"blanks around {where} were cut off")
    return value.strip()


def _arguments(entry: Entry, args: Any) -> list[str]:
    if args is None:
        if "args" in entry.origin:
            entry.note("warning", "args", "args is null; taken as an empty list")
        return []
    if isinstance(args, list):
        return _texts(entry, "args", args)
    if isinstance(args, str):
        return _split(entry, args)
    entry.note("error", "args", f"args must be a list of strings, not {kind_of(args)}")
    return []


def _split(entry: Entry, args: str) -> list[str]:
    import shlex

    try:
        words = shlex.split(args)
    except ValueError as error:
        entry.note("error", "args", f"args must be a list of strings; this string cannot be split: {error}")
        return [args]
    entry.note("warning", "args", f"args must be a list; the string was split into {len(words)}")
    return words


def _texts(entry: Entry, where: str, items: Iterable[Any]) -> list[str]:
    named = ((f"{where}[{index}]", item) for index, item in enumerate(items))
    return [text for place, item in named if (text := _text(entry, place, item)) is not None]


def _text(entry: Entry, where: str, value: Any) -> str | None:
    """A scalar as text: true is `true`, numbers keep their spelling; None where it is left out."""
    if isinstance(value, str):
        return value
    if value is None:
        entry.note("warning", where, "null was left out", _null_hint(entry.dialect))
        return None
    if isinstance(value, dict | list):
        entry.note("error", where, f"must be a string, not {kind_of(value)}")
        return None
    text = (
        str(value).lower()
        if isinstance(value, bool)
        else value.spelling
        if isinstance(value, Number)
        else str(value)
    )
    if entry.dialect.id != "vscode":
        entry.note("info", where, f"a {kind_of(value)}, taken as the string {text}")
    return text


def _null_hint(dialect: Dialect) -> str | None:
    return "PaiCLI fails to start a server with a null here" if dialect.only is not None else None


def _read_env(entry: Entry, fields: dict[str, Any]) -> None:
    env = _object(entry, "env", fields)
    if entry.dialect.id == "vscode":
        entry.env_unset = [name for name, value in env.items() if value is None]
    given = {name: value for name, value in env.items() if name not in entry.env_unset}
    entry.env = _text_map(entry, "env", given)
    for name in [name for name in entry.env if not name or "=" in name or "\0" in name]:
        entry.note("error", f"env.{name}", "no name for an environment variable")
        del entry.env[name]


def _object(entry: Entry, where: str, fields: dict[str, Any]) -> dict[str, Any]:
    value = fields.get(where)
    if isinstance(value, dict):
        return value
    if value is None and where in fields:
        entry.note("warning", where, f"{where} is null; left out")
    elif value is not None:
        entry.note("error", where, f"{where} must be an object, not {kind_of(value)}")
    return {}


def _text_map(entry: Entry, where: str, members: dict[str, Any]) -> dict[str, str]:
    named = ((name, _text(entry, f"{where}.{name}", value)) for name, value in members.items())
    return {name: text for name, text in named if text is not None}


def _read_remote(entry: Entry, fields: dict[str, Any]) -> None:
    given = [key for key in _URL_KEYS if isinstance(fields.get(key), str) and fields[key].strip()]
    for key in _URL_KEYS:
        if fields.get(key) is not None and not isinstance(fields[key], str):
            entry.note("error", "url", f"{key} must be a string, not {kind_of(fields[key])}")
    if len(given) > 1:
        entry.note("warning", "url", f"{' and '.join(given)} are given; {given[0]} is used")
    if given:
        entry.url = _trimmed(entry, "url", fields[given[0]])
        entry.origin["url"] = entry.origin[given[0]]
    entry.headers = _text_map(entry, "headers", _object(entry, "headers", fields))
    message_url = fields.get("messageUrl")
    if message_url is not None and not isinstance(message_url, str):
        entry.note("error", "messageUrl", f"messageUrl must be a string, not {kind_of(message_url)}")
    elif message_url:
        entry.message_url = message_url


def _read_by_variable(entry: Entry, fields: dict[str, Any]) -> None:
    """What stands in variables of which the entry gives the names alone, and in a file of them."""
    entry.header_variables = _text_map(entry, "env_http_headers", _object(entry, "env_http_headers", fields))
    bearer = fields.get("bearer_token_env_var")
    entry.bearer_variable = bearer if isinstance(bearer, str) and bearer else None
    for key in ("env_vars", "env_keys"):
        for number, item in enumerate(_list(entry, key, fields)):
            name = item.get("name") if isinstance(item, dict) else item
            if isinstance(name, str) and name:
                entry.passed.append(name)
            else:
                entry.note("error", f"{key}[{number}]", f"must be a name, not {kind_of(item)}")
    env_file = fields.get("envFile")
    if env_file is not None and not isinstance(env_file, str):
        entry.note("error", "envFile", f"envFile must be the name of a file, not {kind_of(env_file)}")
    entry.env_file = env_file if isinstance(env_file, str) and env_file.strip() else None
    entry.oauth = oauth.of_entry(fields)
    said = fields.get("auth")
    if isinstance(said, dict) and said.get("CLIENT_SECRET"):
        hint = "name the variable that holds it in settings.json: oauth, secretVariable"
        entry.note("warning", "auth", "the secret of a client that stands in the file is not used", hint)
    api_key = fields.get("apiKey")
    if isinstance(api_key, str) and api_key and entry.url:
        entry.headers.setdefault("Authorization", f"Bearer {api_key}")
    if entry.dialect.id == "solon" and entry.url and entry.env:
        entry.headers = {**entry.env, **entry.headers}
    if entry.dialect.id == "codex":
        _read_as_codex(entry, fields)
    if entry.dialect.id == "claude-code" and (helper := fields.pop("headersHelper", None)) is not None:
        if isinstance(helper, str) and helper.strip() and entry.url:
            entry.headers_helper = helper
            entry.note("info", "headersHelper", "a shell command that is run at a connect and prints headers")
        else:
            said = "headersHelper must be a shell command, of a server with a url"
            entry.note("warning", "headersHelper", f"{said}; it is not run")


def _list(entry: Entry, where: str, fields: dict[str, Any]) -> list[Any]:
    value = fields.get(where)
    if value is not None and not isinstance(value, list):
        entry.note("error", where, f"{where} must be a list, not {kind_of(value)}")
    return value if isinstance(value, list) else []


def _read_as_codex(entry: Entry, fields: dict[str, Any]) -> None:
    """Where Codex refuses an entry, it refuses the whole file."""
    if "bearer_token" in fields:
        hint = "name the variable that holds the token: bearer_token_env_var"
        entry.note("error", "bearer_token", "Codex refuses a token that stands in the file", hint)
    kind = "command" if entry.command else "url" if entry.url else ""
    for key in _NEVER_WITH.get(kind, ()):
        if key in entry.raw:
            entry.note("error", key, f"Codex refuses {key} beside {kind}, and with it the whole file")


def _read_trust(entry: Entry, fields: dict[str, Any]) -> None:
    """`insecure` and `ca` are ours; `verify` is both in one, as the Python clients have it: false, or a file."""
    verify = fields.get("verify")
    entry.insecure = flag(entry, "insecure", fields.get("insecure")) or verify is False
    ca = fields.get("ca", verify if isinstance(verify, str) else None)
    if ca is not None and not isinstance(ca, str):
        entry.note("error", "ca", f"ca must be the name of a PEM file, not {kind_of(ca)}")
    entry.ca = ca if isinstance(ca, str) and ca.strip() else None
    if verify is not None and not isinstance(verify, bool | str):
        entry.note(
            "error", "verify", f"verify must be true, false or the name of a PEM file, not {kind_of(verify)}"
        )
    if entry.insecure:
        entry.note("warning", "insecure", "the certificate of this server is not checked")


def _read_protocol(entry: Entry, fields: dict[str, Any]) -> None:
    """`protocol` is ours: the era or version to ask for, as `--protocol` has it."""
    asked = fields.get("protocol")
    if asked in PROTOCOLS:
        entry.protocol = asked
    elif asked is not None:
        known = ", ".join(PROTOCOLS)
        entry.note(
            "warning",
            "protocol",
            f"{quoted(asked, 40)} is no protocol version and is ignored; known: {known}",
        )


def _read_transport(entry: Entry, fields: dict[str, Any]) -> None:
    key = next((key for key in _TYPE_KEYS if fields.get(key) is not None), None)
    spelling = fields[key] if key else None
    if key and not isinstance(spelling, str):
        entry.note("error", key, f"{key} must be a string, not {kind_of(spelling)}")
        spelling = None
    if key:
        entry.origin["type"] = entry.origin[key]
    if entry.command and entry.url:
        entry.declared = "stdio"
        entry.note(
            "error", "", "both command and url are given", "a server is started or connected to: keep one"
        )
    elif spelling is not None and spelling.strip():
        _declared(entry, spelling.strip())
    elif entry.command:
        entry.declared = "stdio"
    elif entry.url:
        entry.declared = _undeclared(entry, "httpUrl" in fields)
    elif fields.get("tcp") is not None:
        entry.declared = "unsupported:tcp"
        entry.note("warning", "tcp", "a WebSocket is not spoken here", "known are stdio, http and sse")
    elif "settings" in fields:
        entry.declared = "unsupported:extension"
        said = f"an extension of {entry.dialect.label} supplies the command, so it starts nowhere else"
        entry.note("warning", "", said)
    elif "uses" in fields and entry.dialect.id == "continue":
        entry.declared = "unsupported:uses"
        entry.note("warning", "uses", "a block of its hub, which Continue fetches: it starts nowhere else")
    elif fields.keys() <= {*SWITCHES} and fields:
        entry.declared = "unsupported:partial"
        entry.note("info", "", "it only switches an entry of another file on or off")
    else:
        missing = "command" if {"command", "args"} & fields.keys() else ""
        entry.note("error", missing, "neither command nor url is given")


def _declared(entry: Entry, spelling: str) -> None:
    transport = transport_of(spelling)
    if transport == "http":
        transport = entry.dialect.declared_http
    entry.declared = transport
    if transport == "sse" and entry.dialect.id in ("codex", "zed"):
        entry.note("warning", "type", f"{entry.dialect.label} speaks no SSE; it is spoken here all the same")
    if spelling in _OF_GOOSE and entry.dialect.id == "goose":
        entry.note("warning", "type", f"an extension of Goose itself ({spelling}): it starts nowhere else")
    elif transport.startswith("unsupported:"):
        entry.note("warning", "type", f"unknown transport {spelling}", "known are stdio, http and sse")
    elif transport == "stdio" and not entry.command:
        entry.note("error", "command", f"type {spelling} needs a command")
    elif transport != "stdio" and not entry.url:
        entry.note("error", "url", f"type {spelling} needs a url")


def _undeclared(entry: Entry, http_url: bool) -> str:
    if http_url:
        return "http"
    dialect = entry.dialect
    if dialect.untyped is not None:
        severity, said = dialect.untyped
        entry.note(severity, "url", said)
    elif dialect.id == "common":
        tried = "Streamable HTTP is tried first, then SSE"
        entry.note("info", "url", f"no type: {tried}; Cline would use SSE, Claude Code refuses such an entry")
    return dialect.bare_url


def _read_cwd(entry: Entry, fields: dict[str, Any]) -> None:
    cwd = fields.get("cwd")
    if cwd is not None and not isinstance(cwd, str):
        entry.note("error", "cwd", f"cwd must be a string, not {kind_of(cwd)}")
    entry.cwd = cwd if isinstance(cwd, str) and cwd.strip() else None


def _name_the_rest(entry: Entry, fields: dict[str, Any]) -> None:
    rest = [key for key in fields if key not in _READ and key not in _HARMLESS]
    for key in (key for key in rest if key in _NOT_YET):
        entry.note("warning", key, f"{key} is not supported: {_NOT_YET[key]}")
    unknown = [key for key in rest if key not in _NOT_YET]
    if unknown:
        entry.note("info", "", f"unknown keys have no effect: {', '.join(unknown)}")
