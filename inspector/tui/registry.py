"""Every action of the app, once: bindings, key bar, command palette and help are made from `ACTIONS`.

Scopes take their keys with `bindings(scope)`; a person may have chosen others (`keymap`), which `use` makes known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textual.binding import Binding, BindingType
from textual.keys import format_key
from textual.screen import Screen

from inspector.tui.action import SCOPES as SCOPES
from inspector.tui.action import TOGETHER
from inspector.tui.action import Action as Action
from inspector.tui.action import Scope as Scope
from inspector.tui.call_actions import CALL_ACTIONS
from inspector.tui.frame_keys import FRAME_ACTIONS
from inspector.tui.pane_actions import PANE_ACTIONS
from inspector.tui.screen_actions import SCREEN_ACTIONS
from inspector.tui.widget_actions import WIDGET_ACTIONS

UNBOUND = "unbound"
"""The key that no terminal sends: what an action has that a person took all keys from."""

ACTIONS: tuple[Action, ...] = (*SCREEN_ACTIONS, *FRAME_ACTIONS, *CALL_ACTIONS, *PANE_ACTIONS, *WIDGET_ACTIONS)

BY_ID = {action.id: action for action in ACTIONS}
_NUMBERED = 10
"""So many keys can be given to a numbered action that comes without any."""
_chosen: dict[str, tuple[str, ...]] = {}


def use(chosen: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Makes the keys known that a person chose, by id of the action, and returns them as Textual takes them."""
    _chosen.clear()
    _chosen.update(chosen)
    keymap: dict[str, str] = {}
    for id_, keys in chosen.items():
        if BY_ID[id_].numbered:
            for number, _ in enumerate(_places(BY_ID[id_])):
                keymap[f"{id_}.{number + 1}"] = keys[number] if number < len(keys) else UNBOUND
        else:
            keymap[id_] = ",".join(keys) or UNBOUND
    return keymap


def _places(action: Action) -> tuple[str, ...]:
    """What its bindings are made with: a keymap can only change bindings that are there."""
    return action.keys or (UNBOUND,) * (_NUMBERED if action.numbered else 1)


def keys_of(action: Action | str) -> tuple[str, ...]:
    """The keys of an action as the person has them; none where they were taken away."""
    action = BY_ID[action] if isinstance(action, str) else action
    return _chosen.get(action.id, action.keys)


def label(action: Action | str) -> str:
    """How the first key of an action is written; empty where it has none."""
    action = BY_ID[action] if isinstance(action, str) else action
    keys = keys_of(action)
    if keys == action.keys and action.label:
        return action.label
    return key_label(keys[0]) if keys else ""


def spoken(action: Action | str) -> str:
    """An action in a sentence: its key, or its title where it has none."""
    action = BY_ID[action] if isinstance(action, str) else action
    return label(action) or action.title


def titled(title: str, action: Action | str, form: str = "{}  {}") -> str:
    """The title of a button with the key of its action, if it has one."""
    key = label(action)
    return form.format(title, key) if key else title


_WORDS = {
    "enter": "enter",
    "escape": "esc",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "delete": "del",
    "space": "space",
}


def key_label(key: str) -> str:
    """How a key is written for people: `^p`, `F5`, `?`, `alt+↑`."""
    *modifiers, name = key.split("+")
    shown = _WORDS.get(name) or (name.upper() if name[:1] == "f" and name[1:].isdigit() else format_key(name))
    if modifiers == ["ctrl"]:
        return f"^{shown}"
    return "+".join([*modifiers, shown])


def bindings(scope: Scope) -> list[BindingType]:
    """The bindings of the widget that owns a scope."""
    made: list[BindingType] = []
    for action in ACTIONS:
        if action.scope != scope:
            continue
        for number, key in enumerate(_places(action)):
            made.append(
                Binding(
                    key,
                    f"{action.call}({number + 1})" if action.numbered else action.call,
                    action.title,
                    show=action.bar and number == 0,
                    key_display=(action.label or key_label(key)) if number == 0 else None,
                    priority=action.priority,
                    tooltip=action.help,
                    id=f"{action.id}.{number + 1}" if action.numbered else action.id,
                    system=action.id == "suspend",
                )
            )
    return made


def active(screen: Screen[Any]) -> set[str]:
    """The ids of the actions that a key runs now, where the focus is."""
    found = (active.binding.id for active in screen.active_bindings.values() if active.enabled)
    return {id_ if id_ in BY_ID else id_.rpartition(".")[0] for id_ in found if id_}


def collisions(chosen: Mapping[str, tuple[str, ...]] | None = None) -> list[tuple[Action, Action, str]]:
    """Actions of which the first takes a key away from the second while both could be meant, unless it says so;
    with the keys that came with the app where none are `chosen`."""
    chosen = chosen or {}
    found: dict[tuple[str, str, str], tuple[Action, Action, str]] = {}
    for chain in TOGETHER:
        owners: dict[str, Action] = {}
        for scope in chain:
            for action in ACTIONS:
                if action.scope != scope:
                    continue
                for key in chosen.get(action.id, action.keys):
                    other = owners.setdefault(key, action)
                    if other is not action and action.id not in other.over and other.id not in action.over:
                        found[other.id, action.id, key] = (other, action, key)
    return list(found.values())
