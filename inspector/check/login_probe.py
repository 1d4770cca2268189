"""What a login would look at before it asks anybody: fetched, so that it stands in the traffic and is judged."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from inspector.base.errors import Failed
from inspector.base.secrets import Secrets
from inspector.transports.base import Observer

PROBED = frozenset({"O01", "O02", "O03", "O04"})
_SERVERS = 3


async def look_for_login(
    url: str,
    challenge: Mapping[str, str],
    observer: Observer,
    secrets: Secrets,
    *,
    insecure: bool,
    ca: str | None,
) -> None:
    """The metadata of the server at `url` as a protected resource, and those of its authorization servers. Goes to no
    private place that the server itself is not in. Never raises Failed."""
    from inspector.auth.discovery import find_resource, find_server
    from inspector.auth.places import Places
    from inspector.auth.timeline import Timeline
    from inspector.auth.web import Web

    async def nobody(question: str) -> bool:
        return False

    web, timeline = Web(observer, secrets, Places(url, nobody).allowed, insecure=insecure, ca=ca), Timeline()
    try:
        with suppress(Failed):
            for issuer in (await find_resource(url, challenge, web, timeline)).issuers[:_SERVERS]:
                with suppress(Failed):
                    await find_server(issuer, web, timeline, None)
    finally:
        await web.aclose()
