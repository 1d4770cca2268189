"""Requests of a login. Each is an exchange in the traffic, without the secrets in it; none goes to a place that the
person has not agreed to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urljoin

from inspector.base.errors import Failed, fail
from inspector.base.secrets import MASK, Secrets
from inspector.base.text import clip, decode, quoted
from inspector.transports import _http
from inspector.transports.base import Observer
from inspector.transports.http_body import whole_body
from inspector.transports.http_failures import excerpt, origin
from inspector.transports.http_sender import client_for
from inspector.transports.network_failures import network_failure

_LARGEST = 1024 * 1024
_PATIENCE = 30.0
_HOPS = 3
_SECRET = frozenset({
    "access_token", "refresh_token", "token", "id_token", "client_secret", "registration_access_token", "code",
    "code_verifier", "client_assertion", "assertion", "subject_token",
})  # fmt: skip


@dataclass(slots=True, repr=False)
class Answer:
    """`headers` have lower-case names; `url` is where it came from in the end; `exchange` its number in the traffic."""

    url: str
    status: int
    headers: dict[str, str]
    body: bytes
    exchange: int

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    def object(self) -> dict[str, Any] | None:
        """The JSON object of the body; None where it is none."""
        try:
            value = json.loads(self.body)
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None

    def told(self) -> str:
        """Status and what the body says, in short."""
        said = excerpt(self.body, 120)
        return f"HTTP {self.status}" + (f": {said}" if said and not self.ok else "")


class Web:
    """`allowed` is asked before anything goes to a URL that a server named; it raises Failed where it must not."""

    def __init__(
        self,
        observer: Observer,
        secrets: Secrets,
        allowed: Callable[[str, str], Awaitable[None]],
        *,
        insecure: bool = False,
        ca: str | None = None,
    ) -> None:
        self._observer = observer
        self._secrets = secrets
        self._allowed = allowed
        self._insecure = insecure
        self._ca = ca
        self._clients: dict[str, _http.Client] = {}

    async def get(self, url: str, what: str) -> Answer:
        """`what` says for people what the URL is, as in `the metadata of the server`. Redirects are followed. Raises
        Failed where no answer comes, or none is to be asked for."""
        for _ in range(_HOPS):
            answer = await self._send("GET", url, what, {"Accept": "application/json"})
            location = answer.headers.get("location")
            if answer.status not in (301, 302, 303, 307, 308) or not location:
                return answer
            try:
                url = urljoin(url, location)
            except ValueError as error:
                raise fail(
                    "redirect",
                    f"{what} redirects to {quoted(location, 200)}: {error}",
                    "its owner has to mend that",
                ) from None
        raise fail("redirect", f"{what} redirects more than {_HOPS} times", "its owner has to mend that")

    async def post_form(
        self, url: str, what: str, fields: Mapping[str, str], headers: Mapping[str, str]
    ) -> Answer:
        """As a token endpoint takes it (RFC 6749, 3.2). Raises Failed like `get`."""
        for name, value in fields.items():
            if name in _SECRET:
                self._secrets.add_token(value)
        shown = {name: MASK if name in _SECRET else value for name, value in fields.items()}
        headers = {
            "Accept": "application/json",
            "Content-Type": "application/x-www-form-urlencoded",
            **headers,
        }
        return await self._send(
            "POST",
            url,
            what,
            headers,
            urlencode(fields, errors="replace").encode(),
            urlencode(shown, safe="*:/", errors="replace"),
        )

    async def post_json(self, url: str, what: str, value: Mapping[str, Any]) -> Answer:
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        text = json.dumps(value)
        return await self._send("POST", url, what, headers, text.encode(), text)

    async def aclose(self) -> None:
        for client in self._clients.values():
            await client.aclose()
        self._clients = {}

    async def _send(
        self,
        verb: str,
        url: str,
        what: str,
        headers: Mapping[str, str],
        body: bytes | None = None,
        shown: str = "",
    ) -> Answer:
        await self._allowed(url, what)
        client = self._client(url)
        request = client.request(verb, url, headers, body)
        exchange = self._observer.http_request(verb, url, self._masked(_http.shown_headers(request)))
        if shown:
            self._observer.http_event(exchange, "body sent", shown)
        outcome = "closed by us"
        try:
            async with asyncio.timeout(_PATIENCE):
                response = await client.send(request)
                try:
                    pairs = list(response.headers.multi_items())
                    self._observer.http_response(exchange, response.status_code, self._masked(pairs))
                    raw = await whole_body(response, _LARGEST)
                finally:
                    await response.aclose()
            outcome = "complete"
        except Failed as failed:
            outcome = failed.failure.message
            raise
        except TimeoutError:
            outcome = f"no answer within {_PATIENCE:.0f} s"
            raise fail("timeout", f"{what} ({url}) gave {outcome}", "is its address right?") from None
        except Exception as error:
            failure = network_failure(url, error, "before an answer came")
            outcome = failure.message
            raise Failed(failure) from error
        finally:
            if outcome != "complete":
                self._observer.http_end(exchange, outcome)
                self._observer.system(f"{verb} {url}: {outcome}", exchange)
        self._observer.http_body(exchange, self._without_secrets(raw))
        self._observer.http_end(exchange, outcome)
        self._observer.system(f"{verb} {url}: HTTP {response.status_code}", exchange)
        named = {name.lower(): value for name, value in pairs}
        return Answer(url, response.status_code, named, raw, exchange)

    def _client(self, url: str) -> _http.Client:
        """Raises Failed: config, tls, proxy."""
        try:
            _http.check(url)
            place = origin(url)
        except ValueError as error:
            raise fail(
                "config", f"{clip(url, 200)} is no URL: {error}", "its server names it wrongly"
            ) from None
        if place not in self._clients:
            self._clients[place] = client_for(url, self._insecure, self._ca)
        return self._clients[place]

    def _masked(self, headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
        return [(name, self._secrets.mask_message(value)) for name, value in headers]

    def _without_secrets(self, raw: bytes) -> bytes:
        """The body as it is shown and kept. What is secret in it is known everywhere from now on."""
        try:
            value = json.loads(raw)
        except (ValueError, RecursionError):
            return self._secrets.mask_message(decode(raw)).encode("utf-8", "surrogatepass")
        found = {name for name in _SECRET if isinstance(value, dict) and isinstance(value.get(name), str)}
        if not found:
            return self._secrets.mask_bytes(raw)
        for name in found:
            self._secrets.add_token(value[name])
        return json.dumps(
            {name: MASK if name in found else member for name, member in value.items()}
        ).encode()
