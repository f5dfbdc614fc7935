"""Write files whole or not at all: a reader sees the old file or the new one, never a part. Several go all or none.

`below` is the folder that the user chose for outputs. From there on no link is followed, neither to a file nor to a
folder (see `reach`). Without `below`, that is the folder of the file. A file may lie elsewhere (see `addresses`).
"""

from __future__ import annotations

import errno
import os
import shlex
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import RLock
from types import MappingProxyType
from typing import Literal, TypeAlias

from render.base.addresses import Address, Place, write_far
from render.base.interrupts import before_end
from render.base.progress import stage
from render.base.reach import ON_ITS_WAY, Folder, LinkError, is_link, name_on_its_way, open_folder

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL

Paths: TypeAlias = "Path | str | Iterable[Path | str]"
"""One path, or several."""


def as_paths(paths: Paths) -> list[Path]:
    """Return one path or several as a list; a text is one path, and never its letters."""
    return [Path(paths)] if isinstance(paths, Path | str) else [Path(each) for each in paths]


def shortest(path: Path) -> str:
    """Return a path as it is, or from here if that is shorter."""
    relative = os.path.relpath(path) if path.drive == Path.cwd().drive else str(path)
    return min(str(path), relative, key=len)


def user_folder(kind: Literal["data", "config", "cache"]) -> Path | None:
    """Return the folder for the user's data, configuration or caches; None if this machine has none."""
    roaming = (
        "LOCALAPPDATA" if kind == "cache" else "APPDATA"
    )  # what may vanish need not follow its user to other machines
    if sys.platform == "win32" and os.environ.get(roaming):
        return Path(os.environ[roaming])
    folder = os.environ.get(f"XDG_{kind.upper()}_HOME", "")
    if Path(folder).is_absolute():  # a relative path must be ignored (XDG Base Directory Specification)
        return Path(folder)
    home = Path("~").expanduser()
    return home / {"data": ".local/share", "config": ".config", "cache": ".cache"}[kind] if home.is_absolute() else None


def permission_hint(error: BaseException, path: Path) -> str:
    """Return what to do where the system gives this account no right to a path; "" for any other error.

    Folders on the way are asked first: a file may be refused because its folder is.
    """
    if not isinstance(error, OSError) or error.errno not in (errno.EACCES, errno.EPERM):
        return ""
    if os.name != "posix":  # rights of Windows are rarely at fault: a file that is open in a program is refused, too
        return f"close the program that has `{path}` open, or let your account use it"
    with suppress(OSError, ValueError):  # this folder may be deleted by now, and the path elsewhere
        path = path.relative_to(Path.cwd())  # as one would type it here
    folders = [each for each in reversed(path.parents) if each.is_dir() and not os.access(each, os.X_OK)]
    if folders:
        place, right = folders[0], "look into the folder"
    elif path.exists() and not os.access(path, os.R_OK):
        place, right = path, "read it"
    else:
        place, right = next(each for each in (path, *path.parents) if each.is_dir()), "write there"
    rights, letters = (os.R_OK | os.W_OK | os.X_OK, "rwx") if place.is_dir() else (os.R_OK, "r")
    if os.access(place, rights):
        return ""
    if place.stat().st_uid == os.geteuid():
        return f"let your account {right}: `chmod u+{letters} {shlex.quote(str(place))}`"
    return f"`{place}` belongs to another account: ask for the right to {right}"


Contents = Callable[[], bytes | Iterable[bytes]]
"""Makes the bytes of a file, all at once or one part after the other."""


def replace_file(file: Place, data: bytes, below: Path | None = None) -> None:
    """Write `data` to `file` and make its folder if needed. On an error, OSError names `file` and the old file stays.

    The bytes go to a temporary file in the same folder, are flushed to the disk, and then take the name. An existing
    file keeps its mode. Anything but a regular file (a link, a pipe, a device) is not replaced.
    """
    replace_files([(file, lambda: data)], below)


class ChangedMeanwhile(OSError):
    """A file that was to be replaced holds something else by now; `filename` names it."""


