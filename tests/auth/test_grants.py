"""Tokens that are bound to a key, and those that are given for the word of somebody else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from live import http
from servers.bound_house import BoundHouse
from servers.browser import Browser
from servers.house import House

from inspector.auth import jwt
from inspector.auth.credentials import Credentials
from inspector.auth.kept import Kept
from inspector.auth.login import Login
from inspector.base.errors import Failed
from inspector.base.secrets import Secrets
from inspector.config.oauth import OAuth
from inspector.traffic.unkept import UnkeptLog

DPOP = {"scheme": "DPoP"}


def login(house: House, **given: Any) -> Login:
    return Login(
        house.url,
        person=Browser(),
        observer=UnkeptLog(),
        secrets=Secrets(),
        settings=given.pop("settings", OAuth()),
        environment=given.pop("environment", {}),
        **given,
    )


def at(house: House, **more: str) -> dict[str, str]:
    return {"resource_metadata": f"{house.root}/meta", **more}


@pytest.mark.parametrize("nonces", [(None, None), ("of-the-server", "of-the-issuer")])
async def test_each_request_proves_the_key_that_the_token_is_bound_to(
    nonces: tuple[str | None, str | None],
) -> None:
    async with BoundHouse(nonces=nonces) as house:
        attempt = login(house)
        token = await attempt.run(401, at(house, **DPOP))
        assert token.key is not None and "PRIVATE KEY" in token.key
        assert any(
            step.step == "DPoP" and step.why == "the challenge asks for it" for step in attempt.timeline.steps
        )
        credentials = Credentials(
            house.url, observer=UnkeptLog(), secrets=Secrets(), settings=OAuth(), environment={}
        )
        async with http(house.url, settings={"credentials": credentials}) as session:
            await session.connect()
            house.tokens.clear()
            answer = await session.request("tools/call", {"name": "look", "arguments": {}})
            assert answer.failure is None, "it was renewed, with the same key"
        assert len(set(house.keys.values())) == 1 and len(house.keys) == 2


async def test_a_token_is_bound_where_the_metadata_of_the_resource_says_so_and_stays_so() -> None:
    async with BoundHouse(resource={"dpop_bound_access_tokens_required": True}) as house:
        assert (await login(house).run(401, at(house))).key is not None
        house.resource.clear()
        assert (await login(house).run(403, at(house, scope="more"))).key is not None


async def test_nobody_is_asked_for_a_token_that_cannot_be_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    async with BoundHouse(server={"dpop_signing_alg_values_supported": ["EdDSA"]}) as house:
        with pytest.raises(Failed, match="takes no proof by ES256"):
            await login(house).run(401, at(house, **DPOP))
        house.server.clear()
        monkeypatch.setattr(jwt, "is_installed", lambda: False)
        with pytest.raises(Failed, match="needs the package cryptography") as caught:
            await login(house).run(401, at(house, **DPOP))
        assert "mcp-inspect[jwt]" in (caught.value.failure.hint or "")
        assert not house.of("register") and not house.of("authorize")


async def test_a_server_that_binds_nothing_gives_a_bearer_token() -> None:
    async with House() as house:
        assert (await login(house).run(401, at(house, **DPOP))).key is None


JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"


async def test_a_workload_is_known_by_its_own_jwt() -> None:
    settings = OAuth("workload", grant="jwt_bearer", assertion_variable="JWT")
    only = {"authorization_endpoint": None, "grant_types_supported": [JWT_BEARER]}
    async with House(known={"workload": ""}, server=only) as house:
        token = await login(house, settings=settings, environment={"JWT": "a.workload.jwt"}).run(
            401, at(house)
        )
        (asked,) = house.of("token")
        assert (asked.fields["grant_type"], asked.fields["assertion"]) == (JWT_BEARER, "a.workload.jwt")
        assert asked.fields["resource"] == house.url and token.access in house.tokens
        credentials = Credentials(
            house.url,
            observer=UnkeptLog(),
            secrets=Secrets(),
            settings=settings,
            environment={"JWT": "a.fresh.jwt"},
        )
        house.revoke()
        await credentials.open()
        kept = Kept().token(house.url)
        assert kept is not None and kept.renewable
        assert await credentials.renewed(f"Bearer {token.access}")
        with pytest.raises(Failed, match="the variable JWT of assertionVariable is not set"):
            await login(house, settings=settings).run(401, at(house))


async def test_an_identity_provider_vouches_for_a_person() -> None:
    async with House(known={"app": "secret-of-app"}) as house:
        settings = OAuth(
            "app",
            "SECRET",
            grant="jwt_bearer",
            id_token_variable="ID",
            idp_token_endpoint=f"{house.auth}/exchange",
            idp_client_id="at-the-company",
        )
        house.server["token_endpoint_auth_methods_supported"] = ["client_secret_basic"]
        environment = {"SECRET": "secret-of-app", "ID": "an.id.token"}
        attempt = login(house, settings=settings, environment=environment)
        await attempt.run(401, at(house))
        (exchange,), (asked,) = house.of("exchange"), house.of("token")
        assert exchange.fields == {
            "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
            "requested_token_type": "urn:ietf:params:oauth:token-type:id-jag",
            "audience": house.issuer,
            "resource": house.url,
            "subject_token": "an.id.token",
            "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
            "client_id": "at-the-company",
        }
        assert asked.fields["assertion"] == "an.assertion.for.the.issuer"
        assert "an.id.token" not in json.dumps(attempt.timeline.as_json())
        house.exchanges = False
        with pytest.raises(Failed, match="gave no assertion: HTTP 400"):
            await login(house, settings=settings, environment=environment).run(401, at(house))
