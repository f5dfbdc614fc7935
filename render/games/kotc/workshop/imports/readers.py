"""Which reader makes a card of a file: by how the file begins, and not by its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from render.base.findings import Diagnostic, Refused, Span, listed
from render.games.kotc.workshop.imports.imported import ImportedCard

ReadFile = Callable[[Path, bytes], ImportedCard]
"""Makes a card of a file's bytes; Refused with what is wrong if it cannot."""


@dataclass(frozen=True, slots=True)
class FileReader:
    """A kind of file: what such files are called, how each begins, and the function of a module that reads it.

    The module is imported when there is such a file: most need libraries that the others do without.
    """

    called: str
    begins: tuple[bytes, ...]
    module: str
    function: str

    def load(self) -> ReadFile:
        """Import the function."""
        found: ReadFile = getattr(import_module(self.module), self.function)
        return found


# The first bytes of a PNG (PNG 5.2) and of a JPEG (ISO 10918-1, B.1.1.3).
_PICTURES = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"

READERS = (
    FileReader("GIMP files", (b"gimp xcf ",), "render.games.kotc.workshop.imports.xcf.cards", "read_xcf_card"),
    FileReader(
        "pictures of cards (PNG, JPEG)",
        _PICTURES,
        "render.games.kotc.workshop.recognition.card_reading",
        "read_picture_card",
    ),
)
"""All kinds of files that cards can be made of."""


def reader_of(file: Path, data: bytes) -> ReadFile:
    """Return the function that reads a file; Refused if it is of no known kind."""
    for reader in READERS:
        if data.startswith(reader.begins):
            return reader.load()
    kinds = listed([reader.called for reader in READERS]).replace("`", "")
    message = f"`{file}` is of a kind that no card can be made of"
    raise Refused([Diagnostic("X011", message, f"cards are made of {kinds}").at(Span(file=file))])
