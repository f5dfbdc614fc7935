"""Run what reads or runs other people's files in a worker process that is watched from outside.

A worker is forked from this process where that is safe, else started; it answers one request after the other, until a
request takes more time or memory than it may. Then the worker ends, and the next request gets a new one. A thread has
a worker for itself while it waits. Requests and answers are JSON with bytes: nothing in them can be run.
"""

from __future__ import annotations

import atexit
import gc
import io
import json
import os
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any, NoReturn

from render.base import forking, interrupts, progress
from render.base.findings import Finding, Refused
from render.base.limits import Limits
from render.base.memory import lacks_memory

_PATIENCE = 5  # times the seconds of processor time, on the clock: the machine may be busy
_LEAST_PATIENCE = 30.0  # seconds
_READY = 2  # workers that wait: one for pictures in a thread, and one for templates
_TRIES = 3  # of a request whose worker is killed by something else
_LARGEST = 1 << 28  # bytes of an answer
_HEAD = struct.Struct("<QQ")  # bytes of JSON, and of what follows it
_REPORT = "\0report"  # the kind of a message that is no answer yet
_BYTES = "\0bytes"
_MARK = b'"\\u0000bytes"'  # the same in JSON


class TooMuchError(Exception):
    """A request took more than it may: `what` is `time` or `memory`."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class WorkFailedError(Exception):
    """The function of a request raised an exception: its type's name, and its words."""

    def __init__(self, kind: str, words: str) -> None:
        super().__init__(words)
        self.kind = kind


class _Killed(Exception):
    """Something else ended the worker."""


def run(
    function: Callable[..., Any],
    *args: Any,
    limits: Limits,
    gives: Any = None,
    environment: Mapping[str, str] | None = None,
) -> Any:
    """Return what a function of a module of ours gives in a worker; TooMuchError, WorkFailedError, Refused.

    Arguments and result consist of what JSON knows, and bytes; tuples arrive as lists. If the type of what the function
    `gives` is named, it may be any value that msgspec knows, or hold paths. Nothing that the worker's process keeps may
    count. With an `environment`, the worker is started with these variables.
    """
    variables = tuple(sorted((environment or {}).items()))
    with progress.relayed() as show:
        named = function.__module__, function.__qualname__
        request = _packed([*named, limits, gives is not None, show is not None, args])
        for attempt in range(_TRIES):
            with suppress(_Killed), _WORKERS.one(variables, new=attempt > 0) as worker:
                answer = worker.answer(request, limits, show)
                return answer if gives is None else _decoded(answer, gives)
    raise TooMuchError("memory")  # as the system does when it has none left


def prepare() -> None:
    """Fork a worker now, if one will be needed once there are more threads: then it would have to be started."""
    if forking.is_single_threaded() and _WORKERS.count() < _READY:
        _WORKERS.add(_Worker(()))


# --- messages ---------------------------------------------------------------------------------------------------------


def _packed(message: Any) -> bytes:
    pieces: list[bytes] = []

    def taken_out(value: Any) -> dict[str, int]:
        if not isinstance(value, bytes):
            raise TypeError(f"{type(value).__name__} is no message")
        pieces.append(value)
        return {_BYTES: len(value)}

    head = json.dumps(message, default=taken_out).encode("ascii")
    return b"".join([_HEAD.pack(len(head), sum(map(len, pieces))), head, *pieces])


def _unpacked(head: bytes, rest: bytes) -> Any:
    at = 0

    def put_back(value: dict[str, Any]) -> Any:
        nonlocal at
        if value.keys() != {_BYTES}:
            return value
        at += value[_BYTES]
        return rest[at - value[_BYTES] : at]

    return json.loads(head, object_hook=put_back if _MARK in head else None)


def _encoded(value: object) -> bytes:
    from msgspec.json import encode

    return encode(value, enc_hook=os.fspath)


def _decoded(message: bytes, kind: Any) -> Any:
    from msgspec.json import decode

    return decode(message, type=kind, dec_hook=lambda kind, value: kind(value))  # of paths


# --- in the worker ----------------------------------------------------------------------------------------------------


