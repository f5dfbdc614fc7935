"""What a file of sheets tells its readers: its ticket, the words on its pages, and how it asks to be printed."""

import json
from pathlib import Path
from typing import Any, cast

import pypdfium2
from pikepdf import Pdf


def ticket(file: Path) -> dict[str, Any]:
    """Return what the file says of itself."""
    with Pdf.open(file) as pdf:
        return cast("dict[str, Any]", json.loads(str(pdf.Root.PieceInfo.kotc.Private)))


def pages(file: Path) -> list[str]:
    """Return the words of each page."""
    return [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(file)]


def asked_of_printers(file: Path) -> tuple[str, str]:
    """Return how the file asks to be scaled, and which sides of the paper it asks to be printed on."""
    with Pdf.open(file) as pdf:
        wishes = pdf.Root.ViewerPreferences
        return str(wishes.PrintScaling), str(wishes.Duplex)
