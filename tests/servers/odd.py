"""A stdio server that misbehaves in one way, chosen by its first argument; it ends by itself after a minute."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

MODE = sys.argv[1] if len(sys.argv) > 1 else "plain"
OUT = sys.stdout.buffer


def guard_time() -> None:
    timer = threading.Timer(60, lambda: os._exit(9))
    timer.daemon = True
    timer.start()


def raw(data: bytes) -> None:
    OUT.write(data)
    OUT.flush()


def send(**message: Any) -> None:
    raw(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


def text(value: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": value}]}


_DECLARED = {
    "extensions": {"extensions": {"com.example/own": {}, "io.modelcontextprotocol/skills": {}}},
}


def initialized(request: dict[str, Any], **more: Any) -> dict[str, Any]:
    version = request["params"]["protocolVersion"]
    return {
        "protocolVersion": version,
        "capabilities": {"tools": {}, **_DECLARED.get(MODE, {})},
        "serverInfo": {"name": MODE, "version": "1"},
        **more,
    }


def tools(*names: str) -> list[dict[str, Any]]:
    return [{"name": name, "inputSchema": {"type": "object"}} for name in names]


def banner(request: dict[str, Any]) -> None:
    if request["method"] == "initialize":
        raw(b"\xef\xbb\xbfWelcome!\n\n[INFO] ready\r\n\xff\xfe no utf-8\n42\n")
        raw(
            json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": initialized(request)}).encode()
            + b"\r\n"
        )
    elif request["method"] == "tools/call":
        body = json.dumps(
            {"jsonrpc": "2.0", "id": request["id"], "result": text("a\u2028b\u0085c")}, ensure_ascii=False
        )
        raw(body.encode() + b"\n")
    else:
        send(id=request["id"], result={"tools": tools("echo")})


def glued(request: dict[str, Any]) -> None:
    raw(
        b"[50] handler added "
        + json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {}}).encode()
        + b"\n"
    )


def big(request: dict[str, Any]) -> None:
    if request["method"] == "tools/call":
        body = json.dumps(
            {"jsonrpc": "2.0", "id": request["id"], "result": text("é漢😀" * 400_000)}, ensure_ascii=False
        )
        data = body.encode() + b"\n"
        for start in range(0, len(data), 65_521):
            raw(data[start : start + 65_521])
    else:
        plain(request)


def plain(request: dict[str, Any]) -> None:
    method = request["method"]
    if method == "initialize":
        send(id=request["id"], result=initialized(request))
    elif method == "tools/list":
        send(id=request["id"], result={"tools": tools("echo", "silent", "exit", "midline")})
    elif method == "tools/call":
        name = request["params"]["name"]
        if name == "exit":
            print("T_KEY is required", file=sys.stderr, flush=True)
            os._exit(4)
        if name == "midline":
            raw(b'{"jsonrpc": "2.0", "id"')
            os.kill(os.getpid(), signal.SIGKILL)
        if name != "silent":
            send(id=request["id"], result=text(json.dumps(request["params"].get("arguments"))))
    elif method == "ping":
        send(id=request["id"], result={})
    else:
        send(id=request["id"], error={"code": -32601, "message": "no such method"})


def ids(request: dict[str, Any]) -> None:
    if request["method"] != "tools/call":
        plain(request)
        return
    id_, name = request["id"], request["params"]["name"]
    if name == "string":
        send(id=str(id_), result=text("string"))
    elif name == "float":
        send(id=float(id_), result=text("float"))
    elif name == "null":
        send(id=None, error={"code": -32603, "message": "lost the id"})
    elif name == "unknown":
        send(id=987654, result=text("stray"))
        send(id=id_, result=text("real"))
    elif name == "twice":
        send(id=id_, result=text("first"))
        send(id=id_, result=text("second"))
    elif name == "both":
        send(id=id_, result=text("r"), error={"code": 1, "message": "e"})
    elif name == "neither":
        send(id=id_)
    elif name == "nan":
        raw(b'{"jsonrpc":"2.0","id":%d,"result":{"n":NaN}}\n' % id_)
    elif name == "numbers":
        numbers = b'{"a":1.50,"b":1e400,"c":-0,"d":123456789012345678901234567890,"e":1E2}'
        raw(b'{"jsonrpc":"2.0","id":%d,"result":%s}\n' % (id_, numbers))
    elif name == "control":
        raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"\x1b[0m"}]}}\n' % id_)
    elif name in ("deep", "deep error"):
        depth = (request["params"].get("arguments") or {}).get("depth", 5000)
        deep = b"[" * depth + b"]" * depth
        body = (
            b'"result":%s' % deep if name == "deep" else b'"error":{"code":1,"message":"m","data":%s}' % deep
        )
        raw(b'{"jsonrpc":"2.0","id":%d,%s}\n' % (id_, body))
    elif name == "secret":
        value = os.environ["K"]
        raw(
            b'{"jsonrpc":"2.0","id":%d,"result":{"number":%s,"text":"a %s b"}}\n'
            % (id_, value.encode(), value.encode())
        )
    elif name == "batch":
        raw(b'[{"jsonrpc":"2.0","id":%d,"result":{"in":"a batch"}}]\n' % id_)
    elif name == "alien progress":
        send(method="notifications/progress", params={"progressToken": "nobody", "progress": 1})
        send(id=id_, result=text("done"))
    elif name == "progress":
        token = request["params"]["_meta"]["progressToken"]
        for step in range(1, 4):
            send(
                method="notifications/progress",
                params={"progressToken": token, "progress": step, "total": 3, "message": "m"},
            )
        send(id=id_, result=text("done"))


def asks(request: dict[str, Any]) -> None:
    if request.get("method") == "initialize":
        send(method="notifications/message", params={"level": "info", "data": "early"})
        send(id="early", method="ping")
        plain(request)
    elif request.get("method") == "tools/call":
        asked = ["ping", "roots/list", "sampling/createMessage", "x-vendor/ask"]
        for number, method in enumerate(asked):
            send(id=number, method=method)
        send(method="notifications/vendor/unknown")
        send(method="cancelled")
        answers = {}
        while len(answers) < len(asked):
            answer = json.loads(sys.stdin.readline())
            answers[answer["id"]] = answer.get("error", {}).get("code", answer.get("result"))
        send(id=request["id"], result=text(json.dumps([answers[number] for number in range(len(asked))])))
    elif "method" in request:
        plain(request)


def pages(request: dict[str, Any]) -> None:
    if request["method"] != "tools/list":
        plain(request)
        return
    cursor = request["params"].get("cursor")
    variant = sys.argv[2]
    if variant == "empty":
        result: dict[str, Any] = (
            {"tools": tools("one"), "nextCursor": ""} if cursor is None else {"tools": tools("two")}
        )
    elif variant == "stuck":
        result = {"tools": tools("one"), "nextCursor": "same"}
    elif variant == "broken" and cursor is not None:
        send(id=request["id"], error={"code": -32603, "message": "page two is gone"})
        return
    elif variant == "number":
        result = {"tools": tools("one"), "nextCursor": 7}
    else:
        result = {"tools": tools("one"), "nextCursor": "next"}
    send(id=request["id"], result=result)


def unreadable(request: dict[str, Any]) -> None:
    """One of its tools is nested 5,000 levels deep, the schema of another holds NaN."""
    if request["method"] != "tools/list":
        plain(request)
        return
    deep = '{"type": "object", "properties": {"a": ' * 5_000 + "true" + "}}" * 5_000
    listed = [json.dumps(tool) for tool in tools("first", "last")]
    listed[1:1] = [
        f'{{"name": "deep", "inputSchema": {deep}}}',
        '{"name": "nan", "inputSchema": {"maximum": NaN}}',
    ]
    result = f'{{"tools": [{", ".join(listed)}]}}'
    raw(f'{{"jsonrpc": "2.0", "id": {json.dumps(request["id"])}, "result": {result}}}\n'.encode())


def unlisted(request: dict[str, Any]) -> None:
    if request["method"] == "initialize":
        plain(request)


def deaf(request: dict[str, Any]) -> None:
    plain(request)
    os.close(0)
    time.sleep(60)


def storm(request: dict[str, Any]) -> None:
    """Says that its tools changed whenever they are read, as servers do that register tools while they list them."""
    plain(request)
    if request["method"] == "tools/list":
        for _ in range(50):
            send(method="notifications/tools/list_changed")


def main() -> None:
    guard_time()
    if MODE == "exit":
        print("\n".join(["booting", "T_API_KEY is not set"]), file=sys.stderr, flush=True)
        sys.exit(3)
    if MODE == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for line in sys.stdin:
            if "id" in (request := json.loads(line)):
                plain(request)
        time.sleep(60)
    if MODE == "mute":
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        for _ in sys.stdin:
            pass
        time.sleep(60)
    if MODE == "wrapper":
        child = subprocess.Popen([sys.executable, __file__, "holder"])
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
        child.wait()
        return
    if MODE == "holder":
        # Like a server below npx: ignores the end of stdin, and so does the child that shares its stdout.
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        for line in sys.stdin:
            request = json.loads(line)
            if request.get("method") == "tools/call":
                send(id=request["id"], result=text(json.dumps([os.getppid(), os.getpid(), child.pid])))
            elif "id" in request:
                plain(request)
        time.sleep(60)
    if MODE == "flood":
        sys.stderr.buffer.write(b"warning \x1b[2J \xff\n" * 200_000 + b"x" * 200_000)
        sys.stderr.buffer.flush()
    answer: Callable[[dict[str, Any]], None] = {
        "banner": banner, "glued": glued, "big": big, "ids": ids, "asks": asks, "pages": pages, "storm": storm,
        "unlisted": unlisted, "unreadable": unreadable, "deaf": deaf,
    }.get(MODE, plain)  # fmt: skip
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request:
            answer(request)


main()
