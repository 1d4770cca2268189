"""A reader who follows a page in an empty home, with the demo servers and those of `.servers` at hand."""

from __future__ import annotations

import json
import os
import select
import shlex
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

from documents import ROOT, Block, Step, differs
from terminal import Terminal

from inspector.cli.arguments import parse

SERVERS = Path(os.environ.get("MCP_INSPECT_SERVERS", ROOT / ".servers")).absolute()
HTTP = "http://127.0.0.1:3000/mcp"
"""Where the pages have a server over HTTP; the demo's library stands in for it, at any port."""
_LASTING = frozenset({"--http", "--listen", "--watch"})
_LONGEST = 120
_NPX = {
    "@modelcontextprotocol/server-everything": "mcp-server-everything",
    "@modelcontextprotocol/server-filesystem": "mcp-server-filesystem",
    "@modelcontextprotocol/server-memory": "mcp-server-memory",
}
_REGISTERED = {
    "name": "io.example/shop", "version": "1.0.0", "remotes": [{"type": "streamable-http", "url": "http://127.0.0.1:9/mcp"}],
}  # fmt: skip
_RECORDING = "mcp-inspect call mcp.json price_of item=croissant --record {}"
_OUTPUTS = ("-o", "--output", "--record")
_SHIM = """\
#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
package=$1; shift
case $package in
%s
*) echo "$package is not among the servers of the tests" >&2; exit 127;;
esac
"""


