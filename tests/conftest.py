"""Fixtures for all tests: the handed material, real servers, our own folders."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import settings

from inspector.base import crash

ROOT = Path(__file__).parent.parent

# A loaded machine is no defect of what is tested.
settings.register_profile("house", deadline=None)
settings.load_profile("house")

# What starts the tests may ignore these (nohup, a job in the background), and every process of theirs would inherit it.
for _signal, _meant in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    if (_number := getattr(signal, _signal, None)) and signal.getsignal(_number) == signal.SIG_IGN:
        signal.signal(_number, _meant)


def absent(reason: str) -> NoReturn:
    """Skips the test with its reason; where everything must be there, as in CI, that is a failure."""
    if os.environ.get("MCP_INSPECT_STRICT"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of handed material (faults, recorded traffic, corpus, schemas)."""
    folder = Path(os.environ.get("MCP_INSPECT_SHARED", ROOT.parent / "shared"))
    if not (folder / "faults").is_dir():
        absent("the handed material is not here: set MCP_INSPECT_SHARED or put it into ../shared")
    return folder


def _installed(program: str, what: str) -> str:
    folder = Path(os.environ.get("MCP_INSPECT_SERVERS", ROOT / ".servers"))
    for path in (folder / "node_modules" / ".bin" / program, folder / "venv" / "bin" / program):
        if path.exists():
            return str(path)
    absent(f"{program} is not installed: `make servers` installs the real {what} servers for the tests")


@pytest.fixture(scope="session")
def npm_server():
    """Gives the path of a program that an npm server installs; skips where Node.js or the server is absent."""
    if shutil.which("node") is None:
        absent("Node.js is not installed")
    return lambda program: _installed(program, "npm")


@pytest.fixture(scope="session")
def pypi_server():
    """Gives the path of a program that a PyPI server installs; skips where it is absent."""
    return lambda program: _installed(program, "PyPI")


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test touches the folders of the person who runs it, or knows what went wrong in another one."""
    monkeypatch.setattr(crash, "_told", {})
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("MCP_INSPECT_HOME", str(home))
    return home
