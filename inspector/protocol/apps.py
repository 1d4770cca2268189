"""MCP Apps: which page belongs to a tool, and what a page says that it needs (extension io.modelcontextprotocol/ui).

Whatever has another shape than it should is left out; the raw listing has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspector.base.patterns import pattern

SCHEME = "ui://"
_OLDER = "ui/resourceUri"
_PROFILE = pattern(r"""(?i)\s*text/html\s*;\s*profile\s*=\s*"?mcp-app"?\s*""")
_SOURCE = pattern(
    r"(?:(?:https?|wss?)://)?(?:\*\.)?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::(?:[0-9]{1,5}|\*))?/?"
)
_DOMAINS = ("connectDomains", "resourceDomains", "frameDomains", "baseUriDomains")
_MOST = 50
"""Domains of a kind, and words of any other list."""


@dataclass(frozen=True, slots=True)
class ToolPage:
    """`uri` of the page of a tool; `visibility` is who may call the tool, as sent: `model`, `app`; empty means both.
    `older` where the page is named in the way of before 2026."""

    uri: str | None
    visibility: tuple[str, ...] = ()
    older: bool = False


@dataclass(frozen=True, slots=True)
class Needs:
    """What a page declares. `domains` by the member of its `csp`; `permissions` it would like; `domain` is the origin
    that it would like to have. All foreign."""

    domains: Mapping[str, tuple[str, ...]]
    permissions: tuple[str, ...] = ()
    domain: str = ""
    border: bool | None = None


def is_app(mime: Any) -> bool:
    """Whether a media type is that of a page that belongs to tools."""
    return isinstance(mime, str) and _PROFILE.fullmatch(mime) is not None


def page_of(entry: Mapping[str, Any]) -> ToolPage | None:
    """What an entry of `tools/list` says of its page, in either spelling; None where it says nothing."""
    meta = entry.get("_meta")
    if not isinstance(meta, dict):
        return None
    own, older = meta.get("ui"), meta.get(_OLDER)
    own = own if isinstance(own, dict) else {}
    uri = own.get("resourceUri")
    named = uri if isinstance(uri, str) else older if isinstance(older, str) else None
    visibility = _words(own.get("visibility"))
    return (
        ToolPage(named, visibility, named is not None and named is not uri) if named or visibility else None
    )


def needs_of(*metas: Any) -> Needs | None:
    """Of the `_meta` of a resource, the first of those that say anything of it; None where none does."""
    for meta in metas:
        own = meta.get("ui") if isinstance(meta, dict) else None
        if isinstance(own, dict) and own:
            csp, asked = own.get("csp"), own.get("permissions")
            csp = csp if isinstance(csp, dict) else {}
            domain, border = own.get("domain"), own.get("prefersBorder")
            return Needs(
                {member: _words(csp.get(member)) for member in _DOMAINS},
                tuple(asked)[:_MOST] if isinstance(asked, dict) else (),
                domain if isinstance(domain, str) else "",
                border if isinstance(border, bool) else None,
            )
    return None


def policy(needs: Needs | None) -> str:
    """The Content-Security-Policy under which a page may run: boxed in, without an origin of its own, with the network
    that it declares and no other. What is no plain origin is left out."""
    sources = {
        member: " ".join(
            each for each in (needs.domains[member] if needs is not None else ()) if is_source(each)
        )
        for member in _DOMAINS
    }
    loads = sources["resourceDomains"]
    rules = {
        "sandbox": "allow-scripts allow-forms",
        "default-src": "'none'",
        "script-src": f"'unsafe-inline' {loads}",
        "style-src": f"'unsafe-inline' {loads}",
        "img-src": f"data: blob: {loads}",
        "media-src": f"data: blob: {loads}",
        "font-src": f"data: {loads}",
        "connect-src": sources["connectDomains"] or "'none'",
        "frame-src": sources["frameDomains"] or "'none'",
        "base-uri": sources["baseUriDomains"] or "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}".strip() for name, value in rules.items())


def is_source(domain: str) -> bool:
    """Whether it can stand in a policy as it is: an origin, its host with `*.` in front at the most."""
    return len(domain) <= 300 and _SOURCE.fullmatch(domain) is not None


def _words(value: Any) -> tuple[str, ...]:
    return tuple(word for word in value if isinstance(word, str))[:_MOST] if isinstance(value, list) else ()
