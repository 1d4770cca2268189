"""Jobs of Windows, as far as they can be looked at elsewhere: what is asked of the system, and in which order."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from inspector.transports import process
from inspector.transports.jobs import Job, Limits


class Kernel:
    """Stands for kernel32; `refuses` is a function that gives zero."""

    def __init__(self, refuses: str = "") -> None:
        self.asked: list[str] = []
        self._refuses = refuses

    def __getattr__(self, name: str) -> Any:
        def function(*arguments: Any) -> int:
            self.asked.append(name)
            return 0 if name == self._refuses else 7

        self.__dict__[name] = function
        return function


def kernel(monkeypatch: pytest.MonkeyPatch, refuses: str = "") -> Kernel:
    made = Kernel(refuses)
    monkeypatch.setattr(ctypes, "WinDLL", lambda name, use_last_error: made, raising=False)
    return made


def test_a_process_is_put_into_a_job_that_ends_with_us(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = kernel(monkeypatch).asked
    job = Job(1)
    assert asked == [
        "CreateJobObjectW", "OpenProcess", "SetInformationJobObject", "AssignProcessToJobObject", "CloseHandle",
    ]  # fmt: skip
    job.end()
    job.close()
    job.close()
    assert asked[5:] == ["TerminateJobObject", "CloseHandle"]


@pytest.mark.parametrize("refuses", ["CreateJobObjectW", "OpenProcess", "AssignProcessToJobObject"])
def test_without_a_job_processes_are_ended_one_by_one(monkeypatch: pytest.MonkeyPatch, refuses: str) -> None:
    made = kernel(monkeypatch, refuses)
    with pytest.raises(OSError, match="no job"):
        Job(1)
    assert made.asked.count("CloseHandle") == sum(
        name in made.asked and name != refuses for name in ("CreateJobObjectW", "OpenProcess")
    )
    assert process._job(1) is None


@pytest.mark.skipif(ctypes.sizeof(ctypes.c_void_p) != 8, reason="sizes of 64 bit")
def test_the_limits_have_the_size_that_windows_expects() -> None:
    assert ctypes.sizeof(Limits) == 144
