"""Bytes that need not stay in memory: a temporary file without a name, which ends with the last that is kept in it."""

from __future__ import annotations

import os
from threading import Lock
from typing import BinaryIO

from msgspec import Struct


class Spill:
    """Such a file. Nobody but this process, and those forked from it, can read it; and only this one writes."""

    def __init__(self) -> None:
        self._file: BinaryIO | None = None
        self._length = 0
        self._lock = Lock()

    def put(self, data: bytes) -> Part:
        """Put bytes into the file. OSError, which names the folder, if the disk is full."""
        from tempfile import TemporaryFile, gettempdir

        with self._lock:
            try:
                if self._file is None:
                    self._file = TemporaryFile(buffering=0)  # noqa: SIM115 - as said
                self._file.seek(self._length)
                left = memoryview(data)
                while left:  # of the last bytes that have room, a disk takes a part before it says that it is full
                    left = left[self._file.write(left) :]
            except OSError as error:
                raise OSError(error.errno, error.strerror, gettempdir()) from None
            begin, self._length = self._length, self._length + len(data)
        return Part(self, begin, len(data))

    def read(self, begin: int, length: int) -> bytes:
        """Return bytes that were put there."""
        assert self._file
        if hasattr(os, "pread"):  # which leaves alone the place in the file that forked processes share
            return os.pread(self._file.fileno(), length, begin)
        with self._lock:
            self._file.seek(begin)
            return self._file.read(length)


class Part(Struct, frozen=True):
    """Bytes in such a file."""

    file: Spill
    begin: int
    length: int

    def read(self) -> bytes:
        """Return them."""
        return self.file.read(self.begin, self.length)
