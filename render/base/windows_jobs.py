"""Windows: jobs, which bound the time and the memory of a process, and waiting for a pipe."""

from __future__ import annotations

import sys
import time
from subprocess import Popen
from typing import Any

if sys.platform == "win32":
    import ctypes
    import msvcrt
    from ctypes import wintypes

    _EXTENDED_LIMITS = 9  # JobObjectExtendedLimitInformation
    _FLAGS = 0x2 | 0x100 | 0x2000  # JOB_OBJECT_LIMIT_PROCESS_TIME, ..._PROCESS_MEMORY, ..._KILL_ON_JOB_CLOSE
    _OWN_MEMORY = 200_000_000  # bytes that a worker may have to begin with

    class _Information(ctypes.Structure):
        """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

        _fields_ = (
            ("process_time", ctypes.c_int64),
            ("job_time", ctypes.c_int64),
            ("flags", wintypes.DWORD),
            ("least_working_set", ctypes.c_size_t),
            ("largest_working_set", ctypes.c_size_t),
            ("active_processes", wintypes.DWORD),
            ("affinity", ctypes.c_size_t),
            ("priority", wintypes.DWORD),
            ("scheduling", wintypes.DWORD),
            ("io", ctypes.c_uint64 * 6),
            ("process_memory", ctypes.c_size_t),
            ("job_memory", ctypes.c_size_t),
            ("peak_process_memory", ctypes.c_size_t),
            ("peak_job_memory", ctypes.c_size_t),
        )

    def bound(process: Popen[bytes], job: Any, seconds: float, memory: int) -> Any:
        """Bound all the processor time that a process ever takes, and its memory; return its job, made if there is none.

        The process ends with the job, and that with this process.
        """
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        if job is None:
            kernel.CreateJobObjectW.restype = wintypes.HANDLE
            job = wintypes.HANDLE(kernel.CreateJobObjectW(None, None))
            kernel.AssignProcessToJobObject(job, wintypes.HANDLE(int(process._handle)))  # type: ignore[attr-defined]
        limits = _Information(
            process_time=int(seconds * 1e7), flags=_FLAGS, process_memory=memory + _OWN_MEMORY
        )  # in 100 ns
        kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits))
        return job

    def peek(pipe: int, until: float) -> bool:
        """Wait until a pipe has something to read, or has ended; return whether that was in time."""
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        handle, count, pause = wintypes.HANDLE(msvcrt.get_osfhandle(pipe)), wintypes.DWORD(), 0.0001
        while time.monotonic() < until:
            if not kernel.PeekNamedPipe(handle, None, 0, None, ctypes.byref(count), None) or count.value:
                return True
            time.sleep(pause)
            pause = min(2 * pause, 0.02)
        return False