def serve() -> None:
    """Answer the requests of the standard input until it ends, or until one fails."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # end at once, not after the work
    begin, end = _limiter()
    progress.help_out(timed=False)
    with os.fdopen(os.dup(0), "rb") as requests, os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # what a library prints is no answer
        sys.stdout = sys.stderr = io.StringIO()

        def send(report: progress.Report) -> None:
            answers.write(_packed([_REPORT, 0.0, report]))
            answers.flush()

        while head := requests.read(_HEAD.size):
            length, more = _HEAD.unpack(head)
            module, name, limits, is_typed, is_shown, args = _unpacked(requests.read(length), requests.read(more))
            begun = time.process_time()
            try:
                _leave_removed_folder()
                function = getattr(import_module(module), name)
                begin(Limits(*limits))
                begun = time.process_time()
                with progress.show_stages(progress.to_other_process(send)) if is_shown else nullcontext():
                    result = function(*args)
                result = _encoded(result) if is_typed else result
                answer = _packed(["", time.process_time() - begun, result])
            except Refused as refused:
                answer = _packed(["Refused", time.process_time() - begun, _encoded(refused.findings)])
            except BaseException as error:  # a panic of Rust is no Exception
                kind = "MemoryError" if lacks_memory(error) else type(error).__name__
                answer = _packed([kind, 0.0, str(error)])
                limits = None
            end()
            answers.write(answer)
            answers.flush()
            if limits is None:
                return


def _leave_removed_folder() -> None:
    """Stand elsewhere if this folder is gone: libraries ask where they are while they are loaded."""
    try:
        Path.cwd()
    except FileNotFoundError:
        os.chdir(os.sep)


def _limiter() -> tuple[Callable[[Limits], None], Callable[[], None]]:
    """Return functions that begin and end the limits of a request, as far as the system keeps to them here."""
    if sys.platform == "win32":  # a job bounds it, see below
        return lambda _: None, lambda: None
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    most = resource.getrlimit(resource.RLIMIT_AS)[1]

    def bound(memory: int) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory if most == resource.RLIM_INFINITY else min(memory, most), most))

    def begin(limits: Limits) -> None:
        if sys.platform == "linux":  # others have no such limit, or do not keep to it
            with open("/proc/self/statm", "rb") as stream:  # noqa: PTH123 - a tenth of the time of Path
                bound(int(stream.read().split()[0]) * resource.getpagesize() + limits.memory)
        signal.setitimer(signal.ITIMER_PROF, limits.seconds)

    def end() -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        if sys.platform == "linux":
            bound(most)

    return begin, end


# --- outside ----------------------------------------------------------------------------------------------------------


class _Worker:
    """A worker as this process sees it."""

    def __init__(self, environment: tuple[tuple[str, str], ...]) -> None:
        self.environment = environment
        self._job: Any = None
        self._spent = 0.0  # seconds of processor time, of a process that was started
        if forking.is_single_threaded() and not environment:
            self.pid, self._requests, self._answers = _forked()
            self._process = None
            return
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _PROGRAM, json.dumps([each for each in sys.path if each])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "RUST_BACKTRACE": "0", **dict(environment)},
            bufsize=0,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.pid = self._process.pid
        self._requests, self._answers = self._process.stdin.fileno(), self._process.stdout.fileno()

    def answer(self, request: bytes, limits: Limits, show: Callable[[Any], object] | None = None) -> Any:
        """Return the answer to a request; reports that come before it are shown.

        After any error the worker must not be used again.
        """
        if sys.platform == "win32":
            from render.base.windows_jobs import bound

            self._job = bound(self._process, self._job, self._spent + limits.seconds, limits.memory)
        until = time.monotonic() + max(_PATIENCE * limits.seconds, _LEAST_PATIENCE)
        with suppress(OSError):  # the worker has ended, which reading tells
            while request:
                request = request[os.write(self._requests, request) :]
        kind = _REPORT
        while kind == _REPORT:
            length, more = _HEAD.unpack(self._read(_HEAD.size, until, limits))
            if length + more > _LARGEST:
                raise TooMuchError("memory")
            head = self._read(length, until, limits)
            kind, spent, result = _unpacked(head, self._read(more, until, limits))
            if kind == _REPORT and show:
                show(result)
        self._spent += spent
        if kind == "MemoryError":
            raise TooMuchError("memory")
        if kind == "Refused":
            raise Refused(_decoded(result, list[Finding]))
        if kind:
            raise WorkFailedError(kind, result)
        return result

    def _read(self, count: int, until: float, limits: Limits) -> bytes:
        content = bytearray()
        while len(content) < count:
            if not self._has_spoken(until, limits.memory):
                raise TooMuchError("time")
            piece = os.read(self._answers, min(count - len(content), 1 << 20))
            if not piece:
                self._raise_end()
            content += piece
        return bytes(content)

    def _has_spoken(self, until: float, memory: int) -> bool:
        """Wait until there is something to read; return whether that was in time."""
        if sys.platform == "win32":  # no pipe can be polled there; the answer waits in the thread's peek
            from render.base.windows_jobs import peek

            return peek(self._answers, until)
        watched = select.poll()
        watched.register(self._answers, select.POLLIN)
        while (left := until - time.monotonic()) > 0:
            if watched.poll(min(left, 0.25 if sys.platform == "darwin" else left) * 1000):
                return True
            if sys.platform == "darwin" and _resident(self.pid) > memory + _OWN_MEMORY:
                raise TooMuchError("memory")
        return False

    def _raise_end(self) -> NoReturn:
        """Raise the reason for which the worker ended without an answer."""
        status = self._wait()
        if status in _KILLED:
            raise _Killed
        # A library that gets no memory aborts, and endless depth ends in a fault; Ctrl-C asks for no second try.
        raise TooMuchError("time" if status in _OUT_OF_TIME else "memory")

    def _wait(self) -> int:
        if self._process:
            return self._process.wait()
        try:
            return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        except ChildProcessError:
            return 0

    def kill(self) -> None:
        """Kill the worker, and wait for nothing."""
        with suppress(OSError):
            os.kill(self.pid, _SIGKILL)

    def end(self) -> None:
        """Kill the worker."""
        self.kill()
        self._wait()
        self.let_go()

    def let_go(self) -> None:
        """Close the pipes to it."""
        for stream in (self._process.stdin, self._process.stdout) if self._process else ():
            with suppress(OSError):
                stream.close()  # type: ignore[union-attr] # both are pipes
        for pipe in () if self._process else (self._requests, self._answers):
            os.close(pipe)


_PROGRAM = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from render.base.guard import serve; serve()"
_SIGKILL = int(getattr(signal, "SIGKILL", signal.SIGTERM))  # which Windows has not
_KILLED = (-_SIGKILL, -int(signal.SIGTERM))
_OUT_OF_TIME = (-int(getattr(signal, "SIGPROF", 0)), 1816)  # the other is of Windows: a job ended the process
_OWN_MEMORY = 200_000_000  # bytes that a worker may have to begin with, where only its size can be watched


def _forked() -> tuple[int, int, int]:
    """Fork a worker; return its number, and the pipes of requests and answers."""
    their_requests, our_requests = os.pipe()
    our_answers, their_answers = os.pipe()
    child = os.fork()
    if child:
        os.close(their_requests)
        os.close(their_answers)
        return child, our_requests, our_answers
    try:
        gc.freeze()  # what is shared with the first process stays shared
        os.dup2(their_requests, 0)
        os.dup2(their_answers, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.closerange(3, 1 << 16)  # locks of folders among them
        interrupts.let_parent_listen()
        _end_with_parent()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        serve()
        os._exit(0)
    finally:
        os._exit(1)  # skips exit handlers and flushing of streams: those belong to the first process


def _end_with_parent() -> None:
    """Let the system kill this process once the thread that forked it has ended, whatever it computes by then."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, _SIGKILL)


