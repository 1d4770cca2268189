"""Our own settings file: few values, each with a default, each checked; what is wrong with it is told, never fatal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from inspector.base.paths import paths
from inspector.config import jsonc
from inspector.protocol.revisions import PROTOCOLS

if TYPE_CHECKING:
    from inspector.config.oauth import OAuth

Asks = Literal["changing", "always", "never"]
"""Which calls of tools are asked about: those of tools that are not marked as reading only, all, none."""
_MOST_LINES = 100_000
_MOST_STARTS = 1_000


@dataclass(slots=True)
class Settings:
    """`stderr_lines` are kept of each server. `roots` are file URIs offered to servers; None declares no roots at
    all. `protocol` is asked of servers about which nothing else is said: an era, or a version. Clocks in seconds, None
    for the built-in ones. `mute` are rules of `check` that are left out.
    `tokens` is where those of logins are kept: `file` or `keyring`.
    `client` is who we say that we are (`protocol.identity`).
    `starts` are so many processes as may start at once.
    `approval` says which calls of tools the app asks about, by server, "" for all others.
    `redact` are regular expressions whose matches are masked in recordings. `oauth` is
    what is said about logging in, by URL or name of a server. `problems` are sentences about the file."""

    stderr_lines: int = 200
    roots: tuple[str, ...] | None = ()
    protocol: str = "auto"
    connect_timeout: float | None = None
    timeout: float | None = None
    max_time: float | None = None
    redact: tuple[str, ...] = ()
    mute: tuple[str, ...] = ()
    client: str = "mcp-inspect"
    approval: dict[str, Asks] = field(default_factory=dict)
    oauth: dict[str, OAuth] = field(default_factory=dict)
    tokens: str = "file"
    starts: int = 8
    problems: list[str] = field(default_factory=list)


def load_settings(path: Path | None = None) -> Settings:
    """Reads `settings.json` of our configuration folder; JSON with comments. Never raises.

    Members: `stderrLines`, `startsAtOnce` (numbers), `roots` (a list of folders or file URIs, or false),
    `protocol` (auto, legacy, modern or a version), `connectTimeout`, `timeout`, `maxTime` (seconds),
    `redact` (a list of expressions),
    `mute` (a list of rules), `client` (a name or a file),
    `approval` (changing, always, never; or an object of them by server, "" for all others),
    `oauth` (an object, see `config.oauth`), `tokens` (file or keyring).
    """
    file = path or paths().settings
    settings = Settings()
    try:
        value = jsonc.parse(file.read_bytes()).value
    except FileNotFoundError:
        return settings
    except OSError as error:
        settings.problems.append(f"{file} cannot be read: {error.strerror}")
        return settings
    except jsonc.Broken as broken:
        settings.problems.append(
            f"{file}:{broken.line}:{broken.column}: {broken.message}; settings are not used"
        )
        return settings
    if not isinstance(value, dict):
        settings.problems.append(f"{file} holds no object; settings are not used")
        return settings
    for name, member in value.items():
        taken = _MEMBERS.get(name)
        if taken is None:
            settings.problems.append(f"{file}: {name} is no setting; known: {', '.join(_MEMBERS)}")
        elif not taken(settings, member):
            settings.problems.append(f"{file}: {name} has a value that cannot be used")
    return settings


def _stderr_lines(settings: Settings, value: Any) -> bool:
    if type(value) is not int or not 1 <= value <= _MOST_LINES:
        return False
    settings.stderr_lines = value
    return True


def _starts(settings: Settings, value: Any) -> bool:
    if type(value) is not int or not 1 <= value <= _MOST_STARTS:
        return False
    settings.starts = value
    return True


def _roots(settings: Settings, value: Any) -> bool:
    if value is False:
        settings.roots = None
        return True
    if not isinstance(value, list) or not all(isinstance(root, str) and root for root in value):
        return False
    settings.roots = tuple(map(root_uri, value))
    return True


def root_uri(text: str) -> str:
    """The URI of a root that may be written as a path."""
    return text if "://" in text else Path(text).expanduser().absolute().as_uri()


def is_missing(uri: str) -> bool:
    """Whether a root is a folder of this machine that is not there."""
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    parts = urlsplit(uri)
    try:
        return parts.scheme == "file" and not Path(url2pathname(parts.path)).is_dir()
    except (OSError, ValueError):
        return True


def _protocol(settings: Settings, value: Any) -> bool:
    if value not in PROTOCOLS:
        return False
    settings.protocol = value
    return True


def _mute(settings: Settings, value: Any) -> bool:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        return False
    settings.mute = tuple(value)
    return True


def _client(settings: Settings, value: Any) -> bool:
    if not isinstance(value, str) or not value:
        return False
    settings.client = value
    return True


def _approval(settings: Settings, value: Any) -> bool:
    by_server = {"": value} if isinstance(value, str) else value
    if not isinstance(by_server, dict) or not all(each in get_args(Asks) for each in by_server.values()):
        return False
    settings.approval = by_server
    return True


def _redact(settings: Settings, value: Any) -> bool:
    if not isinstance(value, list) or not all(isinstance(expression, str) for expression in value):
        return False
    settings.redact = tuple(value)
    return True


def _tokens(settings: Settings, value: Any) -> bool:
    if value not in ("file", "keyring"):
        return False
    settings.tokens = value
    return True


def _oauth(settings: Settings, value: Any) -> bool:
    from inspector.config import oauth

    found = oauth.read(value)
    settings.oauth = found or {}
    return found is not None


def _clock(name: str) -> Callable[[Settings, Any], bool]:
    def take(settings: Settings, value: Any) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
            return False
        setattr(settings, name, float(value))
        return True

    return take


_MEMBERS: dict[str, Callable[[Settings, Any], bool]] = {
    "stderrLines": _stderr_lines,
    "startsAtOnce": _starts,
    "roots": _roots,
    "protocol": _protocol,
    "connectTimeout": _clock("connect_timeout"),
    "timeout": _clock("timeout"),
    "maxTime": _clock("max_time"),
    "redact": _redact,
    "mute": _mute,
    "client": _client,
    "approval": _approval,
    "oauth": _oauth,
    "tokens": _tokens,
}
