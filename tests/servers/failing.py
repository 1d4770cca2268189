"""A stdio server that dies, is silent or spoils its stdout as servers in the field do: `failing.py WHAT`.

What begins with `call` is well until its tool `go` is called. Ends by itself after a minute.
"""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

WHAT = sys.argv[1]
LAST_WORDS = {
    "no key": (1, "reading settings\nError: NOTES_API_KEY environment variable is required"),
    "usage": (2, "usage: notes [-h] --root ROOT\nnotes: error: the following arguments are required: --root"),
    "python module": (
        1,
        'Traceback (most recent call last):\n  File "/srv/notes.py", line 3, in <module>\n    import notes_core\n'
        "ModuleNotFoundError: No module named 'notes_core'",
    ),
    "node module": (
        1,
        "node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find module '/srv/dist/index.js'\n"
        "    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15) {\n  code: 'MODULE_NOT_FOUND'\n}\n\n"
        "Node.js v22.20.0",
    ),
    "no package": (
        1,
        "npm error code E404\nnpm error 404 Not Found - GET https://registry.example/@notes%2fserver\nnpm error 404\n"
        "npm error 404  '@notes/server@*' is not in this registry.\n"
        "npm error A complete log of this run can be found in: /var/tmp/debug.log",
    ),
    "port taken": (1, "Error: listen EADDRINUSE: address already in use 127.0.0.1:3000"),
    "no docker": (
        125,
        "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
    ),
    "no network": (1, "TypeError: fetch failed\nError: getaddrinfo ENOTFOUND api.notes.example"),
    "no file": (1, "FileNotFoundError: [Errno 2] No such file or directory: 'data/notes.db'"),
    "key error": (
        1,
        "Traceback (most recent call last):\n  File \"<frozen os>\", line 685\nKeyError: 'NOTES_TOKEN'",
    ),
    "coloured": (1, "\x1b[31mERROR\x1b[0m \x1b[1mNOTES_KEY\x1b[0m is required"),
    "bad key": (1, "openai.AuthenticationError: Error code: 401 - Incorrect API key provided"),
    "no image": (
        125,
        "docker: Error response from daemon: pull access denied for mcp/notes, repository does not exist or may "
        "require 'docker login': denied",
    ),
    "no library": (
        127,
        "./notes: error while loading shared libraries: libssl.so.1.1: cannot open shared object file: No such file or "
        "directory",
    ),
    "no node": (127, "env: 'node': No such file or directory"),
    "old runtime": (
        1,
        "java.lang.UnsupportedClassVersionError: Notes has been compiled by a more recent version of the Java Runtime",
    ),
    "no memory": (137, ""),
    "untrusted": (1, "x509: certificate signed by unknown authority"),
    "rust": (
        101,
        "thread 'main' panicked at src/main.rs:10:45:\nAPI_KEY must be set: NotPresent\n"
        "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
    ),
    "nothing": (0, ""),
    "nothing, failed": (3, ""),
    "shell": (127, "sh: 1: notes-server: not found"),
}
"""What it dies of before it reads a word: exit code and stderr."""


def end(code: int) -> None:
    sys.stderr.flush()
    os._exit(code)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def raw(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def send(id: Any, **message: Any) -> None:
    raw(json.dumps({"jsonrpc": "2.0", "id": id, **message}).encode() + b"\n")


def wait_for_ever() -> None:
    for _ in sys.stdin:
        pass


def download() -> None:
    for count in range(300):
        say(f"Downloading numpy ({count / 3:.0f}%)")
        time.sleep(0.2)


def compute() -> None:
    while True:
        pass


def close_stdout() -> None:
    os.close(1)
    wait_for_ever()


def question() -> None:
    raw(b"Enter API key: ")
    wait_for_ever()


def prompt() -> None:
    raw(b">>> ")
    wait_for_ever()


def http_on_stdout() -> None:
    raw(b"MCP Streamable HTTP server listening on port 3333\n")
    wait_for_ever()


def words_on_stdout() -> None:
    raw(b"Starting notes\nError: NOTES_KEY is not set\n")
    end(1)


def echo() -> None:
    for line in sys.stdin.buffer:
        raw(line)


def is_http() -> None:
    say("INFO:     Uvicorn running on http://127.0.0.1:8000 (Press CTRL+C to quit)")
    wait_for_ever()


STARTS: dict[str, Callable[[], None]] = {
    "silent": wait_for_ever, "download": download, "computing": compute, "closed stdout": close_stdout,
    "prompt": prompt, "http on stdout": http_on_stdout, "words on stdout": words_on_stdout, "echo": echo,
    "stopped": lambda: os.kill(os.getpid(), signal.SIGSTOP), "question": question, "is http": is_http,
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "crashed": lambda: os.kill(os.getpid(), signal.SIGSEGV),
}  # fmt: skip


def handshake(request: dict[str, Any]) -> dict[str, Any]:
    return {
        "protocolVersion": request["params"]["protocolVersion"],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": WHAT, "version": "1"},
    }


def in_handshake(request: dict[str, Any]) -> None:
    """Answers `initialize` as `WHAT` says."""
    if WHAT == "banner":
        raw("Welcome to notes! 🎉\n\n[INFO] ready\r\n".encode() + b"\xff\xfe no text\n42\n")
    id, result = request["id"], handshake(request)
    whole = json.dumps({"jsonrpc": "2.0", "id": id, "result": result})
    if WHAT == "half a line":
        raw(whole[:30].encode())
        say("lost the database")
        end(4)
    elif WHAT == "pretty":
        raw(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}, indent=2).encode() + b"\n")
    elif WHAT == "glued":
        raw(b"[50] handler added " + whole.encode() + b"\n")
    elif WHAT == "not quite json":
        raw(repr({"jsonrpc": "2.0", "id": id, "result": result}).encode() + b"\n")
    elif WHAT == "utf16":
        raw((whole + "\n").encode("utf-16-le"))
    elif WHAT == "two on a line":
        raw(whole.encode() + b' {"jsonrpc": "2.0", "method": "notifications/x"}\n')
    elif WHAT == "always the same id":
        send(0, result=result)
    elif WHAT == "no line end":
        raw(whole.encode())
    elif WHAT == "framed":
        raw(f"Content-Length: {len(whole)}\r\n\r\n{whole}".encode())
    elif WHAT == "null id":
        send(None, error={"code": -32700, "message": "Parse error"})
    elif WHAT == "version":
        send(
            id,
            error={
                "code": -32602,
                "message": "Unsupported protocol version",
                "data": {"supported": ["1.0"], "requested": request["params"]["protocolVersion"]},
            },
        )
    elif WHAT == "refused":
        send(id, error={"code": -32001, "message": "Unauthorized: NOTES_KEY is not set"})
    elif WHAT == "a list":
        send(id, result=[1])
    elif WHAT == "odd version":
        send(id, result={**result, "protocolVersion": "1.0"})
    elif WHAT == "no version":
        send(id, result={"capabilities": {"tools": {}}, "serverInfo": {"name": "x", "version": "1"}})
    else:
        send(id, result=result)


