"""Secrets are hidden wherever their value or their name turns up."""

from __future__ import annotations

import base64
import json

import pytest

from inspector.base.secrets import Secrets, is_secret_name, mask_args, mask_header, mask_url, secrets_of_args


@pytest.mark.parametrize(
    "name",
    ["Authorization", "X-Api-Key", "x-api-key", "api_key", "apiKey", "GITHUB_TOKEN", "accessToken", "client_secret",
     "DB_PASSWORD", "Cookie", "Proxy-Authorization", "private_key", "token", "sig-nature-token",
     "PGPASSWORD", "DB_PASS", "DBPASS", "DB_PASS_2", "db_pass", "MYSQL_PWD", "MYSQLPWD", "pwd", "pass", "smtpPass",
     "passwordHash", "passcode", "SESSION", "SESSION_ID", "APP_SESSION_ID", "WEBHOOK", "WEBHOOK_URL",
     "SLACK_WEBHOOK", "webhookUrl", "PIN", "pin", "CARD_PIN", "pinCode", "SIGNING_SALT", "SALT", "signing_secret"],
)  # fmt: skip
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    ["Content-Type", "PATH", "monkey", "keyboard", "Mcp-Session-Id", "author", "compass", "progressToken",
     "name", "PASSENGER", "COMPASS", "BYPASS", "BYPASS_CACHE", "passengers", "trespass", "PASS_COUNT",
     "PASSWORDLESS", "passThrough", "PASSAGE", "SPIN", "PINNED", "SSL_PINNING", "PINECONE_INDEX", "pins",
     "SALTY", "salt", "signing", "session", "session_id", "sessionId", "SESSION_TIMEOUT", "OBSESSION",
     "XDG_SESSION_TYPE", "XDG_SESSION_ID", "DBUS_SESSION_BUS_ADDRESS", "DESKTOP_SESSION",
     "SESSION_MANAGER", "HOME", "LANG", "PWD", "OLDPWD", "USER", "webhooks", "DESIGNING"],
)  # fmt: skip
def test_names_of_other_things(name: str) -> None:
    assert not is_secret_name(name)


def test_known_values_are_hidden_in_every_spelling() -> None:
    secrets = Secrets(['pass"word/1 ä'])
    assert secrets.mask('a pass"word/1 ä b') == "a *** b"
    assert secrets.mask(json.dumps({"x": 'pass"word/1 ä'})) == '{"x": "***"}'
    assert secrets.mask("?q=pass%22word%2F1%20%C3%A4&r=pass%22word%2F1+%C3%A4") == "?q=***&r=***"
    assert secrets.mask_bytes('pass"word/1 ä'.encode()) == b"***"


def test_a_text_without_secrets_comes_back_as_the_same_object() -> None:
    raw = b"nothing here"
    assert Secrets(["longenough"]).mask_bytes(raw) is raw


def test_the_credentials_behind_a_scheme_count_by_themselves() -> None:
    secrets = Secrets(["Bearer abcdefgh12"])
    assert secrets.mask("token abcdefgh12 was refused") == "token *** was refused"


@pytest.mark.parametrize(
    ("value", "name"),
    [("short", ""), ("/usr/local/bin", ""), ("~/projects/x", ""), ("C:\\Users\\me", ""), ("someone-else", "USER"),
     ("en_US.UTF-8", "LANG")],
)  # fmt: skip
def test_what_is_no_secret_stays_readable(value: str, name: str) -> None:
    secrets = Secrets()
    secrets.add(value, name)
    assert secrets.mask(value) == value


def test_headers_and_urls_are_masked_by_name() -> None:
    assert mask_header("Authorization", "Bearer abc") == "Bearer ***"
    assert mask_header("X-Api-Key", "abc") == "***"
    assert mask_header("Accept", "text/html") == "text/html"
    assert (
        mask_url("https://me:pw@h.test/p?api_key=abc&q=1#token=t")
        == "https://***@h.test/p?api_key=***&q=1#token=***"
    )


def test_a_message_hides_tokens_that_nobody_told_us_of() -> None:
    shown = Secrets().mask_message("401 for Bearer eyJhbGciOi.x-y at https://h.test/?token=abc")
    assert shown == "401 for Bearer *** at https://h.test/?token=***"


@pytest.mark.parametrize("before", ["", "a", "ab", "abc"])
def test_base64_hides_no_secret_wherever_it_stands_in_the_text(before: str) -> None:
    secrets = Secrets(["sesame-opens"])
    told = base64.b64encode(f"{before}sesame-opens:and more".encode()).decode()
    left, _, right = secrets.mask(told).partition("***")
    assert len(left) <= len(before) * 4 / 3 + 1 and told.endswith(right) and right
    assert len(right.rstrip("=")) * 3 / 4 < len(":and more") + 2


