"""`log` prints what it has read, from a file or a pipe, and does not wait for the rest."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from command import PYTHON, inspect, odd

from inspector.traffic.store import Traffic, Writer

SLOWLY = (
    "import inspector.cli.progress, inspector.traffic.recording, inspector.traffic.store\n"
    "inspector.cli.progress.SLICE = 0.002\n"
    "inspector.traffic.store._SLICE = 2\n"
    "inspector.traffic.recording._STEP = 1 << 9"
)


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """Requests that are answered at once, late and never, and a note that came at the end."""
    traffic = Traffic.in_memory()
    traffic.attach(Writer(tmp_path / "a.mcprec"))
    log = traffic.session("one")
    for number in range(60):
        log.sent(b'{"jsonrpc":"2.0","id":%d,"method":"tools/list"}' % number)
        if number % 20 != 7:
            log.received([b'{"jsonrpc":"2.0","id":%d,"result":{"tools":[]}}' % number])
    log.received([b'{"jsonrpc":"2.0","id":7,"result":{"tools":[]}}'])
    traffic.advance()
    traffic.remark(3, "odd")
    traffic.close()
    return tmp_path / "a.mcprec"


@pytest.mark.parametrize(
    "words", [[], ["method:tools/list", "kind:request"], ["status:pending"], ["note:odd"]]
)
def test_what_is_printed_early_is_what_is_printed_late(words: list[str], recording: Path) -> None:
    whole = inspect("log", str(recording), *words, "-o", str(recording.with_name("whole")))
    slowly = inspect("log", str(recording), *words, patch=SLOWLY)
    assert (whole.code, slowly.code, slowly.err) == (0, 0, whole.err)
    lines = recording.with_name("whole").read_text().splitlines()
    noted = [line for line in slowly.out.splitlines() if "✎" in line]
    assert lines and sum("✎" in line for line in lines) == len(noted)
    # A note that came after its row was printed stands by itself, at the end.
    assert [line.partition("  ✎")[0] for line in lines] == [
        line for line in (each.partition("  ✎")[0] for each in slowly.out.splitlines()) if line.strip() != "3"
    ]
    told = inspect("log", str(recording), *words, "--json", patch=SLOWLY).out.splitlines()
    assert sorted(told) == sorted(inspect("log", str(recording), *words, "--json").out.splitlines())


def test_the_first_lines_come_before_the_rest_is_there(recording: Path) -> None:
    endless = (
        "from inspector.traffic.store import Traffic\nadvance, left = Traffic.advance, [40]\n"
        "def more(self, seconds=None):\n"
        "    left[0] -= 1\n"
        "    assert left[0], 'nothing was printed so far'\n"
        "    return advance(self, seconds) or True\n"
        "Traffic.advance = more\n"
    )
    program = f"{SLOWLY}\n{endless}\nfrom inspector.__main__ import script\nscript()"
    with subprocess.Popen(
        [PYTHON, "-c", program, "log", str(recording)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert "tools/list" in process.stdout.readline()


def test_a_recording_may_come_from_a_pipe(tmp_path: Path) -> None:
    file = tmp_path / "a.mcprec"
    assert inspect("call", "echo", "a=1", "--record", str(file), *odd()).code == 0
    text = file.read_text()
    assert (
        inspect("log", "-", "method:tools/call", stdin=text).out
        == inspect("log", str(file), "method:tools/call").out
    )
    lines = inspect("log", "-", "--json", stdin=text).out.splitlines()
    assert len(lines) == len(inspect("log", str(file)).out.splitlines()) and json.loads(lines[0])["q"] == 0
    broken = inspect("log", "-", stdin="no recording")
    assert broken.code == 2 and "is no recording" in broken.err
