"""Words before the command of a server, in the file of every client: nothing else changes, and the way back is exact
without anything that was kept."""

from __future__ import annotations

import pytest

from inspector.base.errors import Failed
from inspector.config.document import Keys, parse
from inspector.config.wrapping import command_of, unwrapped, wrapped

WORDS = ["/opt/mcp inspect", "tap", '--server="é"', "--"]
CODEX = """# mine
model = "o"

[mcp_servers.a] # the files
command = "npx"   # the program
args = [
  "-y", # yes
  'some-fs',
]
env_vars = ["FS_TOKEN"]

[mcp_servers.hub]
url = "https://hub.example.test/mcp"
"""
CONTINUE = """name: set
mcpServers:
  # mine
  - name: q
    command: uvx  # the runner
    args:
    - -y
    - "q-srv"
    env: {KEY: "${{ secrets.Q_KEY }}"}
  - name: w
    url: https://w.example.test/mcp
"""
TEXTS: dict[str, tuple[str, str, Keys]] = {
    "claude": ('{"x": "", "mcpServers": {"a": {"command": "npx", "args": ["-y", "~/D"]}}}', ".json",
               ("mcpServers", "a")),
    "claude code": ('{"projects": {"/w": {"mcpServers": {"a": {"command": "npx"}}}}}', ".json",
                    ("projects", "/w", "mcpServers", "a")),
    "vscode": ('{ // why\n "servers": {\n  "a": {"command": "uvx", "args": ["t",], "cwd": "x",},\n }\n}', ".json",
               ("servers", "a")),
    "cline": ('{"mcpServers": {"a": {"transport": {"type": "stdio", "command": "c", "args": []}}}}', ".json",
              ("mcpServers", "a")),
    "zed": ('{"context_servers": {\n // old\n "a": {"command": {"path": "/s", "args": [ ], "env": {}}},\n}}', ".json",
            ("context_servers", "a")),
    "opencode": ('{"mcp": {"servers": {"a": {"type": "local", "command": ["bun", "x"]}}}}', ".jsonc",
                 ("mcp", "servers", "a")),
    "a bare entry": ('{"command": "npx", "args": ["-y", "x"]}', ".json", ()),
    "codex": (CODEX, ".toml", ("mcp_servers", "a")),
    "codex, crlf": (CODEX.replace("\n", "\r\n"), ".toml", ("mcp_servers", "a")),
    "codex, no args": ('[mcp_servers.a]\n  command = "x" # c\n\n[mcp_servers.b]\ncommand = "y"\n', ".toml",
                       ("mcp_servers", "a")),
    "codex, empty args": ("[mcp_servers.a]\nargs = []\ncommand = 'x'", ".toml", ("mcp_servers", "a")),
    "codex, inline": ('mcp_servers = { a = { command = "x" }, b = { command = "y", args = ["a"] } }', ".toml",
                      ("mcp_servers", "a")),
    "codex, dotted": ('[mcp_servers]\na.command = "x"\na.enabled = true\n', ".toml", ("mcp_servers", "a")),
    "continue": (CONTINUE, ".yaml", ("mcpServers", 0)),
    "continue, crlf": (CONTINUE.replace("\n", "\r\n"), ".yaml", ("mcpServers", 0)),
    "goose": ("extensions:\n  a:\n    cmd: 'npx'\n    args: [-y, x]\n    envs: {}\n", ".yaml", ("extensions", "a")),
    "yaml, no args": ("mcpServers:\n- command: x\n  name: a\n- name: b\n", ".yaml", ("mcpServers", 0)),
    "yaml, inline": ("mcpServers: {a: {command: x, cwd: .}}\n", ".yaml", ("mcpServers", "a")),
    "yaml, empty args": ("mcpServers:\n  a: {command: x, args: []}\n", ".yaml", ("mcpServers", "a")),
}  # fmt: skip


@pytest.mark.parametrize(("text", "name", "keys"), TEXTS.values(), ids=TEXTS)
def test_words_come_and_go(text: str, name: str, keys: Keys) -> None:
    document = parse(text, name)
    own = command_of(document.value, keys)
    after = parse(wrapped(document, keys, WORDS), name)
    assert own and command_of(after.value, keys) == [*WORDS, *own]
    assert unwrapped(after, keys, len(WORDS)) == text
    comments = [line.partition("#")[2] for line in text.splitlines() if "#" in line]
    assert all(comment in after.text for comment in comments)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('[a]\ncommand = """x"""\n', ".toml"),
        ('[a]\ncommand = "x"\nargs = ["y", 1]\n', ".toml"),
        ("a:\n  command: &c x\n  args: [*c]\n", ".yaml"),
        ("a:\n  command: >\n    x\n", ".yaml"),
        ("a: &a {command: x}\nb: *a\n", ".yaml"),
        ("b: &b {command: x}\na: {<<: *b}\n", ".yaml"),
        ('{"a": {"command": 1}}', ".json"),
        ('{"a": 1}', ".json"),
    ],
)
def test_what_cannot_be_told_for_certain_is_left_alone(text: str, name: str) -> None:
    with pytest.raises(Failed) as refused:
        wrapped(parse(text, name), ("a",), WORDS)
    assert "usual shape" in refused.value.failure.message
