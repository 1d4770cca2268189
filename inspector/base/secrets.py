"""Keeps secrets: known values are replaced wherever they turn up, and names that look secret mask their value.

By value: what came from variables, inputs and authorization headers. By name: headers, environment, URL query.
"""

from __future__ import annotations

import binascii
import json
import re
from collections.abc import Iterable, Mapping, Sequence

from inspector.base.patterns import pattern
from inspector.base.spellings import encodings, secret_parts, spellings

MASK = "***"
_MIN_LENGTH = 8
_SHORTEST_TOKEN = 16
_CUT = 4
_NEVER = frozenset(
    {"HOME", "PATH", "USER", "LANG", "PROJECT_DIR", "PWD", "OLDPWD", "SHELL", "LOGNAME", "TERM"}
)

_NAME = pattern(
    r"(?i)(^|[^a-z])(authorization|cookie|x-?api-?key|api[-_]?key|apikey|access[-_]?key|secret|token|passw(or)?d|passwd|"
    r"pwd|passphrase|credential|private[-_]?key|signature|session[-_]?key|bearer|auth|jwt|pat|key)s?($|[^a-z])"
)
# A word of its own or the end of one (PGPASSWORD, dbpass), but no other English word.
_PASS = pattern(
    r"(?i)passw(or)?d(?!less)|passphrase|"
    r"(^|[^a-z])(?!(en)?compass|(all|band|by|high|low|multi|over|render|single|sub|sur|tres|under)pass)"
    r"[a-z]*(pass|pwd)(code|key)?\d*$|"
    r"(^|[^a-z])pin([-_]?(code|number))?$|webhook[-_]?ur[li]$|signing[-_]?(salt|secret)"
)
# As variables of the environment are written: in bodies these words mean other things as well.
_VARIABLE = pattern(
    r"(^|_)(SALT|SIGNING|WEBHOOKS?|PASS(?!_?(COUNT|FAIL|FILTERS?|RATE|THROUGH|THRU)))(_|$)|"
    r"^(?!DESKTOP_|DBUS_|GNOME_|XDG_)(.*_)?SESSION(_?(COOKIE|DATA|HASH|ID))?$"
)
_CAMEL = pattern(r"(?<=[a-z0-9])(?=[A-Z])")
_INNOCENT = frozenset(
    {"mcp-session-id", "mcp-protocol-version", "authorization_endpoint", "progresstoken", "keys"}
)
# A default behind the name (`${NAME:-default}`) may be the secret itself.
_REFERENCE = pattern(r"\$\{(?:[A-Za-z_]\w{0,80}|(?:env|input|config|command|file):(?:(?!:-)[^{}]){1,200})\}")
_SCHEME = pattern(r"(?i)^(bearer|basic|token|apikey|digest)\s+(\S.*)$")
_HEADER = pattern(r"(?s)((?:-+[\w-]+=)?([A-Za-z][\w-]*):\s*)(\S.*)$")
_OPTION = pattern(r"-{0,2}[A-Za-z_][\w.-]*$")
_BEARER = pattern(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}")
_JSON_TOKEN = pattern(r'"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*')
_QUERY = pattern(r"([?&#;])([^=&#\s\"'<>]{1,200})=([^&#\s\"'<>]+)")
_USERINFO = pattern(r"(?i)\b([a-z][a-z0-9+.-]{0,40}://)([^/@\s\"'<>]{1,2000})@")


def is_secret_name(name: str) -> bool:
    """True for the name of a header, variable, query or JSON member whose value is a secret by custom."""
    if name in _NEVER:
        return False
    spaced = _CAMEL.sub("_", name)
    if spaced.lower() in _INNOCENT or name.lower() in _INNOCENT:
        return False
    return any(words.search(spaced) is not None for words in (_NAME, _PASS, _VARIABLE))


def is_reference(value: str) -> bool:
    """True for a value of a config that only says where the real one is, as `${NAME}` and `${input:id}` do."""
    return _REFERENCE.fullmatch(value) is not None


