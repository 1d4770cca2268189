"""Recordings: what goes in comes out, byte for byte, and no file however broken does harm."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import inspect, odd
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.base.errors import Failed, Failure
from inspector.base.paths import paths
from inspector.base.secrets import Secrets
from inspector.traffic import header
from inspector.traffic.redact import Redaction, patterns_of
from inspector.traffic.store import Traffic, Writer

ODD = [
    b"",
    b"{}",
    b"\x00",
    b"\r",
    b'{"a":1}\r',
    b'{"a":1}\r\r',
    b"[1]\n[2]",
    b'{"a":\n1}',
    b"\xff\xfe",
    b"\xef\xbb\xbf{}",
    b'{"a":"\\ud800"}',
    b"\xed\xa0\x80",
    '{"a":"\u2028\u2029\x85"}'.encode(),
    "\u2028".encode(),
    b'{"a":NaN}',
    b'{"a":1e999}',
    b"9" * 5000,
    b" {} ",
    b'{"t":0.1,"q":1,"s":1,"d":"c2s","m":{}}',
    b'{"end":{}}',
    b'"x":"}',
    b"[" * 100_000,
    b'{"big":"' + b"x" * (3 << 20) + b'"}',
    b"x" * (3 << 20),
]


def recorded(path: Path, batches: list[list[bytes]], **options: object) -> Path:
    traffic = Traffic.in_memory()
    traffic.attach(Writer(path, redact=False, **options))  # type: ignore[arg-type]
    log = traffic.session("one")
    for index, raws in enumerate(batches):
        if index % 3 == 2:
            log.stderr(raws)
        else:
            log.received(raws)
    traffic.close()
    return path


def opened(path: Path) -> Traffic:
    traffic = Traffic.open_recording(path)
    while traffic.advance(0.5):
        pass
    return traffic


def all_raw(traffic: Traffic) -> list[bytes]:
    return [traffic.raw(number) for number in range(traffic.first, traffic.end)]


@pytest.mark.parametrize("raw", ODD, ids=lambda raw: repr(raw[:20]))
def test_odd_bytes_come_back_and_every_line_is_json(tmp_path: Path, raw: bytes) -> None:
    path = recorded(tmp_path / "a.mcprec", [[raw], [b'{"jsonrpc":"2.0","method":"x"}', raw], [raw, raw]])
    traffic = opened(path)
    assert all_raw(traffic) == [raw, b'{"jsonrpc":"2.0","method":"x"}', raw, raw, raw]
    assert list(traffic.raws(traffic.first, traffic.end)) == all_raw(traffic)
    assert [traffic.row(number).size for number in range(5)] == [len(each) for each in all_raw(traffic)]
    for line in path.read_bytes().split(b"\n")[:-1]:
        json.loads(line.decode("utf-8"))
    assert traffic.notes == []
    traffic.close()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.lists(
            st.one_of(
                st.binary(max_size=80),
                st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")),
                st.recursive(
                    st.none() | st.integers() | st.text(max_size=10),
                    lambda inner: (
                        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
                    ),
                    max_leaves=8,
                ).map(lambda value: json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")),
            ),
            min_size=1,
            max_size=4,
        ),
        max_size=6,
    )
)
def test_any_bytes_in_are_the_same_bytes_out(tmp_path: Path, batches: list[list[bytes]]) -> None:
    raws = [raw for batch in batches for raw in batch]
    path = recorded(tmp_path / "p.mcprec", batches, force=True)
    traffic = opened(path)
    assert all_raw(traffic) == raws
    for line in path.read_bytes().split(b"\n")[:-1]:
        json.loads(line.decode("utf-8"))
    traffic.close()
    spool = Traffic.on_disk(tmp_path / "spool")
    log = spool.session("one")
    for batch in batches:
        log.received(batch)
    assert all_raw(spool) == raws
    assert list(spool.raws(spool.first, spool.end)) == raws
    spool.close()


def test_a_frame_is_written_as_json_where_it_is_json_and_as_text_or_base64_otherwise(tmp_path: Path) -> None:
    path = recorded(tmp_path / "a.mcprec", [[b'{"a":1}', b'{"a":2}\r', b"noise", b"\xff"]])
    rows = [json.loads(line) for line in path.read_text().splitlines()[2:-1]]
    assert [row.get("m") for row in rows] == [{"a": 1}, {"a": 2}, None, None]
    assert rows[2]["x"] == "noise"
    assert rows[3]["b"] == "/w=="
    assert all(list(row)[-1] in "mxb" for row in rows)


def test_the_end_line_holds_the_digest_of_everything_before_it(tmp_path: Path) -> None:
    path = recorded(tmp_path / "a.mcprec", [[b"{}"]])
    *before, last = path.read_bytes().splitlines(keepends=True)
    assert json.loads(last)["end"]["sha256"] == hashlib.sha256(b"".join(before)).hexdigest()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 or os.name != "posix"


def test_a_recording_that_was_changed_says_so(tmp_path: Path) -> None:
    path = recorded(tmp_path / "a.mcprec", [[b'{"a":1}']])
    path.write_bytes(path.read_bytes().replace(b'{"a":1}', b'{"a":2}'))
    traffic = opened(path)
    assert all_raw(traffic) == [b'{"a":2}']
    assert "changed" in traffic.notes[0]


def test_a_cut_recording_is_read_up_to_the_cut_wherever_it_is(tmp_path: Path) -> None:
    raws = [b'{"jsonrpc":"2.0","id":%d,"method":"ping"}' % number for number in range(4)] + [b"noise \xff"]
    whole = recorded(tmp_path / "a.mcprec", [raws]).read_bytes()
    first_line = whole.index(b"\n") + 1
    path = tmp_path / "cut.mcprec"
    for cut in range(first_line, len(whole) - 1):
        path.write_bytes(whole[:cut])
        traffic = opened(path)
        got = all_raw(traffic)
        assert got == raws[: len(got)]
        assert traffic.notes
        traffic.close()


def test_a_broken_line_costs_itself_and_is_shown_with_its_number(tmp_path: Path) -> None:
    path = recorded(
        tmp_path / "a.mcprec", [[b'{"jsonrpc":"2.0","id":1,"method":"ping"}', b'{"a":1}', b'{"a":2}']]
    )
    lines = path.read_bytes().split(b"\n")
    lines[3] = b'{"t":0.1,"q":1,"s":1,"d":"c2s","m":{"a":'
    lines.insert(2, b"\xff what is this")
    path.write_bytes(b"\n".join(lines))
    traffic = opened(path)
    rows = [traffic.row(number) for number in range(traffic.first, traffic.end)]
    assert [row.kind for row in rows] == ["sys", "request", "sys", "invalid"]
    assert "line 3 " in rows[0].summary
    assert "line 5 " in rows[2].summary
    assert "broken" in rows[2].flags
    assert traffic.raw(2) == lines[4]


def test_a_payload_that_is_not_what_it_promises_makes_a_broken_row(tmp_path: Path) -> None:
    path = recorded(tmp_path / "a.mcprec", [[b'{"a":1}', b'{"a":2}']])
    path.write_bytes(path.read_bytes().replace(b'"m":{"a":1}', b'"m":{"a":1'))
    traffic = opened(path)
    row = traffic.row(0)
    assert row.kind == "sys"
    assert "broken" in row.flags
    assert traffic.raw(1) == b'{"a":2}'


def test_unknown_lines_and_keys_are_passed_over_and_any_spelling_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.mcprec"
    lines = [
        {"format": "mcp-inspect/recording", "version": 1, "base": 1000.5, "news": True},
        {"session": 3, "label": "three", "transport": "stdio"},
        {"weather": "fine"},
        {"t": 1, "q": 0, "s": 3, "d": "c2s", "new": 1, "m": {"jsonrpc": "2.0", "id": "ü", "method": "ping"}},
        {"m": {"jsonrpc": "2.0", "id": "ü", "result": {}}, "t": 1.5, "s": 3, "d": "s2c", "after": 1},
        {"x": "äh", "t": 2, "d": "err", "s": 3, "after": 1},
        {"d": "later", "m": 1},
    ]
    path.write_text(
        "\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n", encoding="utf-8"
    )
    traffic = opened(path)
    rows = [traffic.row(number) for number in range(traffic.first, traffic.end)]
    assert [row.kind for row in rows] == ["request", "response", "stderr"]
    assert [row.server for row in rows] == ["three"] * 3
    assert rows[1].took == 0.5
    assert traffic.raw(2) == "äh".encode()
    assert json.loads(traffic.raw(1)) == lines[4]["m"]
    assert traffic.base_time == 1000.5


@given(st.binary(max_size=400))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_foreign_bytes_behind_a_header_never_raise(tmp_path: Path, junk: bytes) -> None:
    path = tmp_path / "junk.mcprec"
    path.write_bytes(b'{"format":"mcp-inspect/recording","version":1}\n' + junk)
    traffic = opened(path)
    for number in range(traffic.first, traffic.end):
        traffic.row(number)
        traffic.raw(number)
    traffic.close()


_MEMBERS = st.fixed_dictionaries(
    {},
    optional={
        "t": st.sampled_from([0, 1.5, -1, 10**400, None, "x", True]),
        "s": st.sampled_from([0, 1, -1, 70_000, 10**30, None]),
        "e": st.sampled_from([1, -1, 1 << 40, "x"]),
        "f": st.sampled_from([["cr"], ["truncated", 7], "cr", {"a": 1}]),
        "n": st.sampled_from([0, 5, -5, 1 << 50]),
        "d": st.sampled_from(["c2s", "s2c", "err", "sys", "http", "new", 5]),
        "session": st.sampled_from([1, -1, 1 << 20, "x"]),
        "label": st.sampled_from(["a", 5, None]),
        "end": st.sampled_from([{}, {"sha256": 5}, 7]),
        "m": st.sampled_from([{}, {"end": 1}, {"request": 5}, {"response": {"status": 10**9}}, [], 1, "x"]),
        "x": st.sampled_from(["a", 5, {}, "\ud800"]),
        "b": st.sampled_from(["/w==", "?", 5]),
    },
)


@given(st.lists(_MEMBERS, max_size=6))
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_lines_with_strange_members_never_raise(tmp_path: Path, lines: list[dict[str, object]]) -> None:
    path = tmp_path / "strange.mcprec"
    head = '{"format":"mcp-inspect/recording","version":1,"base":"x"}\n'
    compact = [json.dumps(line, separators=(",", ":")) for line in lines]
    path.write_text(head + "".join(f"{line}\n" for line in compact))
    traffic = opened(path)
    for number in range(traffic.first, traffic.end):
        traffic.row(number)
        traffic.raw(number)
        traffic.exchange(number)
        traffic.linked(number)
        traffic.line(number)
    traffic.close()


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "io"),
        (b"hello\n", "io"),
        (b'{"format":"other"}\n', "io"),
        (b'{"format":"mcp-inspect/recording","version":2}\n', "unsupported"),
        (b'{"format":"mcp-inspect/recording","version":"9.1"}\n', "unsupported"),
        (b'{"format":"mcp-inspect/recording"}\n', "unsupported"),
    ],
)
def test_what_is_no_recording_of_a_known_version_is_refused_with_advice(
    tmp_path: Path, content: bytes, kind: str
) -> None:
    path = tmp_path / "a"
    path.write_bytes(content)
    with pytest.raises(Failed) as failed:
        Traffic.open_recording(path)
    assert failed.value.failure.kind == kind
    assert failed.value.failure.hint
    with pytest.raises(Failed) as failed:
        Traffic.open_recording(tmp_path / "absent")
    assert failed.value.failure.kind == "io"
    with pytest.raises(Failed):
        Traffic.open_recording(tmp_path)


def test_an_existing_file_is_refused_unless_forced(tmp_path: Path) -> None:
    path = tmp_path / "a.mcprec"
    path.write_text("mine")
    with pytest.raises(Failed) as failed:
        Writer(path)
    assert failed.value.failure.kind == "io"
    assert "--force" in (failed.value.failure.hint or "")
    assert path.read_text() == "mine"
    assert all_raw(opened(recorded(path, [[b"{}"]], force=True))) == [b"{}"]
    with pytest.raises(Failed):
        Writer(tmp_path / "no" / "folder")


def test_a_second_recorder_appends_a_session(tmp_path: Path) -> None:
    path = recorded(tmp_path / "a.mcprec", [[b"[1]"]])
    first = path.read_bytes()
    recorded(path, [[b"[2]"]], append=True)
    recorded(path, [[b"[3]"]], append=True)
    assert path.read_bytes().startswith(first)
    traffic = opened(path)
    assert all_raw(traffic) == [b"[1]", b"[2]", b"[3]"]
    assert [traffic.row(number).session for number in range(3)] == [1, 2, 3]
    assert traffic.notes == []
    assert [json.loads(traffic.line(number))["q"] for number in range(3)] == [0, 1, 2]
    path.write_bytes(path.read_bytes().replace(b"[1]", b"[7]"))
    changed = opened(path)
    assert all_raw(changed) == [b"[7]", b"[2]", b"[3]"]
    assert changed.notes == ["the recording was changed after it was closed: its digest does not fit"]


def test_secrets_are_masked_marked_and_named_in_the_header(tmp_path: Path) -> None:
    path = tmp_path / "a.mcprec"
    traffic = Traffic.in_memory()
    traffic.attach(Writer(path, secrets=Secrets(["hunter2-hunter2"])))
    log = traffic.session(
        "one",
        url="https://me:pass@host/mcp?api_key=abc&x=1",
        command=["run", "--token", "abc", "--password=abc", "hunter2-hunter2"],
        env={"API_KEY": "abc", "MODE": "fast"},
        headers={"Authorization": "Bearer abc"},
    )
    plain = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":"p"},"name":"token"}}'
    log.sent(plain)
    log.sent(b'{"a":"it is hunter2-hunter2"}')
    log.received(
        [
            b'{"apiKey":"abc", "n":1}',
            b'{"text":"{\\"password\\": \\"abc\\"}"}',
            b'{"token":{"type":"string"}}',
        ]
    )
    log.received([b"noise hunter2-hunter2 \xff"])
    log.stderr([b"GET https://host/?token=abc with Bearer abcdefghijk"])
    exchange = log.http_request(
        "POST", "https://host/?token=abc&y=2", [("X-Api-Key", "abc"), ("Accept", "text/html")]
    )
    log.http_body(exchange, b"grant_type=x&client_secret=abc")
    log.http_body(exchange, b'{"access_token":"abc"}')
    traffic.close()
    # The digest in the end line may spell anything.
    text = path.read_text().rpartition('{"end"')[0]
    header, session, *lines = map(json.loads, text.splitlines())
    assert header["redaction"]["applied"] is True and header["redaction"]["rules"]
    assert session["url"] == "https://***@host/mcp?api_key=***&x=1"
    assert session["command"] == ["run", "--token", "***", "--password=***", "***"]
    assert session["env"] == {"API_KEY": "***", "MODE": "fast"}
    assert session["headers"] == {"Authorization": "Bearer ***"}
    assert "hunter2" not in text and "abc" not in text
    assert [bool(line.get("f") == ["redacted"]) for line in lines] == [
        False, True, True, True, False, True, True, True, True, True,
    ]  # fmt: skip
    again = opened(path)
    assert again.raw(0) == plain
    assert again.raw(2) == b'{"apiKey":"***", "n":1}'
    assert again.raw(3) == b'{"text":"{\\"password\\": \\"***\\"}"}'
    assert "redacted" in again.row(2).flags and "redacted" not in again.row(0).flags
    assert json.loads(again.raw(7))["request"]["headers"] == [["X-Api-Key", "***"], ["Accept", "text/html"]]


def test_a_secret_that_becomes_known_later_is_masked_from_then_on(tmp_path: Path) -> None:
    secrets = Secrets()
    traffic = Traffic.in_memory()
    traffic.attach(Writer(tmp_path / "a.mcprec", secrets=secrets))
    secrets.add("hunter2-hunter2")
    traffic.session("one").sent(b'{"a":"hunter2-hunter2"}')
    traffic.close()
    assert b"hunter2" not in (tmp_path / "a.mcprec").read_bytes()


def test_without_redaction_the_header_warns(tmp_path: Path) -> None:
    path = recorded(tmp_path / "a.mcprec", [[b'{"token":"abc"}']])
    header = json.loads(path.read_text().splitlines()[0])
    assert header["redaction"]["applied"] is False and "--no-redact" in header["redaction"]["warning"]
    assert b'"abc"' in path.read_bytes()


@given(st.lists(st.one_of(st.integers(), st.text(max_size=12), st.none()), max_size=5), st.text(max_size=8))
@settings(max_examples=150, deadline=None)
def test_redaction_keeps_json_json_and_other_members_alone(values: list[object], name: str) -> None:
    from inspector.traffic.lines import C2S
    from inspector.traffic.redact import Redaction

    value = {"password": "s3cret", name or "x": values, "text": json.dumps({"a": values})}
    raw = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    masked = json.loads(Redaction().row(C2S, raw).decode("utf-8", "surrogatepass"))
    expected = dict(value)
    expected["password"] = "***" if expected["password"] else expected["password"]
    assert masked == expected


@pytest.mark.parametrize(
    "raw",
    [
        b'{"text":"' + b"\\\\" * 100_000 + b'"}',
        b'{"text":"{\\"token\\":\\"' + b"\\" * 100_001,
        b'{"token":"' + b"x" * (3 << 20),
        b'"a":"' * 100_000,
        b'\\"a\\":\\"' * 100_000,
        b'{"body":"' + b"a=" * 500_000 + b' "}',
        b"a." * 100_000,
        b"?a" * 100_000,
    ],
    ids=["backslashes", "open inner", "open", "members", "inner members", "form", "schemes", "queries"],
)
def test_no_text_makes_redaction_slow(raw: bytes) -> None:
    from inspector.traffic.lines import C2S, ERR, HTTP
    from inspector.traffic.redact import Redaction

    started = time.process_time()
    for channel in (C2S, ERR, HTTP):
        Redaction().row(channel, raw)
    assert time.process_time() - started < 5


def test_json_inside_of_a_string_is_masked_by_name_however_it_is_escaped() -> None:
    from inspector.traffic.lines import C2S
    from inspector.traffic.redact import Redaction

    for secret in ("plain-value", 'with "quotes"', "back\\slash\\", "line\nend", "ünï", '\\"', "tab\t\\\\"):
        inner = {"before": "x", "password": secret, "after": 'y "z"'}
        raw = json.dumps({"text": json.dumps(inner)}).encode()
        masked = json.loads(json.loads(Redaction().row(C2S, raw))["text"])
        assert masked == inner | {"password": "***"}


_DISK_FULL = """
import resource, sys
from pathlib import Path
from inspector.traffic.store import Writer
from inspector.traffic.store import Traffic
traffic = Traffic.on_disk(Path(sys.argv[2])) if len(sys.argv) > 2 else Traffic.in_memory()
told = []
writer = Writer(Path(sys.argv[1]), on_error=told.append)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
traffic.attach(writer)
log = traffic.session("one")
for number in range(1000):
    log.received([b'{"jsonrpc":"2.0","id":%d,"result":{}}' % number])
