"""A form as plain JSON values: the FIELD documents of `form --json`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector.base.jsonptr import escape
from inspector.base.text import clip
from inspector.schema.choices import Choice
from inspector.schema.field import Field
from inspector.schema.form import FormModel
from inspector.schema.group import Group
from inspector.schema.rows import Rows
from inspector.schema.scalars import ChoiceField, MultiField
from inspector.schema.union import Union

FIELDS = 5_000
"""Most fields that one document describes; where it ends a field says `more`."""
DEPTH = 24
TEXT = 3_000_000
"""Most characters of help, choices and defaults that one document repeats."""


def as_json(model: FormModel) -> dict[str, Any]:
    """`fields`, `rawOnly` and `problems` of a form. A union at the root is one field with the pointer ""."""
    writer = _Writer()
    root = model.root
    fields = writer.members(root, "", ()) if isinstance(root, Group) else [writer.field(root, "", ())]
    if isinstance(root, Group) and root.open:
        fields.append(writer.free(root))
    problems = list(model.problems)
    if writer.cut:
        problems.append(f"the first {FIELDS} fields are described; the others are filled in as JSON")
    if writer.text < 0:
        problems.append("the schema repeats more text than is described; help, choices and defaults are cut")
    return {"fields": fields, "rawOnly": model.raw_only, "problems": problems}


class _Writer:
    def __init__(self) -> None:
        self._left = FIELDS
        self.text = TEXT
        self.cut = False

    def members(self, group: Group, at: str, chain: tuple[Any, ...]) -> list[dict[str, Any]]:
        documents = []
        for name, field in group.fields.items():
            if self._left <= 0:
                self.cut = True
                break
            documents.append(self.field(field, f"{at}/{escape(name)}", chain))
        return documents

    def free(self, group: Group) -> dict[str, Any]:
        """The row that stands for arguments under names of one's own."""
        document = self._plain(group, "")
        document.update(label="", required=False, widget="map", entry=self._template(group, "", ()))
        return document

    def field(self, field: Field, at: str, chain: tuple[Any, ...]) -> dict[str, Any]:
        """One FIELD; a schema that contains itself ends with `more` where it comes round again."""
        self._left -= 1
        document = self._plain(field, at)
        if field.more:
            document["more"] = True
        if not isinstance(field, Group | Rows | Union):
            return document
        again = any(field.origin is above for above in chain)
        if again or self._left <= 0 or len(chain) > DEPTH:
            document["more"] = True
            return document
        chain = (*chain, field.origin)
        if isinstance(field, Group):
            if field.named:
                document["fields"] = self.members(field, at, chain)
            if field.open:
                document["entry"] = self._template(field, at, chain)
        elif isinstance(field, Rows):
            if field.leading:
                document["fields"] = [
                    self.field(field.make_item(index), f"{at}/{index}", chain)
                    for index in range(min(len(field.leading), 100))
                ]
            if field.item_schema(len(field.leading)) is not False:
                document["items"] = self.field(field.template(), f"{at}/-", chain)
        else:
            document["branches"] = [
                {"title": branch.title, "fields": self._branch(field.branch_field(index), at, chain)}
                for index, branch in enumerate(field.branches)
                if self._left > 0
            ]
        return document

    def _branch(self, field: Field, at: str, chain: tuple[Any, ...]) -> list[dict[str, Any]]:
        if isinstance(field, Group) and field.named and not any(field.origin is above for above in chain):
            return self.members(field, at, (*chain, field.origin))
        return [self.field(field, at, chain)]

    def _template(self, group: Group, at: str, chain: tuple[Any, ...]) -> dict[str, Any]:
        return self.field(group.template(), f"{at}/*", chain)

    def _plain(self, field: Field, at: str) -> dict[str, Any]:
        choices = field.choices if isinstance(field, ChoiceField | MultiField) else ()
        help_, default = field.help, field.default
        self.text -= len(help_) + _size(default, self.text)
        shown = [{"value": choice.value, "title": choice.title} for choice in self._affordable(choices)]
        cut = self.text < 0
        return {
            "pointer": at,
            "label": field.label,
            "type": field.type,
            "required": field.required,
            "widget": widget_of(field),
            "choices": shown or None,
            "default": None if cut else default,
            "help": clip(help_, 80) if cut else help_,
            "nullable": field.nullable,
            "raw": field.raw,
        }

    def _affordable(self, choices: tuple[Choice, ...]) -> Iterator[Choice]:
        for choice in choices:
            if self.text < 0:
                return
            self.text -= 30 + len(choice.title) + _size(choice.value, self.text)
            yield choice


def _size(value: Any, most: int) -> int:
    """About as many characters as the value has; no more of it is looked at than `most`."""
    size = 0
    waiting = [value]
    while waiting and size <= most:
        part = waiting.pop()
        size += len(part) + 4 if isinstance(part, str) else 4
        if isinstance(part, dict):
            waiting += [*part, *part.values()]
        elif isinstance(part, list):
            waiting += part
    return size


def widget_of(field: Field) -> str:
    """The kind of control: that of the field, told apart where one class serves two."""
    if isinstance(field, Group) and field.is_map:
        return "map"
    if isinstance(field, Rows) and field.leading:
        return "tuple"
    return field.widget
