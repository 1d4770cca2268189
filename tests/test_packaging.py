"""What is handed out: built from its own sdist, installed beside nothing of this repository, and used."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest
from conftest import ROOT
from terminal import Terminal

from inspector import __version__
from inspector.cli.vocabulary import VERBS
from inspector.tui.app import InspectorApp
from release import manpage

_SOURCES = (
    "inspector",
    "release",
    "docs",
    "sample-configs",
    "README.md",
    "LICENSE",
    "pyproject.toml",
    ".gitignore",
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that was made of it."""
    source = tmp_path_factory.mktemp("source")
    for name in _SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    (source / "tests").mkdir()
    (source / "tests" / "test_ours.py").touch()
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


def test_the_wheel_holds_the_program_with_its_data_and_nothing_else(built: Path) -> None:
    names = set(ZipFile(wheel(built)).namelist())
    ours = {path.relative_to(ROOT).as_posix() for path in (ROOT / "inspector").rglob("*") if path.is_file()}
    wanted = {name for name in ours if "__pycache__" not in name and "/conformance" not in name}
    about = f"mcp_inspect-{__version__}."
    assert {name for name in names if not name.startswith(about)} == wanted
    assert {name.partition("/")[2] for name in names if name.startswith(f"{about}data/")} == {
        "data/share/man/man1/mcp-inspect.1",
        "data/share/bash-completion/completions/mcp-inspect",
        "data/share/zsh/site-functions/_mcp-inspect",
        "data/share/fish/vendor_completions.d/mcp-inspect.fish",
    }
    entries = (
        ZipFile(wheel(built)).read(next(name for name in names if name.endswith("entry_points.txt"))).decode()
    )
    assert "[pytest11]\nmcp-inspect = inspector.testing.plugin" in entries
    styles = {f"inspector/tui/{path}" for path in InspectorApp.CSS_PATH}
    assert {*styles, "inspector/demo/orders.yaml", "inspector/py.typed"} <= names


def test_the_sdist_holds_what_a_wheel_is_made_of_and_the_docs(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as file:
        tops = {name.split("/")[1] for name in file.getnames()}
    assert tops == {*_SOURCES, "PKG-INFO"}


def test_what_is_installed_runs_far_from_here(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    room = tmp_path / "venv"
    venv.create(room, symlinks=os.name != "nt", with_pip=False)
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(room), "platbase": str(room)}))
    # What it depends on is that of this repository; a .pth among it, which leads here, does not count there.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    scripts = room / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / Path(sys.executable).name
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(room),
        "install",
        "--no-deps",
        "--no-index",
        "--quiet",
    ]
    subprocess.run([*install, str(wheel(built))], check=True, capture_output=True)
    program = str(scripts / "mcp-inspect")

    def ran(*words: str) -> str:
        done = subprocess.run([program, *words], capture_output=True, cwd=tmp_path, check=True)
        return done.stdout.decode()

    where = subprocess.run(
        [python, "-c", "import inspector; print(inspector.__file__)"],
        capture_output=True, text=True, cwd=tmp_path, check=True,
    )  # fmt: skip
    assert Path(where.stdout.strip()).is_relative_to(room)
    assert ran("--version") == f"mcp-inspect {__version__}\n"
    answer = json.loads(ran("call", "demo", "-s", "bakery", "say_hello", "name=Ada", "--json"))
    assert "Ada" in answer["result"]["content"][0]["text"]
    assert json.loads(ran("check", "demo", "-s", "bakery", "-s", "orders", "--json"))["counts"]["error"] == 0
    monkeypatch.chdir(tmp_path)
    with Terminal(under=f"exec env -u PYTHONPATH {program} demo") as terminal:
        terminal.until("Overview")
        terminal.type("q")
        assert terminal.wait() == 0


def test_the_man_page_names_every_verb_and_is_clean_source() -> None:
    page = manpage.page()
    assert all(f'"{verb.replace("-", chr(92) + "-")}"' in page for verb in VERBS)
    if shutil.which("groff") is None:
        pytest.skip("groff is not installed: the man page is not set")
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-P-c", "-P-bou"],
        input=page.encode(),
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""
    assert "EXIT STATUS" in done.stdout.decode()
