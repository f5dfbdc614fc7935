"""Writing files so that there is always an old or a new one, never a part of one; and of several, all or none."""

from __future__ import annotations

import errno
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def replace_file(file: Path, data: bytes) -> None:
    """Write `data` to `file`, making its folder if need be; OSError, naming `file`, leaves what was there as it was.

    The bytes go to a temporary file in the same folder, are flushed to the disk, and then take the name. A link is
    followed, an existing file keeps its mode, and what is no file (a pipe, a device) is not replaced.
    """
    replace_files([(file, lambda: data)])


def replace_files(files: Iterable[tuple[Path, Callable[[], bytes]]]) -> None:
    """Write all files or none, each as `replace_file` does; OSError, naming one of them, leaves all as they were.

    The bytes of a file are made when it is its turn, so that those of one at a time are in memory. Once all lie on the
    disk, one file after the other takes its name; if one cannot, those before it get their old contents back.
    """
    wanted = list(files)
    exchanges = [_Exchange(file) for file, _ in wanted]
    try:
        for exchange, (_, data) in zip(exchanges, wanted, strict=True):
            exchange.prepare(data())
        for exchange in exchanges[:-1]:  # once the last one has its name, nothing is left that could fail
            exchange.keep()
        for exchange in exchanges:
            exchange.make()
    except BaseException:
        for exchange in exchanges:
            exchange.undo()
        raise
    finally:
        for exchange in exchanges:
            exchange.tidy()


def check_replaceable(file: Path) -> None:
    """Make the folder of a file and try what `replace_file` needs there, changing no file; OSError as it raises it."""
    exchange = _Exchange(file)
    try:
        exchange.prepare(b"")
    finally:
        exchange.tidy()


def flush_folder(folder: Path) -> None:
    """Flush the names of the files in a folder to the disk, where the system can."""
    with suppress(OSError):  # Windows opens no folders
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def remove_leftovers(folder: Path) -> None:
    """Remove what killed processes left in a folder and below: files on their way that no living process has."""
    for path in sorted(folder.rglob(".*")):
        match = _ON_ITS_WAY.fullmatch(path.name)
        if match:
            _remove_leftover(path, int(match["process"]))


def remove_leftovers_of(files: Iterable[Path]) -> None:
    """Remove what killed processes left beside these files when they replaced them."""
    names: dict[Path, set[str]] = {}
    for file in files:
        names.setdefault(file.parent, set()).add(file.name)
    for folder in sorted(names):
        for path in sorted(folder.glob(".*")):
            match = _ON_ITS_WAY.fullmatch(path.name)
            if match and match["file"] in names[folder]:
                _remove_leftover(path, int(match["process"]))


def _remove_leftover(path: Path, process: int) -> None:
    if path.is_file() and not _is_running(process):
        with suppress(OSError):
            path.unlink()


_ON_ITS_WAY = re.compile(r"\.(?P<file>.+)\.kotc-(?P<process>\d+)-\w+\.(?:part|old)")


def _is_running(process: int) -> bool:
    """Whether there is a process of that number; Windows, which lets nobody remove a file in use, does not tell."""
    if sys.platform == "win32":
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return process != os.getpid()


class _Exchange:
    """A file on its way from old to new: the new one waits beside it, and the old one is kept there."""

    def __init__(self, file: Path) -> None:
        """Look at what is there; OSError if that cannot be replaced."""
        self.file = file
        self.target = file.resolve() if file.is_symlink() else file
        self.was_there = self.target.exists()
        self.new: Path | None = None
        self.old: Path | None = None
        self.made = False
        if self.was_there and not self.target.is_file():
            code = errno.EISDIR if self.target.is_dir() else errno.EEXIST
            reason = os.strerror(code) if self.target.is_dir() else "not a file that can be replaced"
            raise OSError(code, reason, str(file))

    def prepare(self, data: bytes) -> None:
        """Write the new file beside the old one and flush it to the disk."""
        self.target.parent.mkdir(parents=True, exist_ok=True)
        with _naming(self.file):
            start = f".{self.target.name}.kotc-{os.getpid()}-"
            handle, name = tempfile.mkstemp(prefix=start, suffix=".part", dir=self.target.parent)
            self.new = Path(name)
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            self.new.chmod(self.target.stat().st_mode & 0o7777 if self.was_there else 0o666 & ~_umask())

    def keep(self) -> None:
        """Give the old file a second name, or make a copy of it."""
        assert self.new is not None, "prepared before"
        if self.was_there:
            self.old = self.new.with_suffix(".old")
            try:
                self.old.hardlink_to(self.target)
            except OSError:  # there are file systems without hard links
                with _naming(self.file):
                    shutil.copy2(self.target, self.old)

    def make(self) -> None:
        """Let the new file take the name."""
        assert self.new is not None, "prepared before"
        with _naming(self.file):
            self.new.replace(self.target)
        self.made = True

    def undo(self) -> None:
        """Give the old file its name back; whatever fails here is not to hide what failed before."""
        with suppress(OSError):
            if self.made and self.old:
                self.old.replace(self.target)
            elif self.made and not self.was_there:
                self.target.unlink()

    def tidy(self) -> None:
        """Leave nothing beside the file."""
        for file in (self.new, self.old):
            if file is not None:
                with suppress(OSError):
                    file.unlink(missing_ok=True)


@contextmanager
def _naming(file: Path) -> Iterator[None]:
    """Let errors name the file that was asked for, not one beside it."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(file)) from error


def _umask() -> int:
    """Return the process's mask for the modes of new files, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
