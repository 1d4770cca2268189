"""What a session lists, and how that changes while it runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from inspector.base import text
from inspector.protocol.jsonrpc import Id
from inspector.serving.definition import Definition, Listed, Prompt, Resource, Template, Tool


def _told(item: Listed) -> Any:
    """What a list says of an item."""
    return item.as_is or item.wire()


class Lists(ABC):
    """The lists of one session, each by the keys of its items."""

    def __init__(self, definition: Definition, say: Callable[[str], None]) -> None:
        self.definition = definition
        self.say = say
        self.version = definition.versions[0]
        self.tools: dict[str, Tool] = {each.key: each for each in definition.tools}
        self.resources: dict[str, Resource] = {each.key: each for each in definition.resources}
        self.templates: dict[str, Template] = {each.key: each for each in definition.templates}
        self.prompts: dict[str, Prompt] = {each.key: each for each in definition.prompts}

    @abstractmethod
    def notify(self, method: str, params: Mapping[str, Any] | None = None, about: Id | None = None) -> None:
        """Tells the client."""

    def add(self, item: Listed) -> None:
        """Adds or replaces an item of a list and says so."""
        items, kind = self._list_of(item)
        items[item.key] = item
        self._list_changed(kind)

    def remove(self, item: Listed) -> None:
        """Takes an item off its list and says so; nothing happens where it is not on it."""
        items, kind = self._list_of(item)
        if items.pop(item.key, None) is not None:
            self._list_changed(kind)
        else:
            self.say(f"nothing to remove: {text.visible(item.key)} is not in the list of {kind}")

    def become(self, definition: Definition) -> None:
        """Goes on as what the file says by now, and tells which of its lists are others."""
        self.definition = definition
        changed = set()
        for kind, told, items in (
            ("tools", "tools", definition.tools),
            ("resources", "resources", definition.resources),
            ("templates", "resources", definition.templates),
            ("prompts", "prompts", definition.prompts),
        ):
            before: dict[str, Listed] = getattr(self, kind)
            now = {each.key: each for each in items}
            if [_told(each) for each in before.values()] != [_told(each) for each in now.values()]:
                changed.add(told)
            setattr(self, kind, now)
        for told in sorted(changed):
            self._list_changed(told)

    def _list_changed(self, kind: str) -> None:
        """Says so where it was declared that this is said."""
        declared = self.definition.declared(self.version).get(kind)
        if isinstance(declared, Mapping) and declared.get("listChanged") is True:
            self.notify(f"notifications/{kind}/list_changed")

    def _list_of(self, item: Listed) -> tuple[dict[str, Any], str]:
        if isinstance(item, Tool):
            return self.tools, "tools"
        if isinstance(item, Prompt):
            return self.prompts, "prompts"
        return (self.resources if isinstance(item, Resource) else self.templates), "resources"
