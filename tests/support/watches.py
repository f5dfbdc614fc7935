"""Real processes of `kotc watch`, and waiting for what comes of them: for outcomes, never for a time."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.builds import tree
from tests.support.forks import Child, begun
from tests.support.repository import ROOT
from tests.support.sets import kotc

PATIENCE = 60  # seconds, on a machine that has much else to do


class Watched:
    """A watch that is running; `said` is what it has said so far."""

    def __init__(self, process: Child | subprocess.Popen[bytes], log: Path) -> None:
        self.process = process
        self._log = log

    @property
    def said(self) -> str:
        return self._log.read_text(encoding="utf-8")

    def until(self, outcome: Callable[[], bool]) -> None:
        """Wait until it is so; whoever waits in vain is told what was said."""
        end = time.monotonic() + PATIENCE
        while not outcome():
            assert time.monotonic() < end, f"in vain; it said:\n{self.said}"
            assert self.process.poll() is None, f"it ended; it said:\n{self.said}"
            time.sleep(0.02)

    def until_said(self, words: str, times: int = 1) -> None:
        """Wait until it has said this so often."""
        self.until(lambda: self.said.count(words) >= times)

    def until_built(self, folder: Path, out: Path) -> None:
        """Wait until a set's files are those of a clean build."""
        clean = clean_outputs(folder)
        self.until(lambda: outputs(out / folder.name) == clean)

    def stop(self) -> int:
        """Stop it as Ctrl-C does and return its exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


@contextmanager
def watched(*paths: Path, out: Path, flags: tuple[str, ...] = (), **world: str) -> Iterator[Watched]:
    """Start a watch in a child of this process, wait until it has built once, and stop it at last."""
    log = out.parent / "watch.log"
    environment = {**os.environ, **world}
    with log.open("wb") as stream:
        streams = 0, 1, stream.fileno()
        child = begun(
            "watch", *paths, "--out", out, *flags, folder=out.parent, environment=environment, streams=streams
        )
    yield from _watching(child, log)


@contextmanager
def watched_by_a_process(*paths: Path, out: Path, root: Path = ROOT) -> Iterator[Watched]:
    """Do the same with a process of its own, and the program that lies in `root`."""
    log = out.parent / "watch.log"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "render", "watch", *paths, "--out", out],
            env={**os.environ, "PYTHONPATH": str(root)},
            cwd=out.parent,
            stderr=stream,
        )
    yield from _watching(process, log)


def _watching(process: Child | subprocess.Popen[bytes], log: Path) -> Iterator[Watched]:
    watch = Watched(process, log)
    try:
        watch.until_said("press Ctrl-C to stop")
        yield watch
    finally:
        process.kill()
        process.wait(PATIENCE)


def clean_outputs(folder: Path) -> dict[str, str]:
    """Return the files that a clean build of the set makes; they are left behind."""
    out = folder.parent / f".clean-{time.monotonic_ns()}"
    result = kotc("build", folder, "--out", out, "--workers", "1")
    assert result.exit_code == 0, result.output
    return outputs(out / folder.name)


def outputs(folder: Path) -> dict[str, str]:
    """Return the digest of every file, hidden ones too; none of the manifest, which also tells how it came about."""
    try:
        return {**tree(folder), ".kotc.json": ""}
    except (OSError, ValueError):  # it is just being written
        return {}
