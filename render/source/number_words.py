"""Numbers as people write them in words or with more than digits: `four`, `17th`, `“3”`."""

from __future__ import annotations

import re

_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_NUMBERS = {word: number for number, word in enumerate(_WORDS)} | {"none": 0, "nothing": 0, "no": 0}
# One number of up to four digits, with words or signs around it; no minus and no fraction, which mean another number.
_ONE_NUMBER = re.compile(r"[^0-9.,/-]*(?P<digits>[0-9]{1,4})(?:\.0*)?[^0-9.,/-]*")


def meant_number(written: str) -> int | None:
    """Return the whole number that somebody means; None if that is not clear."""
    word = written.strip().lower()
    if word in _NUMBERS:
        return _NUMBERS[word]
    match = _ONE_NUMBER.fullmatch(word)
    return int(match["digits"]) if match else None
