"""Reads a raw server entry: all spellings of all clients become one vocabulary.

What is odd becomes a note, never an exception, and costs this entry only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from inspector.config.dialects import Dialect
from inspector.config.entry import Entry
from inspector.config.jsonc import Number
from inspector.config.shapes import kind_of
from inspector.protocol.revisions import PROTOCOLS

TRANSPORTS: Mapping[str, str] = {
    "stdio": "stdio",
    "local": "stdio",
    "http": "http",
    "https": "http",
    "streamable": "http",
    "streamablehttp": "http",
    "streamablestateless": "http",
    "httpstream": "http",
    "sse": "sse",
    "httpsse": "sse",
    "remote": "auto",
    "auto": "auto",
    "autosse": "auto-sse",
}
"""Every spelling of a transport, without case, dashes, underscores and blanks."""

_URL_KEYS = ("httpUrl", "serverUrl", "url")
_TYPE_KEYS = ("type", "transport", "transportType")
_READ = frozenset({
    *_URL_KEYS, *_TYPE_KEYS, "command", "args", "env", "environment", "cwd", "headers", "disabled", "enabled",
    "timeout", "name", "startup_timeout_sec", "tool_timeout_sec", "connectionTimeout",
    "insecure", "ca", "verify", "protocol", "messageUrl",
})  # fmt: skip
_HARMLESS = frozenset({
    "description", "autoApprove", "alwaysAllow", "alwaysLoad", "disabledTools", "tools", "trust", "includeTools",
    "excludeTools", "dev", "gallery", "version", "metadata", "remoteConfigured", "source", "allowedTools",
    "disallowedTools", "icon", "title", "$comment", "_comment", "comment", "required", "scopes", "path",
})  # fmt: skip
_NOT_YET = frozenset(
    {"envFile", "headersHelper", "oauth", "auth", "bearer_token_env_var", "tcp", "settings", "env_vars"}
)


def transport_of(spelling: str) -> str:
    """Our word for a client's; `unsupported:<x>` for one that nobody knows."""
    key = "".join(char for char in spelling.lower() if char.isalnum())
    return TRANSPORTS.get(key, f"unsupported:{spelling}")


def read(entry: Entry) -> Entry:
    """Fills the entry from its `raw` value."""
    raw = entry.raw
    if not isinstance(raw, dict):
        entry.declared = f"unsupported:{kind_of(raw)}"
        entry.note("error", "", f"a server must be an object, not {kind_of(raw)}")
        return entry
    fields, origin = _flatten(raw)
    if entry.dialect.only is not None:
        fields = _only_known(entry, fields)
    entry.origin = origin
    _read_command(entry, fields)
    _read_env(entry, fields)
    _read_remote(entry, fields)
    _read_trust(entry, fields)
    _read_protocol(entry, fields)
    _read_transport(entry, fields)
    _read_cwd(entry, fields)
    _read_enabled(entry, fields)
    _read_timeouts(entry, fields)
    _name_the_rest(entry, fields)
    return entry


def _flatten(raw: dict[str, Any]) -> tuple[dict[str, Any], dict[str, tuple[str | int, ...]]]:
    """The members of the entry with nested `transport` and `command` objects opened; and where each one stands."""
    fields = dict(raw)
    origin: dict[str, tuple[str | int, ...]] = {key: (key,) for key in raw}
    for outer in ("transport", "command"):
        nested = raw.get(outer)
        if not isinstance(nested, dict):
            continue
        del fields[outer]
        for key, value in nested.items():
            inner = "command" if outer == "command" and key == "path" else key
            fields[inner] = value
            origin[inner] = (outer, key)
    if "environment" in fields and "env" not in fields:
        fields["env"] = fields.pop("environment")
        origin["env"] = origin["environment"]
    return fields, origin


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


