"""A keyring in a file, for tests: `PYTHON_KEYRING_BACKEND=plain_keyring.Plain` with `RING` as the file."""

from __future__ import annotations

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError


class Plain(KeyringBackend):
    priority = 1  # type: ignore[assignment]

    @property
    def _file(self) -> Path:
        return Path(os.environ["RING"])

    def _all(self) -> dict[str, str]:
        return json.loads(self._file.read_text()) if self._file.exists() else {}

    def get_password(self, service: str, username: str) -> str | None:
        return self._all().get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._file.write_text(json.dumps({**self._all(), f"{service} {username}": password}))

    def delete_password(self, service: str, username: str) -> None:
        known = self._all()
        if known.pop(f"{service} {username}", None) is None:
            raise PasswordDeleteError("not there")
        self._file.write_text(json.dumps(known))
