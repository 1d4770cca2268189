"""The logins of the client under test: a person who agrees to all of it, with a browser that goes where it is sent.

What the suite gives of a client (MCP_CONFORMANCE_CONTEXT) stands where a person's settings would. Nothing is kept
beyond the run.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from inspector.auth.credentials import Credentials
from inspector.auth.kept import Kept
from inspector.auth.login import Login
from inspector.base.errors import Failed, Failure
from inspector.base.secrets import Secrets
from inspector.config.oauth import OAuth
from inspector.traffic.unkept import UnkeptLog
from inspector.transports import _http

DOCUMENT = "https://conformance-test.local/client-metadata.json"
"""The client id that the suite expects where client id metadata documents are read; it is never fetched."""
_SECRET, _WORKLOAD, _PERSON = "CLIENT_SECRET", "WORKLOAD_JWT", "ID_TOKEN"


class Logins:
    """One run of a scenario. `version` is that of MCP, None where the suite names none."""

    def __init__(self, url: str, version: str | None, context: Mapping[str, Any]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._url = url
        self._version = version
        self._kept = Kept(Path(self._folder.name) / "tokens.json")
        self._secrets = Secrets()
        self._environment = {
            variable: str(context.get(name, ""))
            for variable, name in (
                (_SECRET, "client_secret"),
                (_WORKLOAD, "valid_jwt"),
                (_PERSON, "idp_id_token"),
            )
        }
        self._settings = self._of(context)
        self.credentials = Credentials(
            url,
            observer=UnkeptLog(),
            secrets=self._secrets,
            settings=self._settings,
            environment=self._environment,
            kept=self._kept,
        )

    def _of(self, context: Mapping[str, Any]) -> OAuth:
        named = context.get("client_id")
        if not isinstance(named, str):
            return OAuth(metadata_url=DOCUMENT)
        if isinstance(context.get("valid_jwt"), str):
            return OAuth(named, grant="jwt_bearer", assertion_variable=_WORKLOAD)
        if isinstance(context.get("idp_id_token"), str):
            return OAuth(
                named,
                _SECRET,
                grant="jwt_bearer",
                id_token_variable=_PERSON,
                idp_token_endpoint=str(context.get("idp_token_endpoint")),
                idp_client_id=str(context.get("idp_client_id")),
            )
        if isinstance(pem := context.get("private_key_pem"), str):
            key = Path(self._folder.name) / "key.pem"
            key.write_text(pem, encoding="utf-8")
            algorithm = str(context.get("signing_algorithm", "ES256"))
            return OAuth(named, private_key=key, signing_algorithm=algorithm, grant="client_credentials")
        return OAuth(named, _SECRET)

    def in_its_own_name(self) -> None:
        """For the scenarios of the grant client_credentials."""
        self._settings = OAuth(
            self._settings.client_id, self._settings.secret_variable, grant="client_credentials"
        )

    async def after(self, refusal: Failure) -> None:
        """Logs in as the refusal asks for it. Raises Failed."""
        login = Login(
            self._url,
            person=_Agreeing(),
            observer=UnkeptLog(),
            secrets=self._secrets,
            settings=self._settings,
            environment=self._environment,
            version=self._version,
            kept=self._kept,
        )
        data = refusal.data if isinstance(refusal.data, dict) else {}
        await login.run(refusal.http_status, {name: str(value) for name, value in data.items()})
        await self.credentials.open()

    def close(self) -> None:
        self._folder.cleanup()


class _Agreeing:
    """Satisfies `auth.login.Person`."""

    async def present(self) -> None: ...

    async def agrees(self, question: str) -> bool:
        return True

    async def visit(self, url: str) -> None:
        target = await _location(url)
        if target:
            await _location(target)

    async def pasted(self) -> str:
        never: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        return await never


async def _location(url: str) -> str:
    """Where the answer sends a browser on; empty where it does not."""
    client = _http.Client(url)
    try:
        response = await client.send(client.request("GET", url, {}))
        await response.aread()
        await response.aclose()
        return str(response.headers.get("location", ""))
    except Exception as error:
        raise Failed(Failure(kind="auth", message=f"the browser met {error!r}")) from error
    finally:
        await client.aclose()
