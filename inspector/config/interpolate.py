"""Variables in config values: which spellings a client knows, where their values come from, what unset means.

One pass only: what a variable brought in is never looked at again. The rules of a client are one row of data.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from inspector.base.patterns import pattern
from inspector.base.secrets import MASK, names_a_place

NOTHING: Mapping[str, Any] = MappingProxyType({})
"""The empty mapping that immutable records share."""

_NAME = "[A-Za-z_][A-Za-z0-9_]*"
_SUSPECT = pattern(rf"\$\{{[^}}]*\}}?|\$(?={_NAME})[A-Za-z0-9_]+")
_WELL_FORMED = pattern(rf"\$\{{(?:{_NAME}(?::-[^}}]*)?|[a-z]+:[^}}]+)\}}")


class Surroundings(NamedTuple):
    """Where references point to: the environment, answers to declared inputs (by id), and absolute folders."""

    environment: Mapping[str, str]
    home: str
    project: str
    workspace: str
    inputs: Mapping[str, str] = NOTHING


Place = Callable[[Surroundings], str]


class Profile(NamedTuple):
    """How one client writes variables.

    `reference` has the group `name` (or `bare`, for `$NAME`) and, where the client knows them, `scheme` (`env`,
    `input`, `file` ...) and `default`. `places` are names that are no variables but folders and characters;
    they win over variables.
    `counts_as_unset`: beside a missing variable, also an `empty` or a `blank` one. `unset`: the server is in
    `error`, the reference stays `literal`, or nothing takes its place (`empty`).
    """

    id: str
    syntax: str
    reference: str | None
    places: Mapping[str, Place] = NOTHING
    unset: Literal["error", "literal", "empty"] = "literal"
    counts_as_unset: Literal["missing", "empty", "blank"] = "missing"


@dataclass(slots=True)
class Expansion:
    """What became of one text. `masked` is the same with `***` for what came from variables and inputs; `used` is
    what was inserted, as (value, variable name). `unset`, `unanswered` (ids of inputs) and `refused` (references
    that we do not follow) were not resolved; the rest stays as written: `bare` ($NAME), `malformed`, `foreign`."""

    text: str = ""
    masked: str = ""
    used: list[tuple[str, str]] = field(default_factory=list)
    unset: list[str] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    bare: list[str] = field(default_factory=list)
    malformed: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def literal(self, text: str) -> None:
        self.text += text
        self.masked += text

    def insert(self, value: str, name: str) -> None:
        self.text += value
        self.masked += value if names_a_place(name) or not value else MASK
        self.used.append((value, name))


def expand(text: str, profile: Profile, around: Surroundings) -> Expansion:
    """Expands one text by the rules of `profile`; never raises."""
    result = Expansion()
    if "$" not in text and "{" not in text:
        result.literal(text)
        return result
    end = 0
    # The pattern is compiled at its first use: most runs meet one client.
    for match in re.finditer(profile.reference, text) if profile.reference else ():
        _keep(text[end : match.start()], result)
        _replace(match, profile, around, result)
        end = match.end()
    _keep(text[end:], result)
    return result


def _keep(text: str, result: Expansion) -> None:
    """Text without references of this client; names what looks like one."""
    for match in _SUSPECT.finditer(text):
        suspect = match.group()
        if suspect[1] != "{":
            result.bare.append(suspect)
        elif _WELL_FORMED.fullmatch(suspect):
            result.foreign.append(suspect)
        else:
            result.malformed.append(suspect)
    result.literal(text)


def _replace(match: re.Match[str], profile: Profile, around: Surroundings, result: Expansion) -> None:
    groups = match.groupdict()
    name, scheme, default = groups["name"] or groups["bare"], groups.get("scheme"), groups.get("default")
    if default is not None and "${" in default:
        result.malformed.append(match.group())
        result.literal(match.group())
    elif scheme is None and name in profile.places:
        result.literal(profile.places[name](around))
    elif scheme == "input":
        _answer(match.group(), name, around, result)
    elif scheme in ("file", "config", "command"):
        result.refused.append(match.group())
        result.literal(match.group())
    else:
        _variable(match.group(), name, default, profile, around, result)


def _answer(reference: str, id: str, around: Surroundings, result: Expansion) -> None:
    if id in around.inputs:
        result.insert(around.inputs[id], f"input:{id}")
    else:
        result.unanswered.append(id)
        result.literal(reference)


def _variable(
    reference: str, name: str, default: str | None, profile: Profile, around: Surroundings, result: Expansion
) -> None:
    value = around.environment.get(name)
    if value is not None and not _counts_as_unset(value, profile):
        result.insert(value, name)
    elif default is not None:
        result.literal(default)
    else:
        result.unset.append(name)
        result.literal("" if profile.unset == "empty" else reference)


def _counts_as_unset(value: str, profile: Profile) -> bool:
    if profile.counts_as_unset == "blank":
        return not value.strip()
    return profile.counts_as_unset == "empty" and not value


def _braces(inner: str) -> str:
    return rf"\$\{{{inner}\}}"


def _colons(*schemes: str, places: Mapping[str, Place]) -> str:
    named = "|".join(map(re.escape, places))
    kinds = "|".join(schemes)
    return _braces(f"(?:(?P<scheme>{kinds}):)?(?P<name>(?<=:)[^}}]+|(?<!:)(?:{named or '(?!)'}))")


_DEFAULT = f"(?P<name>{_NAME})(?::-(?P<default>[^}}]*))?"
_EDITOR_PLACES: dict[str, Place] = {
    "workspaceFolder": lambda around: around.workspace,
    "workspaceFolderBasename": lambda around: os.path.basename(around.workspace),
    "userHome": lambda around: around.home,
    "pathSeparator": lambda around: os.sep,
    "/": lambda around: os.sep,
}
_PROJECT_PLACES: dict[str, Place] = {
    "PROJECT_DIR": lambda around: around.project,
    "HOME": lambda around: around.home,
}

PAICLI = Profile(
    "paicli",
    "${NAME}",
    _braces(f"(?P<name>{_NAME})"),
    _PROJECT_PLACES,
    unset="error",
    counts_as_unset="blank",
)
COMMON = Profile(
    "common",
    "${NAME}, ${NAME:-default}, ${env:NAME}",
    _braces(f"(?:(?P<scheme>env):)?{_DEFAULT}"),
    _PROJECT_PLACES,
    unset="error",
    counts_as_unset="empty",
)
CLAUDE_CODE = Profile("claude-code", "${NAME}, ${NAME:-default}", _braces(_DEFAULT))
VSCODE = Profile(
    "vscode",
    "${env:NAME}, ${input:ID}, ${workspaceFolder}, ${userHome}",
    _colons("env", "input", "config", "command", places=_EDITOR_PLACES),
    _EDITOR_PLACES,
    unset="empty",
)
EDITOR = Profile(
    "editor",
    "${env:NAME}, ${workspaceFolder}, ${userHome}",
    _colons("env", places=_EDITOR_PLACES),
    _EDITOR_PLACES,
    unset="empty",
)
ENV_OR_FILE = Profile(
    "env-or-file", "${env:NAME}, ${file:PATH}", _colons("env", "file", places={}), unset="empty"
)
ENV_ONLY = Profile("env-only", "${env:NAME}", _colons("env", places={}))
DOLLAR = Profile(
    "dollar",
    "$NAME, ${NAME}, ${NAME:-default}",
    rf"\$(?:\{{{_DEFAULT}\}}|(?P<bare>{_NAME}))",
)
BRACE = Profile(
    "brace", "{env:NAME}, {file:PATH}", r"\{(?P<scheme>env|file):(?P<name>[^}]+)\}", unset="empty"
)
NONE = Profile("none", "none", None)
