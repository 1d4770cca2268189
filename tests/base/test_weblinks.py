"""Addresses that a server wants to have opened."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.base.weblinks import examine


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("javascript:alert(1)", "javascript:"), ("file:///etc/passwd", "file:"), ("example.com/x", "no scheme"),
        ("https://", "no host"), ("https://a b.test/", "cannot be seen"), ("https://a\u202eb.test/", "cannot be seen"),
        ("https://a.test\\@b.test/", "backslash"), ("https://[::1/", "cannot be read"),
        ("https://a.test:99999999/", "cannot be read"),
    ],
)  # fmt: skip
def test_what_is_nothing_for_a_browser_is_not_opened(url: str, said: str) -> None:
    link = examine(url)
    assert not link.openable and said in link.why


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://xn--pypal-4ve.com/", "reads p\u0430ypal.com"), ("https://p\u0430ypal.com/", "Cyrillic and Latin"),
        ("https://127.0.0.1/", "this machine"), ("https://192.168.1.7/", "private network"),
        ("https://[::1]:8443/", "this machine"), ("https://169.254.169.254/latest", "private network"),
        ("https://8.8.8.8/", "an address, not a name"), ("https://localhost/", "this machine"),
        ("https://2130706433/", "on this machine or"), ("https://0x7f.1/", "is a number"),
        ("http://example.com/", "unencrypted"), ("https://bank.com@evil.test/", "before the @ stands bank.com"),
        ("https://ann:pw@evil.test/", "before the @ stands ann:***, which"),
        ("https://example.com:8443/", "port 8443"), ("https://example.com/" + "a" * 3000, "characters"),
    ],
)  # fmt: skip
def test_what_to_look_at_twice_is_said(url: str, said: str) -> None:
    link = examine(url)
    assert link.openable and any(said in remark for remark in link.remarks), link


def test_a_plain_address_has_no_remarks() -> None:
    link = examine("HTTPS://Accounts.example.com:443/consent?state=1#top")
    assert (link.scheme, link.host, link.decoded, link.remarks) == ("https", "accounts.example.com", "", ())


@pytest.mark.parametrize(
    "url", ["http://localhost:8000/x", "http://127.0.0.1:1/", "http://[::1]:2/", "http://a.localhost/"]
)
def test_a_program_of_this_machine_needs_no_certificate_and_no_usual_port(url: str) -> None:
    assert examine(url).remarks == ("the host is this machine",)


@given(st.text() | st.from_regex(r"https?://[^/]{0,20}/.{0,20}"))
def test_no_text_is_a_reason_to_fail(url: str) -> None:
    assert isinstance(examine(url).remarks, tuple)
