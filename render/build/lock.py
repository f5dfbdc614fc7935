"""One build at a time in a folder."""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from time import sleep

LOCK = ".kotc.lock"

_TRIES, _PAUSE = 10, 0.01  # seconds, for whoever took it to write its name


class Busy(OSError):  # noqa: N818 - it is a state of the folder, not a mistake
    """Another process is building in the folder; `strerror` says which, and `hint` what to do about it."""

    hint = "try again when it is done, or give another folder by --out"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder, which is made if need be; Busy, naming who holds it, if another process does.

    The system lets go of it when the process ends, however that comes about. A folder in which nothing was made is not
    left behind.
    """
    made = _make(folder)
    file = folder / LOCK
    held = _held(file)
    try:
        yield
    finally:
        with suppress(OSError):  # before it is let go: whoever opened it meanwhile finds that it has no name
            file.unlink()
        os.close(held)
        with suppress(OSError):  # Windows removes no file that is open
            file.unlink(missing_ok=True) if sys.platform == "win32" else None
        for each in reversed(made):
            with suppress(OSError):
                each.rmdir()


def _make(folder: Path) -> list[Path]:
    """Make the folder; return those that were not there, the outermost first."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing[::-1]


def _held(file: Path) -> int:
    """Return the open lock file, locked and with our name in it."""
    while True:
        handle = os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        try:
            if not _take(handle):
                raise Busy(errno.EAGAIN, _holder(handle), str(file.parent))
            if _is_at(handle, file):
                os.ftruncate(handle, 0)
                os.write(handle, json.dumps(_ourselves()).encode("utf-8"))
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)  # whoever held it has removed it meanwhile


def _is_at(handle: int, file: Path) -> bool:
    """Whether the open file still has that name."""
    try:
        return os.path.samestat(os.fstat(handle), file.stat())
    except FileNotFoundError:
        return False


def _ourselves() -> dict[str, object]:
    since = datetime.now().astimezone().isoformat(" ", "seconds")
    return {"pid": os.getpid(), "host": socket.gethostname(), "since": since}


def _holder(handle: int) -> str:
    """Return who holds the lock, as far as the file says: right after it was taken, it says nothing yet."""
    for _ in range(_TRIES):
        try:
            os.lseek(handle, 0, os.SEEK_SET)
            said = json.loads(os.read(handle, 4096))
            return f"process {said['pid']} on {said['host']} is building there since {said['since']}"
        except (OSError, ValueError, KeyError, TypeError):
            sleep(_PAUSE)
    return "another process is building there"


if sys.platform == "win32":
    import msvcrt

    _BEYOND = 1 << 20  # a locked byte cannot be read on Windows, so it is one behind the words

    def _take(handle: int) -> bool:
        os.lseek(handle, _BEYOND, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(handle, 0, os.SEEK_SET)
        return True
else:
    import fcntl

    def _take(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
