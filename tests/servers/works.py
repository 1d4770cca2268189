"""A server of 2026-07-28 that works by tasks (ext-tasks) and asks in rounds, over stdio, or over HTTP with the argument
`http`: then it prints its port. With `skills` it offers some, of which one is not what it says. It ends
by itself after two minutes."""

import base64
import hashlib
import json
import os
import queue
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
TASKS = META + "tasks"
SKILLS = META + "skills"
NO_TASKS = "notasks" in sys.argv
HAS_SKILLS = "skills" in sys.argv
Send = Callable[[dict[str, Any]], None]

FORM = {"method": "elicitation/create", "params": {"mode": "form", "message": "Who are you?", "requestedSchema": {
    "type": "object", "properties": {"name": {"type": "string", "title": "Your name", "default": "Ada"}},
    "required": ["name"]}}}  # fmt: skip
SURE = {"method": "elicitation/create", "params": {"mode": "form", "message": "Are you sure?", "requestedSchema": {
    "type": "object", "properties": {"sure": {"type": "boolean", "default": True}}}}}  # fmt: skip
LINK = {"method": "elicitation/create", "params": {"mode": "url", "message": "Please sign in",
                                                   "url": "https://accounts.example.com/consent?state=1"}}  # fmt: skip
SAMPLE = {"method": "sampling/createMessage", "params": {"maxTokens": 20, "messages": [
    {"role": "user", "content": {"type": "text", "text": "Say hello"}}]}}  # fmt: skip
ROOTS = {"method": "roots/list"}


MAIN = "---\nname: pdf\ndescription: Works with PDF files\nlevels: [1, 2]\n---\n\n# PDF\n\nRead *forms* with care.\n"
FILES = {
    "skill://pdf/SKILL.md": MAIN, "skill://pdf/FORMS.md": "# Forms\n\nFill them in.\n",
    "skill://pdf/fill.py": "print('filled')\n", "skill://bad/SKILL.md": MAIN, "skill://bad/x.txt": "x",
}  # fmt: skip


def listed_skill(name: str, *files: str) -> dict[str, Any]:
    parts = []
    for uri in (f"skill://{name}/{file}" for file in files):
        data = FILES.get(uri, "").encode()
        parts.append({"uri": uri, "digest": f"sha256:{hashlib.sha256(data).hexdigest()}", "size": len(data)})
    matter = {"name": name, "description": "Works with PDF files", "levels": [1, 2]}
    return {"uri": f"skill://{name}/SKILL.md", "frontmatter": matter, "resources": parts}


def skills(cursor: str | None) -> dict[str, Any]:
    if cursor is None:
        return {
            "skills": [listed_skill("pdf", "SKILL.md", "FORMS.md", "fill.py"), {"no": "uri"}],
            "nextCursor": "2",
        }
    bad = listed_skill("bad", "SKILL.md", "x.txt", "gone.txt")
    bad["resources"][1] |= {"digest": "sha256:00", "size": 5}
    return {"skills": [bad], "nextCursor": "2"}


class Refused(Exception):
    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.body = {"code": code, "message": message} | ({} if data is None else {"data": data})


