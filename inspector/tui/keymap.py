"""The keys that a person chose, from `keymap.json` in our configuration folder.

One object, JSON with comments: the id of an action with a key or a list of keys (`"traffic.mark": ["m", "ctrl+k"]`);
an empty list takes its keys away. Whatever is wrong costs only its own line.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textual.keys import Keys, _character_to_key

from inspector.base.paths import paths
from inspector.config import jsonc
from inspector.tui import registry

_NAMES = {str(key.value) for key in Keys if not str(key.value).startswith("<")} | {
    f"f{n}" for n in range(1, 25)
}
_SPELLINGS = {
    "esc": "escape", "return": "enter", "pgup": "pageup", "pgdn": "pagedown", "pgdown": "pagedown", "del": "delete",
    "ins": "insert", "bs": "backspace",
}  # fmt: skip
_SAME = {"ctrl+i": "tab", "ctrl+m": "enter"}
"""What a terminal cannot tell apart."""
_SENT = {"alt+b": "ctrl+left", "alt+f": "ctrl+right"}
"""As what Textual reads a key of a terminal that does not speak the kitty protocol."""
_MODIFIERS = {
    "ctrl": "ctrl",
    "control": "ctrl",
    "alt": "alt",
    "meta": "alt",
    "shift": "shift",
    "super": "super",
}


@dataclass(slots=True)
class Keymap:
    """`keys` by id of the action, in Textual's names; `problems` are sentences about the file."""

    keys: dict[str, tuple[str, ...]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def load(path: Path | None = None) -> Keymap:
    """Reads the keymap; never raises. Without the file there is nothing in it."""
    file = path or paths().keymap
    keymap = Keymap()
    try:
        document = jsonc.parse(file.read_bytes())
    except FileNotFoundError:
        return keymap
    except OSError as error:
        keymap.problems.append(f"{file} cannot be read: {error.strerror}")
        return keymap
    except jsonc.Broken as broken:
        where = f"{file.name}, line {broken.line}, column {broken.column}"
        keymap.problems.append(f"{where}: {broken.message}. The keys are those that came with the app.")
        return keymap
    if not isinstance(document.value, dict):
        keymap.problems.append(f'{file.name} holds no object; write {{"restart": "ctrl+r"}}')
        return keymap
    for id_, value in document.value.items():
        line = document.position((id_,))[0]
        if (problem := _take(keymap, id_, value)) is not None:
            keymap.problems.append(f"{file.name}, line {line}: {problem}")
    _check(keymap, document, file.name)
    return keymap


def _take(keymap: Keymap, id_: str, value: Any) -> str | None:
    if id_ not in registry.BY_ID:
        near = difflib.get_close_matches(id_, registry.BY_ID, n=1, cutoff=0.5)
        advice = f"did you mean {near[0]}?" if near else "the help (?) tells the ids"
        return f'there is no action "{id_}"; {advice}'
    given = value if isinstance(value, list) else [value]
    keys: list[str] = []
    for one in given:
        key = key_name(one) if isinstance(one, str) else None
        if key is None:
            return f'{one!r} is no key for {id_}; keys are written "x", "ctrl+x", "alt+up", "f5", "space"'
        keys += [key, *([_SENT[key]] if key in _SENT else [])]
    keymap.keys[id_] = tuple(keys)
    return None


def key_name(text: str) -> str | None:
    """Textual's name of a key as people write it; None where it is none."""
    text = text.strip()
    if len(text) == 2 and text[0] == "^":
        text = f"ctrl+{text[1]}"
    *modifiers, name = (
        text.split("+") if text != "+" and not text.endswith("++") else [*text[:-2].split("+"), "+"]
    )
    known = [_MODIFIERS.get(modifier.strip().lower()) for modifier in modifiers if modifier.strip()]
    if None in known or not name:
        return None
    if len(name) == 1:
        if "ctrl" in known:
            name = name.lower()
        name = _character_to_key(name)
    else:
        name = _SPELLINGS.get(name.lower(), name.lower())
        if name not in _NAMES and name not in _named():
            return None
    key = "+".join([*(modifier for modifier in known if modifier), name])
    return _SAME.get(key, key)


def _named() -> set[str]:
    """Names of signs that actions of ours have: `slash`, `question_mark`."""
    return {key.split("+")[-1] for action in registry.ACTIONS for key in action.keys}


def _check(keymap: Keymap, document: jsonc.Document, name: str) -> None:
    """Tells which chosen keys take something away from another action."""
    for winner, loser, key in registry.collisions(keymap.keys):
        culprit = winner if winner.id in keymap.keys else loser
        line = document.position((culprit.id,))[0]
        place = registry.SCOPES[winner.scope]
        keymap.problems.append(
            f"{name}, line {line}: {registry.key_label(key)} is the key of {winner.id} and of {loser.id};"
            f" it is {winner.id} where that works ({place})"
        )
