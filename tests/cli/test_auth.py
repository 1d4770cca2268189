"""`auth` as a person runs it, and what the other verbs make of a login, against a server that wants one."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

import pytest
from command import Ran
from servers.house import House

ROOT = Path(__file__).parent.parent.parent


async def inspect(*words: str, stdin: str | None = None, **environment: str) -> Ran:
    """The command line beside the server of the test, which is in this process."""
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "inspector", *words),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )
    out, err = await running.communicate((stdin or "").encode())
    return Ran(running.returncode or 0, out.decode(), err.decode())


@pytest.fixture
def browser(tmp_path: Path) -> str:
    """A program that goes where it is sent, as a person who agrees would."""
    program = tmp_path / "browser"
    program.write_text(
        f"#!{sys.executable}\nimport sys, urllib.request\nurllib.request.urlopen(sys.argv[1]).read()\n"
    )
    program.chmod(0o755)
    return str(program)


async def test_a_login_from_refusal_to_call_and_nothing_of_it_is_shown(browser: str, tmp_path: Path) -> None:
    recording = tmp_path / "login.mcprec"
    async with House() as house:
        before = await inspect("tools", house.url, "--json")
        assert before.code == 3
        error = before.json["error"]
        assert (error["kind"], error["httpStatus"]) == ("auth", 401)
        assert f"or log in with mcp-inspect auth {house.url}" in error["hint"]
        shown = await inspect("auth", house.url, "--show", "--json")
        assert (shown.code, shown.json["state"], shown.json["steps"]) == (0, "none", [])
        assert not house.of("metadata")

        done = await inspect(
            "auth", house.url, "--yes", "--json", "--record", str(recording), BROWSER=browser
        )
        assert done.code == 0, done.err
        assert (done.json["state"], done.json["issuer"]) == ("authorized", house.issuer)
        assert 3500 < done.json["expires_s"] <= 3600
        call = await inspect("call", house.url, "look", "--json")
        assert call.json["result"]["content"][0]["text"] == "you are in"
        again = await inspect("auth", house.url, "--show")
        assert "logged in at" in again.out and "RFC 8414" in again.out

        said = [ran.out + ran.err for ran in (done, call, again)]
        for token in [*house.tokens, *house.fresh, "code-with-number-1"]:
            assert token not in "".join(said) + recording.read_text()
        assert '"access_token\\": \\"***' in recording.read_text()

        gone = await inspect("auth", house.url, "--logout", "--json")
        assert (gone.code, gone.json["state"]) == (0, "none")
        assert "the token and the registration are forgotten" in gone.err
        assert (await inspect("tools", house.url)).code == 3


async def test_a_token_that_is_over_has_ended(browser: str) -> None:
    async with House(lasts=-5, refreshes=False) as house:
        await inspect("auth", house.url, "--yes", BROWSER=browser)
        shown = await inspect("auth", house.url, "--show")
        tools = await inspect("tools", house.url)
        assert tools.code == 3
        assert (
            f"our login to it has ended, or is not accepted any more: log in again with mcp-inspect auth {house.url}"
            in tools.err
        )
        assert "the token is over" in shown.out and "it has ended" in shown.out and "0.0 ms" not in shown.out


async def test_the_address_of_the_browser_is_pasted() -> None:
    """What is pasted counts where the browser does not come back."""
    async with House() as house:
        running = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "inspector", "auth", house.url, "--yes"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT), "BROWSER": "true"},
        )
        assert running.stdin is not None and running.stderr is not None
        while b"state=" not in (line := await running.stderr.readline()):
            assert line
        state = line.decode().split("state=")[1].split("&")[0].strip()
        house.codes["code-by-hand"] = {
            "code_challenge": line.decode().split("code_challenge=")[1].split("&")[0]
        }
        out, err = await running.communicate(
            f"http://127.0.0.1/callback?code=code-by-hand&state={state}\n".encode()
        )
        assert running.returncode == 0, err
        assert b"logged in" in out
        assert not house.of("authorize")


async def test_a_token_is_renewed_once_and_by_itself(browser: str) -> None:
    async with House() as house:
        await inspect("auth", house.url, "--yes", BROWSER=browser)
        house.revoke()
        assert (await inspect("tools", house.url)).code == 0
        assert [asked.fields["grant_type"] for asked in house.of("token")] == [
            "authorization_code",
            "refresh_token",
        ]
        assert house.of("token")[1].fields["resource"] == house.url
        house.revoke()
        house.fresh.clear()
        refused = await inspect("tools", house.url, "--json")
        assert (refused.code, refused.json["error"]["kind"]) == (3, "auth")
        assert len(house.of("token")) == 3
        await inspect("tools", house.url)
        assert len(house.of("token")) == 3, "a refresh token that was refused is not sent again"


async def test_a_token_that_is_over_is_renewed_before_it_is_sent(browser: str) -> None:
    async with House(lasts=5) as house:
        await inspect("auth", house.url, "--yes", BROWSER=browser)
        house.asked.clear()
        assert (await inspect("tools", house.url)).code == 0
        assert house.asked[0].what == "token"


async def test_two_programs_at_once_renew_once(browser: str) -> None:
    async with House() as house:
        await inspect("auth", house.url, "--yes", BROWSER=browser)
        house.revoke()
        ran = await asyncio.gather(*(inspect("tools", house.url) for _ in range(3)))
        assert [one.code for one in ran] == [0, 0, 0]
        assert len(house.of("token")) == 2


async def test_a_missing_scope_names_the_way_to_it(browser: str) -> None:
    async with House(wants={"write": "files:write"}, resource={"scopes_supported": ["files:read"]}) as house:
        await inspect("auth", house.url, "--yes", BROWSER=browser)
        refused = await inspect("call", house.url, "write", "--json")
        assert (refused.code, refused.json["error"]["httpStatus"]) == (3, 403)
        assert (
            "files:write" in refused.json["error"]["hint"]
            and "mcp-inspect auth" in refused.json["error"]["hint"]
        )
        more = await inspect("auth", house.url, "--yes", "--scope", "files:write", "--json", BROWSER=browser)
        assert more.code == 0, more.out
        assert more.json["scopes"] == ["files:read", "files:write"]
        assert (await inspect("call", house.url, "write")).code == 0


async def test_the_settings_name_client_scopes_and_port(browser: str, own_folders: Path) -> None:
    async with House(known={"mine": "secret-of-mine"}) as house:
        settings = own_folders / "config" / "settings.json"
        settings.parent.mkdir(parents=True)
        ours = {"clientId": "mine", "secretVariable": "MINE", "scopes": ["a"], "redirectPort": 0}
        settings.write_text(json.dumps({"oauth": {house.url: ours}}))
        unset = await inspect("auth", house.url, "--yes", "--json")
        assert unset.code == 2 and "MINE" in unset.json["error"]["message"]
        done = await inspect("auth", house.url, "--yes", "--json", BROWSER=browser, MINE="secret-of-mine")
        assert done.json["scopes"] == ["a"]
        assert not house.of("register")
        assert "secret-of-mine" not in done.out + done.err


async def test_a_header_of_the_person_is_the_simple_way() -> None:
    async with House() as house:
        house.tokens["given-by-hand"] = (9e12, "")
        ours = ("--header", "Authorization: Bearer of-last-year")
        refused = await inspect("auth", house.url, *ours, "--json")
        assert refused.code == 3 and "of its entry" in refused.json["error"]["message"]
        assert not house.of("metadata")
        assert (
            await inspect("tools", house.url, "--header", "Authorization: Bearer given-by-hand")
        ).code == 0


async def test_a_process_has_nothing_to_log_in_to() -> None:
    refused = await inspect("auth", "--json", "--", sys.executable, str(ROOT / "tests/servers/odd.py"))
    assert refused.code == 3 and "process" in refused.json["error"]["message"]


@pytest.mark.parametrize("words", [(), ("--json",)])
async def test_without_a_terminal_and_without_yes_nothing_is_waited_for(words: tuple[str, ...]) -> None:
    async with House() as house:
        refused = await inspect("auth", house.url, *words)
        assert refused.code == 2 and "--yes" in refused.out + refused.err
        assert {asked.what for asked in house.asked} == {"mcp"}, "nobody but the server was asked"
        if words:
            assert (refused.json["error"]["kind"], refused.json["state"]) == ("consent", "none")
            assert refused.json["issuer"] is None and refused.json["scopes"] == refused.json["steps"] == []


@pytest.mark.parametrize("clock", ["--max-time", "--timeout"])
async def test_the_wait_for_the_browser_is_bounded_and_the_next_login_registers_anew(
    browser: str, clock: str
) -> None:
    async with House() as house:
        over = await inspect("auth", house.url, "--yes", "--json", clock, "0.3", BROWSER="true")
        assert (over.code, over.json["error"]["kind"], over.json["state"]) == (5, "timeout", "none")
        assert "invalid_client" in over.json["error"]["hint"]
        house.known.clear()
        assert (await inspect("auth", house.url, "--yes", BROWSER=browser)).code == 0
        assert len(house.of("register")) == 2


async def test_an_interrupted_login_tells_its_steps() -> None:
    async with House() as house:
        running = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "inspector", "auth", house.url, "--yes", "--json"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT), "BROWSER": "true"},
        )
        assert running.stderr is not None
        while b"Waiting" not in (line := await running.stderr.readline()):
            assert line
        running.send_signal(signal.SIGINT)
        out, _ = await running.communicate()
        assert running.returncode == 130
        document = json.loads(out)
        assert (document["error"]["kind"], document["state"]) == ("cancelled", "none")
        assert document["steps"][-1]["outcome"] == "given up"
        assert set(document) == {"state", "issuer", "scopes", "expires_s", "renewable", "steps", "error"}


async def test_logout_forgets_the_registration_of_a_login_that_came_to_nothing(browser: str) -> None:
    async with House() as house:
        house.comes_back |= {"code": None, "error": "access_denied"}
        assert (await inspect("auth", house.url, "--yes", BROWSER=browser)).code == 3
        house.comes_back.clear()
        gone = await inspect("auth", house.url, "--logout")
        assert "the registration is forgotten" in gone.err
        assert (await inspect("auth", house.url, "--yes", BROWSER=browser)).code == 0
        assert len(house.of("register")) == 2


async def test_a_renewal_of_a_forgotten_client_makes_the_next_login_register_anew(browser: str) -> None:
    async with House() as house:
        await inspect("auth", house.url, "--yes", BROWSER=browser)
        house.revoke()
        house.known.clear()
        assert (await inspect("tools", house.url)).code == 3
        asked = len(house.of("authorize"))
        assert (await inspect("auth", house.url, "--yes", BROWSER=browser)).code == 0
        assert (len(house.of("register")), len(house.of("authorize"))) == (2, asked + 1)


async def test_no_yes_sends_a_code_over_plain_http_to_another_machine(browser: str) -> None:
    async with House(server={"token_endpoint": "http://198.51.100.1/token"}) as house:
        refused = await inspect("auth", house.url, "--yes", "--json", BROWSER=browser)
        assert refused.code == 3
        message = refused.json["error"]["message"]
        assert "http://198.51.100.1/token" in message and "plain http" in message
        assert not house.of("register") and not house.of("authorize")
        assert refused.json["steps"][-1]["ok"] is False


async def test_logout_takes_the_token_back_where_its_server_offers_that(browser: str) -> None:
    async with House() as house:
        house.server["revocation_endpoint"] = f"{house.auth}/revoke"
        await inspect("auth", house.url, "--yes", BROWSER=browser)
        given = [*house.fresh, *house.tokens]
        gone = await inspect("auth", house.url, "--logout", "-v")
        assert "was taken back by" in gone.err
        assert [asked.fields["token"] for asked in house.of("revoke")] == given
        assert not house.tokens and not house.fresh
        assert not any(token in gone.out + gone.err for token in given)


async def test_a_token_that_cannot_be_taken_back_is_forgotten_all_the_same(browser: str) -> None:
    async with House() as house:
        house.server["revocation_endpoint"] = f"{house.auth}/token"
        await inspect("auth", house.url, "--yes", BROWSER=browser)
        house.known.clear()
        gone = await inspect("auth", house.url, "--logout")
        assert "are forgotten, but it was not taken back: " in gone.err and "invalid_client" in gone.err
        assert (await inspect("auth", house.url, "--show", "--json")).json["state"] == "none"


def _settings(own_folders: Path, settings: dict[str, object]) -> None:
    file = own_folders / "config" / "settings.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(settings))


async def test_the_keyring_holds_what_is_secret_where_the_settings_say_so(
    browser: str, own_folders: Path, tmp_path: Path
) -> None:
    pytest.importorskip("keyring")
    ring = tmp_path / "ring.json"
    with_ring = {
        "PYTHON_KEYRING_BACKEND": "plain_keyring.Plain",
        "RING": str(ring),
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests/servers"))),
    }
    proven = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    async with House(gives_secret=True, server=proven) as house:
        _settings(own_folders, {"tokens": "keyring"})
        done = await inspect("auth", house.url, "--yes", BROWSER=browser, **with_ring)
        assert done.code == 0, done.err
        house.revoke()
        assert (await inspect("call", house.url, "look", **with_ring)).code == 0, "it was renewed"
        secrets = [*house.tokens, *house.fresh, *house.known.values()]
        (file,) = own_folders.rglob("tokens.json")
        assert len(secrets) == 3
        for secret in secrets:
            assert secret in ring.read_text() and secret not in file.read_text()
        shown = await inspect("auth", house.url, "--show", "--json")
        assert (shown.json["state"], shown.json["renewable"]) == ("authorized", True), "no keyring is asked"
        assert (await inspect("auth", house.url, "--logout", **with_ring)).code == 0
        assert json.loads(ring.read_text()) == {}


@pytest.mark.parametrize(
    ("backend", "said"),
    [
        ("keyring.backends.fail.Keyring", "no keyring that can be used"),
        ("keyring.none.Such", "does not answer"),
    ],
)
async def test_without_a_keyring_nobody_is_sent_to_a_browser(
    browser: str, own_folders: Path, backend: str, said: str
) -> None:
    pytest.importorskip("keyring")
    async with House() as house:
        _settings(own_folders, {"tokens": "keyring"})
        refused = await inspect(
            "auth", house.url, "--yes", "--json", BROWSER=browser, PYTHON_KEYRING_BACKEND=backend
        )
        assert refused.code == 2 and said in refused.json["error"]["message"]
        assert {asked.what for asked in house.asked} == {"mcp"}


async def test_two_servers_of_one_issuer_share_a_client_until_both_are_logged_out(browser: str) -> None:
    async with House() as house:
        other = f"{house.root}/mcp/second"
        house.resource["resource"] = house.root
        for url in (house.url, other):
            assert (await inspect("auth", url, "--yes", BROWSER=browser)).code == 0
        assert len(house.of("register")) == 1
        gone = await inspect("auth", house.url, "--logout")
        assert "the token is forgotten" in gone.err
        house.revoke()
        assert (await inspect("tools", other)).code == 0
        gone = await inspect("auth", other, "--logout")
        assert "the token and the registration are forgotten" in gone.err


async def test_check_looks_at_what_a_login_would_find() -> None:
    """Nobody logs in: the metadata are fetched and judged."""
    lacking = {"code_challenge_methods_supported": None, "issuer": "https://other.example"}
    async with House(server=lacking, resource={"authorization_servers": None}) as house:
        ran = await inspect("check", house.url, "--active", "--json")
        assert {each["rule"] for each in ran.json["findings"]} == {"O02"}
    async with House(server=lacking) as house:
        ran = await inspect("check", house.url, "--active", "--json")
        assert ran.code == 3 and ran.json["errors"][0]["error"]["httpStatus"] == 401
        assert {each["rule"] for each in ran.json["findings"]} == {"O03", "O04"}
        assert not house.of("authorize") and not house.of("register")
    async with House() as house:
        assert (await inspect("check", house.url, "--active", "--json")).json["findings"] == []
