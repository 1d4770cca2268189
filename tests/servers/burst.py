"""A server on stdio that writes as many numbered notifications as it is told, as fast as it can."""

from __future__ import annotations

import json
import sys


def main() -> None:
    out = sys.stdout
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("method") == "initialize":
            about = {"name": "burst", "version": "1"}
            result = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": about}
            out.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}) + "\n")
        elif message.get("method") == "notifications/initialized":
            for number in range(int(sys.argv[1])):
                params = f'{{"level":"info","data":{number}}}'
                out.write(f'{{"jsonrpc":"2.0","method":"notifications/message","params":{params}}}\n')
        elif "id" in message:
            error = {"code": -32601, "message": "not here"}
            out.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
