"""Which characters the text of a card may hold."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import groupby

from msgspec import Struct

from render.base.caches import cached
from render.base.findings import Diagnostic, quoted
from render.text import fonts


class MoreFonts(Struct, frozen=True):
    """Fonts that do not come with the program: whether one has a character, and what is said of one that none has.

    `hint` is a further way to get it, "" for none.
    """

    has: Callable[[str], bool]
    lacking: str = "no bundled font has"
    hint: str = ""


NO_MORE = MoreFonts(lambda _: False)


ANY_FONT = MoreFonts(lambda _: True)
"""For texts of which it is not known in which font they are printed, if they are."""


def flaws(text: str, family: str, *, lines: bool, more: MoreFonts = NO_MORE) -> Iterator[Diagnostic]:
    """Yield what cannot be printed in a text, with codes of `family`; `lines` says if it may have line breaks."""
    breaks = "\n" in text
    if breaks and not lines:
        at = text.index("\n")
        hint = "write the text in one line, or below `>-`"
        yield Diagnostic(f"{family}014", "a line break is not allowed here", hint).within(at, at + 1)
    # ASCII that is printable is in every font: the usual text is done here.
    if not (text.replace("\n", "") if breaks else text).isprintable() or not text.isascii():
        yield from _unusual(text, family, more)


def _unusual(text: str, family: str, more: MoreFonts) -> Iterator[Diagnostic]:
    """Yield hidden characters one by one, and missing characters run by run."""
    missing = {at for at in fonts.missing(text) if not more.has(text[at])}
    hidden = {char for char in set(text) if _is_hidden(char)}
    if hidden & _HELPERS and any(char >= _FIRST_HELPED and char.isalpha() for char in text):
        hidden -= _HELPERS
    if not missing and not hidden:
        return
    troubles = ("hidden" if char in hidden else "missing" if at in missing else "" for at, char in enumerate(text))
    for trouble, group in groupby(zip(enumerate(text), troubles, strict=True), lambda each: each[1]):
        found = [at_char for at_char, _ in group]
        start, end = found[0][0], found[-1][0] + 1
        if trouble == "hidden":
            for at, char in found:
                yield Diagnostic(f"{family}015", _hidden(char), "remove it").within(at, at + 1)
        elif trouble == "missing":
            words = text[start:end]
            hint = _instead_of(words) + (f", {more.hint}" if more.hint else "")
            yield Diagnostic(f"{family}017", _missing(words, more.lacking), hint).within(start, end)


# Characters without ink that Unicode does not count among controls: the combining grapheme joiner, the object and
# the replacement character, the Hangul fillers. U+FE00 to U+FE0F, the variation selectors, are tested as a range.
_UNSEEN = frozenset("\u034f\ufffc\ufffd\u115f\u1160\u3164\uffa0")


# What scripts from Hebrew on need, and nobody sees: the space without width, which parts words; what joins letters or
# parts them; the marks that turn signs between letters of two directions.
_HELPERS = frozenset("\u200b\u200c\u200d\u200e\u200f\u061c")
_FIRST_HELPED = "\u05d0"


@cached(4096)
def _is_hidden(char: str) -> bool:
    """Return whether nobody sees a character in any font; a soft hyphen is seen at the end of a line."""
    # Unicode's general categories: control, format (zero-width, bidi override), surrogate, private use, unassigned,
    # line and paragraph separator.
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return char not in "\n\u00ad"
    return char in _UNSEEN or "\ufe00" <= char <= "\ufe0f"


@cached(1024)
def is_within(text: str, edges: str) -> bool:
    """Return whether a text has a character of these ranges, which begin behind ASCII; cached, since many repeat.

    The edges are the first character of each range, and the first behind it, in their order.
    """
    return any(bisect_right(edges, char) % 2 for char in {*text} - _ASCII)


_ASCII = frozenset(map(chr, range(128)))


_CATEGORIES = {
    "Mn": "a character that cannot be seen",
    "Cc": "a control character",
    "Cf": "a character that cannot be seen",
    "Co": "a private character",
}
# Embeddings and overrides, isolates, marks, the Arabic letter mark (Unicode Standard Annex 9).
_BIDI_CONTROLS = range(0x202A, 0x202F), range(0x2066, 0x206A), range(0x200E, 0x2010), range(0x61C, 0x61D)


def _hidden(char: str) -> str:
    what = _CATEGORIES.get(unicodedata.category(char), "not a character that can be printed")
    if any(ord(char) in controls for controls in _BIDI_CONTROLS):
        what = "a character that turns the writing direction"
    return f"U+{ord(char):04X} is {what}"


def _instead_of(words: str) -> str:
    """Return what to do about characters that are in no font: pictures of faces and things are in none."""
    if any(unicodedata.category(char) == "So" and ord(char) > 0xFFFF for char in words):
        return "leave it out, or write a symbol that the fonts have, such as ★, ♥, ☺ or ⚔"
    return "write it with other characters"


_MAX_NAMED = 4  # code points in one message: the text itself is quoted too


def _missing(words: str, lacking: str) -> str:
    codes = [f"U+{ord(char):04X}" for char in dict.fromkeys(words)]
    further = f" and {len(codes) - _MAX_NAMED} more" if len(codes) > _MAX_NAMED else ""
    return f"{lacking} {quoted(words)} ({', '.join(codes[:_MAX_NAMED])}{further})"


def belongs_to_letter(char: str) -> bool:
    """Return whether a sign is one with the letter before it: accents, vowel signs, the AM of Thai and Lao (UAX 29)."""
    return unicodedata.category(char)[0] == "M" or char in "\u0e33\u0eb3"
