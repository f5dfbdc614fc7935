"""The lock that lets one build at a time run in a folder."""

from __future__ import annotations

import errno
import os
import platform
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from time import sleep

import msgspec

from render.base.files import is_running, remove_empty_folder
from render.base.reach import Folder, open_folder

LOCK = ".kotc.lock"

_TRIES, _PAUSE = 10, 0.01  # seconds between tries, while the holder writes its name
_TRIES_OF_THE_GONE = 200  # while the children of a killed build are about to end


class Busy(OSError):
    """Another process is building in the folder; `strerror` says which, and `hint` what to do."""

    hint = "try again when it is done, or choose another folder with --out"


class Holder(msgspec.Struct):
    """The process that holds a folder."""

    pid: int
    host: str
    since: str


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold the folder, made if needed; Busy, naming the holder, if another process has it.

    The system releases the lock when the process ends, however that happens. A folder in which nothing was made is
    removed.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        with open_folder(folder, folder.parent, made=True) as place:
            handle = _hold(place)
            try:
                yield
            finally:
                with suppress(OSError):  # before the lock is released: whoever has opened it finds that it has no name
                    place.remove(LOCK)
                os.close(handle)
                with suppress(OSError):  # Windows cannot remove an open file
                    place.remove(LOCK) if sys.platform == "win32" else None
    finally:
        for each in missing:
            remove_empty_folder(each, each.parent)


def _hold(folder: Folder) -> int:
    """Return the open lock file, locked and with our name in it; OSError if what is there is not a file of ours."""
    tries = 0
    while True:
        handle = folder.open(LOCK, os.O_RDWR | os.O_CREAT)
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(errno.EEXIST, "not a file that can be written to", str(folder.path / LOCK))
            if not _lock(handle):
                tries += 1
                _wait_for(handle, tries, folder)
            elif status.st_nlink > 1:  # its contents are somebody's, under another name
                folder.remove(LOCK)
            # Opened before the former holder removed it, it would be a lock that nobody else can see.
            elif (found := folder.look(LOCK)) and os.path.samestat(status, found):
                # socket.gethostname would give the same; importing `socket` is 4 % of a build with nothing to do.
                since = datetime.now().astimezone().isoformat(" ", "seconds")
                os.ftruncate(handle, 0)
                os.write(handle, msgspec.json.encode(Holder(os.getpid(), platform.node(), since)))
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _wait_for(handle: int, tries: int, folder: Folder) -> None:
    """Wait a moment if the holder has not written its name yet, or has ended; else, and after many tries, Busy."""
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        holder = msgspec.json.decode(os.read(handle, 4096), type=Holder)
    except (OSError, ValueError, RecursionError):
        if tries > _TRIES:
            raise Busy(errno.EAGAIN, "another process is building there", str(folder.path)) from None
    else:
        is_ours = holder.host == platform.node()  # on a shared disk, the number may be one of another machine
        is_gone = is_ours and holder.pid != os.getpid() and not is_running(holder.pid)
        if not is_gone or tries > _TRIES_OF_THE_GONE:
            words = f"process {holder.pid} on {holder.host} has been building there since {holder.since}"
            raise Busy(errno.EAGAIN, words, str(folder.path))
    sleep(_PAUSE)


if sys.platform == "win32":
    import msvcrt

    _BEYOND = 1 << 20  # on Windows a locked byte cannot be read, so one behind the text is locked

    def _lock(handle: int) -> bool:
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

    def _lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
