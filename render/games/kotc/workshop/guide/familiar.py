"""Sentences of the published pages that change no figure, by their fingerprints.

A rule of levels is understood only when all of its sentences are: a new one among old ones may turn every figure
around. `familiar.txt` has a fingerprint of each sentence of the 9th to the 17th Edition that stands among the rules
read here, with `#` for the figures of a data file. `python -m tests.support.familiar_sentences` writes it anew.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from render.base.caches import cached

_FILE = Path(__file__).parent / "familiar.txt"
# A sentence ends before a space and a capital letter, quote or parenthesis; `(e.g.` ends none.
_END = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)[”\")]*\s+(?=[A-Z(“\"])")
_GOES_ON = re.compile(r"(?:If less than|If this|Then)\b")  # says nothing without the sentence before it


def sentences(words: str) -> Iterator[str]:
    """Yield the sentences of a paragraph; one that continues the one before it is part of that."""
    held = ""
    for start, end in _bounds(words):
        sentence = words[start:end].strip()
        if held and _GOES_ON.match(sentence):
            held = f"{held} {sentence}"
            continue
        if held:
            yield held
        held = sentence
    if held:
        yield held


def _bounds(words: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _END.finditer(words):
        yield start, match.end()
        start = match.end()
    yield start, len(words)


def fingerprint(sentence: str) -> str:
    """Return twelve digits that no other sentence has; case, spaces and kinds of quotes make no difference."""
    plain = "".join(char for char in sentence.lower().replace("’", "'") if char not in ' “”"\N{NO-BREAK SPACE}')
    return hashlib.sha256(plain.encode()).hexdigest()[:12]


def is_familiar(sentence: str) -> bool:
    """Return whether a sentence stands in a published page and gives no figure."""
    return fingerprint(sentence) in _fingerprints()


@cached(1)
def _fingerprints() -> frozenset[str]:
    return frozenset(_FILE.read_text(encoding="ascii").split())
