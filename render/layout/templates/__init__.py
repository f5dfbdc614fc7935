"""Templates as files and as drawings: found, filled in, checked against the subset of SVG. They know no card."""

from __future__ import annotations

import hashlib
from typing import NamedTuple


class Source(NamedTuple):
    """The text of a template, its digest, and the file that it is from."""

    text: str
    digest: str
    file: str


def source_of(text: str, file: str) -> Source:
    """Return a text as a source."""
    return Source(text, hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(), file)
