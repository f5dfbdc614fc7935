"""Page files of any format: HTML, flat OpenDocument text, plain text. The format is told by the content."""

from __future__ import annotations

import re
from pathlib import Path

from render.base.findings import Diagnostic, Refused, Span
from render.games.kotc.workshop.pages.markup import parse_markup
from render.games.kotc.workshop.pages.opendocument import parse_opendocument
from render.games.kotc.workshop.pages.plain_text import parse_plain_text
from render.games.kotc.workshop.pages.tree import MarkupPage
from render.source import reader
from render.source.nodes import span

_XML = re.compile(r"\s*<\?xml\b|\s*<office:document\b")
_HTML = re.compile(r"\s*(?:<!--.*?-->\s*)*<[!a-z]", re.IGNORECASE | re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_PACKED = {b"PK\x03\x04": "an OpenDocument or Word file", b"%PDF": "a PDF"}


def read_page(file: Path) -> MarkupPage:
    """Return the page in a file; Refused if it cannot be read, or is cut short."""
    content = reader.read_bytes(file)
    for start, called in _PACKED.items():
        if content.startswith(start):
            hint = "save the page as HTML, or from an office program as flat OpenDocument text (`.fodt`)"
            raise Refused([Diagnostic("G003", f"`{file}` is {called}, which is not read", hint).at(Span(file=file))])
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"the byte 0x{content[error.start]:02x} is not UTF-8"
        line = content.count(b"\n", 0, error.start) + 1
        raise Refused([Diagnostic("G001", message, "save the page as UTF-8").at(Span(file=file, line=line))]) from None
    return parse_page(text, file)


def parse_page(text: str, file: Path) -> MarkupPage:
    """Turn the text of a page of any format into its tree; Refused if it is cut short."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    control = _CONTROL.search(text)
    if control:
        place = span(file, text, control.span())
        message = f"U+{ord(control[0]):04X} is no character of a text"
        raise Refused([Diagnostic("G001", message, "save the page again").at(place)])
    if _XML.match(text) and "<html" not in text[:1000]:  # XHTML may begin so, too
        return parse_opendocument(text, file)
    if _HTML.match(text):
        return parse_markup(text, file)
    return parse_plain_text(text, file)
