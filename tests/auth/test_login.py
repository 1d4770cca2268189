"""Logins against an MCP server and an authorization server on loopback, from the refusal to the token."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from servers.browser import Browser
from servers.house import House

from inspector.auth.credentials import Credentials
from inspector.auth.kept import Kept, Token
from inspector.auth.login import Login
from inspector.base.errors import Failed
from inspector.base.paths import paths
from inspector.base.secrets import Secrets
from inspector.config.oauth import OAuth
from inspector.traffic.unkept import UnkeptLog


def login(house: House, browser: Browser | None = None, **given: Any) -> Login:
    settings = given.pop("settings", OAuth())
    return Login(
        given.pop("url", house.url),
        person=browser or Browser(),
        observer=UnkeptLog(),
        secrets=given.pop("secrets", Secrets()),
        settings=settings,
        environment=given.pop("environment", {}),
        **given,
    )


async def refused(house: House, browser: Browser | None = None, **given: Any) -> str:
    """The message that a login ends with."""
    attempt = login(house, browser, **given)
    with pytest.raises(Failed) as caught:
        await attempt.run(401, challenge(house))
    assert caught.value.failure.kind == "auth"
    return caught.value.failure.message


def challenge(house: House, **more: str) -> dict[str, str]:
    return {**({"resource_metadata": f"{house.root}/meta"} if house.resource_at == "header" else {}), **more}


@pytest.mark.parametrize("resource_at", ["header", "path", "root"])
@pytest.mark.parametrize(
    ("issuer_path", "at"),
    [("", "rfc8414"), ("", "oidc"), ("/tenant", "rfc8414"), ("/tenant", "oidc"), ("/tenant", "appended")],
)
async def test_metadata_is_found_at_every_place(resource_at: str, issuer_path: str, at: str) -> None:
    async with House(resource_at=resource_at, issuer_path=issuer_path, at=at) as house:
        attempt = login(house)
        token = await attempt.run(401, challenge(house))
        assert token.access in house.tokens
        assert (token.issuer, token.resource) == (house.issuer, house.url)
        tried = [step for step in attempt.timeline.steps if step.step.startswith("GET ")]
        assert [step.ok for step in tried if not step.ok] == [False] * (len(tried) - 2)
        assert all(step.spec and step.outcome.startswith("HTTP ") for step in tried)
        assert [urlsplit(step.step[4:]).path for step in tried] == [
            asked.path for asked in house.of("metadata")
        ]


async def test_what_goes_to_the_browser_and_to_the_token_endpoint() -> None:
    async with House() as house:
        browser = Browser()
        await login(house, browser).run(401, challenge(house))
        (register,), (query,), (form,) = house.of("register"), house.of("authorize"), house.of("token")
        assert register.fields["application_type"] == "native"
        assert register.fields["grant_types"] == ["authorization_code", "refresh_token"]
        assert query.fields["code_challenge_method"] == "S256"
        assert query.fields["resource"] == form.fields["resource"] == house.url
        assert "scope" not in query.fields
        assert (
            query.fields["redirect_uri"] == form.fields["redirect_uri"] == register.fields["redirect_uris"][0]
        )
        assert form.fields["client_id"] == "client-1"
        assert not browser.questions


async def test_the_file_is_private_and_the_token_is_masked() -> None:
    secrets = Secrets()
    async with House() as house:
        attempt = login(house, secrets=secrets)
        token = await attempt.run(401, challenge(house))
        kept = Kept().token(house.url)
        assert kept is not None and kept.access == token.access
        assert paths().tokens.stat().st_mode & 0o777 == 0o600
        assert token.access not in secrets.mask(f"{token.access} {token.refresh}")
        steps = json.dumps(Kept().steps(house.url))
        for hidden in (token.access, token.refresh or "", "code-with-number-1"):
            assert hidden not in steps


@pytest.mark.parametrize(
    ("at", "says"), [("mcp", "HTTP 200"), ("default", "/authorize, /token and /register")]
)
async def test_a_server_of_the_first_version_is_its_own_authorization_server(at: str, says: str) -> None:
    async with House(resource_at="nowhere", at=at) as house:
        if at == "default":
            house.auth = house.root
        attempt = login(house, version="2025-03-26")
        token = await attempt.run(401, {})
        assert token.access in house.tokens
        assert "resource" not in house.of("authorize")[0].fields
        assert any(says in step.outcome for step in attempt.timeline.steps)


async def test_metadata_of_another_resource_is_refused_before_anything_is_asked_of_its_server() -> None:
    async with House(resource={"resource": "https://elsewhere.example/mcp"}) as house:
        said = await refused(house)
        assert f"{house.root}/meta" in said and "elsewhere.example" in said
        assert not house.of("register") and not house.of("authorize")


async def test_metadata_of_another_issuer_is_refused_with_every_place_that_was_tried() -> None:
    async with House(issuer_path="/tenant", server={"issuer": "https://evil.example"}) as house:
        said = await refused(house)
        for place in (
            "oauth-authorization-server/tenant",
            "openid-configuration/tenant",
            "tenant/.well-known",
        ):
            assert place in said
        assert "'https://evil.example'" in said
        assert not house.of("register")


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28", None])
@pytest.mark.parametrize("methods", [None, ["plain"]])
async def test_without_S256_there_is_no_login(version: str | None, methods: Any) -> None:
    async with House(server={"code_challenge_methods_supported": methods}) as house:
        assert "must not be used" in await refused(house, version=version)
        assert not house.of("authorize")


async def test_before_2025_11_25_a_server_need_not_speak_of_PKCE() -> None:
    async with House(server={"code_challenge_methods_supported": None}) as house:
        assert (await login(house, version="2025-06-18").run(401, challenge(house))).access in house.tokens


@pytest.mark.parametrize(
    ("advertised", "back", "accepted"),
    [
        (True, "own", True),
        (False, "own", True),
        (False, None, True),
        (True, None, False),
        (True, "https://evil.example", False),
        (False, "https://evil.example", False),
        (True, "slash", False),
    ],
)
async def test_who_answers_is_checked(advertised: bool, back: str | None, accepted: bool) -> None:
    async with House(server={"authorization_response_iss_parameter_supported": advertised or None}) as house:
        house.comes_back["iss"] = {"own": house.issuer, "slash": f"{house.issuer}/"}.get(back or "", back)
        if accepted:
            assert (await login(house).run(401, challenge(house))).access in house.tokens
        else:
            await refused(house)
            assert not house.of("token")


async def test_of_an_answer_of_somebody_else_no_words_are_shown() -> None:
    async with House() as house:
        house.comes_back |= {"iss": "https://evil.example", "error": "x", "error_description": "call 555"}
        assert "555" not in await refused(house)


async def test_another_state_is_refused() -> None:
    async with House(comes_back={"state": "of-another-login"}) as house:
        assert "another state" in await refused(house)
        assert not house.of("token")


async def test_an_error_of_the_authorization_server_is_told() -> None:
    async with House(
        comes_back={"code": None, "error": "access_denied", "error_description": "she said no"}
    ) as house:
        assert "access_denied: she said no" in await refused(house)


async def test_the_address_of_the_browser_can_be_pasted() -> None:
    async with House() as house:
        assert (await login(house, Browser(brings=False)).run(401, challenge(house))).access in house.tokens


@pytest.mark.parametrize(
    ("in_challenge", "in_resource", "in_server", "asked"),
    [
        ("a b", ["c"], None, "a b"),
        ("", ["c", "d"], None, "c d"),
        ("", None, None, None),
        ("", ["c"], ["c", "offline_access"], "c offline_access"),
    ],
)
async def test_scopes(in_challenge: str, in_resource: Any, in_server: Any, asked: str | None) -> None:
    house = House(resource={"scopes_supported": in_resource}, server={"scopes_supported": in_server})
    async with house:
        more = {"scope": in_challenge} if in_challenge else {}
        await login(house).run(401, challenge(house, **more))
        assert house.of("authorize")[0].fields.get("scope") == asked


async def test_a_step_up_keeps_what_was_granted() -> None:
    async with House(resource={"scopes_supported": ["read"]}) as house:
        await login(house).run(401, challenge(house))
        token = await login(house).run(403, challenge(house, error="insufficient_scope", scope="write"))
        assert token.scopes == ["read", "write"]


async def test_a_client_is_bound_to_its_issuer() -> None:
    """The second login is known there, another issuer gets a client of its own."""
    async with House() as house, House() as other:
        await login(house).run(401, challenge(house))
        await login(house).run(401, challenge(house))
        assert len(house.of("register")) == 1
        house.resource["authorization_servers"] = [other.issuer]
        token = await login(house).run(401, challenge(house))
        assert token.issuer == other.issuer
        assert len(other.of("register")) == 1
        assert other.of("authorize")[0].fields["client_id"] == other.of("token")[0].fields["client_id"]


@pytest.mark.parametrize("method", ["none", "client_secret_basic", "client_secret_post"])
async def test_the_method_that_the_token_endpoint_lists_is_used(method: str) -> None:
    server = {"token_endpoint_auth_methods_supported": [method]}
    async with House(server=server, gives_secret=method != "none") as house:
        await login(house).run(401, challenge(house))
        (form,) = house.of("token")
        assert form.headers.get("authorization", "").startswith("Basic ") is (method == "client_secret_basic")
        assert ("client_secret" in form.fields) is (method == "client_secret_post")


async def test_a_client_of_the_settings_is_used_with_its_secret_and_nothing_is_registered() -> None:
    async with House(
        known={"mine": "very-secret:%"}, server={"token_endpoint_auth_methods_supported": None}
    ) as house:
        settings = OAuth(client_id="mine", secret_variable="MINE", scopes=("x",))
        await login(house, settings=settings, environment={"MINE": "very-secret:%"}).run(
            401, challenge(house)
        )
        assert not house.of("register")
        assert house.of("authorize")[0].fields["scope"] == "x"


async def test_a_client_metadata_document_is_used_where_the_server_reads_them() -> None:
    document = "https://client.example/metadata.json"
    async with House(server={"client_id_metadata_document_supported": True}) as house:
        await login(house, settings=OAuth(metadata_url=document)).run(401, challenge(house))
        assert house.of("token")[0].fields["client_id"] == document
        assert not house.of("register")


async def test_without_any_way_to_a_client_the_settings_are_named() -> None:
    async with House(server={"registration_endpoint": None}) as house:
        assert "registers no clients" in await refused(house)


async def test_a_client_in_its_own_name_needs_no_browser() -> None:
    async with House(known={"robot": "robot-secret"}, server={"authorization_endpoint": None,
                     "grant_types_supported": ["client_credentials"]}) as house:  # fmt: skip
        browser = Browser()
        settings = OAuth(client_id="robot", secret_variable="R", grant="client_credentials")
        attempt = login(house, browser, settings=settings, environment={"R": "robot-secret"})
        assert (await attempt.run(401, challenge(house))).access in house.tokens
        assert not browser.visited


@pytest.mark.parametrize("algorithm", ["ES256", "RS256"])
async def test_a_client_proves_itself_with_its_key(algorithm: str, tmp_path: Path) -> None:
    key: Any = (
        ec.generate_private_key(ec.SECP256R1())
        if algorithm == "ES256"
        else rsa.generate_private_key(public_exponent=65537, key_size=2048)
    )
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (tmp_path / "key.pem").write_bytes(key.private_bytes(*form))
    settings = OAuth(
        client_id="robot",
        private_key=tmp_path / "key.pem",
        signing_algorithm=algorithm,
        grant="client_credentials",
    )
    async with House() as house:
        await login(house, settings=settings).run(401, challenge(house))
        (asked,) = house.of("token")
        head, claims, signature = asked.fields["client_assertion"].split(".")
        told = json.loads(_raw(claims))
        assert (told["iss"], told["sub"], told["aud"]) == ("robot", "robot", house.issuer)
        assert json.loads(_raw(head))["alg"] == algorithm
        data, raw = f"{head}.{claims}".encode(), _raw(signature)
        if algorithm == "ES256":
            both = (int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
            key.public_key().verify(utils.encode_dss_signature(*both), data, ec.ECDSA(hashes.SHA256()))
        else:
            key.public_key().verify(raw, data, padding.PKCS1v15(), hashes.SHA256())


def _raw(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


async def test_a_key_that_does_not_fit_is_named(tmp_path: Path) -> None:
    (tmp_path / "key.pem").write_text("no key")
    settings = OAuth("robot", private_key=tmp_path / "key.pem", grant="client_credentials")
    async with House() as house:
        with pytest.raises(Failed) as caught:
            await login(house, settings=settings).run(401, challenge(house))
        assert caught.value.failure.kind == "config" and "key.pem" in caught.value.failure.message


async def test_endpoints_that_are_no_web_addresses_are_refused_before_the_browser() -> None:
    async with House(server={"authorization_endpoint": "file:///etc/passwd"}) as house:
        browser = Browser()
        assert "no http or https address" in await refused(house, browser)
        assert not browser.visited


async def test_a_port_that_is_taken_means_another_one_and_a_new_registration() -> None:
    async with House() as house:
        await login(house).run(401, challenge(house))
        taken = urlsplit(house.of("authorize")[0].fields["redirect_uri"]).port
        blocker = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", taken)
        try:
            await login(house).run(401, challenge(house))
        finally:
            blocker.close()
        assert len(house.of("register")) == 2


async def test_a_client_that_is_no_longer_known_is_registered_anew_once() -> None:
    async with House() as house:
        await login(house).run(401, challenge(house))
        house.known.clear()
        browser = Browser()
        assert (await login(house, browser).run(401, challenge(house))).access in house.tokens
        assert (len(house.of("register")), len(browser.visited)) == (2, 2)


@pytest.mark.parametrize("error", ["invalid_client", "unauthorized_client"])
async def test_a_client_that_is_refused_at_the_authorization_endpoint_is_registered_anew_once(
    error: str,
) -> None:
    async with House() as house:
        await login(house).run(401, challenge(house))
        house.comes_back |= {"code": None, "error": error}
        browser = Browser()
        assert error in await refused(house, browser)
        assert (len(house.of("register")), len(browser.visited)) == (2, 2)
        house.comes_back.clear()
        await login(house).run(401, challenge(house))
        assert len(house.of("register")) == 3


async def test_a_registration_outlives_a_no_of_the_person() -> None:
    async with House() as house:
        house.comes_back |= {"code": None, "error": "access_denied"}
        await refused(house)
        house.comes_back.clear()
        await login(house).run(401, challenge(house))
        assert len(house.of("register")) == 1


async def test_a_client_of_the_settings_that_is_not_known_is_not_tried_twice() -> None:
    async with House() as house:
        await login(house).run(401, challenge(house))
        browser = Browser()
        assert "invalid_client" in await refused(house, browser, settings=OAuth(client_id="mine"))
        assert (len(house.of("register")), len(browser.visited)) == (1, 1)


@pytest.mark.parametrize("endpoint", ["authorization_endpoint", "token_endpoint", "registration_endpoint"])
async def test_endpoints_in_the_clear_are_refused_before_anything_goes_to_any(endpoint: str) -> None:
    async with House(server={endpoint: "http://198.51.100.1/x"}) as house:
        browser = Browser()
        assert "plain http" in await refused(house, browser)
        assert not browser.visited and not browser.questions and not house.of("register")


async def test_a_token_that_is_kept_is_not_renewed_in_the_clear() -> None:
    async with House() as house:
        kept = Kept()
        token = Token("old", house.issuer, "http://198.51.100.1/token", "mine", refresh="more", expires=1.0)
        kept.keep_token(house.url, token)
        log = Said()
        await Credentials(house.url, observer=log, secrets=Secrets(), settings=OAuth(), environment={}).open()
        assert "plain http" in log.lines[0]


class Said(UnkeptLog):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def system(self, text: str) -> None:
        self.lines.append(text)


NO_ADDRESS = (
    "http://[",
    "http://x:99999999/",
    "http://x:abc/",
    "https://\ud800.example/",
    "//x",
    "javascript:alert(1)",
)


@pytest.mark.parametrize("text", NO_ADDRESS, ids=repr)
async def test_what_is_no_address_is_told_wherever_it_stands(text: str) -> None:
    """Metadata is foreign: nothing in it raises anything but a failure with its reason."""
    for member in ("authorization_endpoint", "token_endpoint", "registration_endpoint"):
        async with House(server={member: text}) as house:
            assert "no http or https address" in await refused(house)
            assert not house.of("authorize")
    async with House(resource={"authorization_servers": [text]}) as house:
        assert "no http or https address" in await refused(house)
    async with House() as house:
        named = {"resource_metadata": text}
        with pytest.raises(Failed, match="no http or https address"):
            await login(house).run(401, named)


async def test_only_what_is_a_scope_is_asked_for() -> None:
    async with House(resource={"scopes_supported": ["files:read", "two words", "", '"', "\ud800"]}) as house:
        await login(house).run(401, challenge(house))
        (asked,) = house.of("authorize")
        assert asked.fields["scope"] == "files:read"


@pytest.mark.parametrize(
    ("lasts", "known"), [(float("nan"), False), (float("inf"), False), (1e300, True), (-5, True)]
)
async def test_a_token_that_lasts_for_odd_times_can_be_told(lasts: float, known: bool) -> None:
    async with House(lasts=lasts) as house:
        token = await login(house).run(401, challenge(house))
        assert (token.expires_in is not None) == known
        json.dumps(token.as_json(), allow_nan=False)
