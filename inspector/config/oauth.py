"""What a person says about logging in to one server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class OAuth:
    """`secret_variable` names the environment variable that holds the secret of the client, which no file of ours
    does. `metadata_url` is the client's document on the web (client id metadata documents). `private_key` is a PEM file
    for private_key_jwt. `scopes` are asked for in place of what the server suggests; None leaves it to that. `port` is
    where the redirect is awaited, 0 for any. `grant` is one of `GRANTS`; for `jwt_bearer` the environment variable
    `assertion_variable` holds the JWT, or `id_token_variable` that of a person, which the token endpoint of an identity
    provider takes for one."""

    client_id: str | None = None
    secret_variable: str | None = None
    metadata_url: str | None = None
    private_key: Path | None = None
    signing_algorithm: str = "ES256"
    scopes: tuple[str, ...] | None = None
    port: int = 0
    grant: str = "authorization_code"
    assertion_variable: str | None = None
    id_token_variable: str | None = None
    idp_token_endpoint: str | None = None
    idp_client_id: str | None = None


GRANTS = ("authorization_code", "client_credentials", "jwt_bearer")
UNATTENDED = GRANTS[1:]
"""Those for which nobody has to go to a browser."""
_MEMBERS = {
    "clientId": "client_id",
    "secretVariable": "secret_variable",
    "clientMetadataUrl": "metadata_url",
    "privateKey": "private_key",
    "signingAlgorithm": "signing_algorithm",
    "scopes": "scopes",
    "redirectPort": "port",
    "grant": "grant",
    "assertionVariable": "assertion_variable",
    "idTokenVariable": "id_token_variable",
    "idpTokenEndpoint": "idp_token_endpoint",
    "idpClientId": "idp_client_id",
}


def read(value: Any) -> dict[str, OAuth] | None:
    """The member `oauth` of the settings: by URL or name of a server. None where it cannot be used."""
    if not isinstance(value, dict):
        return None
    found = {name: _one(entry) for name, entry in value.items()}
    return None if None in found.values() else {name: one for name, one in found.items() if one is not None}


def of_server(known: Mapping[str, OAuth], name: str, url: str, entry: OAuth | None = None) -> OAuth:
    """What is said about a server, by its URL first; without anything, what its entry says, or what is built in."""
    return known.get(url) or known.get(name) or entry or OAuth()


def of_entry(fields: Mapping[str, Any]) -> OAuth | None:
    """What a client's entry says: `oauth` of most, `auth` of Cursor, `scopes` of Codex. None where it says nothing."""
    found = fields.get("oauth"), fields.get("auth")
    said = next((each for each in found if isinstance(each, dict)), {})
    client = next(
        (said[key] for key in ("clientId", "client_id", "CLIENT_ID") if isinstance(said.get(key), str)), None
    )
    scopes = said.get("scopes", said.get("scope", fields.get("scopes")))
    if isinstance(scopes, str):
        scopes = scopes.split()
    named = isinstance(scopes, list) and all(isinstance(scope, str) for scope in scopes)
    port = said.get("callbackPort")
    if client is None and not named:
        return None
    return OAuth(
        client_id=client,
        scopes=tuple(scopes) if named else None,  # type: ignore[arg-type]
        port=port if type(port) is int and 0 <= port < 65536 else 0,
    )


def _one(entry: Any) -> OAuth | None:
    if not isinstance(entry, dict) or not _MEMBERS.keys() >= entry.keys():
        return None
    values: dict[str, Any] = {}
    for name, member in entry.items():
        if name == "redirectPort":
            fits = type(member) is int and 0 <= member < 65536
        elif name == "scopes":
            fits = isinstance(member, list) and all(isinstance(scope, str) for scope in member)
            member = tuple(member) if fits else None
        else:
            fits = isinstance(member, str) and bool(member) and (name != "grant" or member in GRANTS)
        if not fits:
            return None
        values[_MEMBERS[name]] = Path(member).expanduser() if name == "privateKey" else member
    return OAuth(**values)
