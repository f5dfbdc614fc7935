"""Reaching files without being led elsewhere by links: in a folder that somebody chose, everything below it is plain.

A set comes from anywhere, and so may what lies in its folder of outputs. Each part of a path below a chosen folder is
opened by itself and never followed, and what is done then is done in the folder that is open, whatever its name leads
to by now. Where the system cannot do that (Windows), each part is looked at before.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from types import TracebackType

_BY_HANDLE = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")

_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)  # a pipe that nobody writes to is opened without waiting for somebody
_AS_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_FIND = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC if sys.platform == "linux" else None
_JUNCTION = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", None)


class LinkError(OSError):
    """A link lies where a file or folder is to be reached; `hint` says where it leads and what to do."""

    def __init__(self, path: Path, hint: str = "remove it") -> None:
        super().__init__(errno.ELOOP, "it is a link, and nothing is written through links", str(path))
        self.hint = f"it leads to `{shown(target(path))}`: {hint}"


def target(path: Path) -> str:
    """Return where a link leads, as it says; empty if it is none by now."""
    try:
        return os.readlink(path)
    except (OSError, ValueError):
        return ""


def shown(words: str) -> str:
    """Return the words with a mark for each character that does not show."""
    return "".join(char if char.isprintable() else "\ufffd" for char in words)


class Folder:
    """A folder that is open. What its methods do is done in it and to names in it, and no link is followed.

    Their OSError names the path.
    """

    def __init__(self, path: Path, handle: int | None) -> None:
        self.path = path
        self._handle = handle

    def __enter__(self) -> Folder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._handle is not None:
            os.close(self._handle)

    def look(self, name: str) -> os.stat_result | None:
        """Return how what has the name looks, a link as such; nothing if there is nothing."""
        try:
            if self._handle is None:
                return os.lstat(self.path / name)
            return os.stat(name, dir_fd=self._handle, follow_symlinks=False)
        except (OSError, ValueError):  # ValueError: no file can have that name
            return None

    def open(self, name: str, flags: int, mode: int = 0o666) -> int:
        """Open a file, at once; LinkError if it is a link."""
        with self._naming(name):
            if self._handle is not None:
                return os.open(name, flags | _PLAIN | _AT_ONCE, mode, dir_fd=self._handle)
            self._check(name)
            return os.open(self.path / name, flags | _PLAIN | _AT_ONCE, mode)

    def folder(self, name: str, *, made: bool = False) -> Folder:
        """Open a folder in this one, which is made if need be."""
        path = self.path / name
        with self._naming(name):
            if self._handle is None:
                self._check(name)
                if made:
                    path.mkdir(exist_ok=True)
                return Folder(path, None)
            if made and self.look(name) is None:
                with suppress(FileExistsError):
                    os.mkdir(name, dir_fd=self._handle)
            return Folder(path, _opened(name, self._handle, in_the_way=made))

    def rename(self, old: str, new: str) -> None:
        """Let a file take another name, from whichever has it."""
        with self._naming(new):
            if self._handle is None:
                os.replace(self.path / old, self.path / new)
            else:
                os.replace(old, new, src_dir_fd=self._handle, dst_dir_fd=self._handle)

    def link(self, old: str, new: str) -> None:
        """Give a file a second name."""
        with self._naming(old):
            if self._handle is None:
                os.link(self.path / old, self.path / new)
            else:
                os.link(old, new, src_dir_fd=self._handle, dst_dir_fd=self._handle, follow_symlinks=False)

    def remove(self, name: str) -> None:
        """Take a name away, a link's own if it is one."""
        with self._naming(name):
            if self._handle is None:
                os.unlink(self.path / name)
            else:
                os.unlink(name, dir_fd=self._handle)

    def remove_folder(self, name: str) -> None:
        """Remove an empty folder."""
        with self._naming(name):
            if self._handle is None:
                os.rmdir(self.path / name)
            else:
                os.rmdir(name, dir_fd=self._handle)

    def names(self) -> list[str]:
        """Return the names of all that is in it, sorted."""
        with self._naming("."):
            if self._handle is None:
                return sorted(os.listdir(self.path))
            reading = os.open(".", os.O_RDONLY | _PLAIN, dir_fd=self._handle)
            try:
                return sorted(os.listdir(reading))
            finally:
                os.close(reading)

    def flush(self) -> None:
        """Flush the names in it to the disk, where the system can."""
        with suppress(OSError):  # Windows opens no folders
            reading = os.open(".", os.O_RDONLY, dir_fd=self._handle) if _BY_HANDLE else os.open(self.path, os.O_RDONLY)
            try:
                os.fsync(reading)
            finally:
                os.close(reading)

    def _check(self, name: str) -> None:
        found = self.look(name)
        if found and is_link(found):
            raise LinkError(self.path / name)

    @contextmanager
    def _naming(self, name: str) -> Iterator[None]:
        """Let errors name the path, and say of a link that it is one."""
        try:
            yield
        except LinkError:
            raise
        except OSError as error:
            path = self.path / name
            if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):  # EMLINK: FreeBSD's word for a link
                self._check(name)
            raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def is_link(found: os.stat_result) -> bool:
    """Whether what looks like that leads elsewhere."""
    return stat.S_ISLNK(found.st_mode) or (
        _JUNCTION is not None and getattr(found, "st_reparse_tag", None) == _JUNCTION
    )