class Work:
    """One task. `asks` are its questions, one lot after another; `end` what it comes to."""

    def __init__(self, tool: str) -> None:
        self.tool = tool
        self.id = f"task/{tool}"
        self.status = "working"
        self.asks: list[dict[str, Any]] = []
        self.given: dict[str, Any] = {}
        self.interval: Any = 10
        self.end: dict[str, Any] = {"status": "completed", "result": text(f"{tool} is done")}
        if tool == "asks":
            self.asks = [{"who": FORM, "say": SAMPLE}, {"sure": SURE}]
            self.status = "input_required"
        elif tool == "fails":
            self.end = {
                "status": "failed",
                "error": {"code": -32099, "message": "it broke", "data": {"at": 1.50}},
            }
        elif tool == "tool error":
            self.end["result"] |= {"isError": True}
        elif tool == "told":
            self.interval = 3_600_000
        elif tool == "strange":
            self.id, self.interval = "\ud800\u0000 \u202e[bold]" + "x" * 3000, "soon"
        elif tool == "odd":
            self.end = {"status": "completed"}

    def look(self) -> dict[str, Any]:
        seen = self.value()
        if self.status == "working" and self.tool not in ("long", "stubborn", "told"):
            self.status = "over"
        return seen

    def value(self) -> dict[str, Any]:
        own: dict[str, Any] = {"status": self.status}
        if self.status == "over":
            own = self.end
        elif self.status == "input_required":
            own["inputRequests"] = {key: ask for key, ask in self.asks[0].items() if key not in self.given}
        return {
            "taskId": self.id, "createdAt": "2026-08-01T00:00:00Z",
            "lastUpdatedAt": "2026-08-01T00:00:01Z", "ttlMs": 60_000, "pollIntervalMs": self.interval,
            "statusMessage": f"{self.tool} stands at {self.status}", **own,
        }  # fmt: skip

    def give(self, responses: dict[str, Any]) -> None:
        self.given |= {key: value for key, value in responses.items() if self.asks and key in self.asks[0]}
        if self.asks and self.asks[0].keys() <= self.given.keys():
            del self.asks[0]
            if not self.asks:
                self.status = "working"
                self.end = {"status": "completed", "result": text(json.dumps(self.given, sort_keys=True))}


WORK: dict[str, Work] = {}
LISTENS: dict[Any, tuple[Send, list[str]]] = {}
PLAIN = ("plain", "rounds", "circles", "tasks made", "undeclared")
TOOLS = (
    "quick",
    "asks",
    "fails",
    "tool error",
    "long",
    "stubborn",
    "told",
    "odd",
    "strange",
    "first",
    *PLAIN,
)


