"""Secrets planted in a config of servers that repeat them, and what tells whether one came through."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

LEAKY = str(Path(__file__).parent / "servers" / "leaky.py")
VARIABLES = {
    "PLANTED_ARG": "arg/Kq83 zvT1+x",
    "PLANTED_ENV": 'env"Lw92\\mmR4',
    "PLANTED_HEADER": "hdr-Pe55ttB0aa",
    "PLANTED_QUERY": "qry-Zu71ggN3cc",
}
"""Variables that the config names."""
LITERAL = {
    "option": "opt-Yt60hhS9dd",
    "env": "lit-Vr14jjD5ee",
    "header": "key-Xo38kkF2ff",
    "basic": "pw-Bn27llG6gg",
    "query": "tok-Cm49ooH8hh",
    "user": "usr-Di16ppJ7ii",
}
"""Secrets that stand in the config itself, and are ones by the name they go by."""
PLANTED = [*VARIABLES.values(), *LITERAL.values()]
HTTP_PATHS = ("mcp", "stream", "page", "login", "moved", "cut")


@contextmanager
def leaky_config(folder: Path) -> Iterator[str]:
    """The path of the config; its servers are `stdio`, `dies`, `absent`, `noname` and those of `HTTP_PATHS`."""
    with subprocess.Popen([sys.executable, LEAKY, "http"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            host = f"127.0.0.1:{int(process.stdout.readline())}"
            arguments = ["${PLANTED_ARG}", f"--password={LITERAL['option']}", "--api-key", LITERAL["option"]]
            env = {"LEAKY_A": "${PLANTED_ENV}", "LEAKY_TOKEN": LITERAL["env"]}
            basic = base64.b64encode(f"me:{LITERAL['basic']}".encode()).decode()
            headers = {
                "X-Notes": "${PLANTED_HEADER}",
                "X-Api-Key": LITERAL["header"],
                "Authorization": f"Basic {basic}",
            }
            query = f"?q=${{PLANTED_QUERY}}&token={LITERAL['query']}"
            servers: dict[str, Any] = {
                "stdio": {"command": sys.executable, "args": [LEAKY, *arguments], "env": env},
                "dies": {"command": sys.executable, "args": [LEAKY, "dies", *arguments], "env": env},
                "absent": {"command": "/nowhere/${PLANTED_ARG}", "args": arguments, "env": env},
                "noname": {"url": f"http://{LITERAL['user']}:{LITERAL['user']}@no.such.host.invalid/{query}"},
                "user": {"url": f"http://me:{LITERAL['user']}@{host}/mcp{query}"},
            }
            for path in HTTP_PATHS:
                servers[path] = {"url": f"http://{host}/{path}{query}", "headers": headers}
            config = folder / "servers.json"
            config.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
            yield str(config)
        finally:
            process.kill()


def leaks(text: str) -> list[str]:
    """What shows a planted secret: six characters of one, or of one as base64, wherever they are."""
    found = []
    for secret in PLANTED:
        core = secret[4:10]
        # Base64 of it at each of the three places where it may begin, without what its neighbours decide.
        forms = [base64.b64encode(b"." * n + secret.encode()).decode()[8:16] for n in range(3)]
        for form in (core, *forms):
            if (at := text.find(form)) >= 0:
                found.append(f"{form} of {secret}: {text[max(0, at - 120) : at + 40]!r}")
    return found
