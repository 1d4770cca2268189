"""Takes secrets out of what is written to a recording: known values everywhere, and values by the name they
go by.

A row that holds none comes back as the very same object, so that a recording is byte for byte what was on the
wire but for the rows it marks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from inspector.base.errors import fail
from inspector.base.secrets import MASK, Secrets, is_secret_name, mask_args, mask_header, mask_url
from inspector.traffic.lines import HTTP, S2C, is_strict_line
from inspector.traffic.patterns import Pattern

RULES = (
    "known values: what came from variables, inputs and authorization headers",
    "by name: headers, environment, URL queries, JSON members with a text value",
    "session ids in URLs",
)

# A member whose value is text, as JSON and as JSON inside of a JSON string. Names with escapes are not looked at.
# The repetitions give nothing back (`+` behind them): no text makes them slow, and none makes them take memory.
_MEMBER = re.compile(rb'"([^"\\]{1,64})"\s{0,9}:\s{0,9}"((?:[^"\\]++|\\.)++)"', re.DOTALL)
_INNER = re.compile(
    rb'\\"([^"\\]{1,64})\\"\s{0,9}:\s{0,9}\\"((?:[^"\\]++|\\[^"\\]|\\\\(?:[^"\\]|\\.))++)\\"', re.DOTALL
)
# What OAuth passes on in URLs and forms (RFC 6749, 7636, 7523, 8628). In JSON these names mean other things.
_GRANT = re.compile(r"(?<![\w-])(code|code_verifier|device_code|client_assertion|assertion)=[\w.~%+-]{8,}+")
# Whoever has the address of a session can speak in it (2024-11-05), also where it stands in another URL or in JSON.
_SESSION_ID = (
    r"(?i)((?:[?&;#]|%3f|%26|\\u0026)(?:mcp[-_]?|j)?session[-_]?id(?:=|%3d))(?!\*\*\*)([^&#;\s\"'<>\\]+)"
)
_IN_TEXT, _IN_FRAME = re.compile(_SESSION_ID), re.compile(_SESSION_ID.encode())
_FORM = re.compile(r"[\w.%+-]++=[^&\s]*+(?:&[\w.%+-]++=[^&\s]*+)*+")


@lru_cache(4096)
def _is_secret(name: bytes) -> bool:
    # Bare `key` is a secret in a URL, but in bodies it is the member of a map, a record or a chord.
    return name.lower() != b"key" and is_secret_name(name.decode("utf-8", "replace"))


def _masked_member(match: re.Match[bytes]) -> bytes:
    name, value = match.groups()
    if not _is_secret(name):
        return match.group()
    masked = mask_header(name.decode("utf-8", "replace"), value.decode("utf-8", "surrogateescape"))
    start, end = match.start(2) - match.start(), match.end(2) - match.start()
    whole = match.group()
    return whole[:start] + masked.encode("utf-8", "surrogateescape") + whole[end:]


_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|-?\d[\d.eE+-]*+', re.DOTALL)


def _told_apart(match: re.Match[str]) -> str:
    """Each session has a mask of its own: by their addresses alone a proxy's sessions are told apart."""
    from hashlib import sha256  # late: it loads OpenSSL

    return f"{match[1]}{MASK}{sha256(match[2].encode('utf-8', 'surrogatepass')).hexdigest()[:6]}"


def patterns_of(expressions: Sequence[str]) -> tuple[Pattern, ...]:
    """The expressions of a person, each of which is masked wherever it is found. Raises Failed (config) naming the one
    that cannot be used: a recording that masks less than it was told to is none."""
    patterns = []
    for expression in expressions:
        hint = "correct it under redact in settings.json; mcp-inspect paths says where that is"
        try:
            pattern = Pattern(expression)
        except ValueError as error:
            raise fail(
                "config", f"the redaction pattern {expression!r} cannot be used: {error}", hint
            ) from error
        if pattern.found_in(b""):
            raise fail(
                "config", f"the redaction pattern {expression!r} matches everywhere, also nothing", hint
            )
        patterns.append(pattern)
    return tuple(patterns)


