"""Our own settings: each value is checked by itself, and a broken file costs nothing but its settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.base.paths import paths
from inspector.config.settings import Settings, is_missing, load_settings


def written(text: str) -> Settings:
    file = paths().settings
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return load_settings()


def test_without_a_file_everything_is_as_built_in() -> None:
    assert load_settings() == Settings()


def test_values_are_taken(tmp_path: Path) -> None:
    settings = written(
        f'{{"stderrLines": 5, "roots": ["{tmp_path}", "file:///x"], "timeout": 1.5, "connectTimeout": 2, /* c */}}'
    )
    assert settings == Settings(5, (tmp_path.as_uri(), "file:///x"), connect_timeout=2.0, timeout=1.5)


def test_how_many_start_at_once_is_a_number() -> None:
    assert written('{"startsAtOnce": 2}').starts == 2
    for odd in ("0", "true", '"3"', "1001"):
        assert "startsAtOnce has a value" in written(f'{{"startsAtOnce": {odd}}}').problems[0]


def test_roots_can_be_switched_off() -> None:
    assert written('{"roots": false}').roots is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"stderrLines": 0}', "stderrLines has a value"),
        ('{"stderrLines": true}', "stderrLines has a value"),
        ('{"timeout": -1}', "timeout has a value"),
        ('{"roots": "here"}', "roots has a value"),
        ('{"colour": 1}', "colour is no setting"),
        ("[1]", "holds no object"),
        ('{"a": ', ":1:"),
    ],
)
def test_what_cannot_be_used_is_told_and_costs_only_itself(text: str, words: str) -> None:
    settings = written(text)
    assert words in settings.problems[0]
    assert settings == Settings(problems=settings.problems)


def test_roots_that_are_no_folders_here(tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    assert not is_missing((tmp_path / "a b").as_uri()) and is_missing((tmp_path / "c").as_uri())
    assert not is_missing("https://a.test/x") and is_missing("file:///\x00") and is_missing("file:///%00")
