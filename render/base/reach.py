"""Open files without being led elsewhere by links: below the folder that the user chose, no link is followed.

A set may come from anybody, and so may what lies in its folder of outputs. Each part of a path below the chosen folder
is opened by itself, without following links, and later steps use the open folder, whatever its name leads to by then.
Where the system cannot do that (Windows), each part is checked before it is used.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType

from render.base.caches import cached
from render.base.findings import printable
from render.base.patterns import regex

ON_ITS_WAY = regex(r"\..+\.kotc-(?P<process>[0-9]{1,18})-\w+\.(?:part|old)")
"""The names that files have until they are whole: `.card.png.kotc-1234-89abcdef.part`; 18 digits fit any process id."""


def name_on_its_way(name: str) -> str:
    """Return such a name, which no other file has, for a file that this process makes."""
    return f".{name}.kotc-{os.getpid()}-{os.urandom(4).hex()}.part"


# POSIX openat() and its kin: a name is looked up in an open folder, so nobody can exchange the folder in between.
_BY_HANDLE = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")

_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)  # else opening a pipe waits for somebody who writes to it
_AS_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
# O_PATH opens nothing: it only finds the file, so a device is not touched (Linux, open(2)).
_FIND = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC if sys.platform == "linux" else None
_JUNCTION = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", None)  # a junction of NTFS leads elsewhere as a link does


class LinkError(OSError):
    """A link lies where a file or folder is to be reached; `hint` says where it leads and what to do."""

    def __init__(self, path: Path, hint: str = "remove it") -> None:
        super().__init__(errno.ELOOP, "it is a link, and nothing is written through links", str(path))
        self.hint = f"it leads to `{printable(link_target(path))}`: {hint}"


def link_target(path: Path) -> str:
    """Return where a link leads, as stored in it; empty if it is no link any more."""
    try:
        return os.readlink(path)
    except (OSError, ValueError):
        return ""


class Folder:
    """An open folder. Its methods act on names inside it and follow no link; their OSErrors name the path."""

    def __init__(self, path: Path, handle: int | None) -> None:
        self.path = path
        self._handle = handle

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: object) -> None:
        if self._handle is not None:
            os.close(self._handle)

    def look(self, name: str) -> os.stat_result | None:
        """Return the status of what has the name, of a link itself; None if there is nothing."""
        try:
            return os.stat(self._at(name), dir_fd=self._handle, follow_symlinks=False)
        except (OSError, ValueError):  # ValueError: no file can have that name
            return None

    def open(self, name: str, flags: int, mode: int = 0o666) -> int:
        """Open a file without waiting; LinkError if it is a link."""
        with self._naming(name):
            if self._handle is None:
                self._check(name)
            return os.open(self._at(name), flags | _PLAIN | _AT_ONCE, mode, dir_fd=self._handle)

    def folder(self, name: str, *, made: bool = False) -> Folder:
        """Open a folder inside this one, made first if `made`."""
        with self._naming(name):
            if self._handle is None:
                self._check(name)
            if made and self.look(name) is None:
                with suppress(FileExistsError):
                    os.mkdir(self._at(name), dir_fd=self._handle)
            if self._handle is None:
                return Folder(self.path / name, None)
            try:
                return Folder(self.path / name, os.open(name, _AS_FOLDER | _PLAIN, dir_fd=self._handle))
            except NotADirectoryError:
                found = self.look(name)
                if made and found and not is_link(found):
                    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), name) from None
                raise

    def rename(self, old: str, new: str) -> None:
        """Replace the file `new` by the file `old`."""
        with self._naming(new):
            os.replace(self._at(old), self._at(new), src_dir_fd=self._handle, dst_dir_fd=self._handle)

    def link(self, old: str, new: str) -> None:
        """Give a file a second name (a hard link)."""
        with self._naming(old):
            follow = os.link not in os.supports_follow_symlinks
            handle = self._handle
            os.link(self._at(old), self._at(new), src_dir_fd=handle, dst_dir_fd=handle, follow_symlinks=follow)

    def remove(self, name: str) -> None:
        """Remove a name; of a link, the link itself."""
        with self._naming(name):
            os.unlink(self._at(name), dir_fd=self._handle)

    def remove_folder(self, name: str) -> None:
        """Remove an empty folder."""
        with self._naming(name):
            os.rmdir(self._at(name), dir_fd=self._handle)

    def names(self) -> list[str]:
        """Return the names inside, sorted."""
        with self._naming("."):
            if self._handle is None:
                return sorted(os.listdir(self.path))
            # O_PATH handles cannot be listed, so the folder is opened again.
            reading = os.open(".", os.O_RDONLY | _PLAIN, dir_fd=self._handle)
            try:
                return sorted(os.listdir(reading))
            finally:
                os.close(reading)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Wait until no other process has the folder locked, and lock it; do nothing where the system cannot."""
        with ExitStack() as stack:
            with suppress(OSError, ImportError):  # Windows locks no folders
                import fcntl

                reading = os.open(self._at("."), os.O_RDONLY, dir_fd=self._handle)
                stack.callback(os.close, reading)
                fcntl.flock(reading, fcntl.LOCK_EX)
            yield

    def flush(self) -> None:
        """Flush the names inside to the disk, where the system can: a rename lasts only once its folder is flushed."""
        with suppress(OSError):  # Windows opens no folders
            reading = os.open(self._at("."), os.O_RDONLY, dir_fd=self._handle)
            try:
                os.fsync(reading)
            finally:
                os.close(reading)

    def _at(self, name: str) -> str | Path:
        """Return what means the name to the system: itself in the open folder, or its path."""
        return self.path / name if self._handle is None else name

    def _check(self, name: str) -> None:
        found = self.look(name)
        if found and is_link(found):
            raise LinkError(self.path / name)

    @contextmanager
    def _naming(self, name: str) -> Iterator[None]:
        """Make errors name the path, and turn those that a link causes into LinkError."""
        try:
            yield
        except LinkError:
            raise
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):  # EMLINK: FreeBSD's answer to O_NOFOLLOW
                self._check(name)
            raise OSError(error.errno, error.strerror or str(error), str(self.path / name)) from error


