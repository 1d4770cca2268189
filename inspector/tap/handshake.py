"""What client and server say of themselves, looked for among the first frames."""

from __future__ import annotations

import json
from typing import Any

from inspector.protocol.revisions import PREFIX
from inspector.traffic.session_log import SessionLog


class Handshake:
    """Keeps what it finds with the session."""

    def __init__(self, log: SessionLog) -> None:
        self.done = False
        self._log = log
        self._id: Any = None

    def look(self, sent: bool, line: bytes) -> None:
        """One frame, in its order."""
        if sent and (b'"initialize"' in line or b'"server/discover"' in line):
            request = _members(line)
            if request.get("method") not in ("initialize", "server/discover"):
                return
            self._id = request.get("id")
            params = _dict(request.get("params"))
            client = params.get("clientInfo") or _dict(params.get("_meta")).get(f"{PREFIX}clientInfo")
            version = _dict(params.get("_meta")).get(f"{PREFIX}protocolVersion")
            self._log.facts(clientInfo=client, **({"protocolVersion": version} if version else {}))
        elif not sent and self._id is not None and b'"result"' in line:
            answer = _members(line)
            if answer.get("id") != self._id:
                return
            result = _dict(answer.get("result"))
            info = result.get("serverInfo") or _dict(result.get("_meta")).get(f"{PREFIX}serverInfo")
            version = result.get("protocolVersion")
            self._log.facts(serverInfo=info, **({"protocolVersion": version} if version else {}))
            self.done = True


def _members(line: bytes) -> dict[str, Any]:
    try:
        return _dict(json.loads(line))
    except (ValueError, RecursionError):
        return {}


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