def opened(folder: Path, below: Path | None = None, *, made: bool = False) -> Folder:
    """Open a folder, which is made if need be; LinkError if it or one between it and `below` is a link.

    The way to `below`, which was chosen, is followed, but it is no link itself. Without it the folder was chosen, and
    may be one.
    """
    base = folder if below is None else below
    current = _chosen(base, follow=below is None, made=made)
    for part in folder.relative_to(base).parts:
        with current:
            current = current.folder(part, made=made)
    return current


def _chosen(base: Path, *, follow: bool, made: bool) -> Folder:
    try:
        if not follow and base.is_symlink():
            raise LinkError(base, "if outputs are to go there, name it by --out")
        if made and not base.is_dir():
            base.mkdir(parents=True, exist_ok=True)
        if not _BY_HANDLE:
            return Folder(base, None)
        return Folder(base, os.open(base, _AS_FOLDER | (0 if follow else os.O_NOFOLLOW)))
    except LinkError:
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(base)) from error


def _opened(name: str, within: int, *, in_the_way: bool) -> int:
    try:
        return os.open(name, _AS_FOLDER | _PLAIN, dir_fd=within)
    except NotADirectoryError:
        found = os.stat(name, dir_fd=within, follow_symlinks=False)
        if in_the_way and not is_link(found):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), name) from None
        raise


# --- reading --------------------------------------------------------------------------------------------------------


def open_regular(file: Path, below: Path | None = None) -> int:
    """Open a regular file for reading, at once; OSError if it is none or a link, as `opened` has it."""
    handle = None if below is None else _opened_straight(str(file))
    if handle is None:
        with opened(file.parent, below) as folder:
            handle = folder.open(file.name, os.O_RDONLY)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is not a regular file", str(file))
    return handle


def content(file: Path, largest: int, below: Path | None = None) -> bytes | None:
    """Return what a file holds that may be missing, be anything, or be larger than `largest` bytes: nothing then."""
    try:
        with os.fdopen(open_regular(file, below), "rb") as stream:
            held = stream.read(largest + 1)
    except (OSError, ValueError):  # ValueError: no file can have that name
        return None
    return held if len(held) <= largest else None


def open_real(file: Path) -> int:
    """Open a file for reading whose path was followed before: OSError if any part of it is a link by now."""
    handle = _opened_straight(str(file))
    if handle is not None:
        return handle
    try:
        with opened(file.parent, Path(file.anchor)) as folder:
            return folder.open(file.name, os.O_RDONLY)
    except LinkError as link:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(file)) from link


def _opened_straight(path: str) -> int | None:
    """Open a file for reading if the system says that it lies at just this path, so that no part of that is a link.

    Nothing if it does not say so: then each part is to be opened by itself, which takes ten times as long. What is at
    the path is only found at first, which does nothing to it, and is opened when it is known where it is.
    """
    if _FIND is None:
        return None
    try:
        found = os.open(path, _FIND)
    except (OSError, ValueError):  # ValueError: no file can have that name
        return None
    where = f"/proc/self/fd/{found}"
    try:
        if os.readlink(where) == path and not is_link(os.fstat(found)):
            return os.open(where, os.O_RDONLY | os.O_CLOEXEC | _AT_ONCE)
    except OSError:
        pass
    finally:
        os.close(found)
    return None


def real(file: Path, home: Path) -> Path | None:
    """Return the path of a file of a set with all links followed; nothing if they lead out of it.

    `home` is the set's folder. What lies with it in the work tree of one git repository, and is not hidden, is not out
    of it: sets of a repository may share their templates.
    """
    try:
        path, root = os.path.realpath(file), os.path.realpath(home)
    except (OSError, ValueError):
        return None
    if _is_in(path, root):
        return Path(path)
    tree = _work_tree(root)
    if tree is None or not _is_in(path, tree):
        return None
    hidden = any(part.startswith(".") for part in Path(path).relative_to(tree).parts)
    return None if hidden else Path(path)


def led_out(file: Path, whence: str) -> str:
    """Return in words how a file leads out of somewhere: it is a link itself, or lies behind one."""
    how = "is a link" if file.is_symlink() else "lies behind a link"
    return f"{how} out of {whence}, to `{shown(os.path.realpath(file))}`"


def _is_in(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)


@lru_cache(maxsize=256)
def _work_tree(folder: str) -> str | None:
    """Return the work tree of git in which a folder lies; one that is all that the user has is none of sets."""
    place = Path(folder)
    found = next((each for each in (place, *place.parents) if (each / ".git").exists()), None)
    return str(found) if found and str(found) not in (found.anchor, os.path.realpath(Path("~").expanduser())) else None
