"""The least MCP server there is, over stdio: what a client costs is not hidden behind what its server costs.
An argument is the seconds it waits before it reads."""

import json
import sys
import time

TOOLS = [{"name": "echo", "inputSchema": {"type": "object", "properties": {"message": {"type": "string"}}}}]


def answer(request: dict) -> dict:
    method, params = request["method"], request.get("params", {})
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "tiny", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": TOOLS}
    return {"content": [{"type": "text", "text": params.get("arguments", {}).get("message", "")}]}


def main() -> None:
    time.sleep(float(sys.argv[1]) if len(sys.argv) > 1 else 0)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if "id" in request:
            body = {"jsonrpc": "2.0", "id": request["id"], "result": answer(request)}
            sys.stdout.buffer.write(json.dumps(body).encode() + b"\n")
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
