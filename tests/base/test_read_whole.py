"""A file that a person names, read as a whole or refused with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.base.errors import Failed
from inspector.base.fifo import read_whole


def test_a_file_within_the_bound_is_read_and_a_longer_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"12345")
    assert read_whole(path, 5, "name a file") == b"12345"
    with pytest.raises(Failed) as caught:
        read_whole(path, 4, "name a file")
    assert caught.value.failure.kind == "config" and "longer than 4 bytes" in caught.value.failure.message


def test_what_cannot_be_read_is_told_with_what_to_name(tmp_path: Path) -> None:
    with pytest.raises(Failed) as caught:
        read_whole(tmp_path / "gone", 4, "name a file")
    assert (caught.value.failure.kind, caught.value.failure.hint) == ("io", "name a file")
