"""Which variables around us a client keeps from the process that it starts."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from inspector.base.patterns import pattern
from inspector.config.entry import Entry, Note

_HANDED_ON = frozenset({
    "HOME", "LOGNAME", "PATH", "SHELL", "USER", "__CF_USER_TEXT_ENCODING", "LANG", "LC_ALL", "TERM", "TMPDIR", "TZ",
})  # fmt: skip
_HANDED_ON_WINDOWS = frozenset({
    "PATH", "PATHEXT", "SHELL", "COMSPEC", "SYSTEMROOT", "SYSTEMDRIVE", "USERNAME", "USERDOMAIN", "USERPROFILE",
    "HOMEDRIVE", "HOMEPATH", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "PROGRAMDATA", "LOCALAPPDATA",
    "APPDATA", "TEMP", "TMP", "POWERSHELL", "PWSH",
})  # fmt: skip
"""The variables that Codex gives to servers."""
_SECRET = pattern(r"(?i)TOKEN|SECRET|PASSWORD|PASSWD|KEY|AUTH|CREDENTIAL|CREDS|PRIVATE|CERT")
"""Names of variables that Gemini CLI keeps to itself."""


def withheld(entry: Entry, environment: Mapping[str, str], given: Mapping[str, str]) -> list[str]:
    """Names of variables that a process of this entry does not get; `given` are those that the entry sets."""
    if not entry.command or entry.url or entry.dialect.child == "all":
        return []
    passed = {*entry.passed, *given}
    if entry.dialect.child == "some":
        kept = _HANDED_ON_WINDOWS if os.name == "nt" else _HANDED_ON
        return [name for name in environment if name not in kept and name not in passed]
    return [name for name in environment if _SECRET.search(name) and name not in passed]


def missing(entry: Entry, environment: Mapping[str, str], given: Mapping[str, str]) -> list[str]:
    """Names of variables that the entry wants handed on and that nobody has."""
    some = bool(entry.command) and not entry.url and entry.dialect.child != "all"
    return [name for name in entry.passed if some and name not in environment and name not in given]


def notes_on(entry: Entry, names: list[str], lacking: list[str]) -> Iterator[Note]:
    """What is to be said of `withheld` and of `missing` variables."""
    for name in lacking:
        yield Note("warning", "env_vars", f"{name} is not set, so the server does not get it")
    if names and entry.dialect.child == "some":
        kept = ", ".join(sorted(_HANDED_ON_WINDOWS if os.name == "nt" else _HANDED_ON))
        why = f"{entry.dialect.label} hands on {kept} and what env_vars names"
        yield Note("info", "env", f"{len(names)} of our variables are kept from the server: {why}")
    elif names:
        why = f"{entry.dialect.label} hands on none with a name like that"
        yield Note("info", "env", f"{len(names)} of our variables are kept from the server: {why}")