traffic.advance()
texts = [traffic.row(n).summary for n in range(traffic.first, traffic.end) if traffic.row(n).kind == "sys"]
kept = [traffic.raw(n) for n in range(traffic.first, traffic.end) if traffic.row(n).kind != "sys"]
assert kept == [b'{"jsonrpc":"2.0","id":%d,"result":{}}' % number for number in range(1000)], len(kept)
traffic.close()
print(len(told), told[0].kind, told[0].message, "|", *texts)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs a limit on file sizes")
@pytest.mark.parametrize("spool", [False, True])
def test_a_full_disk_ends_the_recording_and_nothing_else(tmp_path: Path, spool: bool) -> None:
    path = tmp_path / "a.mcprec"
    command = [sys.executable, "-c", _DISK_FULL, str(path), *([str(tmp_path / "spool")] if spool else [])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 io recording stopped after")
    assert ("kept in memory" in done.stdout) is spool
    raw = path.read_bytes()
    assert raw.endswith(b"\n")
    traffic = opened(path)
    assert 100 < len(traffic) < 1000
    assert all(traffic.row(number).kind == "response" for number in range(traffic.first, traffic.end))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_device_that_is_full_is_told_once() -> None:
    told: list[Failure] = []
    traffic = Traffic.in_memory()
    traffic.attach(Writer(Path("/dev/full"), force=True, on_error=told.append))
    log = traffic.session("one")
    for _ in range(3):
        log.sent(b"{}")
    traffic.close()
    assert [failure.kind for failure in told] == ["io"]
    assert "No space" in told[0].message


_KILLED = """
import sys
from pathlib import Path
from inspector.traffic.store import Writer
from inspector.traffic.store import Traffic
traffic = Traffic.on_disk(Path(sys.argv[1]) / "spool")
traffic.attach(Writer(Path(sys.argv[1]) / "a.mcprec"))
log = traffic.session("one")
for number in range(10**9):
    log.received([b'{"jsonrpc":"2.0","id":%d,"result":{"text":"%s"}}' % (number, b"x" * 500)])
    if number == 200:
        print("go", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_killed_recorder_leaves_everything_but_the_frame_in_flight(tmp_path: Path) -> None:
    from inspector.traffic.spool import sweep

    process = subprocess.Popen([sys.executable, "-c", _KILLED, str(tmp_path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline() == b"go\n"
        assert sweep(tmp_path / "spool") == []
        process.send_signal(signal.SIGKILL)
        process.wait(30)
    traffic = opened(tmp_path / "a.mcprec")
    assert len(traffic) > 200
    assert [traffic.row(number).id for number in range(200)] == list(range(200))
    assert any("stopped in mid-flight" in note for note in traffic.notes)

    (crashed,) = sweep(tmp_path / "spool")
    recovered = Traffic.open_recording(crashed.segments[0])
    while recovered.advance(1):
        pass
    assert abs(len(recovered) - len(traffic)) <= 1
    recovered.attach(Writer(tmp_path / "saved.mcprec"))
    recovered.close()
    assert len(opened(tmp_path / "saved.mcprec")) == len(recovered.columns)
    crashed.discard()
    assert list((tmp_path / "spool").iterdir()) == []


PATTERNS = patterns_of([r"\d{4}-\d{4}", "(?i)internal-[a-z]+", "[a-f]+x"])


def test_patterns_of_the_user_are_masked_and_json_stays_json(tmp_path: Path) -> None:
    path = tmp_path / "a.mcprec"
    traffic = Traffic.in_memory()
    traffic.attach(Writer(path, patterns=PATTERNS))
    log = traffic.session("one", command=["run", "Internal-host"], note="card 1234-5678")
    log.sent(b'{"a":"card 1234-5678.","Internal-key":1.50,"n":12345678,"e":"1\\nfacex\\ud800"}')
    log.sent(b'{"a":"nothing here","b":[1,2]}')
    log.received([b"no JSON, 1234-5678", b'{"a":"INTERNAL-b"}\r'])
    log.stderr([b"internal-host said 1234-5678"])
    exchange = log.http_request("POST", "http://internal-host/1234-5678", [("X", "internal-x")])
    log.http_body(exchange, b"card 1234-5678")
    traffic.close()
    text = path.read_text()
    assert not [word for word in ("1234-5678", "nternal-", "NTERNAL-", "facex") if word in text]
    assert "of the user" in json.loads(text.splitlines()[0])["redaction"]["rules"][-1]
    again = opened(path)
    assert [again.raw(number) for number in range(4)] == [
        b'{"a":"card ***.","***":1.50,"n":12345678,"e":"1\\n***\\ud800"}', b'{"a":"nothing here","b":[1,2]}',
        b"no JSON, ***", b'{"a":"***"}\r',
    ]  # fmt: skip
    assert "redacted" not in again.row(1).flags and "redacted" in again.row(2).flags


@pytest.mark.parametrize("name", ["sessionId", "session_id", "mcp-session-id", "JSessionID"])
def test_the_address_of_a_session_is_masked_and_its_answers_are_found(tmp_path: Path, name: str) -> None:
    files = [tmp_path / "masked", tmp_path / "whole"]
    for file in files:
        traffic = Traffic.in_memory()
        traffic.attach(Writer(file, redact=file.name == "masked"))
        log = traffic.session("proxy", url=f"http://x/sse?{name}=planted-0")
        ids = ["planted-1", "planted/2"]
        streams = [log.http_request("GET", "http://x/sse", []) for _ in ids]
        for id_, stream in zip(ids, streams, strict=True):
            log.http_event(stream, "event endpoint", f"/message?{name}={id_}&a=b")
        for id_ in ids:
            posted = log.http_request(
                "POST", f"http://x/message?{name}={id_}&a=b", [("Referer", f"/?{name}={id_}")]
            )
            log.sent(b'{"jsonrpc":"2.0","id":1,"method":"ping"}', posted)
        for stream in streams:
            log.received([b'{"jsonrpc":"2.0","id":1,"result":{}}'], stream)
        log.received(
            [b'{"a":"/m?b=1\\u0026%s=planted-3\\"","b":"?%%3F%s%%3Dplanted-4"}' % ((name.encode(),) * 2)]
        )
        log.stderr([f"POST /message?{name}=planted-5".encode()])
        traffic.close()
    texts = [file.read_text() for file in files]
    assert "planted" not in texts[0] and texts[1].count("planted") == 10
    assert texts[0].count("&a=b") == 4
    for file in files:
        again = opened(file)
        rows = [again.row(number) for number in range(len(again))]
        asked = [row.number for row in rows if row.method == "ping" and row.kind == "request"]
        assert [row.peer for row in rows if row.kind == "response"] == asked
        assert not [row for row in rows if "reused id" in row.flags]
    assert opened(files[0]).raw(-1 + len(rows)) == b"POST /message?" + name.encode() + b"=***"
    assert json.loads(opened(files[0]).raw(len(rows) - 2)) == {
        "a": f'/m?b=1&{name}=***"',
        "b": f"?%3F{name}%3D***",
    }
    exported = inspect("export", str(files[1]), "--to", "har").out
    assert "planted" not in exported and '"value":"***' in exported
    assert "planted-1" in inspect("export", str(files[1]), "--to", "har", "--no-redact").out


def test_a_number_that_a_pattern_finds_becomes_a_string() -> None:
    redaction = Redaction(patterns=patterns_of(["9{4}"]))
    assert redaction.row(0, b'{"a":[19999,-9999e2,"99990"]}') == b'{"a":["***","***","***0"]}'


@pytest.mark.parametrize(
    "expression", ["^abcd$", "(?<!x)abcd(?!x)", r"\Aabcd\Z", r"\babcd\b", "b\\Bcd", "(?<=a)bcd"]
)
def test_a_pattern_sees_each_string_by_itself(expression: str) -> None:
    redaction = Redaction(patterns=patterns_of([expression]))
    masked = redaction.row(0, b'{"k":"abcd"}')
    assert b"abcd" not in masked and json.loads(masked)["k"] != "abcd"


def test_patterns_see_all_of_a_long_text_and_do_not_hang_on_it() -> None:
    redaction = Redaction(patterns=patterns_of([r"\d+-\d+-\d+z"]))
    raw = b'"' + b"1-" * (1 << 19) + b'22-33-44z"'
    masked = redaction.row(0, raw)
    assert masked.endswith(b'***"') and b"z" not in masked
    needle = b'"' + b"." * 5_000_000 + b"1-2-3z" + b"." * 100 + b'"'
    assert redaction.row(0, needle) == needle.replace(b"1-2-3z", b"***")


@pytest.mark.parametrize(
    ("expression", "said"), [("a(", "unterminated"), ("(a+)+", "forever"), ("x*", "also nothing")]
)
def test_a_pattern_that_cannot_be_used_is_named(
    own_folders: Path, tmp_path: Path, expression: str, said: str
) -> None:
    with pytest.raises(Failed) as failed:
        patterns_of(["fine", expression])
    assert repr(expression) in failed.value.failure.message and said in failed.value.failure.message
    paths().settings.parent.mkdir(parents=True, exist_ok=True)
    paths().settings.write_text(json.dumps({"redact": ["fine", expression]}))
    file = tmp_path / "a.mcprec"
    ran = inspect("call", "echo", "--record", str(file), *odd())
    assert ran.code == 2 and repr(expression) in ran.err and not file.exists()
    paths().settings.write_text(json.dumps({"redact": ["echo"]}))
    assert inspect("call", "echo", "--record", str(file), *odd()).code == 0
    assert "echo" not in file.read_text()
    assert "***" in inspect("export", str(recorded(tmp_path / "b", [[b'{"a":"echo"}']])), "--to", "jsonl").out


def test_what_was_recorded_without_redaction_says_so_wherever_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.mcprec"
    assert inspect("call", "echo", "--record", str(path), "--no-redact", *odd()).code == 0
    for words in (["log", str(path)], ["export", str(path), "--to", "text"]):
        assert "SECRETS ARE NOT MASKED" in inspect(*words).err
    masked = tmp_path / "b.mcprec"
    assert inspect("export", str(path), "--to", "jsonl", "-o", str(masked)).code == 0
    assert inspect("log", str(masked)).err == ""


def test_a_recording_of_an_older_version_is_brought_up_to_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = recorded(tmp_path / "a.mcprec", [[b'{"a": 1.50}'], [b"no JSON"]])
    monkeypatch.setattr(header, "VERSION", 3)
    renamed = (
        lambda line: line.replace(b'"d":"s2c"', b'"way":"in"'),
        lambda line: line.replace(b'"way":"in"', b'"d":"c2s"'),
    )
    monkeypatch.setattr(header, "MIGRATIONS", renamed)
    traffic = opened(path)
    assert [(traffic.row(number).channel, traffic.raw(number)) for number in range(2)] == [
        ("c2s", b'{"a": 1.50}'), ("c2s", b"no JSON"),
    ]  # fmt: skip
    assert traffic.notes == ["written in version 1 of the format, and read as version 3"]
    path.write_bytes(path.read_bytes().replace(b"no JSON", b"no json"))
    assert any("changed after it was closed" in note for note in opened(path).notes)


def test_a_newer_minor_version_is_read_with_a_note(tmp_path: Path) -> None:
    path = recorded(tmp_path / "a.mcprec", [[b"{}"]])
    path.write_bytes(path.read_bytes().replace(b'"version":1', b'"version":"1.7"', 1))
    traffic = opened(path)
    assert all_raw(traffic) == [b"{}"] and any("version 1.7" in note for note in traffic.notes)
