"""Posts traces to an OpenTelemetry collector, by OTLP over HTTP in JSON (opentelemetry.io/docs/specs/otlp)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from inspector.base.errors import Failed, fail
from inspector.transports import _http
from inspector.transports.http_body import whole_body
from inspector.transports.http_failures import status_failure
from inspector.transports.http_sender import client_for
from inspector.transports.network_failures import network_failure

_PATH = "/v1/traces"
_LONGEST_ANSWER = 1 << 20


def traces_url(endpoint: str) -> str:
    """Where traces go: the endpoint itself where it names that path, else the path below it. Raises Failed (config)."""
    try:
        parts = urlsplit(endpoint)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise fail("config", f"{endpoint} is no http or https URL", "as in http://127.0.0.1:4318")
    path = parts.path.rstrip("/")
    return parts._replace(path=path if path.endswith(_PATH) else path + _PATH).geturl()


class Collector:
    """Takes one request after the other; each has `timeout` seconds. Opening raises Failed: config, tls, proxy."""

    def __init__(
        self,
        endpoint: str,
        headers: Mapping[str, str],
        *,
        timeout: float,
        insecure: bool = False,
        ca: str | None = None,
    ) -> None:
        self.url = traces_url(endpoint)
        self._headers = {"Content-Type": "application/json", "Accept": "application/json", **headers}
        self._timeout = timeout
        self._client: _http.Client = client_for(self.url, insecure, ca)

    async def post(self, body: bytes) -> str | None:
        """Returns what the collector said of spans that it did not take. Raises Failed."""
        try:
            async with asyncio.timeout(self._timeout):
                response = await self._client.send(
                    self._client.request("POST", self.url, self._headers, body)
                )
                try:
                    answer = await whole_body(response, _LONGEST_ANSWER)
                finally:
                    await response.aclose()
        except Failed:
            raise
        except TimeoutError as error:
            raise fail(
                "timeout",
                f"{self.url} did not answer within {self._timeout:g} s",
                "give it longer with --timeout",
            ) from error
        except Exception as error:
            failure = network_failure(self.url, error, "before an answer came")
            hint = "is that an OTLP endpoint over HTTP? Collectors listen on port 4318 for it"
            raise Failed(
                replace(failure, hint=hint if failure.kind in ("refused", "stream") else failure.hint)
            ) from error
        if not 200 <= response.status_code < 300:
            headers = {name.lower(): value for name, value in response.headers.multi_items()}
            failure = status_failure("POST", self.url, response.status_code, headers, answer)
            if response.status_code in (404, 405, 415):
                failure = replace(
                    failure, hint="is that an OTLP endpoint that takes JSON? Its path ends with /v1/traces"
                )
            raise Failed(failure)
        return _rejected(answer)

    async def aclose(self) -> None:
        await self._client.aclose()


def _rejected(answer: bytes) -> str | None:
    try:
        partial = json.loads(answer).get("partialSuccess")
        count, said = int(partial.get("rejectedSpans", 0)), str(partial.get("errorMessage", ""))
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    return f"the collector refused {count} spans{': ' + said if said else ''}" if count or said else None