def is_link(found: os.stat_result) -> bool:
    """Return whether such a file is a link or a junction."""
    return stat.S_ISLNK(found.st_mode) or (
        _JUNCTION is not None and getattr(found, "st_reparse_tag", None) == _JUNCTION
    )


def open_folder(folder: Path, below: Path | None = None, *, made: bool = False) -> Folder:
    """Open a folder, made first if `made`; LinkError if it, or a folder between it and `below`, is a link.

    Links on the way to `below` are followed, since the user chose it, but it must be no link itself. Without `below`
    the user chose `folder`, which may then be a link.
    """
    base, follow = (folder, True) if below is None else (below, False)
    try:
        if not follow and base.is_symlink():
            raise LinkError(base, "to write there, name the folder with --out")
        if made and not base.is_dir():
            base.mkdir(parents=True, exist_ok=True)
        handle = os.open(base, _AS_FOLDER | (0 if follow else os.O_NOFOLLOW)) if _BY_HANDLE else None
    except LinkError:
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(base)) from error
    current = Folder(base, handle)
    for part in folder.relative_to(base).parts:
        with current:
            current = current.folder(part, made=made)
    return current


# --- reading --------------------------------------------------------------------------------------------------------


def open_regular(file: Path, below: Path | None = None) -> int:
    """Open a regular file to read, without waiting; OSError if it is something else or a link (see `open_folder`)."""
    handle = None if below is None else _opened_straight(str(file))
    if handle is None:
        with open_folder(file.parent, below) as folder:
            handle = folder.open(file.name, os.O_RDONLY)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is not a regular file", str(file))
    return handle


