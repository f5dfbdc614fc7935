"""Numbers as people write them in words or with more than digits: `four`, `17th`, `“3”`."""

from __future__ import annotations

import re

_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12, "twentieth": 20}
_NOTHING = dict.fromkeys(("o", "none", "nothing", "no"), 0)  # the letter O, too
_ROMAN = {
    word: number for number, word in enumerate(("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"), 1)
}  # not x: it stands for any number
_NUMBERS = {word: number for number, word in enumerate(_WORDS)} | _ORDINALS | _NOTHING | _ROMAN
# One number of up to four digits, with words or signs around it; no minus and no fraction, which mean another number.
_ONE_NUMBER = re.compile(r"[^0-9.,/-]*(?P<digits>[0-9]{1,4})(?:\.0*)?[^0-9.,/-]*")


def meant_number(written: str) -> int | None:
    """Return the whole number that somebody means; None if that is not clear."""
    word = written.strip().rstrip(",;").lower()
    for each in (word, word.removesuffix("th")):  # seventeenth
        if each in _NUMBERS:
            return _NUMBERS[each]
    match = _ONE_NUMBER.fullmatch(word)
    return int(match["digits"]) if match else None