def replace_files(
    files: Iterable[tuple[Place, Contents]],
    below: Path | None = None,
    held: Mapping[Path, bytes] = MappingProxyType({}),
) -> None:
    """Write all files or none, each as `replace_file` does. OSError names one of them and leaves all as they were.

    The bytes of each file are made when its turn comes, so that only one file, or part of one, is in memory at a time. Once all are on
    the disk, one after the other takes its name; if one cannot, those before it get their old contents back.
    Those in `held` are replaced only if they hold these bytes at that moment, or are not there for b"", while no other
    process that asks so replaces files in the same folders; else ChangedMeanwhile.
    """
    wanted, far = list[tuple[Path, Contents]](), list[tuple[Address, Contents]]()
    for file, data in files:
        far.append((file, data)) if isinstance(file, Address) else wanted.append((file, data))
    with stage("write", len(wanted) + len(far)), ExitStack() as locks, _exchanges(wanted, below) as exchanges:
        if far:
            write_far(far)
        for exchange, data in exchanges:
            exchange.prepare(data())
        if held:
            folders = {exchange.place: exchange.folder for exchange, _ in exchanges}
            for place in sorted(folders):  # in one order, or two processes would wait for each other
                locks.enter_context(folders[place].locked())
        with _NAMING:
            for exchange, _ in exchanges:
                if exchange.file in held:
                    exchange.check(held[exchange.file])
            for exchange, _ in exchanges[:-1]:  # once the last one has its name, nothing is left that could fail
                exchange.keep_old()
            for exchange, _ in exchanges:
                exchange.take_name()


def check_replaceable(file: Path, below: Path | None = None) -> None:
    """Make the folder of a file and try all that `replace_file` needs, changing no file; raise its OSError."""
    with _exchanges([(file, bytes)], below) as exchanges:
        exchanges[0][0].prepare(b"")


@contextmanager
def _exchanges(
    files: Iterable[tuple[Path, Contents]], below: Path | None
) -> Iterator[list[tuple[_Exchange, Contents]]]:
    """Give an exchange for each file, all of them looked at first; after an error, undo all of them."""
    wanted, folders = list(files), dict[Path, Folder]()
    with ExitStack() as stack:

        def enter(folder: Path, *, made: bool) -> None:
            if folder not in folders:
                try:
                    folders[folder] = stack.enter_context(open_folder(folder, below, made=made))
                except NotADirectoryError as error:
                    raise NotADirectoryError(error.errno, error.strerror, str(folder)) from None

        modes = []
        for file, _ in wanted:  # before any folder is made: what is in the way of one file stops them all
            with suppress(FileNotFoundError):
                enter(file.parent, made=False)
            modes.append(_mode_of(file, folders.get(file.parent)))
        for file, _ in wanted:
            enter(file.parent, made=True)
        exchanges = [
            (_Exchange(file, folders[file.parent], mode), data)
            for (file, data), mode in zip(wanted, modes, strict=True)
        ]
        try:
            with before_end(partial(_give_up, exchanges)):
                yield exchanges
        except BaseException:
            for exchange, _ in exchanges:
                exchange.undo()
            raise
        finally:
            for exchange, _ in exchanges:
                exchange.tidy()


_NAMING = RLock()  # while files of one job take their names


def _give_up(exchanges: Iterable[tuple[_Exchange, Contents]]) -> None:
    """Remove what waits to take a name; what is taking names goes on."""
    _NAMING.acquire(timeout=_NAMED)  # for ever: no other file takes its name
    for exchange, _ in exchanges:
        exchange.tidy()


_NAMED = 0.1  # seconds that it may take


def _mode_of(file: Path, folder: Folder | None) -> int | None:
    """Return the mode of a file that is to be replaced, None if there is none; OSError if it is no regular file."""
    status = folder.look(file.name) if folder else None
    if status is None:
        return None
    if is_link(status):
        raise LinkError(file)
    if stat.S_ISDIR(status.st_mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EEXIST, "not a file that can be replaced", str(file))
    return status.st_mode & 0o777


