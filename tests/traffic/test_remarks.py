"""Notes of a person on rows: where they stand, and who reads them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import inspect

from inspector.base.errors import Failed
from inspector.base.secrets import Secrets
from inspector.traffic import remarks
from inspector.traffic.query import compile
from inspector.traffic.spool import sweep
from inspector.traffic.store import Traffic
from inspector.traffic.views import View
from inspector.traffic.writer import Writer

PING = b'{"jsonrpc":"2.0","id":%d,"method":"ping"}'


def talk(traffic: Traffic, *ids: int) -> None:
    log = traffic.session("server")
    for id_ in ids:
        log.sent(PING % id_)
    traffic.advance()


def opened(path: Path) -> Traffic:
    traffic = Traffic.open_recording(path)
    traffic.advance()
    return traffic


def recorded(path: Path, *ids: int) -> Path:
    traffic = Traffic.in_memory()
    traffic.attach(Writer(path))
    talk(traffic, *ids)
    traffic.close()
    return path


def test_notes_go_with_a_recording_whenever_they_are_made(tmp_path: Path) -> None:
    path = tmp_path / "r.mcprec"
    secrets = Secrets()
    secrets.add("s3cret-value-1")
    traffic = Traffic.in_memory()
    talk(traffic, 1, 2)
    traffic.remark(0, "before it was recorded")
    traffic.attach(Writer(path, secrets=secrets))
    traffic.remark(1, "first")
    traffic.remark(1, " the key is\ns3cret-value-1 ")
    talk(traffic, 3)
    traffic.remark(2, "gone")
    traffic.remark(2, "")
    assert traffic.remarks == {0: "before it was recorded", 1: "the key is s3cret-value-1"}
    traffic.close()
    read = opened(path)
    assert read.remarks[0] == "before it was recorded" and read.remarks.keys() == {0, 1}
    assert "s3cret" not in path.read_text() and read.notes == []
    assert [read.row(number).note[:6] for number in range(3)] == ["before", "the ke", ""]
    assert [read.raw(number) for number in range(3)] == [PING % 1, PING % 2, PING % 3]


def test_notes_survive_a_crash_in_the_spool(tmp_path: Path) -> None:
    traffic = Traffic.on_disk(tmp_path, segment_bytes=200)
    talk(traffic, *range(9))
    traffic.remark(2, "why?")
    talk(traffic, 10, 11)
    assert [traffic.raw(number) for number in range(9)] == [PING % number for number in range(9)]
    traffic.keep()
    traffic.close()
    (crashed,) = sweep(tmp_path)
    again = Traffic.open_recording(crashed.segments[0])
    again.advance()
    assert again.remarks == {2: "why?"} and again.raw(10) == PING % 11


def test_a_recording_that_is_read_stays_as_it_is(tmp_path: Path) -> None:
    path = recorded(tmp_path / "r.mcprec", 1, 2, 3)
    before = path.read_bytes()
    traffic = opened(path)
    traffic.remark(1, "look here")
    traffic.remark(2, "off again")
    traffic.remark(2, "")
    assert path.read_bytes() == before
    lines = [json.loads(line) for line in remarks.beside(path).read_text().splitlines()]
    assert lines[0] == {"format": "mcp-inspect/notes", "version": 1, "size": len(before)}
    again = opened(path)
    assert again.remarks == {1: "look here"} and again.notes == []
    path.write_bytes(recorded(tmp_path / "other", 1, 2, 3, 4).read_bytes())
    assert any("longer or shorter" in note for note in opened(path).notes)
    with pytest.raises(IndexError):
        again.remark(99, "nothing is there")


def test_two_programs_on_one_recording_keep_the_notes_of_both(tmp_path: Path) -> None:
    path = recorded(tmp_path / "r.mcprec", 1, 2, 3)
    mine, yours = opened(path), opened(path)
    mine.remark(0, "mine")
    yours.remark(1, "yours")
    yours.remark(0, "yours, later")
    mine.remark(2, "mine too")
    everything = {0: "yours, later", 1: "yours", 2: "mine too"}
    assert mine.remarks == opened(path).remarks == everything
    yours.remark(2, "")
    assert yours.remarks == opened(path).remarks == {0: "yours, later", 1: "yours"}
    assert {each.name for each in tmp_path.iterdir()} == {"r.mcprec", "r.mcprec.notes"}


def test_what_could_not_be_written_is_written_with_the_next_note(tmp_path: Path) -> None:
    path = recorded(tmp_path / "r.mcprec", 1, 2)
    remarks.beside(path).mkdir()
    traffic = opened(path)
    with pytest.raises(Failed, match="kept until you quit"):
        traffic.remark(0, "first")
    remarks.beside(path).rmdir()
    traffic.remark(1, "second")
    assert opened(path).remarks == {0: "first", 1: "second"}


def test_notes_of_a_later_version_are_not_written_over(tmp_path: Path) -> None:
    path = recorded(tmp_path / "r.mcprec", 1)
    later = '{"format":"mcp-inspect/notes","version":2,"size":1}\n'
    remarks.beside(path).write_text(later)
    with pytest.raises(Failed, match="of this version"):
        opened(path).remark(0, "mine")
    assert remarks.beside(path).read_text() == later


def test_a_note_of_the_recording_is_taken_off_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "r.mcprec"
    traffic = Traffic.in_memory()
    traffic.attach(Writer(path))
    talk(traffic, 1)
    traffic.remark(0, "old")
    traffic.close()
    read = opened(path)
    assert read.remarks == {0: "old"}
    read.remark(0, "")
    assert opened(path).remarks == {}


def test_what_is_no_file_of_notes_is_left_alone(tmp_path: Path) -> None:
    path = recorded(tmp_path / "r.mcprec", 1)
    remarks.beside(path).write_text("my own notes")
    traffic = opened(path)
    assert any("holds no notes" in note for note in traffic.notes)
    with pytest.raises(Failed, match="is no file of notes"):
        traffic.remark(0, "mine")
    assert remarks.beside(path).read_text() == "my own notes" and traffic.remarks == {0: "mine"}
    remarks.beside(path).unlink()
    remarks.beside(path).mkdir()
    with pytest.raises(Failed, match="kept until you quit"):
        opened(path).remark(0, "mine")


def test_hostile_lines_of_notes_cost_only_themselves(tmp_path: Path) -> None:
    path = recorded(tmp_path / "r.mcprec", 1, 2)
    data = path.read_bytes()
    odd = b'{"note":"1","text":"x"}\n{"note":-1,"text":"x"}\n{"note":1,"text":7}\n{"note":99,"text":"far"}\n'
    path.write_bytes(data + odd + b'{"note":1,"text":"good"}\n')
    traffic = opened(path)
    assert traffic.remarks[1] == "good" and len(traffic) == 2


def test_the_filter_finds_notes() -> None:
    traffic = Traffic.in_memory()
    talk(traffic, *range(5))
    traffic.remark(1, "Slow here")
    traffic.remark(3, "fine")
    for source, rows in (
        ("note:*", [1, 3]),
        ("note:slow", [1]),
        ('note:"slow here"', [1]),
        ("-note:*", [0, 2, 4]),
    ):
        view = View(traffic, compile(source))
        view.extend()
        assert list(view.rows) == rows, source
    assert compile("note:x").volatile


def test_notes_are_printed_and_exported(tmp_path: Path) -> None:
    path = recorded(tmp_path / "r.mcprec", 1, 2)
    opened(path).remark(1, "<b>why</b> \x1b[2J")
    assert "✎ <b>why</b> " in inspect("log", str(path)).out
    assert '{"note": 1, "text": ' in inspect("log", str(path), "--json").out.replace('":', '": ').replace(
        ",", ", "
    )
    text = inspect("export", str(path), "--to", "text").out
    assert "✎ <b>why</b>" in text and "\x1b" not in text
    page = inspect("export", str(path), "--to", "html").out
    assert "<mark>✎ &lt;b&gt;why&lt;/b&gt;" in page
    copy = tmp_path / "copy.mcprec"
    assert inspect("export", str(path), "note:*", "-o", str(copy), "--to", "jsonl").code == 0
    assert opened(copy).remarks == {0: "<b>why</b> \x1b[2J"}
