"""HTTP 401 and 403: the challenges of the server, and what would let us in (RFC 9110, 11.6.1)."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection
from dataclasses import dataclass, field

from inspector.base.errors import Failure
from inspector.base.patterns import pattern
from inspector.base.text import clip, decode

_LONGEST = 8000
_PART = pattern(r'(?:"(?:[^"\\]|\\.)*"?|[^",])+')
_FIELD = pattern(r'([A-Za-z_][\w.-]*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^\s"]+))\s*$')
_UNQUOTE = pattern(r"\\(.)")
_SCHEME = pattern(r"([A-Za-z][\w.-]*)(?:\s+(.*))?$")
_HEADER_NAME = pattern(
    r"(?i)\b(x-[a-z0-9]+(?:-[a-z0-9]+){0,4})\b|\b([a-z][a-z0-9]*(?:-[a-z0-9]+){1,4})[`'\"]? header|"
    r"\bheader[: ]+[`'\"]?([a-z][a-z0-9]*(?:-[a-z0-9]+){1,4})"
)
_QUERY_NAME = pattern(
    r"(?i)\bquery (?:parameter|param|string)[: ]+[`'\"]?([a-z][\w-]{1,40})|[?&]([a-z][\w-]{1,40})="
)
_BROWSER_CHECK = pattern(r"(?i)just a moment|attention required|captcha|enable javascript and cookies")
_ORIGIN_WORDS = pattern(r"(?i)\b(?:origin|host)\b")
_NOT_SPOKEN = frozenset({"negotiate", "ntlm", "kerberos", "digest", "hoba", "mutual", "scram-sha-256"})


@dataclass(slots=True)
class Challenge:
    """One scheme that a server takes, with its parameters; their names are in lower case."""

    scheme: str
    fields: dict[str, str] = field(default_factory=dict)


def challenges(header: str) -> list[Challenge]:
    """Those of `WWW-Authenticate`, in its order. What is no challenge is passed over; parameters without a scheme
    before them get an empty one."""
    found: list[Challenge] = []
    for part in _PART.findall(header[:_LONGEST]):
        part = part.strip()
        named = _FIELD.match(part)
        if named is None and (scheme := _SCHEME.match(part)):
            found.append(Challenge(scheme.group(1)))
            named = _FIELD.match(scheme.group(2) or "")
        if named is not None:
            if not found:
                found.append(Challenge(""))
            name, quoted, plain = named.groups()
            found[-1].fields[name.lower()] = plain or _UNQUOTE.sub(r"\1", quoted or "")
    return found


def auth_failure(
    url: str,
    status: int,
    headers: dict[str, str],
    said: str,
    body: bytes,
    sent: Collection[str],
    *,
    logs_in: bool,
) -> Failure:
    """The failure of a 401 or 403. `headers` are those of the answer, with lower names; `said` is the body in short,
    `sent` the names of the headers of the request; where `logs_in`, an Authorization among them is of a
    login of ours."""
    login = f"mcp-inspect auth {shlex.quote(url)}"
    asked = challenges(headers.get("www-authenticate", ""))
    fields = {name: value for challenge in reversed(asked) for name, value in challenge.fields.items()}
    schemes = [clip(challenge.scheme, 40) for challenge in asked if challenge.scheme]
    if any(challenge.scheme.lower() == "dpop" for challenge in asked):
        fields["scheme"] = "DPoP"
    reason = fields.get("error_description") or fields.get("error") or said
    message = f"HTTP {status}" + (f" ({', '.join(schemes[:5])})" if schemes else "")
    message += f": {reason}" if reason else ""
    text = decode(body[:5000])
    if status == 401:
        hint = _way_in(schemes, fields, text, login)
        authorized = any(name.lower() == "authorization" for name in sent)
        if authorized and logs_in:
            hint = f"our login to it has ended, or is not accepted any more: log in again with {login}"
        elif authorized:
            hint = f"the Authorization that was sent is not accepted, and may have ended: renew it, or else {hint}"
    elif scope := fields.get("scope"):
        hint = f"the token lacks a scope; wanted: {scope}; {login} asks for it"
    elif _BROWSER_CHECK.search(text) or "cf-mitigated" in headers:
        hint = "a gateway in front wants to see a browser: ask its owner to let programs through to this path"
    elif _ORIGIN_WORDS.search(text):
        hint = "the server refuses the name it was reached by: use the one that it expects, or add this one to its list"
    else:
        hint = "the token is not allowed this, or the server refuses this Host or Origin"
    return Failure(kind="auth", message=message, hint=hint, http_status=status, data=fields or None)


def _way_in(schemes: list[str], fields: dict[str, str], text: str, login: str) -> str:
    known = {scheme.lower() for scheme in schemes}
    hint = "send a token with --header 'Authorization: Bearer ...'"
    if "dpop" in known:
        hint = f"log in with {login}, for a token that is bound to a key (DPoP)"
    elif known and "bearer" not in known:
        if "basic" in known:
            hint = "send a name and password with --header 'Authorization: Basic BASE64', of name:password"
        elif known <= _NOT_SPOKEN:
            hint = (
                f"{schemes[0]} is not spoken here: ask its owner for a token, or for a way in without a login"
            )
        else:
            hint = f"send --header 'Authorization: {schemes[0]} ...'"
    elif not known and (header := _first(_HEADER_NAME, text)):
        hint = f"its words name a header: send --header '{header}: ...'"
        return hint
    elif not known and (name := _first(_QUERY_NAME, text)):
        hint = f"its words name a part of the URL: add {name} and its value to that, behind a ?"
        return hint
    if not known or "bearer" in known:
        hint += f", or log in with {login}"
    if "resource_metadata" in fields:
        hint += f"; its metadata is at {fields['resource_metadata']}"
    return hint


def _first(words: re.Pattern[str], text: str) -> str | None:
    found = words.search(text)
    return next(filter(None, found.groups()), None) if found else None