class _Exchange:
    """One file being replaced: the new one waits beside it under a temporary name, and so does the old one."""

    def __init__(self, file: Path, folder: Folder, mode: int | None) -> None:
        self.file, self.folder, self._mode = file, folder, mode
        self._new = self._old = ""
        self._taken = False

    @property
    def place(self) -> tuple[int, int]:
        """What tells the folder from others: two paths may lead to one."""
        found = self.folder.look(".")
        return (found.st_dev, found.st_ino) if found else (0, 0)

    def prepare(self, data: bytes | Iterable[bytes]) -> None:
        """Write the new file beside the old one and flush it to the disk."""
        with ExitStack() as opened:
            with self._naming():
                name = name_on_its_way(self.file.name)
                # A new file gets what the umask allows; one that replaces another is private until it has the old
                # one's mode.
                handle = self.folder.open(name, _NEW, 0o666 if self._mode is None else 0o600)
                self._new = name
                stream = opened.enter_context(os.fdopen(handle, "wb"))
            for part in (data,) if isinstance(data, bytes) else data:  # what fails in making it is not about this file
                with self._naming():
                    stream.write(part)
            with self._naming():
                stream.flush()
                os.fsync(stream.fileno())  # else a power cut after the rename could leave an empty file
                self._give_mode(stream.fileno())

    def check(self, held: bytes) -> None:
        """ChangedMeanwhile if the old file does not hold these bytes."""
        now = b""
        with suppress(FileNotFoundError), os.fdopen(self.folder.open(self.file.name, os.O_RDONLY), "rb") as old:
            now = old.read(len(held) + 1)
        if now != held:
            raise ChangedMeanwhile(errno.EBUSY, "it was changed meanwhile", str(self.file))

    def keep_old(self) -> None:
        """Keep the old file under a second name, or keep a copy of it."""
        if self._mode is None:
            return
        self._old = f"{self._new.removesuffix('.part')}.old"
        try:
            self.folder.link(self.file.name, self._old)
        except OSError:  # there are file systems without hard links
            with (
                self._naming(),
                os.fdopen(self.folder.open(self.file.name, os.O_RDONLY), "rb") as old,
                os.fdopen(self.folder.open(self._old, _NEW, 0o600), "wb") as copy,
            ):
                shutil.copyfileobj(old, copy)
                self._give_mode(copy.fileno())

    def take_name(self) -> None:
        """Let the new file take the name."""
        with self._naming():
            self.folder.rename(self._new, self.file.name)
        self._taken = True

    def undo(self) -> None:
        """Give the old file its name back. Errors here must not hide the error that led here."""
        with suppress(OSError):
            if self._taken and self._old:
                self.folder.rename(self._old, self.file.name)
            elif self._taken and self._mode is None:
                self.folder.remove(self.file.name)

    def tidy(self) -> None:
        """Remove the temporary files."""
        for name in ("" if self._taken else self._new, self._old):
            if name:
                with suppress(OSError):
                    self.folder.remove(name)

    def _give_mode(self, handle: int) -> None:
        if self._mode is not None and hasattr(os, "fchmod"):  # Windows has it from Python 3.13 on
            os.fchmod(handle, self._mode)

    @contextmanager
    def _naming(self) -> Iterator[None]:
        """Make an OSError name the file that the user asked for, not the temporary one beside it."""
        try:
            yield
        except LinkError:
            raise
        except OSError as error:
            raise OSError(error.errno, error.strerror or str(error), str(self.file)) from error


def check_no_link(file: Path, below: Path) -> None:
    """Raise LinkError if a file that is to be written, or a folder on the way to it, is a link."""
    with suppress(FileNotFoundError), open_folder(file.parent, below) as folder:
        found = folder.look(file.name)
        if found and is_link(found):
            raise LinkError(file)


def remove_file(file: Path, below: Path) -> None:
    """Remove a file; OSError if it cannot be done."""
    with open_folder(file.parent, below) as folder:
        folder.remove(file.name)


def remove_empty_folder(folder: Path, below: Path) -> None:
    """Remove a folder if it is empty."""
    with suppress(OSError), open_folder(folder.parent, below) as around:
        around.remove_folder(folder.name)


def flush_folder(folder: Path, below: Path | None = None) -> None:
    """Flush the names of the files in a folder to the disk, where the system can."""
    with suppress(OSError), open_folder(folder, below) as place:
        place.flush()


def remove_leftovers(folder: Path, below: Path) -> None:
    """Remove the temporary files that killed processes left in a folder and below. Those of live processes stay."""
    with suppress(OSError), open_folder(folder, below) as place:
        _remove_leftovers(place, deep=True)


def remove_leftovers_in(folders: Iterable[Path], of: str = "") -> None:
    """Remove the temporary files that killed processes left in these folders, and not below; only those `of` a file, if it is named."""
    for folder in sorted({*folders}):
        with suppress(OSError), open_folder(folder) as place:
            _remove_leftovers(place, deep=False, of=of)


def _remove_leftovers(folder: Folder, *, deep: bool, of: str = "") -> None:
    for name in folder.names():
        match = ON_ITS_WAY.fullmatch(name) if name.startswith(f".{of}") else None
        if not (deep or match):
            continue
        found = folder.look(name)
        if found is None or is_link(found):
            continue
        if stat.S_ISDIR(found.st_mode) and deep:
            with suppress(OSError), folder.folder(name) as inner:
                _remove_leftovers(inner, deep=True)
        if match and stat.S_ISREG(found.st_mode) and not is_running(int(match["process"])):
            with suppress(OSError):
                folder.remove(name)


def is_running(process: int) -> bool:
    """Return whether another process of that number runs.

    On Windows the answer is always no: it cannot be asked there, and Windows itself refuses to remove a file in use.
    """
    if sys.platform == "win32":
        return False
    try:
        os.kill(process, 0)  # signal 0 sends nothing: the system only checks that the process exists
    except ProcessLookupError:
        return False
    # PermissionError: the process exists and is somebody else's.
    except (OSError, OverflowError):
        return True
    return process != os.getpid()