ODD_TOOLS = [
    {"name": "go", "inputSchema": {"type": "object"}},
    {"name": "any", "inputSchema": {"type": "object", "properties": {"any": True, "never": False}}},
    {"name": "empty", "inputSchema": {}},
    {"name": "null", "inputSchema": None},
    {"name": "missing"},
    {"name": "loops", "inputSchema": {"type": "object", "properties": {"x": {"$ref": "#/properties/x"}}}},
    {"name": "[/bold] list[int]\x1b[2J", "description": None, "inputSchema": {"type": "object"}},
    "not an object",
    {"name": "go", "inputSchema": {"type": "object"}},
]
PAGES: dict[str, dict[str, Any]] = {
    "stuck cursor": {"nextCursor": "same"}, "cursor a number": {"nextCursor": 7}, "no list": {"tools": "none"},
}  # fmt: skip


def in_list(id: Any, cursor: Any) -> None:
    tools = ODD_TOOLS if WHAT == "odd tools" else ODD_TOOLS[:1]
    if WHAT == "broken page" and cursor is not None:
        send(id, error={"code": -32603, "message": "page two is gone"})
    elif WHAT == "broken page":
        send(id, result={"tools": tools, "nextCursor": "two"})
    elif WHAT == "lies":
        send(id, error={"code": -32601, "message": "no such method"})
    else:
        send(id, result={"tools": tools, **PAGES.get(WHAT, {})})


def in_call(id: Any) -> None:
    """Answers the call of `go` as `WHAT` says."""
    whole = json.dumps({"jsonrpc": "2.0", "id": id, "result": {"content": []}}).encode()
    if WHAT == "call dies":
        say("panic: assignment to entry in nil map")
        end(2)
    elif WHAT == "call half":
        raw(whole[:30])
        end(9)
    elif WHAT == "call glued":
        raw(b"done in 3 ms " + whole + b"\n")
    elif WHAT == "call null id":
        send(None, error={"code": -32603, "message": "it broke"})
    elif WHAT == "call other id":
        send(9999, result={"content": []})
    elif WHAT == "call text id":
        send(str(id), result={"content": [{"type": "text", "text": "went"}]})
    elif WHAT == "call in a batch":
        raw(b"[" + whole + b"]\n")
    elif WHAT == "call null":
        send(id, result=None)
    elif WHAT == "call flag":
        send(id, result={"isError": "true", "content": []})
    elif WHAT == "call refused":
        send(id, error={"code": -32602, "message": "Unknown tool: go"})
    elif WHAT == "call neither":
        send(id)
    elif WHAT == "call stopped":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif WHAT != "call silent":
        send(id, result={"content": [{"type": "text", "text": "went"}]})


def main() -> None:
    guard = threading.Timer(60, lambda: os._exit(9))
    guard.daemon = True
    guard.start()
    if WHAT in LAST_WORDS:
        code, words = LAST_WORDS[WHAT]
        if words:
            say(words)
        end(code)
    if WHAT in STARTS:
        STARTS[WHAT]()
    for line in sys.stdin:
        request = json.loads(line)
        method, id = request.get("method"), request.get("id")
        if method == "notifications/initialized" and WHAT == "after the handshake":
            say("lost the database")
            end(3)
        elif WHAT == "other protocol" and id is not None:
            send(id, error={"code": -32601, "message": "no such method"})
        elif method == "initialize":
            in_handshake(request)
        elif method == "tools/list":
            in_list(id, request.get("params", {}).get("cursor"))
        elif method == "tools/call":
            in_call(id)
        elif id is not None:
            send(id, error={"code": -32601, "message": "no such method"})


main()