def _read_trust(entry: Entry, fields: dict[str, Any]) -> None:
    """`insecure` and `ca` are ours; `verify` is both in one, as the Python clients have it: false, or a file."""
    verify = fields.get("verify")
    entry.insecure = _flag(entry, "insecure", fields.get("insecure")) or verify is False
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
            "warning", "protocol", f"{asked!r:.40} is no protocol version and is ignored; known: {known}"
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
    else:
        entry.declared = "unsupported:extension" if "settings" in fields else "stdio"
        missing = "command" if {"command", "args"} & fields.keys() else ""
        entry.note("error", missing, "neither command nor url is given")


def _declared(entry: Entry, spelling: str) -> None:
    transport = transport_of(spelling)
    if transport == "http":
        transport = entry.dialect.declared_http
    entry.declared = transport
    if transport.startswith("unsupported:"):
        entry.note("warning", "type", f"unknown transport {spelling}", "known are stdio, http and sse")
    elif transport == "stdio" and not entry.command:
        entry.note("error", "command", f"type {spelling} needs a command")
    elif transport != "stdio" and not entry.url:
        entry.note("error", "url", f"type {spelling} needs a url")


def _undeclared(entry: Entry, http_url: bool) -> str:
    if http_url:
        return "http"
    dialect = entry.dialect
    if dialect.remark:
        entry.note("warning", "url", dialect.remark)
    elif dialect.id == "common":
        tried = "Streamable HTTP is tried first, then SSE"
        entry.note("info", "url", f"no type: {tried}; Cline would use SSE, Claude Code refuses such an entry")
    return dialect.bare_url


def _read_cwd(entry: Entry, fields: dict[str, Any]) -> None:
    cwd = fields.get("cwd")
    if cwd is not None and not isinstance(cwd, str):
        entry.note("error", "cwd", f"cwd must be a string, not {kind_of(cwd)}")
    entry.cwd = cwd if isinstance(cwd, str) and cwd.strip() else None


def _read_enabled(entry: Entry, fields: dict[str, Any]) -> None:
    disabled = _flag(entry, "disabled", fields.get("disabled"))
    enabled = _flag(entry, "enabled", fields.get("enabled"))
    entry.enabled = not disabled and enabled is not False


def _flag(entry: Entry, key: str, value: Any) -> bool | None:
    flag = _flag_of(value)
    if value is not None and not isinstance(value, bool):
        reading = "ignored" if flag is None else f"taken as {str(flag).lower()}"
        entry.note("warning", key, f"{key} must be true or false; {value!r:.40} is {reading}")
    return flag


def _flag_of(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    words = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}
    return words.get(str(value).strip().lower())


_TIMEOUTS: tuple[tuple[str, str, float], ...] = (
    ("startup_timeout_sec", "connect_timeout", 1.0),
    ("connectionTimeout", "connect_timeout", 0.001),
    ("tool_timeout_sec", "request_timeout", 1.0),
    ("timeout", "request_timeout", 0.0),
)


def _read_timeouts(entry: Entry, fields: dict[str, Any]) -> None:
    for key, attribute, factor in _TIMEOUTS:
        value = fields.get(key)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e9:
            entry.note("warning", key, f"{key} is no number of seconds; ignored")
            continue
        setattr(entry, attribute, value * (factor or _unit(entry, key, value)))


def _unit(entry: Entry, key: str, value: float) -> float:
    unit = entry.dialect.unit
    if unit == "guess":
        unit = "ms" if value >= 1000 else "s"
        entry.note("info", key, f"no unit is agreed on for timeout; read as {value:g} {unit}")
    return 0.001 if unit == "ms" else 1.0


def _name_the_rest(entry: Entry, fields: dict[str, Any]) -> None:
    rest = [key for key in fields if key not in _READ and key not in _HARMLESS]
    for key in (key for key in rest if key in _NOT_YET):
        entry.note("warning", key, f"{key} is not supported; it has no effect here")
    unknown = [key for key in rest if key not in _NOT_YET]
    if unknown:
        entry.note("info", "", f"unknown keys have no effect: {', '.join(unknown)}")