def names_a_place(name: str) -> bool:
    """True for a variable that names a folder, person or terminal: its value is no secret."""
    return name in _NEVER


def mask_url(url: str) -> str:
    """A URL without the password of its user part and without the values of secret query members."""

    def query(match: re.Match[str]) -> str:
        mark, name, value = match.groups()
        return f"{mark}{name}={MASK if is_secret_name(name) else value}"

    return _QUERY.sub(query, _USERINFO.sub(rf"\1{MASK}@", url))


def mask_named(name: str, value: str) -> str:
    """The value of a variable for show."""
    return MASK if value and is_secret_name(name) else mask_url(value)


def secrets_of_url(url: str) -> list[str]:
    """The values that `mask_url` masks, as they stand in the URL, and of its user part also the password."""
    members = (match.groups() for match in _QUERY.finditer(url))
    found = [value for _, name, value in members if is_secret_name(name)]
    for match in _USERINFO.finditer(url):
        found += filter(None, (match.group(2), match.group(2).partition(":")[2]))
    return found


def mask_args(args: Sequence[str]) -> list[str]:
    """Arguments of a command line without their secrets: what follows an option of a secret name (`--token=x`,
    `--token x`), variables (`TOKEN=x`) and headers (`Authorization: Bearer x`) of such a name, and those of URLs."""
    masked: list[str] = []
    option_before = False
    for arg in args:
        option, equals, value = arg.partition("=")
        header = _HEADER.match(arg)
        is_secret = is_secret_name(option.lstrip("-"))
        if option_before and not arg.startswith("-"):
            masked.append(mask_header(args[len(masked) - 1].lstrip("-"), arg))
        elif equals and value and is_secret and _OPTION.match(option):
            masked.append(f"{option}={MASK}")
        elif header is not None and is_secret_name(header.group(2)):
            start, name, value = header.groups()
            masked.append(f"{start}{mask_header(name, value)}")
        else:
            masked.append(mask_url(arg))
        option_before = arg.startswith("-") and is_secret and not equals
    return masked


def secrets_of_args(args: Sequence[str]) -> list[str]:
    """The values that `mask_args` masks."""
    found: list[str] = []
    for arg, masked in zip(args, mask_args(args), strict=True):
        if arg != masked:
            found += secrets_of_url(arg) if "://" in arg else [arg.removeprefix(masked.removesuffix(MASK))]
    return found


def mask_header(name: str, value: str) -> str:
    """The value of a header for show: the scheme of an authorization stays, its credentials go."""
    if not is_secret_name(name):
        return value
    scheme = _SCHEME.match(value)
    return f"{scheme.group(1)} {MASK}" if scheme else MASK


