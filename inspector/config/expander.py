"""Expands the fields of an entry one by one and keeps account of what has to be said about them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.base.secrets import MASK, names_a_place
from inspector.config import dotenv
from inspector.config.entry import Entry, Note
from inspector.config.interpolate import Expansion, Profile, Surroundings, expand
from inspector.config.server import Launch

if TYPE_CHECKING:
    from inspector.config.oauth import OAuth

_MOST_BYTES = 1 << 18
"""Of a file with variables, or with one value."""


class FileReader:
    """Reads what an entry refers to: a text of a secret's size in a regular file."""

    def __init__(self, entry: Entry) -> None:
        self._entry = entry

    def path(self, name: str) -> str:
        home = self._entry.home + name[1:] if name == "~" or name.startswith(("~/", "~\\")) else name
        return absolute(self._entry.base, home)

    def read(self, name: str) -> str:
        """Raises OSError, ValueError."""
        path = Path(self.path(name))
        if not path.is_file():
            raise ValueError("there is no such file" if not path.exists() else "it is no regular file")
        if path.stat().st_size > _MOST_BYTES:
            raise ValueError(f"it has more than {_MOST_BYTES} bytes")
        return path.read_text(encoding="utf-8-sig").strip()


class Expander:
    """Of one entry. `secrets` are (value, variable name), `unresolved` and `unanswered` names and ids of inputs."""

    def __init__(self, entry: Entry, around: Surroundings) -> None:
        self._entry = entry
        self._around = around
        self._notes: list[Note] = []
        self._leftovers: dict[str, dict[str, list[str]]] = {"bare": {}, "malformed": {}, "foreign": {}}
        self.secrets: list[tuple[str, str]] = []
        self.unresolved: list[str] = []
        self.unanswered: list[str] = []

    def text(self, where: str, text: str, profile: Profile | None = None) -> tuple[str, str]:
        """The expanded text, and the same as it may be shown."""
        profile = profile or self._entry.dialect.profile(where.partition(".")[0])
        result = expand(text, profile, self._around)
        self.secrets += [used for used in result.used if not names_a_place(used[1])]
        self._name_unset(where, result, profile)
        self._name_blank(where, result, profile)
        self._name_inputs(where, result)
        for reference in result.refused:
            self._notes.append(
                Note("error", where, f"{reference} is not supported", "put the value in its place")
            )
        for why in result.unreadable:
            self._notes.append(Note("error", where, f"the file {why}", "create it or correct the path"))
        for name in result.postponed:
            self._notes.append(self._postponed(where, name))
        for kind, found in self._leftovers.items():
            if named := getattr(result, kind):
                found.setdefault(where, []).extend(named)
        return result.text, result.masked

    def _postponed(self, where: str, name: str) -> Note:
        path = FileReader(self._entry).path(name)
        if not os.path.exists(path):
            return Note("error", where, f"the file {path} does not exist", "create it or correct the path")
        return Note("info", where, f"what {path} holds is read at a connect")

    def argument(self, where: str, text: str) -> tuple[str, str]:
        return self.path(where, text) if self._entry.dialect.tilde == "args" else self.text(where, text)

    def env_file(self, real: Launch, shown: Launch) -> None:
        """The variables of a file give way to those of the entry."""
        if self._entry.env_file is None:
            return
        name, _ = self.path("envFile", self._entry.env_file)
        if self._around.file is None:
            self._notes.append(self._postponed("envFile", name))
            return
        try:
            found = dotenv.parse(self._around.file(name))
        except (OSError, ValueError) as error:
            why = f"the file {name}: {getattr(error, 'strerror', None) or error}"
            self._notes.append(Note("error", "envFile", why, "create it or correct the path"))
            return
        for key, value in found.items():
            real.env[key], shown.env[key] = value, MASK if value else ""
            self.secrets.append((value, key))

    def oauth(self) -> OAuth | None:
        """What the entry says about logging in; the client's id may be a variable."""
        said = self._entry.oauth
        if said is None or said.client_id is None:
            return said
        return replace(said, client_id=self.text("oauth", said.client_id)[0])

    def headers_by_variable(self, real: Launch, shown: Launch) -> None:
        """Headers of which the entry names the variables: an unset one leaves a header out, but not a token."""
        given = {name: (variable, "") for name, variable in self._entry.header_variables.items()}
        if self._entry.bearer_variable is not None:
            given["Authorization"] = (self._entry.bearer_variable, "Bearer ")
        for name, (variable, before) in given.items():
            value = self._around.environment.get(variable, "")
            if value.strip():
                real.headers[name], shown.headers[name] = before + value, before + MASK
                self.secrets.append((value, variable))
                continue
            self.unresolved.append(variable)
            why = f"{variable} is {'blank' if variable in self._around.environment else 'not set'}"
            hint = f"set {variable} in the environment that mcp-inspect is started from"
            if before:
                where = "bearer_token_env_var"
                self._notes.append(Note("error", where, f"no token: the variable {why}", hint))
            else:
                where = f"env_http_headers.{name}"
                said = f"the header is left out: the variable {why}"
                self._notes.append(Note("warning", where, said, hint))

    def path(self, where: str, text: str) -> tuple[str, str]:
        """Like `text`, with a leading `~/` expanded where the client does."""
        real, masked = self.text(where, text)
        if not (real == "~" or real.startswith(("~/", "~\\"))):
            return real, masked
        if self._entry.dialect.tilde:
            return self._entry.home + real[1:], self._entry.home + masked[1:]
        if not self._entry.adhoc:
            message = f"{self._entry.dialect.label} does not expand ~"
            self._notes.append(Note("warning", where, message, "write the path in full"))
        return real, masked

    def texts(
        self,
        where: str,
        given: Mapping[str, str],
        real: dict[str, str],
        shown: dict[str, str],
        profile: Profile | None = None,
    ) -> None:
        for name, value in given.items():
            real[name], shown[name] = self.text(f"{where}.{name}", value, profile)

    def finish(self) -> list[Note]:
        for kind, found in self._leftovers.items():
            for where, named in _one_place_for_args(found).items():
                self._notes.append(self._leftover(kind, where, ", ".join(named)))
        if self._entry.dialect.tilde != "args":
            self._notes += [
                _tilde_in(f"args[{i}]") for i, arg in enumerate(self._entry.args) if _is_tilde(arg)
            ]
        return self._notes

    def _name_unset(self, where: str, result: Expansion, profile: Profile) -> None:
        self.unresolved += result.unset
        for name in result.unset:
            value = self._around.environment.get(name)
            why = (
                "is not set" if value is None else "is blank" if value.strip() == "" and value else "is empty"
            )
            hint = f"set {name} in the environment that mcp-inspect is started from"
            if profile.unset == "error":
                self._notes.append(Note("error", where, f"variable {name} has no value: it {why}", hint))
            else:
                becomes = "stays as it is written" if profile.unset == "literal" else "becomes empty"
                label = self._entry.dialect.label
                message = f"variable {name} {why}; the reference {becomes}, as in {label}"
                self._notes.append(Note("warning", where, message, hint))

    def _name_blank(self, where: str, result: Expansion, profile: Profile) -> None:
        """A value that another client would not take for one."""
        for value, name in result.used:
            if not value.strip():
                becomes = "nothing" if not value else "blanks"
                said = f"variable {name} is {'blank' if value else 'empty'}: {becomes} is put in"
                self._notes.append(Note("info", where, f"{said}; PaiCLI and others take it for unset"))

    def _name_inputs(self, where: str, result: Expansion) -> None:
        self.unresolved += [f"input:{id}" for id in result.unanswered]
        for id in result.unanswered:
            if id in self._entry.inputs:
                self.unanswered.append(id)
            else:
                self._notes.append(Note("error", where, f"input {id} is not declared in inputs"))

    def _leftover(self, kind: str, where: str, named: str) -> Note:
        dialect = self._entry.dialect
        profile = dialect.profile(where.partition(".")[0])
        if kind == "malformed":
            return Note("warning", where, f"malformed reference {named} stays as it is written")
        knows = (
            f"{dialect.label} knows {profile.syntax}"
            if profile.reference
            else f"{dialect.label} expands nothing"
        )
        return Note("info" if kind == "bare" else "warning", where, f"{named} is not expanded: {knows}")


def _one_place_for_args(found: dict[str, list[str]]) -> dict[str, list[str]]:
    """The same remark about several arguments is made once, about `args`."""
    several = [where for where in found if where.startswith("args[")]
    if len(several) < 2:
        return found
    joined = {"args": [text for where in several for text in found[where]]}
    return joined | {where: named for where, named in found.items() if where not in several}


def _is_tilde(text: str) -> bool:
    return text == "~" or text.startswith("~/")


def _tilde_in(where: str) -> Note:
    return Note(
        "warning",
        where,
        "~ is not expanded in arguments: no shell reads them",
        "write ${HOME} or the full path",
    )


def absolute(base: str, path: str) -> str:
    return os.path.normpath(os.path.join(base, path))
