"""The keys that a person chose, from `keymap.json` in our configuration folder.

One object, JSON with comments: the id of an action with a key or a list of keys (`"traffic.mark": ["m", "ctrl+k"]`);
an empty list takes its keys away. `"keys"` names a set of `SETS` to begin with. Whatever is wrong costs only its own
line.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textual.keys import Keys, _character_to_key, format_key

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
_SAME = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+at": "ctrl+@"}
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


SETS: dict[str, dict[str, tuple[str, ...]]] = {
    "vim": {
        "lines.count": tuple("0123456789"),
        "tab": tuple(f"alt+{digit}" for digit in range(1, 10)),
        "timeline.all": ("asterisk",),
        "command_palette": ("colon", "ctrl+p"),
        "undo": ("u", "alt+z"),
        "watch": ("O",),
        "columns.usual": ("U",),
    },
}
"""Sets of keys that are ready: `vim` has counts (`10j`, `3ctrl+d`, `20G`), `:` for the palette and `u` for undo."""


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
    if (named := document.value.pop("keys", None)) is not None:
        if isinstance(named, str) and named in SETS:
            keymap.keys |= SETS[named]
        else:
            line = document.position(("keys",))[0]
            known = ", ".join(SETS)
            keymap.problems.append(
                f"{file.name}, line {line}: there is no set of keys {named!r}, only: {known}"
            )
    for id_, value in document.value.items():
        line = document.position((id_,))[0]
        if (problem := _take(keymap, id_, value)) is not None:
            keymap.problems.append(f"{file.name}, line {line}: {problem}")
    own = {id_ for id_ in document.value if id_ in keymap.keys}
    _check(keymap, own, document, file.name)
    return keymap


def template() -> str:
    """A keymap file that changes nothing: every action with its keys, as comments to be taken away."""
    said = [
        "{",
        "  // Take the // away before a line and change its keys; [] takes all keys away. Keys are written",
        '  // "x", "X", "ctrl+x", "alt+up", "f5", "space". What is wrong is told at the start of the app.',
        *(f'  // "keys": "{name}",' for name in SETS),
    ]
    for scope, title in registry.SCOPES.items():
        said += ["", f"  // {title}"]
        for action in registry.ACTIONS:
            if action.scope == scope:
                keys = ", ".join(json.dumps(written(key)) for key in action.keys)
                said.append(f'  // "{action.id}": [{keys}],  {action.title}')
    return "\n".join([*said, "}", ""])


def written(key: str) -> str:
    """A key as people write it: what `key_name` reads."""
    *modifiers, name = key.split("+")
    short = "+".join([*modifiers, format_key(name)])
    return short if key_name(short) == key else key


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


def _check(keymap: Keymap, own: set[str], document: jsonc.Document, name: str) -> None:
    """Tells which keys that the person chose take something away from another action."""
    for winner, loser, key in registry.collisions(keymap.keys):
        culprit = winner if winner.id in own else loser
        if culprit.id not in own:
            continue
        line = document.position((culprit.id,))[0]
        place = registry.SCOPES[winner.scope]
        keymap.problems.append(
            f"{name}, line {line}: {registry.key_label(key)} is the key of {winner.id} and of {loser.id};"
            f" it is {winner.id} where that works ({place})"
        )
