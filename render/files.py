"""Writing files so that there is always an old or a new one, never a part of one."""

from __future__ import annotations

import errno
import os
import tempfile
from contextlib import suppress
from pathlib import Path


def replace_file(file: Path, data: bytes) -> None:
    """Write `data` to `file`, making its folder if need be; OSError, naming `file`, leaves what was there as it was.

    The bytes go to a temporary file in the same folder, are flushed to the disk, and then take the name. A link is
    followed, an existing file keeps its mode, and what is no file (a pipe, a device) is not replaced.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    target = file.resolve() if file.is_symlink() else file
    if target.exists() and not target.is_file():
        code = errno.EISDIR if target.is_dir() else errno.EEXIST
        raise OSError(code, os.strerror(code) if target.is_dir() else "not a file that can be replaced", str(file))
    try:
        _replace(target, data)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(file)) from error


def _replace(file: Path, data: bytes) -> None:
    handle, temporary = tempfile.mkstemp(prefix=f".{file.name}.", suffix=".part", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(file.stat().st_mode & 0o7777 if file.exists() else 0o666 & ~_umask())
        Path(temporary).replace(file)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise


def _umask() -> int:
    """Return the process's mask for the modes of new files, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
