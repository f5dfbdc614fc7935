"""Named sizes of cards and papers."""

from __future__ import annotations

import re
from collections.abc import Mapping

from render.base.geometry import MM_PER_INCH, Size, parse_length, shorten
from render.base.patterns import regex

_DIGITS = 9  # of mm: 8.5in is 215.9 mm, and not 215.89999999999998

_WIDTH_X_HEIGHT = regex(r"(.+?)[x×](.+)")

POKER = Size(63.5, 88.9)  # 2.5 x 3.5 in: the official card, measured (KotC 17th Edition, Card Building Guide)

CARDS = {
    "poker": POKER,
    "standard": Size(63.0, 88.0),  # what most trading cards and their sleeves are made for
    "guide": Size(66.0, 91.0),  # the Card Building Guide's other figure, which is not 2.5 x 3.5 in
    "bridge": Size(57.15, 88.9),  # 2.25 x 3.5 in
    "tarot": Size(69.85, 120.65),  # 2.75 x 4.75 in
    "mini": Size(44.45, 63.5),  # 1.75 x 2.5 in
    "square": Size(63.5, 63.5),  # 2.5 x 2.5 in
    "jumbo": Size(88.9, 139.7),  # 3.5 x 5.5 in
    "domino": Size(44.45, 88.9),  # 1.75 x 3.5 in
}

PAPERS = {
    "a4": Size(210.0, 297.0),  # ISO 216
    "a3": Size(297.0, 420.0),
    "letter": Size(215.9, 279.4),
    "legal": Size(215.9, 355.6),
    "tabloid": Size(279.4, 431.8),
    "sra3": Size(320.0, 450.0),  # the sheets of digital presses: A3 and A4 with room for marks and grippers
    "sra4": Size(225.0, 320.0),
    "arch-b": Size(304.8, 457.2),  # 12 x 18 in, the same in America
    "super-b": Size(330.2, 482.6),  # 13 x 19 in
}


LETTER = frozenset("BZ CA CL CO CR GT MX NI PA PH PR SV US VE".split())
"""The countries whose usual paper is Letter (Unicode CLDR, paperSize); all others have A4."""


def usual_paper(language: str) -> str:
    """Return the usual paper of a country, which is named as in `en_US.UTF-8` or `en-US`; `a4` if none is."""
    country = re.match(r"[a-z]{2,3}[_-]([a-z]{2})\b", language, re.IGNORECASE)
    return "letter" if country and country[1].upper() in LETTER else "a4"


def parse_paper(text: str) -> Size:
    """Return the size of a named paper, or of one given as `WxH` in mm; ValueError for anything else."""
    return _parse_size(text, PAPERS, "210x297", thing="paper", longest=2000)


LANDSCAPE, PORTRAIT = "landscape", "portrait"


def size_of_kind(wanted: Size | str, usual: Size) -> Size:
    """Return the trim size of cards of a kind: its own, or for "" that of its set, perhaps lying or standing."""
    if isinstance(wanted, Size):
        return wanted
    is_other = usual.height > usual.width if wanted == LANDSCAPE else usual.width > usual.height
    return usual.sideways if wanted and is_other else usual


def parse_card_size(text: str) -> Size:
    """Return the trim size of a named kind of card, or of one given as `WxH` in mm; ValueError for anything else."""
    # More pixels than that take more memory than a set may.
    return _parse_size(text, CARDS, "63x88", thing="card", longest=300)


MAX_INCHES = 20  # a side, of a size that seems to be meant in inches: no paper of an office is longer

_UNIT = r"""\s*(?:in|inch|inches|["\u201d\u2033])?\s*"""
_SIDE = r"[0-9]{1,2}(?:\.[0-9]+)?"
_INCHES = regex(rf"({_SIDE}){_UNIT}[x×]\s*({_SIDE}){_UNIT}")

_OTHER_SIZES = {
    "a2": Size(420.0, 594.0), "a5": Size(148.0, 210.0), "a6": Size(105.0, 148.0), "b4": Size(250.0, 353.0),
    "b5": Size(176.0, 250.0), "executive": Size(184.15, 266.7), "statement": Size(139.7, 215.9), "ledger": Size(431.8, 279.4),
    "large": Size(88.9, 139.7), "euro": Size(59.0, 92.0), "business": Size(50.8, 88.9),
    "micro": Size(31.75, 44.45), "mtg": Size(63.0, 88.0), "magic": Size(63.0, 88.0),
    "pokemon": Size(63.0, 88.0), "yugioh": Size(59.0, 86.0),
}  # fmt: skip
"""Sizes by names that people know, and that are no names here."""


def _parse_size(text: str, named: Mapping[str, Size], example: str, *, thing: str, longest: int) -> Size:
    word = text.lower().strip()
    if word in named:
        return named[word]

    def difference(name: str, size: Size) -> float:
        return abs(named[name].width - size.width) + abs(named[name].height - size.height)

    hint = ""
    if other := _OTHER_SIZES.get(word):  # the nearest of its row, as A4 of A5
        near = min(named, key=lambda name: (name[0] != word[0] or name[1:].isalpha(), difference(name, other)))
        hint = f": write `{other.width:g}x{other.height:g}`, or `{near}`, the nearest"
    match = _WIDTH_X_HEIGHT.fullmatch(word)
    if match is None or hint:  # there is an `x` in `executive`
        names = ", ".join(f"`{name}`" for name in named)
        found = f"`{shorten(text)}`" if word else "nothing"
        raise ValueError(f"expected {names} or a size such as `{example}`, found {found}{hint}")
    inches = _INCHES.fullmatch(word)
    sides = inches.groups() if inches else ()
    if sides and all(1 <= float(side) <= MAX_INCHES for side in sides):
        size = Size(*(float(side) * MM_PER_INCH for side in sides))
        name = next((name for name in named if difference(name, size) < 1), "")
        hint = f": write `{'x'.join(f'{side}in' for side in sides)}`, in inches" + (f", or `{name}`" if name else "")
    try:
        size = Size(*(round(parse_length(side), _DIGITS) for side in match.groups()))
    except ValueError as error:
        raise ValueError(f"{error}{hint}") from None
    if not (10 <= size.width <= longest and 10 <= size.height <= longest):
        raise ValueError(f"expected a {thing} from 10 to {longest} mm a side, found `{shorten(text)}`{hint}")
    return size