def text(said: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": said}]}


def ask_for(requests: dict[str, Any], state: str | None = None) -> dict[str, Any]:
    return {"resultType": "input_required", "inputRequests": requests} | (
        {} if state is None else {"requestState": state}
    )


def call(params: dict[str, Any]) -> dict[str, Any]:
    tool, given = params["name"], params.get("inputResponses")
    state = params.get("requestState")
    if tool == "rounds":
        if given is None:
            return ask_for({"who": FORM, "where": ROOTS, "say": SAMPLE}, "one")
        if state == "one":
            return ask_for({"link": LINK, "sure": SURE}, "two")
        return text(json.dumps(given, sort_keys=True))
    if tool == "circles":
        return ask_for({f"again {state or 0}": SURE}, str(int(state or 0) + 1))
    if tool in ("plain", "tasks made"):
        return text("plain" if tool == "plain" else " ".join(sorted(WORK)))
    if tool == "first" and given is None:
        return ask_for({"who": FORM})
    offered = params["_meta"][META + "clientCapabilities"].get("extensions", {})
    if TASKS not in offered and tool != "undeclared":
        raise Refused(-32021, "Missing required client capability",
                      {"requiredCapabilities": {"extensions": {TASKS: {}}}})  # fmt: skip
    if tool not in TOOLS:
        raise Refused(-32602, f"no tool {tool}")
    work = Work(tool)
    WORK[work.id] = work
    return work.value() | {"resultType": "task"}


def task(method: str, params: dict[str, Any]) -> dict[str, Any]:
    work = WORK.get(params["taskId"])
    if work is None:
        raise Refused(-32602, "no such task")
    if method == "tasks/get":
        return work.look()
    if method == "tasks/update":
        work.give(params["inputResponses"])
    elif method == "tasks/cancel" and work.tool != "stubborn":
        work.status, work.end = "over", {"status": "cancelled"}
    return {}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "server/discover":
        extensions = ({} if NO_TASKS else {TASKS: {}}) | ({SKILLS: {}} if HAS_SKILLS else {})
        offered = {"tools": {}, "prompts": {}, "resources": {}, "extensions": extensions}
        return {"supportedVersions": [MODERN], "capabilities": offered,
                "ttlMs": 0, "cacheScope": "private"}  # fmt: skip
    if method == "tools/list":
        listed = [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]
        return {"tools": listed, "ttlMs": 0, "cacheScope": "private"}
    if method == "skills/list" and HAS_SKILLS:
        return skills(params.get("cursor"))
    if method == "resources/list":
        return {"resources": [{"uri": "x://a", "name": "a"}], "ttlMs": 0, "cacheScope": "private"}
    if method == "resources/templates/list":
        return {"resourceTemplates": [], "ttlMs": 0, "cacheScope": "private"}
    if method == "resources/read":
        if params["uri"] not in FILES:
            raise Refused(-32602, "no such resource")
        return {
            "contents": [{"uri": params["uri"], "text": FILES[params["uri"]]}],
            "ttlMs": 0,
            "cacheScope": "private",
        }
    if method == "prompts/list":
        return {"prompts": [{"name": "tasked"}], "ttlMs": 0, "cacheScope": "private"}
    if method == "prompts/get":
        return {"resultType": "task", "taskId": "p", "status": "working"}
    if method == "tools/call":
        return call(params)
    if method.startswith("tasks/"):
        return task(method, params)
    raise Refused(-32601, f"no method {method}")


def take(message: dict[str, Any], send: Send) -> None:
    id_, method, params = message.get("id"), message.get("method", ""), message.get("params") or {}
    if method == "subscriptions/listen":
        ids = params["notifications"].get("taskIds", [])
        meta = {META + "subscriptionId": id_}
        own = {"notifications": {"taskIds": ids}, "_meta": meta}
        send({"method": "notifications/subscriptions/acknowledged", "params": own})
        LISTENS[id_] = (send, ids)
        for work in [WORK[each] for each in ids if each in WORK and WORK[each].tool == "told"]:
            work.status = "over"
            send({"method": "notifications/tasks", "params": {**work.value(), "_meta": meta}})
    elif id_ is not None:
        try:
            send({"id": id_, "result": {"resultType": "complete"} | answer(method, params)})
        except Refused as refused:
            send({"id": id_, "error": refused.body})


def decoded(header: str) -> str:
    """Spec: basic/transports, values that are no plain text."""
    if not header.startswith("=?base64?"):
        return header
    return base64.b64decode(header[9:-2]).decode("utf-8", "surrogatepass")


class Http(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        method, params = message.get("method", ""), message.get("params") or {}
        if method.startswith("tasks/") and decoded(self.headers["Mcp-Name"]) != params["taskId"]:
            body = {"code": -32020, "message": "Mcp-Name is not the task"}
            return self.reply(400, {"id": message["id"], "error": body})
        if method != "subscriptions/listen":
            return take(message, lambda out: self.reply(200 if "result" in out else 404, out))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        events: queue.Queue[dict[str, Any]] = queue.Queue()
        take(message, events.put)
        try:
            while True:
                try:
                    data = "data: " + json.dumps({"jsonrpc": "2.0", **events.get(timeout=0.2)})
                except queue.Empty:
                    data = ": alive"
                self.wfile.write(f"{data}\n\n".encode())
                self.wfile.flush()
        except OSError:
            self.close_connection = True

    def do_GET(self) -> None:
        self.reply(405, {})

    do_DELETE = do_GET

    def reply(self, status: int, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: Any) -> None:
        pass


def main() -> None:
    timer = threading.Timer(120, lambda: os._exit(9))
    timer.daemon = True
    timer.start()
    if "http" in sys.argv:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Http)
        server.daemon_threads = True
        print(server.server_port, flush=True)
        server.serve_forever()
    lock = threading.Lock()

    def send(message: dict[str, Any]) -> None:
        with lock:
            print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

    for line in sys.stdin:
        take(json.loads(line), send)


main()
