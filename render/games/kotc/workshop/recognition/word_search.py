"""Find the signs that a stretch of ink is made of, from left to right, best first.

A hypothesis is a row of signs. What it costs is the squared difference of its picture to the ink, in all columns that
no further sign can reach. So a hypothesis that costs more than a complete one can be given up: completing it costs no
less.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from render.games.kotc.workshop.recognition.glyphs import (
    Alphabet,
    Coverage,
    GlyphPictures,
    Type,
    glyph_pictures,
    kerning,
)

_TRIED = 14  # signs whose picture is compared column by column, of those that the first look ranks best
_STARTS = 24  # first signs, some at two places
_MAX_STEPS = 60  # hypotheses continued for one stretch
_MORE_STEPS = 25  # and so many more for each em of it
_FIRST = 2  # signs
_AFTER = 12  # hypotheses continued once one is complete: its rivals
_RIVALS = 8  # beginnings of other readings that are returned
_REWARD = 0.03  # of the squared ink that a hypothesis has passed: it makes long hypotheses as good as short ones
_OPEN = 0.17  # em before the next sign that it may still reach: capitals kern, and `j` begins before its start
_OPEN_SLANTED = 0.3
_NEAR = 0.03  # em before the next sign that it seldom reaches
_INK = 0.12  # coverage from which a column counts as inked


Indexes = NDArray[np.int64]
Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True, eq=False)
class Ink:
    """A stretch of ink on a line: coverage (row, column) around its baseline, with white columns on both sides."""

    coverage: Coverage
    type: Type


@dataclass(frozen=True, slots=True)
class SignReading:
    """Words for a stretch of ink: what they cost, and the columns at which they start and end, in px of the stretch.

    `ends` are the columns at which the first, first two, ... signs end, with the characters that they stand for.
    """

    text: str
    cost: float
    start: float
    end: float
    ends: tuple[tuple[float, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Rival:
    """A beginning of another reading: its text, where it starts and ends, and by how much it costs more so far."""

    text: str
    start: float
    end: float
    excess: float


@dataclass(frozen=True, slots=True)
class FoundSigns:
    """The readings of a stretch, best first, and beginnings of others."""

    readings: tuple[SignReading, ...]
    rivals: tuple[Rival, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Hypothesis:
    cost: float  # of all columns before `known`
    known: int
    pen: float
    last: int
    text: str
    start: float
    ends: tuple[tuple[float, int], ...]
    picture: Coverage


_Step = tuple[_Hypothesis, int, float]
"""What is worth drawing: the hypothesis that it continues, a sign, and where that starts."""


class WordSearch:
    """Reads one stretch of ink by an alphabet."""

    def __init__(self, ink: Ink, signs: Alphabet) -> None:
        self.type = ink.type
        self.signs = signs
        pad = self.type.width
        self.margin = pad  # columns before the stretch
        self.ink = np.pad(ink.coverage, ((0, 0), (pad, pad)))
        squares = np.square(self.ink).sum(axis=0)
        self.passed = np.concatenate([[0.0], np.cumsum(squares)])
        inked = np.flatnonzero(self.ink.max(axis=0) > _INK)
        self.first, self.last = (int(inked[0]), int(inked[-1])) if len(inked) else (0, -1)
        slanted = "Oblique" in signs.face
        self.open = ceil((_OPEN_SLANTED if slanted else _OPEN) * self.type.em)
        self.heap: list[tuple[float, int, _Hypothesis, float]] = []
        self.pushed = 0
        self.best: tuple[float, _Hypothesis] | None = None

    def found(self) -> FoundSigns:
        """Return the readings of the stretch; none if its ink is of no signs of the alphabet."""
        if self.last < self.first:
            return FoundSigns((), ())
        for step in self._starts():
            self._push(*step)
        complete: list[SignReading] = []
        continued = set[tuple[str, float]]()
        left = _MAX_STEPS + round(_MORE_STEPS * (self.last - self.first) / self.type.em)
        while self.heap and left > 0:
            _, _, hypothesis, bound = heapq.heappop(self.heap)
            # The first signs tell where a stretch starts: then the same ones a fraction of a pixel beside are worse.
            key = hypothesis.text, hypothesis.start if len(hypothesis.text) < _FIRST else 0.0
            if key in continued or (complete and bound > 4 * complete[0].cost + self._much()):
                continue
            continued.add(key)
            left -= 1
            if hypothesis.pen >= self.last - self.type.em * 0.35:
                reading = self._completed(hypothesis)
                if not complete or reading.cost < complete[0].cost:
                    left = _AFTER
                complete.append(reading)
                complete.sort(key=lambda reading: reading.cost)
            for step in self._continued(hypothesis):
                self._push(*step)
        return FoundSigns(tuple(_different(complete)), tuple(self._rivals()))

    def _much(self) -> float:
        """Return a squared difference that no true reading has more of than the best: that of a thin stroke."""
        return 0.02 * self.type.size * self.type.em

    def _starts(self) -> Iterator[_Step]:
        """Yield the signs that may come first, each with the left edge of its ink at that of the stretch."""
        empty = _Hypothesis(
            cost=0.0,
            known=self.first - 1,
            pen=0.0,
            last=-1,
            text="",
            start=0.0,
            ends=(),
            picture=np.zeros_like(self.ink),
        )
        # How far the first column is covered says about where in it the ink begins.
        edge = self.first + 1.0 - min(float(self.ink[:, self.first].max()), 1.0)
        pens = edge - self.signs.left * self.type.em
        rough = np.concatenate([pens - 0.35, pens, pens + 0.35])
        chosen = dict[int, float]()
        for _, sign, pen in self._best(empty, np.tile(np.arange(len(pens)), 3), rough, _STARTS):
            chosen.setdefault(sign, pen)
        for sign, pen in chosen.items():
            yield from ((empty, sign, pen + nudge) for nudge in (-0.25, -0.125, 0.0, 0.125, 0.25))

    def _continued(self, before: _Hypothesis) -> Iterator[_Step]:
        if before.pen > self.last + 1:
            return
        pens = before.pen + kerning(self.signs, before.last) * self.type.em
        yield from self._best(before, np.arange(len(self.signs.signs)), pens, _TRIED)

    def _best(self, before: _Hypothesis, signs: Indexes, pens: Floats, count: int) -> Iterator[_Step]:
        """Yield the signs that look best at a first look: as if each stood alone."""
        rest = self.ink - before.picture
        rest = rest[:: self.type.coarseness]
        squares = np.concatenate([[0.0], np.cumsum(np.square(rest).sum(axis=0))])
        phases = self.type.phases
        places = np.round(pens * phases).astype(np.int64)
        scores = np.full(len(signs), np.inf)
        for place in np.unique(places):
            column, phase = divmod(int(place), phases)
            left = column - self.type.pad
            if left < 0 or left + self.type.width > self.ink.shape[1]:
                continue
            chosen = np.flatnonzero(places == place)
            drawn = glyph_pictures(self.signs, self.type, phase)
            scores[chosen] = self._scores(signs[chosen], (rest, squares), drawn, left)
        order = np.argsort(scores, kind="stable")[:count]
        for index in order:
            if np.isfinite(scores[index]):
                yield before, int(signs[index]), float(pens[index])

    def _scores(self, signs: Indexes, left_over: tuple[Coverage, Floats], drawn: GlyphPictures, left: int) -> Floats:
        """Return what signs at a place cost in their columns: `left_over` is the ink and its squares by columns."""
        rest, squares = left_over
        window = rest[:, left : left + self.type.width].reshape(-1)
        if len(signs) * 3 > len(drawn.masked):
            common = np.einsum("ij,j->i", drawn.masked, window)[signs]
        else:
            common = np.einsum("ij,j->i", drawn.masked[signs], window)
        upto = np.minimum(left + drawn.known[signs], len(squares) - 1)
        cost = (squares[upto] - 2 * common + drawn.energy[signs]) * self.type.coarseness
        scores: Floats = cost - _REWARD * self.passed[upto]
        return scores

    def _push(self, before: _Hypothesis, number: int, begin: float) -> None:
        """Draw a hypothesis and keep it, by its cost and the ink that its open columns have too much."""
        phases = self.type.phases
        column, phase = divmod(round(begin * phases), phases)
        left = column - self.type.pad
        drawn = glyph_pictures(self.signs, self.type, phase)
        picture = before.picture.copy()
        window = picture[:, left : left + self.type.width]
        np.minimum(window + drawn.picture(number), 1.0, out=window)
        sign = self.signs.signs[number]
        pen = begin + sign.advance * self.type.em
        known = min(max(floor(pen) - self.open, before.known), self.ink.shape[1])
        part = slice(before.known, known)
        cost = before.cost + float(np.square(self.ink[:, part] - picture[:, part]).sum())
        reach = slice(known, left + self.type.width)
        excess = float(np.square(np.maximum(picture[:, reach] - self.ink[:, reach], 0.0)).sum())
        start = before.start if before.text else begin
        # What lies well before the place where the next sign may begin is probably its own.
        next_start = begin + float(self.signs.alone[number]) * self.type.em
        near = slice(known, max(floor(next_start - _NEAR * self.type.em), known))
        probable = cost + float(np.square(self.ink[:, near] - picture[:, near]).sum())
        text = before.text + sign.text
        ends = (*before.ends, (pen - self.margin, len(text)))
        made = _Hypothesis(
            cost=cost, known=known, pen=pen, last=number, text=text, start=start, ends=ends, picture=picture
        )
        rank = max(probable, cost + excess) - _REWARD * float(self.passed[near.stop])
        self.pushed += 1
        heapq.heappush(self.heap, (rank, self.pushed, made, cost + excess))

    def _completed(self, hypothesis: _Hypothesis) -> SignReading:
        part = slice(hypothesis.known, None)
        cost = hypothesis.cost + float(np.square(self.ink[:, part] - hypothesis.picture[:, part]).sum())
        if self.best is None or cost < self.best[0]:
            self.best = cost, hypothesis
        start, end = hypothesis.start - self.margin, hypothesis.pen - self.margin
        return SignReading(hypothesis.text, cost, start, end, hypothesis.ends)

    def _rivals(self) -> list[Rival]:
        if self.best is None:
            return []
        spent = np.square(self.ink - self.best[1].picture).sum(axis=0).cumsum()
        rivals = []
        for _, _, hypothesis, bound in self.heap:
            if not self.best[1].text.startswith(hypothesis.text):
                start, end = hypothesis.start - self.margin, hypothesis.pen - self.margin
                rivals.append(Rival(hypothesis.text, start, end, bound - float(spent[hypothesis.known - 1])))
        return sorted(rivals, key=lambda rival: rival.excess)[:_RIVALS]


def _different(readings: list[SignReading]) -> Iterator[SignReading]:
    seen = set[str]()
    for reading in readings:
        if reading.text not in seen:
            seen.add(reading.text)
            yield reading
