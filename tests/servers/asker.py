"""A stdio server that asks its client, in a way that the called tool names; it ends by itself after two minutes."""

import json
import os
import sys
import threading
from typing import Any

_lock = threading.Lock()
_answers: dict[Any, dict[str, Any]] = {}
_came = threading.Condition()
_level = {"now": "info"}
_roots_changed = threading.Event()

FORM = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Your name", "minLength": 1, "default": "Ada"},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "size": {"type": "string", "enum": ["S", "M", "L"], "enumNames": ["small", "medium", "large"], "default": "M"},
        "gift": {"type": "boolean", "default": True},
        "toppings": {"type": "array", "items": {"enum": ["berries", "cream"]}, "default": ["cream"]},
    },
    "required": ["name"],
}  # fmt: skip
HOSTILE = {
    "type": "object",
    "properties": {
        f"field\x1b[2J {number} [@click=app.quit]": {
            "type": "string",
            "title": "[bold]a\u202eb[/x]\x07",
            "default": "\x1b]52;c;aGFjaw==\x07",
        }
        for number in range(400)
    },
    "required": [],
}
SAMPLING = {
    "messages": [
        {"role": "user", "content": {"type": "text", "text": "What is the weather\x1b[31m in Paris?"}},
        {"role": "user", "content": [{"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}, "odd", None]},
        {"role": "assistant",
         "content": {"type": "tool_use", "id": "t1", "name": "weather", "input": {"city": "Paris"}}},
        {"role": "user", "content": [{"type": "tool_result", "toolUseId": "t1",
                                      "content": [{"type": "text", "text": "18 degrees"}]}]},
    ],
    "systemPrompt": "You are brief.",
    "modelPreferences": {"hints": [{"name": "claude"}, {"name": "gpt"}], "costPriority": 0.2,
                         "speedPriority": 0.5, "intelligencePriority": 0.9},
    "tools": [{"name": "weather", "description": "Tells the weather.", "inputSchema": {"type": "object"}}],
    "toolChoice": {"mode": "auto"},
    "maxTokens": 200,
    "temperature": 0.5,
    "stopSequences": ["END"],
    "includeContext": "thisServer",
}  # fmt: skip
LINK = {
    "mode": "url",
    "message": "Please sign in",
    "url": "http://xn--pypal-4ve.com:8080/login?next=1",
    "elicitationId": "e-1",
}


def send(**message: Any) -> None:
    raw = json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"
    with _lock:
        sys.stdout.buffer.write(raw)
        sys.stdout.buffer.flush()


def ask(id_: Any, method: str, params: Any = None) -> None:
    send(id=id_, method=method, **({} if params is None else {"params": params}))


def answer_to(id_: Any) -> Any:
    with _came:
        _came.wait_for(lambda: id_ in _answers)
        answer = _answers.pop(id_)
    return answer.get("result", answer.get("error"))


def text(value: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": value if isinstance(value, str) else json.dumps(value)}]}


def elicit(id_: Any, message: str = "Who are you?", schema: Any = FORM) -> None:
    ask(id_, "elicitation/create", {"mode": "form", "message": message, "requestedSchema": schema})


class Work:
    """A task: "quick" is over at once, "asks" wants to know something first, "long" never ends by itself."""

    def __init__(self, number: int, how: str) -> None:
        self.value: dict[str, Any] = {
            "taskId": f"task-{number}", "status": "working", "createdAt": "2026-01-01T00:00:00Z",
            "lastUpdatedAt": "2026-01-01T00:00:00Z", "ttl": None, "pollInterval": 50, "statusMessage": "at it\x1b[2J",
        }  # fmt: skip
        self.result: Any = text(f"{how} is done")
        self.over = threading.Event()
        if how == "quick":
            self.end("completed")
        elif how == "asks":
            self.value["status"] = "input_required"

    def end(self, status: str) -> None:
        self.value |= {"status": status, "statusMessage": "no more to do"}
        self.over.set()


_work: dict[str, Work] = {}


def task(message: dict[str, Any]) -> None:
    method, params, id_ = message["method"], message.get("params") or {}, message["id"]
    work = _work.get(params.get("taskId", ""))
    if method == "tasks/list":
        listed = [each.value for each in _work.values()]
        cursor = params.get("cursor")
        send(
            id=id_,
            result={"tasks": listed[:1], "nextCursor": "rest"} if cursor is None else {"tasks": listed[1:]},
        )
    elif work is None:
        send(id=id_, error={"code": -32602, "message": "no such task"})
    elif method == "tasks/get":
        send(id=id_, result=work.value)
    elif method == "tasks/cancel":
        if work.over.is_set():
            send(id=id_, error={"code": -32602, "message": "it is over"})
            return
        work.end("cancelled")
        send(id=id_, result=work.value)
        send(method="notifications/tasks/status", params=work.value)
    elif method == "tasks/result":
        if work.value["status"] == "input_required":
            elicit("task-asks")
            work.result = text(answer_to("task-asks"))
            work.end("completed")
        work.over.wait()
        if work.value["status"] == "cancelled":
            send(id=id_, error={"code": -32603, "message": "it was cancelled"})
        else:
            send(id=id_, result=work.result)


def call(request: dict[str, Any]) -> None:
    id_, name = request["id"], request["params"]["name"]
    if "task" in request["params"]:
        work = Work(len(_work), name)
        _work[work.value["taskId"]] = work
        send(id=id_, result={"task": work.value})
        return
    if name == "long":
        code = (request["params"].get("arguments") or {}).get("code", -32601)
        if code:
            send(id=id_, error={"code": code, "message": "it must be a task"})
        else:
            send(id=id_, result={**text("Tool long requires task mode"), "isError": True})
    elif name == "form":
        elicit("f")
        send(id=id_, result=text(answer_to("f")))
    elif name == "url":
        ask("u", "elicitation/create", LINK)
        send(id=id_, result=text(answer_to("u")))
    elif name == "required text":
        elicit(
            "n",
            "One word?",
            {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
        )
        send(id=id_, result=text(answer_to("n")))
    elif name == "script":
        ask("j", "elicitation/create", {**LINK, "url": "javascript:alert(1)"})
        send(id=id_, result=text(answer_to("j")))
    elif name == "sample":
        ask("s", "sampling/createMessage", SAMPLING)
        send(id=id_, result=text(answer_to("s")))
    elif name == "roots":
        ask("r", "roots/list")
        send(id=id_, result=text(answer_to("r")))
    elif name == "later":
        ask("k", "elicitation/create", {"message": "Later?", "requestedSchema": FORM, "task": {"ttl": 60000}})
        made = answer_to("k")
        known = {"taskId": made["task"]["taskId"]} if "task" in made else {}
        said = [made]
        for number, method in enumerate(
            ("tasks/get", "tasks/list", "tasks/result", "tasks/get", "tasks/cancel")
        ):
            if number == 2:
                elicit("now")
            ask(f"k{number}", method, known)
            said.append(answer_to(f"k{number}"))
        send(id=id_, result=text(said))
    elif name == "later cancelled":
        ask("c", "sampling/createMessage", {**SAMPLING, "task": {}})
        made = answer_to("c")
        said = [made]
        for number, method in enumerate(("tasks/cancel", "tasks/cancel", "tasks/result", "tasks/x")):
            ask(f"c{number}", method, {"taskId": made["task"]["taskId"]})
            said.append(answer_to(f"c{number}"))
        ask("c9", "tasks/get", {"taskId": "nobody's"})
        send(id=id_, result=text([*said, answer_to("c9")]))
    elif name == "ten":
        for number in range(10):
            elicit(f"t{number}", f"Question {number}")
        send(id=id_, result=text([answer_to(f"t{number}") for number in range(10)]))
    elif name == "withdraw":
        elicit("w")
        elicit("w2")
        send(method="notifications/cancelled", params={"requestId": "w", "reason": "Request timed out"})
        send(method="notifications/cancelled", params={"requestId": "w2"})
        send(method="notifications/cancelled", params={"requestId": "nobody"})
        send(id=id_, result=text("withdrawn"))
    elif name == "after":
        send(id=id_, result=text("answered"))
        elicit("late")
    elif name == "odd":
        ask("x", "x-vendor/ask", {"a": 1})
        ask("m", "elicitation/create", {"mode": "telepathy", "message": "?"})
        send(id=id_, result=text([answer_to("x"), answer_to("m")]))
    elif name == "ids":
        elicit(None, "With the id null")
        elicit("same", "The first")
        elicit("same", "The second")
        send(id=id_, result=text("asked"))
    elif name == "hostile":
        message = "\x1b]0;pwned\x07[@click=app.quit]click[/x] \u202etxet " + "long " * 2000
        elicit("h", message, HOSTILE)
        send(id=id_, result=text(answer_to("h")))
    elif name == "broken":
        ask("b1", "elicitation/create", ["no", "object"])
        ask("b2", "sampling/createMessage", {"messages": "none", "maxTokens": "many", "tools": 5})
        ask("b3", "elicitation/create", {"mode": "url", "url": 5})
        ask("b4", "elicitation/create", {"message": 5, "requestedSchema": "none"})
        send(id=id_, result=text("asked"))
    elif name == "die":
        elicit("d")
        os._exit(3)
    elif name == "required":
        link = {**LINK, "url": "https://accounts.example.com/consent?state=1"}
        data = {"elicitations": [link, {**LINK, "elicitationId": "e-2"}]}
        send(id=id_, error={"code": -32042, "message": "Authorization is required", "data": data})
    elif name == "complete":
        send(method="notifications/elicitation/complete", params={"elicitationId": "e-1"})
        send(id=id_, result=text("complete"))
    elif name == "log":
        for level in ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency", "odd"):
            send(
                method="notifications/message",
                params={
                    "level": level,
                    "logger": f"app.{level[0]}",
                    "data": {"said": level, "line": "\x1b[2J"},
                },
            )
        send(method="notifications/message", params={"level": "info", "data": "in words"})
        send(method="notifications/message", params="odd")
        send(id=id_, result=text(_level["now"]))
    else:
        send(id=id_, error={"code": -32602, "message": "no such tool"})


CAPABILITIES = {
    "tools": {}, "logging": {}, "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}},
}  # fmt: skip
TASKS = ("quick", "asks", "long")
NAMES = ("form", "url", "sample", "roots", "ten", "withdraw", "after", "odd", "ids", "hostile", "broken", "die",
         "required", "log", "later", "later cancelled", "required text", "script", "complete")  # fmt: skip


def take(message: dict[str, Any]) -> None:
    method = message.get("method")
    if method is None:
        with _came:
            _answers[message["id"]] = message
            _came.notify_all()
    elif method == "initialize":
        info = {"name": "asker", "version": "1"}
        version = message["params"]["protocolVersion"]
        send(id=message["id"], result={"protocolVersion": version, "capabilities": CAPABILITIES,
                                       "serverInfo": info})  # fmt: skip
    elif method == "notifications/roots/list_changed":
        ask("again", "roots/list")
    elif "id" not in message:
        pass
    elif method == "tools/list":
        found = [{"name": name, "inputSchema": {"type": "object"}} for name in NAMES]
        found += [
            {"name": name, "inputSchema": {"type": "object"}, "_meta": {"a.test/b": 1},
             "icons": [{"src": "https://a.test/i.png", "sizes": ["48x48"]}],
             "execution": {"taskSupport": "required" if name == "long" else "optional"}}
            for name in TASKS
        ]  # fmt: skip
        send(id=message["id"], result={"tools": found})
    elif method == "tools/call":
        threading.Thread(target=call, args=(message,), daemon=True).start()
    elif method.startswith("tasks/"):
        threading.Thread(target=task, args=(message,), daemon=True).start()
    elif method == "logging/setLevel":
        _level["now"] = message["params"]["level"]
        send(id=message["id"], result={})
    else:
        send(id=message["id"], error={"code": -32601, "message": "no such method"})


def main() -> None:
    timer = threading.Timer(120, lambda: os._exit(9))
    timer.daemon = True
    timer.start()
    for line in sys.stdin:
        take(json.loads(line))


main()
