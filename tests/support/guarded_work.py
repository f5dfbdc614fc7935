"""What workers are asked to do in tests: what goes well, and what ends a worker."""

import os
import signal
import time
from collections.abc import Callable, Mapping
from mmap import mmap
from pathlib import Path


def give_back(*values: object) -> object:
    return values


def folder() -> str:
    """Return where the worker stands."""
    return os.getcwd()  # noqa: PTH109 - as libraries ask


def number() -> int:
    return os.getpid()


def spin(seconds: float = 1e9) -> int:
    """Take processor time."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
    return os.getpid()


def power() -> int:
    """Take processor time in one instruction."""
    return 9**99999999


def sleep() -> None:
    time.sleep(1e6)


def take_memory(size: int = 10**10) -> int:
    """Take memory of the system, and none that a forked process has left."""
    try:
        return len(mmap(-1, size))
    except OSError as error:
        raise MemoryError from error


def recurse(depth: int = 0) -> int:
    return recurse(depth + 1) + 1


def raise_error(words: str) -> None:
    raise LookupError(words)


def stop(name: str) -> None:
    os.kill(os.getpid(), getattr(signal, name))


def stop_once(file: str) -> str:
    """End the worker from outside, so to say, the first time."""
    if not Path(file).exists():
        Path(file).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return file


def print_words() -> str:
    print("words")
    os.write(1, b"more words")
    return "done"


def variable(name: str) -> str | None:
    return os.environ.get(name)


def open_files() -> list[str]:
    pipes = Path("/proc/self/fd").iterdir()
    return [str(each.readlink()) for each in pipes if os.path.lexists(each)]


ENDS: Mapping[str, tuple[Callable[..., object], tuple[object, ...]]] = {
    "time": (spin, ()), "one instruction": (power, ()), "memory": (take_memory, ()), "an abort": (stop, ("SIGABRT",)),
    "a fault": (stop, ("SIGSEGV",)), "each time from outside": (stop, ("SIGKILL",)),
}  # fmt: skip
