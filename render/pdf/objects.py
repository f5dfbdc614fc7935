"""The objects of a PDF file, as ReportLab writes them."""

from __future__ import annotations

from collections.abc import Iterable

from reportlab.pdfbase import pdfdoc


def dictionary(**entries: object) -> pdfdoc.PDFDictionary:
    """Return a dictionary; texts that begin with `/` are names, and lists are arrays."""
    return pdfdoc.PDFDictionary({key: _object(value) for key, value in entries.items()})


def stream(content: bytes, **entries: object) -> pdfdoc.PDFStream:
    """Return a packed stream with these entries."""
    return pdfdoc.PDFStream(dictionary(**entries), content, [pdfdoc.PDFZCompress])


def array(values: Iterable[object]) -> pdfdoc.PDFArray:
    return pdfdoc.PDFArray(list(map(_object, values)))


def _object(value: object) -> object:
    if isinstance(value, str) and value.startswith("/"):
        return pdfdoc.PDFName(value[1:])
    return array(value) if isinstance(value, list) else value
