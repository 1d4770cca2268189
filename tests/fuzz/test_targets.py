"""The fuzzer's targets on what once broke a promise, on what they begin with, and on some changes of that; `make fuzz`
goes on for longer."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.fuzz import TARGETS
from bench.fuzz.mutate import mutated

SEEDS = sorted(path for path in (Path(__file__).parent / "seeds").glob("*/*"))
QUICK = sorted(set(TARGETS) - {"terminal"})


@pytest.mark.parametrize("seed", SEEDS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_once_broke_a_promise_breaks_it_no_more(seed: Path) -> None:
    TARGETS[seed.parent.name].run(seed.read_bytes())


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_every_target_keeps_its_promises_on_what_it_begins_with(name: str) -> None:
    target = TARGETS[name]
    for start in target.starts[:12]:
        target.run(start)


@pytest.mark.parametrize("name", QUICK)
@settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 1 << 40), st.binary(max_size=60))
def test_a_target_keeps_its_promises_on_changed_inputs(name: str, number: int, data: bytes) -> None:
    target, chance = TARGETS[name], Random(number)
    starts = target.starts
    target.run(data)
    target.run(mutated(chance.choice(starts), chance, starts)[:8000])


def test_a_broken_promise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The targets themselves: each of these breaks what they look for."""
    from inspector.base import deepjson, secrets, text
    from inspector.traffic.store import Traffic
    from inspector.transports import framing

    def breaks(target: str, data: bytes) -> None:
        with pytest.raises(AssertionError):
            TARGETS[target].run(data)

    with monkeypatch.context() as patch:
        lines = framing.LineSplitter.feed
        patch.setattr(framing.LineSplitter, "feed", lambda *given: [x for x in lines(*given) if x != b"y"])
        breaks("stdio", b"x\ny\n")
    with monkeypatch.context() as patch:
        patch.setattr(secrets.Secrets, "mask", lambda self, text: text.replace("abcdefgh", "***", 1))
        breaks("secrets", b"abcdefgh\n$S and $S")
    with monkeypatch.context() as patch:
        patch.setattr(deepjson, "read", lambda *_: 2)
        breaks("deep", b"1")
    with monkeypatch.context() as patch:
        patch.setattr(text, "_UNSAFE_LINE", text.pattern("x"))
        breaks("text", b"\x1b")
    with monkeypatch.context() as patch:
        patch.setattr(Traffic, "raw", lambda self, number: b"")
        breaks("stdio", b"x\ny\n")
