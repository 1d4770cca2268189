"""Sends requests wherever they have to go: one client for each origin, redirects, tokens that are taken anew."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping
from urllib.parse import urljoin, urlsplit

from inspector.base.errors import Failed, fail
from inspector.base.secrets import mask_header
from inspector.base.text import clip
from inspector.transports import _http
from inspector.transports.base import Credentials, Observer, Written
from inspector.transports.http_failures import origin
from inspector.transports.network_failures import PROXY_VARIABLES, network_failure

_HOPS = 5


class HttpSender:
    """Of one URL, `headers` and `credentials` are for its origin alone, and the latter hold where `headers` name no
    Authorization; `leaves` tells whether the server may send us to another origin. Everything is told to `observer`."""

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        observer: Observer,
        *,
        insecure: bool = False,
        ca: str | None = None,
        leaves: Callable[[str], bool] = lambda origin: False,
        credentials: Credentials | None = None,
    ) -> None:
        self.url = url
        self.leaves = leaves
        self._headers = dict(headers)
        self._observer = observer
        self._insecure = insecure
        self._ca = ca
        named = any(name.lower() == "authorization" for name in headers)
        self._credentials = None if named else credentials
        self._client: _http.Client | None = None
        self._elsewhere: dict[str, _http.Client] = {}

    @property
    def logs_in(self) -> bool:
        """Whether an Authorization that is sent is that of a login of ours."""
        return self._credentials is not None

    @property
    def is_open(self) -> bool:
        """Whether it was opened; it stays so when it is closed."""
        return self._client is not None

    async def open(self) -> None:
        """Prepares the client. Raises Failed: config, tls, proxy."""
        try:
            parts = urlsplit(self.url)
            self._origin = origin(self.url)
            _http.check(self.url)
        except ValueError as error:
            raise fail(
                "config", f"{self.url} is no URL: {error}", "as in http://127.0.0.1:3000/mcp"
            ) from None
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise fail("config", f"{self.url} is no http or https URL", "as in http://127.0.0.1:3000/mcp")
        self._client = client_for(self.url, self._insecure, self._ca)
        if self._credentials is not None and parts.username is None:
            await self._credentials.open()

    def describe(self) -> str:
        """What opening came to, for people."""
        told = []
        if self._insecure and self.url.lower().startswith("https:"):
            told.append("its certificate is NOT checked")
        elif self._ca and self.url.lower().startswith("https:"):
            told.append(f"authorities from {self._ca}")
        if proxy := _http.proxy_for(self.url):
            told.append(f"through the proxy {proxy}")
        return ", ".join(told) or "ok"

    def request(
        self,
        verb: str,
        url: str,
        headers: Mapping[str, str],
        raw: bytes | None = None,
        written: Written | None = None,
    ) -> _http.Request:
        """With our headers, then the user's, which win, then those `written` for this request alone; the user's go to
        the origin they are meant for."""
        client = self._client_for(url)
        if client is self._client:
            held = self._credentials.headers(verb, url) if self._credentials is not None else {}
            headers = {**headers, **held, **self._headers}
        request = client.request(verb, url, {**headers, **(written or {})}, raw)
        for name in [name for name, value in (written or {}).items() if not value]:
            request.headers.pop(name, None)
        return request

    def begin(self, request: _http.Request) -> int:
        """Tells of a request, and gives the number of its exchange."""
        headers = _http.shown_headers(request)
        if self._credentials is not None:
            headers = [
                (name, mask_header(name, value) if name.lower() == "authorization" else value)
                for name, value in headers
            ]
        return self._observer.http_request(request.method, str(request.url), headers)

    async def send(self, exchange: int, request: _http.Request) -> _http.Response:
        """Sends, and follows redirects that keep method and body (307, 308): on the same origin, and to another where
        that is allowed. What is refused for its token is sent once more where there is another. Raises Failed."""
        began = str(request.url)
        renewed = challenged = False
        for _ in range(_HOPS):
            try:
                response = await self._client_for(str(request.url)).send(request)
            except Failed:
                raise
            except Exception as error:
                # Not all that goes wrong with foreign bytes does so in the library's own exceptions.
                raise Failed(network_failure(str(request.url), error, "before an answer came")) from error
            self._observer.http_response(exchange, response.status_code, list(response.headers.multi_items()))
            if response.status_code == 401 and not challenged and self._takes_nonce(request, response):
                challenged = True
                await response.aclose()
                self._observer.http_event(
                    exchange, "authorization", "the nonce that was given is in the proof"
                )
                request = self._moved(request, str(request.url), True)
                continue
            if response.status_code == 401 and not renewed and await self._another_token(request):
                renewed = True
                await response.aclose()
                self._observer.http_event(exchange, "authorization", "another token is sent")
                request = self._moved(request, str(request.url), True)
                continue
            target = response.headers.get("location")
            if response.status_code not in (307, 308) or not target:
                return response
            try:
                following = urljoin(str(request.url), target)
                _http.check(following)
                stays = origin(following) == origin(str(request.url))
                if not stays and not self.leaves(origin(following)):
                    return response
            except ValueError:
                return response
            await response.aclose()
            self._observer.http_event(exchange, "redirect", following)
            request = self._moved(request, following, stays)
        raise fail("redirect", f"{began} redirects more than {_HOPS} times", "use the URL it ends at")

    def reaching(self) -> tuple[int, int]:
        """How many connections to the URL's own origin are being opened, and how many are being secured by TLS."""
        network = self._client.network if self._client is not None else None
        return (network.connecting, network.securing) if network is not None else (0, 0)

    async def close(self) -> None:
        for client in (self._client, *self._elsewhere.values()):
            if client is not None:
                await client.aclose()

    def _client_for(self, url: str) -> _http.Client:
        """Each origin has its own: a proxy and TLS are matters of one client."""
        assert self._client is not None
        if url == self.url or (place := origin(url)) == self._origin:
            return self._client
        if place not in self._elsewhere:
            self._observer.system(
                f"the server sends us to {place}, another origin; the headers of its entry stay here"
            )
            self._elsewhere[place] = client_for(url, self._insecure, self._ca)
        return self._elsewhere[place]

    def _takes_nonce(self, request: _http.Request, response: _http.Response) -> bool:
        nonce = response.headers.get("dpop-nonce")
        if not nonce or self._credentials is None or self._client_for(str(request.url)) is not self._client:
            return False
        return self._credentials.takes(nonce)

    async def _another_token(self, request: _http.Request) -> bool:
        if self._credentials is None or self._client_for(str(request.url)) is not self._client:
            return False
        return await self._credentials.renewed(request.headers.get("authorization"))

    def _moved(self, request: _http.Request, url: str, stays: bool) -> _http.Request:
        """The same request to another place. What was given for one origin is not sent to another."""
        private = {"host", "cookie"}
        if not stays:
            private |= {"authorization", *(name.lower() for name in self._headers)}
        kept = {name: value for name, value in _http.shown_headers(request) if name.lower() not in private}
        return self.request(request.method, url, kept, request.content or None)


def client_for(url: str, insecure: bool, ca: str | None) -> _http.Client:
    """Raises Failed: tls, proxy."""
    try:
        return _http.Client(url, insecure=insecure, ca=ca)
    except (OSError, ssl.SSLError) as error:
        where = ca or "SSL_CERT_FILE or SSL_CERT_DIR"
        raise fail("tls", f"the authorities in {where} cannot be used: {error}", "give a PEM file") from error
    except (ValueError, ImportError, _http.InvalidURL) as error:
        message = f"the proxy settings cannot be used: {clip(str(error), 120)}"
        raise fail("proxy", message, PROXY_VARIABLES) from error
