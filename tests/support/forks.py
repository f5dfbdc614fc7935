"""The program in children of this process, which has its modules: a tenth of the time that a process of its own takes.

A child has its own folder, environment and standard streams, which are made of them as Python makes them when it
starts. How a process really starts is for tests that start one. Only POSIX systems can fork.
"""

import gc
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess, TimeoutExpired
from typing import NoReturn

from render.__main__ import main
from tests.support.repository import ROOT
from tests.support.sets import SET, kotc, write_set

CAN_FORK = hasattr(os, "fork")
PATIENCE = 60  # seconds, on a machine that has much else to do
CARD = "{name: Wolf, kind: minion, level: auto, sp: 1, hp: 1, text: 'GO: Draw 1 card.'}\n"


class Child:
    """A child that is running, with the methods of `subprocess.Popen` that tests need."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._status: int | None = None

    def poll(self) -> int | None:
        """Return its exit status, or minus the signal that ended it; None as long as it runs."""
        if self._status is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            self._status = os.waitstatus_to_exitcode(status) if ended else None
        return self._status

    def wait(self, timeout: float) -> int:
        """Wait until it ends, for so many seconds at most, and return the same; TimeoutExpired."""
        end = time.monotonic() + timeout
        while (status := self.poll()) is None:
            if time.monotonic() > end:
                raise TimeoutExpired(str(self.pid), timeout)
            time.sleep(0.01)
        return status

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


def begun(*words: str | Path, folder: Path, environment: Mapping[str, str], streams: tuple[int, int, int]) -> Child:
    """Begin the program with these words in a child whose streams are these files."""
    _warm()
    pid = os.fork()
    return Child(pid) if pid else _go_on([str(word) for word in words], folder, environment, streams)


@cache
def _warm() -> None:
    """Read and draw a card once, so that children find modules, rules and templates that are read."""
    with tempfile.TemporaryDirectory() as folder:
        kotc("build", write_set(Path(folder) / "set", CARD, f"{SET}outputs: {{png: {{dpi: 72}}}}\n"), "--out", folder)


def ran(*words: str | Path, folder: Path, environment: Mapping[str, str]) -> CompletedProcess[bytes]:
    """Run the program with these words, and return its status and what it said; where nothing can fork, as usual."""
    if not CAN_FORK:
        line, where = [sys.executable, "-m", "render", *words], {**environment, "PYTHONPATH": str(ROOT)}
        return subprocess.run(line, cwd=folder, env=where, capture_output=True, check=False)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as wrong, Path(os.devnull).open("rb") as nothing:
        streams = nothing.fileno(), out.fileno(), wrong.fileno()
        status = begun(*words, folder=folder, environment=environment, streams=streams).wait(PATIENCE)
        said = [os.pread(stream.fileno(), os.fstat(stream.fileno()).st_size, 0) for stream in (out, wrong)]
    return CompletedProcess(words, status, *said)


def _go_on(words: list[str], folder: Path, environment: Mapping[str, str], streams: tuple[int, int, int]) -> NoReturn:
    """Be the program, and end with its status."""
    gc.freeze()  # to look for garbage in what is shared would copy it
    status = 70
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = ["kotc", *words]
        _open_streams(*environment.get("PYTHONIOENCODING", "utf-8").split(":"))
        try:
            main()
            status = 0
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _open_streams(encoding: str, errors: str = "strict") -> None:
    """Open the standard streams as Python does, by `PYTHONIOENCODING`."""
    sys.stdin = open(0, encoding=encoding, errors=errors, closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding=encoding, errors=errors, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, encoding=encoding, errors="backslashreplace", closefd=False)  # noqa: SIM115
