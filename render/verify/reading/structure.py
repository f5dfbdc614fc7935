"""Whether a file is one plain PDF, found out before any of it is unpacked.

Any reader unpacks object streams as soon as it opens a file, however large they are. `kotc` writes none, and writes a
file once: one table of objects, nothing added later.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import BinaryIO

from render.verify.reading.faults import MAKE_AGAIN, NotReadable

_TAIL = 2048  # bytes: readers look for the place of the table in the last thousand
_LARGEST_TABLE = 16_000_000  # bytes, at 20 for each object (ISO 32000-1, 7.5.4)


def check(path: Path) -> None:
    """Raise NotReadable for a file that is not one plain PDF; OSError if it cannot be read at all."""
    with _opened(path) as file:
        if b"%PDF-" not in file.read(1024):
            raise NotReadable("Q001", "it is not a PDF")
        file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
        end = re.search(rb"startxref\s+(\d{1,15})\s+%%EOF\s*\Z", file.read())
        if end is None:
            raise NotReadable("Q001", "it is cut off: its end is missing", MAKE_AGAIN)
        file.seek(int(end[1]))
        table, _, trailer = file.read(_LARGEST_TABLE).partition(b"trailer")
    # XRefStm points to a compressed table (7.5.8.4); `#` can hide a key (7.3.5).
    if not table.startswith(b"xref") or not trailer or b"/XRefStm" in trailer or b"#" in trailer:
        raise NotReadable("Q003", "it was not written by kotc, or was saved again by another program", MAKE_AGAIN)
    if b"/Prev" in trailer:  # Prev points to an earlier table: the file was changed by an update (7.5.6)
        raise NotReadable("Q003", "it was changed after it was written", MAKE_AGAIN)


def _opened(path: Path) -> BinaryIO:
    """Open a file; refuse anything else, which could keep its reader waiting forever."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotReadable("Q001", "it is not a file")
    return os.fdopen(descriptor, "rb")
