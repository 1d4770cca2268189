"""Writing one setting: what else stands in the file stays."""

from __future__ import annotations

import pytest

from inspector.base.errors import Failed
from inspector.base.paths import paths
from inspector.config.settings import load_settings
from inspector.config.settings_file import set_member


def written(text: str) -> str:
    file = paths().settings
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"mute": ["A" /* gone */], // mine\n "timeout": 1}',
        '{\n  // mine\n  "timeout": 1, // its reason\n}\n',
    ],
)
def test_a_setting_is_written_and_comments_stay(text: str) -> None:
    written(text)
    before = load_settings()
    set_member("mute", ["T14", "M05"])
    after = load_settings()
    assert after.mute == ("T14", "M05") and after.timeout == before.timeout and after.problems == []
    assert text.count("// mine") == paths().settings.read_text(encoding="utf-8").count("// mine")
    set_member("mute", [])
    assert load_settings().mute == ()


def test_there_need_be_no_file() -> None:
    set_member("mute", ["T14"])
    assert load_settings().mute == ("T14",)


@pytest.mark.parametrize("text", ["{", "[1]", '{"a": }'])
def test_a_file_that_cannot_be_read_is_left_alone(text: str) -> None:
    written(text)
    with pytest.raises(Failed) as failed:
        set_member("mute", ["T14"])
    assert failed.value.failure.kind == "config" and str(paths().settings) in failed.value.failure.message
    assert paths().settings.read_text(encoding="utf-8") == text
