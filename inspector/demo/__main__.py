"""Starts one demo server: `python -m inspector.demo stdio bakery`, `... http library --port 8000`."""

from __future__ import annotations

import os
import sys

from inspector import demo

_USAGE = f"""\
usage: python -m inspector.demo stdio NAME
       python -m inspector.demo http NAME [--port N]    (prints the URL; 0 = any free port)
NAME is one of: {", ".join(demo.NAMES)}"""


def main(arguments: list[str]) -> int:
    """Gives the exit code: 2 for a wrong command line."""
    match arguments:
        case ["stdio", name] if name in demo.NAMES:
            return _stdio(name)
        case ["http", name] if name in demo.NAMES:
            return _http(name, 0)
        case ["http", name, "--port", port] if name in demo.NAMES and port.isdecimal():
            return _http(name, int(port))
    print(_USAGE, file=sys.stderr)
    return 2


def _stdio(name: str) -> int:
    if name == "notes" and not os.environ.get("NOTES_KEY"):
        print("notes: reading the configuration", file=sys.stderr)
        print("notes: NOTES_KEY is not set; add it to `env` in the config of this server", file=sys.stderr)
        return 1
    from inspector.serving import stdio

    return stdio.serve(demo.definition(name))


def _http(name: str, port: int) -> int:
    from inspector.serving import http

    server = demo.hosted(name, port, say=lambda line: print(line, file=sys.stderr, flush=True))
    try:
        return http.serve(server, lambda url: print(url, flush=True))
    except OSError as error:
        print(f"cannot listen on port {port}: {error.strerror}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
