"""How one secret is written where it turns up: inside JSON, URLs, HTML, base64 and hex; and what in it is secret."""

from __future__ import annotations

import binascii
import json
import re
from collections.abc import Callable, Iterator

from inspector.base.patterns import pattern

_LAYERS = 3
_SHORTEST_LINE = 16
_DEEPEST = 20
_ESCAPE = pattern(r"%[0-9A-F]{2}")
_PAIR = pattern(r"([A-Za-z][\w .-]{0,40}?)\s*=\s*([^\s;,&\"']+)")


def spellings(value: str) -> set[str]:
    """The value as JSON in up to three layers of strings, URLs in two, HTML, base64 and hex write it."""
    import html
    from urllib.parse import quote, quote_plus

    found = {value}
    plain = json.dumps(value, ensure_ascii=False)[1:-1]
    # Some escape what stands for something in HTML, some the slash, most what is not ASCII.
    tags = re.sub("[<>&]", lambda char: f"\\u{ord(char.group()):04x}", plain)
    for text in {plain, json.dumps(value)[1:-1], plain.replace("/", "\\/"), tags}:
        for _ in range(_LAYERS):
            found.add(text)
            text = json.dumps(text, ensure_ascii=False)[1:-1]
    escaped = html.escape(value)
    found |= {
        escaped,
        html.escape(value, quote=False),
        escaped.replace("&#x27;", "&#39;").replace("&quot;", "&#34;"),
    }
    for raw in encodings(value):
        urls = {quote(raw, safe=safe) for safe in ("", "/", "!'()*")} | {
            quote_plus(raw),
            quote(quote(raw, safe=""), safe=""),
        }
        found |= urls | {_ESCAPE.sub(lambda code: code.group().lower(), url) for url in urls}
        found |= {raw.hex(), raw.hex().upper()}
        for core in _base64_cores(raw):
            found |= {core, core.replace("+", "-").replace("/", "_"), quote(core, safe="")}
    return found


def encodings(text: str) -> set[bytes]:
    """The text as bytes: as JSON spells it, and where it stands for bytes that are no UTF-8, as a variable of the
    environment may hold them, these."""
    found = {text.encode("utf-8", "surrogatepass")}
    try:
        return found | {text.encode("utf-8", "surrogateescape")}
    except UnicodeEncodeError:
        return found


def _base64_cores(raw: bytes) -> list[str]:
    """What base64 makes of the bytes wherever they stand in a longer text (as the password of `name:password` does),
    without the characters that depend on what stands next to them."""
    cores = []
    for before in range(3):
        text = binascii.b2a_base64(bytes(before) + raw, newline=False).decode().rstrip("=")
        whole = (before + len(raw)) * 8 // 6
        cores.append(text[-(-before * 8 // 6) : whole])
    return cores


def secret_parts(value: str, is_secret_name: Callable[[str], bool]) -> Iterator[str]:
    """What in a secret is secret by itself: the lines of a key, the members of JSON and of `Name=value;...` that go by
    a secret name."""
    lines = value.splitlines()
    if len(lines) > 1:
        yield from (line for line in lines if len(line) >= _SHORTEST_LINE and not line.startswith("-----"))
    if value[:1] in ("{", "["):
        try:
            yield from _members(json.loads(value), is_secret_name, _DEEPEST)
        except (ValueError, RecursionError):
            return
    elif "=" in value:
        yield from (part for name, part in _PAIR.findall(value) if is_secret_name(name.strip()))


def _members(value: object, is_secret_name: Callable[[str], bool], deepest: int) -> Iterator[str]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in inner:
        if isinstance(member, str):
            if is_secret_name(str(name)):
                yield member
        elif deepest:
            yield from _members(member, is_secret_name, deepest - 1)
