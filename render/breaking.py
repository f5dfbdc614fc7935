"""Line breaking: paragraphs of styled words, cut into lines at spaces and after hyphens and dashes within words.

Breaking is greedy, as on the official cards. All widths are in em of words shaped once, so that a paragraph is broken
for any size by searching a list of numbers.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from render import fonts
from render.scene import Colour

_WORD = re.compile(r"[ \t\n]+")
_BREAK_WITHIN = re.compile(r"(?<=\w[-‐–—])(?=\w)")
ROUNDING = 1e-6  # em or mm: room lost to floating point is no room lost


@dataclass(frozen=True, slots=True)
class Style:
    """How a stretch of text is set: the name of a bundled face, and the colour."""

    face: str
    fill: Colour


Styled = tuple[str, Style]
Paragraph = tuple[Styled, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """A paragraph at one size: the atoms of each line, and the natural width of each line in em."""

    lines: tuple[tuple[int, int], ...]
    natural: tuple[float, ...]
    growth: tuple[float, ...]


class Atoms:
    """A paragraph cut at every place where a line may end.

    `starts[i]` is where atom i starts on an endless line, in em, and `ends[i]` where a line that ends with it ends;
    `gaps[i]` counts the spaces before it; `words` holds the words, `owner[i]` the word and the piece of atom i.
    """

    __slots__ = ("ends", "gaps", "owner", "starts", "words")

    def __init__(self, paragraph: Paragraph) -> None:
        self.words = tuple(words_of(paragraph))
        self.starts: list[float] = []
        self.ends: list[float] = []
        self.gaps: list[int] = []
        self.owner: list[tuple[int, int]] = []
        x = 0.0
        for number, (word, space) in enumerate(self.words):
            prefix: tuple[Styled, ...] = ()
            for piece, part in enumerate(word):
                self.starts.append(x + _kerned(prefix, word))
                prefix = joined((*prefix, *part))
                self.ends.append(x + _width(prefix))
                self.gaps.append(number)
                self.owner.append((number, piece))
            x = self.ends[-1] + space

    def greedy(self, measure: float) -> Broken | None:
        """Break into lines of at most `measure` em; nothing if an atom alone is wider."""
        lines, natural, growth = [], [], []
        first, count = 0, len(self.starts)
        while first < count:
            last = bisect_right(self.ends, self.starts[first] + measure + ROUNDING, first) - 1
            if last < first:
                return None
            width = self.ends[last] - self.starts[first]
            spaces = self.gaps[last] - self.gaps[first]
            lines.append((first, last))
            natural.append(width)
            growth.append((measure - width) / max(spaces, 1) if last + 1 < count else 0.0)
            first = last + 1
        return Broken(tuple(lines), tuple(natural), tuple(growth))

    def line(self, first: int, last: int) -> Iterator[tuple[Styled, ...]]:
        """Yield the words of a line, each as stretches of one style."""
        (word_a, piece_a), (word_b, piece_b) = self.owner[first], self.owner[last]
        for number in range(word_a, word_b + 1):
            pieces = self.words[number][0]
            begin = piece_a if number == word_a else 0
            end = piece_b if number == word_b else len(pieces) - 1
            yield joined(styled for piece in pieces[begin : end + 1] for styled in piece)


def words_of(paragraph: Paragraph) -> Iterator[tuple[tuple[tuple[Styled, ...], ...], float]]:
    """Yield each word, cut into the pieces between which a line may end, and the width in em of the space after it."""
    word: list[Styled] = []
    for text, style in paragraph:
        for index, part in enumerate(_WORD.split(text)):
            if index and word:
                yield _pieces(word), fonts.width(style.face, " ")
                word = []
            if part:
                word.append((part, style))
    if word:
        yield _pieces(word), 0.0


def _pieces(word: list[Styled]) -> tuple[tuple[Styled, ...], ...]:
    """Cut a word after each of its hyphens and dashes, across changes of style."""
    whole = "".join(text for text, _ in word)
    cuts = [match.start() for match in _BREAK_WITHIN.finditer(whole)]
    if not cuts:
        return (tuple(word),)
    pieces: list[list[Styled]] = [[]]
    at = 0
    for text, style in word:
        begin = at
        for cut in [cut for cut in cuts if at < cut < at + len(text)]:
            pieces[-1].append((text[begin - at : cut - at], style))
            pieces.append([])
            begin = cut
        if begin in cuts and begin == at and pieces[-1]:
            pieces.append([])
        pieces[-1].append((text[begin - at :], style))
        at += len(text)
    return tuple(tuple(piece) for piece in pieces)


def joined(parts: Iterable[Styled]) -> tuple[Styled, ...]:
    """Join neighbouring stretches of one style, so that they are shaped together."""
    result: list[Styled] = []
    for text, style in parts:
        if result and result[-1][1] == style:
            result[-1] = (result[-1][0] + text, style)
        else:
            result.append((text, style))
    return tuple(result)


def _width(word: Iterable[Styled]) -> float:
    return sum(fonts.width(style.face, text) for text, style in word)


def _kerned(prefix: tuple[Styled, ...], word: tuple[tuple[Styled, ...], ...]) -> float:
    """Return where the rest of a word starts behind `prefix`, kerning between the two included."""
    if not prefix:
        return 0.0
    length = sum(len(text) for text, _ in prefix)
    rest = joined(_tail(word, length))
    return _width(joined(styled for piece in word for styled in piece)) - _width(rest)


def _tail(word: tuple[tuple[Styled, ...], ...], skip: int) -> Iterator[Styled]:
    for text, style in (styled for piece in word for styled in piece):
        if skip < len(text):
            yield text[skip:], style
        skip = max(0, skip - len(text))


@lru_cache(maxsize=4096)
def atoms_of(paragraph: Paragraph) -> Atoms:
    return Atoms(paragraph)
