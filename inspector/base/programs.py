"""Finds the program that a command names, as the child's own environment and folder decide, and says why not."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from inspector.base.errors import Failure

_COMES_WITH = {
    "npx": "Node.js", "npm": "Node.js", "node": "Node.js", "uvx": "uv", "uv": "uv", "pipx": "pipx", "bunx": "Bun",
    "bun": "Bun", "deno": "Deno", "docker": "Docker", "podman": "Podman", "java": "a Java runtime", "dotnet": ".NET",
    "python": "Python (often as python3)", "go": "Go",
}  # fmt: skip


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
    if " " in command.strip():
        hint = f"a command is one program; put the rest into args. {hint}"
    elif known := _COMES_WITH.get(command):
        hint = f"{command} comes with {known}: install that, or give the whole path. {hint}"
    return Failure(kind="not_found", message=f"program not found: {command}", hint=hint)


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
            return Failure(
                kind="not_found", message=f"program not found: {path}{where}", hint="check the path"
            )
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
