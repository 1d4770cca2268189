"""A server over stdio whose answers drift: `drifting.py NAME=VALUE ...` sets what differs from another run.

`price` is that of a tool's answer, `page` the prefix of cursors, `reader` the tools marked as reading only, `gone`
a tool at which it ends, `ask` the question of its elicitation, `needs` what a client must declare to see the tool."""

from __future__ import annotations

import json
import sys
import time
import uuid
from typing import Any

SET = dict(word.split("=", 1) for word in sys.argv[1:])
TOOLS = ("price", "clock", "ask", "key", "gone")


def send(**members: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **members}), flush=True)


CLIENT: dict[str, Any] = {}


def text(value: object) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": value if isinstance(value, str) else json.dumps(value)}]}


def tool(name: str) -> dict[str, Any]:
    reads = name in SET.get("reader", ",".join(TOOLS)).split(",")
    return {"name": name, "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": reads}}


def call(id_: Any, name: str, arguments: dict[str, Any]) -> None:
    if name == SET.get("gone"):
        sys.exit(3)
    if name == "price":
        send(id=id_, result=text({"item": arguments.get("item"), "price": SET.get("price", "1.50")}))
    elif name == "clock":
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ")
        send(id=id_, result=text({"at": now, "took_ms": time.time() % 7, "id": str(uuid.uuid4())}))
    elif name == "ask":
        form = {"type": "object", "properties": {"size": {"type": "string"}}}
        question = {"message": SET.get("ask", "Which size?"), "requestedSchema": form}
        send(id="q", method="elicitation/create", params=question)
        answer = json.loads(sys.stdin.readline())
        send(id=id_, result=text(answer.get("result") or answer["error"]))
    elif name == "key":
        send(id=id_, result=text(f"the key has {len(arguments['api_key'])} letters"))
    else:
        send(id=id_, result=text("here still"))


def take(message: dict[str, Any]) -> None:
    id_, method, params = message.get("id"), message["method"], message.get("params", {})
    prefix = SET.get("page", "a")
    if method == "initialize":
        CLIENT.update(params["capabilities"])
        send(id=id_, result={"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}},
                             "serverInfo": {"name": "drifting", "version": "1"}})  # fmt: skip
    elif method == "tools/list":
        cursor = params.get("cursor")
        if cursor is None:
            send(
                id=id_,
                result={
                    "tools": [
                        tool(name)
                        for name in TOOLS[:3]
                        if name != "ask" or SET.get("needs", "") in ("", *CLIENT)
                    ],
                    "nextCursor": f"{prefix}-2",
                },
            )
        elif cursor == f"{prefix}-2":
            send(id=id_, result={"tools": [tool(name) for name in TOOLS[3:]]})
        else:
            send(id=id_, error={"code": -32602, "message": f"no page {cursor}"})
    elif method == "tools/call":
        call(id_, params["name"], params.get("arguments", {}))
    elif id_ is not None:
        send(id=id_, error={"code": -32601, "message": "no such method"})


for line in sys.stdin:
    take(json.loads(line))
