"""Numbers and words of a GIMP file, read in order. Nothing is read beyond the end of the file."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from render.images.xcf.broken import BrokenXcf


@dataclass(slots=True)
class Cursor:
    """A place in the bytes of a file; reading moves it on. `wide` says that pointers have 64 bits (from v11 on)."""

    data: bytes
    at: int
    wide: bool = False

    def moved(self, at: int) -> Cursor:
        """Return a cursor at another place; BrokenXcf if the file has no such place."""
        if not 0 < at < len(self.data):
            raise BrokenXcf("X002", f"points to byte {at}, and has {len(self.data)} bytes", self.at)
        return Cursor(self.data, at, self.wide)

    def take(self, count: int) -> bytes:
        """Return that many bytes; BrokenXcf if the file ends before."""
        end = self.at + count
        if count < 0 or end > len(self.data):
            raise BrokenXcf("X002", "ends too early", self.at)
        taken = self.data[self.at : end]
        self.at = end
        return taken

    def number(self) -> int:
        """Return a whole number of 32 bits without sign."""
        return int.from_bytes(self.take(4))

    def signed(self) -> int:
        """Return a whole number of 32 bits with sign."""
        return int.from_bytes(self.take(4), signed=True)

    def real(self) -> float:
        """Return a number of single precision."""
        return float(struct.unpack(">f", self.take(4))[0])

    def pointer(self) -> int:
        """Return an offset into the file; 0 stands for none, and ends lists."""
        return int.from_bytes(self.take(8 if self.wide else 4))

    def words(self) -> str:
        """Return a text: its length with the zero byte that ends it, then UTF-8."""
        start = self.at
        try:
            return self.take(self.number()).rstrip(b"\0").decode("utf-8")
        except UnicodeDecodeError:
            raise BrokenXcf("X006", "has a name that is not UTF-8", start) from None
