"""Find the glyphs that a stretch of ink is made of, from left to right, best first.

A hypothesis is a row of placed glyphs. What it costs is the squared difference of its picture to the ink, in all columns
that no further glyph can reach. So a hypothesis that costs more than a complete one can be given up: completing it costs
no less. Where the pixels of letters are known, a hypothesis that differs from them costs too much at once.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from math import ceil, floor

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from render.games.kotc.workshop.recognition.glyphs import Alphabet, Coverage, Glyph, Type, glyph_pictures, kerning

OFF = 0.1  # coverage that a pixel of a known letter may differ by: versions of FreeType differ by less
HIDDEN = 0.98  # and where nothing of it is seen
_LIMIT = 0.05  # squared coverage that known letters may cost: some pixels of a letter that the edge of a layer cuts
_TRIED = 14  # glyphs whose picture is compared column by column, of those that the first look ranks best
_TRIED_HINTED = 8  # which are known exactly
_STARTS = 24  # first glyphs, some at two places
_MAX_STEPS = 60  # hypotheses continued for one stretch
_MORE_STEPS = 25  # and so many more for each em of it
_FIRST = 2  # glyphs
_AFTER = 12  # hypotheses continued once one is complete: its rivals
_RIVALS = 8  # beginnings of other readings that are returned
_REWARD = 0.03  # of the squared ink that a hypothesis has passed: it makes long hypotheses as good as short ones
_OPEN = 0.17  # em before the next glyph that it may still reach: capitals kern, and `j` begins before its start
_OPEN_SLANTED = 0.3
_NEAR = 0.03  # em before the next glyph that it seldom reaches
_INK = 0.12  # coverage from which a column counts as inked
_NUDGES = (-0.25, -0.125, 0.0, 0.125, 0.25)  # px

Indexes = NDArray[np.int64]
Floats = NDArray[np.floating]


class Ink(Struct, frozen=True, eq=False):
    """A stretch of ink on a line: coverage (row, column) around its baseline, with white columns on both sides.

    `tolerance` is by how much each pixel of known letters may differ, `spacing` by how many px letters stand farther
    apart than usual.
    """

    coverage: Coverage
    type: Type
    tolerance: Coverage | None = None
    spacing: int = 0

    def costs(self, picture: Coverage, columns: slice) -> float:
        """Return the squared difference to a picture in some columns."""
        difference = self.coverage[:, columns] - picture[:, columns]
        if self.tolerance is not None:
            difference = np.maximum(np.abs(difference) - self.tolerance[:, columns], 0.0)
        return float(np.square(difference).sum())

    def excess(self, picture: Coverage, columns: slice) -> float:
        """Return the same of what the picture has too much."""
        difference = picture[:, columns] - self.coverage[:, columns]
        if self.tolerance is not None:
            difference = difference - self.tolerance[:, columns]
        return float(np.square(np.maximum(difference, 0.0)).sum())


class PlacedGlyph(Struct, frozen=True):
    """A glyph, and the columns at which it starts and ends, in px of its stretch."""

    glyph: Glyph
    start: float
    end: float


class GlyphHypothesis(Struct, frozen=True, eq=False):
    """Glyphs for a stretch of ink: what they cost in all columns before `known`, and their picture."""

    cost: float
    known: int
    pen: float
    last: int
    text: str
    placed: tuple[PlacedGlyph, ...]
    picture: Coverage

    @property
    def start(self) -> float:
        return self.placed[0].start

    @property
    def end(self) -> float:
        return self.placed[-1].end


_Step = tuple[GlyphHypothesis, int, float]
"""What is worth drawing: the hypothesis that it continues, a glyph, and where that starts."""


def _by_cost(hypothesis: GlyphHypothesis) -> tuple[float, int]:
    """Sort the best first: of those that every pixel proves, the one of the fewest glyphs."""
    return hypothesis.cost, len(hypothesis.placed)


class GlyphSearch:
    """Reads one stretch of ink by an alphabet, but for the glyphs of the texts `without`."""

    def __init__(self, ink: Ink, alphabet: Alphabet, without: str = "") -> None:
        self.type, self.alphabet, self.spacing = ink.type, alphabet, ink.spacing
        self.excluded = np.array([glyph.text in without for glyph in alphabet.glyphs], np.bool_)
        pad = self.margin = self.type.width  # columns before the stretch
        tolerance = None
        if ink.tolerance is not None:
            tolerance = np.pad(ink.tolerance, ((0, 0), (pad, pad)), constant_values=OFF)
        self.ink = Ink(np.pad(ink.coverage, ((0, 0), (pad, pad))), ink.type, tolerance)
        self.limit = np.inf if tolerance is None else _LIMIT
        coverage = self.ink.coverage
        self.passed = np.concatenate([[0.0], np.cumsum(np.square(coverage).sum(axis=0))])
        seen = coverage if tolerance is None else coverage - tolerance
        inked = np.flatnonzero(seen.max(axis=0, initial=0.0) > _INK)
        self.first, self.last = (int(inked[0]), int(inked[-1])) if len(inked) else (0, -1)
        self.open = ceil((_OPEN_SLANTED if "Oblique" in alphabet.face else _OPEN) * self.type.em)
        self.heap: list[tuple[float, int, GlyphHypothesis, float]] = []
        self.pushed = 0

    def found(self) -> tuple[list[GlyphHypothesis], list[GlyphHypothesis]]:
        """Return the readings of the stretch, best first, and beginnings of others; none if its ink is of no glyphs."""
        if self.last < self.first:
            return [], []
        for step in self._starts():
            self._push(*step)
        complete: list[GlyphHypothesis] = []
        continued = set[tuple[str, float]]()
        left = _MAX_STEPS + round(_MORE_STEPS * (self.last - self.first) / self.type.em)
        while self.heap and left > 0:
            _, _, hypothesis, bound = heapq.heappop(self.heap)
            # The first glyphs tell where a stretch starts: then the same ones a fraction of a pixel beside are worse.
            key = hypothesis.text, hypothesis.start if len(hypothesis.text) < _FIRST else 0.0
            if key in continued or (complete and bound > 4 * complete[0].cost + self._much()):
                continue
            continued.add(key)
            left -= 1
            if hypothesis.pen >= self.last - self.type.em * 0.35:
                reading = self._completed(hypothesis)
                if reading.cost <= self.limit:
                    if not complete or reading.cost < complete[0].cost:
                        left = _AFTER
                    complete.append(reading)
                    complete.sort(key=_by_cost)
            for step in self._continued(hypothesis):
                self._push(*step)
        different = {reading.text: reading for reading in reversed(complete)}
        return sorted(different.values(), key=_by_cost), self._rivals(complete)

    def _much(self) -> float:
        """Return a squared difference that no true reading has more of than the best: that of a thin stroke."""
        return 0.02 * self.type.size * self.type.em

    def _starts(self) -> Iterator[_Step]:
        """Yield the glyphs that may come first, each with the left edge of its ink at that of the stretch."""
        empty = GlyphHypothesis(
            0.0, self.first - (3 if self.type.hinted else 1), 0.0, -1, "", (), np.zeros_like(self.ink.coverage)
        )
        # How far the first column is covered says about where in it the ink begins.
        hinted = self.type.hinted
        edge = self.first + (0.0 if hinted else 1.0 - min(float(self.ink.coverage[:, self.first].max()), 1.0))
        pens = edge - self.alphabet.left * self.type.em
        # Up to two columns of a hinted glyph may be so faint that they were taken for white.
        rough = np.concatenate([pens - by for by in ((0.0, 1.0, 2.0) if hinted else (0.35, 0.0, -0.35))])
        chosen = dict[int, float]()
        for _, glyph, pen in self._best(empty, np.tile(np.arange(len(pens)), 3), rough, _STARTS):
            chosen.setdefault(glyph, pen)
        for glyph, pen in chosen.items():
            yield from ((empty, glyph, pen + nudge) for nudge in ((0.0,) if hinted else _NUDGES))

    def _continued(self, before: GlyphHypothesis) -> Iterator[_Step]:
        if before.pen > self.last + 1:
            return
        moved = kerning(self.alphabet, before.last) * self.type.em
        pens, numbers = before.pen + moved, np.arange(len(moved))
        if self.type.hinted:  # they may stand a pixel off
            pens, numbers = np.concatenate([pens, pens - 1, pens + 1]), np.tile(numbers, 3)
        yield from self._best(before, numbers, pens, _TRIED_HINTED if self.type.hinted else _TRIED)

    def _best(self, before: GlyphHypothesis, glyphs: Indexes, pens: Floats, count: int) -> Iterator[_Step]:
        """Yield the glyphs that look best at a first look: as if each stood alone."""
        rest = self.ink.coverage - before.picture
        rest = rest[:: self.type.coarseness]
        squares = np.concatenate([[0.0], np.cumsum(np.square(rest).sum(axis=0))])
        phases = self.type.phases
        places = np.round(pens * phases).astype(np.int64)
        scores = np.full(len(glyphs), np.inf)
        for place in np.unique(places):
            column, phase = divmod(int(place), phases)
            left = column - self.type.pad
            if left < 0 or left + self.type.width > rest.shape[1]:
                continue
            chosen = np.flatnonzero(places == place)
            numbers = glyphs[chosen]
            drawn = glyph_pictures(self.alphabet, self.type, phase)
            window = rest[:, left : left + self.type.width].reshape(-1)
            if len(numbers) * 3 > len(drawn.masked):
                common = np.einsum("ij,j->i", drawn.masked, window)[numbers]
            else:
                common = np.einsum("ij,j->i", drawn.masked[numbers], window)
            upto = np.minimum(left + drawn.known[numbers], len(squares) - 1)
            cost = (squares[upto] - 2 * common + drawn.energy[numbers]) * self.type.coarseness
            scores[chosen] = cost - _REWARD * self.passed[upto]
        scores[self.excluded[glyphs]] = np.inf
        for index in np.argsort(scores, kind="stable")[:count]:
            if np.isfinite(scores[index]):
                yield before, int(glyphs[index]), float(pens[index])

    def _push(self, before: GlyphHypothesis, number: int, begin: float) -> None:
        """Draw a hypothesis and keep it, by its cost and the ink that its open columns have too much."""
        phases = self.type.phases
        column, phase = divmod(round(begin * phases), phases)
        left = column - self.type.pad
        drawn = glyph_pictures(self.alphabet, self.type, phase)
        picture = before.picture.copy()
        window = picture[:, left : left + self.type.width]
        np.minimum(window + drawn.picture(number), 1.0, out=window)
        glyph = self.alphabet.glyphs[number]
        pen = begin + glyph.advance * self.type.em + self.spacing
        known = min(max(floor(pen) - self.open, before.known), picture.shape[1])
        cost = before.cost + self.ink.costs(picture, slice(before.known, known))
        bound = cost + self.ink.excess(picture, slice(known, left + self.type.width))
        if bound > self.limit:
            return
        # What lies well before the place where the next glyph may begin is probably its own.
        next_start = begin + float(self.alphabet.alone[number]) * self.type.em + self.spacing
        near = slice(known, max(floor(next_start - _NEAR * self.type.em), known))
        probable = cost + self.ink.costs(picture, near)
        placed = (*before.placed, PlacedGlyph(glyph, begin - self.margin, pen - self.margin))
        made = GlyphHypothesis(cost, known, pen, number, before.text + glyph.text, placed, picture)
        self.pushed += 1
        rank = max(probable, bound) - _REWARD * float(self.passed[near.stop])
        heapq.heappush(self.heap, (rank, self.pushed, made, bound))

    def _completed(self, hypothesis: GlyphHypothesis) -> GlyphHypothesis:
        cost = hypothesis.cost + self.ink.costs(hypothesis.picture, slice(hypothesis.known, None))
        return replace(hypothesis, cost=cost)

    def _rivals(self, complete: list[GlyphHypothesis]) -> list[GlyphHypothesis]:
        """Return the beginnings of other readings that cost little more than the best one does up to there."""
        if not complete:
            return []
        best = complete[0]
        spent = np.square(self.ink.coverage - best.picture).sum(axis=0).cumsum()
        rivals = [
            (bound - float(spent[each.known - 1]), each)
            for _, _, each, bound in self.heap
            if not best.text.startswith(each.text)
        ]
        return [each for _, each in sorted(rivals, key=lambda rival: rival[0])[:_RIVALS]]
