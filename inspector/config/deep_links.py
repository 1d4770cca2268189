"""Links that add a server to a client at a click: what is behind the button, without clicking it."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from inspector.base.patterns import pattern
from inspector.config.dialects import COMMON, CURSOR, GOOSE, KIRO, LMSTUDIO, VSCODE, Dialect
from inspector.config.jsonc import MAX_BYTES, Broken
from inspector.config.jsonc import parse as parse_json

_SCHEMES: Mapping[str, Dialect] = {
    "cursor": CURSOR,
    "vscode": VSCODE,
    "vscode-insiders": VSCODE,
    "vscodium": VSCODE,
    "lmstudio": LMSTUDIO,
    "kiro": KIRO,
    "goose": GOOSE,
    "cherrystudio": COMMON,
}
_PAGES: Mapping[str, tuple[str, Dialect]] = {
    "cursor.com": ("install-mcp", CURSOR),
    "www.cursor.com": ("install-mcp", CURSOR),
    "vscode.dev": ("redirect", VSCODE),
    "insiders.vscode.dev": ("redirect", VSCODE),
    "kiro.dev": ("mcp/add", KIRO),
    "lmstudio.ai": ("install-mcp", LMSTUDIO),
}
"""Pages that lead to such a link: a host, and what its path holds."""
_BASE64 = pattern(r"[A-Za-z0-9+/_\s-]+={0,2}\s*$")


class Link(NamedTuple):
    """`text` is the JSON of a config file that holds what the link would add."""

    text: str
    dialect: Dialect


def is_link(text: str) -> bool:
    """Whether this is a link that would add a server to some client."""
    parts = _split(text)
    return parts is not None and (parts.scheme in _SCHEMES or _page(parts) is not None)


def parse(text: str) -> Link:
    """Reads a link. Raises Broken."""
    parts = _split(text)
    dialect = _dialect(parts) if parts is not None else None
    if parts is None or dialect is None:
        raise Broken(f"no link of a client that is known: they begin with {', '.join(_SCHEMES)}")
    if len(text) > MAX_BYTES:
        raise Broken(f"the link has {len(text)} characters")
    given = dict(parse_qsl(parts.query.replace("+", "%2B"), keep_blank_values=True))
    if "url" in given and is_link(given["url"]):
        return parse(given["url"])
    if dialect is GOOSE:
        return Link(json.dumps({"extensions": _goose(parts)}), GOOSE)
    payload = (
        given.get("config")
        or given.get("servers")
        or (unquote(parts.query) if "{" in unquote(parts.query) else "")
    )
    if not payload:
        raise Broken("the link holds no config: nothing says what it would add")
    value = _payload(payload)
    asked = _payload(given["inputs"]) if given.get("inputs") else None
    return Link(json.dumps(_file(value, given.get("name"), asked, dialect)), dialect)


def _split(text: str) -> SplitResult | None:
    try:
        return urlsplit(text.strip())
    except ValueError:
        return None


def _page(parts: SplitResult) -> Dialect | None:
    part, dialect = _PAGES.get(parts.netloc.lower(), ("", COMMON))
    return dialect if parts.scheme in ("http", "https") and part and part in parts.path else None


def _dialect(parts: SplitResult) -> Dialect | None:
    return _SCHEMES.get(parts.scheme) or _page(parts)


def _payload(text: str) -> Any:
    """JSON, plain or in base64, of either alphabet and with or without padding."""
    body = text.strip()
    if not body.startswith(("{", "[", "%7B", "%5B")) and _BASE64.match(body):
        packed = "".join(body.split()).replace("-", "+").replace("_", "/").rstrip("=")
        try:
            body = base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError) as error:
            raise Broken(f"the config of the link is no base64 of a JSON text: {error}") from None
    try:
        return parse_json(unquote(body) if body.startswith("%") else body).value
    except Broken as broken:
        raise Broken(f"the config of the link is no JSON: {broken.message}") from None


def _file(value: Any, name: str | None, asked: Any, dialect: Dialect) -> dict[str, Any]:
    """What stands in a link, as the client's own file would hold it."""
    if not isinstance(value, dict):
        raise Broken("the config of the link is no object")
    root = dialect.roots[0][0]
    if isinstance(value.get(root), dict) or isinstance(value.get("mcpServers"), dict):
        return value
    entry = dict(value)
    inputs = entry.pop("inputs", asked)
    name = name or str(entry.pop("name", "") or "server")
    entry.pop("name", None)
    # Some pages give the entry as a map of one, or put a whole command line in its place.
    if name in entry and isinstance(entry[name], dict) and len(entry) == 1:
        entry = entry[name]
    file: dict[str, Any] = {root: {name: entry}}
    return file | ({"inputs": inputs} if isinstance(inputs, list) else {})


def _goose(parts: SplitResult) -> dict[str, Any]:
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    given = dict(pairs)
    name = given.get("name") or given.get("id") or "extension"
    if url := given.get("url"):
        headers = dict(value.split("=", 1) for key, value in pairs if key == "header" and "=" in value)
        return {name: {"type": given.get("type") or "streamable_http", "uri": url, "headers": headers}}
    if not given.get("cmd"):
        raise Broken("the link names neither a command (cmd) nor a url")
    args = [value for key, value in pairs if key == "arg"]
    keys = [value.partition("=")[0] for key, value in pairs if key == "env"]
    return {name: {"type": "stdio", "cmd": given["cmd"], "args": args, "env_keys": keys}}
