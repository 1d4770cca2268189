"""What HTTP answers, and the steps of a login, say about authorization."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from inspector.base.text import clip, quoted
from inspector.check.rules import MODERN, V03, V06, V07, V11, Findings, Found, Level, also, rule
from inspector.check.talk import Talk, Trip, items, members, url_parts
from inspector.transports.challenges import Challenge, challenges

_RESOURCE, _SERVERS = (
    "/.well-known/oauth-protected-resource",
    ("oauth-authorization-server", "openid-configuration"),
)
_PAGE = "basic/authorization"
_DISCOVERY = f"{_PAGE}/authorization-server-discovery"
_REGISTRATION = f"{_PAGE}/client-registration#application-type-and-redirect-uri-constraints"
_REDIRECTS = (301, 302, 303, 307, 308)
_MOST = 100


def _bearer(trip: Trip) -> Challenge | None:
    found = challenges(trip.header("www-authenticate") or "")
    return next((each for each in found if each.scheme.lower() == "bearer"), None)


@rule(
    "O01",
    "error",
    (V06, V11, V07),
    "2025-11-25/basic/authorization#protected-resource-metadata-discovery-requirements",
    on="exchange",
)
def no_challenge(trip: Trip, talk: Talk) -> Findings:
    """Status 401 comes without a challenge, or without `resource_metadata`."""
    if trip.exchange.status != 401 or not trip.posted:
        return
    bearer, old = _bearer(trip), trip.posted[0].version == V06
    if trip.header("www-authenticate") is None:
        # Later versions leave it to HTTP (RFC 9110, 15.5.2), and have well-known places besides.
        yield Found("status 401 has no WWW-Authenticate", level=None if old else "warning")
    elif bearer is not None and "resource_metadata" not in bearer.fields and old:
        yield "the challenge has no resource_metadata"
    if bearer is not None and "resource_metadata" in bearer.fields:
        _named(talk).add(bearer.fields["resource_metadata"])
    else:
        _login(talk).unnamed = trip.row


def _named(talk: Talk) -> set[str]:
    """Where challenges of the server say that the metadata of the resource are."""
    return talk.known("resource_metadata", set)


@also("O01", on="end")
def nowhere(talk: Talk) -> Findings:
    login = _login(talk)
    if login.unnamed is not None and login.lost and not login.named:
        told = "status 401 names no resource_metadata, and where they may be there are none"
        yield Found(told, "", (login.unnamed, *login.lost))


@rule("O06", "warning", (V11, V07), "basic/authorization#runtime-insufficient-scope-errors", on="exchange")
def mute_refusal(trip: Trip, talk: Talk) -> Findings:
    """Status 403 does not say which scope is lacking."""
    if trip.exchange.status != 403 or trip.said("authorization") is None or not trip.posted:
        return
    bearer = _bearer(trip)
    if bearer is None or bearer.fields.get("error") != "insufficient_scope" or "scope" not in bearer.fields:
        yield 'status 403 has no challenge with error="insufficient_scope" and scope'


@rule("O07", "warning", MODERN, "basic/authorization", on="exchange")
def offline_access(trip: Trip, talk: Talk) -> Findings:
    """A challenge asks for the scope `offline_access`."""
    bearer = _bearer(trip)
    if bearer is not None and "offline_access" in bearer.fields.get("scope", "").split():
        yield "the challenge asks for offline_access, which is the client's affair"


@rule("O08", "error", (V03, V06, V11, V07), f"{_PAGE}#token-requirements", on="exchange")
def token_in_url(trip: Trip, talk: Talk) -> Findings:
    """The client sends a token in a URL."""
    try:
        names = {name for name, _ in parse_qsl(urlsplit(trip.exchange.url).query)}
    except ValueError:
        return
    if "access_token" in names:
        yield "the client sends access_token in the query of the URL"


@dataclass(slots=True)
class _Login:
    """What the exchanges of a login told so far: the authorization servers that were named, where their metadata was
    looked for in vain, the metadata by issuer."""

    unnamed: int | None = None
    """The row of a refusal that did not say where the metadata of the resource are."""
    lost: list[int] = field(default_factory=list)
    """Rows of those that were asked for in vain."""
    named: list[str] = field(default_factory=list)
    missed: set[str] = field(default_factory=set)
    metadata: dict[str, Mapping[str, Any]] = field(default_factory=dict)


def _login(talk: Talk) -> _Login:
    return talk.kept("login", _Login)


def _document(trip: Trip) -> Mapping[str, Any]:
    """The JSON object that came."""
    if trip.came:
        return members(trip.came[0].message.value)
    try:
        return members(json.loads(trip.exchange.body))
    except (ValueError, RecursionError):
        return {}


def _of_server(trip: Trip) -> bool:
    """Whether the metadata of an authorization server was asked for."""
    path = url_parts(trip.exchange.url).path
    return trip.exchange.method == "GET" and any(f"/.well-known/{name}" in path for name in _SERVERS)


def _got(trip: Trip) -> bool:
    return trip.exchange.status == 200 and bool(_document(trip))


def _places(issuer: str) -> set[str]:
    from inspector.auth.discovery import server_locations

    try:
        return {url for url, _ in server_locations(issuer)}
    except ValueError:
        return set()


@rule("O02", "error", (V06, V11, V07), f"{_DISCOVERY}#authorization-server-location", on="exchange")
def poor_resource(trip: Trip, talk: Talk) -> Findings:
    """The metadata of the protected resource name no authorization server, or are about another resource."""
    url = trip.exchange.url
    if trip.exchange.method != "GET" or not (
        url_parts(url).path.startswith(_RESOURCE) or url in _named(talk)
    ):
        return
    if not _got(trip):
        _login(talk).lost += [trip.row][: _MOST - len(_login(talk).lost)]
        return
    document = _document(trip)
    named = [each for each in items(document.get("authorization_servers")) if isinstance(each, str)]
    _login(talk).named += named[: _MOST - len(_login(talk).named)]
    if not named:
        yield Found("the metadata have no list authorization_servers with a server in it")
    resource = document.get("resource")
    if not isinstance(resource, str) or (talk.url and not _covers(resource, talk.url)):
        yield Found(
            f"the metadata are about the resource {quoted(resource, 80)}, and not about {clip(talk.url, 80)}"
        )


def _covers(resource: str, url: str) -> bool:
    from inspector.auth.discovery import covers

    return covers(resource, url)


@rule("O03", "error", (V11, V07), f"{_DISCOVERY}#authorization-server-metadata-discovery", on="exchange")
def other_issuer(trip: Trip, talk: Talk) -> Findings:
    """The metadata of an authorization server are nowhere, or name another issuer."""
    login = _login(talk)
    if not _of_server(trip):
        return
    if not _got(trip):
        if len(login.missed) < _MOST:
            login.missed.add(trip.exchange.url)
        return
    document = _document(trip)
    issuer = document.get("issuer")
    meant = [each for each in login.named if trip.exchange.url in _places(each)]
    for each in meant or ([issuer] if isinstance(issuer, str) else []):
        if len(login.metadata) < _MOST:
            login.metadata[each] = document
    if meant and issuer not in meant:
        slash = isinstance(issuer, str) and issuer.rstrip("/") in [each.rstrip("/") for each in meant]
        level: Level | None = "warning" if slash and talk.version != V07 else None
        yield Found(f"the issuer is {quoted(issuer, 80)}, and {clip(meant[0], 80)} was asked", level=level)


@also("O03", on="end")
def no_metadata(talk: Talk) -> Findings:
    login = _login(talk)
    for issuer in dict.fromkeys(login.named):
        if (places := _places(issuer)) and places <= login.missed:
            yield f"{clip(issuer, 80)} has its metadata at none of the {len(places)} places where they may be"


@rule("O04", "error", (V11, V07), f"{_PAGE}/security-considerations", on="exchange")
def no_pkce(trip: Trip, talk: Talk) -> Findings:
    """The metadata of an authorization server do not say that it takes PKCE with S256."""
    if _of_server(trip) and _got(trip):
        methods = _document(trip).get("code_challenge_methods_supported")
        if not isinstance(methods, list):
            yield "the metadata have no code_challenge_methods_supported: clients must go no further"
        elif "S256" not in methods:
            yield f"code_challenge_methods_supported is {quoted(methods, 80)}, without S256"


@rule("O05", "error", MODERN, f"{_PAGE}#authorization-response-validation", on="exchange")
def other_sender(trip: Trip, talk: Talk) -> Findings:
    """The answer of an authorization server has the `iss` of another, or none though it says that it has."""
    came = dict(parse_qsl(url_parts(trip.header("location") or "").query)) if _redirects(trip) else {}
    if "state" not in came or not came.keys() & {"code", "error"}:
        return
    for issuer, metadata in _login(talk).metadata.items():
        endpoint = metadata.get("authorization_endpoint")
        if not isinstance(endpoint, str) or trip.exchange.url.partition("?")[0] != endpoint.partition("?")[0]:
            continue
        if "iss" in came and came["iss"] != issuer:
            yield f"iss is {clip(came['iss'], 80)}, and {clip(issuer, 80)} was asked"
        elif "iss" not in came and metadata.get("authorization_response_iss_parameter_supported") is True:
            yield "the answer has no iss, and the metadata promise one"


def _redirects(trip: Trip) -> bool:
    return trip.exchange.status in _REDIRECTS


@rule(
    "O09",
    "info",
    MODERN,
    _REGISTRATION,
    on="exchange",
)
def odd_registration(trip: Trip, talk: Talk) -> Findings:
    """A registration of a native client is refused for its redirect to loopback, or made for another kind of client."""
    endpoints = [each.get("registration_endpoint") for each in _login(talk).metadata.values()]
    if trip.exchange.method != "POST" or trip.exchange.url not in endpoints:
        return
    asked, answer = _registration(trip), _document(trip)
    kind = asked.get("application_type")
    uris = [each for each in items(asked.get("redirect_uris")) if isinstance(each, str)]
    refused = (trip.exchange.status or 0) >= 400
    from inspector.transports._http import is_loopback

    if refused and answer.get("error") == "invalid_redirect_uri" and any(map(is_loopback, uris)):
        yield "the registration is refused for its redirect to this machine, which native clients need"
    elif not refused and kind is not None and answer.get("application_type") != kind:
        said = quoted(answer.get("application_type"), 40)
        yield f"application_type was {quoted(kind, 40)}, and the answer says {said}"


def _registration(trip: Trip) -> Mapping[str, Any]:
    """What a client asked to be registered as."""
    if trip.posted:
        return members(trip.posted[0].message.value)
    sent: Iterator[str] = (value for _, name, value in trip.exchange.events if name == "body sent")
    try:
        return members(json.loads(next(sent, "")))
    except (ValueError, RecursionError):
        return {}
