"""What fuzzing begins with: small sound and odd inputs of every target, and the handed material where it is there."""

from __future__ import annotations

import json
import os
from itertools import chain
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
_SHARED = Path(os.environ.get("MCP_INSPECT_SHARED", ROOT.parent / "shared"))
_LARGEST = 16_000
"""Bytes that are taken of a file."""


def _files(*patterns: str) -> list[bytes]:
    """The beginnings of what is there of the handed material; lines are not cut in the middle."""
    found = []
    for path in chain.from_iterable(sorted(_SHARED.glob(pattern)) for pattern in patterns):
        data = path.read_bytes()
        found.append(data if len(data) <= _LARGEST else data[: data.rfind(b"\n", 0, _LARGEST) + 1])
    return found


def _lines(*values: Any) -> bytes:
    return b"".join(
        value if isinstance(value, bytes) else json.dumps(value).encode() + b"\n" for value in values
    )


def _rpc(**members: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", **members}


_TOOL = {"name": "t", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}
_CALL = _rpc(
    id=2, method="tools/call", params={"name": "t", "arguments": {"a": "x"}, "_meta": {"progressToken": 2}}
)
_ANSWER = _rpc(id=2, result={"content": [{"type": "text", "text": "a-secret-of-ours"}], "isError": False})
_FRAMES = [
    _rpc(id=1, method="initialize", params={"protocolVersion": "2025-11-25", "capabilities": {"roots": {}},
                                            "clientInfo": {"name": "c", "version": "1"}}),
    _rpc(id=1, result={"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "logging": {}},
                       "serverInfo": {"name": "s", "version": "1"}}),
    _rpc(method="notifications/initialized"),
    _rpc(id=3, method="tools/list"),
    _rpc(id=3, result={"tools": [_TOOL], "nextCursor": "x"}),
    _CALL,
    _rpc(method="notifications/progress", params={"progressToken": 2, "progress": 1, "total": 2, "message": "half"}),
    _rpc(id="s1", method="sampling/createMessage", params={"messages": [], "maxTokens": 1}),
    _rpc(id="s1", error={"code": -32601, "message": "no"}),
    _ANSWER,
    _rpc(method="notifications/tools/list_changed"),
    _rpc(method="notifications/cancelled", params={"requestId": 2, "reason": "late"}),
    _rpc(method="notifications/message", params={"level": "info", "data": {"a": 1}}),
]  # fmt: skip
_FROM_SERVER = [
    frame for frame in _FRAMES if "result" in frame or "notifications/" in str(frame.get("method"))
]
_AT_CLIENT = {0, 2, 3, 5, 8, 11}
_STDIO = [
    _lines(*_FROM_SERVER, b"a log line\n", b"\n", b'{"jsonrpc":"2.0","id":'),
    _lines([_ANSWER, _rpc(id=9, method="ping")], _rpc(id=None, error={"code": 1, "message": "m"}), _rpc(id=2.0, result=1)),
    b'{"jsonrpc":"2.0","id":2,"result":{"a":NaN}}\r\n\xff\xfe{"id":2}\n' + b"[" * 3000 + b"\n",
]  # fmt: skip
_SSE = [
    b": comment\n\nid: 0\nretry: 500\ndata:\n\nevent: ping\ndata: 2025\n\nfoo: bar\r\nid: 1\r\ndata:{\r\ndata: }\r\n\r\n",
    b"\xef\xbb\xbfdata: a\rdata: b\r\rid: x\0y\nretry: -1\nretry\ndata\n\n",
    b"event: endpoint\ndata: /messages?sessionId=1\n\nevent: message\ndata: %b\n\n"
    % json.dumps(_ANSWER).encode(),
]
_HTTP = [
    b"\n=====\n".join((
        b"$HEAD$INIT", b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n", b"HTTP/1.1 405 No\r\nAllow: POST\r\n\r\n",
        b'$HEAD{"jsonrpc":"2.0","id":$ID,"result":{"tools":[]}}',
        b'$STREAMid: 1\ndata: {"jsonrpc":"2.0","id":$ID,"result":{"content":[]}}\n\n',
    )),
    b"\n=====\n".join((
        b"$STREAMid: 7\nretry: 10\ndata: $INIT\n\n", b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
        b"$STREAM: hello\n\n", b"$STREAMid: 8\nretry: 1\ndata:\n\n",
        b'$STREAMdata: {"jsonrpc":"2.0","id":$ID,"result":{}}\n\n',
    )),
    b"\n=====\n".join((
        b'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer realm="x", resource_metadata="http://127.0.0.1:1/a"\r\n'
        b"Content-Length: 0\r\n\r\n",
        b"HTTP/1.1 307 Moved\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n", b"SSH-2.0-x\r\n", b"",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: application/json\r\n\r\n\x1f\x8b\x08",
    )),
    b"\n=====\n".join((
        b"$STREAMevent: endpoint\ndata: /messages?sessionId=1\n\nevent: message\ndata: $INIT\n\n",
        b"HTTP/1.1 202 Accepted\r\nMcp-Session-Id: s\r\nContent-Length: 8\r\n\r\nAccepted", b"$HEAD[$INIT]",
        b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n5\r\n{\"id\"\r\n0\r\n\r\n",
    )),
]  # fmt: skip


def _post(body: Any, *headers: str) -> bytes:
    raw = json.dumps(body).encode()
    lines = ["POST /mcp HTTP/1.1", "Host: localhost", "Content-Type: application/json",
             "Accept: application/json, text/event-stream", f"Content-Length: {len(raw)}", *headers]  # fmt: skip
    return "\r\n".join([*lines, "", ""]).encode() + raw


_MODERN = _rpc(id=1, method="tools/list", params={"_meta": {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "c", "version": "1"}}})  # fmt: skip
_SERVED = [
    _post(_FRAMES[0]) + _post(_FRAMES[2], "Mcp-Session-Id: x"),
    _post(_MODERN, "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list"),
    b"GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n",
    b"POST /messages?sessionId=x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    b"DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: x\r\nOrigin: http://[\r\nExpect: 100-continue\r\n\r\n",
]
_ENTRY = {
    "command": "node",
    "args": ["${API_KEY}", "--token", "x"],
    "env": {"A": "${env:API_KEY}", "TOKEN": "t"},
}
_CONFIGS = [
    json.dumps(config).encode()
    for config in (
        {"mcpServers": {"a": _ENTRY, "b": {"url": "https://h/${API_KEY}?token=x", "headers": {"Authorization": "Bearer y"}}}},
        {"servers": {"a": {"type": "stdio", **_ENTRY, "args": ["${input:key}", "${workspaceFolder}/x"]}},
         "inputs": [{"id": "key", "type": "promptString", "password": True, "description": "d"}]},
        {"projects": {"/p": {"mcpServers": {"a": _ENTRY}}}, "mcpServers": {}},
        {"context_servers": {"a": {"source": "custom", "command": {"path": "x", "args": [], "env": {}}}}},
        {"mcp": {"a": {"type": "local", "command": ["x", "{env:API_KEY}"], "environment": {}, "enabled": False},
                 "b": {"type": "remote", "url": "http://h", "headers": {}, "oauth": {}}}},
        {"mcpServers": {"a": {"command": "x", "cwd": "~", "timeout": "5s", "disabled": "yes", "env": None, "args": "a b"}}},
    )
] + [
    b'\xef\xbb\xbf// hello\n{"mcpServers": {/* c */ "a": {"command": "x",},\r\n "a": {"url": "http://h",},},}\n',
    b'[mcp_servers.a]\ncommand = "x"\nargs = ["${API_KEY}"]\nbearer_token_env_var = "API_KEY"\n[mcp_servers.a.env]\nA = "1"\n',
    b"mcpServers:\n  - name: a\n    command: x\n    args: [${API_KEY}]\n    env: {A: 1}\n  - {name: b, url: http://h}\n",
]  # fmt: skip
_PASTES = [
    b"npx -y @scope/server --key 'a b' # c", b"https://user:pw@host/mcp?token=x", b"python -m server \\\n  --x\n",
    b'"a": {"command": "x"}', b"{\"url\": 'x'}", b"claude mcp add a -e K=v -- npx x", b"vscode:mcp/install?%7B%7D", b"",
    b"cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=eyJjb21tYW5kIjoieCJ9", *_CONFIGS,
]  # fmt: skip


def _recorded() -> bytes:
    """A recording of ours, of every kind of row."""
    from inspector.traffic.header import header, session_line

    rows: list[Any] = [header(1e9, {"applied": True}) , session_line(1, 0.0, "s", {"command": ["x"], "transport": "stdio"}),
                       session_line(2, 0.0, "web", {"url": "https://h/mcp"})]  # fmt: skip
    for at, frame in enumerate(_FRAMES):
        rows.append({"t": at / 10, "q": at, "s": 1, "d": "c2s" if at in _AT_CLIENT else "s2c", "m": frame})
    at = len(_FRAMES)
    more: list[dict[str, Any]] = [
        {"d": "s2c", "x": "no JSON"}, {"d": "s2c", "b": "/w=="}, {"d": "err", "x": "a line"}, {"d": "sys", "x": "ended"},
        {"d": "http", "e": 1, "m": {"request": ["POST", "https://h/mcp", [["Accept", "x"]]]}},
        {"d": "c2s", "e": 1, "m": _CALL}, {"d": "http", "e": 1, "m": {"status": 200, "headers": [["Content-Type", "x"]]}},
        {"d": "http", "e": 1, "m": {"body": "a-secret-of-ours"}}, {"d": "http", "e": 1, "m": {"event": ["id", "1"]}},
        {"d": "s2c", "e": 1, "m": _ANSWER}, {"d": "http", "e": 1, "m": {"end": "complete"}},
        {"d": "s2c", "f": ["truncated"], "n": 99999, "x": "{"},
    ]  # fmt: skip
    rows += [
        {"t": 9, "q": at + number, "s": 1 if "e" not in row else 2, **row} for number, row in enumerate(more)
    ]
    rows.append({"note": {"row": 2, "text": "look", "t": 3}})
    return b"".join(row if isinstance(row, bytes) else json.dumps(row).encode() + b"\n" for row in rows)


_STAMP = "2026-08-09T12:00:00Z"
_HAR_ENTRY = {
    "startedDateTime": _STAMP, "time": 5, "request": {"method": "POST", "url": "https://h/mcp", "headers": [
        {"name": "Accept", "value": "x"}], "postData": {"mimeType": "application/json", "text": json.dumps(_CALL)}},
    "response": {"status": 200, "headers": [], "content": {"mimeType": "text/event-stream", "text":
                 f"data: {json.dumps(_ANSWER)}\n\n", "encoding": "utf-8"}}, "timings": {"wait": 1},
    "_webSocketMessages": [{"type": "send", "time": 1, "data": "{}"}],
}  # fmt: skip
_IMPORTS = [
    _lines(*({"t": at / 9, "dir": "send" if at in _AT_CLIENT else "recv", "msg": json.dumps(frame)}
             for at, frame in enumerate(_FRAMES))),
    _lines(*({"ts": at / 9, "dir": "client->server" if at in _AT_CLIENT else "server->client", "msg": frame}
             for at, frame in enumerate(_FRAMES))),
    _lines(*({"session_id": "a", "seq": at, "server_label": "s", "ts": _STAMP, "transport": "stdio",
              "direction": "c2s" if at in _AT_CLIENT else "s2c", "raw": frame} for at, frame in enumerate(_FRAMES)),
           {"session_id": "a", "seq": 99, "direction": "stderr", "ts": _STAMP, "text": "x"}),
    _lines({"format": "mcpdump-session", "version": 1, "at": _STAMP, "argv": ["x"]},
           *({"seq": at, "atMs": at, "direction": "to_server" if at in _AT_CLIENT else "to_client",
              "line": json.dumps(frame)} for at, frame in enumerate(_FRAMES))),
    _lines(*({**frame, "_meta": {"dir": "send" if at in _AT_CLIENT else "recv", "server": "s", "ts": _STAMP}}
             for at, frame in enumerate(_FRAMES)), {"_meta": {"dir": "lifecycle", "server": "s", "ts": _STAMP}}),
    _lines({"_type": "meta", "version": 1, "recorded_at": _STAMP, "server_command": ["x"]},
           *({"t": at, "dir": "c2s" if at in _AT_CLIENT else "s2c", "payload": frame} for at, frame in enumerate(_FRAMES))),
    b"meta:\n  version: 1\n  recorded_at: 2026-08-09T12:00:00Z\n  server_command: [x]\nmessages:\n- t: 0\n  dir: c2s\n"
    b"  payload: {jsonrpc: '2.0', id: 1, method: ping}\n- t: 1\n  dir: s2c\n  payload:\n    id: 1\n    result: {}\n",
    json.dumps({"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [_HAR_ENTRY]}}).encode(),
    json.dumps({"version": 1, "interactions": [{"type": "jsonrpc_request", "request": _CALL, "response": _ANSWER,
               "response_is_sse": True, "latency_ms": 3, "response_status": 200, "sse_events": [_ANSWER]}]}).encode(),
    json.dumps([{"timestamp": _STAMP, "direction": "request", "message": _CALL, "response": _ANSWER}]).encode(),
    json.dumps([{"timestamp": _STAMP, "method": "POST", "url": "https://h", "requestHeaders": {"a": "b"},
                 "requestBody": json.dumps(_CALL), "responseStatus": 200, "responseHeaders": {},
                 "responseBody": json.dumps(_ANSWER), "duration": 3}]).encode(),
    json.dumps({"server": "s", "cmd": ["x"], "exchanges": [{"t": 0, "note": "n", "request": {"method": "POST",
               "path": "/mcp", "headers": {"Host": "h"}, "body": json.dumps(_CALL)}, "response": {"status": 200,
               "headers": {"Content-Type": "application/json"}, "body": json.dumps(_ANSWER), "chunks": [
                   {"t": 1, "data": "x"}]}}]}).encode(),
]  # fmt: skip
_DEFINITIONS = [
    b"""definition: 1
server: {name: s, version: 1.0.0}
instructions: be kind
page: 2
tools:
- {name: t, description: d, inputSchema: {type: object, properties: {a: {type: string}}}}
resources:
- {name: r, uri: "a://b", mimeType: text/plain}
prompts:
- {name: p, arguments: [{name: a, required: true}]}
answers:
- {tool: t, when: {a: x}, text: "hello ${a}", after_ms: 5}
- {tool: t, error: {code: -1, message: no}}
- {read: "a://b", text: here}
- {prompt: p, text: said}
""",
    json.dumps({"definition": 1, "server": {"name": "s", "version": "1"}, "tools": [_TOOL],
                "answers": [{"tool": "t", "result": {"content": []}}], "events": [{"after_ms": 1, "log": "x"}]}).encode(),
    (ROOT / "conformance/server.yaml").read_bytes()[:_LARGEST],
]  # fmt: skip
_CALLS = [
    b"""target: servers.json
server: shop
calls:
  - name: the price of rye
    tool: price
    arguments: {item: "${ITEM:-rye}"}
    expect:
      at:
        /content/0/text/a: {matches: '^\\d+$', exists: true}
        /structuredContent/currency: EUR
      within_ms: 500
  - {method: tools/list, params: {}, expect: {error: -32602}}
  - {read: "a://b", name: two, expect: {ok: false}}
  - {prompt: p, name: three, arguments: {a: b}}
""",
    json.dumps(
        {"calls": [{"tool": "a", "arguments": {"x": 1.50}, "expect": {"at": {"": {"contains": 1}}}}]}
    ).encode(),
    b"calls: \r\n- tool: a\r\n  name: a # why\r\n",
]
_SCHEMAS = [
    json.dumps(each).encode()
    for each in (
        {"schema": {"type": "object", "required": ["a", "n"], "properties": {
            "a": {"type": "string", "enum": ["x", "y"], "default": "x"}, "n": {"type": ["integer", "null"], "minimum": 1},
            "l": {"type": "array", "items": {"type": "number"}, "minItems": 1}, "b": {"type": "boolean"},
            "m": {"type": "object", "additionalProperties": {"type": "string"}}, "s": {"type": "array", "items": {
                "enum": ["p", "q"]}, "uniqueItems": True}}},
         "arguments": {"a": "y", "n": None, "l": [1, 2.5], "b": False, "m": {"k": "v"}, "s": ["q"]},
         "entries": {"/a": "x", "/n": "7", "/l/0": "1", "/b": True, "/m/k": "w", "/s": {"json": "[1]"}}},
        {"schema": {"$defs": {"n": {"type": "object", "properties": {"next": {"$ref": "#/$defs/n"}, "v": {}}}},
                    "properties": {"n": {"$ref": "#/$defs/n"}}},
         "arguments": {"n": {"next": {"v": 1}}}, "entries": {"/n/next/v": {"json": "1e400"}}},
        {"schema": {"oneOf": [{"type": "object", "properties": {"kind": {"const": "a"}, "x": {"type": "integer"}}},
                              {"type": "object", "properties": {"kind": {"const": "b"}}, "required": ["kind"]}]},
         "arguments": {"kind": "b"}, "entries": {"": {"branch": 1}}},
        {"schema": {"anyOf": [{"type": "null"}, {"type": "object"}], "if": {"required": ["a"]}, "then": {"properties": {
            "b": {"type": "string", "pattern": "^x", "format": "date"}}}, "dependentRequired": {"a": ["b"]},
                    "patternProperties": {"^z": {"type": "integer"}}, "prefixItems": [{}]},
         "arguments": {"a": 1, "z1": 3}, "entries": {"/z1": "4", "/b": {"null": True}, "/a": {"remove": True}}},
        {"type": "object", "allOf": [{"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}}]},
    )
]  # fmt: skip
_JSON = [
    json.dumps({"b": 1, "log": {"entries": [1, 2.50, "ü\\", {"a": None}, [[]], -0.0]}, "a": [1, 1e3]}).encode(),
    b'[1,2]', b' [ {"a" : "\\ud83d\\ude00\\u0000" , "a":-1.0E+2} ,\r\n\t"", true,null ] ', b"[" * 2500 + b"1" + b"]" * 2500,
    b'{"jsonrpc":"2.0","id":12345678901234567890,"result":{"x":1e400}}',
    b'{"id":1}\n', "\ufeff[\"é\"]".encode(), b"NaN", b'{"a":' * 600 + b"[]" + b"}" * 600,
]  # fmt: skip
_TERMINAL = [
    b"\t\t\r", b"\x1b[A\x1b[B\x1b[C\x1b[D", b"\x1b[200~pasted \x1b[31m text\n\x1b[201~", b"?", b"/kind:request\r\x1b",
    b"\x1b[<0;20;5M\x1b[<0;20;5m\x1b[<64;20;5M", b"\x1b[1;5C\x1b[1;2A\x1bOP\x1b[15~", b"\x10", b"\x1b[<35;10;10M",
    b"1234567890", b"jkhlgG ", b"\x1bk", b"\x1bl", "é漢字\u202e🙂".encode(), b"\x1b[8;20;60t\x1b[I\x1b[O", b"\xff\x1b[\x9b1~",
    b"\x1b[?2026;2$y", b"\x1b]11;rgb:0000/0000/0000\x07", b"n", b"f", b"\x06", b"\x0b", b"\x7f\x08", b"\x1b\x1b",
]  # fmt: skip
STARTS: dict[str, list[bytes]] = {
    "stdio": _STDIO,
    "message": [json.dumps(frame).encode() for frame in _FRAMES] + _JSON,
    "sse": _SSE,
    "http": _HTTP,
    "served": _SERVED,
    "config": [*_CONFIGS, *_files("faults/configs/*.json")],
    "pasted": _PASTES,
    "recording": [_recorded()],
    "imported": [*_IMPORTS, *_files("traffic/git.jsonl", "traffic/memory.jsonl", "traffic/sdk-example-oauth-http.json")],
    "definition": _DEFINITIONS,
    "calls": _CALLS,
    "schema": [*_SCHEMAS, *_files("faults/schemas/*.json")],
    "uri": [b"a://{b}/{+c:3}{?d*,e}{&f}{#g}{.h}{/i*}{;j}", b"\xc3\xa9{%41b.c}%zz", b"{", b"}{=a}"],
    "query": [b'kind:request tool:"e c" (not id:1 or ms>=10) /a+b/i -flag:late', b"size>1k status:4* method:tools/* note:x",
              b"dir:s2c server:notes hello", b"("],
    "stream": _JSON,
    "deep": _JSON,
    "difference": [b'{"a":[1,2,3],"b":"{\\"x\\":1}"}\n{"a":[1,3,{}],"b":"{\\"x\\":2}"}', b"[1,1.0]\n[1.0,1]", b"{}\n[]"],
    "secrets": [b's3cr"et/Value+x\nkey=$S; {"a": "$S"} https://u:$S@h/?t=$S', b"abcdabcdabcd\nabcd$Sabcd\xe2\x80\xa6",
                "Gehéim–nis\\u00\nBearer $S".encode(), b"Basic dXNlcjpwYXNzd29yZA==\n$S", b"12345678\n[$S, 1]"],
    "text": ["a\x1b]52;c;eA==\x07\u202e\u200b\ufeff\r\n\t\x9b漢".encode(), b"\xff\xd8\xff\xe0\0\x10JFIF", b"\x89PNG\r\n\x1a\n",
             b"RIFF\0\0\0\0WAVEfmt ", b"https://xn--bcher-kva.example/%2e%2e", b"\xed\xa0\xbd\xed\xb8\x80", b"CON.txt", b"../a"],
    "terminal": _TERMINAL,
}  # fmt: skip
