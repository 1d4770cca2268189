from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path
from typing import BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.base import saving
from inspector.base.errors import Failed
from inspector.base.saving import LONGEST, chosen_path, proposed_name, save
from inspector.base.text import visible

RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\.|\Z)")
NASTY = st.lists(
    st.sampled_from(
        ["..", "/", "\\", "%2f", "%5C", "%00", "\0", "\n", "\x1b[2J", "\u202e", "\u200b", "~", ".", " ", "-", "nul",
         "CON", "com¹", "aux.txt", "a", "é", "漢", "file:///", "c:", ":", "?", "#", "*", "|", "$HOME", "`", "\ud800",
         "x" * 300, ".png", ".tar.gz", "\ufeff", "\u3164", "e\u0301"]
    ),
    max_size=12,
).map("".join)  # fmt: skip


@given(
    NASTY | st.text(),
    st.none() | st.sampled_from(["image/png", "text/plain", "a/b+json", "x", ""]) | st.text(),
)
def test_a_proposed_name_is_one_harmless_component(hint: str, mime: str | None) -> None:
    name = proposed_name(hint, mime)
    assert name and len(name.encode()) <= LONGEST
    assert not set(name) & set('/\\\0:*?"<>|$`~%\r\n\t') and visible(name) == name
    assert name[0] not in ".- " and name[-1] not in ". "
    assert not RESERVED.match(name)
    assert os.path.basename(name) == name and chosen_path(name, Path("/nowhere")).parent == Path("/nowhere")


@given(NASTY | st.text())
def test_a_name_that_was_proposed_is_proposed_again(hint: str) -> None:
    name = proposed_name(hint)
    assert proposed_name(name) == name


@pytest.mark.parametrize(
    ("hint", "mime", "name"),
    [
        ("library://stamp", "image/png", "stamp.png"),
        ("file:///etc/passwd", None, "passwd"),
        ("https://a.example/b/report%20of%20May.pdf?x=1#p", "application/pdf", "report of May.pdf"),
        ("x://a/..%2f..%2f.ssh%2fauthorized_keys", None, "authorized_keys"),
        ("C:\\Windows\\win.ini", "text/plain", "win.ini"),
        ("README.md", "text/plain", "README.md"),
        ("cover.exe", "image/png", "cover.exe.png"),
        ("photo.JPEG", "image/jpeg", "photo.JPEG"),
        (".bashrc", None, "bashrc"),
        ("nul", "text/plain", "_nul.txt"),
        ("LPT1.txt", None, "_LPT1.txt"),
        ("///", "application/vnd.api+json; charset=utf-8", "content.json"),
        ("\u202egnp.exe", None, "gnp.exe"),
        ("西遊記", "text/markdown", "西遊記.md"),
        ("rm -rf ~; x", None, "rm -rf x"),
    ],
)
def test_names(hint: str, mime: str | None, name: str) -> None:
    assert proposed_name(hint, mime) == name


def test_a_file_is_written_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    save(path, b"\0\xff")
    assert path.read_bytes() == b"\0\xff" and list(tmp_path.iterdir()) == [path]
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_is_there_stays_until_it_is_to_be_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(Failed, match="exists already"):
        save(path, b"new")
    assert path.read_text() == "old"
    save(path, b"new", replace=True)
    assert path.read_text() == "new" and list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="links as POSIX has them")
def test_links_are_not_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    for replace in (False, True):
        with pytest.raises(Failed):
            save(link, b"x", replace=replace)
    assert not target.exists() and link.is_symlink() and list(tmp_path.iterdir()) == [link]


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: BinaryIO, data: bytes) -> None:
        file.write(data[:1])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(saving, "_write", full)
    (tmp_path / "b").write_text("kept")
    for path, replace in ((tmp_path / "a", False), (tmp_path / "b", True)):
        with pytest.raises(Failed, match="no room for 3 bytes") as caught:
            save(path, b"abc", replace=replace)
        assert caught.value.failure.hint
    assert [path.name for path in tmp_path.iterdir()] == ["b"] and (tmp_path / "b").read_text() == "kept"


def test_a_disk_that_is_read_only_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: object, **__: object) -> int:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "open", refuses)
    monkeypatch.setattr(Path, "unlink", refuses)  # Also where there is nothing to take away.
    with pytest.raises(Failed, match="may not be written to"):
        save(tmp_path / "a", b"abc")


def test_a_disk_without_hard_links_is_good_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    save(tmp_path / "a", b"abc")
    assert (tmp_path / "a").read_bytes() == b"abc" and len(list(tmp_path.iterdir())) == 1
    with pytest.raises(Failed, match="exists already"):
        save(tmp_path / "a", b"abc")


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "no file name"),
        (" ", "no file name"),
        ("a\0b", "NUL"),
        (".", "is a folder"),
        ("sub/", "is a folder"),
    ],
)
def test_what_can_be_no_file(tmp_path: Path, typed: str, why: str) -> None:
    with pytest.raises(Failed, match=why):
        chosen_path(typed, tmp_path)


def test_every_error_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(Failed, match="there is no folder"):
        save(tmp_path / "no" / "a", b"")
    with pytest.raises(Failed, match="too long"):
        save(tmp_path / ("n" * 300), b"")


def test_home_is_expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert chosen_path("~/a.txt", Path("/nowhere")) == tmp_path / "a.txt"
    assert chosen_path("b/c", tmp_path) == tmp_path / "b" / "c"