_PR_SET_PDEATHSIG = 1  # of <linux/prctl.h>


def _resident(pid: int) -> int:
    """Return how many bytes of memory a process has, as `ps` says."""
    size = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=False).stdout
    return int(size or 0) * 1024


class _Workers:
    """The workers of this process that are idle."""

    def __init__(self) -> None:
        self._idle: list[_Worker] = []
        self._owner = 0
        self._lock = Lock()

    @contextmanager
    def one(self, environment: tuple[tuple[str, str], ...], *, new: bool) -> Iterator[_Worker]:
        """Lend a worker, a new one if asked to. After any error but Refused, it is killed."""
        self._own()
        with self._lock:
            fitting = [] if new else [each for each in self._idle if each.environment == environment]
            if fitting:
                self._idle.remove(fitting[-1])
        worker = fitting[-1] if fitting else _Worker(environment)
        try:
            with interrupts.before_end(worker.kill):
                yield worker
        except Refused:
            self.add(worker)
            raise
        except BaseException:
            worker.end()
            raise
        self.add(worker)

    def count(self) -> int:
        """Return how many workers are idle."""
        self._own()
        return len(self._idle)

    def add(self, worker: _Worker) -> None:
        """Take a worker that is idle."""
        self._own()
        with self._lock:
            self._idle.append(worker)

    def _own(self) -> None:
        """Let go of the workers of the process that forked this one: they answer that one."""
        with self._lock:
            if self._owner != os.getpid():
                for worker in self._idle:
                    worker.let_go()
                self._idle, self._owner = [], os.getpid()
                atexit.register(self.end)

    def end(self) -> None:
        """End all idle workers."""
        with self._lock:
            idle, self._idle = self._idle, []
        if self._owner == os.getpid():
            for worker in idle:
                worker.end()


_WORKERS = _Workers()
