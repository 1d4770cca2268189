from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from textual._xterm_parser import XTermParser
from textual.binding import BindingsMap
from textual.dom import DOMNode
from textual.events import Key
from textual.keys import _character_to_key

import inspector.tui
from inspector.tui import action, registry

TYPED = {"Adder", "Chooser", "Fold", "Pager", "Segments", "WorkspaceScreen"}
"""Widgets that take any letter, and the screen that says where a key works: no keys of their own."""


def _kinds() -> Iterator[type[DOMNode]]:
    """Every widget, screen and app class of ours."""
    for module in pkgutil.walk_packages(inspector.tui.__path__, "inspector.tui."):
        for kind in vars(importlib.import_module(module.name)).values():
            if isinstance(kind, type) and issubclass(kind, DOMNode) and kind.__module__ == module.name:
                yield kind


KINDS = sorted(set(_kinds()), key=lambda kind: kind.__qualname__)


def test_every_key_of_ours_comes_from_the_registry() -> None:
    for kind in KINDS:
        declared = BindingsMap(kind.__dict__.get("BINDINGS", []))
        scope: Any = kind.__dict__.get("SCOPE")
        expected = BindingsMap(registry.bindings(scope) if scope else [])
        assert declared.key_to_bindings == expected.key_to_bindings, kind
        own_keys = {name for name in vars(kind) if name in ("on_key", "_on_key") or name.startswith("key_")}
        assert not own_keys or kind.__name__ in TYPED, kind


def test_every_scope_has_an_owner_and_every_action_its_method() -> None:
    owners = {kind.__dict__["SCOPE"]: kind for kind in KINDS if kind.__dict__.get("SCOPE")}
    for one in registry.ACTIONS:
        name = one.call.partition("(")[0]
        if name.startswith("app."):
            continue
        owner = owners[one.scope]
        assert hasattr(owner, f"action_{name}") or hasattr(owner, f"_action_{name}"), (one.id, owner)


def test_ids_are_unique_and_every_scope_is_named_and_placed() -> None:
    ids = [one.id for one in registry.ACTIONS]
    assert len(set(ids)) == len(ids)
    scopes = {one.scope for one in registry.ACTIONS}
    assert scopes <= set(action.SCOPES) and scopes <= {scope for chain in action.TOGETHER for scope in chain}


def test_no_two_keys_collide_where_both_could_be_meant() -> None:
    assert [(winner.id, loser.id, key) for winner, loser, key in registry.collisions()] == []


def test_what_is_taken_over_on_purpose_is_there_to_be_taken_over() -> None:
    for one in registry.ACTIONS:
        for other in one.over:
            assert set(registry.BY_ID[other].keys) & set(one.keys), (one.id, other)


_FINAL = {"up": "A", "down": "B", "right": "C", "left": "D", "end": "F", "home": "H"}
_NUMBER = {
    "delete": 3, "pageup": 5, "pagedown": 6,
    **{f"f{n}": 10 + n for n in range(1, 6)}, **{f"f{n}": 11 + n for n in range(6, 11)}, "f11": 23, "f12": 24,
}  # fmt: skip
_SIGN = {"backspace": "\x7f", "enter": "\r", "escape": "\x1b", "tab": "\t", "space": " ", "@": "@"}
_SIGN |= {_character_to_key(chr(code)): chr(code) for code in range(33, 127)}


def _sent(key: str) -> str:
    """What xterm and tmux send for a key (ctlseqs, "PC-Style Function Keys")."""
    *modifiers, name = key.split("+")
    modifier = 1 + sum({"shift": 1, "alt": 2, "ctrl": 4}[one] for one in modifiers)
    with_it = f";{modifier}" if modifiers else ""
    if name in _FINAL:
        return f"\x1b[{'1' if modifiers else ''}{with_it}{_FINAL[name]}"
    if name in _NUMBER:
        return f"\x1b[{_NUMBER[name]}{with_it}~"
    sign = _SIGN[name]
    if "ctrl" in modifiers:
        sign = chr(ord(sign.upper()) & 0x1F)
    assert "shift" not in modifiers, key
    return ("\x1b" if "alt" in modifiers else "") + sign


@pytest.mark.parametrize("key", sorted({key for one in registry.ACTIONS for key in one.keys}))
def test_a_terminal_without_the_kitty_protocol_can_send_every_key_of_ours(key: str) -> None:
    if key == "ctrl+space":
        key = "ctrl+@"  # Both are bound, the other one for terminals that tell it apart.
    parser = XTermParser()
    assert [
        event.key for event in (*parser.feed(_sent(key)), *parser.feed("")) if isinstance(event, Key)
    ] == [key]


@pytest.mark.parametrize(
    ("key", "shown"),
    [("ctrl+p", "^p"), ("f5", "F5"), ("question_mark", "?"), ("escape", "esc"), ("alt+up", "alt+↑"), ("G", "G")],
)  # fmt: skip
def test_keys_are_written_for_people(key: str, shown: str) -> None:
    assert registry.key_label(key) == shown


def test_buttons_and_sentences_name_the_keys_that_the_person_has() -> None:
    try:
        registry.use({"call": ("ctrl+x",), "cancel_call": ()})
        assert registry.titled("Call", "call") == "Call  ^x"
        assert registry.titled("Cancel", "cancel_call") == "Cancel"
        assert registry.spoken("call") == "^x" and registry.spoken("cancel_call") == "Cancel call"
    finally:
        registry.use({})