class Secrets:
    """The set of secret values known in this process, and the one function that hides them in any text."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values: set[str] = set()
        self._ordered: list[str] = []
        self._bytes: list[bytes] = []
        self._tokens: list[bytes] = []
        self.short: dict[str, None] = {}
        """Names of secrets that are too short to be looked for: what is so short turns up everywhere."""
        for value in values:
            self.add(value)

    def add(self, value: str, name: str = "") -> None:
        """Remembers a value, unless it is short, a path, a reference, or of a variable that names a place or person.

        Its spellings inside JSON strings, URLs, HTML, base64 and hex are remembered with it, and what in it is secret
        by itself: the lines of a key, the password of a URL, the members of JSON that go by a secret name.
        """
        value = value.strip()
        scheme = _SCHEME.match(value)
        if is_reference(scheme.group(2) if scheme else value):
            return
        if scheme:
            self.add(scheme.group(2))
            if scheme.group(1).lower() == "basic":
                self.add(_password(scheme.group(2)))
        if 0 < len(value) < _MIN_LENGTH and is_secret_name(name):
            self.short[name] = None
        if len(value) < _MIN_LENGTH or name in _NEVER or _is_path(value) or value.isspace():
            return
        if value in self._values:
            return
        self._values |= spellings(value)
        # The longest first: one may be the beginning of another.
        self._ordered = sorted(self._values, key=len, reverse=True)
        self._bytes = [raw for one in self._ordered for raw in encodings(one)]
        for part in (*secrets_of_url(value), *secret_parts(value, is_secret_name)):
            self.add(part)

    def add_token(self, value: str) -> None:
        """Remembers what a login is made of, which no traffic holds, whoever asks for secrets as they are. What is
        shorter than a token can be (RFC 6749, 10.10) is masked like any secret, and no more."""
        self.add(value)
        if len(value) >= _SHORTEST_TOKEN:
            known = {one.encode("utf-8", "surrogatepass") for one in spellings(value)}
            self._tokens = sorted(known.union(self._tokens), key=len, reverse=True)

    def add_headers(self, headers: Mapping[str, str]) -> None:
        """Remembers the values of headers that carry credentials."""
        for name, value in headers.items():
            if is_secret_name(name):
                self.add(value, name)

    def mask(self, text: str) -> str:
        """The text with every known value replaced by `***`, also where an ellipsis cuts it off."""
        # To look for each is many times faster than one pattern for all.
        for value in self._in(text):
            text = text.replace(value, MASK)
        if "…" not in text or not self._values:
            return text
        *parts, last = text.split("…")
        return "…".join([*map(self._without_beginning, parts), last])

    def _in(self, text: str) -> list[str]:
        return [value for value in self._ordered if value in text]

    def mask_json(self, text: str) -> str:
        """The same for JSON text, which stays JSON: a number that is a secret becomes the string `***`, and so does a
        value that is one as a whole."""
        if self.mask(text) == text:
            return text
        found = self._in(text)

        def hidden(text: str, by: str) -> str:
            for value in found:
                text = text.replace(value, by)
            return text

        def token(match: re.Match[str]) -> str:
            word = match.group()
            masked = self.mask(word) if "…" in word else hidden(word, MASK)
            # A value may begin or end in the middle of an escape.
            return masked if masked == word or (word[0] == '"' and _is_string(masked)) else f'"{MASK}"'

        return hidden(_JSON_TOKEN.sub(token, text), f'"{MASK}"')

    def mask_start(self, text: str) -> str:
        """The same for the beginning of a longer text: also hides a value that was cut off at its end."""
        text = self.mask(text)
        return text if text.endswith("…") else self._without_beginning(text)

    def _without_beginning(self, text: str) -> str:
        """The text without the beginning of a value that it ends with."""
        for value in self._values:
            at = text.find(value[:_CUT], max(0, len(text) - len(value)))
            while at >= 0:
                if value.startswith(text[at:]):
                    return text[:at] + MASK
                at = text.find(value[:_CUT], at + 1)
        return text

    def mask_bytes(self, raw: bytes) -> bytes:
        """The same for bytes; returns the very same object where nothing was found."""
        for value in self._bytes:
            if value in raw:
                raw = raw.replace(value, MASK.encode())
        return raw

    def without_tokens(self, raw: bytes) -> bytes:
        """Bytes without what `add_token` was told; the very same object where nothing was found."""
        for value in self._tokens:
            if value in raw:
                raw = raw.replace(value, MASK.encode())
        return raw

    def mask_message(self, text: str) -> str:
        """For texts of ours and of servers that may quote a request: known values, bearer tokens and URL secrets."""
        return mask_url(_BEARER.sub(rf"\1 {MASK}", self.mask(text)))


def _is_string(text: str) -> bool:
    """Whether it is one string of JSON, control characters aside."""
    try:
        return type(json.loads(text, strict=False)) is str
    except ValueError:
        return False


def _password(credentials: str) -> str:
    """The password in the credentials of Basic; empty where there is none."""
    try:
        return binascii.a2b_base64(credentials).decode("utf-8", "replace").partition(":")[2]
    except ValueError:
        return ""


def _is_path(value: str) -> bool:
    if "://" in value:
        return False
    return value.startswith(("/", "~/", "./", "../")) or re.match(r"^[A-Za-z]:[\\/]", value) is not None