def test_the_password_of_basic_counts_by_itself() -> None:
    secrets = Secrets()
    secrets.add_headers({"Authorization": "Basic " + base64.b64encode(b"me:sesame-opens").decode()})
    assert secrets.mask("login of me with sesame-opens failed") == "login of me with *** failed"


def test_json_in_json_in_json_hides_none() -> None:
    value = 'quo"te\\d äé'
    nested = json.dumps(
        json.dumps(json.dumps(value, ensure_ascii=False), ensure_ascii=False), ensure_ascii=False
    )
    assert Secrets([value]).mask(nested).count("***") == 1 and "te" not in Secrets([value]).mask(nested)


def test_what_an_ellipsis_cut_off_is_hidden_wherever_it_is() -> None:
    assert Secrets(["sesame-opens"]).mask("a (sesame-op…) b, ses… c…") == "a (***…) b, ses… c…"


@pytest.mark.parametrize(
    ("args", "masked"),
    [
        (["--token", "abc", "x"], ["--token", "***", "x"]),
        (["--token=abc"], ["--token=***"]),
        (["-e", "API_TOKEN=abc", "-e", "API_TOKEN"], ["-e", "API_TOKEN=***", "-e", "API_TOKEN"]),
        (["-e", "MODE=fast", "--token=abc"], ["-e", "MODE=fast", "--token=***"]),
        (["--header", "Authorization: Bearer abc"], ["--header", "Authorization: Bearer ***"]),
        (["--header", "X-Api-Key:abc", "Accept: x"], ["--header", "X-Api-Key:***", "Accept: x"]),
        (["--header=X-Api-Key: abc"], ["--header=X-Api-Key: ***"]),
        (["https://h.test/?token=abc&q=1"], ["https://h.test/?token=***&q=1"]),
        (["https://me:abc@h.test/"], ["https://***@h.test/"]),
    ],
)  # fmt: skip
def test_command_lines_are_masked_by_name(args: list[str], masked: list[str]) -> None:
    assert mask_args(args) == masked
    assert all(value in "abc me:abc" for value in secrets_of_args(args)) and secrets_of_args(args)


KEY = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\n9w0BAQEFAASCBKcwggSj\n-----END PRIVATE KEY-----\n"


@pytest.mark.parametrize(
    ("value", "text", "core"),
    [
        (KEY, "line 2: MIIEvQIBADANBgkqhkiG", "MIIEvQIB"),
        (KEY, "line 3: 9w0BAQEFAASCBKcwggSj", "9w0BAQEF"),
        ('{"type": "sa", "keys": [{"private_key": "Kq83zvT1xx"}]}', "signed with Kq83zvT1xx", "Kq83"),
        ("postgres://bob:Kq83zvT1xx@db/notes", "password Kq83zvT1xx is wrong for bob", "Kq83"),
        ("Server=db;User Id=sa;Password=Kq83zvT1xx;", "login failed: Kq83zvT1xx", "Kq83"),
        ("https://h/x?a=1&api_key=Kq83zvT1xx", "key Kq83zvT1xx", "Kq83"),
        ("ab/Kq83/zvT1", '"ab\\/Kq83\\/zvT1"', "Kq83"),
        ("ab/Kq83/zvT1", '"{\\"a\\": \\"ab\\\\/Kq83\\\\/zvT1\\"}"', "Kq83"),
        ("ab/Kq83/zvT1", "q=ab%2fKq83%2fzvT1", "Kq83"),
        ("ab<Kq83>zvT1", '"ab\\u003cKq83\\u003ezvT1"', "Kq83"),
        ("ab'Kq83\"zvT1", "<p>ab&#39;Kq83&#34;zvT1</p>", "Kq83"),
        ("abcdKq83zvT1", b"--abcdKq83zvT1--".hex(), b"Kq83".hex()),
    ],
)
def test_what_is_secret_in_a_secret_and_how_it_is_written(value: str, text: str, core: str) -> None:
    secrets = Secrets([value])
    assert core in text
    assert core not in secrets.mask(text)
    assert core.encode() not in secrets.mask_bytes(text.encode())


def test_what_only_stands_beside_a_secret_is_none() -> None:
    secrets = Secrets(
        ['{"client_email": "me@example.com", "private_key": "Kq83zvT1xx"}', "User Id=administrator;Pwd=x"]
    )
    assert secrets.mask("me@example.com, administrator") == "me@example.com, administrator"


def test_what_only_says_where_a_secret_is_is_none() -> None:
    text = "${API_KEY} ${input:api-key} Bearer ${env:A_TOKEN}"
    assert Secrets(["${API_KEY}", "${input:api-key}", "Bearer ${env:A_TOKEN}"]).mask(text) == text
    for value in (
        "${API_KEY:-Kq83zvT1xx}",
        "${env:API_KEY:-Kq83zvT1xx}",
        "${api.key:Kq83zvT1xx}",
        "${Kq83}zvT1xx",
    ):
        assert "Kq83" not in Secrets([value]).mask(f"API_KEY={value}")
