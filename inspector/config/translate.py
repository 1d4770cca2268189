"""From the variables of one client to those of another: the same value there, or a word about why not."""

from __future__ import annotations

import os

from inspector.config.dialects import Dialect
from inspector.config.entry import Entry, Note
from inspector.config.interpolate import (
    COMMON,
    TEMPLATES,
    Place,
    Profile,
    Reference,
    Surroundings,
    home,
    parts,
    project,
    workspace,
)
from inspector.config.spelling import variable_name

_FOLDERS: tuple[Place, ...] = (project, workspace)
"""What stands for the folder of the project, by whatever name."""


class Translation:
    """Of one entry to one client. `notes` grows with what cannot be said there."""

    def __init__(self, entry: Entry, target: Dialect) -> None:
        self.notes: list[Note] = []
        self._entry = entry
        self._target = target

    def text(self, where: str, text: str, *, ours: bool = False) -> str:
        """A text of a field. `ours`: it follows the common profile, as our own command line does."""
        field = where.partition(".")[0].partition("[")[0]
        source = COMMON if ours else self._entry.dialect.profile(field)
        target = self._target.profile(field)
        return "".join(
            self._literal(where, part, target)
            if isinstance(part, str)
            else self._one(where, part, source, target)
            for part in parts(text, source)
        )

    def path(self, where: str, text: str) -> str:
        """The same for what is a path."""
        return self._from_home(
            where, text, here=bool(self._entry.dialect.tilde), there=bool(self._target.tilde)
        )

    def argument(self, where: str, text: str) -> str:
        """The same for an argument, which may be a path."""
        there = self._target.tilde == "args"
        return self._from_home(where, text, here=self._entry.dialect.tilde == "args", there=there)

    def _from_home(self, where: str, text: str, *, here: bool, there: bool) -> str:
        written = self.text(where, text)
        if here == there or not (written == "~" or written.startswith("~/")):
            return written
        if there:
            said = f"~ is a plain text here, and {self._target.label} takes it for the home directory"
            self.say("warning", where, said)
            return written
        self.say("info", where, f"~ is written out: {self._target.label} does not expand it")
        return self._entry.home + written[1:]

    def variable(self, where: str, name: str) -> str | None:
        """A reference to a variable there; None where there is none."""
        form = self._target.profile(where.partition(".")[0]).written.get("variable")
        return form % name if form is not None else None

    def say(self, severity: str, where: str, message: str) -> None:
        note = Note("warning" if severity == "warning" else "info", where, message)
        if note not in self.notes:
            self.notes.append(note)

    def _literal(self, where: str, text: str, target: Profile) -> str:
        for part in parts(text, target):
            if isinstance(part, Reference):
                said = f"{part.written} is a plain text here, and {self._target.label} replaces it"
                self.say("warning", where, said)
        return text

    def _one(self, where: str, found: Reference, source: Profile, target: Profile) -> str:
        if found.kind == "place":
            return self._place(where, found, source, target)
        if found.kind in ("nested", "other"):
            return self._left(where, found.written)
        if found.kind == "file":
            form = target.written.get("file")
            return form % found.name if form else self._left(where, found.written)
        if found.kind == "input":
            if (form := target.written.get("input")) is not None:
                return form % found.name
            name = found.name if source is TEMPLATES else variable_name(found.name)
            if (form := target.written.get("variable")) is None:
                return self._left(where, found.written)
            self.say("info", where, f"the input {found.name} becomes the variable {name}")
            return form % name
        return self._variable(where, found, target)

    def _variable(self, where: str, found: Reference, target: Profile) -> str:
        plain, with_default = target.written.get("variable"), target.written.get("default")
        if plain is None:
            return self._left(where, found.written)
        if found.default is None:
            return plain % found.name
        if with_default is not None and "}" not in found.default:
            return with_default % (found.name, found.default)
        self.say("warning", where, f"{self._target.label} knows no default: that of {found.name} is lost")
        return plain % found.name

    def _place(self, where: str, found: Reference, source: Profile, target: Profile) -> str:
        place = source.places[found.name]
        alike = _FOLDERS if place in _FOLDERS else (place,)
        for name, theirs in target.places.items():
            if theirs in alike:
                return (target.written.get("place") or "${%s}") % name
        if (
            place is home
            and os.name == "posix"
            and "variable" in target.written
            and "place" in target.written
        ):
            return target.written["variable"] % "HOME"
        entry = self._entry
        value = place(Surroundings({}, entry.home, entry.project, entry.folder))
        self.say("info", where, f"{found.written} is written out: {self._target.label} has nothing like it")
        return value

    def _left(self, where: str, written: str) -> str:
        said = f"{self._target.label} has nothing for {written}: it stands there as it is; put the value in its place"
        self.say("warning", where, said)
        return written
