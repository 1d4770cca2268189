"""Windows: a job holds all processes that a process starts. They end with it, also those whose parent is gone, and it
ends with us, however we end."""

from __future__ import annotations

import ctypes
from typing import Any

_KILL_ON_CLOSE = 0x2000
_EXTENDED_LIMITS = 9
_MAY = 0x0100 | 0x0001
"""PROCESS_SET_QUOTA and PROCESS_TERMINATE, which AssignProcessToJobObject asks for."""


class _Basic(ctypes.Structure):
    _fields_ = (
        ("process_time", ctypes.c_int64), ("job_time", ctypes.c_int64), ("flags", ctypes.c_uint32),
        ("least_set", ctypes.c_size_t), ("most_set", ctypes.c_size_t), ("most_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t), ("priority", ctypes.c_uint32), ("scheduling", ctypes.c_uint32),
    )  # fmt: skip


class Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("basic", _Basic), ("io", ctypes.c_uint64 * 6), ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t), ("peak_process", ctypes.c_size_t), ("peak_job", ctypes.c_size_t),
    )  # fmt: skip


class Job:
    """Holds a process, and all that it starts from now on."""

    def __init__(self, pid: int) -> None:
        """Raises OSError where the system refuses it; what was started is then ended one by one."""
        library: Any = ctypes
        self._kernel = library.WinDLL("kernel32", use_last_error=True)
        for name in ("CreateJobObjectW", "OpenProcess"):
            getattr(self._kernel, name).restype = ctypes.c_void_p
        self._handle = ctypes.c_void_p(self._kernel.CreateJobObjectW(None, None))
        process = ctypes.c_void_p(self._kernel.OpenProcess(_MAY, False, pid))
        limits = Limits()
        limits.basic.flags = _KILL_ON_CLOSE
        size = ctypes.sizeof(limits)
        done = (
            self._handle
            and process
            and self._kernel.SetInformationJobObject(
                self._handle, _EXTENDED_LIMITS, ctypes.byref(limits), size
            )
            and self._kernel.AssignProcessToJobObject(self._handle, process)
        )
        if process:
            self._kernel.CloseHandle(process)
        if not done:
            self.close()
            raise OSError(f"no job for process {pid}")

    def end(self) -> None:
        """Ends every process in it at once."""
        if self._handle:
            self._kernel.TerminateJobObject(self._handle, 1)

    def close(self) -> None:
        """The same, for good."""
        if self._handle:
            self._kernel.CloseHandle(self._handle)
            self._handle = ctypes.c_void_p(None)
