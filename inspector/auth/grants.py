"""Grants that need nobody at a browser: for the client in its own name, or for whom somebody else vouches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from inspector.auth.timeline import Timeline
from inspector.auth.web import Web
from inspector.base.errors import fail
from inspector.config.oauth import OAuth

_JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
_ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token"
_ID_JAG = "urn:ietf:params:oauth:token-type:id-jag"


@dataclass(frozen=True, slots=True, repr=False)
class Grant:
    """What the token endpoint is sent, and where the rule stands."""

    fields: dict[str, str]
    spec: str


async def grant_of(
    settings: OAuth,
    environment: Mapping[str, str],
    issuer: str,
    resource: str | None,
    web: Web,
    timeline: Timeline,
) -> Grant:
    """The one that the settings name, for a token of the issuer. Raises Failed: config, auth (no identity provider
    answers)."""
    if settings.grant == "client_credentials":
        return Grant({"grant_type": "client_credentials"}, "RFC 6749, 4.4.2")
    if settings.id_token_variable is None:
        assertion, spec = _variable(settings.assertion_variable, "assertionVariable", environment), "SEP-1933"
    else:
        assertion, spec = await _exchanged(settings, environment, issuer, resource, web, timeline), "SEP-990"
    return Grant({"grant_type": _JWT_BEARER, "assertion": assertion}, f"RFC 7523, 2.1; {spec}")


async def _exchanged(
    settings: OAuth,
    environment: Mapping[str, str],
    issuer: str,
    resource: str | None,
    web: Web,
    timeline: Timeline,
) -> str:
    """What the identity provider of a company gives for the id token of a person: an assertion for the issuer."""
    endpoint = settings.idp_token_endpoint
    if endpoint is None:
        raise fail(
            "config",
            "idTokenVariable needs idpTokenEndpoint beside it",
            "add it in settings.json, under oauth",
        )
    fields = {
        "grant_type": _EXCHANGE,
        "requested_token_type": _ID_JAG,
        "audience": issuer,
        "subject_token": _variable(settings.id_token_variable, "idTokenVariable", environment),
        "subject_token_type": _ID_TOKEN,
    }
    if resource is not None:
        fields["resource"] = resource
    if settings.idp_client_id is not None:
        fields["client_id"] = settings.idp_client_id
    with timeline.step(f"POST {endpoint} (token exchange)", "RFC 8693, 2.1; SEP-990") as step:
        answer = await web.post_form(endpoint, "the token endpoint of the identity provider", fields, {})
        step.exchange, step.outcome = answer.exchange, answer.told()
        value = answer.object() if answer.ok else None
        given = value.get("access_token") if value is not None else None
        if not isinstance(given, str):
            raise fail(
                "auth",
                f"the identity provider at {endpoint} gave no assertion: {answer.told()}",
                "is the id token over? See the exchange in the traffic",
            )
        step.outcome += f": an assertion for {issuer}"
        return given


def _variable(name: str | None, member: str, environment: Mapping[str, str]) -> str:
    if name is None:
        raise fail("config", f"the grant jwt_bearer needs {member}", "add it in settings.json, under oauth")
    value = environment.get(name, "").strip()
    if not value:
        raise fail(
            "config",
            f"the variable {name} of {member} is not set",
            "set it to a fresh JWT, or correct the settings",
        )
    return value
