"""Ways in which servers fail in the field, and what is said of each: the kind, the cause, the next step.

`entries` are those of the handed catalogue of real failures that a row stands for.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from command import write_config
from servers.scripted import scripted

SERVER = str(Path(__file__).parent / "servers" / "failing.py")


@dataclass(frozen=True, slots=True)
class Fault:
    """One server of a config, and what it comes to. `cause` and `step` are words of the message and of the hint, in
    their order, exactly as they are written. `tool` is called where the server starts well."""

    name: str
    entries: str
    server: dict[str, Any]
    kind: str
    cause: tuple[str, ...]
    step: str
    tool: str | None = None
    patience: float = 10.0
    """Seconds until a time-out is meant to come."""
    environment: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name

    @property
    def connect_patience(self) -> float:
        return 10.0 if self.tool else self.patience


@contextmanager
def reachable() -> Iterator[dict[str, str]]:
    """What stands for `HTTP` and `TLS` at the beginning of the URLs of the table."""
    with scripted() as http, scripted(tls=True) as tls:
        yield {"HTTP": http, "TLS": tls}


def configured(fault: Fault, urls: dict[str, str], folder: Path) -> str:
    """The path of a config that holds the server of the fault, as `faulty`."""
    server = dict(fault.server)
    scheme, slash, path = str(server.get("url", "")).partition("/")
    if scheme in urls:
        server["url"] = f"{urls[scheme]}{slash}{path}"
    return write_config(folder, faulty=server)


def _process(
    what: str, entries: str, kind: str, *cause: str, step: str, patience: float = 10.0, call: bool = False
) -> Fault:
    server = {"command": sys.executable, "args": [SERVER, what]}
    return Fault(what, entries, server, kind, cause, step, "go" if call else None, patience)


def _entry(name: str, entries: str, server: dict[str, Any], kind: str, *cause: str, step: str) -> Fault:
    return Fault(name, entries, server, kind, cause, step)


def _http(
    path: str, entries: str, kind: str, *cause: str, step: str, patience: float = 10.0, tls: bool = False
) -> Fault:
    server = {"type": "http", "url": f"{'TLS' if tls else 'HTTP'}/{path}"}
    return Fault(path, entries, server, kind, cause, step, None, patience)


STARTS = (
    _entry("no program", "B25 B69", {"command": "no-such-program-anywhere"}, "not_found", "no-such-program-anywhere",
           step="searched PATH: "),
    _entry("no runtime", "B25 B27", {"command": "bunx", "env": {"PATH": "/nowhere"}}, "not_found",
           "program not found: bunx",
           step="bunx comes with Bun: install that, or give the whole path. searched PATH: /nowhere"),
    _entry("a whole line", "B28", {"command": "npx -y notes"}, "not_found", "npx -y notes",
           step="put the rest into args"),
    _entry("quoted", "B28", {"command": '"python3"'}, "not_found", '"python3"', step="take the quotes off"),
    _entry("variable first", "B28", {"command": "KEY=1 python3"}, "not_found", "KEY=1", step="variables go into env"),
    _entry("of Windows", "B28", {"command": "npx.cmd"}, "not_found", "npx.cmd", step="a program of Windows"),
    _entry("a shell's variable", "B28", {"command": "$NOTES/run"}, "not_found", "$NOTES/run", step="as ${NAME}"),
    _entry("no file", "B25 B69", {"command": "./no/such/file.sh"}, "not_found", "no/such/file.sh",
           step="check the path"),
    _entry("not executable", "B25", {"command": __file__}, "not_executable", "fault_table.py",
           step="chmod +x"),
    _entry("no folder", "B69", {"command": sys.executable, "cwd": "/no/such/folder"}, "bad_cwd",
           "/no/such/folder does not exist", step="create it or correct cwd"),
)  # fmt: skip
DEATHS = (
    _process("no key", "B25 B26", "exited", "exited with code 1", "NOTES_API_KEY environment variable is required",
             step="set NOTES_API_KEY in env of this server"),
    _process("usage", "B26", "exited", "exited with code 2", "the following arguments are required: --root",
             step="its args are not what it takes"),
    _process("python module", "B26", "exited", "No module named 'notes_core'",
             step="the Python that runs it lacks notes_core"),
    _process("node module", "B26", "exited", "Cannot find module '/srv/dist/index.js'", step="check the path in args"),
    _process("no package", "B26", "exited", "is not in this registry", step="check the name of the package"),
    _process("port taken", "B26", "exited", "EADDRINUSE", step="another process has its port"),
    _process("no docker", "B26", "exited", "exited with code 125", "Docker daemon", step="start Docker first"),
    _process("no network", "B26", "exited", "ENOTFOUND api.notes.example", step="could not reach the network"),
    _process("no file", "B26", "exited", "No such file or directory: 'data/notes.db'",
             step="a path that it was given does not exist"),
    _process("key error", "B26", "exited", "KeyError: 'NOTES_TOKEN'", step="set NOTES_TOKEN in env of this server"),
    _process("coloured", "B26", "exited", "ERROR NOTES_KEY is required", step="set NOTES_KEY in env of this server"),
    _process("bad key", "B26", "exited", "Incorrect API key", step="what it logs in with is not accepted"),
    _process("no image", "B26", "exited", "pull access denied for mcp/notes", step="check name and tag of the image"),
    _process("no library", "B26", "exited", "libssl.so.1.1", step="a library of the system is missing or too old"),
    _process("no node", "B27", "exited", "env: 'node'", step="there is no node on its PATH"),
    _process("old runtime", "B26", "exited", "UnsupportedClassVersionError", step="a version of its runtime"),
    _process("no memory", "B26", "exited", "exited with code 137", step="137 is 128 and a signal"),
    _process("untrusted", "B43", "exited", "unknown authority", step="give it the authority in env"),
    _process("rust", "B26", "exited", "API_KEY must be set: NotPresent", step="set API_KEY in env of this server"),
    _process("nothing", "B25", "exited", "exited with code 0", "without a word",
             step="does this command serve MCP on stdio"),
    _process("nothing, failed", "B25", "exited", "exited with code 3", "without a word",
             step="run the command by hand"),
    _process("shell", "B25", "exited", "exited with code 127", "notes-server: not found",
             step="the shell did not find the program"),
    _process("killed", "B26", "exited", "killed by SIGKILL", step="where memory ran out"),
    _process("crashed", "B26", "exited", "killed by SIGSEGV", step="native code in it crashed"),
    _process("half a line", "B26", "exited", "exited with code 4", "in the middle of a line", "lost the database",
             step="its words above are all it said"),
    _process("after the handshake", "B26", "exited", "exited with code 3", "lost the database",
             step="its words above are all it said"),
)  # fmt: skip
SILENCES = (
    _process("silent", "B30", "timeout", "no answer to initialize", "is alive, idle (", "wrote nothing on stdout",
             step="--connect-timeout", patience=4),
    _process("computing", "B30", "timeout", "no answer to initialize", "is alive, computing (", "of CPU so far",
             step="--connect-timeout", patience=4),
    _process("download", "B29", "timeout", "no answer to initialize", "Downloading numpy",
             step="it still downloads or builds",
             patience=8),
    _process("question", "B17 B30", "timeout", "a line on stdout that does not end: 'Enter API key: '",
             step="it waits for an answer on its terminal", patience=4),
    _process("prompt", "B17 B30", "timeout", "a line on stdout that does not end: '>>> '",
             step="it waits at a prompt", patience=4),
    _process("http on stdout", "B17 B67", "timeout", "listening on port 3333",
             step="connect to http://127.0.0.1:3333/mcp", patience=4),
    _process("stopped", "B30", "timeout", "stopped by a signal", step="let it go on with kill -CONT", patience=4),
    _process("not quite json", "B18", "timeout", "looks like JSON and is none", step="with a JSON library", patience=4),
    _process("utf16", "B18 B19", "timeout", "its answer may be in lines of UTF-16", step="goes in UTF-8", patience=4),
    _process("always the same id", "B46", "timeout", "an answer with the id 0 came, which was answered before",
             step="carries the id of its request", patience=4),
    _process("is http", "B30 B67", "timeout", "Uvicorn running on http://127.0.0.1:8000",
             step="connect to that URL (http://127.0.0.1:8000", patience=4),
    _process("closed stdout", "B26", "stream", "the server closed its stdout but still runs", step="restart it"),
    _process("glued", "B18", "timeout", "its answer may be in the unreadable line '[50] handler added {",
             step="send log text to stderr", patience=4),
    _process("pretty", "B18", "timeout", "JSON written over several lines",
             step="write JSON without line breaks", patience=4),
    _process("no line end", "B18", "timeout", "a line on stdout that does not end",
             step="with a line feed and flush it",
             patience=4),
    _process("framed", "B18", "timeout", "frames its messages with Content-Length", step="one JSON-RPC message a line",
             patience=4),
)  # fmt: skip
HANDSHAKES = (
    _process("null id", "B47", "protocol", "an error without the id of a request: Parse error", step="the traffic"),
    _process("version", "B50", "version", "the server does not speak", "Unsupported protocol version",
             step="it speaks 1.0; none of them is known here"),
    _process("words on stdout", "B17 B25", "exited", "on stdout: Error: NOTES_KEY is not set", step="set NOTES_KEY"),
    _process("echo", "B17", "not_mcp", "our own request initialize came back", step="the command that serves MCP"),
    _process("two on a line", "B18", "protocol", "Extra data", step="something stands behind the message"),
    _process("other protocol", "B53", "rpc", "does not know initialize: no such method",
             "error -32601 to server/discover", step="does it serve MCP"),
    _process("refused", "B25", "rpc", "Unauthorized: NOTES_KEY is not set", step="set NOTES_KEY in env"),
    _process("a list", "B62", "protocol", "the answer to initialize holds no object", step="the traffic"),
)  # fmt: skip
CALLS = (
    _process("call dies", "B26", "exited", "exited with code 2", "assignment to entry in nil map",
             step="its words above are all it said", call=True),
    _process("call half", "B26", "exited", "exited with code 9", "in the middle of a line",
             step="run the command by hand", call=True),
    _process("call silent", "B30 B57", "timeout", "no answer to tools/call", "is alive, idle (",
             step="--timeout", patience=4,
             call=True),
    _process("call stopped", "B30", "timeout", "no answer to tools/call", "stopped by a signal (kill -CONT",
             step="kill -CONT", patience=2, call=True),
    _process("call glued", "B18", "timeout", "its answer may be in the unreadable line 'done in 3 ms {",
             step="send log text to stderr", patience=2, call=True),
    _process("call other id", "B46", "timeout", "an answer with the id 9999 came, which nobody waits for",
             step="carries the id of its request", patience=2, call=True),
    _process("call null id", "B47", "protocol", "an error without the id of a request: it broke",
             step="the traffic", call=True),
    _process("call neither", "B46", "protocol", "neither", step="the traffic", call=True),
    _process("call refused", "B41", "rpc", "Unknown tool: go", step="check the parameters", call=True),
)  # fmt: skip
ANSWERS = (
    _http("token-expired", "B40", "auth", "HTTP 401 (Bearer): The token expired",
          step="its metadata is at http://127.0.0.1:1/.well-known/oauth-protected-resource"),
    _http("basic", "B40", "auth", "HTTP 401 (Basic)", step="'Authorization: Basic BASE64'"),
    _http("key", "B40", "auth", "Missing X-API-Key header", step="send --header 'X-API-Key: ...'"),
    _http("many-ways", "B40", "auth", 'HTTP 401 (Negotiate, Basic, Bearer): Over, "sorry"',
          step="'Authorization: Bearer ...'"),
    _http("negotiate", "B40", "auth", "HTTP 401 (Negotiate)", step="Negotiate is not spoken here"),
    _http("own-scheme", "B40", "auth", "HTTP 401 (ApiKey)", step="'Authorization: ApiKey ...'"),
    _http("odd-key", "B40", "auth", "HTTP 401: Provide the notes-key header", step="--header 'notes-key: ...'"),
    _http("query-key", "B40", "auth", "missing query parameter api_key", step="add api_key and its value"),
    _http("paid", "B41", "http", "HTTP 402", "credits exhausted", step="has to pay"),
    _http("wants-tls", "B43", "http", "HTTP 400", "sent to HTTPS port", step="write https://"),
    _http("down", "B41", "http", "HTTP 521", "Web server is down", step="a gateway stands in front"),
    _http("files", "B67", "http", "HTTP 501", "Message: no POST", step="takes no POST"),
    _http("not-here", "B67", "http", "HTTP 404", "Cannot POST /not-here", step="check it (often /mcp)"),
    _http("moved", "B37", "redirect", "(HTTP 301), which is not followed", step="/moved/ as the URL"),
    _http("to-tls", "B37", "redirect", "redirects to https://127.0.0.1/mcp", step="it wants TLS"),
    _http("nowhere", "B37", "redirect", "redirects (HTTP 307) without saying where to", step="set up wrongly"),
    _http("bad-place", "B37", "redirect", "redirects to http://[::1/x (HTTP 308)", step="use its URL"),
    _http("ssh", "B41", "not_mcp", "does not speak HTTP; what came is 'SSH-2.0", step="another service listens there"),
    _http("alert", "B43", "tls", "speaks TLS, and was asked without", step="write https://"),
    _http("http2", "B41", "not_mcp", "does not speak HTTP", step="it speaks HTTP/2 from the start"),
    _http("utf16", "B41", "protocol", "it looks like UTF-16", step="JSON goes in UTF-8"),
    _http("lines", "B62", "protocol", "several messages, one a line", step="as the events of a stream"),
    _http("bad-event", "B44", "stream", "its last event was no message: '{oops'", step="the events of the exchange"),
    _http("error-event", "B44", "stream", "its last event error was no message: 'the session is dead'",
          step="not repeated by itself"),
    _http("other-id", "B46", "stream", "the answer in it has the id 777", step="not repeated by itself"),
    _http("open-event", "B44", "stream", "ended in the middle of an event", step="not repeated by itself"),
    _http("scope", "B40", "auth", "HTTP 403 (Bearer): insufficient_scope", step="wanted: files:write"),
    _http("origin", "B40", "auth", "Invalid Origin header", step="refuses the name it was reached by"),
    _http("browser", "B40", "auth", "Just a moment", step="a gateway in front wants to see a browser"),
    _http("missing", "B67", "http", "HTTP 404 to POST", step="check it (often /mcp)"),
    _http("get-only", "B67", "http", "HTTP 405 to POST", step="this path takes no POST"),
    _http("not-acceptable", "B41", "http", "HTTP 406", step="refuses our Accept header"),
    _http("media-type", "B41", "http", "HTTP 415", step="refuses application/json here"),
    _http("host", "B41", "http", "HTTP 421", "Invalid Host header", step="try localhost in place of 127.0.0.1"),
    _http("websocket", "B67", "http", "HTTP 426", step="as a WebSocket, which MCP does not use"),
    _http("limited", "B41", "http", "HTTP 429", step="Retry-After 30"),
    _http("inside", "B41 B49", "http", "HTTP 500", "Oops", step="--protocol legacy asks without the probe"),
    _http("gateway", "B41", "http", "HTTP 502", "502 Bad Gateway", step="a gateway stands in front"),
    _http("sign-in", "B37", "redirect", "redirects to https://login.example.com/authorize", step="a sign-in page"),
    _http("elsewhere", "B37", "redirect", "redirects to http://127.0.0.2:9/mcp (HTTP 308)", step="use its URL"),
    _http("in-circles", "B37", "redirect", "redirects more than 5 times", step="use the URL it ends at"),
    _http("page", "B41", "not_mcp", "answered with text/html", "Welcome to the shop", step="is this the MCP endpoint?"),
    _http("empty", "B41", "not_mcp", "answered with an empty body", step="is this the MCP endpoint?"),
    _http("accepted", "B38", "protocol", "HTTP 202 without an answer to a request", step="202 is for notifications"),
    _http("other-json", "B41", "protocol", "no JSON-RPC message", step="the traffic"),
    _http("cut-json", "B41", "protocol", "the body is not JSON", step="the traffic"),
    _http("short", "B41", "stream", "broke in the middle of the answer", step="the server or a gateway cut it"),
    _http("stream-ends", "B44", "stream", "the stream was closed without a response", step="not repeated by itself"),
    _http("hangs-up", "B44", "stream", "broke before an answer came", step="the server or a gateway cut it"),
    _http("reset", "B44", "stream", "failed before an answer came",
          step="if it speaks TLS, its URL begins with https://"),
    _http("silent", "B41", "timeout", "sent; waiting for the head of the answer", step="--connect-timeout", patience=4),
    _http("drip", "B41", "timeout", "sent; waiting for the head of the answer", "B of it came so far",
          step="--connect-timeout", patience=4),
    _http("bomb", "B70", "protocol", "the body is longer than 64.0 MiB", step="ask for less at once"),
    _http("body", "B70", "protocol", "the body is longer than 64.0 MiB", step="ask for less at once"),
    _http("headers", "B70", "protocol", "sends status and headers, or the length of a chunk, without end",
          step="a gateway may add a header at each of its turns"),
    _http("event", "B70", "protocol", "over the limit of 64.0 MiB for one frame", step="ask for less at once"),
    _http("page", "B43", "tls", "failed: self-signed certificate", step="trust its authority with --ca FILE", tls=True),
)  # fmt: skip
STREAMS = tuple(
    replace(fault, server={**fault.server, "type": "sse"})
    for fault in (
        _http("no-endpoint", "B44", "protocol", "holds no URL", "[2J", step="the server must name where messages go"),
        _http("misnamed", "B44", "timeout", "no endpoint event came", "an event 'endpoints' came: '/post'",
              step="--connect-timeout", patience=4),
    )
)  # fmt: skip
NETWORKS = (
    _entry("nobody listens", "B41", {"url": "http://127.0.0.1:1/mcp"}, "refused", "nobody listens on 127.0.0.1:1",
           step="start the server, or check host and port"),
    _entry("no such host", "B41", {"url": "http://no-such-host.invalid/mcp"}, "dns",
           "the name no-such-host.invalid cannot be resolved", step="check the host name"),
    _entry("no url", "B68", {"url": "http:///mcp"}, "config", "the URL names no host", step="write http://HOST"),
    _entry("websocket url", "B67", {"url": "ws://127.0.0.1:1/mcp"}, "config", "the scheme ws is not supported",
           step="write http://HOST"),
    _entry("websocket", "B67", {"url": "http://127.0.0.1:1/mcp", "type": "websocket"}, "unsupported",
           "unknown transport websocket", step="use stdio, http or sse"),
    _entry("control in a url", "B68", {"url": "http://127.0.0.1:1/\x1b[31m"}, "config", "is no URL",
           step="as in http://127.0.0.1:3000/mcp"),
    _entry("odd host name", "B41", {"url": "http://mcp..example/mcp"}, "dns",
           "the name mcp..example cannot be resolved", step="check the host name"),
    Fault("unknown proxy", "B43", {"url": "https://example.com/mcp"}, "proxy",
          ("the name of the proxy no-such-proxy.invalid:3128 cannot be resolved",), "see HTTP_PROXY",
          environment={"HTTPS_PROXY": "http://no-such-proxy.invalid:3128"}),
    Fault("no proxy", "B43", {"url": "https://example.com/mcp"}, "proxy",
          ("the proxy settings cannot be used", ), "see HTTP_PROXY", environment={"HTTPS_PROXY": "::::"}),
    Fault("dead proxy", "B43", {"url": "http://example.com/mcp"}, "proxy",
          ("the proxy 127.0.0.1:1, through which example.com is reached, does not answer",), "see HTTP_PROXY",
          environment={"HTTP_PROXY": "http://127.0.0.1:1"}),
)  # fmt: skip
FAULTS: tuple[Fault, ...] = (*STARTS, *DEATHS, *SILENCES, *HANDSHAKES, *CALLS, *ANSWERS, *STREAMS, *NETWORKS)


def _odd(what: str, entries: str, *words: str, call: bool = False) -> Fault:
    server = {"command": sys.executable, "args": [SERVER, what]}
    return Fault(what, entries, server, "", words, "", "go" if call else None)


ODDITIES: tuple[Fault, ...] = (
    _odd("banner", "B17 B19", "5 lines on stdout were no message; see the traffic"),
    _odd("odd version", "B50", 'an unknown protocol version: "1.0"; going on with 1.0'),
    _odd("no version", "B50", "the server named no protocol version; going on with "),
    _odd("odd tools", "B08 B09 B10 B62", 'tools: entry 2: inputSchema has no "type"',
         "tools: entry 3: inputSchema is not an object", "tools: entry 4: no inputSchema",
         "tools: entry 7: not an object but a string", "entry 8: the same name as entry 0"),
    _odd("stuck cursor", "B51", "tools: repeated cursor after page 2: 'same'; the list loops"),
    _odd("cursor a number", "B51", "tools: nextCursor of page 1 is not a string but a number"),
    _odd("broken page", "B51", "tools: page 2 failed: page two is gone; the list may be incomplete"),
    _odd("no list", "B62", "tools/list answered an object without a list tools"),
    _odd("lies", "B53", "declared, not implemented"),
    _odd("call text id", "B46", "another JSON type than the", call=True),
    _odd("call null", "B62", "the result is no object but null", call=True),
    _odd("call flag", "B62", "isError is not a boolean but a string", call=True),
    _odd("call in a batch", "B62", "sent inside of a batch", call=True),
)  # fmt: skip
"""What is odd and costs nothing else: the server is ready, the call is answered, and `cause` is said beside it."""
