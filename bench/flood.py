"""A stdio server that talks more than anybody can read: python bench/flood.py FRAMES_A_SECOND FRAMES

As soon as it is ready it sends log notifications, numbered from 0, at that rate and in bursts as a pipe gives them;
after the last one it waits for its end.
"""

import json
import sys
import time

SIZE = 200
"""Bytes of a frame, about what a call and its answer have."""
_BURST = 0.002


def notification(number: int) -> bytes:
    data = f"flood {number} ".ljust(SIZE - 92, ".")
    return (
        b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%s"}}\n'
        % data.encode()
    )


def answer(request: dict) -> dict:
    if request["method"] != "initialize":
        return {"error": {"code": -32601, "message": "it only floods"}}
    about = {"capabilities": {"logging": {}}, "serverInfo": {"name": "flood", "version": "1"}}
    return {"result": {"protocolVersion": request["params"]["protocolVersion"], **about}}


def flood(rate: float, count: int) -> None:
    out = sys.stdout.buffer
    began = time.monotonic()
    sent = 0
    while sent < count:
        due = min(int((time.monotonic() - began) * rate), count)
        out.write(b"".join(map(notification, range(sent, due))))
        out.flush()
        sent = due
        time.sleep(_BURST)


def main() -> None:
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if "id" in request:
            body = {"jsonrpc": "2.0", "id": request["id"], **answer(request)}
            sys.stdout.buffer.write(json.dumps(body).encode() + b"\n")
            sys.stdout.buffer.flush()
        elif request["method"] == "notifications/initialized":
            flood(float(sys.argv[1]), int(sys.argv[2]))


if __name__ == "__main__":
    main()
