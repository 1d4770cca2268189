"""Finds the program that a command names, as the child's own environment and folder decide, and says why not."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from inspector.base.errors import Failure
from inspector.base.patterns import pattern

_COMES_WITH = {
    "npx": "Node.js", "npm": "Node.js", "node": "Node.js", "uvx": "uv", "uv": "uv", "pipx": "pipx", "bunx": "Bun",
    "bun": "Bun", "deno": "Deno", "docker": "Docker", "podman": "Podman", "java": "a Java runtime", "dotnet": ".NET",
    "python": "Python (often as python3)", "go": "Go", "pnpm": "pnpm (npm install -g pnpm)", "php": "PHP",
    "yarn": "Yarn (npm install -g yarn)", "ruby": "Ruby", "cargo": "Rust",
}  # fmt: skip
_WINDOWS = pattern(r"(?i)[a-z]:\\|.*\.(?:exe|cmd|bat|ps1)$|(?:cmd|powershell)$")
_READ_BY_CMD = pattern(r"""[()\[\]%!^"`<>&|;, *?]""")
_NODE_SHIM = pattern(r"(?i)node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$")
_ASSIGNMENT = pattern(r"[A-Za-z_]\w*=")


def find_program(command: str, environment: Mapping[str, str], folder: str) -> str | Failure:
    """The absolute path of what `command` starts, or the failure that a start would end in.

    A name without a slash is searched on the PATH of `environment`; one with a slash is taken relative to
    `folder`. No shell and no expansion. On Windows PATHEXT applies, so that `npx` finds `npx.cmd`.
    """
    if not command:
        return Failure(kind="not_found", message="the command is empty", hint='give "command" a program')
    if os.sep in command or (os.altsep and os.altsep in command):
        return _at(command, folder)
    path = environment.get("PATH", os.defpath)
    found = shutil.which(command, path=path)
    if found:
        return str(Path(folder, found))
    shadow = shutil.which(command, mode=os.F_OK, path=path)
    if shadow:
        return Failure(
            kind="not_executable",
            message=f"{shadow} is not executable",
            hint=f"make it executable: chmod +x {shadow}",
        )
    hint = f"searched PATH: {path or '(empty)'}"
    if wrong := _no_program(command):
        hint = f"{wrong}. {hint}"
    elif known := _COMES_WITH.get(command):
        hint = f"{command} comes with {known}: install that, or give the whole path. {hint}"
    return Failure(kind="not_found", message=f"program not found: {command}", hint=hint)


def _no_program(command: str) -> str | None:
    """What is wrong with a command that looks like something else than the name of a program."""
    if command[0] in "\"'":
        return "take the quotes off: no shell reads it"
    if _ASSIGNMENT.match(command):
        return "variables go into env"
    if "$" in command:
        return "no shell reads it: write variables as ${NAME}"
    if os.name == "posix" and _WINDOWS.match(command):
        return "that is a program of Windows: name the one of this system"
    return "a command is one program; put the rest into args" if " " in command.strip() else None


def _at(command: str, folder: str) -> str | Failure:
    path = Path(folder, command)
    try:
        if path.is_dir():
            return Failure(
                kind="not_executable",
                message=f"{path} is a directory, not a program",
                hint="name the program inside of it",
            )
        if not path.exists():
            where = "" if Path(command).is_absolute() else f" (looked up against {folder})"
            if path.is_symlink():
                where = f", a link that leads to nothing ({os.readlink(path)})"
            message = f"program not found: {path}{where}"
            return Failure(kind="not_found", message=message, hint=_no_program(command) or "check the path")
    except OSError as error:
        return Failure(
            kind="not_found", message=f"{path} cannot be looked at: {error.strerror}", hint="check the path"
        )
    found = shutil.which(str(path))
    if found is None:
        return Failure(
            kind="not_executable",
            message=f"{path} is not executable",
            hint=f"make it executable: chmod +x {path}",
        )
    return str(Path(found).absolute())


def is_batch(program: str) -> bool:
    """Whether Windows has its shell read the line that starts it, as that of `npx.cmd`."""
    return sys.platform == "win32" and program.lower().endswith((".cmd", ".bat"))


def batch_line(program: str, arguments: Sequence[str]) -> str:
    """The line for cmd.exe that starts a batch file with just these arguments. What it would take for its own is
    escaped; twice where a shim of npm hands the line on, to be read once more."""
    from subprocess import list2cmdline

    times = 2 if _NODE_SHIM.search(program) else 1
    words = [_escaped(program)]
    for argument in arguments:
        word = list2cmdline([argument])
        for _ in range(times):
            word = _escaped(word)
        words.append(word)
    return " ".join(words)


def _escaped(word: str) -> str:
    return _READ_BY_CMD.sub(lambda found: f"^{found[0]}", word)
