"""Whether a file is one plain PDF, found out before any of it is unpacked.

What is packed in object streams is unpacked by any reader as soon as it opens the file, however much it is. `kotc`
packs none, and writes a file once: one table of objects, nothing added later.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import BinaryIO

from render.verify.reading.faults import MAKE_AGAIN, NotReadable

_TAIL = 2048  # bytes: a reader looks for the place of the table in the last thousand
_LARGEST_TABLE = 16_000_000  # bytes, at 20 an object


def check(path: Path) -> None:
    """Refuse a file that is not one plain PDF, by NotReadable; OSError if it cannot be read at all."""
    with _opened(path) as file:
        if b"%PDF-" not in file.read(1024):
            raise NotReadable("Q001", "it is not a PDF")
        file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
        end = re.search(rb"startxref\s+(\d{1,15})\s+%%EOF\s*\Z", file.read())
        if end is None:
            raise NotReadable("Q001", "it is cut off: its end is missing", MAKE_AGAIN)
        file.seek(int(end[1]))
        table, _, trailer = file.read(_LARGEST_TABLE).partition(b"trailer")
    if not table.startswith(b"xref") or not trailer or b"/XRefStm" in trailer or b"#" in trailer:
        raise NotReadable("Q003", "it was not written by kotc, or was saved again by another program", MAKE_AGAIN)
    if b"/Prev" in trailer:
        raise NotReadable("Q003", "it was changed after it was written", MAKE_AGAIN)


def _opened(path: Path) -> BinaryIO:
    """Open a file; what is no file, and could keep its reader waiting for ever, is refused."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotReadable("Q001", "it is not a file")
    return os.fdopen(descriptor, "rb")
