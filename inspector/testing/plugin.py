"""The plugin for pytest. A run that uses none of its fixtures loads nothing but this module."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from inspector.testing.server import Server, Session, Target

_OPTIONS = {
    "command": "the command line of the server, as in: python my_server.py",
    "url": "the http(s) URL of the server",
    "config": "a config file of any client that has the server in it",
    "name": "which server of the config is meant, where it has several",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mcp", "MCP servers (mcp-inspect)")
    for name, about in _OPTIONS.items():
        group.addoption(f"--mcp-{name}", default=None, help=about)
        parser.addini(f"mcp_{name}", f"{about} (as --mcp-{name})", default=None)


@pytest.fixture(scope="session")
def mcp_target(pytestconfig: pytest.Config) -> Target:
    """The server under test: a command as a list, a URL, or the path of a config file. To be overridden, where the
    options and ini values are not enough."""

    def given(name: str) -> str | None:
        value: str | None = pytestconfig.getoption(f"--mcp-{name}") or pytestconfig.getini(f"mcp_{name}")
        return value

    found = [value for name in ("command", "url", "config") if (value := given(name))]
    if len(found) != 1:
        pytest.fail(
            "which MCP server is meant? Set one of mcp_command, mcp_url and mcp_config in the ini file, or override the"
            " fixture mcp_target",
            pytrace=False,
        )
    return shlex.split(found[0]) if given("command") else found[0]


@pytest.fixture(scope="session")
def mcp_server(mcp_target: Target, pytestconfig: pytest.Config) -> Iterator[Server]:
    """The server, connected once for all tests, to be called without `await`. A test that needs a fresh one opens
    `inspector.testing.server.connect(target)` itself."""
    from inspector.testing.server import connect

    name = pytestconfig.getoption("--mcp-name") or pytestconfig.getini("mcp_name")
    with connect(mcp_target, name=name) as server:
        yield server


@pytest.fixture
def mcp_session(mcp_server: Server) -> Session:
    """The same server for tests that are coroutines."""
    return mcp_server.session
