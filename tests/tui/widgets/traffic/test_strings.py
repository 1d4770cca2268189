from __future__ import annotations

import json

from inspector.tui.widgets.traffic import strings as module
from inspector.tui.widgets.traffic.strings import strings


def test_long_texts_stand_under_their_path() -> None:
    raw = json.dumps({"a": "short", "b": ["one\ntwo", {"c": "x" * 50}], "d": 5}).encode()
    assert strings(raw) == f"── $.b[0]\none\ntwo\n\n── $.b[1].c\n{'x' * 50}"
    assert strings(b"no json") == "no json"
    assert "JSON has it all" in strings(b'{"a":1}')


def test_what_is_too_much_is_cut_and_said(monkeypatch) -> None:
    raw = json.dumps(["y" * 5000, "z" * 5000]).encode()
    monkeypatch.setattr(module, "_MOST", 100)
    text = strings(raw)
    assert text.count("y") == 100 and "z" not in text and "and more" in text
    monkeypatch.setattr(module, "_PATIENCE", -1.0)
    assert strings(raw) == "── and more: JSON has it all"
    assert strings(b"[" * 5000 + b"]" * 5000)