class Reader:
    """Runs what a page says, step by step, in one folder with one home."""

    def __init__(self, folder: Path) -> None:
        self.home, self.folder, programs = folder / "home", folder / "work", folder / "bin"
        for made in (self.home, self.folder, programs):
            made.mkdir()
        self._write_shims(programs)
        kept = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TMPDIR") if name in os.environ}
        self.environment = {
            **kept,
            "HOME": str(self.home),
            "PATH": os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]),
            "PYTHONPATH": str(ROOT),
            "TERM": "xterm-256color",
            "TEXTUAL_ANIMATIONS": "none",
        }
        self._served: subprocess.Popen[str] | None = None
        self._url = HTTP
        self._stock()

    def _write_shims(self, programs: Path) -> None:
        cases = "\n".join(
            f'{package}) exec {shlex.quote(str(SERVERS / "node_modules" / ".bin" / program))} "$@";;'
            for package, program in _NPX.items()
        )
        for name, text in {
            "npx": _SHIM % cases,
            "uvx": f'#!/bin/sh\nprogram=$1; shift; exec {shlex.quote(str(SERVERS / "venv/bin"))}/"$program" "$@"\n',
            "mcp-inspect": f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m inspector "$@"\n',
        }.items():
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)

    def _stock(self) -> None:
        """The files that pages speak of: a server, two configs of it, one of another client."""
        (self.folder / "my_server.py").write_text(
            "import sys\nfrom inspector.demo.__main__ import main\nsys.exit(main(['stdio', 'bakery']))\n"
        )
        for name in ("mcp.json", "servers.json"):
            (self.folder / name).write_text(json.dumps({"mcpServers": self._shop()}))
        (self.folder / "sample-configs").symlink_to(ROOT / "sample-configs")
        (self.folder / "entries.json").write_text('{"/item": "croissant"}')
        (self.folder / "calls.yaml").write_text(
            "target: mcp.json\ncalls: [{tool: price_of, arguments: {item: croissant}}]"
        )
        (self.folder / "shop.yaml").write_text("definition: 1\nserver: {name: shop, version: 1.0.0}\n")
        (self.folder / "server.json").write_text(json.dumps(_REGISTERED))
        for place in (".cursor", ".paicli"):
            (self.home / place).mkdir()
            (self.home / place / "mcp.json").write_text(json.dumps({"mcpServers": self._shop()}, indent=2))

    def _shop(self) -> dict[str, Any]:
        return {"shop": {"command": "python", "args": [str(self.folder / "my_server.py")]}}

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        if self._served is not None:
            self._served.send_signal(signal.SIGINT)
            self._served.wait(_LONGEST)

    def write(self, block: Block) -> None:
        """What the page says a file holds."""
        path = self.folder / block.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text)

    def missing(self, step: Step) -> str:
        """Why the step cannot be run on this machine; empty where it can."""
        words = step.command.split()
        for program, folder in (("npx", SERVERS / "node_modules"), ("uvx", SERVERS / "venv")):
            if program in words and not folder.is_dir():
                return f"the servers of {program} are not installed: make servers"
        return ""

    def _supply(self, command: str) -> None:
        """A recording that the page speaks of and that is not there yet."""
        words = shlex.split(command)
        for before, word in pairwise(words):
            path = self.folder / word
            if word.endswith(".mcprec") and before not in _OUTPUTS and not path.exists():
                code, printed = self._run(_RECORDING.format(shlex.quote(word)))
                assert code == 0, printed

    def prints(self, command: str) -> str:
        """What a command writes on stdout; whatever it ends with."""
        self._supply(command)
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, timeout=_LONGEST, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        return done.stdout.decode()

    def follow(self, step: Step) -> str:
        """Runs a step; gives a sentence on what is not as the page says, or nothing."""
        command = self._here(step.command)
        self._supply(command)
        if self._is_app(command):
            code, printed = self._look(command)
        elif any(word in _LASTING for word in command.split()) and "run " not in command[:4]:
            code, printed = self._begin(command)
        else:
            code, printed = self._run(command)
        wanted = 0 if step.code is None else step.code
        if code != wanted:
            return f"ended with {code}, not with {wanted}: {printed[-1500:]}"
        if step.shown is not None and (line := differs(step.shown, printed)):
            return f"did not print {line!r} where it is shown, but:\n{printed[:3000]}"
        return ""

    def _here(self, command: str) -> str:
        """The command with the servers of this machine in place of those of the page."""
        if HTTP in command and self._served is None:
            self._served = subprocess.Popen(
                [sys.executable, "-m", "inspector.demo", "http", "library"],
                stdout=subprocess.PIPE, text=True, env=self.environment,
            )  # fmt: skip
            assert self._served.stdout is not None
            self._url = self._served.stdout.readline().strip()
        return command.replace(HTTP, self._url)

    @staticmethod
    def _is_app(command: str) -> bool:
        words = shlex.split(command)
        if words[0] != "mcp-inspect" or any(sign in command for sign in ("|", ">", "--help", "--version")):
            return False
        return parse(words[1:]).verb in ("", "demo")

    def _look(self, command: str) -> tuple[int, str]:
        """Opens the app and quits when it is painted."""
        environment = {**self.environment, "MCP_INSPECT_HOME": str(self.home / "app")}
        words = [
            str(self.home / word[2:]) if word.startswith("~/") else word for word in shlex.split(command)[1:]
        ]
        under = f"cd {shlex.quote(str(self.folder))} && APP"
        with Terminal(*words, under=under, **environment) as terminal:
            terminal.until("Quit")
            terminal.press("q")
            return terminal.wait(), terminal.seen.decode(errors="replace")

    def _run(self, command: str) -> tuple[int, str]:
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, timeout=_LONGEST, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        return done.returncode, self._seen(done.stdout.decode())

    def _begin(self, command: str) -> tuple[int, str]:
        """Runs what does not end by itself until it has said something, then presses Ctrl-C: 130 is as it should be."""
        process = subprocess.Popen(
            ["bash", "-c", f"exec {command}"], cwd=self.folder, env=self.environment, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert process.stdout is not None
        said, end = b"", time.monotonic() + _LONGEST
        while b"\n" not in said and time.monotonic() < end:
            if select.select([process.stdout], [], [], 1)[0]:
                piece = os.read(process.stdout.fileno(), 65536)
                if not piece:
                    break
                said += piece
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=_LONGEST)
        code = 0 if process.returncode == 130 and said else process.returncode
        return code, self._seen((said + rest).decode())

    def _seen(self, text: str) -> str:
        """What was printed, in the words of the page: its home, its programs, its URL."""
        for real, told in (
            (str(self.folder), "/home/ada/work"),
            (str(self.home), "/home/ada"),
            (str(Path(sys.executable).parent) + os.sep, ""),
            (self._url, HTTP),
        ):
            text = text.replace(real, told)
        return text
