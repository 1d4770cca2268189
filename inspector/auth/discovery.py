"""Where to log in: the metadata of the protected resource (RFC 9728), then that of its authorization server (RFC 8414,
OpenID Connect Discovery), looked for at every place that a version of MCP names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from inspector.auth.kept import canonical
from inspector.auth.places import is_web_address
from inspector.auth.timeline import Timeline
from inspector.auth.web import Web
from inspector.base.errors import Failed, fail
from inspector.base.text import clip, quoted
from inspector.transports.http_failures import origin

FIRST = "2025-03-26"
"""The version that has no metadata of resources."""
_MODERN = "2026-07-28"


@dataclass(slots=True)
class Resource:
    """What is known of the server as a protected resource. `metadata` is None where it serves none; `resource` is what
    tokens are asked for (RFC 8707)."""

    resource: str
    metadata: dict[str, Any] | None = None

    @property
    def issuers(self) -> list[str]:
        return texts((self.metadata or {}).get("authorization_servers"))

    @property
    def scopes(self) -> list[str]:
        return texts((self.metadata or {}).get("scopes_supported"))


@dataclass(slots=True)
class AuthorizationServer:
    """Endpoints as its metadata names them, or those of 2025-03-26 where it has none (`metadata` is None)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    registration_endpoint: str | None
    metadata: dict[str, Any] | None = field(default=None)

    def lists(self, member: str) -> list[str] | None:
        """A list of its metadata; None where it does not say."""
        value = (self.metadata or {}).get(member)
        return texts(value) if isinstance(value, list) else None

    def says(self, member: str) -> bool:
        return (self.metadata or {}).get(member) is True


def texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def resource_locations(url: str, challenge: Mapping[str, str]) -> list[tuple[str, str]]:
    """URLs with the rule that each comes from, in the order they are tried."""
    place, path = _parts(url)
    well_known = "/.well-known/oauth-protected-resource"
    found = [(f"{place}{well_known}{path}", "RFC 9728, 3.1; MCP 2025-11-25: at the path of the server")]
    if path:
        found.append((f"{place}{well_known}", "MCP 2025-11-25: at the root"))
    if named := challenge.get("resource_metadata"):
        found = [one for one in found if one[0] != named]
        found.insert(0, (named, "RFC 9728, 5.1: resource_metadata of the challenge"))
    return found


def server_locations(issuer: str) -> list[tuple[str, str]]:
    """The same for the metadata of an authorization server."""
    place, path = _parts(issuer)
    oauth, oidc = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
    found = [
        (f"{place}{oauth}{path}", "RFC 8414, 3.1" + (": path behind the well-known part" if path else "")),
        (f"{place}{oidc}{path}", "OpenID Connect Discovery" + (", path as RFC 8414 puts it" if path else "")),
    ]
    if path:
        found.append((f"{place}{path}{oidc}", "OpenID Connect Discovery, 4: path before the well-known part"))
    return found


async def find_resource(url: str, challenge: Mapping[str, str], web: Web, timeline: Timeline) -> Resource:
    """Raises Failed (auth) where the metadata is about another resource."""
    for location, rule in resource_locations(url, challenge):
        with timeline.step(f"GET {location}", rule) as step:
            try:
                answer = await web.get(location, "the metadata of the protected resource")
            except Failed as failed:
                if failed.failure.kind == "auth":
                    raise
                step.ok, step.outcome = False, failed.failure.message
                continue
            step.exchange, step.outcome = answer.exchange, answer.told()
            metadata = answer.object() if answer.ok else None
            if metadata is None:
                step.ok = False
                step.why = "no JSON object" if answer.ok else "the next place is tried"
                continue
            named = metadata.get("resource")
            if not isinstance(named, str) or not covers(named, url):
                step.outcome += f", resource {clip(repr(named), 200)}"
                raise fail(
                    "auth",
                    f"the metadata at {location} is about the resource {clip(repr(named), 200)}, not about {url}",
                    "its owner has to name this server there; a token for another one is not asked for (RFC 9728, 3.3)",
                )
            found = Resource(named, metadata)
            if not found.issuers:
                step.ok, step.why = False, "it names no authorization_servers"
                continue
            step.why = f"it names {', '.join(found.issuers[:5])}"
            return found
    return Resource(canonical(url))


