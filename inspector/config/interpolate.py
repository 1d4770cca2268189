"""Variables in config values: which spellings a client knows, where their values come from, what unset means.

One pass only: what a variable brought in is never looked at again. The rules of a client are one row of data.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from inspector.base.patterns import pattern
from inspector.base.secrets import MASK, names_a_place

NOTHING: Mapping[str, Any] = MappingProxyType({})
"""The empty mapping that immutable records share."""

_NAME = "[A-Za-z_][A-Za-z0-9_]*"
_SUSPECT = pattern(
    rf"\$\{{\{{[^}}]*\}}\}}|\$\{{[^}}]*\}}?|\$(?={_NAME})[A-Za-z0-9_]+|\{{(?:env|file):[^}}]+\}}"
)
_WELL_FORMED = pattern(
    rf"\$\{{(?:{_NAME}(?::-[^}}]*)?|[a-z]+:[^}}]+)\}}|\$\{{\{{[^}}]*\}}\}}|\{{(?:env|file):[^}}]+\}}"
)


class Surroundings(NamedTuple):
    """Where references point to: the environment, answers to declared inputs (by id), and absolute folders. `file`
    gives what a file holds, without blanks around it, and raises OSError; None where files are not to be read yet."""

    environment: Mapping[str, str]
    home: str
    project: str
    workspace: str
    inputs: Mapping[str, str] = NOTHING
    file: Callable[[str], str] | None = None


Place = Callable[[Surroundings], str]


class Profile(NamedTuple):
    """How one client writes variables.

    `reference` has the group `name` (or `bare`, for `$NAME`) and, where the client knows them, `scheme` (`env`,
    `input`, `file` ...) and `default`. `places` are names that are no variables but folders and characters;
    they win over variables.
    `counts_as_unset`: beside a missing variable, also an `empty` or a `blank` one. `unset`: the server is in
    `error`, the reference stays `literal`, or nothing takes its place (`empty`).
    `written` are the ways to write one, by kind: `variable`, `default`, `input`, `file`, `place`.
    """

    id: str
    syntax: str
    reference: str | None
    places: Mapping[str, Place] = NOTHING
    unset: Literal["error", "literal", "empty"] = "literal"
    counts_as_unset: Literal["missing", "empty", "blank"] = "missing"
    written: Mapping[str, str] = NOTHING


class Reference(NamedTuple):
    """One reference in a text, as a client reads it. `nested` is a default that holds another one, which no client
    reads reliably; `other` is what we do not follow."""

    written: str
    kind: Literal["variable", "place", "input", "file", "nested", "other"]
    name: str
    default: str | None = None


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
    unreadable: list[str] = field(default_factory=list)
    postponed: list[str] = field(default_factory=list)
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


def parts(text: str, profile: Profile) -> Iterator[str | Reference]:
    """A text taken apart into what stands there literally and what is replaced."""
    end = 0
    # The pattern is compiled at its first use: most runs meet one client.
    marked = profile.reference is not None and ("$" in text or "{" in text)
    for match in re.finditer(profile.reference or "", text) if marked else ():
        if match.start() > end:
            yield text[end : match.start()]
        yield _reference(match, profile)
        end = match.end()
    if end < len(text):
        yield text[end:]


def _reference(match: re.Match[str], profile: Profile) -> Reference:
    groups = match.groupdict()
    name: str = groups["name"] or groups.get("bare") or ""
    scheme, default = groups.get("scheme"), groups.get("default")
    written = match.group()
    if default is not None and "${" in default:
        return Reference(written, "nested", name)
    if scheme is None and name in profile.places:
        return Reference(written, "place", name)
    if scheme is not None and scheme in profile.places:
        # One folder of a workspace of several; a file knows only that it lies in.
        return Reference(written, "place", scheme)
    if scheme in ("input", "inputs", "secrets"):
        return Reference(written, "input", name)
    if scheme == "file":
        return Reference(written, "file", name)
    if scheme in ("config", "command"):
        return Reference(written, "other", name)
    return Reference(written, "variable", name, default)


def expand(text: str, profile: Profile, around: Surroundings) -> Expansion:
    """Expands one text by the rules of `profile`; never raises."""
    result = Expansion()
    for part in parts(text, profile):
        if isinstance(part, str):
            _keep(part, result)
        else:
            _replace(part, profile, around, result)
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


def _replace(found: Reference, profile: Profile, around: Surroundings, result: Expansion) -> None:
    if found.kind == "place":
        result.literal(profile.places[found.name](around))
    elif found.kind == "input":
        _answer(found, profile, around, result)
    elif found.kind == "file":
        _file(found, around, result)
    elif found.kind == "variable":
        _variable(found.written, found.name, found.default, profile, around, result)
    else:
        (result.malformed if found.kind == "nested" else result.refused).append(found.written)
        result.literal(found.written)


def _file(found: Reference, around: Surroundings, result: Expansion) -> None:
    if around.file is None:
        result.postponed.append(found.name)
        result.text += found.written
        result.masked += MASK
        return
    try:
        result.insert(around.file(found.name), f"file:{found.name}")
    except (OSError, ValueError) as error:
        result.unreadable.append(f"{found.name}: {getattr(error, 'strerror', None) or error}")
        result.literal(found.written)


def _answer(found: Reference, profile: Profile, around: Surroundings, result: Expansion) -> None:
    if found.name in around.inputs:
        result.insert(around.inputs[found.name], f"input:{found.name}")
    elif profile is TEMPLATES and around.environment.get(found.name):
        result.insert(around.environment[found.name], found.name)
    else:
        result.unanswered.append(found.name)
        result.literal(found.written)


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


def project(around: Surroundings) -> str:
    return around.project


def home(around: Surroundings) -> str:
    return around.home


def workspace(around: Surroundings) -> str:
    return around.workspace


_EDITOR_PLACES: dict[str, Place] = {
    "workspaceFolder": workspace,
    "workspaceFolderBasename": lambda around: os.path.basename(around.workspace),
    "userHome": home,
    "pathSeparator": lambda around: os.sep,
    "/": lambda around: os.sep,
}
_PROJECT_PLACES: dict[str, Place] = {"PROJECT_DIR": project, "HOME": home}
_DOLLAR_BRACES = {"variable": "${%s}", "default": "${%s:-%s}", "place": "${%s}"}
_ENV_COLON = {"variable": "${env:%s}", "place": "${%s}"}

PAICLI = Profile(
    "paicli",
    "${NAME}",
    _braces(f"(?P<name>{_NAME})"),
    _PROJECT_PLACES,
    unset="error",
    counts_as_unset="blank",
    written={"variable": "${%s}", "place": "${%s}"},
)
COMMON = Profile(
    "common",
    "${NAME}, ${NAME:-default}, ${env:NAME}",
    _braces(f"(?:(?P<scheme>env):)?{_DEFAULT}"),
    _PROJECT_PLACES,
    unset="error",
    counts_as_unset="empty",
    written=_DOLLAR_BRACES,
)
CLAUDE_CODE = Profile("claude-code", "${NAME}, ${NAME:-default}", _braces(_DEFAULT), written=_DOLLAR_BRACES)
VSCODE = Profile(
    "vscode",
    "${env:NAME}, ${input:ID}, ${workspaceFolder}, ${userHome}",
    _colons("env", "input", "config", "command", "workspaceFolder", places=_EDITOR_PLACES),
    _EDITOR_PLACES,
    unset="empty",
    written=_ENV_COLON | {"input": "${input:%s}"},
)
EDITOR = Profile(
    "editor",
    "${env:NAME}, ${workspaceFolder}, ${userHome}",
    _colons("env", "workspaceFolder", places=_EDITOR_PLACES),
    _EDITOR_PLACES,
    unset="empty",
    written=_ENV_COLON,
)
ENV_OR_FILE = Profile(
    "env-or-file",
    "${env:NAME}, ${file:PATH}",
    _colons("env", "file", places={}),
    unset="empty",
    written={"variable": "${env:%s}", "file": "${file:%s}"},
)
ENV_OR_FOLDER = Profile(
    "env-or-folder",
    "${env:NAME}, ${workspaceFolder}",
    _colons("env", places={"workspaceFolder": workspace}),
    {"workspaceFolder": workspace},
    written=_ENV_COLON,
)
ENV_ONLY = Profile("env-only", "${env:NAME}", _colons("env", places={}), written={"variable": "${env:%s}"})
DOLLAR = Profile(
    "dollar",
    "$NAME, ${NAME}, ${NAME:-default}",
    rf"\$(?:\{{{_DEFAULT}\}}|(?P<bare>{_NAME}))",
    written=_DOLLAR_BRACES,
)
DOLLAR_OR_EMPTY = DOLLAR._replace(id="dollar-or-empty", unset="empty")
"""Gemini expands env and headers a second time, and there nothing takes the place of what is unset."""
BRACE = Profile(
    "brace",
    "{env:NAME}, {file:PATH}",
    r"\{(?P<scheme>env|file):(?P<name>[^}]+)\}",
    unset="empty",
    written={"variable": "{env:%s}", "file": "{file:%s}"},
)
TEMPLATES = Profile(
    "templates",
    "${{ secrets.NAME }}, ${{ inputs.NAME }}",
    r"\$\{\{\s*(?P<scheme>secrets|inputs)\.(?P<name>[^\s}]+)\s*\}\}",
    written={"variable": "${{ secrets.%s }}", "input": "${{ secrets.%s }}"},
)
INPUTS = Profile("inputs", "${input:ID}", _colons("input", places={}), written={"input": "${input:%s}"})
"""Of an entry that we made ourselves, of something that lists what has to be asked."""
NONE = Profile("none", "none", None)
