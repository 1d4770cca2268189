"""Where a login may go by itself, and what needs a yes."""

from __future__ import annotations

import pytest

from inspector.auth.places import Places
from inspector.base.errors import Failed

PUBLIC = "https://93.184.216.34/mcp"


class Asked:
    def __init__(self, answer: bool) -> None:
        self.questions: list[str] = []
        self._answer = answer

    async def __call__(self, question: str) -> bool:
        self.questions.append(question)
        return self._answer


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("https://10.1.2.3/token", "private network"),
        ("https://169.254.169.254/latest", "private network"),
        ("https://127.0.0.1/authorize", "private network"),
        ("https://localhost/authorize", "private network"),
        ("https://[fd00::1]/token", "private network"),
    ],
)
async def test_a_private_place_needs_a_yes_and_gets_it_once(url: str, says: str) -> None:
    no, yes = Asked(False), Asked(True)
    with pytest.raises(Failed, match="not agreed to"):
        await Places(PUBLIC, no).allowed(url, "the token endpoint")
    places = Places(PUBLIC, yes)
    await places.allowed(url, "the token endpoint")
    await places.allowed(f"{url}?again", "the token endpoint")
    assert len(yes.questions) == 1
    assert url in yes.questions[0] and says in yes.questions[0] and "the token endpoint" in yes.questions[0]


@pytest.mark.parametrize("server", [PUBLIC, "http://127.0.0.1:3000/mcp"])
@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "javascript:alert(1)", "ftp://93.184.216.34/x", "https:///x", ""]
)
async def test_what_is_no_web_address_is_never_gone_to(server: str, url: str) -> None:
    asked = Asked(True)
    with pytest.raises(Failed, match="no http or https address"):
        await Places(server, asked).allowed(url, "the token endpoint")
    assert not asked.questions


@pytest.mark.parametrize(
    ("server", "url"),
    [
        (PUBLIC, "https://93.184.216.34/meta"),
        (PUBLIC, "https://93.184.216.35/token"),
        ("http://localhost:3000/mcp", "http://127.0.0.1:4000/token"),
        ("http://10.0.0.1/mcp", "https://10.0.0.2/token"),
        ("http://10.0.0.1/mcp", "http://10.0.0.1:4000/token"),
    ],
)
async def test_what_is_no_worse_than_the_server_itself_is_not_asked_about(server: str, url: str) -> None:
    asked = Asked(False)
    await Places(server, asked).allowed(url, "the token endpoint")
    assert not asked.questions


@pytest.mark.parametrize(
    ("server", "url"),
    [
        (PUBLIC, "http://93.184.216.35/token"),
        (PUBLIC, "http://93.184.216.34/token"),
        ("http://localhost:3000/mcp", "http://198.51.100.1/token"),
        ("http://10.0.0.1/mcp", "http://10.0.0.2/token"),
    ],
)
async def test_no_yes_allows_plain_http_to_another_machine(server: str, url: str) -> None:
    asked = Asked(True)
    with pytest.raises(Failed, match="plain http"):
        await Places(server, asked).allowed(url, "the token endpoint")
    assert not asked.questions
