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
from itertools import accumulate, pairwise
from typing import NamedTuple

from render import fonts
from render.scene import Colour

_WORD = re.compile(r"[ \t\n]+")
_BREAK_WITHIN = re.compile(r"(?<=\w[-‐–—])(?=\w)")
_MOST_BREAKS = 40  # within one word: each is shaped on both sides
ROUNDING = 1e-6  # em or mm: room lost to floating point is no room lost


class Style(NamedTuple):
    """How a stretch of text is set: the name of a bundled face, and the colour."""

    face: str
    fill: Colour


Styled = tuple[str, Style]
Paragraph = tuple[Styled, ...]
Shaped = tuple[tuple[fonts.Shaped, Style], ...]
"""The glyphs of a word, piece by piece where style or face change."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word and the places where a line may end in it.

    `starts[i]` is where its part i begins, in em from its own start, and `ends[i]` where a line that ends with that
    part ends; `cuts[i]` is the number of characters up to there.
    """

    styled: tuple[Styled, ...]
    starts: tuple[float, ...]
    ends: tuple[float, ...]
    cuts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """A paragraph at one size: the first and last atom of each line, its natural width, and how much its spaces grow.

    Widths and growth are in em; the last line of a paragraph grows by nothing.
    """

    lines: tuple[tuple[int, int], ...]
    natural: tuple[float, ...]
    growth: tuple[float, ...]


class Atoms:
    """A paragraph cut at every place where a line may end.

    `starts[i]` is where atom i starts on an endless line, in em, and `ends[i]` where a line that ends with it ends;
    `gaps[i]` counts the spaces before it; `owner[i]` is its word and which part of the word it is.
    """

    __slots__ = ("ends", "gaps", "owner", "starts", "words")

    def __init__(self, paragraph: Paragraph) -> None:
        self.words = tuple(words_of(paragraph))
        self.starts: list[float] = []
        self.ends: list[float] = []
        self.gaps: list[int] = []
        self.owner: list[tuple[int, int]] = []
        x = 0.0
        for number, word in enumerate(self.words):
            for part, (start, end) in enumerate(zip(word.starts, word.ends, strict=True)):
                self.starts.append(x + start)
                self.ends.append(x + end)
                self.gaps.append(number)
                self.owner.append((number, part))
            x += word.ends[-1] + space_after(word)

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

    def line(self, first: int, last: int) -> Iterator[Shaped]:
        """Yield the shaped words of a line, the first and the last perhaps only in part."""
        (word_a, part_a), (word_b, part_b) = self.owner[first], self.owner[last]
        for number in range(word_a, word_b + 1):
            word = self.words[number]
            begin = word.cuts[part_a - 1] if number == word_a and part_a else 0
            end = word.cuts[part_b] if number == word_b else word.cuts[-1]
            whole = begin == 0 and end == word.cuts[-1]
            yield shaped(word.styled if whole else tuple(_slice(word.styled, begin, end)))


def words_of(paragraph: Paragraph) -> Iterator[Word]:
    """Yield the words of a paragraph; a word may change its style within."""
    word: list[Styled] = []
    for text, style in paragraph:
        for index, part in enumerate(_WORD.split(text)):
            if index and word:
                yield _word(tuple(word))
                word = []
            if part:
                word.append((part, style))
    if word:
        yield _word(tuple(word))


def space_after(word: Word) -> float:
    """Return the natural width in em of the space behind a word, which is set in the style of the word's end."""
    return fonts.width(word.styled[-1][1].face, " ")


@lru_cache(maxsize=65536)
def shaped(styled: tuple[Styled, ...]) -> Shaped:
    """Return the glyphs of a word."""
    return tuple((piece, style) for text, style in styled for piece in fonts.shape(style.face, text))


@lru_cache(maxsize=65536)
def _word(parts: tuple[Styled, ...]) -> Word:
    """Join what has one style, and find where a line may end: behind the hyphens and dashes within the word."""
    styled = _joined(parts)
    whole = "".join(text for text, _ in styled)
    width, cuts = _width(styled), [match.start() for match in _BREAK_WITHIN.finditer(whole)][:_MOST_BREAKS]
    starts = (0.0, *(width - _width(_slice(styled, cut, len(whole))) for cut in cuts))
    ends = (*(_width(_slice(styled, 0, cut)) for cut in cuts), width)
    return Word(styled, starts, ends, (*cuts, len(whole)))


def _joined(parts: Iterable[Styled]) -> tuple[Styled, ...]:
    """Join neighbouring stretches of one style, so that they are shaped together."""
    result: list[Styled] = []
    for text, style in parts:
        if result and result[-1][1] == style:
            result[-1] = (result[-1][0] + text, style)
        else:
            result.append((text, style))
    return tuple(result)


def _slice(styled: tuple[Styled, ...], begin: int, end: int) -> Iterator[Styled]:
    """Yield the characters from `begin` to before `end`."""
    edges = accumulate((len(text) for text, _ in styled), initial=0)
    for (text, style), (start, stop) in zip(styled, pairwise(edges), strict=True):
        part = text[max(begin - start, 0) : max(min(end, stop) - start, 0)]
        if part:
            yield part, style


def _width(styled: Iterable[Styled]) -> float:
    return sum(fonts.width(style.face, text) for text, style in styled)


@lru_cache(maxsize=4096)
def atoms_of(paragraph: Paragraph) -> Atoms:
    """Return the paragraph cut into atoms; nothing is cut twice."""
    return Atoms(paragraph)
