"""The lock that lets one build at a time run in a folder."""

from __future__ import annotations

import errno
import json
import os
import platform
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from time import sleep

from render.base.files import is_running, remove_empty_folder
from render.base.reach import Folder, open_folder
from render.build.state import sealed_values

LOCK = ".kotc.lock"

_TRIES, _PAUSE = 10, 0.01  # seconds between tries, while the holder writes its name
_TRIES_OF_THE_GONE = 200


class Busy(OSError):
    """Another process is building in the folder; `strerror` says which, and `hint` what to do."""

    hint = "try again when it is done, or choose another folder with --out"


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold the folder, made if needed; Busy, naming the holder, if another process has it.

    The system releases the lock when the process ends, however that happens. A folder in which nothing was made is
    removed.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        with open_folder(folder, folder.parent, made=True) as place, _held_in(place):
            yield
    finally:
        for each in missing:
            remove_empty_folder(each, each.parent)


@contextmanager
def _held_in(folder: Folder) -> Iterator[None]:
    held = _held(folder)
    try:
        yield
    finally:
        with suppress(OSError):  # before the lock is released: whoever has opened the file finds that it has no name
            folder.remove(LOCK)
        os.close(held)
        with suppress(OSError):  # Windows cannot remove an open file
            folder.remove(LOCK) if sys.platform == "win32" else None


def _held(folder: Folder) -> int:
    """Return the open lock file, locked and with our name in it; OSError if what is there is not a file of ours."""
    patience = _TRIES_OF_THE_GONE
    while True:
        handle = folder.open(LOCK, os.O_RDWR | os.O_CREAT)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise OSError(errno.EEXIST, "not a file that can be written to", str(folder.path / LOCK))
            if not _take(handle):
                holder, patience = _holder(handle), patience - 1
                # Children of a killed build keep its lock until they end, which they are about to do.
                if not patience or not _is_gone(holder):
                    raise Busy(errno.EAGAIN, _said(holder), str(folder.path))
                sleep(_PAUSE)
            elif os.fstat(handle).st_nlink > 1:  # its contents are somebody's, under another name
                folder.remove(LOCK)
            # Opened before the former holder removed it, it would be a lock that nobody else can see.
            elif _is_at(handle, folder):
                os.ftruncate(handle, 0)
                os.write(handle, json.dumps(_ourselves()).encode("utf-8"))
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)  # the former holder has removed it meanwhile


def _is_at(handle: int, folder: Folder) -> bool:
    """Return whether the open file still has that name."""
    found = folder.look(LOCK)
    return found is not None and os.path.samestat(os.fstat(handle), found)


def _ourselves() -> dict[str, object]:
    since = datetime.now().astimezone().isoformat(" ", "seconds")
    # As socket.gethostname gives it; importing `socket` would be 4 % of a build with nothing to do.
    return {"pid": os.getpid(), "host": platform.node(), "since": since}


Holder = tuple[int, str, str]


def _holder(handle: int) -> Holder | None:
    """Return the holder that the file names; None while the holder has not written it yet."""
    for _ in range(_TRIES):
        try:
            os.lseek(handle, 0, os.SEEK_SET)
            said = sealed_values.loaded(os.read(handle, 4096))
            return sealed_values.whole(said["pid"]), sealed_values.word(said["host"]), sealed_values.word(said["since"])
        except (OSError, *sealed_values.NOT_EXACT):
            sleep(_PAUSE)
    return None


def _is_gone(holder: Holder | None) -> bool:
    """Return whether the holder was a process of this machine that has ended; its children are about to end."""
    return (
        holder is not None
        and holder[0] != os.getpid()
        and holder[1] == platform.node()  # on a shared disk, the number is one of another machine
        and not is_running(holder[0])
    )


def _said(holder: Holder | None) -> str:
    if holder is None:
        return "another process is building there"
    pid, host, since = holder
    return f"process {pid} on {host} has been building there since {since}"


if sys.platform == "win32":
    import msvcrt

    _BEYOND = 1 << 20  # on Windows a locked byte cannot be read, so one behind the text is locked

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