def read_bounded(file: Path, largest: int, below: Path | None = None) -> bytes | None:
    """Return the bytes of a file; None if it is missing, no regular file, or larger than `largest` bytes."""
    try:
        with os.fdopen(open_regular(file, below), "rb") as stream:
            held = stream.read(largest + 1)
    except (OSError, ValueError):  # ValueError: no file can have that name
        return None
    return held if len(held) <= largest else None


def sha256(file: Path, below: Path | None = None) -> str:
    """Return the SHA-256 of a file; "" if it does not exist or cannot be read.

    Of an output, `below` is the folder of all outputs, from which on no link is followed.
    """
    try:
        with os.fdopen(open_regular(file, below), "rb") as stream:
            # Outputs are ours and may be as large as they are.
            if below is None and os.fstat(stream.fileno()).st_size > _LARGEST_INPUT:
                return ""
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (OSError, ValueError):  # ValueError: no file can have that name
        return ""


_LARGEST_INPUT = 64 << 20  # bytes: a larger file is no usable input, and takes long to read


def open_real(file: Path) -> int:
    """Open a file for reading by a path that `real_path` has resolved; OSError if a part of it has become a link."""
    handle = _opened_straight(str(file))
    if handle is not None:
        return handle
    try:
        with open_folder(file.parent, Path(file.anchor)) as folder:
            return folder.open(file.name, os.O_RDONLY)
    except LinkError as link:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(file)) from link


def _opened_straight(path: str) -> int | None:
    """Open a file for reading if Linux confirms that it lies at exactly this path, so that no part is a link.

    None if it does not: then each part must be opened by itself, which takes ten times as long. The file is only found
    at first (O_PATH), which does nothing to it, and opened once its true path is known.
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


def real_path(file: Path, home: Path) -> Path | None:
    """Return the path of a set's file with all links followed; None if they lead out of the set.

    `home` is the set's folder. Files in the same git work tree count as inside unless hidden, since sets of one
    repository may share templates.
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
    # Such as .git itself, .env or .ssh: never content of a set.
    hidden = any(part.startswith(".") for part in Path(path).relative_to(tree).parts)
    return None if hidden else Path(path)


def describe_escape(file: Path, whence: str) -> str:
    """Return in words how links lead a file out of `whence`: it is a link itself, or lies behind one."""
    how = "is a link" if file.is_symlink() else "lies behind a link"
    return f"{how} out of {whence}, to `{printable(os.path.realpath(file))}`"


def _is_in(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)


@cached(256)
def _work_tree(folder: str) -> str | None:
    """Return the git work tree around a folder.

    None if it is the home folder or the root, which hold more than sets.
    """
    place = Path(folder)
    found = next((each for each in (place, *place.parents) if (each / ".git").exists()), None)
    return str(found) if found and str(found) not in (found.anchor, os.path.realpath(Path("~").expanduser())) else None


# --- what an editor has not saved -------------------------------------------------------------------------------------


_UNSAVED: ContextVar[Mapping[str, str]] = ContextVar("unsaved", default=MappingProxyType({}))


@contextmanager
def with_unsaved(texts: Mapping[str, str]) -> Iterator[None]:
    """Let YAML files, in this thread and until the block ends, be read as if they held these texts.

    The keys are the real paths of the files, without links (`os.path.realpath`).
    """
    token = _UNSAVED.set(texts)
    try:
        yield
    finally:
        _UNSAVED.reset(token)


def unsaved_change(file: Path) -> bytes | None:
    """Return the bytes that lie over a file if it has others; None without any."""
    content = unsaved_content(file)
    with suppress(OSError):
        return None if content is None or content == file.read_bytes() else content
    return content


def unsaved_content(file: Path) -> bytes | None:
    """Return the bytes that lie over a file; None without any."""
    texts = _UNSAVED.get()
    text = texts.get(os.path.realpath(file)) if texts else None
    return None if text is None else text.encode("utf-8", "surrogatepass")
