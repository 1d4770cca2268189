"""`tap --install` and `--uninstall`: one entry is changed, all else stays byte for byte, and the way back is exact."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from command import PYTHON, inspect, write_config

from inspector.config import jsonc

SHAPES = {
    "pretty": '{\n  // mine\n  "mcpServers": {\n    "a": {\n      "command": "npx", // the runner\n      "args": [\n'
    '        "-y", /* yes */\n        "some-server"\n      ],\n      "env": {"API_KEY": "sesame-sesame"}\n    },\n'
    '    "b": {"command": "other", "args": ["x",],},\n  }\n}\n',
    "one line": '{"mcpServers":{"a":{"args":["-y","some-server"],"command":"npx"}}}',
    "no args": '{\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "npx"\n\t\t}\n\t}\n}',
    "no args, one line": '{"mcpServers": {"a": {"command": "npx", "disabled": false}}}',
    "empty args": '{"mcpServers": {"a": {"command": "npx", "args": [ ]}}}',
    "a list": '{"mcp": {"a": {"type": "local", "command": [\n  "npx",\n  "-y"\n]}}}',
    "servers": '{"servers": {"a": {"type": "stdio", "command": "npx", "args": ["${input:key}"]}}, "inputs": []}',
    "crlf": '{\r\n  "mcpServers": {\r\n    "a": {\r\n      "command": "npx"\r\n    }\r\n  }\r\n}\r\n',
    "unusual words": '{"mcpServers": {"a": {"command": "n\\u0070x", "args": ["--", "caf\\u00e9", "tap"]}}}',
    "a mark": '\ufeff{"mcpServers": {"a": {"command": "npx", "args": ["-y"]}}}',
}


def config(folder: Path, text: str) -> Path:
    path = folder / "mcp.json"
    path.write_bytes(text.encode())
    return path


def command_of(path: Path) -> list[str]:
    value: Any = jsonc.parse(path.read_bytes()).value
    servers = value.get("mcpServers") or value.get("servers") or value.get("mcp")
    command, args = servers["a"]["command"], servers["a"].get("args", [])
    return [command, *args] if isinstance(command, str) else command


def install(path: Path, *more: str) -> Any:
    return inspect("tap", "--install", str(path), "a", "--yes", *more)


def uninstall(path: Path) -> Any:
    return inspect("tap", "--uninstall", str(path), "a", "--yes")


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_a_tap_comes_and_goes_without_a_trace(tmp_path: Path, text: str) -> None:
    path = config(tmp_path, text)
    old, own = path.read_bytes(), command_of(path)
    done = install(path)
    assert done.code == 0, done.err
    words = command_of(path)
    assert words[words.index("--") + 1 :] == own and "tap" in words[:4]
    (backup,) = tmp_path.glob("*.bak")
    assert backup.read_bytes() == old and str(backup) in done.err
    assert uninstall(path).code == 0
    assert path.read_bytes() == old


def test_comments_and_other_servers_stay_as_they_stand(tmp_path: Path) -> None:
    path = config(tmp_path, SHAPES["pretty"])
    install(path)
    text = path.read_text()
    for kept in (
        "  // mine\n",
        ", // the runner\n",
        '"-y", /* yes */\n',
        SHAPES["pretty"].partition('"env"')[2],
    ):
        assert kept in text


def test_what_was_changed_since_stays_when_the_tap_goes(tmp_path: Path) -> None:
    path = config(tmp_path, SHAPES["pretty"])
    install(path)
    path.write_text(path.read_text().replace('"x",', '"x", "y",'))
    assert uninstall(path).code == 0
    assert path.read_text() == SHAPES["pretty"].replace('"x",', '"x", "y",')


def test_the_way_back_is_exact_also_with_two_taps_in_a_file(tmp_path: Path) -> None:
    path = config(tmp_path, SHAPES["pretty"])
    install(path)
    with_a = path.read_bytes()
    assert inspect("tap", "--install", str(path), "b", "--yes").code == 0
    assert uninstall(path).code == 0
    assert inspect("tap", "--uninstall", str(path), "b", "--yes").code == 0
    assert path.read_bytes() == SHAPES["pretty"].encode()
    assert with_a != path.read_bytes()


def test_what_is_written_is_shown_first_without_secrets_and_needs_a_yes(tmp_path: Path) -> None:
    path = config(tmp_path, SHAPES["pretty"])
    done = inspect("tap", "--install", str(path), "a")
    assert done.code == 2 and "--yes" in done.err
    assert '-      "command": "npx", // the runner' in done.err and '"tap"' in done.err
    assert "sesame" not in done.err
    assert path.read_text() == SHAPES["pretty"] and list(tmp_path.iterdir()) == [path]


def test_json_names_the_backup(tmp_path: Path) -> None:
    path = config(tmp_path, SHAPES["one line"])
    done = install(path, "--json")
    assert done.json["server"] == "a" and Path(done.json["backup"]).read_text() == SHAPES["one line"]


def test_a_link_is_followed_and_modes_stay(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    path = config(tmp_path / "real", SHAPES["one line"])
    path.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(path)
    assert install(link).code == 0
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o640
    assert "tap" in command_of(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"mcpServers": {"a": {"url": "https://example.com/mcp"}}}', "tap --listen"),
        ('{"mcpServers": {"b": {"command": "x"}}}', "no server a"),
        ('{"mcpServers": {"a": {"command": "x", "args": [1]}}}', "usual shape"),
        ('{"mcpServers": {"a": ', "mcp.json:1:"),
    ],
    ids=["http", "another name", "odd args", "broken"],
)
def test_what_cannot_be_tapped_is_refused_with_the_next_step(tmp_path: Path, text: str, said: str) -> None:
    path = config(tmp_path, text)
    done = install(path)
    assert done.code == 2 and said in done.err
    assert path.read_text() == text and list(tmp_path.iterdir()) == [path]


def test_arguments_that_came_with_the_tap_go_with_it(tmp_path: Path) -> None:
    path = config(tmp_path, SHAPES["no args"])
    install(path)
    (backup,) = tmp_path.glob("*.bak")
    backup.unlink()
    assert uninstall(path).code == 0
    assert path.read_text() == SHAPES["no args"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "config.toml",
            'other_token = "sesame-sesame"\n[mcp_servers.a]\ncommand = "npx" # the runner\nargs = ["-y", "x"]\n',
        ),
        (
            "config.yaml",
            "mcpServers:\n  - name: a\n    command: npx # the runner\n    args: [-y, x]\n    apiKey: sesame-sesame\n",
        ),
    ],
)
def test_toml_and_yaml_keep_their_comments_and_come_back_without_the_backup(
    tmp_path: Path, name: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    done = install(path)
    assert done.code == 0, done.err
    assert "# the runner" in path.read_text() and '"tap", "--server=a", "--", ' in path.read_text()
    assert "***" in done.err and "sesame" not in done.err
    (backup,) = tmp_path.glob("*.bak")
    backup.unlink()
    assert uninstall(path).code == 0
    assert path.read_text() == text


def test_every_backup_stays_and_the_one_that_came_back_is_named(tmp_path: Path) -> None:
    path = config(tmp_path, SHAPES["pretty"])
    kept = {}
    for _ in range(3):
        for command in (install, uninstall):
            before, known = path.read_bytes(), set(tmp_path.glob("*.bak"))
            done = command(path)
            (new,) = set(tmp_path.glob("*.bak")) - known
            kept[new] = before
            assert str(new) in done.err
        assert "byte for byte" in done.err
    assert len(kept) == 6 and all(path.read_bytes() == held for path, held in kept.items())


def test_a_server_of_a_project_is_found(tmp_path: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    path = tmp_path / ".claude.json"
    path.write_text(
        json.dumps({"mcpServers": {}, "projects": {str(project): {"mcpServers": {"a": {"command": "npx"}}}}})
    )
    assert install(path, "--project-dir", str(project)).code == 0
    entry = json.loads(path.read_text())["projects"][str(project)]["mcpServers"]["a"]
    assert entry["args"][-1] == "npx"
    assert inspect("tap", "--uninstall", str(path), "a", "--yes", "--project-dir", str(project)).code == 0


def test_a_reference_is_no_secret_of_the_change_that_is_shown(tmp_path: Path) -> None:
    env = '"env": {"API_KEY": "${input:k}", "A_TOKEN": "sesame-sesame", "B_TOKEN": "${B:-sesame-sesame}"}'
    path = config(tmp_path, '{"servers": {"a": {\n"command": "npx",\n' + env + "}}}")
    done = install(path)
    assert "${input:k}" in done.err and "sesame" not in done.err


def test_twice_is_refused_and_so_is_taking_away_what_is_not_there(tmp_path: Path) -> None:
    path = config(tmp_path, SHAPES["one line"])
    assert uninstall(path).code == 2
    install(path)
    again = install(path)
    assert again.code == 2 and "already" in again.err


def test_the_installed_command_runs_the_server_and_records(tmp_path: Path) -> None:
    file = tmp_path / "a.mcprec"
    server = {"command": PYTHON, "args": ["-c", "import sys; print(sys.stdin.readline(), end='')"]}
    path = config(tmp_path, json.dumps({"mcpServers": {"a": server}}))
    assert install(path, "-o", str(file)).code == 0
    done = subprocess.run(
        command_of(path),
        input=b'{"n":1}\n',
        capture_output=True,
        timeout=60,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.stdout == b'{"n":1}\n' and done.stderr == b""


def test_a_config_where_a_command_is_due_is_told_of_install(tmp_path: Path) -> None:
    for words in (["-s", "a"], ["a"]):
        ran = inspect("tap", write_config(tmp_path, a={"command": "x"}), *words)
        assert ran.code == 2 and "tap --install CONFIG SERVER" in ran.err