class Redaction:
    """The rules as applied to one recording. `patterns` are looked for in each string and number of JSON by itself, and
    in whole lines of everything else."""

    def __init__(self, secrets: Secrets | None = None, patterns: Sequence[Pattern] = ()) -> None:
        self._secrets = secrets if secrets is not None else Secrets()
        self._patterns = tuple(patterns)

    @property
    def rules(self) -> tuple[str, ...]:
        """For people; the patterns are not told, for they may be telling."""
        if not self._patterns:
            return RULES
        return (*RULES, f"{len(self._patterns)} patterns of the user")

    def row(self, channel: int, raw: bytes) -> bytes:
        """The bytes to be written for a row; the same object where nothing was changed."""
        if channel == HTTP:
            return self._part(raw)
        masked = self._secrets.mask_bytes(raw)
        if channel <= S2C:
            if masked is not raw:
                text = raw.decode("utf-8", "surrogateescape")
                masked = self._secrets.mask_json(text).encode("utf-8", "surrogateescape")
            if b'"' in masked:
                masked = self._members(masked)
        else:
            text = masked.decode("utf-8", "surrogateescape")
            masked = self._secrets.mask_message(text).encode("utf-8", "surrogateescape")
        # This look is many times faster than the expression, which few frames need.
        if b"ession" in masked or b"ESSION" in masked:
            masked = _IN_FRAME.sub(rb"\1" + MASK.encode(), masked)
        if self._patterns:
            masked = self._by_pattern(channel, masked)
        return masked if masked != raw else raw

    def _by_pattern(self, channel: int, raw: bytes) -> bytes:
        if channel > S2C:
            return self._found(raw)
        # Most frames hold nothing; without escapes in them that is seen at once.
        if b"\\" not in raw and not any(pattern.may_be_in_part_of(raw) for pattern in self._patterns):
            return raw
        return _TOKEN.sub(self._token, raw) if is_strict_line(raw.removesuffix(b"\r")) else self._found(raw)

    def _found(self, raw: bytes) -> bytes:
        for pattern in self._patterns:
            raw = pattern.masked(raw, MASK.encode())
        return raw

    def _token(self, match: re.Match[bytes]) -> bytes:
        """A string or number of JSON, which is JSON afterwards."""
        token = match.group()
        if token[:1] != b'"':
            return token if self._found(token) is token else b'"%s"' % MASK.encode()
        if b"\\" not in token:
            return b'"%s"' % self._found(token[1:-1])
        value = json.loads(token).encode("utf-8", "surrogatepass")
        masked = self._found(value)
        return token if masked is value else json.dumps(masked.decode("utf-8", "surrogatepass")).encode()

    def _plain(self, text: str) -> str:
        text = _GRANT.sub(rf"\1={MASK}", self._secrets.mask_message(text))
        text = _IN_TEXT.sub(_told_apart, text)
        if not self._patterns:
            return text
        return self._found(text.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")

    def _members(self, raw: bytes) -> bytes:
        masked = _MEMBER.sub(_masked_member, raw)
        if b'\\"' in raw:
            masked = _INNER.sub(_masked_member, masked)
        return masked

    def _part(self, raw: bytes) -> bytes:
        """A part of an HTTP exchange; these are written by us, so they can be read and written again."""
        try:
            part = json.loads(raw)
        except (ValueError, RecursionError):
            return self._secrets.mask_bytes(raw)
        masked = self._value(part)
        return raw if masked == part else json.dumps(masked, separators=(",", ":")).encode()

    def facts(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """The facts of a session: command line, URL, environment, headers."""
        masked = self._value(dict(facts))
        return masked if type(masked) is dict else {}

    def _value(self, value: Any, name: str = "") -> Any:
        if isinstance(value, str):
            return self._text(value, name)
        if isinstance(value, Mapping):
            return {str(key): self._value(member, str(key)) for key, member in value.items()}
        if isinstance(value, list | tuple):
            if all(isinstance(item, str) for item in value):
                return self._words(list(value))
            return [self._value(item) for item in value]
        return value

    def _text(self, text: str, name: str) -> str:
        if name and text and is_secret_name(name):
            return mask_header(name, text)
        if name == "body":
            text = self._members(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")
            if _FORM.fullmatch(text):
                text = mask_url("?" + self._secrets.mask(text))[1:]
        return self._plain(text)

    def _words(self, words: list[str]) -> list[str]:
        """A command line, or a header as (name, value)."""
        if len(words) == 2 and is_secret_name(words[0]):
            return [words[0], mask_header(words[0], words[1])]
        return [self._plain(word) for word in mask_args(words)]
