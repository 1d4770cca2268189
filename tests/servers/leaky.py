"""A server that repeats all that it was given, wherever words can stand: `leaky.py [WORDS]` over stdio, `leaky.py http`
over HTTP, where it prints its port first. It was given its arguments, its variables that begin with LEAKY_, and over
HTTP headers and URL; it says each as it is and as URLs, JSON in a string and base64 spell it. Ends by itself after two
minutes."""

from __future__ import annotations

import base64
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import quote


def spelled(given: list[str]) -> str:
    words = [word for word in given if word]
    forms = [*words, *map(quote, words), *(json.dumps(json.dumps(word)) for word in words)]
    for word in words:
        for before in ("", "u:", "me:"):
            forms.append(base64.b64encode(f"{before}{word}!".encode()).decode())
    return " ".join(forms)


def answer(method: str, said: str) -> dict[str, Any]:
    """Result or error of a request, full of `said`."""
    text = {"type": "text", "text": said}
    uri = f"leaky:///?q={quote(said, safe='')}"
    schema = {
        "type": "object",
        "description": said,
        "properties": {"a": {"type": "string", "title": said, "default": said, "enum": [said]}},
    }
    results: dict[str, Any] = {
        "initialize": {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}, "resources": {}, "prompts": {}, "completions": {}},
            "serverInfo": {"name": said, "version": said, "title": said},
            "instructions": said,
        },
        "tools/list": {
            "tools": [
                {"name": "go", "title": said, "description": said, "inputSchema": schema},
                {"name": said, "inputSchema": said},
            ]
        },
        "resources/list": {"resources": [{"uri": uri, "name": said, "description": said, "mimeType": said}]},
        "resources/templates/list": {"resourceTemplates": [{"uriTemplate": uri + "{x}", "name": said}]},
        "prompts/list": {
            "prompts": [{"name": "p", "description": said, "arguments": [{"name": "a", "description": said}]}]
        },
        "completion/complete": {"completion": {"values": [said]}},
        "tools/call": {
            "content": [text, {"type": "resource_link", "uri": uri, "name": said}],
            "structuredContent": {"said": said},
            "isError": True,
        },
        "resources/read": {"contents": [{"uri": uri, "text": said, "mimeType": "text/markdown"}]},
        "prompts/get": {"description": said, "messages": [{"role": "user", "content": text}]},
    }
    if method in results:
        return {"result": results[method]}
    return {"error": {"code": -32601, "message": f"{method}: {said}", "data": {"said": said}}}


def stdio() -> None:
    said = spelled([*sys.argv[1:], *(value for name, value in os.environ.items() if name[:6] == "LEAKY_")])
    print(said, file=sys.stderr, flush=True)
    if "dies" in sys.argv:
        print(said, flush=True)
        sys.exit(f"Error: {said}")
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request:
            log = {"level": "info", "data": said, "logger": said}
            note = {"jsonrpc": "2.0", "method": "notifications/message", "params": log}
            print(json.dumps(note), flush=True)
            print(
                json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer(request["method"], said)}),
                flush=True,
            )


class Handler(BaseHTTPRequestHandler):
    """The path tells how it answers: `/page`, `/login`, `/moved`, `/cut`, `/stream`; else with JSON."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = spelled([self.path, *self.headers.values()])
        where = self.path.partition("?")[0]
        if where == "/page":
            self.say(500, "text/html", f"<html><title>{said}</title><body>{said}</body></html>")
        elif where == "/login":
            self.say(
                401, "text/plain", said, **{"WWW-Authenticate": f'Bearer error="{quote(said)}", realm="x"'}
            )
        elif where == "/moved":
            self.say(302, "text/plain", said, Location=f"http://127.0.0.1:1/{self.path}#{quote(said)}")
        elif where == "/cut":
            self.say(200, "application/json", said[:-9], **{"X-Echo": quote(said)})
        elif "id" not in request:
            self.say(202, "text/plain", "")
        else:
            message = json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer(request["method"], said)})
            if where == "/stream":
                body = f": {quote(said)}\nid: {quote(said)}\nevent: {quote(said)}\ndata: x\n\ndata: {message}\n\n"
                self.say(200, "text/event-stream", body)
            else:
                self.say(200, "application/json", message, **{"X-Echo": quote(said)})

    def do_GET(self) -> None:
        self.say(405, "text/plain", spelled([self.path, *self.headers.values()]))

    do_DELETE = do_GET

    def say(self, status: int, type_: str, body: str, **headers: str) -> None:
        self.send_response(status, "OK")
        for name, value in {
            "Content-Type": type_,
            "Content-Length": str(len(body.encode())),
            **headers,
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: Any) -> None:
        pass


end = threading.Timer(120, lambda: os._exit(9))
end.daemon = True
end.start()
if sys.argv[1:] == ["http"]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
stdio()
os._exit(0)