async def find_server(issuer: str, web: Web, timeline: Timeline, version: str | None) -> AuthorizationServer:
    """Raises Failed (auth) where no place has metadata that can be used."""
    if not is_web_address(issuer):
        raise fail(
            "auth",
            f"the authorization server is {quoted(issuer, 200)}, which is no http or https address",
            "its owner has to correct authorization_servers in the metadata of the resource",
        )
    tried = []
    for location, rule in server_locations(issuer):
        server = await _server_at(location, rule, issuer, web, timeline, version)
        if isinstance(server, AuthorizationServer):
            return server
        tried.append(f"{location} ({server})")
    raise fail(
        "auth",
        f"the authorization server {issuer} has no metadata that can be used: {'; '.join(tried)}",
        "its owner has to serve it at one of these places, with its own issuer in it (RFC 8414, 3)",
    )


async def find_server_of_old(url: str, web: Web, timeline: Timeline) -> AuthorizationServer:
    """As 2025-03-26 has it: the MCP server is its own authorization server, at its root, with endpoints of usual names
    where it has no metadata. Never raises Failed for metadata that is not there."""
    place = _parts(url)[0]
    rule = f"MCP {FIRST}: the root of the server"
    found = await _server_at(
        f"{place}/.well-known/oauth-authorization-server", rule, place, web, timeline, FIRST
    )
    if isinstance(found, AuthorizationServer):
        return found
    timeline.say(
        "default endpoints",
        f"{place}/authorize, /token and /register",
        why="there is no metadata at all, so these are what is left",
        spec=f"MCP {FIRST}: fallbacks for servers without metadata discovery",
    )
    return AuthorizationServer(place, f"{place}/authorize", f"{place}/token", f"{place}/register")


async def _server_at(
    location: str, rule: str, issuer: str, web: Web, timeline: Timeline, version: str | None
) -> AuthorizationServer | str:
    """What is served there; else why it is of no use."""
    with timeline.step(f"GET {location}", rule) as step:
        try:
            answer = await web.get(location, "the metadata of the authorization server")
        except Failed as failed:
            if failed.failure.kind == "auth":
                raise
            step.ok, step.outcome = False, failed.failure.message
            return failed.failure.message
        step.exchange, step.outcome = answer.exchange, answer.told()
        metadata = answer.object() if answer.ok else None
        why = (
            answer.told() + (", no JSON object" if answer.ok else "")
            if metadata is None
            else _wrong(metadata, issuer, version)
        )
        if why or metadata is None:
            step.ok, step.why = False, why
            return why
        if metadata["issuer"] != issuer:
            step.why = f"its issuer is {clip(metadata['issuer'], 200)}; since {_MODERN} that must be {issuer} exactly"
        registration = metadata.get("registration_endpoint")
        return AuthorizationServer(
            metadata["issuer"],
            metadata["authorization_endpoint"],
            metadata["token_endpoint"],
            registration if isinstance(registration, str) else None,
            metadata,
        )


def _wrong(metadata: dict[str, Any], issuer: str, version: str | None) -> str:
    """Why metadata cannot be used; empty where it can."""
    named = metadata.get("issuer")
    if not isinstance(named, str):
        return "it names no issuer (RFC 8414, 2)"
    same = named == issuer or (version != _MODERN and named.rstrip("/") == issuer.rstrip("/"))
    if not same and version != FIRST:
        return f"its issuer is {quoted(named, 200)}, not {quoted(issuer, 200)} (RFC 8414, 3.3)"
    grants = metadata.get("grant_types_supported")
    if "authorization_endpoint" not in metadata and grants and "authorization_code" not in texts(grants):
        metadata["authorization_endpoint"] = ""
    for member in ("authorization_endpoint", "token_endpoint"):
        if not isinstance(metadata.get(member), str):
            return f"it names no {member} (RFC 8414, 2)"
    return ""


def covers(resource: str, url: str) -> bool:
    """Whether a resource is the server at the URL, or what it lies beneath."""
    try:
        if origin(canonical(resource)) != origin(canonical(url)):
            return False
    except ValueError:
        return False
    above, path = urlsplit(resource).path.rstrip("/"), urlsplit(url).path
    return path.rstrip("/") == above or path.startswith(f"{above}/")


def _parts(url: str) -> tuple[str, str]:
    """Scheme with host and port as they are written, and the path without a slash at its end."""
    parts = urlsplit(canonical(url))
    return f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
