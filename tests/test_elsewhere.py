"""Where the system is another one: it loads with nothing of POSIX there, as far as that can be acted."""

from __future__ import annotations

import subprocess
import sys

from conftest import ROOT

_ELSEWHERE = """
import importlib, json, os, pathlib, pkgutil, select, signal, sys
import inspector

def modules():
    for found in pkgutil.walk_packages(inspector.__path__, "inspector."):
        if not found.name.endswith(".__main__"):
            importlib.import_module(found.name)

# All that is of others is loaded as it is here; then ours once more, in the other world.
modules()
for name in [name for name in sys.modules if name.partition(".")[0] == "inspector"]:
    del sys.modules[name]
for name in ("fcntl", "termios", "pwd", "grp", "resource", "pty", "tty", "readline"):
    sys.modules[name] = None
MISSING = {
    os: "fork forkpty killpg setsid getsid setpgid getpgid getpgrp getuid geteuid getgid getegid openpty mkfifo pread"
        " fchmod fchown chown O_NONBLOCK O_NOFOLLOW O_CLOEXEC O_DIRECTORY WNOHANG WIFSIGNALED WTERMSIG uname statvfs",
    signal: "SIGKILL SIGHUP SIGQUIT SIGUSR1 SIGUSR2 SIGSTOP SIGTSTP SIGCONT SIGCHLD SIGPIPE SIGALRM SIGWINCH"
            " pthread_sigmask set_wakeup_fd_ sigwait pause alarm",
    select: "poll epoll",
}
for module, names in MISSING.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
# Paths of that system cannot be made here.
sys.modules[pathlib.Path.__module__].WindowsPath = pathlib.PosixPath
sys.platform, os.name = "win32", "nt"
modules()

from inspector.cli.options import parser_of
from inspector.cli.vocabulary import VERBS
for verb in ("", *VERBS):
    parser_of(verb)
from inspector.cli.verbs import completion
from inspector.base import programs
from inspector.config.load import load_text
assert [entry.name for entry in load_text('{"mcpServers": {"a": {"command": "x"}}}').entries] == ["a"]
print(len([name for name in sys.modules if name.startswith("inspector.")]))
"""


def test_every_module_loads_without_anything_of_posix() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _ELSEWHERE], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    files = [path for path in (ROOT / "inspector").rglob("*.py") if path.name != "__main__.py"]
    assert int(done.stdout) == len(files) - 1
