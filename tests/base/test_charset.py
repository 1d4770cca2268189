"""What a terminal can show, and what stands for what it cannot."""

from __future__ import annotations

import io

import pytest

from inspector.base.charset import SPELLED, charset, has_signs, in_ascii, shown_in
from inspector.base.text import cells


class Screen(io.StringIO):
    encoding = "utf-8"

    def __init__(self, *, tty: bool = True) -> None:
        super().__init__()
        self._tty = tty

    def isatty(self) -> bool:
        return self._tty


@pytest.mark.parametrize(
    ("environment", "letters", "signs"),
    [
        ({"LANG": "C.UTF-8"}, "utf-8", True),
        ({}, "utf-8", True),
        ({"LANG": "C"}, "ascii", False),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, "ascii", False),
        ({"LANG": "POSIX", "LC_ALL": "en_GB.UTF-8"}, "utf-8", True),
        ({"LANG": "de_DE.UTF-8", "LC_CTYPE": "de_DE.ISO-8859-1@euro"}, "iso8859-1", False),
        ({"LANG": "en_GB.UTF-8", "TERM": "linux"}, "utf-8", False),
        ({"LANG": "xx_YY.NONE"}, "utf-8", True),
    ],
)
def test_the_locale_tells_what_a_terminal_has(
    environment: dict[str, str], letters: str, signs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_CTYPE", "LANG", "TERM", "PYTHONIOENCODING"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert (charset(Screen()), has_signs(Screen())) == (letters, signs)
    assert has_signs(Screen(tty=False)), "a pipe has what its encoding has"


def test_all_that_is_drawn_has_its_like_in_ascii() -> None:
    signs = [chr(code) for code in range(0x2500, 0x25A0)] + [*"●○✗✓…→é½Ⅷ日本한🎉\u0301"]
    for sign in signs:
        assert in_ascii(sign).isascii() and len(in_ascii(sign)) == cells(sign), sign
    assert "".join(map(in_ascii, "┌─┬┄│═╬▁█✗ é")) == "+-+.|=+_#x e"


def test_letters_that_the_terminal_has_stay() -> None:
    assert "".join(map(shown_in("iso8859-1"), "é→Ω日")) == "é>???"
    assert "".join(map(shown_in("utf-8"), "é→日│")) == "é>日|"


def test_a_stream_without_them_gets_our_signs_spelled_and_the_rest_escaped() -> None:
    assert "a → b … Ω é".encode("latin-1", SPELLED) == b"a -> b ... \\u03a9 \xe9"
