"""A choice of branches, each a field of its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from inspector.schema.choices import is_in
from inspector.schema.field import ABSENT, Field, Place, Report, State
from inspector.schema.group import Group
from inspector.schema.parts import LOOK, Container, Maker
from inspector.schema.scalars import ChoiceField
from inspector.schema.shape import Branch, Shape


class Union(Container):
    """One of several branches. Each keeps what was entered in it while another is chosen."""

    widget = "union"

    def __init__(self, shape: Shape, place: Place, parent: Container | None, make: Maker) -> None:
        super().__init__(shape, place, parent)
        self._make = make
        self._built: dict[int, Field] = {}
        self._chosen: int | None = None

    @property
    def branches(self) -> tuple[Branch, ...]:
        return self.shape.branches

    @property
    def chosen(self) -> int | None:
        """The branch that counts: as chosen, the first one where the value is required, or none."""
        return 0 if self._chosen is None and self.required else self._chosen

    @property
    def decided(self) -> bool:
        """True where a branch was chosen, by a person or by what was entered."""
        return self._chosen is not None

    @property
    def branch(self) -> Field | None:
        """The field of the branch that counts."""
        return None if self.chosen is None else self.branch_field(self.chosen)

    def branch_field(self, index: int) -> Field:
        """The field of a branch, built at first sight. Raises IndexError."""
        if index not in self._built:
            field = self._make(self.branches[index].schema, self.name, self.required, self)
            if isinstance(field, Container):
                field.required = True
            self._built[index] = field
        return self._built[index]

    def tells(self, name: str, constant: Any, fixed: bool) -> bool:
        """Whether a constant that a branch has for a member tells it from others, and is not a switch with one position
        that happens to be in it. `fixed` is true for a `const`, taken for that more readily than an enum of one."""
        said = [branch.constants.get(name) for branch in self.branches if branch.constants is not None]
        differ = [values for values in said if values is None or is_in(constant, values) is None]
        return bool(differ) or len(said) < 2 if fixed else any(differ)

    def choose(self, index: int | None) -> None:
        """Switches to a branch; what the old one shares with it by name and kind is carried over."""
        if index is None:
            self.clear()
            return
        old, new = self.branch, self.branch_field(index)
        if old is not None and old is not new:
            _carry(old, new)
        self._chosen = index
        self.state = State.ABSENT
        if isinstance(new, ChoiceField) and len(new.choices) == 1:
            new.set_choice(0)
        self.changed_below(new)

    def choose_again(self, index: int | None) -> None:
        """Back to a branch that was chosen before, or to none; nothing is carried over or lost."""
        self._chosen = index

    def parts(self) -> Iterable[Field]:
        if self.chosen is not None and self.chosen in self._built:
            yield self._built[self.chosen]

    def built(self) -> Iterable[Field]:
        return list(self._built.values())

    @property
    def touched(self) -> bool:
        if (
            self._chosen is not None
            and not self.prefilled
            and isinstance(self._built.get(self._chosen), Container)
        ):
            return True
        return super().touched

    def token_of(self, part: Field) -> str | int | None:
        return None

    def changed_below(self, part: Field) -> None:
        if self._chosen is None and part.touched:
            self._chosen = next((index for index, field in self._built.items() if field is part), None)
        super().changed_below(part)

    @property
    def text(self) -> str:
        return super().text if self.state is not State.ABSENT or self.branch is None else self.branch.text

    def set_text(self, text: str) -> None:
        """Typed text goes to the branch that was chosen, else to the first that can read it."""
        if not text:
            self.clear()
            return
        if self._chosen is None:
            self._chosen = self._reader_of(text)
        self.branch_field(self._chosen).set_text(text)

    @property
    def reads_text(self) -> bool:
        """Whether a value of some branch is typed."""
        fields = map(self.branch_field, range(len(self.branches)))
        return any(field.widget in ("text", "number", "any") for field in fields)

    def _reader_of(self, text: str) -> int:
        best, strict = self._implied(), False
        for index in range(len(self.branches)):
            field = self.branch_field(index)
            if field.widget in ("text", "any") and not strict:
                best, strict = index, True
            elif field.widget in ("number", "boolean", "choice"):
                trial = self._make(self.branches[index].schema, self.name, True, None)
                trial.set_text(text)
                report = Report()
                value = trial.emit("", report)
                if not report.errors and trial.fits(value) >= 0:
                    return index
        return best

    def _implied(self) -> int:
        """The first branch that does not refuse text outright, as it only implies what else it describes."""
        fields = map(self.branch_field, range(len(self.branches)))
        return next((at for at, field in enumerate(fields) if "type" not in field.schema), 0)

    def set_choice(self, index: int) -> None:
        self.choose(index)

    def set_empty(self) -> None:
        """The empty text where no branch was chosen and one takes text, else the empty value of the branch."""
        if self._chosen is None:
            kinds = [self.branch_field(index).widget for index in range(len(self.branches))]
            self._chosen = kinds.index("text") if "text" in kinds else 0
        field = self.branch
        if field is not None:
            field.set_empty()

    def load(self, value: Any) -> None:
        self._drop()
        if value is None and self.nullable:
            super().load(value)
            return
        scores = [self.branch_field(index).fits(value) for index in range(len(self.branches))]
        best = max(range(len(scores)), key=scores.__getitem__, default=None)
        if best is None or scores[best] < 0:
            super().load(value)
            return
        self._built = {best: self.branch_field(best)}
        self._chosen = best
        self._built[best].load(value)
        self.state = State.ABSENT

    def _drop(self) -> None:
        self._built = {}
        self._chosen = None

    def _collect(self, at: str, report: Report) -> Any:
        return ABSENT if self.branch is None else self.branch.emit(at, report)

    def fits(self, value: Any, look: int = LOOK) -> int:
        if not look:
            return 0
        return max(
            (self.branch_field(index).fits(value, look - 1) for index in range(len(self.branches))),
            default=-1,
        )


def _carry(old: Field, new: Field) -> None:
    """Takes over what was entered in members of the same name and kind that the new branch has untouched."""
    if not (isinstance(old, Group) and isinstance(new, Group)):
        return
    for name, field in new.fields.items():
        before = old.fields.get(name)
        if before is None or not before.touched or field.touched or field.widget != before.widget:
            continue
        if isinstance(field, ChoiceField) and len(field.choices) == 1:
            continue
        value = before.emit("", Report())
        if before.state is State.TEXT:
            field.set_text(before.typed)
        elif before.state is State.NULL:
            field.set_null()
        elif value is not ABSENT and field.fits(value) >= 0:
            field.load(value)
