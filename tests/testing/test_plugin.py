"""The plugin for pytest in test runs of others; the pages that tell of it are run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from command import ODD
from conftest import ROOT
from documents import blocks

from inspector.testing.server import Wrong, connect

pytest_plugins = ["pytester"]

_SERVER = """\
import runpy, sys
sys.argv = ["my_server.py", "stdio", "bakery"]
runpy.run_module("inspector.demo", run_name="__main__")
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder with a server, where only this plugin counts and one for coroutines."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
    pytester.makepyfile(my_server=_SERVER)
    return pytester


def run(project: pytest.Pytester, *words: str) -> pytest.RunResult:
    plugins = ("-p", "inspector.testing.plugin", "-p", "pytest_asyncio.plugin", "-p", "no:cacheprovider")
    return project.runpytest_subprocess(*plugins, "-o", "asyncio_mode=auto", *words)


def test_the_examples_of_the_page_pass(project: pytest.Pytester) -> None:
    page = ROOT / "docs" / "how-to" / "pytest.md"
    written = [block for block in blocks(page) if block.file]
    assert {block.file for block in written} == {"pyproject.toml", "test_my_server.py", "test_fresh.py"}
    for block in written:
        (project.path / block.file).write_text(block.text, encoding="utf-8")
    run(project).assert_outcomes(passed=6)


def test_failures_are_sentences_with_cause_and_next_step(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        def test_an_error_of_the_tool(mcp_server):
            mcp_server.call("burn_toast")

        def test_an_error_of_json_rpc(mcp_server):
            mcp_server.call("no_such_tool")

        def test_no_error_where_one_is_due(mcp_server):
            mcp_server.fails("say_hello", name="Ada")
        """
    )
    ran = run(project, "--mcp-command", "python my_server.py")
    ran.assert_outcomes(failed=3)
    ran.stdout.fnmatch_lines(["E*burn_toast(): it answered with isError: *"])
    ran.stdout.fnmatch_lines(["E*no_such_tool(): *"])
    ran.stdout.fnmatch_lines(['E*say_hello(name="Ada"): it was to fail, and answered *Ada*'])


def test_a_server_that_does_not_come_up_is_told_with_its_last_words(project: pytest.Pytester) -> None:
    project.makepyfile("def test_it(mcp_server): ...")
    (project.path / "conftest.py").write_text(
        "import pytest, sys\n@pytest.fixture(scope='session')\ndef mcp_target():\n"
        "    return [sys.executable, '-c', 'import sys; sys.exit(\"no key was set\")']\n"
    )
    ran = run(project)
    ran.assert_outcomes(errors=1)
    ran.stdout.fnmatch_lines(["E*does not come up: *", "E*its last stderr lines:", "E*no key was set"])


def test_without_a_target_it_says_how_to_name_one(project: pytest.Pytester) -> None:
    project.makepyfile("def test_it(mcp_server): ...")
    run(project).stdout.fnmatch_lines(["*which MCP server is meant?*"])


def test_a_config_with_several_servers_needs_a_name(tmp_path: Path) -> None:
    config = tmp_path / "mcp.json"
    entry = f'{{"command": "{sys.executable}", "args": ["{ODD}"]}}'
    config.write_text(f'{{"mcpServers": {{"one": {entry}, "two": {entry}}}}}')
    with pytest.raises(Wrong, match="there are: one, two"), connect(config):
        pass
    with connect(config, name="two") as server:
        assert "echo" in server.tools()


def test_a_run_that_does_not_use_it_loads_next_to_nothing() -> None:
    script = (
        "import sys, inspector.testing.plugin; print(*(n for n in sys.modules if n.startswith('inspector')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert set(done.stdout.split()) == {"inspector", "inspector.testing", "inspector.testing.plugin"}
