"""A server of both eras, of one, or of none, over stdio. What it does with `server/discover` is chosen by the first
argument: the name of an outcome of the probe. It writes what it was sent, one line each, to the file EVERY where that
variable is set. It ends by itself after a minute.
"""

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
MODE = sys.argv[1] if len(sys.argv) > 1 else "modern"
STATE: dict[str, Any] = {"era": None, "discovered": 0, "listens": {}, "held": None}


def write(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def result(id_: Any, **members: Any) -> None:
    own = {"resultType": "complete", "_meta": {META + "serverInfo": {"name": MODE, "version": "1"}}}
    write({"id": id_, "result": own | members})


def error(id_: Any, code: int, message: str, data: Any = None) -> None:
    body = {"code": code, "message": message}
    write({"id": id_, "error": body if data is None else body | {"data": data}})


def discover(id_: Any, versions: Any, **more: Any) -> None:
    capabilities = {
        "tools": {"listChanged": True}, "resources": {"subscribe": True, "listChanged": True}, "prompts": {},
    }  # fmt: skip
    result(
        id_, supportedVersions=versions, capabilities=capabilities, ttlMs=60_000, cacheScope="public", **more
    )


def probed(id_: Any) -> None:
    """One row of the decision table."""
    STATE["discovered"] += 1
    first = STATE["discovered"] == 1
    if MODE in ("modern", "dual", "locked", "partial", "no initialize"):
        STATE["era"] = "modern"
        discover(id_, [MODERN, "2025-11-25"] if MODE == "dual" else [MODERN])
    elif MODE == "slow":
        # Starts slowly: what was sent meanwhile is answered in order.
        time.sleep(float(os.environ.get("SLOW", "0.8")))
        STATE["era"] = "modern"
        discover(id_, [MODERN])
    elif MODE == "lists legacy":
        discover(id_, ["2025-06-18", "2025-11-25"])
    elif MODE == "lists legacy and locks":
        STATE["era"] = "modern"
        discover(id_, ["2025-11-25"])
    elif MODE == "lists unknown":
        discover(id_, ["2031-01-01"])
    elif MODE == "no list":
        result(id_)
    elif MODE == "refuses once" and first:
        error(id_, -32022, "Unsupported protocol version", {"supported": [MODERN], "requested": MODERN})
    elif MODE == "refuses once":
        discover(id_, [MODERN])
    elif MODE == "refuses always":
        error(id_, -32022, "Unsupported protocol version", {"supported": [MODERN], "requested": MODERN})
    elif MODE == "refuses, unknown":
        error(id_, -32022, "Unsupported protocol version", {"supported": ["2031-01-01"]})
    elif MODE == "refuses, legacy":
        error(id_, -32022, "Unsupported protocol version", {"supported": ["2025-11-25"]})
    elif MODE == "refuses, no list":
        error(id_, -32022, "Unsupported protocol version")
    elif MODE.startswith("error "):
        error(id_, int(MODE.split()[1]), "not so", {"requiredCapabilities": {"elicitation": {}}})
    elif MODE == "exits":
        print("unknown method, giving up", file=sys.stderr, flush=True)
        os._exit(7)
    elif MODE == "answers and exits":
        error(id_, -32601, "no")
        os._exit(7)
    elif MODE not in ("hangs", "hangs and refuses"):
        error(id_, -32601, "no such method")


def initialize(request: dict[str, Any]) -> None:
    id_ = request["id"]
    if MODE == "no initialize":
        error(id_, -32601, "no such method")
        return
    if (
        MODE in ("modern", "locked")
        or STATE["era"] == "modern"
        or MODE.startswith("refuses ")
        or MODE == "hangs and refuses"
    ):
        error(id_, -32022, "no initialize here", {"supported": [MODERN], "requested": "2025-11-25"})
        return
    STATE["era"] = "legacy"
    write({
        "id": id_,
        "result": {
            "protocolVersion": request["params"]["protocolVersion"], "capabilities": {"tools": {}},
            "serverInfo": {"name": MODE, "version": "1"},
        },
    })  # fmt: skip


ASK = {"method": "elicitation/create", "params": {"message": "Sure?", "requestedSchema": {
    "type": "object", "properties": {"confirmed": {"type": "boolean", "default": True}}}}}  # fmt: skip
SAMPLE = {"method": "sampling/createMessage", "params": {
    "messages": [{"role": "user", "content": {"type": "text", "text": "hello"}}], "maxTokens": 9}}  # fmt: skip


def call(request: dict[str, Any]) -> None:
    id_, params = request["id"], request["params"]
    name, given = params["name"], params.get("inputResponses")
    if name == "echo":
        result(id_, content=[{"type": "text", "text": json.dumps(params)}])
    elif name == "old":
        write({"id": id_, "result": {"content": [{"type": "text", "text": "no type"}]}})
    elif name == "strange":
        result(id_, resultType="telegram", content=[])
    elif name == "confirm" and given is None:
        asked = {"sure": ASK, "where": {"method": "roots/list"}}
        result(id_, resultType="input_required", inputRequests=asked, requestState='\u00e9 {"n": 1}')
    elif name == "confirm" and len(given) == 2:
        # A second round, with one question only and no state.
        result(id_, resultType="input_required", inputRequests={"once more": SAMPLE})
    elif name == "busy" and "requestState" not in params:
        result(id_, resultType="input_required", requestState="later")
    elif name == "circles":
        result(id_, resultType="input_required", requestState="again")
    elif name == "empty question":
        result(id_, resultType="input_required")
    elif name == "slow":
        STATE["held"] = id_
        write(
            {
                "method": "notifications/progress",
                "params": {"progressToken": params["_meta"]["progressToken"], "progress": 1},
            }
        )
    elif name == "touch":
        for listen, wanted in STATE["listens"].items():
            meta = {META + "subscriptionId": listen}
            if wanted.get("toolsListChanged"):
                write({"method": "notifications/tools/list_changed", "params": {"_meta": meta}})
            for uri in wanted.get("resourceSubscriptions", []):
                write({"method": "notifications/resources/updated", "params": {"uri": uri, "_meta": meta}})
        result(id_, content=[])
    elif name == "misplace":
        (listen, _), *_ = STATE["listens"].items()
        for kind, meta in (
            ("tools", {}), ("tools", {META + "subscriptionId": 999}), ("tools", {META + "subscriptionId": str(listen)}),
            ("prompts", {META + "subscriptionId": listen}),
        ):  # fmt: skip
            write({"method": f"notifications/{kind}/list_changed", "params": {"_meta": meta}})
        result(id_, content=[])
    elif name == "hang up":
        for listen in STATE["listens"]:
            write({"method": "notifications/cancelled", "params": {"requestId": listen, "reason": "bye"}})
        result(id_, content=[])
    elif name == "break":
        for listen in STATE["listens"]:
            error(listen, -32603, "broken")
        STATE["listens"].clear()
        result(id_, content=[])
    elif name == "asks":
        write({"id": "s1", "method": "ping"})
        result(id_, content=[])
    else:
        result(id_, content=[{"type": "text", "text": json.dumps(params)}])


def modern(request: dict[str, Any]) -> None:
    id_, method, params = request["id"], request["method"], request.get("params", {})
    meta = params.get("_meta", {})
    if STATE["era"] != "legacy" and META + "protocolVersion" not in meta:
        error(id_, -32602, "no protocolVersion in _meta")
        return
    if method == "tools/list":
        names = ["echo", "confirm", "slow"]
        tools = [{"name": name, "inputSchema": {"type": "object"}} for name in names]
        result(id_, tools=tools, ttlMs=5000, cacheScope="private")
    elif method == "tools/call":
        call(request)
    elif method == "resources/list":
        result(id_, resources=[{"uri": "x://a", "name": "a"}], ttlMs=0, cacheScope="private")
    elif method == "resources/templates/list":
        result(id_, resourceTemplates=[], ttlMs=0, cacheScope="private")
    elif method == "prompts/list":
        result(id_, prompts=[], ttlMs=0, cacheScope="private")
    elif method == "completion/complete":
        result(id_, resultType="input_required", requestState="not here")
    elif method == "subscriptions/listen":
        agreed = dict(params["notifications"])
        if MODE == "partial":
            agreed.pop("resourcesListChanged", None)
        if "resourceSubscriptions" in agreed:
            agreed["resourceSubscriptions"] = [
                uri for uri in agreed["resourceSubscriptions"] if uri != "x://secret"
            ]
        STATE["listens"][id_] = agreed
        own = {"notifications": agreed, "_meta": {META + "subscriptionId": id_}}
        write({"method": "notifications/subscriptions/acknowledged", "params": own})
    else:
        error(id_, -32601, f"no method {method}")


def cancelled(request: dict[str, Any]) -> None:
    id_ = request["params"]["requestId"]
    if id_ in STATE["listens"]:
        del STATE["listens"][id_]
        result(id_, _meta={META + "subscriptionId": id_})


def main() -> None:
    timer = threading.Timer(60, lambda: os._exit(9))
    timer.daemon = True
    timer.start()
    log = os.environ.get("EVERY")
    for line in sys.stdin:
        if log:
            with Path(log).open("a") as file:
                file.write(f"{os.getpid()} {line}")
        request = json.loads(line)
        method = request.get("method")
        if method == "server/discover":
            probed(request["id"])
        elif method == "initialize":
            initialize(request)
        elif method == "notifications/cancelled":
            cancelled(request)
        elif "id" in request and method:
            modern(request)


if __name__ == "__main__":
    main()
